// Package calls is what threads call while an implementation is explored, and what its
// results mean: labels of operations, as theories and logs have them.
//
//	List   the calls, each with its label
package calls
