// Package reference holds reference implementations of data types: plain,
// obviously correct Go code that inference asks for its answers.
//
// A reference is found by reflection. The exported methods of a type are the
// operations of the data type; a constructor makes a new object for every
// sequence of calls:
//
//	impl, err := reference.Of(queue.New)                // in this process
//	pkg, err := reference.Load(ctx, "./queue", opts)    // builds it, runs a child
//
// A constructor gets a context where it takes one, and no options. One with other
// parameters needs Options.New, a Go expression of the package: New(4), &Ring{N: 4}.
// A type without any constructor is used by its zero value, unless exported functions with
// other names, all of which need arguments, return it.
//
// Reading signatures: a result says which outcome class (history.Outcome) the
// call belongs to, and which values come with it.
//
//	results          outcomes
//	none             none
//	T                value
//	T1, T2           value, with two values
//	*T, any          value, nil
//	bool             true, false
//	T, bool          value, nil
//	error            none, error
//	T, error         value, error
//	bool, error      true, false, error
//	T, bool, error   value, nil, error
//
// A method that panics has outcome panic, without a value, and the object goes on;
// a note tells the first panic that is a runtime error, for that mostly is a mistake
// of the reference.
//
// A call that waits for another one, at a channel, a lock or a condition variable,
// is blocked, and its sequence ends there. In a child process that is found out: no
// goroutine of the package runs, sleeps or talks to the system, and the package uses
// no timers. Elsewhere a call says so (Blocked), or is a fault when its time is over.
//
// Parameters and results T are of any type but functions and channels. Structs,
// slices, maps, []byte, times, numbers with fractions and interfaces with methods
// are values as a whole, and pointers the same value while they are the same
// pointer. A single []byte that is nil is outcome nil. A context.Context as the
// first parameter is supplied; it ends when it is known that a call waits for ever,
// and what the call answers then is ignored. A variadic method gets one value. What cannot be an operation is left out, with a note: methods that take
// a function, a channel or another object of the type; String, and what an
// embedded mutex brings. A method that hands out pointers which another one takes
// has to answer with an id instead.
//
// A value with parts is written [1 2], {alice 3}, map[a:1 b:2] or &{alice 3}, with
// strings in quotes where they need them; logs may have it in JSON, too. Any other
// text in a log is a name, for which values stand that the answers may not depend on.
//
// Values are abstract: number k stands for the k-th value. What a reference is
// really given is far from the values that it makes up (0, 1, lengths) and in
// the order of the numbers; it is read back as the number. Small types (bool,
// int8) have few values: Method.ArgDomain. Every sequence is run twice, on two
// new objects that must answer alike. Answers may still depend on how values
// compare: a priority queue's do.
//
// A package says more with a Spec, which it offers as an exported variable or
// function: formulas, functions in place of methods, calls that would block
// (Blocked), or an acceptor for a data type whose answers are not determined.
//
//	Implementation   what can be asked: its methods, and answers to sequences of calls
//	Acceptor         an Implementation that judges answers instead of giving them
//	Spec             a data type described by its package
//	Info             the Spec without its functions, as Load hands it on
//	Package          what Load found and built: an Implementation with its origin
//	LoadError        a package that cannot be used: bad path, compile error, several types
//	Fault            a reference that hangs, exits or contradicts itself
//
// Load writes nothing into the user's tree and needs no entry in its go.mod: the
// program that drives the package exists only in an overlay of the go command,
// is built on the standard library alone, and runs in a process of its own.
package reference
