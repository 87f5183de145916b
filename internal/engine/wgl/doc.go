// Package wgl decides linearizability by search: Wing and Gong's algorithm with
// Lowe's cache of configurations ("Faster linearizability checking via
// P-compositionality" §4), over an executable specification.
//
//	m, _ := wgl.Builtin("queue")
//	r, err := wgl.Check(ctx, m, execution, wgl.Options{})
//	fmt.Println(r.Linearizable, r.Prefix)   // "false 18"
//
// What each type is for:
//
//	Model     the specification: persistent states and a step; yours or a Builtin
//	State     a state of a Model: equality and hash
//	Brancher  a Model in which a pending call may complete in several ways
//	Reader    a Model that says which operations change nothing
//	Keyed     a Model that is a product of independent objects, one a key
//	Divided   a Keyed Model whose objects have a Model of their own
//	Renamed   a Model that goes by other names of its methods
//	Ahead     a Model that is told which operations are likely to be stepped soon
//	Failing   a Model that may fail for good
//	Refusing  a Model that knows only some values of arguments and answers
//	Bounded   a Model whose numbers have 64 bits
//	Sized     a State that knows how much memory it takes
//	Funcs     a Model made of functions of the shape that Porcupine's models have
//	System    what is searched: a Model with numbered states, or one of which operations may be left out
//	Reference a reference whose states can be kept; its OfReference is the Model for one log, and closed after it
//	Answerer  a Model that says what a pending call may answer: Plain makes one of any, Complete uses it
//	Options   bounds of cache and memory, partition by key
//	Result    the answer: a linearization, or the shortest prefix without one
//
// What a theory describes, automata and products of them, are Models as they are: see package configurations.
//
// # Configurations
//
// A configuration is the set of operations that took effect and the state they
// led to. Let b be the operation that returns first among those that did not
// take effect. Everything that returned before b did take effect, and any other
// operation that did was running when b returned: had it been called later, b
// would have had to take effect first. So the set is the rank of b among the
// returns and a few bits, one for each operation running at that moment. A
// configuration takes a dozen bytes however long the execution is, where a set
// of operations takes a bit for each of them; equality and hash depend on the
// number of operations that run at a time, not on the length.
package wgl
