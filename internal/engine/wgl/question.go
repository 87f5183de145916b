package wgl

import (
	"errors"

	"github.com/adtinfer/adtinfer/history"
)

// questions are asked about a prefix of an execution: can some operations, which are
// needed, be explained? Each of the others may have taken effect, in its time and with
// its answer, or not at all. If there is no linearization even so, the prefix is a
// violation.
type questions struct {
	*memory // with the labels of ops

	e      *history.Execution
	ops    []int32 // numbers into e.Ops, in order of calls
	events int     // of the prefix
	needed []bool  // by place in ops

	ended   func() error // says why nothing can be found out any more
	each    int          // steps that a search may take
	left    int          // steps that all may
	most    int          // states that may be met
	reached []int32      // states; nil if that is not known yet
}

// maxReached is how many states may be reached for an execution to be cut.
const maxReached = 1000

// errSteps ends a search that took too long.
var errSteps = errors.New("wgl: too many steps")

// spent reports whether nothing more may be asked.
func (q *questions) spent() bool { return q.left <= 0 || len(q.states) >= q.most }

// first is the number of the event that calls the first operation that is needed.
func (q *questions) first() int {
	for i, needed := range q.needed {
		if needed {
			return q.e.Ops[q.ops[i]].Call
		}
	}
	return 0
}

// cut reports whether the operations that did not return before event number first
// have no linearization from any state that the others may have led to, in whatever
// order and however often they took effect. If not nothing is known. The error may be
// errSteps.
func (q *questions) cut(first int) (violates bool, err error) {
	if q.reached == nil {
		if q.reached, err = q.reach(); err != nil {
			return false, err
		}
	}
	found, err := q.search(first, q.reached...)
	return err == nil && !found && len(q.reached) > 0, err
}

// reach lists the states that the operations lead to; it is empty if they are many.
func (q *questions) reach() ([]int32, error) {
	for _, op := range q.ops {
		if o := &q.e.Ops[op]; o.Call < q.events && !completedIn(o, q.events) {
			q.labels.call(op)
		}
	}
	states := []int32{q.number(q.model.Init())}
	known := map[int32]bool{states[0]: true}
	for i := 0; i < len(states); i++ {
		q.left -= len(q.labels.labels) / 8 // what is remembered takes less than a step
		for n, label := range q.labels.labels {
			if len(states) > maxReached || q.spent() {
				return []int32{}, nil
			}
			var ways []int32
			if label.Outcome == history.Pending {
				ways = q.branches(states[i], int32(n))
			} else if next := q.step(states[i], int32(n)); next != none {
				ways = []int32{next}
			}
			for _, next := range ways {
				if !known[next] {
					known[next], states = true, append(states, next)
				}
			}
		}
		if err := q.ended(); err != nil {
			return nil, err
		}
	}
	return states, nil
}

// search looks for a linearization from one of some states on, of the operations that
// did not return before event number first.
func (q *questions) search(first int, states ...int32) (found bool, err error) {
	k := &partial{machine: &machine{memory: q.memory}}
	var ops []int32
	for i, op := range q.ops[:calledBefore(q.e, q.ops, q.events)] {
		o, label := &q.e.Ops[op], q.labels.of[i]
		running := !completedIn(o, q.events)
		switch {
		case !running && o.Return < first:
			continue
		case running:
			label = q.labels.call(op)
		case !q.needed[i] && q.labels.readOnly[label]:
			continue
		}
		ops = append(ops, op)
		k.label, k.pending, k.needed = append(k.label, label), append(k.pending, running), append(k.needed, q.needed[i] || running)
	}
	steps := q.each
	halt := func(int, int) error {
		steps -= haltSteps
		q.left -= haltSteps
		if err := q.ended(); err != nil || steps > 0 && !q.spent() {
			return err
		}
		return errSteps
	}
	t := newTimeline(q.e, ops, q.events, k.needed)
	var seen *cache // nothing can follow what is in it, from whichever state it was met
	for _, k.start = range states {
		s := newSearcher(t, k, 0)
		if seen != nil {
			s.cache = seen
		}
		seen = s.cache
		if w, err := s.search(halt); err != nil || w.found {
			return w.found, err
		}
	}
	return false, q.ended()
}

// partial is a machine that starts in any state, in which operations that are not needed
// may be left out. That can wait for their returns: until then they may be of use.
type partial struct {
	*machine
	needed []bool // by operation
	start  int32
	due    func(op int32) bool // reports whether all operations that return earlier took effect
}

func (k *partial) Start() int32 {
	k.state = k.start
	return k.start
}

func (k *partial) ReadOnly(op int32) bool { return k.needed[op] && k.machine.ReadOnly(op) }

func (k *partial) Class(op int32) int32 {
	class := 2 * k.machine.Class(op)
	if k.needed[op] {
		class++
	}
	return class
}

func (k *partial) Take(op int32, way int) (int32, Step) {
	if k.needed[op] || way == 0 {
		return k.machine.Take(op, way)
	}
	if way > 1 || !k.due(op) {
		return 0, NoWay
	}
	return k.move(k.state)
}
