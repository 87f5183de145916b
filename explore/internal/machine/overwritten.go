package machine

import (
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// Code may also unlock a mutex by overwriting it. Two threads never hold the same mutex, and that
// tells which views may be of the same state: so no thread may take what another one holds.
const overwritten = "a goroutine overwrites a mutex that another one has locked"

// unlocked reports whether a mutex is not locked in a state.
func (v *Viewer) unlocked(s *state, p ir.Word) bool {
	i := v.m.dynamic(p)
	if i < 0 || i >= len(s.objs) {
		return true
	}
	return s.words[int(s.objs[i].off)+ir.Slot(p)] == 0
}

// released notes what the view's thread has unlocked by overwriting it.
func (v *Viewer) released() {
	m := v.m
	th := &m.state.threads[0]
	th.held = slices.DeleteFunc(th.held, func(p ir.Word) bool { return v.m.dynamic(p) >= 0 && v.unlocked(&m.state, p) })
}

// stolen reports whether another thread held the mutex, before the step, that the view's thread locks.
func (v *Viewer) stolen(p ir.Word) bool {
	s := &v.m.base
	return !v.unlocked(s, p) && !slices.Contains(s.threads[0].held, p)
}

// lost reports whether the view's thread no longer has a mutex locked that it holds.
func (v *Viewer) lost() bool {
	return slices.ContainsFunc(v.m.base.threads[0].held, func(p ir.Word) bool { return v.m.dynamic(p) >= 0 && v.unlocked(&v.m.state, p) })
}
