package machine

import "github.com/adtinfer/adtinfer/explore/internal/ir"

// atomic makes an atomic operation that reads and writes.
func (m *Machine) atomic(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	p := m.val(regs, in.A)
	if p == 0 {
		return m.throw(t, nilDereference, in.Pos)
	}
	o, frozen := m.find(p)
	n := int32(1)
	if in.Op == ir.AtomicSwap || in.Op == ir.AtomicCAS {
		n = in.N
	}
	old := m.at(o, p, n)
	if in.Op == ir.AtomicCAS {
		return m.compareAndSwap(t, in, regs, o, frozen, p, old)
	}
	if c := m.touch(o, frozen, p, n, true, true, in.Pos); c != next {
		return c
	}
	var value [1]ir.Word
	switch in.Op {
	case ir.AtomicSwap:
		words := m.vals(regs, in.B, n)
		m.swapped(old)
		m.put(o, p, in, words)
		copy(regs[in.Dst:], m.held)
		return next
	case ir.AtomicAdd:
		value[0], _ = binary(ir.Add, in.Num, old[0], m.val(regs, in.B))
		regs[in.Dst] = value[0]
	case ir.AtomicAnd:
		value[0] = old[0] & m.val(regs, in.B)
		regs[in.Dst] = old[0]
	case ir.AtomicOr:
		value[0] = old[0] | m.val(regs, in.B)
		regs[in.Dst] = old[0]
	}
	m.put(o, p, in, value[:])
	return next
}

// swapped remembers words that are about to be overwritten.
func (m *Machine) swapped(words []ir.Word) { m.held = append(m.held[:0], words...) }

// compareAndSwap writes only if it compares equal; else it is a read.
func (m *Machine) compareAndSwap(t *thread, in *ir.Instr, regs []ir.Word, o *object, frozen bool, p ir.Word, old []ir.Word) ctl {
	equal, panics := m.same(int(in.To), old, m.vals(regs, in.B, in.N))
	if panics != "" {
		return m.throw(t, panics, in.Pos)
	}
	if c := m.touch(o, frozen, p, in.N, equal, true, in.Pos); c != next {
		return c
	}
	regs[in.Dst] = boolWord(equal)
	if equal {
		m.put(o, p, in, m.vals(regs, in.C, in.N))
	} else if m.tracer != nil {
		m.tracer.access(in, p, in.N, nil)
	}
	return next
}

// lock makes an operation on a mutex.
func (m *Machine) lock(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	p := m.val(regs, in.A)
	if p == 0 {
		return m.throw(t, nilDereference, in.Pos)
	}
	o, frozen := m.find(p)
	w := m.at(o, p, 1)
	locked := w[0] != 0
	var to [1]ir.Word
	switch {
	case in.Op == ir.Lock && locked:
		return m.waits()
	case in.Op == ir.Unlock && !locked:
		return m.misuse("unlock of an unlocked mutex", in.Pos)
	case in.Op != ir.Unlock:
		to[0] = 1
	}
	if c := m.touch(o, frozen, p, 1, to[0] != w[0], true, in.Pos); c != next {
		return c
	}
	if in.Op == ir.TryLock {
		regs[in.Dst] = boolWord(!locked)
	}
	m.put(o, p, in, to[:])
	return next
}

// waits is what becomes of a thread at an instruction that waits.
func (m *Machine) waits() ctl {
	if m.synced {
		return pause
	}
	return block
}

// misuse is a fault that the program makes.
func (m *Machine) misuse(text string, pos int32) ctl {
	if m.synced { // it is the next step that goes wrong
		return pause
	}
	m.fault = &Fault{Kind: Misuse, Text: text, Pos: pos, Threads: []int{int(m.cur)}}
	return stop
}
