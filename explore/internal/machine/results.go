package machine

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// resultKey is the results of an operation that are few words without pointers.
type resultKey struct {
	op int
	n  int
	w  [3]ir.Word
}

// Nil is what stands among Dynamics for a pointer to a value with this text, which is not nil.
const Nil = "nil"

// answered numbers the answer of an operation.
func (m *Machine) answered(op int, values []ir.Word) int32 {
	key := resultKey{op: op, n: len(values)}
	forms := m.prog.Ops[op].Results
	short := len(values) <= len(key.w)
	for i := range forms {
		short = short && forms[i].Of == ir.Basic
	}
	if short {
		copy(key.w[:], values)
		if n, ok := m.local[key]; ok {
			return n
		}
	}
	r := Result{Op: op}
	m.dynamics = m.dynamics[:0]
	for i := range forms {
		var text strings.Builder
		if forms[i].Of == ir.InterfaceOf && i < 64 {
			if t := &m.prog.Types[values[0]].Form; values[0] != 0 && t.Of == ir.Basic && t.Kind == ir.Str {
				r.Texts |= 1 << i
			}
		}
		n := m.draw(&text, &forms[i], values, 0)
		values = values[n:]
		if forms[i].Of == ir.PointerTo && text.String() == "&"+Nil {
			m.dynamics = append(append(m.dynamics, Nil...), ' ')
		}
		r.Values = append(r.Values, text.String())
	}
	r.Dynamics = string(m.dynamics)
	n := m.shared.results.number(&r)
	if short {
		if m.local == nil {
			m.local = map[resultKey]int32{}
		}
		m.local[key] = n
	}
	return n
}

// readAnswer is the caller of an operation, who reads the slices and maps that it has returned, as one access: what
// the object goes on to write is no answer, but a race. What pointers lead to may be for others.
func (m *Machine) readAnswer(forms []ir.Form, words []ir.Word, pos int32) ctl {
	before, after := m.synced, m.synced
	for i := range forms {
		f, n := &forms[i], int32(0)
		switch f.Of {
		case ir.SliceOf:
			n = int32(words[1]) * int32(Words(&f.Parts[0]))
		case ir.MapOf:
			n = int32(min(words[0], 1))
		case ir.StructOf:
			m.synced = before
			if c := m.readAnswer(f.Parts, words, pos); c != next {
				return c
			}
			after = after || m.synced
		}
		m.synced = before
		if c := m.touchSome(words[0], n, false, pos); c != next {
			return c
		}
		after = after || m.synced
		words = words[Words(f):]
	}
	m.synced = after
	return next
}

// Words is how many words a value of a form has.
func Words(f *ir.Form) int {
	switch f.Of {
	case ir.InterfaceOf:
		return 2
	case ir.SliceOf:
		return 3
	case ir.StructOf:
		n := 0
		for i := range f.Parts {
			n += Words(&f.Parts[i])
		}
		return max(n, 1)
	case ir.ArrayOf:
		return max(f.Length*Words(&f.Parts[0]), 1)
	}
	return 1
}

