package machine

import "github.com/adtinfer/adtinfer/explore/internal/ir"

// special makes an instruction that is none of the common ones.
func (m *Machine) special(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	switch in.Op {
	case ir.Len, ir.CharAt, ir.Substring, ir.NextRune:
		return m.text(t, in, regs)
	case ir.IndexAddr, ir.Index, ir.MakeSlice, ir.Slice, ir.Append, ir.AppendStr, ir.Copy, ir.CopyStr, ir.Clear, ir.Bytes, ir.Text:
		return m.slices(t, in, regs)
	case ir.MakeMap, ir.MapGet, ir.MapSet, ir.MapDelete, ir.MapLen, ir.MapClear, ir.MapIter, ir.MapNext:
		return m.maps(t, in, regs)
	case ir.Same, ir.MakeIface, ir.Assert, ir.AssertTo:
		return m.interfaces(t, in, regs)
	case ir.CallMethod:
		return m.method(t, in, regs)
	case ir.MakeClosure:
		m.makeClosure(in, regs)
		return next
	case ir.CallNative:
		return m.native(t, in, regs)
	case ir.Choose:
		n := m.val(regs, in.A)
		if n == 0 || n > mostChoices {
			return m.notCovered("a choice among too many values", in.Pos)
		}
		regs[in.Dst] = ir.Word(m.choose(int(n)))
		return next
	case ir.Cast:
		p := m.val(regs, in.A)
		if p != 0 && !m.castable(p, m.prog.Layouts[in.To]) {
			return m.notCovered("an unsafe conversion to *"+m.prog.Layouts[in.To].Name+" of a pointer to something else", in.Pos)
		}
		regs[in.Dst] = p
	case ir.RunDefers:
		return m.runDefers(t)
	case ir.Panic:
		x := m.vals(regs, in.A, 2)
		if x[0] == 0 {
			return m.throw(t, nilPanic, in.Pos)
		}
		return m.panics(t, [2]ir.Word(x), in.Pos)
	case ir.Recover:
		return m.recovers(t, in, regs)
	case ir.RLock, ir.TryRLock, ir.RUnlock, ir.WAnnounce, ir.WLock, ir.TryWLock, ir.WUnlock:
		return m.rwLock(t, in, regs)
	case ir.CondEnter, ir.CondWait, ir.Signal, ir.WGAdd, ir.WGWait:
		return m.waiting(t, in, regs)
	case ir.PoolPut, ir.PoolGet:
		return m.pool(t, in, regs)
	case ir.MakeChan, ir.Send, ir.Recv, ir.Close, ir.ChanLen:
		return m.channel(t, in, regs)
	case ir.Select:
		return m.selects(t, in, regs)
	case ir.Ghost:
		return next
	}
	return m.notCovered("an instruction that is not known", in.Pos)
}

// mostChoices is how many ways there may be to go on at one place.
const mostChoices = 1 << 16

// text makes an instruction that works on strings.
func (m *Machine) text(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	var panics string
	a := m.val(regs, in.A)
	text := m.prog.Strings.Text(a)
	switch in.Op {
	case ir.Len:
		regs[in.Dst] = ir.Word(len(text))
	case ir.CharAt:
		regs[in.Dst], panics = charAt(text, in.Num, m.val(regs, in.B))
	case ir.Substring:
		regs[in.Dst], panics = substring(m.prog.Strings, a, m.val(regs, in.B), m.val(regs, in.C))
	case ir.NextRune:
		ok, index, char, after := nextRune(text, m.val(regs, in.B))
		regs[in.C] = after
		regs[in.Dst], regs[in.Dst+1], regs[in.Dst+2] = ok, index, char
	}
	if panics != "" {
		return m.throw(t, panics, in.Pos)
	}
	return next
}

func (m *Machine) makeClosure(in *ir.Instr, regs []ir.Word) {
	id := m.alloc(in.N, 1, m.cur)
	words := m.wordsOf(id)
	words[0] = ir.Word(in.To)
	n := 1
	for _, a := range in.Args {
		n += copy(words[n:], m.vals(regs, a.At, a.N))
	}
	regs[in.Dst] = ir.Pointer(id, 0)
}

func (m *Machine) native(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	m.held = m.held[:0]
	for _, a := range in.Args {
		m.held = append(m.held, m.vals(regs, a.At, a.N)...)
	}
	if panics := m.prog.Natives[in.To].Call(m.prog, m.held, regs[in.Dst:][:in.N]); panics != "" {
		return m.throw(t, panics, in.Pos)
	}
	return next
}

// castable reports whether the words that p points to are those of a layout.
func (m *Machine) castable(p ir.Word, to *ir.Layout) bool {
	o, _ := m.find(p)
	l := m.prog.Layouts[o.layout]
	slot := ir.Slot(p)
	if l == to && slot == 0 {
		return true
	}
	if l.Special != to.Special || slot+len(to.Words) > int(o.n) {
		return false
	}
	num := func(l *ir.Layout, i int) ir.Num {
		if l.Nums == nil {
			return ir.I64
		}
		return l.Nums[i]
	}
	for i, k := range to.Words {
		j := (slot + i) % len(l.Words)
		if l.Words[j] != k || k == ir.Data && !ir.SameWord(num(l, j), num(to, i)) {
			return false
		}
	}
	return true
}
