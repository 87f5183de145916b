package callreturn

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/calls"
	"github.com/adtinfer/adtinfer/explore/internal/linear"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/history"
)

// Order is that in which values leave.
type Order int

// The orders.
const (
	FIFO Order = iota // a queue
	LIFO              // a stack
)

// MostValues is how many values calls add at most.
const MostValues = 64

// Observer numbers what is left to know of histories. One goroutine at a time uses it.
type Observer struct {
	order   Order
	threads int
	answers *spec.Answers
	adds    []int // by call: the value that it adds, or -1: it removes
	values  []history.Value
	waits   bool // a removal waits for a value

	states  []*state // by number; linear.None has none
	numbers map[string]int32
	moves   map[move]int32
}

// move is a call or a return in a state.
type move struct {
	state   int32
	returns bool
	thread  int
	what    int32
}

// New is the observer of what some calls do. One method adds its argument and has no
// result; one removes: it has no arguments, and answers a value, or that there is none.
func New(order Order, list *calls.List, a *spec.Answers, threads int) (*Observer, error) {
	if threads > linear.MostThreads {
		panic(fmt.Sprintf("callreturn: %d threads are too many", threads))
	}
	o := &Observer{order: order, threads: threads, answers: a, waits: true, numbers: map[string]int32{}, moves: map[move]int32{}}
	adding := ""
	for _, m := range list.Methods {
		switch {
		case m.Args == 1 && len(m.Outcomes) == 1 && m.Outcomes[0].Rets == 0 && adding == "":
			adding = m.Name
		case m.Args == 0 && slices.ContainsFunc(m.Outcomes, func(s history.OutcomeSig) bool { return s.Rets == 1 }):
			o.waits = o.waits && len(m.Outcomes) == 1
		default:
			return nil, fmt.Errorf("%s neither adds its argument nor removes a value: calls and returns decide queues and stacks alone", m.Name)
		}
	}
	if _, ok := list.Fresh[adding]; !ok {
		return nil, errors.New("calls and returns decide executions in which each value is added at most once, and these calls add values again")
	}
	for _, l := range list.Labels {
		if l.Method != adding {
			o.adds = append(o.adds, -1)
			continue
		}
		o.adds, o.values = append(o.adds, len(o.values)), append(o.values, l.Args[0])
	}
	if len(o.values) > MostValues {
		return nil, fmt.Errorf("more than %d values are added", MostValues)
	}
	o.states = []*state{nil}
	first := &state{runs: make([]running, threads), above: make([]values, len(o.values))}
	if order == LIFO {
		first.below = make([]moments, len(o.values))
	}
	o.number(first)
	return o, nil
}

// Start is the state before the first call.
func (o *Observer) Start() int32 { return 1 }

// Count is how many states there are.
func (o *Observer) Count() int { return len(o.states) - 1 }

// number is a state's. Of running removals there are the moments up to now.
func (o *Observer) number(s *state) int32 {
	s.observe(o.order == LIFO || !o.waits) // of queues, only what finds nothing looks back
	s.tidy()
	key := s.key()
	n, ok := o.numbers[key]
	if !ok {
		n = int32(len(o.states))
		o.numbers[key], o.states = n, append(o.states, s)
	}
	return n
}

// Call is the state after a thread's call.
func (o *Observer) Call(at int32, thread int, call int32) (int32, error) {
	if at == linear.None {
		return at, nil
	}
	m := move{at, false, thread, call}
	next, ok := o.moves[m]
	if !ok {
		s := o.states[at].clone()
		s.call(o.order, thread, o.adds[call])
		next = o.number(s)
		o.moves[m] = next
	}
	return next, nil
}

// Return is the state after a thread's operation answered: linear.None if it could not.
func (o *Observer) Return(at int32, thread int, answer int32) (int32, error) {
	if at == linear.None {
		return at, nil
	}
	m := move{at, true, thread, answer}
	next, ok := o.moves[m]
	if !ok {
		s := o.states[at].clone()
		if o.answered(s, thread, o.answers.Answer(answer)) {
			next = o.number(s)
		}
		o.moves[m] = next
	}
	return next, nil
}

// answered is false if a thread's operation cannot answer so.
func (o *Observer) answered(s *state, thread int, a spec.Answer) bool {
	switch {
	case a.Outcome == history.Panic:
		return false
	case s.runs[thread].adds >= 0:
		return s.added(thread)
	case len(a.Rets) == 0:
		return s.removed(o.order, thread, -1)
	}
	v := slices.Index(o.values, a.Rets[0])
	return v >= 0 && s.removed(o.order, thread, v)
}

// Permute renames threads: thread i of the result is thread perm[i].
func (o *Observer) Permute(at int32, perm []uint8) int32 {
	perm = perm[:o.threads]
	if at == linear.None || slices.IsSorted(perm) {
		return at
	}
	return o.number(o.states[at].permuted(perm))
}

// MayWait reports whether removals that these threads run may wait for ever: whether nothing need be
// there if they remove nothing. No thread may wait in any state.
func (o *Observer) MayWait(at int32, who []int) (bool, error) {
	if at == linear.None || !o.waits || len(who) == 0 {
		return at != linear.None && len(who) == 0, nil
	}
	s := o.states[at]
	var out threads
	for _, t := range who {
		if !s.runs[t].busy || s.runs[t].adds >= 0 {
			return false, nil
		}
		out |= 1 << t
	}
	possible := func(m moment) bool {
		return bits.OnesCount64(uint64(m.there)) <= bits.OnesCount16(uint16(m.by&^out))
	}
	if !possible(moment{there: s.there, by: s.removing()}) {
		return false, nil
	}
	for v, b := range s.below {
		if s.there&(1<<v) != 0 && !slices.ContainsFunc(b, func(m moment) bool { return m.before&^out != 0 }) {
			return false, nil
		}
	}
	return !slices.ContainsFunc(s.due, func(d moments) bool { return !slices.ContainsFunc(d, possible) }), nil
}
