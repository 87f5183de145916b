// Package teacher answers words, sequences of calls with the values that logs have,
// for those who learn from a reference implementation.
//
//	t := teacher.New(impl)
//	v := t.Value(add, 0, 3) // value number 3 of the first parameter of method add
//	answers, err := t.Ask(ctx, [][]teacher.Call{{{Method: add, Args: []history.Value{v}}}})
//
// # Words
//
// Generator makes words: sequences of calls, on which references, theories and
// automata are compared.
//
//	short := Short(impl.Methods(), 3) // all of them
//	long := Long(impl.Methods(), 0, 100)
//	w := NewGenerator(impl.Methods(), seed).Random(30)
//	texts := Texts{Methods: impl.Methods()}.Of(w) // with values as logs have them
//	looked := Telling(impl.Methods(), 7) // with values that a reference may look into
//
// A word is random; or it goes through phases, each with calls of one method, two,
// or all; or it has powers, which call one method often and then look back. The
// same seed makes the same word.
package teacher
