// Package lives decides whether values can have come and gone as operations say, where a
// table says how two of them may be in at the same time.
//
//	r := lives.Decide(lives.Problem{Table: t, Values: values})   // r.Steps is an order of all operations
//
// It narrows the operations first: of two values, the orders in which they can have come
// and gone bound the moments at which their operations take effect, and what is
// narrowed narrows others. Two values that have no order left are a violation.
//
// What is left is put in order from the beginning to the end. A value leaves as soon as
// nothing is in its way: then it is in nobody else's. It comes as late as it may: when its
// operation ends, when another must find it in, or when it is to leave. Such an order is
// replayed before it counts. Where there is no way to go on, the orders of two values
// that are in the way of each other are divided in two, and both halves are tried.
//
// Proof: docs/proofs/container-by-table.md.
package lives
