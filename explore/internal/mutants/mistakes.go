package mutants

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// mistakes lists what may be wrong with an instruction.
func mistakes(p *ir.Program, f *ir.Func, in *ir.Instr) []*Mutant {
	switch in.Op {
	case ir.Eq:
		return append(becomes(ir.Ne, "== becomes !="), constants(p, f, in)...)
	case ir.Ne:
		return append(becomes(ir.Eq, "!= becomes =="), constants(p, f, in)...)
	case ir.Lt:
		return append(becomes(ir.Le, "< becomes <="), constants(p, f, in)...)
	case ir.Le:
		return append(becomes(ir.Lt, "<= becomes <"), constants(p, f, in)...)
	case ir.Add, ir.Sub, ir.AtomicAdd:
		return constants(p, f, in)
	case ir.If:
		return []*Mutant{
			{What: "condition always true", apply: replace(func(in *ir.Instr) { *in = ir.Instr{Op: ir.Jump, To: in.To, Pos: in.Pos} })},
			{What: "condition never true", apply: replace(func(in *ir.Instr) { *in = ir.Instr{Op: ir.Jump, To: in.M, Pos: in.Pos} })},
		}
	case ir.AtomicCAS:
		return []*Mutant{
			{What: "compare-and-swap without the comparison", apply: swapAlways},
			{What: "compare-and-swap that failed counts as done", apply: answerTrue},
		}
	case ir.Store, ir.AtomicStore:
		return []*Mutant{{What: "store dropped", apply: replace(drop)}}
	case ir.Ghost:
		return directives(p, in)
	case ir.Lock:
		return []*Mutant{{What: "lock dropped", apply: replace(drop), also: lenient}}
	case ir.RLock:
		return []*Mutant{{What: readLocks, apply: replace(drop), also: dropAll(ir.RLock, ir.RUnlock)}}
	case ir.WLock:
		return []*Mutant{{What: writeLocks, apply: replace(drop), also: dropAll(ir.WAnnounce, ir.WLock, ir.WUnlock)}}
	}
	return nil
}

// What drops all locks of a kind is one mistake, wherever they are.
const (
	readLocks  = "all read locks dropped"
	writeLocks = "all write locks dropped"
)

func (m *Mutant) everywhere() bool { return m.What == readLocks || m.What == writeLocks }

func becomes(op ir.Op, what string) []*Mutant {
	return []*Mutant{{What: what, apply: replace(func(in *ir.Instr) { in.Op = op })}}
}

// constants has another number where an integer is.
func constants(p *ir.Program, f *ir.Func, in *ir.Instr) []*Mutant {
	if in.Num > ir.U64 || in.B >= 0 || in.Op != ir.AtomicAdd && in.A >= 0 && f.Kinds[in.A] != ir.Data {
		return nil
	}
	w := p.Consts[^in.B]
	text := strconv.FormatInt(int64(w), 10)
	return []*Mutant{{
		What:  fmt.Sprintf("constant %s becomes %d", text, int64(w+1)),
		apply: func(p *ir.Program, f *ir.Func, at int) { f.Code[at].B = constant(p, w+1) },
	}}
}

// swapAlways stores what a compare-and-swap would.
func swapAlways(p *ir.Program, f *ir.Func, at int) {
	answerTrue(p, f, at)
	in := f.Code[at]
	f.Code[at] = ir.Instr{Op: ir.AtomicStore, Num: in.Num, A: in.A, B: in.C, N: in.N, Pos: in.Pos}
}

// answerTrue has an instruction that reports whether it did something report that it did.
func answerTrue(p *ir.Program, f *ir.Func, at int) {
	in := f.Code[at]
	insert(f, at+1, ir.Instr{Op: ir.Move, Num: ir.Bool, Dst: in.Dst, A: constant(p, 1), N: 1, Pos: in.Pos})
}

// lenient lets code unlock what is not locked: nobody is to notice that a lock is
// missing but by what happens without it.
func lenient(p *ir.Program) {
	zero := constant(p, 0)
	edit(p, func(in *ir.Instr) {
		*in = ir.Instr{Op: ir.AtomicStore, Num: ir.I64, A: in.A, B: zero, N: 1, Pos: in.Pos}
	}, ir.Unlock)
}

// dropAll drops all instructions of some kinds.
func dropAll(ops ...ir.Op) func(*ir.Program) {
	return func(p *ir.Program) { edit(p, drop, ops...) }
}

// edit changes all instructions of some kinds. Functions are copied first.
func edit(p *ir.Program, do func(*ir.Instr), ops ...ir.Op) {
	for i, f := range p.Funcs {
		if f == nil {
			continue
		}
		for at := range f.Code {
			if slices.Contains(ops, f.Code[at].Op) {
				if p.Funcs[i] == f {
					p.Funcs[i] = clone(f)
				}
				do(&p.Funcs[i].Code[at])
			}
		}
	}
}
