// Package monitor decides the executions of common data types in near-linear
// time. Which procedure decides is not said by a person: it is read off the
// violation patterns of a theory, whatever the theory calls its methods.
//
//	p, err := monitor.Select(ctx, t, judge)
//	fmt.Println(p.Why())          // "the patterns of theory inbox are those of a queue: ..."
//	r, err := p.Check(ctx, e)
//	fmt.Println(r.Prefix, r.Reason.Sentence)
//	l, err := p.Linearize(ctx, e) // l.Order, if there is one
//
// What each type is:
//
//	Procedure      what was selected, with all that it must know of a theory
//	PriorityQueue  says that a type is one, since theories do not
//	Judge          decides small executions for the self-check, such as another engine
//	Result         the answer, with the shortest prefix that is not linearizable
//	Reason         why not: a sentence, and the operations that are to blame
//	Linearization  an order in which the operations can have taken effect
//	Stream         follows an execution event by event
//	NotRecognized  error: no procedure for the theory
//	OutsideClass   error: the procedure does not decide this execution
//	BadOperation   error: the theory does not know an operation
//
// The rooms below:
//
//	lives   when values can have come and gone
//	batch   the procedures, which decide whole executions and their prefixes
//	follow  the same event by event
//
// # Selection
//
// Select finds the procedure for a theory by the patterns of known shapes (shape.go,
// patterns.go), by a table (table.go), or by the axioms of priority queues
// (priority_queue.go), semaphores (permits.go) and exchangers (exchanger.go). It reads off
// where operations have their values (values.go), and holds the procedure against the
// theory's definition on small executions (selfcheck.go).
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
// may v be overtaken by it, come first and leave first? If the table is the same for
// all kinds it is that of a bag, queue, stack or lock, and their procedures
// decide. For the others, such as a deque, values are taken away that can be put
// back into every linearization of the rest; what is left is a violation if two of
// its values exclude each other, and OutsideClass if not.
//
// Patterns do not say which operations match. That is read off the matching
// formulas, and then compared: the theory's definition is evaluated on all
// sequential executions up to a length, and a Judge asked about concurrent
// ones. Any difference to the procedure, and the theory is of no shape. So that
// short executions are enough to look at, language, matching and axioms must
// speak of labels only, of at most two operations at a time, and of no special
// values.
//
// A theory with axioms instead of patterns is turned into clauses (package
// internal/engine/clauses), and these are its patterns: they depend on what the
// axioms say and not on how. Patterns know no order of values. That a type is a
// PriorityQueue is said by the user, or by axioms: then the clauses are compared
// with those of one. Axioms of a set are compared with what happens to one value, and
// those of a semaphore with what happens to a few more tickets than there are permits,
// which is exact, whatever words they use.
//
// # What is decided
//
// Every procedure decides prefixes, too, where what returns later is pending and
// what it will answer unknown, and all but the exchanger's make a linearization of every execution that
// they find linearizable. Why they are right: docs/proofs/near-linear.md and the pages
// that it names.
//
//	            decides       linearizes   follows
//	queue       O(n)          O(n)         yes, with peeks by stretches
//	stack       O(n log n)    O(n log n)   by stretches
//	  with peeks  O(n²), up to a bound     by stretches
//	bag         O(n)          O(n)         yes
//	priority    O(n)          O(n)         by stretches (with peeks, too)
//	container   O(n²), up to a bound
//	set         O(n)          O(n)         yes
//	register    O(n)          O(n)         yes
//	lock        O(n)          O(n)         yes
//	semaphore   O(n)          O(n)         yes
//	exchanger   O(n)
//
// Pending removes may take any value that nobody took. Where there is no rule
// which take which, the choices that matter are searched, exponentially many at
// worst in the number of pending removes, which are at most as many as processes
// ever stopped. After a bound the answer is OutsideClass, never a verdict; so it is
// where values were peeked at and it depends on pending removes, and where a value
// is added twice, or may have been.
package monitor
