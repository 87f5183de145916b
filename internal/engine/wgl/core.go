package wgl

import (
	"context"
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// Core is what makes an execution a violation: operations that returned and cannot
// be explained, whatever the others do. Each of the others may have taken effect,
// in its time and with its answer, or not at all, and yet there is no linearization.
type Core struct {
	Ops []int32 // numbers of operations

	// Minimal says that without any one of Ops there is a linearization. Otherwise
	// some searches took too long.
	Minimal bool
}

// Steps that the search for a core may take: each question, and all. It may meet
// coreStates states, which take longer. maxReached is how many states may be reached
// for an execution to be cut.
const (
	coreSteps  = 100_000
	allSteps   = 2_000_000
	coreStates = 100_000
	maxReached = 200
)

// errSteps ends a search of a core that took too long.
var errSteps = errors.New("wgl: too many steps")

// FindCore leaves operations of a violation out, as long as the rest is one whatever
// they do: first many at a time, then single ones. What is a violation stays one
// with more operations that must be explained, so one pass over single ones is
// enough. The core is not minimal if the context ends. The execution must be a
// violation; the error is the model's.
func FindCore(ctx context.Context, m Model, e *history.Execution) (Core, error) {
	f := &coreFinder{ctx: ctx, e: e, memory: newMemory(m, newLabeling(m, newLabels(e, nil), everything(e))), needed: make([]bool, len(e.Ops)), left: allSteps, minimal: true}
	f.failing, _ = m.(Failing)
	var ops []int32
	for i := range e.Ops {
		if e.Ops[i].Completed() {
			ops, f.needed[i] = append(ops, int32(i)), true
		}
	}
	slices.SortFunc(ops, func(a, b int32) int { return e.Ops[a].Return - e.Ops[b].Return })
	ops, err := f.last(ops)
	for size := (len(ops) + 1) / 2; size > 0 && err == nil; size /= 2 {
		ops, err = f.without(ops, size)
	}
	if err != nil && ctx.Err() == nil {
		return Core{}, err
	}
	c := Core{Minimal: f.minimal && err == nil}
	for i, needed := range f.needed {
		if needed {
			c.Ops = append(c.Ops, int32(i))
		}
	}
	return c, nil
}

type coreFinder struct {
	ctx     context.Context
	e       *history.Execution
	memory  *memory
	failing Failing
	needed  []bool // by operation: must be explained
	left    int    // steps
	minimal bool
	reached []int32 // states; nil if that is not known yet
}

// last looks for a violation among those that returned last.
func (f *coreFinder) last(ops []int32) ([]int32, error) {
	for n := 8; 2*n <= len(ops); n *= 4 {
		early := ops[:len(ops)-n]
		f.set(early, false)
		violates, err := f.violates()
		if violates {
			return ops[len(ops)-n:], nil
		}
		f.set(early, true)
		if err != nil {
			return nil, err
		}
	}
	return ops, nil
}

// without leaves out what it can, so many operations at a time, and returns the rest.
func (f *coreFinder) without(ops []int32, size int) (rest []int32, err error) {
	f.minimal = true
	for chunk := range slices.Chunk(ops, size) {
		f.set(chunk, false)
		violates, err := f.violates()
		if err != nil {
			f.set(chunk, true)
			return nil, err
		}
		if !violates {
			f.set(chunk, true)
			rest = append(rest, chunk...)
		}
	}
	return rest, nil
}

func (f *coreFinder) set(ops []int32, needed bool) {
	for _, op := range ops {
		f.needed[op] = needed
	}
}

// violates reports whether the needed operations are a violation, as far as that
// can be found out in some steps.
func (f *coreFinder) violates() (bool, error) {
	if f.spent() {
		f.minimal = false
		return false, f.ended()
	}
	first := f.e.Events
	for i, needed := range f.needed {
		if needed {
			first = min(first, f.e.Ops[i].Call)
		}
	}
	if first > 0 {
		if violates, err := f.cut(first); violates || err != nil {
			return violates, err
		}
	}
	found, err := f.search(0, f.memory.number(f.memory.model.Init()))
	if err == errSteps {
		f.minimal = false
		return false, nil
	}
	return err == nil && !found, err
}

// cut reports whether the operations that did not return before event number first
// have no linearization from any state that the others may have led to, in whatever
// order and however often they took effect. If not nothing is known.
func (f *coreFinder) cut(first int) (violates bool, err error) {
	if f.reached == nil {
		if f.reached, err = f.reach(); err != nil {
			return false, err
		}
	}
	for _, state := range f.reached {
		if found, err := f.search(first, state); found || err == errSteps {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	return len(f.reached) > 0, nil
}

// reach lists the states that the operations lead to; it is empty if they are many.
func (f *coreFinder) reach() ([]int32, error) {
	ops := everything(f.e)
	k := newMachine(f.memory, f.e, ops, f.e.Events)
	states := []int32{k.Start()}
	known := map[int32]bool{states[0]: true}
	for i := 0; i < len(states); i++ {
		for op := range ops {
			if len(states) > maxReached {
				return []int32{}, nil
			}
			k.state = states[i]
			for way, step := 0, Taken; step != NoWay; way++ {
				var next int32
				if next, step = k.Take(int32(op), way); step == Taken {
					k.Undo()
					if !known[next] {
						known[next], states = true, append(states, next)
					}
				}
			}
		}
		if err := f.ended(); err != nil {
			return nil, err
		}
	}
	return states, nil
}

// ended says why nothing can be found out any more.
func (f *coreFinder) ended() error {
	if f.ctx.Err() == nil && f.failing != nil {
		return f.failing.Err()
	}
	return f.ctx.Err()
}

// spent reports whether nothing more may be asked.
func (f *coreFinder) spent() bool { return f.left <= 0 || len(f.memory.states) >= coreStates }

// search looks for a linearization from a state on, of the operations that did not
// return before event number first.
func (f *coreFinder) search(first int, state int32) (found bool, err error) {
	var ops []int32
	for i := range f.e.Ops {
		o, label := &f.e.Ops[i], f.memory.labels.of[i]
		switch {
		case o.Completed() && o.Return < first:
		case f.needed[i] || !o.Completed() || !f.memory.labels.readOnly[label]:
			ops = append(ops, int32(i))
		}
	}
	k := &partial{&machine{memory: f.memory, label: make([]int32, len(ops)), pending: make([]bool, len(ops))}, make([]bool, len(ops)), state}
	for i, op := range ops {
		k.label[i], k.pending[i] = f.memory.labels.of[op], !f.e.Ops[op].Completed()
		if k.needed[i] = f.needed[op] || k.pending[i]; k.pending[i] {
			k.label[i] = f.memory.labels.call(op)
		}
	}
	steps := coreSteps
	w, err := search(func(int) error {
		steps -= haltSteps
		f.left -= haltSteps
		if err := f.ended(); err != nil || steps > 0 && !f.spent() {
			return err
		}
		return errSteps
	}, newTimeline(f.e, ops, f.e.Events), k, 0)
	if err == nil && !w.found {
		err = f.ended()
	}
	return w.found, err
}

// partial is a machine that starts in any state, in which operations that are not needed may be
// left out.
type partial struct {
	*machine
	needed []bool // by operation
	start  int32
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
	if way > 1 {
		return 0, NoWay
	}
	return k.move(k.state)
}
