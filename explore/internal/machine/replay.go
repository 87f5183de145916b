package machine

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// Written lists what is known to be written once others see it, in an order that does
// not change: with it Assume has the same steps in another run.
func (s *Shared) Written() (all []uint64) {
	for i := range s.dirty {
		if s.dirty[i].Load() {
			all = append(all, uint64(i)<<1)
		}
	}
	for l, words := range s.written {
		for w := range words {
			if words[w].Load() {
				all = append(all, (uint64(l)<<24|uint64(w))<<1|1)
			}
		}
	}
	return all
}

// Assume takes what Written lists for written, and makes the start anew.
func (s *Shared) Assume(all []uint64) error {
	for _, x := range all {
		l, w := x>>25, x>>1&(1<<24-1)
		switch {
		case x&1 == 0 && x>>1 < uint64(len(s.dirty)):
			s.dirty[x>>1].Store(true)
		case x&1 == 1 && l < uint64(len(s.written)) && w < uint64(len(s.written[l])):
			s.written[l][w].Store(true)
		default:
			return fmt.Errorf("there is no word %d", x)
		}
	}
	s.Again()
	return nil
}

// Results lists what operations answered, by the numbers that answers have. Know gives
// another run the same numbers.
func (s *Shared) Results() []Result {
	s.results.mu.RLock()
	defer s.results.mu.RUnlock()
	return slices.Clone(s.results.all)
}

// Know numbers results before anything else does.
func (s *Shared) Know(all []Result) {
	for i := range all {
		s.results.number(&all[i])
	}
}

// Where is where a thread is in the state after Trace: its name there, and its next
// instruction; position 0 if it is between operations.
type Where struct {
	Thread int
	Pos    int32
	Func   string
	Op     ir.Op
}

// Where tells where a thread is after Trace, by its place in the state. The place in the
// source is that of the innermost call that has one in a file of the user's, or any.
func (m *Machine) Where(thread int, mine func(ir.Position) bool) Where {
	th := &m.base.threads[thread]
	w := Where{Thread: int(th.id)}
	for i := len(th.frames) - 1; i >= 0; i-- {
		f := &th.frames[i]
		fn := m.prog.Funcs[f.fn]
		in := &fn.Code[f.pc]
		if i == len(th.frames)-1 {
			w.Pos, w.Func, w.Op = in.Pos, fn.Name, in.Op
		}
		if mine(m.prog.Positions[in.Pos]) {
			w.Pos, w.Func = in.Pos, fn.Name
			break
		}
	}
	return w
}

// place is where readers look for what the current thread does at a place in the
// source: where the standard library was called, if it is there.
func (m *Machine) place(pos int32) int32 {
	t := &m.state.threads[m.cur]
	for i := len(t.frames) - 1; i >= 0; i-- {
		f := &t.frames[i]
		fn := m.prog.Funcs[f.fn]
		if !fn.Standard && i < len(t.frames)-1 {
			return fn.Code[f.pc].Pos
		}
		if !fn.Standard {
			break
		}
	}
	return pos
}

// Final is the state after Trace.
func (m *Machine) Final() []byte { return slices.Clone(m.final) }
