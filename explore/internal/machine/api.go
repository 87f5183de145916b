package machine

import (
	"errors"
	"fmt"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// Call is an operation with its arguments.
type Call struct {
	Op   int       // in Program.Ops
	Args []ir.Word // all arguments' words, one after the other
	// Fresh, if it is not 0, says that the call is made only if this many fresh calls,
	// of whatever operation, have been made with it: 1 for the first one.
	Fresh int
}

// Bounds is how much is explored.
type Bounds struct {
	Threads int
	Ops     int    // operations of each thread; -1: any number
	Calls   []Call // what a thread may call
	// Plans restricts thread i to calls Plans[i], in this order; nil: any Ops calls.
	Plans [][]int32
}

// Options are ways to explore that change no verdict.
type Options struct {
	NoFusion   bool // every call, access to memory and return is a step, whether others see it or not; a panic ends an operation in the step of its last access
	NoSymmetry bool // threads keep their names
	Held       bool // threads know which mutexes they hold
	Published  bool // what several threads have reached counts as shared for ever, as in views
	// MostSteps bounds the instructions of one step, 0 for 2^26, and MostFrames its calls within calls, 0
	// for 65,536: more are not explored.
	MostSteps, MostFrames int
}

// Step is what a thread did. It is valid until the next one.
type Step struct {
	Thread  int
	Call    int32   // in Bounds.Calls, which this step began; -1 if none
	Answer  int32   // Shared.Result of the operation that this step ended; -1 if none
	Choices []int32 // what was chosen, in order
	Next    []byte  // the state after it; empty with a Fault
	// Perm[i] is the thread, before the step, that is thread i of Next.
	Perm  []uint8
	Fault *Fault
	// Announced lists, in order, what the policy's directives announced.
	Announced []Announced
	// Open says that an operation has a guess that is yet to turn out: the step may follow from
	// a wrong one.
	Open bool
}

// Announced is an operation that a directive announced.
type Announced struct {
	Thread int   // whose operation it is, before the step
	Answer int32 // Shared.Result of what it answers
	Pos    int32 // the directive's
}

// Fault is what must not happen.
type Fault struct {
	Kind FaultKind
	Text string // in words, without the place
	Pos  int32  // in Program.Positions
	Also int32  // Race: the other access
	Past bool   // Race: the first access was made before, and nothing orders the other one after it
	// Limit says that NotCovered is a limit that can be raised.
	Limit bool
	// Threads is who is concerned.
	Threads []int
}

// FaultKind tells faults apart.
type FaultKind uint8

// The faults. An operation that panics is none: see Result.
const (
	Race       FaultKind = iota // two accesses without synchronization
	Misuse                      // an unlock of what is not locked, use after Put, a negative count
	Crash                       // a panic of a goroutine that the code started, a fatal error
	Endless                     // one step does not end: a loop or a recursion
	NotCovered                  // something that cannot be explored was reached
	Unsound                     // a directive announces what nobody called, or an invariant does not hold
)

// Result is what an operation answered: each result as a text, or the panic.
type Result struct {
	Op     int
	Values []string
	Panic  string // of an operation that panics
	Pos    int32  // where it panicked
}

// ErrAgain says that a word was written that seemed never to be: what was explored
// so far does not count.
var ErrAgain = errors.New("explored on a wrong assumption")

func (k FaultKind) String() string {
	return [...]string{"data race", "misuse", "crash", "endless", "not covered", "policy"}[k]
}

// Error is the fault in words.
func (f *Fault) Error() string { return fmt.Sprintf("%s: %s", f.Kind, f.Text) }

// Status is what is left to do in a state.
type Status struct {
	Left []int // operations that each thread has yet to call
	// Next lists for each thread the calls with which it may begin its next operation; none
	// if it runs one.
	Next    [][]int32
	Running []int // threads within an operation
	// Others counts goroutines that operations started and that have not ended.
	Others int
	// Guessed says that there were steps but for wrong guesses.
	Guessed bool
}

// Move names a step: the thread by its place in the state before it, the call that it
// begins or -1, and the choices.
type Move struct {
	Thread  int
	Call    int32
	Choices []int32
}

// Event is what a thread did, for readers. Machine.Trace lists the events of moves
// from the start; threads and objects keep their names there.
type Event struct {
	Thread int // from 0; goroutines that operations start follow
	Kind   EventKind
	Pos    int32
	Func   string // the function that did it
	// Object and Field name the word: "node2", "next". Objects are named by their type and
	// a number in the order in which they come to be.
	Object, Field string
	Before, After string // what it held; After is also what was read
	Call          int32  // CallEvent: in Bounds.Calls
	Answer        int32  // ReturnEvent: Shared.Result
	Text          string // the operation in words, e.g. "compare and swap, fails"
	Step          int    // the number of the move it belongs to
	By            int    // AnnounceEvent: who announces
	Within        bool   // it happens in the standard library, which is called at Pos
	Hidden        bool   // a synchronization operation that no others can see: no line for readers
}

// EventKind tells events apart.
type EventKind uint8

// The events.
const (
	CallEvent EventKind = iota
	ReturnEvent
	ReadEvent
	WriteEvent
	SyncEvent
	StartEvent // a goroutine begins
	EndEvent   // a goroutine ends
	FaultEvent
	AnnounceEvent // of Thread's operation, with Answer, by goroutine By
)
