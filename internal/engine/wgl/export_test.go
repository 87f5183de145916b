package wgl

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
)

// LookAfter sets after how many times 1,024 steps a search that is stuck asks whether the
// last operations are a violation alone, and returns what sets it back.
func LookAfter(times int) (undo func()) {
	was := firstLook
	firstLook = times
	return func() { firstLook = was }
}

// SparingFrom sets how many operations must be pending for a search to try first without two of them in a
// row, and returns what sets it back.
func SparingFrom(pending int) (undo func()) {
	was := manyPending
	manyPending = pending
	return func() { manyPending = was }
}

// Refuted is how far a search gets, in events, and whether the last operations up to there
// are found to be a violation alone: first so many.
func Refuted(m Model, e *history.Execution, window int) (events int, refuted bool, err error) {
	p := &part{ops: everything(e)}
	r := run{e: e, model: m, memory: newMemory(m, newLabeling(m, newLabels(m, e, nil), p.ops)), ended: context.Background().Err}
	t := newTimeline(e, p.ops, e.Events, nil)
	w, err := search(func(int, int) error { return nil }, t, newMachine(r.memory, e, p.ops, e.Events), 0)
	if w.found || err != nil {
		return 0, false, err
	}
	f := r.refuterOf(p, t)
	f.events, f.window = t.ends[w.reach], window
	refuted, err = f.refutes(w.reach, 1<<30)
	return t.ends[w.reach], refuted, err
}

// Cut reports whether operations that are needed, completed ones, have no linearization
// from any state, whatever the others do that did not return before them.
func Cut(m Model, e *history.Execution, needed []bool) (bool, error) {
	all := everything(e)
	q := questions{memory: newMemory(m, newLabeling(m, newLabels(m, e, nil), all)), e: e, ops: all, events: e.Events, needed: needed,
		ended: context.Background().Err, each: 1 << 30, left: 1 << 30, most: 1 << 30}
	return q.cut(q.first())
}
