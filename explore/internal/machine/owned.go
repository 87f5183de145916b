package machine

import (
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// mark notes in an object which call owns it. So a view shows of each object that its thread reaches
// whether somebody owns it, and for which operation.
func (m *Machine) mark(th *thread, p ir.Word, in *ir.Instr) ctl {
	o, frozen := m.find(p)
	switch {
	case frozen:
		return m.wrong("an operation owns what the constructor has made", in.Pos)
	case ir.Slot(p) != 0:
		return m.wrong("an operation owns a part of an object", in.Pos)
	case o.ownedBy != 0:
		return m.wrong("two operations own the same object", in.Pos)
	}
	o.ownedBy = th.call + 1
	return next
}

// owns reports whether the program's operations own objects.
func owns(p *ir.Program) bool {
	if p.Policy == nil {
		return false
	}
	for _, f := range p.Funcs {
		for i := range f.Code {
			if in := &f.Code[i]; in.Op == ir.Ghost && in.M == ir.GhostOwn {
				return true
			}
		}
	}
	return false
}

// disown takes the marks away when an operation ends.
func (m *Machine) disown(th *thread) {
	if !m.shared.options.Published {
		return
	}
	for _, p := range th.owned {
		if o, frozen := m.find(p); !frozen {
			o.ownedBy = 0
		}
	}
}

// announce announces an operation of another thread that owns what p points to.
func (v *Viewer) announce(in *ir.Instr, regs []ir.Word, p ir.Word) ctl {
	m := v.m
	if p != 0 && ir.Slot(p) == 0 {
		if o, frozen := m.find(p); !frozen && o.ownedBy != 0 {
			return v.partner(in, regs, p, o.ownedBy-1)
		}
	}
	return m.wrong("an operation is announced for the owner of what nobody owns", in.Pos)
}

func (v *Viewer) partner(in *ir.Instr, regs []ir.Word, p ir.Word, number int32) ctl {
	m := v.m
	call := &m.shared.bounds.Calls[number]
	if call.Op != int(in.To) {
		return m.wrong(m.nameOf(in.To)+" is announced for a goroutine that runs "+m.nameOf(int32(call.Op)), in.Pos)
	}
	words := m.ghost.words[:0]
	for _, a := range in.Args {
		words = append(words, m.vals(regs, a.At, a.N)...)
	}
	m.ghost.words = words
	if !slices.Equal(words[:in.N], call.Args) {
		return m.wrong(m.nameOf(in.To)+" is announced with other arguments than those it was called with", in.Pos)
	}
	v.sent = append(v.sent, Sent{Call: number, Answer: m.answered(call.Op, words[in.N:]), Partner: true, Pos: m.place(in.Pos), owns: p})
	return next
}
