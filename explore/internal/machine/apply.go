package machine

import (
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// The places in the view of an action's objects; see Viewer.target.
const (
	undecided = -1
	apart     = -2 // it is none of the view's
)

// Apply calls yield in each state in which the view that was loaded may be after an action of another
// thread, in whose view Global was the same. There Deliver may be called, and then Result.
func (v *Viewer) Apply(a *Action, yield func() error) error {
	th := &v.m.base.threads[0]
	if both(a.held, th.held) || both(a.owned, th.owned) {
		return nil
	}
	v.target = v.target[:0]
	for range a.others {
		v.target = append(v.target, undecided)
	}
	return v.identify(a, 0, yield)
}

// both reports whether the lists have something in common.
func both(a, b []ir.Word) bool {
	return slices.ContainsFunc(a, func(p ir.Word) bool { return slices.Contains(b, p) })
}

// identify decides, in all ways, which of the action's objects from r on are the view's.
func (v *Viewer) identify(a *Action, r int, yield func() error) error {
	for r < len(a.others) && (v.target[r] != undecided || a.others[r].was == nil) {
		r++
	}
	if r == len(a.others) {
		return v.apply(a, yield)
	}
	saved := slices.Clone(v.target)
	v.target[r] = apart
	if err := v.identify(a, r+1, yield); err != nil {
		return err
	}
	for y := v.globals; y < len(v.m.base.objs); y++ {
		copy(v.target, saved)
		if v.match(a, r, y) {
			if err := v.identify(a, r+1, yield); err != nil {
				return err
			}
		}
	}
	copy(v.target, saved)
	return nil
}

// match makes an object of the action one of the view, if it may be, and those that they point to.
func (v *Viewer) match(a *Action, r, y int) bool {
	x, o := &a.others[r], &v.m.base.objs[y]
	if v.target[r] != undecided {
		return int(v.target[r]) == y
	}
	words := v.m.base.words[o.off:][:o.n]
	if x.was == nil || o.owner != shared || x.layout != o.layout || len(x.was) != len(words) || x.wasOwned != o.ownedBy || slices.Contains(v.target, int32(y)) {
		return false
	}
	th := &v.m.base.threads[0]
	for _, slot := range x.held {
		if slices.Contains(th.held, ir.Pointer(v.id(y), int(slot))) {
			return false
		}
	}
	for _, slot := range x.ownSlots {
		if slices.Contains(th.owned, ir.Pointer(v.id(y), int(slot))) {
			return false
		}
	}
	v.target[r] = int32(y)
	l, before := v.m.prog.Layouts[x.layout], ir.Word(0)
	for i, w := range x.was {
		q := words[i]
		other := w != 0 && v.m.kinds.at(l, i, before) == ir.Ptr && v.m.dynamic(w) >= a.globals
		before = w
		if !other {
			if w != q {
				return false
			}
			continue
		}
		if ir.Slot(w) != ir.Slot(q) || q == 0 {
			return false
		}
		if to := v.m.dynamic(q); to < v.globals || !v.match(a, v.m.dynamic(w)-a.globals, to) {
			return false
		}
	}
	return true
}

// apply changes the view as the action does.
func (v *Viewer) apply(a *Action, yield func() error) error {
	m := v.m
	if !a.Always && len(a.writes) == 0 {
		changes := false
		for r := range a.others {
			changes = changes || a.others[r].changed && v.target[r] >= 0
		}
		if !changes {
			return nil
		}
	}
	m.choices, m.most = m.choices[:0], m.most[:0]
	for {
		m.state.copyFrom(&m.base, len(m.shared.frozenWords))
		m.cur, m.synced, m.answer, m.fault, m.again, m.chosen = 0, false, -1, nil, false, 0
		m.begins()
		m.ghost.on, m.ghost.inside, m.ghost.receiver, m.ghost.dropped = false, false, -1, false
		v.change(a)
		if v.lost() {
			return &Fault{Kind: NotCovered, Text: overwritten}
		}
		if err := yield(); err != nil {
			return err
		}
		if !m.nextChoice() {
			return nil
		}
	}
}

// change makes the action's changes.
func (v *Viewer) change(a *Action) {
	s := &v.m.state
	v.places = v.places[:0]
	for r := range a.others {
		place := v.target[r]
		if place < 0 {
			place = int32(len(s.objs))
			s.objs = append(s.objs, object{layout: a.others[r].layout, owner: shared, published: true})
		}
		v.places = append(v.places, place)
	}
	put := func(place int32, words []ir.Word, ownedBy ownership) {
		o := &s.objs[place]
		if int(o.n) != len(words) {
			o.off, o.n = int32(len(s.words)), int32(len(words))
			s.words = append(s.words, words...)
		}
		to := s.words[o.off:][:o.n]
		copy(to, words)
		v.mapPointers(o.layout, to, func(p ir.Word) ir.Word { return v.here(a, p) })
		o.ownedBy = ownedBy
	}
	for i := range a.writes {
		w := &a.writes[i]
		put(w.place, w.words, w.ownedBy)
	}
	for r := range a.others {
		if x := &a.others[r]; x.changed || v.target[r] < 0 {
			put(v.places[r], x.words, x.ownedBy)
		}
	}
	v.listen()
}

// here makes a pointer into an action one into the view's state.
func (v *Viewer) here(a *Action, p ir.Word) ir.Word {
	if i := v.m.dynamic(p); i >= a.globals {
		return ir.Pointer(v.id(int(v.places[i-a.globals])), ir.Slot(p))
	}
	return p
}

// Choose is a choice among n: yield is called once for each.
func (v *Viewer) Choose(n int) int { return v.m.choose(n) }

// Owns reports whether the view's thread is the one for which number i of the action's events
// announces.
func (v *Viewer) Owns(a *Action, i int) bool {
	return slices.Contains(v.m.state.threads[0].owned, v.here(a, a.sent[i].owns))
}

// Deliver lets the view's thread receive the message that is number i of the action's events, and
// returns what it announces, unless it is Answered. It receives it by one of the rules that are enabled. So do
// the owners of objects that the view's thread reaches and the action's does not: what they announce is
// for their own views. The error is a *Fault, or ErrDropped.
func (v *Viewer) Deliver(a *Action, i int) ([]Announced, error) {
	m, e := v.m, &a.sent[i]
	g := &m.ghost
	g.message = append(g.message[:0], e.message...)
	for j, w := range g.message {
		if e.pointer[j] && w != 0 {
			g.message[j] = v.here(a, w)
		}
	}
	apart := func(i int) bool { return i >= v.globals && !slices.Contains(v.target, int32(i)) }
	if c := v.owners(e.in, apart); c != next {
		return nil, v.failed()
	}
	if v.Answered() || !m.state.threads[0].running() {
		return nil, nil
	}
	g.announced, g.enabled = g.announced[:0], g.enabled[:0]
	for r := range m.prog.Policy.Rules {
		ok, c := m.receives(0, r, e.in)
		if c != next {
			return nil, v.failed()
		}
		if ok {
			g.enabled = append(g.enabled, receiving{0, r})
		}
	}
	if len(g.enabled) == 0 {
		return nil, nil
	}
	x := g.enabled[m.choose(len(g.enabled))]
	m.shared.met(m.prog.Policy.Rules[x.rule].Pos, true)
	v.sent = v.sent[:0]
	if c := m.ghostCall(m.prog.Policy.Rules[x.rule].Do, 0); c != next {
		return nil, v.failed()
	}
	if slices.ContainsFunc(v.sent, func(e Sent) bool { return e.Partner || e.Call < 0 }) {
		return nil, &Fault{Kind: NotCovered, Text: "a receiving rule that announces operations of others", Pos: m.prog.Policy.Rules[x.rule].Pos}
	}
	return g.announced, nil
}

// ErrDropped says that the view's thread has guessed wrong, so that there is no such step.
var ErrDropped = errors.New("a wrong guess")

// failed is why a rule has come to no end.
func (v *Viewer) failed() error {
	if v.m.ghost.dropped {
		return ErrDropped
	}
	return v.m.fault
}

// Result is the view after Apply. It is valid until the next one.
func (v *Viewer) Result() View {
	v.m.tell()
	return v.encode()
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
