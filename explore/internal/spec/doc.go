// Package spec is what an implementation is held against: a data type as a relation
// between states, calls and answers.
//
// Calls are numbers of a list (List), answers numbers of a table (Answers), states are the
// specification's own numbers.
//
//	fresh, err := spec.Fresh(t, nil, operations)   // for Options
//	answers := spec.NewAnswers()
//	s, err := spec.Of(t, list, answers)
//	moves, err := s.Moves(s.Start(), call)         // none: the call waits
//
//	Spec         a data type
//	Answers      numbers answers
//	Of           a theory: its automaton or product, or what its patterns say of sequences
//	Model        a built-in model
//	Sequential   a reference, or the implementation itself, as a Runner runs it
//	MayFail      a Spec of which some operations may fail in every state
//	Learner      a Spec that learns values which only the implementation knows
//	Keeper       a Spec that can be kept
//	Mismatch     the error of operations that are not those of the specification
//
// A theory of patterns is asked about each sequence. Two sequences are one state if it
// says the same of them whatever operations follow, which is tried out, as far as an
// exploration goes: so its states are about as many as a model of the type has.
//
// # Calls
//
// A List is what threads call while an implementation is explored, and what its
// results mean: labels of operations, as theories and logs have them.
//
//	list, err := New(program, Options{Values: 2, Most: 4})
//	bounds := machine.Bounds{Threads: 2, Ops: 2, Calls: list.Calls}
//	outcome, rets := list.Answer(result)
//
//	List      the calls, each with its label
//	Options   with which values
//
// Value k of a type is the number k, the k-th letter, true and false, a struct, array or slice
// whose parts have value k each, or in an interface the int k. Which outcome results
// belong to is as in package reference.
package spec
