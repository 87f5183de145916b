package mutants

import (
	"cmp"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// Mutant is a mistake in a program.
type Mutant struct {
	Pos  ir.Position
	Func string
	What string // in words

	sites []site
	apply change
	also  func(*ir.Program) // what goes with it elsewhere
}

// site is an instruction. A function may be there several times, for several types.
type site struct{ fn, at int }

// change makes the mistake at an instruction.
type change func(p *ir.Program, f *ir.Func, at int)

// Of lists the mutants of a program, in the order of their places. Mine reports whether
// code at a position is to be changed.
func Of(p *ir.Program, mine func(ir.Position) bool) []*Mutant {
	type key struct {
		pos  ir.Position
		what string
	}
	known := map[key]*Mutant{}
	var all []*Mutant
	add := func(m *Mutant, at site) {
		k := key{m.Pos, m.What}
		if old := known[k]; old != nil {
			old.sites = append(old.sites, at)
			return
		}
		m.sites = []site{at}
		known[k] = m
		all = append(all, m)
	}
	for fn, f := range p.Funcs {
		if f == nil {
			continue
		}
		for i := range f.Code {
			in := &f.Code[i]
			if in.Pos <= 0 || !mine(p.Positions[in.Pos]) || guarded(f, i) {
				continue
			}
			for _, m := range mistakes(p, f, in) {
				m.Pos, m.Func = p.Positions[in.Pos], f.Name
				if m.everywhere() {
					m.Pos = ir.Position{File: m.Pos.File}
				}
				add(m, site{fn, i})
			}
		}
	}
	all = append(all, rules(p)...)
	slices.SortStableFunc(all, func(a, b *Mutant) int {
		return cmp.Or(strings.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return all
}

// Program is a copy of a program, with the mistake.
func (m *Mutant) Program(p *ir.Program) *ir.Program {
	q := *p
	q.Consts, q.Funcs = slices.Clone(p.Consts), slices.Clone(p.Funcs)
	for _, s := range slices.Backward(m.sites) { // changes make functions longer
		if q.Funcs[s.fn] == p.Funcs[s.fn] {
			q.Funcs[s.fn] = clone(p.Funcs[s.fn])
		}
		m.apply(&q, q.Funcs[s.fn], s.at)
	}
	if m.also != nil {
		m.also(&q)
	}
	for i, f := range q.Funcs {
		if f != p.Funcs[i] {
			f.Finish()
		}
	}
	return &q
}

func clone(f *ir.Func) *ir.Func {
	g := *f
	g.Code = slices.Clone(f.Code)
	return &g
}

// replace makes an instruction another one.
func replace(op func(*ir.Instr)) change {
	return func(_ *ir.Program, f *ir.Func, at int) { op(&f.Code[at]) }
}

// drop makes an instruction do nothing.
func drop(in *ir.Instr) { *in = ir.Instr{Op: ir.Move, Pos: in.Pos} }

// insert puts code before instruction at; jumps go past it.
func insert(f *ir.Func, at int, code ...ir.Instr) {
	n := int32(len(code))
	move := func(to *int32) {
		if *to >= int32(at) {
			*to += n
		}
	}
	for i := range f.Code {
		switch in := &f.Code[i]; in.Op {
		case ir.Jump:
			move(&in.To)
		case ir.If:
			move(&in.To)
			move(&in.M)
		}
	}
	move(&f.Recovers)
	f.Code = slices.Insert(f.Code, at, code...)
}

// constant is the operand that names a constant, which may be new.
func constant(p *ir.Program, w ir.Word) int32 {
	i := slices.Index(p.Consts, w)
	if i < 0 {
		i = len(p.Consts)
		p.Consts = append(p.Consts, w)
	}
	return ^int32(i)
}
