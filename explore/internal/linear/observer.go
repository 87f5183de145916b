package linear

import (
	"encoding/binary"
	"encoding/gob"
	"errors"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
)

// Observer is a data type as a deterministic automaton over calls with their answers. Its states are
// numbers from 0.
type Observer interface {
	Start() int32
	// Step is the state after an operation; ok is false if it may not come in the state.
	Step(state, call, answer int32) (next int32, ok bool, err error)
	// Waits reports whether a call may wait in a state.
	Waits(state, call int32) (bool, error)
	// Text is a state for readers.
	Text(state int32) string
}

// Keeper is an Observer whose numbers of states can be kept.
type Keeper interface {
	Observer
	Save(e *gob.Encoder) error
	Load(d *gob.Decoder) error
}

// Specification is the observer that a spec.Spec is: its states are sets of the specification's,
// those in which it may be after some operations with their answers.
type Specification struct {
	spec    spec.Spec
	learner spec.Learner // spec, if it is
	steps   map[observed]int32
	numbers map[string]int32
	states  [][]int32
	next    []int32
	key     []byte

	// See Merging.
	calls int32
	most  int
}

type observed struct{ state, call, answer int32 }

// never is the step that does not exist.
const never int32 = -1

// OfSpec is the observer of a specification. A Learner learns what is announced: then the error is
// machine.ErrAgain.
func OfSpec(s spec.Spec) *Specification {
	o := &Specification{spec: s, steps: map[observed]int32{}, numbers: map[string]int32{}}
	o.learner, _ = s.(spec.Learner)
	return o
}

// Start is the set of the specification's start.
func (o *Specification) Start() int32 { return o.number([]int32{o.spec.Start()}) }

func (o *Specification) number(states []int32) int32 {
	o.key = o.key[:0]
	for _, s := range states {
		o.key = binary.AppendVarint(o.key, int64(s))
	}
	n, known := o.numbers[string(o.key)]
	if !known {
		n = int32(len(o.states))
		o.numbers[string(o.key)] = n
		o.states = append(o.states, slices.Clone(states))
	}
	return n
}

// Step is what the states of a set become.
func (o *Specification) Step(state, call, answer int32) (int32, bool, error) {
	op := observed{state, call, answer}
	next, known := o.steps[op]
	if !known {
		var err error
		if next, err = o.step(op); err == nil {
			next, err = o.merged(state, next)
		}
		if err != nil {
			if errors.Is(err, machine.ErrAgain) {
				clear(o.steps)
			}
			return 0, false, err
		}
		o.steps[op] = next
	}
	return next, next != never, nil
}

func (o *Specification) step(op observed) (int32, error) {
	if o.learner != nil && o.learner.Learn(op.answer) {
		return never, machine.ErrAgain
	}
	return o.after(op)
}

// after is the set after an operation.
func (o *Specification) after(op observed) (int32, error) {
	o.next = o.next[:0]
	for _, s := range o.states[op.state] {
		moves, err := o.spec.Moves(s, op.call)
		if err != nil {
			return never, err
		}
		for _, m := range moves {
			if m.Answer == op.answer {
				o.next = append(o.next, m.Next)
			}
		}
	}
	if len(o.next) == 0 {
		return never, nil
	}
	slices.Sort(o.next)
	return o.number(slices.Compact(o.next)), nil
}

// Waits reports whether a call may wait in a state of the set.
func (o *Specification) Waits(state, call int32) (bool, error) {
	for _, s := range o.states[state] {
		if waits, err := spec.Waits(o.spec, s, call); err != nil || waits {
			return waits, err
		}
	}
	return false, nil
}

// Answers lists what a call may answer in a state.
func (o *Specification) Answers(state, call int32) (answers []int32, err error) {
	for _, s := range o.states[state] {
		moves, err := o.spec.Moves(s, call)
		if err != nil {
			return nil, err
		}
		for _, m := range moves {
			answers = append(answers, m.Answer)
		}
	}
	slices.Sort(answers)
	return slices.Compact(answers), nil
}

// Text lists the states of a set.
func (o *Specification) Text(state int32) string {
	var all []string
	for _, s := range o.states[state] {
		all = append(all, o.spec.Text(s))
	}
	return strings.Join(all, " or ")
}

// Bytes is how much memory it takes, about.
func (o *Specification) Bytes() int64 { return int64(64*len(o.states) + 48*len(o.steps)) }

// Save writes the sets in the order of their numbers.
func (o *Specification) Save(e *gob.Encoder) error { return e.Encode(o.states) }

// Load gives the sets the numbers that they had. The specification has its own already.
func (o *Specification) Load(d *gob.Decoder) error {
	var all [][]int32
	if err := d.Decode(&all); err != nil {
		return err
	}
	clear(o.numbers)
	clear(o.steps)
	o.states = nil
	for i, states := range all {
		if o.number(states) != int32(i) {
			return errOther
		}
	}
	return nil
}
