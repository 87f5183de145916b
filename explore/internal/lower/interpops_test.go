package lower

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// plain runs an instruction that goes on with the next one; text is that of its panic.
func (a *activation) plain(in *ir.Instr) (text string) {
	switch op := in.Op; {
	case op >= ir.Add && op <= ir.Convert && op != ir.Same:
		return a.number(in)
	case op >= ir.Len && op <= ir.NextRune:
		return a.text(in)
	case op >= ir.MakeMap && op <= ir.MapNext:
		return a.mapOp(in)
	case op >= ir.AtomicLoad && op <= ir.WGWait:
		return a.atomic(in)
	case op >= ir.MakeChan && op <= ir.Select:
		return a.channel(in)
	}
	return a.memory(in)
}

const outOfRange = "index out of range"

func (a *activation) memory(in *ir.Instr) string {
	m := a.m
	switch in.Op {
	case ir.Move:
		a.set(in.Dst, a.gets(in.A, in.N)...)
	case ir.Same:
		equal, text := m.same(m.p.Layouts[in.To], a.gets(in.A, in.N), a.gets(in.B, in.N))
		if text != "" {
			return text
		}
		a.set(in.Dst, truth(equal))
	case ir.FieldAddr:
		if a.get(in.A) == 0 {
			return nilText
		}
		a.set(in.Dst, a.get(in.A)+ir.Word(in.N))
	case ir.Cast:
		if p, to := a.get(in.A), m.p.Layouts[in.To]; p != 0 && (!m.castable(p, to) || in.M == 1 && len(m.objs[ir.Object(p)].layout.Words) != len(to.Words)) {
			panic(stuck{"fail: cast to " + m.p.Layouts[in.To].Name})
		}
		a.set(in.Dst, a.get(in.A))
	case ir.IndexAddr:
		i := a.get(in.B)
		if i >= a.get(in.C) {
			return outOfRange
		}
		a.set(in.Dst, a.get(in.A)+i*ir.Word(in.N))
	case ir.Index:
		i := a.get(in.B)
		if i >= a.get(in.C) {
			return outOfRange
		}
		a.set(in.Dst, a.gets(in.A, in.M)[int32(i)*in.N:][:in.N]...)
	case ir.Alloc:
		m.object(int(in.To), int(in.N))
		a.set(in.Dst, m.last())
	case ir.MakeSlice:
		n, c := int64(a.get(in.A)), int64(a.get(in.B))
		if n < 0 || n > c || c > 1<<20 {
			return "makeslice: len out of range"
		}
		m.object(int(in.To), int(c))
		a.set(in.Dst, m.last(), ir.Word(n), ir.Word(c))
	case ir.Slice:
		s, lo, hi := a.gets(in.A, 3), a.get(in.B), a.get(in.C)
		max := s[2]
		if len(in.Args) > 0 {
			max = a.get(in.Args[0].At)
		}
		if max > s[2] || hi > max || lo > hi {
			return "slice bounds out of range"
		}
		a.set(in.Dst, s[0]+lo*ir.Word(in.N), hi-lo, max-lo)
	case ir.MakeIface:
		v := a.gets(in.A, in.N)
		if len(v) != 1 {
			copy(m.object(m.p.Types[in.To].Layout, 1).words, v)
			v = []ir.Word{m.last()}
		}
		a.set(in.Dst, ir.Word(in.To), v[0])
	case ir.Assert, ir.AssertTo:
		return a.assert(in)
	case ir.MakeClosure:
		o := m.object(int(in.N), 1)
		o.words[0] = ir.Word(in.To)
		copy(o.words[1:], a.args(in))
		a.set(in.Dst, m.last())
	case ir.CallNative:
		rets := make([]ir.Word, in.N)
		if text := m.p.Natives[in.To].Call(m.p, a.args(in), rets); text != "" {
			return text
		}
		a.set(in.Dst, rets...)
	default:
		return a.slices(in)
	}
	return ""
}

func (a *activation) assert(in *ir.Instr) string {
	v := a.gets(in.A, 2)
	ok, n := v[0] == ir.Word(in.To), in.N
	out := make([]ir.Word, n)
	if in.Op == ir.AssertTo {
		n, out = 2, []ir.Word{0, 0}
		ok = v[0] != 0
		for _, method := range a.m.p.Interfaces[in.To].Methods {
			_, has := a.m.p.Types[v[0]].Methods[method]
			ok = ok && has
		}
		if ok {
			out = v
		}
	} else if ok {
		out = a.m.unbox(v)
	}
	if !ok && in.M == 0 {
		return "interface conversion"
	}
	a.set(in.Dst, out...)
	if in.M == 1 {
		a.set(in.Dst+n, truth(ok))
	}
	return ""
}