// draw writes a value as text: numbers and strings as they are, structs and slices
// as {a b} and [a b], what a pointer points to behind &. It counts the value's words.
func (m *Machine) draw(b *strings.Builder, f *ir.Form, words []ir.Word, depth int) int {
	if depth > 8 {
		b.WriteString("...")
		return Words(f)
	}
	list := func(parts []ir.Form, n int, words []ir.Word, open, end byte) {
		b.WriteByte(open)
		for i := range n {
			if i > 0 {
				b.WriteByte(' ')
			}
			words = words[m.draw(b, &parts[min(i, len(parts)-1)], words, depth+1):]
		}
		b.WriteByte(end)
	}
	switch f.Of {
	case ir.Basic:
		b.WriteString(m.basic(f.Kind, words[0], depth))
	case ir.StructOf:
		list(f.Parts, len(f.Parts), words, '{', '}')
	case ir.ArrayOf:
		list(f.Parts, f.Length, words, '[', ']')
	case ir.SliceOf:
		var elements []ir.Word
		if words[0] == 0 && depth == 0 && f.Parts[0].Of == ir.Basic && f.Parts[0].Kind == ir.U8 {
			b.WriteString("nil") // which bytes may be as a whole
			break
		}
		if words[0] != 0 {
			o, _ := m.find(words[0])
			elements = m.state.words[o.off:][:o.n][ir.Slot(words[0]):]
		}
		list(f.Parts, int(words[1]), elements, '[', ']')
	case ir.InterfaceOf:
		m.drawInterface(b, words, depth)
	case ir.PointerTo:
		if words[0] == 0 {
			b.WriteString("nil")
			break
		}
		o, _ := m.find(words[0])
		b.WriteByte('&')
		if text := depth == 0 && f.Parts[0].Of == ir.Basic; !text {
			depth++ // else it is written as if it were no pointer
		}
		m.draw(b, &f.Parts[0], m.state.words[o.off:][:o.n][ir.Slot(words[0]):], depth)
	case ir.MapOf:
		m.drawMap(b, f, words[0], depth)
	default:
		b.WriteString(m.reference(f, words[0]))
	}
	return Words(f)
}

// drawMap writes a map as logs have it, in the order of its keys; one that is nil has no entries.
func (m *Machine) drawMap(b *strings.Builder, f *ir.Form, p ir.Word, depth int) {
	if len(f.Parts) == 0 {
		b.WriteString(m.reference(f, p))
		return
	}
	type entry struct{ key, value string }
	var entries []entry
	if p != 0 {
		o, _ := m.find(p)
		l, words := m.prog.Layouts[o.layout], m.state.words[o.off:][:o.n]
		for ; len(words) > 0; words = words[l.Key+l.Val:] {
			var key, value strings.Builder
			m.draw(&key, &f.Parts[0], words, depth+1)
			m.draw(&value, &f.Parts[1], words[l.Key:], depth+1)
			entries = append(entries, entry{key.String(), value.String()})
		}
	}
	slices.SortFunc(entries, func(x, y entry) int {
		return cmp.Or(values.CompareKeys(x.key, y.key), strings.Compare(x.value, y.value))
	})
	b.WriteString("map[")
	for i, e := range entries {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(e.key + ":" + e.value)
	}
	b.WriteByte(']')
}

// drawInterface writes what an interface holds, and notes its type. What is nil in an interface that is not nil has
// its type in the text.
func (m *Machine) drawInterface(b *strings.Builder, words []ir.Word, depth int) {
	t := m.prog.Types[words[0]]
	if words[0] == 0 {
		b.WriteString("nil")
		return
	}
	value := words[1:2]
	if Words(&t.Form) != 1 {
		o, _ := m.find(words[1])
		value = m.state.words[o.off:][:o.n]
	}
	m.dynamics = append(append(m.dynamics, t.Name...), ' ')
	if one := Words(&t.Form) == 1 && value[0] == 0; one && t.Form.Of != ir.Basic && t.Form.Of != ir.StructOf && t.Form.Of != ir.ArrayOf {
		b.WriteString("(" + t.Name + ")(nil)")
		return
	}
	m.draw(b, &t.Form, value, depth)
}

// reference is a map, channel or function in words.
func (m *Machine) reference(f *ir.Form, w ir.Word) string {
	if w == 0 {
		return "nil"
	}
	return f.Name
}

// basic is a number, bool or string as text; a string within a value is quoted
// where it needs that.
func (m *Machine) basic(kind ir.Num, w ir.Word, depth int) string {
	switch kind {
	case ir.Bool:
		return strconv.FormatBool(w != 0)
	case ir.Str:
		s := m.prog.Strings.Text(w)
		if depth == 0 {
			return s
		}
		return values.Word(s)
	case ir.F32, ir.F64:
		if kind == ir.F32 {
			return strconv.FormatFloat(float64(math.Float32frombits(uint32(w))), 'g', -1, 32)
		}
		return strconv.FormatFloat(math.Float64frombits(w), 'g', -1, 64)
	case ir.U8, ir.U16, ir.U32, ir.U64:
		return strconv.FormatUint(w, 10)
	}
	return strconv.FormatInt(int64(w), 10)
}

