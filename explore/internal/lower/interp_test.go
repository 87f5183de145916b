package lower

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// interp runs a program sequentially: slowly, and as plainly as can be. A go statement runs
// its call at once; what waits is an error.
type interp struct {
	p     *ir.Program
	objs  []*object // the first one is none
	steps int
	trace func(fn, pc int)
}

type object struct {
	words  []ir.Word
	layout *ir.Layout
	keys   [][]ir.Word // of a map
	vals   [][]ir.Word
	queue  [][]ir.Word // of a channel
	size   int
	closed bool
}

// thrown is a panic.
type thrown struct {
	value     [2]ir.Word
	text      string // of a runtime error
	recovered bool
}

// stuck ends a run that cannot go on.
type stuck struct{ text string }

func newInterp(p *ir.Program) *interp {
	in := &interp{p: p, objs: []*object{nil}}
	for _, g := range p.Globals {
		o := in.object(g.Layout, g.Count)
		copy(o.words, g.Init)
	}
	return in
}

func (m *interp) object(layout, n int) *object {
	l := m.p.Layouts[layout]
	o := &object{layout: l, words: make([]ir.Word, n*len(l.Words))}
	m.objs = append(m.objs, o)
	return o
}

func (m *interp) last() ir.Word { return ir.Pointer(len(m.objs)-1, 0) }

// run calls a function; err says why it did not end.
func (m *interp) run(fn int, args []ir.Word) (rets []ir.Word, panicked *thrown, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stuck:
			err = fmt.Errorf("stuck: %s", r.text)
		default:
			panic(r)
		}
	}()
	m.steps = 0
	rets, panicked = m.call(fn, args, nil)
	return rets, panicked, nil
}

type deferredCall struct {
	fn   int
	args []ir.Word
}

type activation struct {
	m      *interp
	f      *ir.Func
	regs   []ir.Word
	defers []deferredCall
	why    *thrown // the panic for which it was called, if it was deferred
}

// call makes a call, and the calls that it defers.
func (m *interp) call(fn int, args []ir.Word, why *thrown) ([]ir.Word, *thrown) {
	f := m.p.Funcs[fn]
	if len(args) != f.Params+f.Captured {
		panic(stuck{fmt.Sprintf("%s is called with %d words, takes %d", f.Name, len(args), f.Params+f.Captured)})
	}
	a := &activation{m: m, f: f, regs: make([]ir.Word, len(f.Kinds)), why: why}
	for i := range a.regs {
		a.regs[i] = garbage
	}
	if f.Defers >= 0 {
		a.regs[f.Defers] = 0
	}
	copy(a.regs, args)
	pc := 0
	for {
		if m.trace != nil {
			m.trace(fn, pc)
		}
		a.spoil(pc)
		rets, next, t := a.step(pc)
		if t != nil {
			if t = a.runDefers(t); t != nil {
				return nil, t
			}
			pc = int(f.Recovers)
			continue
		}
		if next < 0 {
			return rets, nil
		}
		pc = next
	}
}

// garbage is what registers hold whose values do not matter: if they do after all, it shows.
const garbage = 0xdeadbeef_deadbeef

// spoil overwrites the registers that are not live at an instruction.
func (a *activation) spoil(pc int) {
	if a.f.Live == nil { // not computed
		return
	}
	live := a.f.Live[pc]
	for r := range a.regs {
		if len(live) > 0 && live[0] == int32(r) {
			live = live[1:]
		} else {
			a.regs[r] = garbage
		}
	}
}

// runDefers makes the deferred calls; it returns the panic that is left.
func (a *activation) runDefers(t *thrown) *thrown {
	for len(a.defers) > 0 {
		d := a.defers[len(a.defers)-1]
		a.defers = a.defers[:len(a.defers)-1]
		if d.fn < 0 {
			t = &thrown{text: "nil"}
			continue
		}
		if _, again := a.m.call(d.fn, d.args, t); again != nil {
			t = again
		} else if t != nil && t.recovered {
			t = nil
			if again := a.runDefers(nil); again != nil {
				return again
			}
			return nil
		}
	}
	return t
}

func (a *activation) get(x int32) ir.Word {
	if x < 0 {
		return a.m.p.Consts[^x]
	}
	return a.regs[x]
}

func (a *activation) gets(x, n int32) []ir.Word {
	if x < 0 {
		return slices.Clone(a.m.p.Consts[^x:][:n])
	}
	return slices.Clone(a.regs[x:][:n])
}

func (a *activation) set(x int32, words ...ir.Word) { copy(a.regs[x:][:len(words)], words) }

func (a *activation) args(in *ir.Instr) []ir.Word {
	var list []ir.Word
	for _, arg := range in.Args {
		list = append(list, a.gets(arg.At, arg.N)...)
	}
	return list
}

// at are the words from a pointer on.
func (m *interp) at(p ir.Word) []ir.Word { return m.objs[ir.Object(p)].words[ir.Slot(p):] }

