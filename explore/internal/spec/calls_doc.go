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