// Written lists what is known to be written once others see it, and what else an exploration finds out
// and starts again with, in an order that does not change: with it Assume has the same steps in another run.
func (s *Shared) Written() (all []uint64) {
	for i := range s.dirty {
		if s.dirty[i].Load() {
			all = append(all, uint64(i)<<1)
		}
	}
	if s.observed.Load() != 0 {
		all = append(all, uint64(len(s.dirty))<<1)
	}
	for l, words := range s.flags() {
		for w := range words {
			if words[w].Load() {
				all = append(all, (uint64(l)<<24|uint64(w))<<1|1)
			}
		}
	}
	return all
}

// flags are those of words by layout: first which are written, then which plainly.
func (s *Shared) flags() [][]atomic.Bool { return slices.Concat(s.written, s.plainly) }

// Assume takes what Written lists for written, and makes the start anew.
func (s *Shared) Assume(all []uint64) error {
	flags := s.flags()
	for _, x := range all {
		l, w := x>>25, x>>1&(1<<24-1)
		switch {
		case x&1 == 0 && x>>1 < uint64(len(s.dirty)):
			s.dirty[x>>1].Store(true)
		case x&1 == 0 && x>>1 == uint64(len(s.dirty)):
			s.observed.Store(1)
		case x&1 == 1 && l < uint64(len(flags)) && w < uint64(len(flags[l])):
			flags[l][w].Store(true)
		default:
			return fmt.Errorf("there is no word %d", x)
		}
	}
	s.Again()
	return nil
}

// Results lists what operations answered, by the numbers that answers have. Know gives
// another run the same numbers.
func (s *Shared) Results() []Result {
	s.results.mu.RLock()
	defer s.results.mu.RUnlock()
	return slices.Clone(s.results.all)
}

// Know numbers results before anything else does.
func (s *Shared) Know(all []Result) {
	for i := range all {
		s.results.number(&all[i])
	}
}

// Where is where a thread is in the state after Trace: its name there, and its next
// instruction; position 0 if it is between operations.
type Where struct {
	Thread int
	Pos    int32
	Func   string
	Op     ir.Op
}

// Where tells where a thread is after Trace, by its place in the state. The place in the
// source is that of the innermost call that has one in a file of the user's, or any.
func (m *Machine) Where(thread int, mine func(ir.Position) bool) Where {
	th := &m.base.threads[thread]
	w := Where{Thread: int(th.id)}
	for i := len(th.frames) - 1; i >= 0; i-- {
		f := &th.frames[i]
		fn := m.prog.Funcs[f.fn]
		in := &fn.Code[f.pc]
		if i == len(th.frames)-1 {
			w.Pos, w.Func, w.Op = in.Pos, fn.Name, in.Op
		}
		if mine(m.prog.Positions[in.Pos]) {
			w.Pos, w.Func = in.Pos, fn.Name
			break
		}
	}
	return w
}

// place is where readers look for what the current thread does at a place in the
// source: where the standard library was called, if it is there.
func (m *Machine) place(pos int32) int32 {
	t := &m.state.threads[m.cur]
	for i := len(t.frames) - 1; i >= 0; i-- {
		f := &t.frames[i]
		fn := m.prog.Funcs[f.fn]
		if !fn.Standard && i < len(t.frames)-1 {
			return fn.Code[f.pc].Pos
		}
		if !fn.Standard {
			break
		}
	}
	return pos
}

// Final is the state after Trace.
func (m *Machine) Final() []byte { return slices.Clone(m.final) }
