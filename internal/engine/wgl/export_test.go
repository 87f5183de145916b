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

// Refuted is how far a search gets, in events, and whether the last operations up to there
// are found to be a violation alone: first so many.
func Refuted(m Model, e *history.Execution, window int) (events int, refuted bool, err error) {
	p := &part{ops: everything(e)}
	r := run{e: e, model: m, memory: newMemory(m, newLabeling(m, newLabels(e, nil), p.ops)), ended: context.Background().Err}
	t := newTimeline(e, p.ops, e.Events)
	w, err := search(func(int, int) error { return nil }, t, newMachine(r.memory, e, p.ops, e.Events), 0)
	if w.found || err != nil {
		return 0, false, err
	}
	f := newRefuter(r, p, t)
	f.rank = w.reach
	refuted, err = f.refutes(1<<30, window)
	return t.ends[w.reach], refuted, err
}
