package wgl

import (
	"encoding/binary"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// labeling numbers the different labels of an execution, so that steps of a
// model can be remembered by label. It is shared by the parts of an execution.
type labeling struct {
	of       []int32 // by operation; none if it is pending
	labels   []*history.Label
	readOnly []bool           // by label
	pending  map[string]int32 // labels without answers, by text
	key      []byte
}

func newLabeling(m Model, e *history.Execution) *labeling {
	l := &labeling{of: make([]int32, len(e.Ops)), pending: map[string]int32{}}
	reader, _ := m.(Reader)
	ids := map[string]int32{}
	var key []byte
	for i := range e.Ops {
		o := &e.Ops[i]
		if !o.Completed() {
			l.of[i] = none
			continue
		}
		key = appendValues(appendText(key[:0], o.Method), o.Args)
		key = appendValues(appendText(key, string(o.Outcome)), o.Rets)
		id, ok := ids[string(key)]
		if !ok {
			id = int32(len(l.labels))
			ids[string(key)] = id
			l.labels = append(l.labels, &o.Label)
			l.readOnly = append(l.readOnly, reader != nil && reader.ReadOnly(&o.Label))
		}
		l.of[i] = id
	}
	return l
}

// share is the labeling for one of several goroutines.
func (l *labeling) share() *labeling {
	return &labeling{of: l.of, labels: slices.Clip(l.labels), readOnly: slices.Clip(l.readOnly), pending: map[string]int32{}}
}

// call is the number of a call's label while it is pending.
func (l *labeling) call(o *history.Operation) int32 {
	l.key = appendValues(appendText(l.key[:0], o.Method), o.Args)
	id, ok := l.pending[string(l.key)]
	if !ok {
		id = int32(len(l.labels))
		l.pending[string(l.key)] = id
		label := &history.Label{Kind: history.Kind{Method: o.Method}, Args: o.Args}
		l.labels, l.readOnly = append(l.labels, label), append(l.readOnly, false)
	}
	return id
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendValues(b []byte, vs []history.Value) []byte {
	for _, v := range vs {
		b = appendText(b, string(v))
	}
	return append(b, 0xff)
}

const none = -1

// machine is a Model as a System: its states are numbered as they are met, and
// what a label does to a state is computed once.
type machine struct {
	model    Model
	brancher Brancher // model, if it is
	labels   *labeling
	label    []int32 // by operation of the timeline; pending ones have those of their calls
	pending  []bool

	states []State
	byHash map[uint64][]int32
	steps  map[uint64]int32   // by state and label: the state after it, or none
	ways   map[uint64][]int32 // the same for pending calls

	state int32
	stack []int32
}

// newMachine is the machine of a timeline's operations.
func newMachine(m Model, e *history.Execution, ls *labeling, ops []int32, n int) *machine {
	ops = ops[:calledBefore(e, ops, n)]
	k := &machine{model: m, labels: ls, label: make([]int32, len(ops)), pending: make([]bool, len(ops)),
		byHash: map[uint64][]int32{}, steps: map[uint64]int32{}, ways: map[uint64][]int32{}}
	k.brancher, _ = m.(Brancher)
	for i, op := range ops {
		if completedIn(&e.Ops[op], n) {
			k.label[i] = ls.of[op]
		} else {
			k.label[i], k.pending[i] = ls.call(&e.Ops[op]), true
		}
	}
	return k
}

func (k *machine) Start() int32 {
	k.state = k.number(k.model.Init())
	return k.state
}

func (k *machine) Accepts() bool          { return true }
func (k *machine) ReadOnly(op int32) bool { return k.labels.readOnly[k.label[op]] }
func (k *machine) Class(op int32) int32   { return k.label[op] }

func (k *machine) Undo() {
	k.state = k.stack[len(k.stack)-1]
	k.stack = k.stack[:len(k.stack)-1]
}

func (k *machine) Take(op int32, way int) (int32, Step) {
	key := uint64(k.state)<<32 | uint64(k.label[op])
	if k.pending[op] {
		ways := k.branches(key, k.label[op])
		if way >= len(ways) {
			return 0, NoWay
		}
		return k.move(ways[way])
	}
	if way > 0 {
		return 0, NoWay
	}
	next, ok := k.steps[key]
	if !ok {
		next = none
		if s, ok := k.model.Step(k.states[k.state], k.labels.labels[k.label[op]]); ok {
			next = k.number(s)
		}
		k.steps[key] = next
	}
	if next == none {
		return 0, Refused
	}
	return k.move(next)
}

func (k *machine) move(next int32) (int32, Step) {
	k.stack = append(k.stack, k.state)
	k.state = next
	return next, Taken
}

// branches lists the states that a pending call may lead to, but for the state
// it is called in: there it may as well never take effect.
func (k *machine) branches(key uint64, label int32) []int32 {
	ways, ok := k.ways[key]
	if ok {
		return ways
	}
	s, l := k.states[k.state], k.labels.labels[label]
	var states []State
	if k.brancher != nil {
		states = k.brancher.Branches(s, l)
	} else if next, ok := k.model.Step(s, l); ok {
		states = append(states, next)
	}
	for _, next := range states {
		if n := k.number(next); n != k.state && !slices.Contains(ways, n) {
			ways = append(ways, n)
		}
	}
	k.ways[key] = ways
	return ways
}

// number is the state's number, a new one if no equal state was met.
func (k *machine) number(s State) int32 {
	h := s.Hash()
	for _, n := range k.byHash[h] {
		if t := k.states[n]; t.Equal(s) {
			return n
		}
	}
	n := int32(len(k.states))
	k.states = append(k.states, s)
	k.byHash[h] = append(k.byHash[h], n)
	return n
}
