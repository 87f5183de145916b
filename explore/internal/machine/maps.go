package machine

import (
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// maps makes an instruction that works on a map. A map as a whole is what is accessed.
func (m *Machine) maps(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	if in.Op == ir.MakeMap {
		regs[in.Dst] = ir.Pointer(m.alloc(in.To, 0, m.cur), 0)
		return next
	}
	p := m.val(regs, in.A)
	if in.Op == ir.MapNext {
		return m.mapNext(p, m.val(regs, in.B), in, regs)
	}
	var key []ir.Word
	switch in.Op {
	case ir.MapGet, ir.MapSet, ir.MapDelete:
		key = m.vals(regs, in.B, in.M)
	}
	if p == 0 {
		return m.nilMap(t, in, key, regs)
	}
	o, frozen := m.find(p)
	write := in.Op == ir.MapSet || in.Op == ir.MapDelete || in.Op == ir.MapClear
	if c := m.touch(o, frozen, p, 1, write, false, in.Pos); c != next {
		return c
	}
	l := m.prog.Layouts[o.layout]
	width := l.Key + l.Val
	if key == nil && m.tracer != nil {
		m.tracer.entry(in, p, nil, nil, nil)
	}
	switch in.Op {
	case ir.MapLen:
		regs[in.Dst] = ir.Word(int(o.n) / width)
		return next
	case ir.MapClear:
		o.n = 0
		return next
	case ir.MapIter:
		m.mapIter(p, in, regs)
		return next
	}
	if panics := m.unhashable(l, key); panics != "" {
		return m.throw(t, panics, in.Pos)
	}
	i := m.mapFind(o, l, key)
	if m.tracer != nil {
		var old, value []ir.Word
		if i >= 0 {
			old = m.state.words[int(o.off)+i*width+l.Key:][:l.Val]
		}
		if in.Op == ir.MapSet {
			value = m.vals(regs, in.C, in.N)
		}
		m.tracer.entry(in, p, key, old, value)
	}
	switch in.Op {
	case ir.MapGet:
		m.mapGet(o, l, i, in, regs)
	case ir.MapDelete:
		if i >= 0 {
			m.cut(o, i*width, width)
		}
	case ir.MapSet:
		return m.mapSet(o, l, i, key, m.vals(regs, in.C, in.N), in.Pos)
	}
	return next
}

// nilMap is a map that is nil: it is empty, and cannot be written.
func (m *Machine) nilMap(t *thread, in *ir.Instr, key, regs []ir.Word) ctl {
	switch in.Op {
	case ir.MapSet:
		return m.throw(t, "assignment to entry in nil map", in.Pos)
	case ir.MapGet:
		clear(regs[in.Dst:][:in.N+in.C])
	case ir.MapLen:
		regs[in.Dst] = 0
	case ir.MapIter:
		regs[in.Dst] = ir.Pointer(m.alloc(in.To, 0, m.cur), 0)
	}
	return next
}

// mapFind is the entry with a key, -1 if there is none.
func (m *Machine) mapFind(o *object, l *ir.Layout, key []ir.Word) int {
	words, width := m.state.words[o.off:][:o.n], l.Key+l.Val
	for i := 0; i*width < len(words); i++ {
		if m.sameKey(l, words[i*width:][:l.Key], key) {
			return i
		}
	}
	return -1
}

// sameKey compares keys, which are known to be comparable.
func (m *Machine) sameKey(l *ir.Layout, a, b []ir.Word) bool {
	if len(a) == 1 && l.Words[0] != ir.Iface && (l.Nums == nil || l.Nums[0] != ir.F32 && l.Nums[0] != ir.F64) {
		return a[0] == b[0]
	}
	equal, _ := m.sameWords(l, a, b)
	return equal
}

// unhashable is what a key panics with that is an interface, or has one, of a type that
// cannot be compared.
func (m *Machine) unhashable(l *ir.Layout, key []ir.Word) string {
	for i := range key {
		j := i % len(l.Words)
		if l.Words[j] != ir.Iface || key[i] == 0 {
			continue
		}
		t := m.prog.Types[key[i]]
		if !t.Comparable {
			return "runtime error: hash of unhashable type " + t.GoName
		}
		if panics := m.unhashable(m.prog.Layouts[t.Layout], m.dynamicValue(key[i:])); panics != "" {
			return panics
		}
	}
	return ""
}

func (m *Machine) mapGet(o *object, l *ir.Layout, i int, in *ir.Instr, regs []ir.Word) {
	dst := regs[in.Dst:][:in.N]
	if i < 0 {
		clear(dst)
	} else {
		copy(dst, m.state.words[int(o.off)+i*(l.Key+l.Val)+l.Key:][:l.Val])
	}
	if in.C == 1 {
		regs[in.Dst+in.N] = boolWord(i >= 0)
	}
}

// mapSet writes entry i, or a new one if that is negative. An entry's key is what was
// written last: keys of different words may be equal.
func (m *Machine) mapSet(o *object, l *ir.Layout, i int, key, val []ir.Word, pos int32) ctl {
	width := l.Key + l.Val
	if i >= 0 && !slices.Equal(m.state.words[int(o.off)+i*width:][:l.Key], key) {
		m.cut(o, i*width, width)
		i = -1
	}
	if i < 0 {
		if m.hasNaN(l, key) {
			return m.notCovered("a map with a key that is not a number", pos)
		}
		if int(o.n)+width > mostWords {
			return m.notCovered("a map that is too large", pos)
		}
		i = m.mapPlace(o, l, key)
		m.open(o, i*width, width)
	}
	entry := m.state.words[int(o.off)+i*width:][:width]
	copy(entry, key)
	copy(entry[l.Key:], val)
	if o.owner == shared && !m.setup {
		m.publishWords(o.layout, entry)
	}
	return next
}

// hasNaN reports whether a key equals nothing, not even itself.
func (m *Machine) hasNaN(l *ir.Layout, key []ir.Word) bool {
	equal, _ := m.sameWords(l, key, key)
	return !equal
}

// mapPlace is where the entry of a new key goes: by its words, or last if there are pointers
// among them.
func (m *Machine) mapPlace(o *object, l *ir.Layout, key []ir.Word) int {
	words, width := m.state.words[o.off:][:o.n], l.Key+l.Val
	n := len(words) / width
	if slices.ContainsFunc(l.Words[:l.Key], func(k ir.Kind) bool { return k != ir.Data }) {
		return n
	}
	if n == 0 || slices.Compare(words[(n-1)*width:][:l.Key], key) < 0 {
		return n
	}
	i := 0
	for slices.Compare(words[i*width:][:l.Key], key) < 0 {
		i++
	}
	return i
}

// mapIter makes an iterator: the keys that it has yet to yield.
func (m *Machine) mapIter(p ir.Word, in *ir.Instr, regs []ir.Word) {
	o, _ := m.find(p)
	l := m.prog.Layouts[o.layout]
	width := l.Key + l.Val
	n := int(o.n) / width
	id := m.alloc(in.To, n, m.cur)
	to := m.wordsOf(id)
	o, _ = m.find(p) // objects may have moved
	from := m.state.words[o.off:][:o.n]
	for i := range n {
		copy(to[i*l.Key:][:l.Key], from[i*width:])
	}
	regs[in.Dst] = ir.Pointer(id, 0)
}

// mapNext yields any of the keys that an iterator has yet to yield and the map still has.
func (m *Machine) mapNext(iter, p ir.Word, in *ir.Instr, regs []ir.Word) ctl {
	dst := regs[in.Dst:][:1+in.M+in.N]
	if p == 0 {
		clear(dst)
		return next
	}
	o, frozen := m.find(p)
	if c := m.touch(o, frozen, p, 1, false, false, in.Pos); c != next {
		return c
	}
	it, _ := m.find(iter)
	l := m.prog.Layouts[o.layout]
	key := func(i int) []ir.Word { return m.state.words[int(it.off)+i*l.Key:][:l.Key] }
	for i := 0; i*l.Key < int(it.n); {
		if m.mapFind(o, l, key(i)) < 0 {
			m.cut(it, i*l.Key, l.Key)
		} else {
			i++
		}
	}
	if it.n == 0 {
		clear(dst)
		return next
	}
	i := 0
	if in.C == 0 {
		i = m.choose(int(it.n) / l.Key)
	}
	j := m.mapFind(o, l, key(i))
	dst[0] = 1
	copy(dst[1:], m.state.words[int(o.off)+j*(l.Key+l.Val):][:l.Key+l.Val])
	m.cut(it, i*l.Key, l.Key)
	return next
}

// cut removes n words of an object, from at on.
func (m *Machine) cut(o *object, at, n int) {
	words := m.state.words[o.off:][:o.n]
	copy(words[at:], words[at+n:])
	o.n -= int32(n)
}

// open makes room for n words of an object at at. An object that is not the last one
// moves.
func (m *Machine) open(o *object, at, n int) {
	if int(o.off+o.n) != len(m.state.words) {
		words := m.state.words[o.off:][:o.n]
		o.off = int32(len(m.state.words))
		m.state.words = append(m.state.words, words...)
	}
	m.state.words = appendZero(m.state.words, n)
	o.n += int32(n)
	words := m.state.words[o.off:][:o.n]
	copy(words[at+n:], words[at:])
}

// publishWords is publish of what words of a layout point to.
func (m *Machine) publishWords(layout int32, words []ir.Word) {
	if m.kinds.noPtr[layout] {
		return
	}
	kinds := m.prog.Layouts[layout].Words
	before := ir.Word(0)
	for i, w := range words {
		kind := kinds[i%len(kinds)]
		if kind == ir.Dynamic {
			kind = m.kinds.unboxed[before]
		}
		if kind == ir.Ptr {
			m.publish(w)
		}
		before = w
	}
}
