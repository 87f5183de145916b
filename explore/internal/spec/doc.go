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
package spec
