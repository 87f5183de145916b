package wgl

import (
	"cmp"
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

// Steps that the search for a core may take: each question, and all.
const (
	coreSteps = 100_000
	allSteps  = 2_000_000
)

// errSteps ends a search of a core that took too long.
var errSteps = errors.New("wgl: too many steps")

// FindCore leaves operations of a violation out, as long as the rest is one whatever
// they do: first many at a time, then single ones. What is a violation stays one
// with more operations that must be explained, so one pass over single ones is
// enough. The core is not minimal if the context ends. It is an error if the
// execution is no violation, or the model fails.
func FindCore(ctx context.Context, m Model, e *history.Execution) (Core, error) {
	f := &coreFinder{ctx: ctx, e: e, memory: newMemory(m, newLabeling(m, e, everything(e))), needed: make([]bool, len(e.Ops)), left: allSteps, minimal: true}
	f.failing, _ = m.(Failing)
	var ops []int32
	for i := range e.Ops {
		if e.Ops[i].Completed() {
			ops, f.needed[i] = append(ops, int32(i)), true
		}
	}
	slices.SortFunc(ops, func(a, b int32) int { return e.Ops[a].Return - e.Ops[b].Return })
	if violates, err := f.violates(); err != nil || !violates {
		return Core{}, cmp.Or(err, errors.New("wgl: only violations have a core"))
	}
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
	var ops []int32
	for i := range f.e.Ops {
		label := f.memory.labels.of[i]
		if f.needed[i] || label == none || !f.memory.labels.readOnly[label] {
			ops = append(ops, int32(i))
		}
	}
	k := &partial{machine: &machine{memory: f.memory, label: make([]int32, len(ops)), pending: make([]bool, len(ops))}, needed: make([]bool, len(ops))}
	for i, op := range ops {
		k.needed[i], k.label[i] = f.needed[op], f.memory.labels.of[op]
		if o := &f.e.Ops[op]; !o.Completed() {
			k.needed[i], k.pending[i], k.label[i] = true, true, f.memory.labels.call(o)
		}
	}
	steps := coreSteps
	w, err := search(func(int) error {
		steps -= haltSteps
		f.left -= haltSteps
		switch {
		case f.ctx.Err() != nil:
			return f.ctx.Err()
		case f.failing != nil && f.failing.Err() != nil:
			return f.failing.Err()
		case steps < 0 || f.left < 0:
			return errSteps
		}
		return nil
	}, newTimeline(f.e, ops, f.e.Events), k, 0)
	if err == errSteps {
		f.minimal = false
		return false, nil
	}
	if err == nil && !w.found && f.failing != nil {
		err = f.failing.Err()
	}
	return !w.found, err
}

// partial is a machine in which operations that are not needed may be left out.
type partial struct {
	*machine
	needed []bool // by operation
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
