package automata

import "github.com/adtinfer/adtinfer/history"

// Automaton is a deterministic machine that answers calls. In each state exactly one
// transition of a method has a guard that holds of the arguments, whatever they are.
type Automaton struct {
	Methods   []history.MethodSig
	Counters  []Counter
	Locations []Location      // it starts in the first
	Initial   []history.Value // what the registers of the first location hold then
}

// Location is where an automaton can be.
type Location struct {
	Name        string
	Registers   []string // names of what it holds, once each
	Transitions []Transition
}

// Transition is what a call of a method does in a location, where all conditions of
// its guard hold of registers, counters and arguments before the call.
type Transition struct {
	Method  string
	Guard   []Condition
	Outcome history.Outcome
	Rets    []Term
	Blocks  bool   // the call waits: it does not take effect here. Outcome, Rets, To and Load mean nothing
	To      int    // location
	Load    []Term // what the registers of To hold then
}

// Op compares two terms.
type Op int

// The comparisons. Equal and Differs compare texts of values, Less and AtLeast
// integers.
const (
	Equal Op = iota
	Differs
	Less
	AtLeast
)

// Condition is a part of a guard: Left is equal to Right, say.
type Condition struct {
	Left  Term
	Op    Op
	Right Term
}

// TermKind says what a Term is.
type TermKind int

// The kinds of terms.
const (
	Register TermKind = iota // what register Index of the location holds
	Argument                 // argument Index of the call
	Constant                 // Value
	Total                    // the integer that Sum is
	Answer                   // value Index of the answer; only in Load
	Fresh                    // a value that is none of the registers, arguments and constants of the automaton; only in Rets
	Any                      // any value, which other parts of a theory say more of; only in Rets
)

// Term is a value.
type Term struct {
	Kind  TermKind
	Index int
	Value history.Value
	Sum   Sum
}

// Sum adds up a constant, counters before the call, and arguments that are
// integers.
type Sum struct {
	Constant int64
	Terms    []Summand
}

// Summand is Times a counter, or Times an argument of the call. Of a Keyed counter
// it is the number of the value of argument Key.
type Summand struct {
	Times   int64
	Counter int // index, or -1: Arg
	Key     int
	Arg     int
}

// Counter is a number that follows from the operations that took effect: Start, and
// what each of them adds; or the greatest of these. If it is Keyed there is a number for
// each value. Numbers wrap around as Go's do; who checks logs refuses those in which they may.
type Counter struct {
	Name     string
	Keyed    bool
	Greatest bool // not the sum
	Start    int64
	Adds     []Add
	Reset    []history.Kind // operations after which it is Start again; not of a Keyed counter
}

// after is the counter's number after an operation that adds n to it.
func (c *Counter) after(number, n int64) int64 {
	if c.Greatest {
		return max(number, n)
	}
	return number + n
}

// Add is what operations of a kind add to a counter: Times, or Times the integer
// that argument Arg is if Arg is not negative. Of a Keyed counter, they add to the
// number of the value of argument Key. If Where is not 0, only operations add to it whose
// argument Where, counted from 1, is Is.
type Add struct {
	Kind  history.Kind
	Times int64
	Arg   int
	Key   int
	Where int
	Is    history.Value
}
