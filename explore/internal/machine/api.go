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
	Begin      bool // to come to where one waits is a step, though others do not see it
	Held       bool // threads know which mutexes they hold
	Published  bool // what several threads have reached counts as shared for ever, as in views
	// MostSteps bounds the instructions of one step, 0 for 2^26, and MostFrames its calls within calls, 0
	// for a thousandth of them, 65,536 at least: more are not explored.
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
	// Dynamics are the types of what interfaces in the values hold: 7 is an int, or a string.
	Dynamics string
	Texts    uint64 // a bit for each result that is an interface with a string, which may say nil
	Panic    string // of an operation that panics
	Pos      int32  // where it panicked
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
	Library       string // the package there
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

// Inner yields the steps of the threads that run, and neither calls nor races.
func (m *Machine) Inner(form []byte, yield func(*Step) error) error {
	m.look(form)
	for t := range m.base.threads {
		if m.base.threads[t].running() {
			if err := m.explore(t, -1, yield); err != nil {
				return err
			}
		}
	}
	return nil
}

// Calls yields the first steps of each call, which the first idle thread makes, if there is one.
func (m *Machine) Calls(form []byte, yield func(*Step) error) error {
	m.look(form)
	for t := range m.base.threads[:m.shared.bounds.Threads] {
		if m.base.threads[t].running() {
			continue
		}
		for c := range m.shared.bounds.Calls {
			if err := m.explore(t, int32(c), yield); err != nil {
				return err
			}
		}
		break
	}
	return nil
}

// Work is how many instructions all steps had so far.
func (m *Machine) Work() int { return m.work }

// look makes a state the one to expand; its threads are named by their places, for Origins.
func (m *Machine) look(form []byte) {
	m.decode(&m.base, form)
	m.expanded, m.accesses, m.ghost.guessed = m.expanded[:0], m.accesses[:0], false
	for t := range m.base.threads {
		m.base.threads[t].id = int32(t)
	}
}

// Origins are the places that the threads of the step's Next had before it, -1 for those that it started;
// within a yield of Inner or Calls.
func (m *Machine) Origins() (places []int16) {
	for _, t := range m.canon.order {
		places = append(places, int16(m.state.threads[t].id))
	}
	return places
}

// Look is where a thread of a state is; see Where.
func (m *Machine) Look(form []byte, thread int, mine func(ir.Position) bool) Where {
	m.look(form)
	return m.Where(thread, mine)
}

// Without is a state in which a thread has not called the operation that it runs, apart from what
// others see of that already; it may be no state that there can be. A writer that waits at a read-write mutex
// announces itself there, which goes, too.
func (m *Machine) Without(form []byte, thread int) []byte {
	m.look(form)
	m.state.copyFrom(&m.base, len(m.shared.frozenWords))
	th := &m.state.threads[thread]
	f := &th.frames[len(th.frames)-1]
	if in := &m.prog.Funcs[f.fn].Code[f.pc]; in.Op == ir.WLock {
		p := m.val(th.regs[f.base:], in.A)
		if o, _ := m.find(p); m.at(o, p, 2)[1] > 0 {
			m.at(o, p, 2)[1]--
		}
	}
	th.reset()
	form, _ = m.encode(nil)
	return form
}

// Collects is the thread of a Move that is none: it drops the goroutines that Collect does.
const Collects = 1 << 12

// Collect is a state in which nobody has a step, without the goroutines that wait for what nobody reaches who may
// go on: they never do, and nobody notices. They are leaked. Stranded are operations that wait so.
func (m *Machine) Collect(form []byte) (next []byte, leaked, stranded []int) {
	m.look(form)
	m.state.copyFrom(&m.base, len(m.shared.frozenWords))
	leaked, stranded = m.collect()
	if len(leaked) > 0 {
		next, _ = m.encode(nil)
	}
	return next, leaked, stranded
}

// collect does it in the machine's state.
func (m *Machine) collect() (leaked, stranded []int) {
	reached := make([]bool, len(m.state.objs))
	var visit func(p ir.Word)
	visit = func(p ir.Word) {
		if i := m.dynamic(p); i >= 0 && !reached[i] {
			reached[i] = true
			m.pointers(&m.state.objs[i], visit)
		}
	}
	for i := range m.shared.permanent {
		visit(ir.Pointer(int(m.shared.permanent[i]), 0))
	}
	alive := make([]bool, len(m.state.threads))
	for again := true; again; {
		again = false
		for t := range m.state.threads {
			th := &m.state.threads[t]
			if alive[t] || th.running() && !m.hears(th, reached) {
				continue
			}
			alive[t], again = true, true
			m.roots(th, visit)
		}
	}
	for t := range m.state.threads {
		switch th := &m.state.threads[t]; {
		case alive[t]:
		case t < m.shared.bounds.Threads:
			stranded = append(stranded, t)
		default:
			leaked = append(leaked, t)
			if m.tracer != nil {
				m.tracer.leaks(th)
			}
			th.reset()
		}
	}
	m.dropEnded()
	return leaked, stranded
}

// hears reports whether a thread that waits does so for an object of those that are reached.
func (m *Machine) hears(th *thread, reached []bool) bool {
	f := &th.frames[len(th.frames)-1]
	in, regs := &m.prog.Funcs[f.fn].Code[f.pc], th.regs[f.base:]
	at := func(p ir.Word) bool {
		i := m.dynamic(p)
		return p != 0 && (i < 0 || reached[i])
	}
	switch in.Op {
	case ir.Select:
		for c := range int32(len(in.Args) / 3) {
			if at(m.caseOf(in, regs, c).ch) {
				return true
			}
		}
		return false
	case ir.Send, ir.Recv, ir.Lock, ir.RLock, ir.WLock, ir.WGWait:
		return at(m.val(regs, in.A))
	case ir.CondWait:
		return at(th.wait)
	}
	return true
}
