package machine

import (
	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// mostWords is how many words an object may have.
const mostWords = 1 << 22

// slices makes an instruction that works on slices.
func (m *Machine) slices(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	switch in.Op {
	case ir.IndexAddr:
		i, n := m.val(regs, in.B), m.val(regs, in.C)
		if i >= n {
			return m.throw(t, OutOfRange(in.Num, i, int(n)), in.Pos)
		}
		p := m.val(regs, in.A)
		if p == 0 {
			return m.throw(t, nilDereference, in.Pos)
		}
		regs[in.Dst] = p + i*ir.Word(in.N)
	case ir.Index:
		i, n := m.val(regs, in.B), m.val(regs, in.C)
		if i >= n {
			return m.throw(t, OutOfRange(in.Num, i, int(n)), in.Pos)
		}
		copy(regs[in.Dst:][:in.N], m.vals(regs, in.A+places(in.A, int32(i)*in.N), in.N))
	case ir.MakeSlice:
		return m.makeSlice(t, in, regs)
	case ir.Slice:
		return m.slice(t, in, regs)
	case ir.Append:
		return m.appendSlice(t, in, regs)
	case ir.AppendStr:
		return m.appendText(t, in, regs)
	case ir.Copy:
		return m.copySlice(in, regs)
	case ir.CopyStr:
		return m.copyText(in, regs)
	case ir.Clear:
		return m.clearSlice(in, regs)
	case ir.Bytes:
		m.bytes(in, regs)
	case ir.Text:
		p, n := m.val(regs, in.A), int32(m.val(regs, in.A+places(in.A, 1)))
		if c := m.touchSome(p, n, false, in.Pos); c != next {
			return c
		}
		regs[in.Dst] = Text(m.prog.Strings, m.some(p, n), in.M == 1)
	}
	return next
}

// places is how far the operand n words behind x is from it: constants count downwards.
func places(x, n int32) int32 {
	if x < 0 {
		return -n
	}
	return n
}

// touchSome is touch of n words; n may be zero.
func (m *Machine) touchSome(p ir.Word, n int32, write bool, pos int32) ctl {
	if n == 0 {
		return next
	}
	o, frozen := m.find(p)
	return m.touch(o, frozen, p, n, write, false, pos)
}

// some are n words that p points to; n may be zero.
func (m *Machine) some(p ir.Word, n int32) []ir.Word {
	if n == 0 {
		return nil
	}
	o, _ := m.find(p)
	return m.at(o, p, n)
}

// touchBoth is touch of n words that are read and of n that are written by one
// instruction.
func (m *Machine) touchBoth(from, to ir.Word, n int32, pos int32) ctl {
	before := m.synced
	if c := m.touchSome(from, n, false, pos); c != next {
		return c
	}
	after := m.synced
	m.synced = before
	c := m.touchSome(to, n, true, pos)
	m.synced = m.synced || after
	return c
}

func (m *Machine) makeSlice(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	n, most := m.val(regs, in.A), m.val(regs, in.B)
	switch {
	case int64(n) < 0:
		return m.throw(t, "runtime error: makeslice: len out of range", in.Pos)
	case int64(most) < int64(n):
		return m.throw(t, "runtime error: makeslice: cap out of range", in.Pos)
	case !m.fits(in.To, most):
		return m.notCovered("a slice that is too large", in.Pos)
	}
	m.newSlice(regs[in.Dst:], in.To, int(n), int(most))
	return next
}

// fits reports whether an object of n times a layout is not too large.
func (m *Machine) fits(layout int32, n ir.Word) bool {
	return n*ir.Word(len(m.prog.Layouts[layout].Words)) <= mostWords && n <= mostWords
}

// newSlice makes a slice of zeros, which nobody else sees, and yields its words.
func (m *Machine) newSlice(dst []ir.Word, layout int32, n, most int) []ir.Word {
	id := m.alloc(layout, most, m.cur)
	dst[0], dst[1], dst[2] = ir.Pointer(id, 0), ir.Word(n), ir.Word(most)
	return m.wordsOf(id)
}

// slice is x[from:to:most].
func (m *Machine) slice(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	x := m.vals(regs, in.A, 3)
	p, most := x[0], x[2]
	from, to := m.val(regs, in.B), m.val(regs, in.C)
	what := "capacity"
	if in.M == 1 {
		what = "length"
	}
	var panics string
	if len(in.Args) > 0 {
		limit := most
		most = m.val(regs, in.Args[0].At)
		panics = FullSliceBounds(what, limit, from, to, most)
	} else {
		panics = SliceBounds(what, most, from, to)
	}
	if panics != "" {
		return m.throw(t, panics, in.Pos)
	}
	if most > from { // else there is nothing to point to
		p += from * ir.Word(in.N)
	}
	regs[in.Dst], regs[in.Dst+1], regs[in.Dst+2] = p, to-from, most-from
	return next
}

// grown is the capacity of a slice that grows to hold n elements: twice what it was if
// it is small, else a quarter more at a time. Go rounds up to what its allocator has.
func grown(n, old int) int {
	const small = 256
	switch {
	case n > 2*old:
		return n
	case old < small:
		return 2 * old
	}
	for old < n {
		old += (old + 3*small) >> 2
	}
	return old
}

// extend makes room for n elements of width words behind a slice: where they go, and the slice
// with them. There may be a new object.
func (m *Machine) extend(x []ir.Word, n int, width, layout int32, dst []ir.Word) ir.Word {
	p, length, most := x[0], int(x[1]), int(x[2])
	if length+n > most {
		old := p
		m.newSlice(dst, layout, length, grown(length+n, most))
		p = dst[0]
		copy(m.some(p, int32(length)*width), m.some(old, int32(length)*width))
	} else {
		dst[0], dst[1], dst[2] = p, x[1], x[2]
	}
	dst[1] = ir.Word(length + n)
	return p + ir.Word(length)*ir.Word(width)
}

// touchAppend touches what an append of n elements to x reads, or writes.
func (m *Machine) touchAppend(x []ir.Word, n int, width int32, pos int32) ctl {
	if int(x[1])+n > int(x[2]) {
		return m.touchSome(x[0], int32(x[1])*width, false, pos)
	}
	return m.touchSome(x[0]+x[1]*ir.Word(width), int32(n)*width, true, pos)
}

func (m *Machine) appendSlice(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	x, y := m.vals(regs, in.A, 3), m.vals(regs, in.B, 3)
	from, n := y[0], int(y[1])
	if n == 0 {
		copy(regs[in.Dst:], x)
		return next
	}
	if !m.fits(in.To, x[1]+y[1]) {
		return m.notCovered("a slice that is too large", in.Pos)
	}
	before := m.synced
	if c := m.touchAppend(x, n, in.N, in.Pos); c != next {
		return c
	}
	after := m.synced
	m.synced = before
	if c := m.touchSome(from, int32(n)*in.N, false, in.Pos); c != next {
		return c
	}
	m.synced = m.synced || after
	to := m.extend(x, n, in.N, in.To, regs[in.Dst:][:3])
	o, _ := m.find(to)
	m.put(o, to, in, m.some(from, int32(n)*in.N))
	return next
}

func (m *Machine) appendText(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	x, text := m.vals(regs, in.A, 3), m.prog.Strings.Text(m.val(regs, in.B))
	if text == "" {
		copy(regs[in.Dst:], x)
		return next
	}
	if c := m.touchAppend(x, len(text), 1, in.Pos); c != next {
		return c
	}
	to := m.extend(x, len(text), 1, in.To, regs[in.Dst:][:3])
	m.putText(to, in, text)
	return next
}

// putText writes a string's bytes.
func (m *Machine) putText(to ir.Word, in *ir.Instr, text string) {
	m.held = m.held[:0]
	for i := range len(text) {
		m.held = append(m.held, ir.Word(text[i]))
	}
	o, _ := m.find(to)
	m.put(o, to, in, m.held)
}

func (m *Machine) copySlice(in *ir.Instr, regs []ir.Word) ctl {
	x, y := m.vals(regs, in.A, 3), m.vals(regs, in.B, 3)
	n := min(x[1], y[1])
	words := int32(n) * in.N
	if c := m.touchBoth(y[0], x[0], words, in.Pos); c != next {
		return c
	}
	if n > 0 {
		o, _ := m.find(x[0])
		m.put(o, x[0], in, m.some(y[0], words))
	}
	regs[in.Dst] = n
	return next
}

func (m *Machine) copyText(in *ir.Instr, regs []ir.Word) ctl {
	x, text := m.vals(regs, in.A, 3), m.prog.Strings.Text(m.val(regs, in.B))
	n := min(int(x[1]), len(text))
	if c := m.touchSome(x[0], int32(n), true, in.Pos); c != next {
		return c
	}
	if n > 0 {
		m.putText(x[0], in, text[:n])
	}
	regs[in.Dst] = ir.Word(n)
	return next
}

func (m *Machine) clearSlice(in *ir.Instr, regs []ir.Word) ctl {
	x := m.vals(regs, in.A, 3)
	n := int32(x[1]) * in.N
	if c := m.touchSome(x[0], n, true, in.Pos); c != next {
		return c
	}
	clear(m.some(x[0], n))
	return next
}

// bytes is the bytes or runes of a string, as a new slice.
func (m *Machine) bytes(in *ir.Instr, regs []ir.Word) {
	text := m.prog.Strings.Text(m.val(regs, in.A))
	n := len(text)
	if in.M == 1 {
		n = 0
		for range text {
			n++
		}
	}
	to := m.newSlice(regs[in.Dst:], in.To, n, n)
	if in.M == 1 {
		n = 0
		for _, r := range text {
			to[n] = ir.Word(int64(r))
			n++
		}
		return
	}
	for i := range to {
		to[i] = ir.Word(text[i])
	}
}
