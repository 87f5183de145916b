package machine

import (
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// Action is what a step of a view does to what others see, so that it can be applied to the views of
// others that have the same Global. Objects that no root reaches, but others may, can be the same in
// both views, or not.
type Action struct {
	Sum []byte // equal for equal actions
	// Changes says that memory changes.
	Changes bool
	// Always says that others notice the step even if none of their memory changes.
	Always bool

	globals int
	held    []ir.Word // mutexes of global objects that the thread has locked
	owned   []ir.Word // global objects that it owns
	writes  []write
	others  []related
	sent    []Sent
}

// write is a global object that changes.
type write struct {
	place   int32
	words   []ir.Word
	ownedBy ownership
}

// related is an object that no root reaches, and that changes, or that others reach after the
// step. In its words, the objects of the list come after the global ones.
type related struct {
	layout         int32
	was, words     []ir.Word // was is nil if no others reached it before
	wasOwned       ownership
	ownedBy        ownership
	changed        bool
	held, ownSlots []int32 // what the thread has locked in it, what it owns
}

// Sent is what a directive did in a step of a view: it announced an operation, or broadcast a
// message.
type Sent struct {
	Call, Answer int32 // announced, with its answer; Call is -1 for a message
	Partner      bool  // the operation is that of another thread
	Reply        bool  // which so receives the message before
	After        bool  // the message's receivers act after the announcement
	Pos          int32

	owns    ir.Word   // the partner owns what it points to
	in      *ir.Instr // that broadcasts
	message []ir.Word
	pointer []bool // which words of the message are pointers
}

// broadcast notes a message: others receive it when the action is applied to their views, but for those
// that own what the view reaches, which receive it now.
func (v *Viewer) broadcast(in *ir.Instr, regs []ir.Word) ctl {
	if v.m.ghost.receiver == standIn {
		return v.tooMuch(in)
	}
	e := Sent{Call: -1, After: in.C == 1, Pos: v.m.place(in.Pos), in: in}
	th := &v.m.state.threads[v.m.directed()]
	if v.m.ghost.rule {
		th = &v.m.ghost.scratch
	}
	fn := v.m.prog.Funcs[th.frames[len(th.frames)-1].fn]
	for _, a := range in.Args {
		for i := range a.N {
			pointer := a.At >= 0 && v.m.kinds.register(fn, regs, a.At+i) == ir.Ptr
			e.pointer = append(e.pointer, pointer)
		}
		e.message = append(e.message, v.m.vals(regs, a.At, a.N)...)
	}
	v.sent = append(v.sent, e)
	return v.owners(in, func(int) bool { return true })
}

// numbering numbers objects that no root reaches.
type numbering struct {
	number []int32 // by place in the state, 0: none
	places []int32
}

// action is what the step did.
func (v *Viewer) action() *Action {
	m := v.m
	a := &Action{globals: v.globals}
	nb := &v.numbers
	nb.number = append(nb.number[:0], make([]int32, len(m.state.objs))...)
	nb.places = nb.places[:0]
	visit := func(p ir.Word) {
		if i := m.dynamic(p); i >= v.globals && nb.number[i] == 0 {
			nb.places = append(nb.places, int32(i))
			nb.number[i] = int32(len(nb.places))
		}
	}
	for i := range m.base.objs {
		if m.base.objs[i].owner == shared && v.changed(i) {
			a.Changes = true
			if i < v.globals {
				m.pointers(&m.state.objs[i], visit)
			} else {
				visit(ir.Pointer(v.id(i), 0))
			}
		}
	}
	for i := range v.sent {
		e := &v.sent[i]
		if e.owns != 0 {
			visit(e.owns)
		}
		for j, w := range e.message {
			if e.pointer[j] && w != 0 {
				visit(w)
			}
		}
	}
	for i := 0; i < len(nb.places); i++ {
		place := nb.places[i]
		m.pointers(&m.state.objs[place], visit)
		if v.old(int(place)) && v.changed(int(place)) {
			v.pointersOf(&m.base.objs[place], m.base.words, visit)
		}
	}
	v.describe(a)
	a.Sum = a.sum()
	return a
}

// old reports whether others may have reached an object before the step.
func (v *Viewer) old(place int) bool {
	return place < len(v.m.base.objs) && v.m.base.objs[place].owner == shared
}

// changed reports whether the step changed an object of the view.
func (v *Viewer) changed(i int) bool {
	x, y := &v.m.base.objs[i], &v.m.state.objs[i]
	return x.ownedBy != y.ownedBy || !slices.Equal(v.m.base.words[x.off:][:x.n], v.m.state.words[y.off:][:y.n])
}

// pointersOf is Machine.pointers of an object of another state.
func (v *Viewer) pointersOf(o *object, words []ir.Word, f func(ir.Word)) {
	l, before := v.m.prog.Layouts[o.layout], ir.Word(0)
	for i, w := range words[o.off:][:o.n] {
		if w != 0 && v.m.kinds.at(l, i, before) == ir.Ptr {
			f(w)
		}
		before = w
	}
}

// describe makes the parts of an action, from the numbering.
func (v *Viewer) describe(a *Action) {
	m := v.m
	th := &m.base.threads[0]
	for i := range m.base.objs[:v.globals] {
		if v.changed(i) {
			o := &m.state.objs[i]
			a.writes = append(a.writes, write{int32(i), v.renamed(o, m.state.words), o.ownedBy})
		}
	}
	a.held, a.owned = v.inGlobals(th.held), v.inGlobals(th.owned)
	for _, place := range v.numbers.places {
		o := &m.state.objs[place]
		x := related{layout: o.layout, words: v.renamed(o, m.state.words), ownedBy: o.ownedBy, changed: true}
		if v.old(int(place)) {
			was := &m.base.objs[place]
			x.was, x.wasOwned, x.changed = v.renamed(was, m.base.words), was.ownedBy, v.changed(int(place))
			x.held, x.ownSlots = v.slots(th.held, place), v.slots(th.owned, place)
		}
		a.others = append(a.others, x)
	}
	for _, e := range v.sent {
		if e.owns != 0 {
			e.owns = v.rename(e.owns)
		}
		e.message = slices.Clone(e.message)
		for j, w := range e.message {
			if e.pointer[j] && w != 0 {
				e.message[j] = v.rename(w)
			}
		}
		a.sent = append(a.sent, e)
	}
}

// inGlobals are the pointers to global objects, sorted.
func (v *Viewer) inGlobals(pointers []ir.Word) (in []ir.Word) {
	for _, p := range pointers {
		if i := v.m.dynamic(p); i < v.globals {
			in = append(in, p)
		}
	}
	slices.Sort(in)
	return in
}

// slots are where the pointers to an object point.
func (v *Viewer) slots(pointers []ir.Word, place int32) (in []int32) {
	for _, p := range pointers {
		if v.m.dynamic(p) == int(place) {
			in = append(in, int32(ir.Slot(p)))
		}
	}
	slices.Sort(in)
	return in
}

// rename makes a pointer into the view one into an action.
func (v *Viewer) rename(p ir.Word) ir.Word {
	i := v.m.dynamic(p)
	if i < v.globals {
		return p
	}
	return ir.Pointer(v.id(v.globals+int(v.numbers.number[i])-1), ir.Slot(p))
}

func (v *Viewer) renamed(o *object, words []ir.Word) []ir.Word {
	to := append(make([]ir.Word, 0, o.n), words[o.off:][:o.n]...)
	v.mapPointers(o.layout, to, v.rename)
	return to
}

// mapPointers changes the pointers in an object's words.
func (v *Viewer) mapPointers(layout int32, words []ir.Word, f func(ir.Word) ir.Word) {
	if v.m.kinds.noPtr[layout] {
		return
	}
	l, before := v.m.prog.Layouts[layout], ir.Word(0)
	for i, w := range words {
		if w != 0 && v.m.kinds.at(l, i, before) == ir.Ptr {
			words[i] = f(w)
		}
		before = w
	}
}

// sum tells the action from others, but for what it announces.
func (a *Action) sum() []byte {
	var b []byte
	words := func(list []ir.Word) {
		b = appendNumber(b, ir.Word(len(list)))
		for _, w := range list {
			b = appendNumber(b, w)
		}
	}
	numbers := func(list []int32) {
		b = appendNumber(b, ir.Word(len(list)))
		for _, w := range list {
			b = appendNumber(b, ir.Word(w))
		}
	}
	owned := func(o ownership) { numbers([]int32{o.call, o.state, int32(o.guesses)}) }
	words(a.held)
	words(a.owned)
	b = appendNumber(b, ir.Word(len(a.writes)))
	for _, w := range a.writes {
		numbers([]int32{w.place})
		owned(w.ownedBy)
		words(w.words)
	}
	b = appendNumber(b, ir.Word(len(a.others)))
	for i := range a.others {
		x := &a.others[i]
		numbers([]int32{x.layout, int32(boolWord(x.was != nil)), int32(boolWord(x.changed))})
		owned(x.wasOwned)
		owned(x.ownedBy)
		words(x.was)
		words(x.words)
		numbers(x.held)
		numbers(x.ownSlots)
	}
	for i := range a.sent {
		if e := &a.sent[i]; e.in != nil || e.Partner {
			numbers([]int32{e.Call, e.Answer, int32(e.Pos), int32(boolWord(e.After)), int32(boolWord(e.Reply))})
			if e.in != nil {
				numbers([]int32{e.in.To})
			}
			words([]ir.Word{e.owns})
			words(e.message)
		}
	}
	return b
}

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
