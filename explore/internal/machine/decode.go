package machine

import "github.com/adtinfer/adtinfer/explore/internal/ir"

// reader reads a canonical form.
type reader struct {
	b  []byte
	at int
	// first is the last number of an object before those that the thread alone
	// reaches.
	first ir.Word
}

func (r *reader) number() ir.Word {
	n := ir.Word(r.b[r.at])
	r.at++
	if n < 0x80 {
		return n
	}
	n &= 0x7f
	for shift := 7; ; shift += 7 {
		c := ir.Word(r.b[r.at])
		r.at++
		n |= c & 0x7f << shift
		if c < 0x80 {
			return n
		}
	}
}

func (r *reader) pointer() ir.Word {
	name := r.number()
	if name == 0 {
		return 0
	}
	id := name >> 1
	if name&1 != 0 {
		id += r.first
	}
	return id<<32 | r.number()
}

func (r *reader) list(to []ir.Word) []ir.Word {
	for n := r.number(); n > 0; n-- {
		to = append(to, r.pointer())
	}
	return to
}

func (r *reader) word(kind ir.Kind) ir.Word {
	if kind == ir.Ptr {
		return r.pointer()
	}
	return unzigzag(r.number())
}

// decode makes s the state of a canonical form.
func (m *Machine) decode(s *state, form []byte) {
	r := &reader{b: form}
	s.objs, s.words = s.objs[:0], s.words[:len(m.shared.frozenWords)]
	s.fresh = int32(r.number())
	for n := r.number(); n > 0; n-- {
		m.readObject(s, r, r.number(), shared)
	}
	for n := r.number(); n > 0; n-- {
		m.readObject(s, r, r.number(), shared)
	}
	s.setThreads(int(r.number()))
	for t := range s.threads {
		r.first = ir.Word(int(m.shared.base) + len(s.objs) - len(m.shared.permanent))
		m.readThread(s, r, int32(t))
	}
	if m.kinds.pools {
		m.markPooled(s)
	}
}

func (m *Machine) readObject(s *state, r *reader, layout ir.Word, owner int32) {
	n, published := int(r.number()), true
	if owner != shared {
		n, published = n>>1, n&1 != 0
		if published && m.shared.options.Published {
			owner = shared
		}
	}
	ownedBy := int32(0)
	if m.shared.marks {
		ownedBy = int32(r.number())
	}
	off := len(s.words)
	s.objs = append(s.objs, object{layout: int32(layout), off: int32(off), n: int32(n), owner: owner, published: published, ownedBy: ownedBy})
	if m.kinds.noPtr[layout] {
		for range n {
			s.words = append(s.words, unzigzag(r.number()))
		}
		return
	}
	l := m.prog.Layouts[layout]
	before := ir.Word(0)
	for i := range n {
		before = r.word(m.kinds.at(l, i, before))
		s.words = append(s.words, before)
	}
}

func (m *Machine) readThread(s *state, r *reader, t int32) {
	th := &s.threads[t]
	th.reset()
	th.left = int32(r.number())
	th.op = int32(r.number()) - 1
	th.wait = r.pointer()
	if m.prog.Policy != nil {
		th.call, th.state, th.guesses = int32(r.number()), int32(r.number()), uint32(r.number())
		th.owned = r.list(th.owned)
	}
	if m.shared.options.Held {
		th.held = r.list(th.held)
	}
	n := int(r.number())
	for i := range n {
		fn, pc := int32(r.number()), int32(r.number())
		f := m.prog.Funcs[fn]
		base := len(th.regs)
		th.frames = append(th.frames, frame{fn: fn, pc: pc, base: int32(base)})
		th.regs = appendZero(th.regs, len(f.Kinds))
		regs := th.regs[base:]
		live := f.Live[pc]
		if i+1 < n {
			live = m.kinds.liveOver[fn][pc]
		}
		for _, reg := range live {
			regs[reg] = r.word(m.kinds.register(f, regs, reg))
		}
	}
	for n := r.number(); n > 0; n-- {
		var p unwinding
		d := r.number()
		p.depth, p.recovered, p.pos = int32(d>>1), d&1 != 0, int32(r.number())
		p.value[0] = r.number()
		p.value[1] = r.word(m.kinds.unboxed[p.value[0]])
		th.panics = append(th.panics, p)
	}
	for layout := r.number(); layout > 0; layout = r.number() {
		m.readObject(s, r, layout-1, t)
	}
}

func appendZero(words []ir.Word, n int) []ir.Word {
	for range n {
		words = append(words, 0)
	}
	return words
}
