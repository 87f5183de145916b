// Package describe finds every description of a reference implementation that fits:
// patterns, a product by key, an automaton, counters; and the reference itself as the
// last of them.
//
//	t, err := describe.Infer(ctx, impl, info, describe.Options{})
package describe
