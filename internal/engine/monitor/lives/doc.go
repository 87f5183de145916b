// Package lives decides whether values can have come and gone as operations say, where a
// table says how two of them may be in at the same time.
//
//	r := lives.Decide(lives.Problem{Table: t, Values: values})   // r.Steps is an order of all operations
//
// Notions: docs/proofs/near-linear.md.
//
// A container may have several kinds of adds and removes, such as a queue with two ends. A table says of each two
// classes of values (by what adds and removes them) whether one may enclose the other (come first and leave last),
// and whether it may be overtaken (come first and leave first). That is all that patterns about two values say,
// and tableReader compares the theory's patterns with the table in both directions.
//
// Values that are not valid, and operations that find nothing and have no gap in no core, are violations
// (docs/proofs/finding-nothing.md). Otherwise the execution is cut in parts at gaps in no core. In a part, two values have six
// orders: one leaves before the other comes, encloses it, or is overtaken by it, and the reverse. An order of all
// operations is a linearization iff it respects real time and gives each two values an order that the table
// allows.
//
// Narrowing. An operation has bounds: it takes effect in one of the gaps s … e−1, at first its call and return. An
// order of two values is possible if it puts no operation before another whose bounds end before its own begin.
//
// Claim. Bounds may be narrowed to the least ones that hold in all possible orders of a value and another. For in
// a linearization the two have an order, and it is possible. In a sequence o₁ … o₄ operation oᵢ takes effect no
// earlier than the latest begin of the bounds of o₁ … oᵢ, and no later than the earliest end of those of oᵢ … o₄;
// the linearization is one of these cases. So if two values have no possible order left, the part is a violation.
// Only values of which two operations overlap can narrow each other: the others have one order, or none.
//
// Ties. If what is left of the orders of two values always has operation a before b, and nothing can be narrowed
// any more, neither bound of a is later than that of b. So if such pairs make a cycle, its operations have the
// same bounds (inOrder), and the part is a violation.
//
// An order. sweep goes from the first event to the last. A value leaves as soon as nothing is in its way; of those
// that must leave at one moment the one that came last leaves first, if it can. A value comes when its bounds end,
// when it must leave, or when another comes that it must or should precede. What it makes is replayed (replays):
// every operation once, within real time, each value leaving only when the table allows that with those that are
// in, and the values that stay all allowed to stay. So a part that is called linearizable is. That a value leaves
// at once is no loss either: until its leaving in a linearization it constrains others, and afterwards it does
// not.
//
// Supposing. Where the sweep cannot go on, the possible orders of two values in the way of each other are divided
// in two, and both halves are tried with all that follows. One of them holds in each linearization, so if both are
// violations, the part is. A half that is a violation rests on what excludes each other in the end, on what
// narrowed that since the half was supposed, and so on. If the two values are not both among these, all of it
// follows without having supposed anything, and the other half need not be tried. (What was supposed of two values
// is only used where these two are looked at together, and then both are noted.) When nothing can be divided any
// more, the orders of all values that overlap are known, and the operations by their bounds are tried as an order.
// After a bound (maxTries, maxWork) there is no verdict, and another engine decides.
//
// # Pending removes
//
// A value that is left has several ways: it stays, or a pending remove of some kind takes it, after the first call
// of that kind. Possible orders are those of any of its ways; a way that has none with some other value is ruled
// out. Of the values that cannot stay, those that only certain kinds can take, by a time, are not more than the
// pending removes of these kinds called by then; where they are as many, no other value is taken by these
// (tokensSuffice). The sweep takes a value when it must leave, or is in the way. The replay gives the nth value
// that a kind takes the nth call of the kind. An operation that finds nothing, and has a gap in no core only once
// pending removes have taken values, counts as a value that may not be in with any other, and the execution is not
// cut.
//
// What is to blame. Each value has a list of those that narrowed it. The values that excluded each other, in both
// halves where something was supposed, and all on their lists, are a violation by themselves: the same conclusions
// follow.
//
// That there nearly always is a verdict is only tested: TestTableContainer compares verdicts, shortest prefixes
// and linearizations with a search of all linearizations, for random and known tables, with pending operations.
// One in some ten thousand may have none.
package lives