func (a *activation) slices(in *ir.Instr) string {
	m := a.m
	n := ir.Word(in.N)
	words := func(s []ir.Word) []ir.Word { // of a slice
		if s[1] == 0 {
			return nil
		}
		return m.at(s[0])[:s[1]*n]
	}
	bytes := func(s string) []ir.Word {
		var list []ir.Word
		for _, b := range []byte(s) {
			list = append(list, ir.Word(b))
		}
		return list
	}
	str := func(x int32) string { return m.p.Strings.Text(a.get(x)) }
	switch in.Op {
	case ir.Load:
		if a.get(in.A) == 0 {
			return nilText
		}
		a.set(in.Dst, slices.Clone(m.at(a.get(in.A))[:in.N])...)
	case ir.Store:
		if a.get(in.A) == 0 {
			return nilText
		}
		copy(m.at(a.get(in.A))[:in.N], a.gets(in.B, in.N))
	case ir.Append, ir.AppendStr:
		s := a.gets(in.A, 3)
		var more []ir.Word
		if in.Op == ir.AppendStr {
			n = 1
			more = bytes(str(in.B))
		} else {
			more = slices.Clone(words(a.gets(in.B, 3)))
		}
		count := ir.Word(len(more)) / n
		if s[1]+count > s[2] {
			size := max(s[1]+count, 2*s[2])
			o := m.object(int(in.To), int(size))
			copy(o.words, words(s))
			s[0], s[2] = m.last(), size
		}
		if count > 0 {
			copy(m.at(s[0])[s[1]*n:], more)
		}
		s[1] += count
		a.set(in.Dst, s...)
	case ir.Copy, ir.CopyStr:
		to := words(a.gets(in.A, 3))
		from := []ir.Word(nil)
		if in.Op == ir.CopyStr {
			from = bytes(str(in.B))
		} else {
			from = words(a.gets(in.B, 3))
		}
		a.set(in.Dst, ir.Word(copy(to, from))/n)
	case ir.Clear:
		clear(words(a.gets(in.A, 3)))
	case ir.Bytes:
		list := bytes(str(in.A))
		if in.M == 1 {
			list = nil
			for _, r := range str(in.A) {
				list = append(list, ir.Word(r))
			}
		}
		copy(m.object(int(in.To), len(list)).words, list)
		a.set(in.Dst, m.last(), ir.Word(len(list)), ir.Word(len(list)))
	case ir.Text:
		n = 1
		var text string
		var buf []byte
		for _, w := range words(a.gets(in.A, 3)) {
			buf = append(buf, byte(w))
			text += string(rune(w))
		}
		if in.M == 0 {
			text = string(buf)
		}
		a.set(in.Dst, m.p.Strings.Number(text))
	default:
		panic(stuck{fmt.Sprintf("no instruction %s", in.Op)})
	}
	return ""
}

func (a *activation) mapOp(in *ir.Instr) string {
	m := a.m
	var o *object
	if in.Op != ir.MakeMap && in.Op != ir.MapNext && a.get(in.A) != 0 {
		o = m.objs[ir.Object(a.get(in.A))]
	}
	find := func(o *object, key []ir.Word) (int, string) {
		if o == nil {
			return -1, ""
		}
		if _, text := m.same(o.layout, key, key); text != "" {
			return -1, text
		}
		for i, k := range o.keys {
			equal, text := m.same(o.layout, k, key)
			if text != "" || equal {
				return i, text
			}
		}
		return -1, ""
	}
	switch in.Op {
	case ir.MakeMap:
		m.object(int(in.To), 0)
		a.set(in.Dst, m.last())
	case ir.MapGet:
		v := make([]ir.Word, in.N)
		i, text := find(o, a.gets(in.B, in.M))
		if text != "" {
			return text
		}
		if i >= 0 {
			v = o.vals[i]
		}
		a.set(in.Dst, v...)
		if in.C == 1 {
			a.set(in.Dst+in.N, truth(i >= 0))
		}
	case ir.MapSet:
		if o == nil {
			return "assignment to entry in nil map"
		}
		i, text := find(o, a.gets(in.B, in.M))
		if text != "" {
			return text
		}
		if i < 0 {
			i = len(o.keys)
			o.keys, o.vals = append(o.keys, a.gets(in.B, in.M)), append(o.vals, nil)
		}
		o.vals[i] = a.gets(in.C, in.N)
	case ir.MapDelete:
		if i, _ := find(o, a.gets(in.B, in.M)); i >= 0 {
			o.keys, o.vals = slices.Delete(o.keys, i, i+1), slices.Delete(o.vals, i, i+1)
		}
	case ir.MapLen:
		n := 0
		if o != nil {
			n = len(o.keys)
		}
		a.set(in.Dst, ir.Word(n))
	case ir.MapClear:
		if o != nil {
			o.keys, o.vals = nil, nil
		}
	case ir.MapIter:
		it := m.object(int(in.To), 0)
		if o != nil {
			it.keys = slices.Clone(o.keys)
		}
		a.set(in.Dst, m.last())
	case ir.MapNext:
		it := m.objs[ir.Object(a.get(in.A))]
		for len(it.keys) > 0 {
			k := it.keys[0]
			it.keys = it.keys[1:]
			o := m.objs[ir.Object(a.get(in.B))]
			if i, _ := find(o, k); i >= 0 {
				a.set(in.Dst, 1)
				a.set(in.Dst+1, k...)
				a.set(in.Dst+1+in.M, o.vals[i]...)
				return ""
			}
		}
		a.set(in.Dst, 0)
	}
	return ""
}

// castable reports whether p points to the words of a layout.
func (m *interp) castable(p ir.Word, to *ir.Layout) bool {
	o := m.objs[ir.Object(p)]
	if len(o.words) < ir.Slot(p)+len(to.Words) || o.layout.Special != to.Special {
		return false
	}
	for i, k := range to.Words {
		j := (ir.Slot(p) + i) % len(o.layout.Words)
		if o.layout.Words[j] != k || !ir.SameWord(numOfWord(o.layout, j), numOfWord(to, i)) {
			return false
		}
	}
	return true
}
