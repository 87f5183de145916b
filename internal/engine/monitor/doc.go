// Package monitor decides the executions of common data types in near-linear
// time. Which procedure decides is not said by a person: it is read off the
// violation patterns of a theory, whatever the theory calls its methods.
//
//	m, err := monitor.Select(ctx, t, decide)
//	fmt.Println(m.Why())          // "the patterns of theory inbox are those of a queue: ..."
//	r, err := m.Check(ctx, e)
//	fmt.Println(r.Prefix, r.Reason.Sentence)
//	l, err := m.Linearize(ctx, e) // l.Order, if there is one
//
// What each type is:
//
//	Monitor        a procedure with all that it must know of a theory
//	PriorityQueue  says that a type is one, since theories do not
//	Decider        a judge for the self-check, such as another engine
//	Result         the answer, with the shortest prefix that is not linearizable
//	Reason         why not: a sentence, and the operations that are to blame
//	Linearization  an order in which the operations can have taken effect
//	Stream         follows an execution event by event
//	NotRecognized  error: no procedure for the theory
//	OutsideClass   error: the procedure does not decide this execution
//	BadOperation   error: the theory does not know an operation
//
// # Selection
//
// The patterns of each type that is known are written with roles instead of
// kinds of operations: A puts a value in, R takes it out, E finds the object
// empty, P finds a value in, N finds it out. "A1 A2 R2 R1" is a pattern of
// queues. A theory is of a shape if, for some assignment of roles to its kinds,
// its patterns are exactly those of the shape. A shape says which roles may be
// missing (not every queue tells that it is empty) and which may be played by
// several kinds (a set finds values in by contains, and by an insert that fails).
// One pattern more, fewer or different, and the theory is of another shape or
// none.
//
// A theory of none of these shapes may still be a container: any number of kinds
// that add, that remove and that find nothing, where the patterns say what all
// containers have in common, and how two values may be in at the same time. That
// is read off as a table, by kinds: may v enclose w, come first and leave last;
// may v overtake it, come first and leave first? If the table is the same for
// all kinds it is that of a bag, queue, stack or lock, and their procedures
// decide. For the others, such as a stack of which the oldest value can be
// stolen, values are taken away that can be put back into every linearization
// of the rest; what is left is a violation if two of its values exclude each
// other, and OutsideClass if not.
//
// Patterns do not say which operations match. That is read off the matching
// formulas, and then compared: the theory's definition is evaluated on all
// sequential executions up to a length, and a Decider asked about concurrent
// ones. Any difference to the procedure, and the theory is of no shape. So that
// short executions are enough to look at, language, matching and axioms must
// speak of labels only, of at most two operations at a time, and of no special
// values.
//
// A theory with axioms instead of patterns is turned into clauses (package
// internal/engine/clauses), and these are its patterns: they depend on what the axioms say and
// not on how. Patterns know no order of values. That a type is a PriorityQueue is
// said by the user, or by axioms: then the clauses are compared with those of one.
//
// # Notions
//
// Events are numbered from 1. The gap g is the time between event g and event
// g+1; an operation that is called at s and returns at e takes effect in one of
// the gaps s..e-1. A value that is added by [as, ae] and removed by [rs, re] is
// surely in during the gaps ae..rs-1: its core, which may be empty. A value that
// is never removed has rs and re after all events. That is the one notion of all
// procedures: for registers, locks and sets, which have operations that see a
// value, a core goes from the first return to the last call of all operations of
// the value.
//
// Every procedure that finds an execution linearizable makes a linearization of
// it, in about the same time.
//
// Every procedure decides prefixes, too, where what returns later is pending and
// what it will answer unknown. Linearizability is closed under prefixes, so the
// shortest violating one is found by search.
//
//	            decides       linearizes   follows
//	queue       O(n)          O(n)         yes
//	  with peeks  O(n)        O(n log n)   by stretches
//	stack       O(n log n)    O(n log n)   by stretches
//	  with peeks  O(n²), up to a bound     by stretches
//	bag         O(n)          O(n)         yes
//	priority    O(n)          O(n)         by stretches (with peeks, too)
//	container   O(n²), up to a bound
//	set         O(n)          O(n)         yes
//	register    O(n)          O(n)         yes
//	lock        O(n)          O(n)         yes
//
// Pending removes may take any value that nobody took. For queues and bags there
// is a rule which take which. For stacks, priority queues, containers and locks the
// choices that matter are searched: only values that must have been taken are
// given away, only to calls that are in time for them by themselves, one of those
// between which nothing returned, and not at all if these are too few. What is
// left to search are the ways in which values that must be taken stand in each
// other's way, exponentially many at worst in the number of pending removes, which
// are at most as many as processes ever stopped. After a bound (maxWork,
// maxTaking, maxTries) the answer is OutsideClass, never a verdict; so it is where
// values were peeked at and it depends on pending removes.
//
// Values must be added once. An execution in which one is added twice, or may
// have been by a pending operation and fails otherwise, is OutsideClass, never a
// verdict.
//
// # Measured
//
// Deciding operations of 8 processes that always overlap, on columns, in ms
// (BenchmarkDecide); cold is the first time in a process, which finds no memory
// ready:
//
//	operations       10,000   100,000   1,000,000   cold   10,000,000
//	queue              0.13       1.7          13     24          121
//	bag                0.09       1.3          12     28          118
//	set                0.08       1.7          20     27          206
//	register           0.09       1.5          15     27          153
//	lock               0.12       2.1          20     33          207
//	priority queue     0.27       2.2          31     39          574
//	stack              0.54       6.4          75     91          867
//
// The shortest violating prefix, two thirds into the execution, takes 0.9 (stack)
// to 2.4 (set) times what a check takes (BenchmarkShortest).
//
// With reading an execution into columns a check of a queue takes 72 ms, and a
// linearization 1.9 times as long, with 153 bytes an operation
// (BenchmarkLinearize). Porcupine 1.3.1 takes 0.05 ms for 20 such operations and
// 12 to 54 ms for 30 to 40, 30 and some thousand times as long as the check; at
// 50 it came to no end in 10 s (BenchmarkPorcupine).
//
// Followed by stretches, an operation takes 2 to 6 µs, that is 10 to 20 times what
// it takes off line (BenchmarkSegments). Random executions of stacks, locks and
// priority queues of up to 1,500 operations with 100 pending removes were all
// decided, mostly in a few ms; of containers 26 of 40 that were linearizable, all
// that were not.
//
// # Why it is right: operations that find nothing
//
// For queues, stacks and locks: an execution is linearizable if and only if it
// is without the operations that find nothing, and each of these has a gap in no
// core.
//
// If: by induction on their number. Let x have the gap t in no core, and let L
// be a linearization of the rest. Each value v can be put to the left or to the
// right of t. Since t is not in its core, rs <= t or ae > t. If rs <= t, then v
// goes left if as <= t; otherwise re > as > t and ae > t, and v goes right. If
// ae > t, then v goes right if re > t; otherwise as < re <= t and rs < t, and v
// goes left. So the operations on the left are called up to t, and those on the
// right return after t. Other operations that find nothing go left if they are
// called up to t, else right. Take what L has on the left, then x, then what L
// has on the right. This respects real time: an operation on the right returns
// after t, so none on the left, called up to t, comes after it; nor is x before
// one on the left or after one on the right. It is legal: the types stay legal if
// whole values are deleted, the left part ends with the object empty, since all
// of its values are removed in it, so x finds nothing, and the right part begins
// as L does, with nothing.
//
// Only if: when x takes effect, in the gap g, the object is empty; a value with g
// in its core was added up to event g, and its remove is not yet called.
//
// Without x the argument says: at a gap in no core an execution can be cut in
// two, which are decided apart.
//
// # Why it is right: queues
//
// That pairs of values are enough is the theorem of "Aspect-oriented
// linearizability proofs" (Henzinger, Sezgin, Vafeiadis). For pending removes
// let a1, a2 be two values that nobody took, ae1 < ae2, and c1 < c2 the calls of
// two pending removes. Let D(a) be the first return of a remove of a value whose
// add is called after ae; a must be taken by a call before D(a), and D grows
// with ae. If c2 takes a1 and c1 takes a2, exchange them: c1 < c2 < D(a1), and
// c2 < D(a1) <= D(a2). The cores [ae1,c1) and [ae2,c2) lie in [ae1,c2), so no
// more gaps are covered than were. A pending remove that takes nothing may be
// regarded as one that is called at the end, and to call one earlier only makes
// cores smaller. So if any assignment will do, the one in order does, with as
// many as there are.
//
// # Why it is right: stacks
//
// A value whose core is empty is pushed and popped side by side, at a gap that
// both operations share, whatever the others do. For the others, let C be a
// component: values whose cores are connected, with E the first ae and S the
// last rs. Then C is linearizable if and only if it has a value v with as < E and
// re > S, and C without v is linearizable.
//
// If: every return in C comes at E or later (a remove that is no constraint was
// dropped, the others return after an add does), every call at S or before. So v
// may be pushed before all others and popped after them.
//
// Only if: let w be pushed first in a linearization. If something is pushed
// after w is popped, the stack is empty between, in some gap g. Values before
// have their cores before g, since their removes were called, values after have
// them after g, since their adds did not return; C is not connected. So w is
// popped last, and all of C happens between: nothing returned before w's push
// was called, and nothing is called after its pop returned. Deleting w leaves a
// linearization. Whether v is w or another value that can be taken away, nothing
// is lost by taking it away, so the order does not matter.
//
// For pending removes, let C be stuck, that is have no such v, and contain values
// that nobody took, v the one with the first ae. Some pending remove must have
// taken v: if v stays, its core lasts to the end, and the cores of the others
// that nobody took, which begin later, lie in it, whatever takes them. So C stays
// connected, with the same E and S, and stuck. Likewise an operation that finds
// nothing and has no gap: if v, the value left with the first ae, does not begin
// before it returns, no value left covers it; otherwise v covers all gaps that
// any value left covers, and must be taken.
//
// # Why it is right: priority queues
//
// An execution is linearizable if and only if each value for itself is all
// right, each operation that finds nothing has a gap in no core, and each remove
// has one, not before the add is called, in no core of a higher value. By
// induction from the highest value down: the lowest value does not disturb the
// others, so the rest must be linearizable; for the rest its remove is an
// operation that finds nothing; and its add may come anywhere before. A peek is
// one more such operation, not after the remove.
//
// Where a value has no gap, some of the higher values that were left must have
// been taken, or it is a violation: v, the one with the first ae, if its core
// begins in time. If v stays, it covers whatever the others that are left cover.
//
// # Why it is right: containers
//
// The two orders of one value's add and remove inside a linearization L of the
// others, all as early or late as real time makes them, are compared with the
// table. A value v can be taken away, nothing being lost, if
//   - its add and remove overlap, and all others may enclose it: both take effect
//     at a gap that they share;
//   - it may enclose all others, is called before they return, and returns after
//     they are called: it comes first and leaves last;
//   - it may enclose and be overtaken by all others, and its remove has a gap in
//     no core of these: there L is cut in two, as for operations that find
//     nothing; the add may be anywhere before. Likewise the other way round;
//   - it can come first, and leaves before those that it may not enclose, or the
//     other way round: see inTurn.
//
// # Why it is right: peeks
//
// Those of priority queues see above. For queues and stacks (see fronts and
// peekPeeling) the criteria are not proved here. They were compared with a
// search of all linearizations on a million random executions, and with
// quadratic versions on longer ones.
//
// # Why it is right: sets
//
// Values are independent of each other. Let a be the first return of the add of
// a value and of what saw it in, r the last call of its remove and of what saw it
// in. That as < a, r < re and as < re is necessary. If a < r, let the add take
// effect in the gap a-1, the latest that there is, and the remove in r, the
// earliest: what saw the value in has a gap between, and what saw it out has one
// outside unless it lies between a and r. If r < a, all of them share a gap, from
// the larger of as and r to the smaller of a and re, and what saw the value out
// takes effect before the add or after the remove even in that gap. An earlier
// call of the add or remove only makes that easier, so of several pending ones
// the first counts.
//
// # Streams
//
// The one of queues and bags decides as online says. A value of a register or lock
// has a deadline as soon as another excludes that it is seen by what is called
// later; see onlineRegister.
//
// The others are decided by stretches: see segments. Let t be a gap in no core
// after n events, where a value that was not removed, or that a running peek may
// still see, has a core that lasts for ever. Then the values whose side is t or
// before it (see arrange) were removed for good, and what is linearizable so far
// stays so for them. So a longer prefix is linearizable if and only if what it
// has of the others is: if that is, a linearization of the values before t, then
// one of the others, is one of all, as said of operations that find nothing.
//
// # Registers and locks
//
// For registers the criterion is that of "Testing shared memories" (Gibbons and
// Korach) for values written once. Locks are registers whose values end; the
// criterion for them is not proved here. Like the others it was compared with a
// search of all linearizations on a million random executions, whole and cut off
// anywhere.
package monitor