// step runs an instruction. The next one is -1 after a return.
func (a *activation) step(pc int) (rets []ir.Word, next int, t *thrown) {
	if a.m.steps++; a.m.steps > 10_000_000 {
		panic(stuck{"too many steps"})
	}
	in := &a.f.Code[pc]
	switch in.Op {
	case ir.Jump:
		return nil, int(in.To), nil
	case ir.If:
		if a.get(in.A) != 0 {
			return nil, int(in.To), nil
		}
		return nil, int(in.M), nil
	case ir.Return:
		rets := a.args(in)
		if len(rets) != a.f.Results && a.f.Results > 0 {
			panic(stuck{fmt.Sprintf("%s returns %d words, has %d results", a.f.Name, len(rets), a.f.Results)})
		}
		return rets, -1, nil
	case ir.RunDefers:
		return nil, pc + 1, a.runDefers(nil)
	case ir.Panic:
		v := a.gets(in.A, 2)
		return nil, pc, &thrown{value: [2]ir.Word{v[0], v[1]}}
	case ir.Recover:
		a.set(in.Dst, 0, 0)
		if a.why != nil && !a.why.recovered {
			a.why.recovered = true
			v := a.why.value
			if a.why.text != "" {
				v = [2]ir.Word{ir.Word(a.m.p.RuntimeError), a.m.p.Strings.Number(a.why.text)}
			}
			a.set(in.Dst, v[:]...)
		}
		return nil, pc + 1, nil
	case ir.Fail:
		panic(stuck{"fail: " + a.m.p.Strings.Text(ir.Word(in.To))})
	case ir.Call, ir.CallClosure, ir.CallMethod:
		return nil, pc + 1, a.calls(in)
	}
	if text := a.plain(in); text != "" {
		return nil, pc, &thrown{text: text}
	}
	return nil, pc + 1, nil
}

const nilText = "invalid memory address or nil pointer dereference"

func (a *activation) calls(in *ir.Instr) *thrown {
	fn, args := int(in.To), a.args(in)
	switch in.Op {
	case ir.CallClosure:
		p := a.get(in.A)
		if p == 0 {
			if in.Mode == ir.Defer {
				a.defers = append(a.defers, deferredCall{fn: -1})
				return nil
			}
			return &thrown{text: nilText}
		}
		words := a.m.at(p)
		fn, args = int(words[0]), append(args, words[1:]...)
	case ir.CallMethod:
		v := a.gets(in.A, 2)
		if v[0] == 0 {
			return &thrown{text: nilText}
		}
		var ok bool
		if fn, ok = a.m.p.Types[v[0]].Methods[int(in.To)]; !ok {
			panic(stuck{"no method " + a.m.p.Methods[in.To]})
		}
		args = append(a.m.unbox(v), args...)
	}
	if in.Mode == ir.Defer {
		a.defers = append(a.defers, deferredCall{fn, args})
		return nil
	}
	rets, t := a.m.call(fn, args, nil)
	if t == nil && in.Mode == ir.Now {
		a.set(in.Dst, rets[:in.N]...)
	}
	return t
}

// unbox is the value in an interface.
func (m *interp) unbox(v []ir.Word) []ir.Word {
	if n := len(m.p.Layouts[m.p.Types[v[0]].Layout].Words); n != 1 {
		return slices.Clone(m.at(v[1])[:n])
	}
	return []ir.Word{v[1]}
}

// same compares values of a layout.
func (m *interp) same(l *ir.Layout, x, y []ir.Word) (equal bool, text string) {
	for i := 0; i < len(x); i++ {
		if num := numOfWord(l, i); isFloat(num) {
			if float(num, x[i]) != float(num, y[i]) {
				return false, ""
			}
			continue
		}
		if x[i] != y[i] && (i == 0 || l.Words[i] != ir.Dynamic) {
			return false, ""
		}
		if l.Words[i] != ir.Iface || x[i] == 0 {
			continue
		}
		t := m.p.Types[x[i]]
		if !t.Comparable {
			return false, "comparing uncomparable type " + t.Name
		}
		if equal, text := m.same(m.p.Layouts[t.Layout], m.unbox(x[i:]), m.unbox(y[i:])); !equal {
			return false, text
		}
	}
	return true, ""
}

func numOfWord(l *ir.Layout, i int) ir.Num {
	if l.Nums == nil {
		return ir.I64
	}
	return l.Nums[i]
}

func float(k ir.Num, w ir.Word) float64 {
	if k == ir.F32 {
		return float64(math.Float32frombits(uint32(w)))
	}
	return math.Float64frombits(w)
}

func unfloat(k ir.Num, f float64) ir.Word {
	if k == ir.F32 {
		return ir.Word(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

// runes decodes a string.
func (a *activation) nextRune(in *ir.Instr) {
	s, at := a.m.p.Strings.Text(a.get(in.A)), int(a.get(in.B))
	if at >= len(s) {
		a.set(in.Dst, 0, ir.Word(at), 0)
		return
	}
	r, n := utf8.DecodeRuneInString(s[at:])
	a.set(in.Dst, 1, ir.Word(at), ir.Word(r))
	a.set(in.C, ir.Word(at+n))
}
