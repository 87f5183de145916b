package machine

import (
	"math"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// same compares words as values of a layout, the first ones of it or several times it.
// Interfaces of a type that cannot be compared panic.
func (m *Machine) same(layout int, a, b []ir.Word) (equal bool, panics string) {
	return m.sameWords(m.prog.Layouts[layout], a, b)
}

func (m *Machine) sameWords(l *ir.Layout, a, b []ir.Word) (equal bool, panics string) {
	for i, j := 0, 0; i < len(a); i, j = i+1, j+1 {
		if j == len(l.Words) {
			j = 0
		}
		switch {
		case l.Words[j] == ir.Iface:
			if equal, panics := m.sameInterface(a[i:], b[i:]); !equal {
				return false, panics
			}
			i, j = i+1, j+1
		case l.Nums != nil && l.Nums[j] == ir.F64:
			if math.Float64frombits(a[i]) != math.Float64frombits(b[i]) {
				return false, ""
			}
		case l.Nums != nil && l.Nums[j] == ir.F32:
			if math.Float32frombits(uint32(a[i])) != math.Float32frombits(uint32(b[i])) {
				return false, ""
			}
		case a[i] != b[i]:
			return false, ""
		}
	}
	return true, ""
}

// sameInterface compares two interfaces.
func (m *Machine) sameInterface(a, b []ir.Word) (equal bool, panics string) {
	switch {
	case a[0] != b[0]:
		return false, ""
	case a[0] == 0:
		return true, ""
	}
	t := m.prog.Types[a[0]]
	if !t.Comparable {
		return false, "runtime error: comparing uncomparable type " + t.GoName
	}
	return m.same(t.Layout, m.dynamicValue(a), m.dynamicValue(b))
}

// dynamicValue is what an interface that is not nil holds.
func (m *Machine) dynamicValue(x []ir.Word) []ir.Word {
	if len(m.prog.Layouts[m.prog.Types[x[0]].Layout].Words) == 1 {
		return x[1:2]
	}
	o, _ := m.find(x[1])
	return m.state.words[o.off:][:o.n]
}

// interfaces makes an instruction that works on interfaces.
func (m *Machine) interfaces(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	switch in.Op {
	case ir.Same:
		equal, panics := m.same(int(in.To), m.vals(regs, in.A, in.N), m.vals(regs, in.B, in.N))
		if panics != "" {
			return m.throw(t, panics, in.Pos)
		}
		regs[in.Dst] = boolWord(equal)
	case ir.MakeIface:
		w := m.val(regs, in.A)
		if in.N != 1 {
			id := m.alloc(int32(m.prog.Types[in.To].Layout), 1, m.cur)
			copy(m.wordsOf(id), m.vals(regs, in.A, in.N))
			w = ir.Pointer(id, 0)
		}
		regs[in.Dst], regs[in.Dst+1] = ir.Word(in.To), w
	case ir.Assert:
		return m.assert(t, in, regs)
	case ir.AssertTo:
		return m.assertTo(t, in, regs)
	}
	return next
}

// assert is x.(T) for a type T that is no interface.
func (m *Machine) assert(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	x := m.vals(regs, in.A, 2)
	switch ok := x[0] == ir.Word(in.To); {
	case ok:
		n := int32(copy(regs[in.Dst:][:in.N], m.dynamicValue(x)))
		if in.M == 1 {
			regs[in.Dst+n] = 1
		}
	case in.M == 1:
		clear(regs[in.Dst:][:in.N+1])
	default:
		of := "interface"
		if in.B < int32(len(m.prog.Interfaces)) {
			of = m.prog.Interfaces[in.B].Name
		}
		return m.throw(t, "interface conversion: "+of+" is "+m.typeName(x[0])+", not "+m.prog.Types[in.To].GoName, in.Pos)
	}
	return next
}

func (m *Machine) typeName(t ir.Word) string {
	if t == 0 {
		return "nil"
	}
	return m.prog.Types[t].GoName
}

// assertTo is x.(T) for an interface T.
func (m *Machine) assertTo(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	x, to := m.vals(regs, in.A, 2), m.prog.Interfaces[in.To]
	missing := ""
	if x[0] != 0 {
		missing = m.missing(m.prog.Types[x[0]], to)
	}
	ok := x[0] != 0 && missing == ""
	switch {
	case ok:
		copy(regs[in.Dst:][:2], x)
	case in.M == 1:
		clear(regs[in.Dst:][:2])
	case x[0] == 0:
		return m.throw(t, "interface conversion: interface is nil, not "+to.Name, in.Pos)
	default:
		return m.throw(t, "interface conversion: "+m.typeName(x[0])+" is not "+to.Name+": missing method "+missing, in.Pos)
	}
	if in.M == 1 {
		regs[in.Dst+2] = boolWord(ok)
	}
	return next
}

// missing is the first method, by name, of an interface that a type has not; "" if there
// is none.
func (m *Machine) missing(t *ir.Type, to *ir.Interface) string {
	if !slices.ContainsFunc(to.Methods, func(n int) bool { _, ok := t.Methods[n]; return !ok }) {
		return ""
	}
	missing := ""
	for _, n := range to.Methods {
		if _, ok := t.Methods[n]; !ok && (missing == "" || m.prog.Methods[n] < missing) {
			missing = m.prog.Methods[n]
		}
	}
	return missing
}

// method makes a call of an interface's method.
func (m *Machine) method(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	x := m.vals(regs, in.A, 2)
	if x[0] == 0 {
		return m.throw(t, nilDereference, in.Pos)
	}
	fn, ok := m.prog.Types[x[0]].Methods[int(in.To)]
	if !ok {
		return m.notCovered("a call of method "+m.prog.Methods[in.To]+" of "+m.typeName(x[0]), in.Pos)
	}
	if in.Mode != ir.Now {
		return m.later(t, in, int32(fn), m.dynamicValue(x), nil, regs)
	}
	return m.enter(t, in, int32(fn), m.dynamicValue(x), nil, regs)
}

func (m *Machine) notCovered(text string, pos int32) ctl {
	m.fault = &Fault{Kind: NotCovered, Text: text, Pos: m.place(pos), Threads: []int{int(m.cur)}}
	return stop
}
