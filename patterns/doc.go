// Package patterns infers the violation patterns of a data type from a reference
// implementation ("Symbolic ADT inference" §7).
//
//	impl, err := reference.New(queue.Spec)
//	t, err := patterns.Infer(ctx, impl, queue.Spec.Info(), patterns.Options{})
//	len(t.Spec.Patterns)   // 7
//
// A pattern is a minimal violation: a history the reference does not admit,
// while it admits whatever comes from it by removing a read-only operation, an
// unmatched one, a duplicate, or a whole match. Histories are enumerated by
// weight until a weight shows nothing new. Of the 397,060,817 histories of a queue up to
// weight 3 the reference is asked about 41, which are one-step extensions of admitted
// histories. That needs a normal type, which is checked. What is found is compared with
// the reference on every history up to a length.
//
//	Options     bounds, what to do about failed checks
//	Infer       the whole inference
//	Match       only the matching scheme
//	Declare     what the reference says itself
//	Disagrees   error: the patterns and the reference differ
package patterns
