// Package automata holds register automata: machines with finitely many locations,
// registers that hold values, and counters of what happened. They describe data
// types whose values are only compared with one another, for executions of all
// lengths ("Learning register automata", Cassel et al.; nominal Mealy machines,
// Moerman et al., POPL 2017).
//
// A lock that whoever holds it can release:
//
//	-> (free)   tryLock => true   (held)
//	            unlock  => panic  (free)
//	   (held)   tryLock => false  (held)
//	            unlock            (free)
//
// Parse reads that, and String writes it. As a machine:
//
//	a, err := automata.Parse(text, methods) // "3:12: location held has no transition for unlock"
//	s := a.Start()
//	next, ok := a.Step(s, &label)     // ok: the automaton answers so
//	answer, ok := a.Answer(s, &call)  // ok: the call does not wait
//	m := a.Machine()                  // for many steps, as the engines make them
//
//	Automaton    locations, the first of which it starts in, and counters
//	Location     where an automaton can be, with the registers it holds there
//	Transition   what a call does and answers, where its guard holds
//	Condition    a part of a guard: two terms compared
//	Term         a value: of a register, an argument, a constant, a sum
//	Sum          counters and arguments, added up
//	Counter      a number that follows from the operations so far
//	State        location, and what registers and counters hold
//	Table        an automaton as names and texts, for programs that show it
package automata
