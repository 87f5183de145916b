package machine

import "github.com/adtinfer/adtinfer/explore/internal/ir"

// special makes an instruction that is none of the common ones.
func (m *Machine) special(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	switch in.Op {
	}
	m.fault = &Fault{Kind: NotCovered, Text: "an instruction that is not known", Pos: in.Pos, Threads: []int{int(m.cur)}}
	return stop
}

// later makes a call of a go or defer statement. If it makes a thread, t is not valid any
// more: it returns moved, with the frame behind the instruction.
func (m *Machine) later(t *thread, in *ir.Instr, fn int32, receiver, captured, regs []ir.Word) ctl {
	panic("to come")
}

// deferred goes on after a deferred call has returned.
func (m *Machine) deferred(t *thread) ctl { return moved }

// throw begins a panic with a runtime error.
func (m *Machine) throw(t *thread, text string, pos int32) ctl {
	return m.die(t, text, pos)
}

// die ends an operation that panics.
func (m *Machine) die(t *thread, text string, pos int32) ctl {
	if t.op < 0 {
		m.fault = &Fault{Kind: Crash, Text: "panic: " + text, Pos: pos, Threads: []int{int(m.cur)}}
		return stop
	}
	m.answer = m.shared.results.number(&Result{Op: int(t.op), Panic: text, Pos: pos})
	t.reset()
	return ended
}

// same compares words as values of a layout.
func (m *Machine) same(layout int, a, b []ir.Word) (equal bool, panics string) {
	for i := range a {
		if a[i] != b[i] {
			return false, ""
		}
	}
	return true, ""
}
