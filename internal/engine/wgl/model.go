package wgl

import (
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
)

// Model is an executable specification, State a state of it.
type (
	Model = semantics.Model
	State = semantics.State
)

// An operation that returned, and of which nobody knows what, is one with a return and the outcome
// history.Pending. It takes effect before its return, and the Model is a Brancher that lists the states after
// each answer that it may have, its own state among them if an answer changes nothing.

// Brancher is a Model in which a pending call may lead to more than one state.
type Brancher interface {
	Model

	// Branches lists the states after a pending call, one for each way in
	// which it may take effect. It is used instead of Step for pending calls.
	Branches(s State, l *history.Label) []State
}

// Reader is a Model that knows operations which change nothing: wherever Step
// allows the label it returns the state it was given. They take effect as soon
// as they can, and the search never goes back on that. Of a model that is none the
// search finds out what changes nothing.
type Reader interface {
	Model
	ReadOnly(l *history.Label) bool
}

// Seeing is a Model that does not look at all values of an operation. Operations of which it sees the same are
// alike to the search.
type Seeing interface {
	Model

	// Seen says what the Model sees of a label; nil: all of it.
	Seen() func(l history.Label) history.Label
}

// Keyed is a Model that is a product of independent objects: an execution is
// linearizable if and only if for each key the operations with that key are
// ("Faster linearizability checking via P-compositionality" §3).
type Keyed interface {
	Model

	// Key says to which object an operation belongs. It depends on method and
	// arguments alone, since pending calls have no more.
	Key(l *history.Label) history.Value
}

// Divided is a Keyed model whose objects are all searched by one model of their own,
// which knows their operations without the key.
type Divided interface {
	Keyed
	Part() Model
	Project(l history.Label) history.Label
}

// Ahead is a Model whose steps take long, since they are made elsewhere. It is
// told which operations are likely to be stepped soon, in the state or in one
// after it, so that it can make these steps on the same way. It is only asked for
// steps that are not known.
type Ahead interface {
	Model
	StepAhead(s State, l *history.Label, ahead func() []Soon) (next State, ok bool)
}

// Soon is an operation that is likely to be stepped soon, each once on a way.
type Soon struct {
	Label *history.Label // nil: it cannot be stepped ahead
	After uint64         // a bit for each of the others that must take effect before
	Idle  bool           // it is likely to change nothing
}

// soonMost bounds what a model is told of operations to come: future of them are
// running or not called yet, the others do not return.
const (
	soonMost   = 61
	soonFuture = 56
)

// Failing is a Model that may fail for good: a process that it needs ends, or it
// runs out of memory. From then on Err is not nil and Step allows nothing. A
// search then ends with the error, never with a verdict.
type Failing interface {
	Model
	Err() error
}

// Refusing is a Model that knows only some values of arguments and answers: Refuses says in
// words what is wrong with a label whose method and number of arguments it knows.
type Refusing interface {
	Model
	Refuses(l *history.Label) error
}

// Sized is a State that knows how many bytes of memory it takes; others count as
// takenByState.
type Sized interface {
	State
	Size() int
}

const takenByState = 64

// Funcs is a Model made of functions. They have the shapes of the fields of a
// porcupine.Model, so that one can be taken over field by field:
//
//	m := wgl.Funcs{Initial: pm.Init, Steps: pm.Step, Equals: pm.Equal, Hashes: pm.Hash, Input: ..., Output: ...}
type Funcs struct {
	Initial func() any
	Steps   func(state, input, output any) (ok bool, next any)

	// Equals compares states; nil means ==.
	Equals func(a, b any) bool

	// Hashes must agree with Equals; nil is a hash that is the same for all
	// states, which is slow where there are many.
	Hashes func(state any) uint64

	// Input and Output make what Steps is given out of a label; nil passes the
	// *history.Label itself. The label of a pending call has the outcome
	// history.Pending; its output must stand for any answer.
	Input, Output func(l *history.Label) any
}

// Init is the state that Initial makes.
func (f *Funcs) Init() State { return &funcsState{f, f.Initial()} }

// Step asks Steps.
func (f *Funcs) Step(s State, l *history.Label) (State, bool) {
	var in, out any = l, l
	if f.Input != nil {
		in = f.Input(l)
	}
	if f.Output != nil {
		out = f.Output(l)
	}
	ok, next := f.Steps(s.(*funcsState).state, in, out)
	if !ok {
		return nil, false
	}
	return &funcsState{f, next}, true
}

type funcsState struct {
	f     *Funcs
	state any
}

func (s *funcsState) Equal(t State) bool {
	if s.f.Equals == nil {
		return s.state == t.(*funcsState).state
	}
	return s.f.Equals(s.state, t.(*funcsState).state)
}

func (s *funcsState) Hash() uint64 {
	if s.f.Hashes == nil {
		return 0
	}
	return s.f.Hashes(s.state)
}
