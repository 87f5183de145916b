package wgl

import (
	"context"
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

// Steps that the search for a core may take: each question, one about the operations that
// returned last, with which it begins, and all. It may meet coreStates states, which take longer.
const (
	coreSteps  = 100_000
	lastSteps  = 500_000
	allSteps   = 2_000_000
	coreStates = 100_000
)

// FindCore leaves operations of a violation out, as long as the rest is one whatever
// they do: first many at a time, then single ones. What is a violation stays one
// with more operations that must be explained, so one pass over single ones is
// enough. Of a Keyed model those of the key that returned last are looked at alone, if they
// are found to be a violation. The core is not minimal if the context ends. The execution must be a
// violation; the error is the model's.
func FindCore(ctx context.Context, m Model, e *history.Execution) (Core, error) {
	all := everything(e)
	if k, ok := m.(Keyed); ok {
		c, err := findCore(ctx, k, e, sameKey(k, e), false)
		if len(c.Ops) > 0 || err != nil && ctx.Err() == nil {
			return c, err
		}
	}
	return findCore(ctx, m, e, all, true)
}

// sameKey lists the operations with the key of the one that returned last.
func sameKey(m Keyed, e *history.Execution) (ops []int32) {
	last := 0
	for i := range e.Ops {
		if e.Ops[i].Return > e.Ops[last].Return {
			last = i
		}
	}
	for i := range e.Ops {
		if m.Key(&e.Ops[i].Label) == m.Key(&e.Ops[last].Label) {
			ops = append(ops, int32(i))
		}
	}
	return ops
}

// findCore is FindCore of some operations, which are known to be a violation or not; if
// they are not found to be one there is no core.
func findCore(ctx context.Context, m Model, e *history.Execution, all []int32, known bool) (Core, error) {
	var project func(history.Label) history.Label
	if d, ok := m.(Divided); ok && !known {
		m, project = d.Part(), d.Project
	}
	labels := newLabels(m, e, project)
	f := &coreFinder{questions: questions{memory: newMemory(m, newLabeling(m, labels, all)), e: e, ops: all, events: e.Events,
		needed: make([]bool, len(all)), ended: endOf(ctx, m), each: lastSteps, left: allSteps, most: coreStates}, minimal: true}
	var ops []int32
	for i, op := range all {
		if e.Ops[op].Completed() {
			ops, f.needed[i] = append(ops, int32(i)), true
		}
	}
	slices.SortFunc(ops, func(a, b int32) int { return e.Ops[all[a]].Return - e.Ops[all[b]].Return })
	ops, shown, err := f.last(ops)
	if err == nil && !shown && !known {
		shown, err = f.violates()
	}
	if !shown && !known {
		return Core{}, err
	}
	f.each = coreSteps
	for size := (len(ops) + 1) / 2; size > 0 && err == nil; size /= 2 {
		ops, err = f.without(ops, size)
	}
	if err != nil && ctx.Err() == nil {
		return Core{}, err
	}
	c := Core{Minimal: f.minimal && err == nil}
	for i, needed := range f.needed {
		if needed {
			c.Ops = append(c.Ops, all[i])
		}
	}
	return c, nil
}

type coreFinder struct {
	questions
	minimal bool
}

// last looks for a violation among those that returned last, and reports whether it found
// one.
func (f *coreFinder) last(ops []int32) (rest []int32, shown bool, err error) {
	for n := 8; 2*n <= len(ops); n *= 4 {
		early := ops[:len(ops)-n]
		f.set(early, false)
		violates, err := f.violates()
		if violates {
			return ops[len(ops)-n:], true, nil
		}
		f.set(early, true)
		if err != nil {
			return nil, false, err
		}
	}
	return ops, false, nil
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

// violates reports whether the needed operations are a violation, as far as that
// can be found out in some steps.
func (f *coreFinder) violates() (bool, error) {
	if f.spent() {
		f.minimal = false
		return false, f.ended()
	}
	if first := f.first(); first > 0 {
		if violates, err := f.cut(first); violates || err != nil && err != errSteps {
			return violates, err
		}
	}
	found, err := f.search(0, f.number(f.model.Init()))
	if err == errSteps {
		f.minimal = false
		return false, nil
	}
	return err == nil && !found, err
}
