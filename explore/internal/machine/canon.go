package machine

import (
	"bytes"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// The canonical form of a state: what several threads may reach comes first, in the
// order in which it is met from the roots; then what only threads hold on to of
// what several of them reach; then each thread, with what it alone reaches numbered from
// 1 for each, in the order of these bytes. Objects that nothing reaches are left out.
//
//	fresh calls, number of global objects, the permanent ones, the others
//	number of objects that several threads reach, the objects
//	number of threads, the threads
//
// A pointer is its object, twice its name, or twice its number in the thread and 1, and
// its slot.
type canon struct {
	m       *Machine
	mark    uint32
	queue   []int32 // objects that are named, in order
	sigs    [][]byte
	held    []int32 // objects that several threads reach but no root
	order   []uint8
	numbers int32
	locals  []int32 // by thread: how many objects it alone reaches
}

// encode appends the canonical form of the machine's state; order[i] is the
// thread that is thread i of it.
func (m *Machine) encode(out []byte) (form []byte, order []uint8) {
	c := &m.canon
	c.mark++
	s := &m.state
	out = appendNumber(out, ir.Word(s.fresh))
	out = c.global(out)
	c.own()
	c.order = c.order[:0]
	for len(c.sigs) < len(s.threads) {
		c.sigs, c.locals = append(c.sigs, nil), append(c.locals, 0)
	}
	for t := range s.threads {
		c.order = append(c.order, uint8(t))
		c.sigs[t] = c.thread(c.sigs[t][:0], t)
	}
	if !m.shared.options.NoSymmetry {
		c.sort(m.shared.bounds.Threads)
	}
	at := len(c.queue)
	if len(c.held) > 0 {
		out = c.nameHeld(out)
		for t := range s.threads {
			c.sigs[t] = c.thread(c.sigs[t][:0], t)
		}
	} else {
		out = appendNumber(out, 0)
	}
	c.queue = c.queue[:at]
	out = appendNumber(out, ir.Word(len(s.threads)))
	for _, t := range c.order {
		out = append(out, c.sigs[t]...)
	}
	if m.shared.ordered {
		out = c.past(out)
	}
	return out, c.order
}

// past appends which accesses some thread does not know of, that may still make others.
func (c *canon) past(out []byte) []byte {
	m := c.m
	alive := uint64(0)
	for t := range m.state.threads {
		if th := &m.state.threads[t]; th.running() || th.left > 0 {
			alive |= 1 << t
		}
	}
	var first []int32
	name := func(p ir.Word) (ir.Word, bool) {
		i := m.dynamic(p)
		if i < 0 || m.state.objs[i].mark != c.mark {
			return 0, false
		}
		if first == nil {
			first, _ = c.firsts()
		}
		id := int(m.shared.base) + 1 - len(m.shared.permanent) + int(c.placeOf(int32(i), first))
		if i < len(m.shared.permanent) {
			id = int(m.shared.permanent[i])
		}
		return ir.Pointer(id, ir.Slot(p)), true
	}
	return m.state.past.Append(out, name, c.order, alive)
}

// firsts are the places before each thread's own objects in the form just written, and how many objects
// it has.
func (c *canon) firsts() (first []int32, n int32) {
	first = make([]int32, len(c.m.state.threads))
	at := int32(len(c.m.shared.permanent)) + c.numbers - c.m.shared.base - 1
	for _, t := range c.order {
		first[t] = at - 1
		at += c.locals[t]
	}
	return first, at
}

// placeOf is the place of an object in the form just written.
func (c *canon) placeOf(i int32, first []int32) int32 {
	o, permanent := &c.m.state.objs[i], int32(len(c.m.shared.permanent))
	switch {
	case i < permanent:
		return i
	case o.name <= 0:
		return first[o.owner] + o.sig
	}
	return o.name - c.m.shared.base - 1 + permanent
}

// sort orders the threads that make operations, and the others, by their bytes.
func (c *canon) sort(n int) {
	past := &c.m.state.past
	less := func(a, b uint8) int {
		by := bytes.Compare(c.sigs[a], c.sigs[b])
		if by == 0 && past.Len() > 0 {
			by = bytes.Compare(past.Unknown(nil, int(a)), past.Unknown(nil, int(b)))
		}
		return by
	}
	if c.m.shared.bounds.Plans == nil {
		slices.SortStableFunc(c.order[:n], less)
	}
	if len(c.order) > n+1 {
		slices.SortStableFunc(c.order[n:], less)
	}
}

// global names and writes what is reached from the roots.
func (c *canon) global(out []byte) []byte {
	m := c.m
	c.queue = c.queue[:0]
	for i := range m.shared.permanent {
		o := &m.state.objs[i]
		o.mark, o.name, o.owner = c.mark, m.shared.permanent[i], shared
		c.queue = append(c.queue, int32(i))
	}
	next := m.shared.base + 1
	for i := 0; i < len(c.queue); i++ {
		next = c.nameReached(c.queue[i], next)
	}
	out = appendNumber(out, ir.Word(len(c.queue)))
	for _, i := range c.queue {
		out = c.object(out, &m.state.objs[i], 0)
	}
	c.numbers = next
	return out
}

// nameReached names the objects to which an object points.
func (c *canon) nameReached(i, next int32) int32 {
	m := c.m
	m.pointers(&m.state.objs[i], func(p ir.Word) {
		j := m.dynamic(p)
		if j < 0 {
			return
		}
		if o := &m.state.objs[j]; o.mark != c.mark {
			o.mark, o.name, o.owner = c.mark, next, shared
			next++
			c.queue = append(c.queue, int32(j))
		}
	})
	return next
}

// own finds for each object that no root reaches the thread that does, or that
// there are several: those are held. Threads stop owning what nothing reaches.
func (c *canon) own() {
	m := c.m
	c.held = c.held[:0]
	for t := range m.state.threads {
		m.roots(&m.state.threads[t], func(p ir.Word) { c.claim(p, int32(t)) })
	}
	for t := range m.state.threads {
		th := &m.state.threads[t]
		th.owned = slices.DeleteFunc(th.owned, func(p ir.Word) bool {
			j := m.dynamic(p)
			return j >= 0 && m.state.objs[j].mark != c.mark
		})
	}
}

// claim notes that a thread reaches what p points to.
func (c *canon) claim(p ir.Word, t int32) {
	m := c.m
	j := m.dynamic(p)
	if j < 0 {
		return
	}
	o := &m.state.objs[j]
	switch {
	case o.mark != c.mark: // the first one
		o.mark, o.name, o.owner = c.mark, 0, t
	case o.name != 0 || o.owner == shared || o.owner == t:
		return
	default:
		t, o.owner, o.published = shared, shared, true
		c.held = append(c.held, int32(j))
	}
	m.pointers(o, func(q ir.Word) { c.claim(q, o.owner) })
}

// nameHeld names and writes the objects that several threads hold, in the order in
// which the threads, in theirs, meet them.
func (c *canon) nameHeld(out []byte) []byte {
	m := c.m
	first := len(c.queue)
	c.numbers = max(c.numbers, m.shared.base+1)
	name := func(p ir.Word) {
		j := m.dynamic(p)
		if j < 0 {
			return
		}
		if o := &m.state.objs[j]; o.owner == shared && o.name == 0 {
			o.name = c.numbers
			c.numbers++
			c.queue = append(c.queue, int32(j))
		}
	}
	for _, t := range c.order {
		m.roots(&m.state.threads[t], func(p ir.Word) {
			name(p)
			c.nameBehind(p, name)
		})
	}
	for i := first; i < len(c.queue); i++ {
		m.pointers(&m.state.objs[c.queue[i]], name)
	}
	out = appendNumber(out, ir.Word(len(c.queue)-first))
	for _, i := range c.queue[first:] {
		out = c.object(out, &m.state.objs[i], 0)
	}
	return out
}

// nameBehind names what the objects of one thread, from p on, point to. Field sig of these
// objects is their number in the thread; they are passed once, in that order.
func (c *canon) nameBehind(p ir.Word, name func(ir.Word)) {
	m := c.m
	j := m.dynamic(p)
	if j < 0 {
		return
	}
	o := &m.state.objs[j]
	if o.owner == shared || o.name == -1 {
		return
	}
	o.name = -1 // passed; the name of an object of one thread is not used
	m.pointers(o, func(q ir.Word) {
		name(q)
		c.nameBehind(q, name)
	})
}

// thread appends a thread, and the objects that it reaches and that have no name.
func (c *canon) thread(out []byte, t int) []byte {
	m := c.m
	th := &m.state.threads[t]
	m.sigMark++
	at := len(c.queue)
	out = appendNumber(out, ir.Word(th.left))
	out = appendNumber(out, ir.Word(th.op+1))
	out = c.pointer(out, th.wait)
	if m.prog.Policy != nil {
		out = appendNumber(out, ir.Word(th.call))
		out = appendNumber(out, ir.Word(th.state))
		out = appendNumber(out, ir.Word(th.guesses))
		out = c.list(out, th.owned)
	}
	if m.shared.options.Held {
		out = c.list(out, th.held)
	}
	out = appendNumber(out, ir.Word(len(th.frames)))
	for i := range th.frames {
		f := &th.frames[i]
		out = appendNumber(out, ir.Word(f.fn))
		out = appendNumber(out, ir.Word(f.pc))
		fn, regs := m.prog.Funcs[f.fn], th.regs[f.base:]
		for _, r := range m.kinds.live(th, i) {
			out = c.word(out, m.kinds.register(fn, regs, r), regs[r])
		}
	}
	out = appendNumber(out, ir.Word(len(th.panics)))
	for _, p := range th.panics {
		out = appendNumber(out, ir.Word(p.depth)<<1|boolWord(p.recovered))
		out = appendNumber(out, ir.Word(p.pos))
		out = appendNumber(out, p.value[0])
		out = c.word(out, m.kinds.unboxed[p.value[0]], p.value[1])
	}
	for i := at; i < len(c.queue); i++ {
		o := &m.state.objs[c.queue[i]]
		out = c.object(out, o, 1)
	}
	c.locals[t] = int32(len(c.queue) - at)
	c.queue = c.queue[:at]
	return appendNumber(out, 0)
}

// list appends pointers.
func (c *canon) list(out []byte, pointers []ir.Word) []byte {
	out = appendNumber(out, ir.Word(len(pointers)))
	for _, p := range pointers {
		out = c.pointer(out, p)
	}
	return out
}

func boolWord(b bool) ir.Word {
	if b {
		return 1
	}
	return 0
}

// object appends an object: its layout and first, more than what ends a list.
func (c *canon) object(out []byte, o *object, first ir.Word) []byte {
	out = appendNumber(out, ir.Word(o.layout)+first)
	n := ir.Word(o.n)
	if first > 0 { // it is a thread's
		n = n<<1 | boolWord(o.published)
	}
	out = appendNumber(out, n)
	if c.m.shared.marks {
		out = c.ownership(out, o.ownedBy)
	}
	words := c.m.state.words[o.off:][:o.n]
	if c.m.kinds.noPtr[o.layout] {
		for _, w := range words {
			out = appendNumber(out, zigzag(w))
		}
		return out
	}
	l := c.m.prog.Layouts[o.layout]
	before := ir.Word(0)
	for i, w := range words {
		out = c.word(out, c.m.kinds.at(l, i, before), w)
		before = w
	}
	return out
}

func (c *canon) word(out []byte, kind ir.Kind, w ir.Word) []byte {
	if kind == ir.Ptr {
		return c.pointer(out, w)
	}
	return appendNumber(out, zigzag(w))
}

// pointer appends a pointer. An object without a name gets the next number of the
// thread, and is put into the queue.
func (c *canon) pointer(out []byte, p ir.Word) []byte {
	if p == 0 {
		return append(out, 0)
	}
	name := ir.Word(ir.Object(p)) << 1
	if j := c.m.dynamic(p); j >= 0 {
		o := &c.m.state.objs[j]
		switch {
		case o.name > 0:
			name = ir.Word(o.name) << 1
		case o.sigAt != c.m.sigMark:
			o.sigAt = c.m.sigMark
			c.m.sigCount(o)
			c.queue = append(c.queue, int32(j))
			fallthrough
		default:
			name = ir.Word(o.sig)<<1 | 1
		}
	}
	out = appendNumber(out, name)
	return appendNumber(out, ir.Word(ir.Slot(p)))
}

// sigCount gives an object the next number of the thread that is written.
func (m *Machine) sigCount(o *object) {
	if m.sigOf != m.sigMark {
		m.sigOf, m.sigLast = m.sigMark, 0
	}
	m.sigLast++
	o.sig = m.sigLast
}

// dynamic is the place among the state's objects of what p points to; -1 if that
// is nil or never written.
func (m *Machine) dynamic(p ir.Word) int {
	id := int32(ir.Object(p))
	if id > m.shared.base {
		return int(id-m.shared.base-1) + len(m.shared.permanent)
	}
	return int(m.shared.place[id])
}

// pointers calls f with the pointers in an object.
func (m *Machine) pointers(o *object, f func(ir.Word)) {
	if m.kinds.noPtr[o.layout] {
		return
	}
	l := m.prog.Layouts[o.layout]
	before := ir.Word(0)
	for i, w := range m.state.words[o.off:][:o.n] {
		if w != 0 && m.kinds.at(l, i, before) == ir.Ptr {
			f(w)
		}
		before = w
	}
}

// roots calls f with the pointers that a thread holds. What it owns is none: of an object to which
// nothing else points no directive can speak. But with marks others may see who owns it.
func (m *Machine) roots(t *thread, f func(ir.Word)) {
	if t.wait != 0 {
		f(t.wait)
	}
	for _, p := range t.held {
		f(p)
	}
	if m.shared.marks {
		for _, p := range t.owned {
			f(p)
		}
	}
	for i := range t.frames {
		fr := &t.frames[i]
		fn, regs := m.prog.Funcs[fr.fn], t.regs[fr.base:]
		for _, r := range m.kinds.live(t, i) {
			if regs[r] != 0 && m.kinds.register(fn, regs, r) == ir.Ptr {
				f(regs[r])
			}
		}
	}
	for _, p := range t.panics {
		if m.kinds.unboxed[p.value[0]] == ir.Ptr {
			f(p.value[1])
		}
	}
}

func zigzag(w ir.Word) ir.Word { return w<<1 ^ ir.Word(int64(w)>>63) }

func unzigzag(w ir.Word) ir.Word { return w>>1 ^ -(w & 1) }

// appendNumber appends a number, small ones in a byte.
func appendNumber(b []byte, n ir.Word) []byte {
	for n >= 0x80 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n))
}
