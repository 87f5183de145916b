package machine

import (
	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// pool makes an operation on a pool, whose first word points to what it holds. What has been
// put there must not be touched until it is taken out; see markPooled.
func (m *Machine) pool(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	p := m.val(regs, in.A)
	if p == 0 {
		return m.throw(t, nilDereference, in.Pos)
	}
	o, frozen := m.find(p)
	if in.Op == ir.PoolPut {
		return m.poolPut(o, frozen, p, in, regs)
	}
	held := m.at(o, p, 1)[0]
	n := 0
	if held != 0 {
		items, _ := m.find(held)
		n = int(items.n) / 2
	}
	if c := m.touch(o, frozen, p, 1, n > 0, true, in.Pos); c != next {
		return c
	}
	m.note(in, p, "get from")
	dst := regs[in.Dst:][:2]
	clear(dst)
	if i := m.choose(n + 1); i < n {
		items, _ := m.find(held)
		copy(dst, m.state.words[items.off:][2*i:])
		m.acquire(held + ir.Word(2*i))
		m.takeOut(held, 2*i, 2)
		m.cut(items, 2*i, 2)
		m.setPooled(&m.state, dst, false)
	}
	return next
}

func (m *Machine) poolPut(o *object, frozen bool, p ir.Word, in *ir.Instr, regs []ir.Word) ctl {
	x := m.vals(regs, in.B, 2)
	if x[0] == 0 {
		return next
	}
	if item := m.whole(&m.state, x); item != nil && item.pooled {
		return m.misuse("what is put into a pool is there already", in.Pos)
	}
	if c := m.touch(o, frozen, p, 1, true, true, in.Pos); c != next {
		return c
	}
	m.note(in, p, "put into")
	if m.at(o, p, 1)[0] == 0 {
		id := m.alloc(in.To, 0, m.cur)
		o, _ = m.find(p)
		m.store(o, p, []ir.Word{ir.Pointer(id, 0)})
	}
	items, _ := m.find(m.at(o, p, 1)[0])
	m.open(items, int(items.n), 2)
	copy(m.state.words[items.off+items.n-2:], x)
	m.release(m.at(o, p, 1)[0] + ir.Word(items.n-2))
	if items.owner == shared && !m.setup {
		m.publishWords(items.layout, x)
	}
	m.setPooled(&m.state, x, true)
	return next
}

// takeOut forgets what was left in words of a pool's items that are taken out.
func (m *Machine) takeOut(items ir.Word, at, n int) {
	if !m.orders() {
		return
	}
	m.state.past.Move(func(p ir.Word) ir.Word {
		switch {
		case ir.Object(p) != ir.Object(items) || ir.Slot(p) < at:
			return p
		case ir.Slot(p) < at+n:
			return 0
		}
		return p - ir.Word(n)
	})
}

// whole is the object that a pointer in an interface points to, nil if it points to
// a part of one.
func (m *Machine) whole(s *state, x []ir.Word) *object {
	t := m.prog.Types[x[0]]
	if t.Form.Of != ir.PointerTo || x[1] == 0 || ir.Slot(x[1]) != 0 || m.dynamic(x[1]) < 0 {
		return nil
	}
	o := &s.objs[m.dynamic(x[1])]
	if int(o.layout) != t.Form.Layout || int(o.n) != len(m.prog.Layouts[o.layout].Words) {
		return nil
	}
	return o
}

// setPooled notes whether an item is in a pool.
func (m *Machine) setPooled(s *state, x []ir.Word, in bool) {
	if o := m.whole(s, x); o != nil {
		o.pooled = in
	}
}

// markPooled marks the objects of a state that pools hold.
func (m *Machine) markPooled(s *state) {
	for i := range s.objs {
		if o := &s.objs[i]; m.kinds.pooled[o.layout] {
			for j := int32(0); j < o.n; j += 2 {
				m.setPooled(s, s.words[o.off+j:][:2], true)
			}
		}
	}
}
