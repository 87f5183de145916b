package machine

import (
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// ownership is what an object says of the operation that owns it. If receiving rules ask what is owned,
// it tells all by which the owner receives a message: so a view of another thread that reaches the object
// knows how the owner does, and that it does.
type ownership struct {
	call    int32 // and 1; 0 if nobody owns it
	state   int32 // of the owner's controller
	guesses uint32
}

// asksOwner reports whether a receiving rule asks what its operation owns.
func asksOwner(p *ir.Program) bool {
	return slices.ContainsFunc(p.Policy.Rules, func(r ir.Rule) bool {
		return slices.ContainsFunc(p.Funcs[r.If].Code, func(in ir.Instr) bool { return in.Op == ir.Ghost && in.M == ir.GhostOwns })
	})
}

func (c *canon) ownership(out []byte, o ownership) []byte {
	out = appendNumber(out, ir.Word(o.call))
	if o.call != 0 && c.m.shared.tells {
		out = appendNumber(out, ir.Word(o.state))
		out = appendNumber(out, ir.Word(o.guesses))
	}
	return out
}

func (m *Machine) readOwnership(r *reader) (o ownership) {
	o.call = int32(r.number())
	if o.call != 0 && m.shared.tells {
		o.state, o.guesses = int32(r.number()), uint32(r.number())
	}
	return o
}

// mark notes in an object which call owns it. So a view shows of each object that its thread reaches
// whether somebody owns it, and for which operation.
func (m *Machine) mark(th *thread, p ir.Word, in *ir.Instr) ctl {
	o, frozen := m.find(p)
	switch {
	case frozen:
		return m.wrong("an operation owns what the constructor has made", in.Pos)
	case ir.Slot(p) != 0:
		return m.wrong("an operation owns a part of an object", in.Pos)
	case o.ownedBy.call != 0:
		return m.wrong("two operations own the same object", in.Pos)
	case m.shared.tells && len(th.owned) > 1:
		m.fault = &Fault{Kind: NotCovered, Text: "an operation that owns several objects", Pos: m.place(in.Pos)}
		return stop
	}
	o.ownedBy.call = th.call + 1
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
			o.ownedBy = ownership{}
		}
	}
}

// tell notes in the objects that operations own what has become of their controllers.
func (m *Machine) tell() {
	if !m.shared.tells {
		return
	}
	for t := range m.state.threads {
		th := &m.state.threads[t]
		for _, p := range th.owned {
			if o, frozen := m.find(p); !frozen {
				o.ownedBy.state, o.ownedBy.guesses = th.state, th.guesses
			}
		}
	}
}

// standIn is the thread of a view that stands in for one that owns an object.
const standIn = 1

// owners lets those receive the message that own objects of the view, of those places: all of them, in
// any order, each by one of the rules that are enabled when it is sent.
func (v *Viewer) owners(in *ir.Instr, places func(i int) bool) ctl {
	m := v.m
	if !m.shared.tells {
		return next
	}
	g := &m.ghost
	g.enabled = g.enabled[:0]
	for i := range m.base.objs {
		if m.state.objs[i].ownedBy.call == 0 || slices.Contains(m.state.threads[0].owned, v.pointer(i)) || !places(i) {
			continue
		}
		for r := range m.prog.Policy.Rules {
			var ok bool
			c := v.inPlace(i, func() (c ctl) {
				ok, c = m.receives(standIn, r, in)
				return c
			})
			if c != next {
				return c
			}
			if ok {
				g.enabled = append(g.enabled, receiving{int32(i), r})
			}
		}
	}
	for len(g.enabled) > 0 {
		x := g.enabled[m.choose(len(g.enabled))]
		g.enabled = slices.DeleteFunc(g.enabled, func(y receiving) bool { return y.thread == x.thread })
		m.shared.met(m.prog.Policy.Rules[x.rule].Pos, true)
		c := v.inPlace(int(x.thread), func() ctl { return m.ghostCall(m.prog.Policy.Rules[x.rule].Do, standIn) })
		if c != next {
			return c
		}
	}
	return next
}

// inPlace calls f with a thread that stands in for the owner of an object.
func (v *Viewer) inPlace(place int, f func() ctl) ctl {
	s, mark := &v.m.state, v.m.state.objs[place].ownedBy
	s.setThreads(standIn + 1)
	th := &s.threads[standIn]
	th.reset()
	th.call, th.state, th.guesses = mark.call-1, mark.state, mark.guesses
	th.op = int32(v.m.shared.bounds.Calls[th.call].Op)
	th.owned = append(th.owned, v.pointer(place))
	c := f()
	mark.state, mark.guesses = th.state, th.guesses
	s.objs[place].ownedBy = mark
	s.setThreads(1)
	return c
}

// pointer points to the object at a place of the state.
func (v *Viewer) pointer(place int) ir.Word {
	if place < len(v.m.shared.permanent) {
		return ir.Pointer(int(v.m.shared.permanent[place]), 0)
	}
	return ir.Pointer(v.id(place), 0)
}

// tooMuch is the fault of a rule that does what stand-ins cannot.
func (v *Viewer) tooMuch(in *ir.Instr) ctl {
	v.m.fault = &Fault{Kind: NotCovered, Text: "a receiving rule that announces operations of others", Pos: v.m.place(in.Pos)}
	return stop
}

// Answered reports whether the view's thread owns an object that the thread of the action that is applied
// reaches: then it has received all messages of the action, and what it announced is among its events.
func (v *Viewer) Answered() bool {
	return v.m.shared.tells && slices.ContainsFunc(v.m.state.threads[0].owned, v.reached)
}

// reached reports whether the thread of the action reaches what p points to.
func (v *Viewer) reached(p ir.Word) bool {
	i := v.m.dynamic(p)
	return i >= 0 && (i < v.globals || slices.Contains(v.target, int32(i)))
}

// listen lets the thread's controller become what the action has made of it.
func (v *Viewer) listen() {
	if !v.m.shared.tells {
		return
	}
	th := &v.m.state.threads[0]
	for _, p := range th.owned {
		if o, frozen := v.m.find(p); !frozen && v.reached(p) {
			th.state, th.guesses = o.ownedBy.state, o.ownedBy.guesses
		}
	}
}
