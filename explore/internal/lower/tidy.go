package lower

import (
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// simplify makes a function shorter, which does the same: fewer instructions run faster.
// Units are where registers that belong together begin.
func simplify(c *compiler, f *ir.Func, units []int32) {
	shorten(f)
	for range 4 { // what is left is little
		n := len(f.Code)
		propagate(c, f, units)
		foldBranches(c, f)
		dropDead(f)
		shorten(f)
		if len(f.Code) == n {
			break
		}
	}
	dropFaint(f)
	shorten(f)
}

// shorten drops instructions that cannot be reached, jumps to the next one, and moves of
// nothing; jumps to jumps go to the end at once.
func shorten(f *ir.Func) {
	if len(f.Code) == 0 {
		return
	}
	for i := range f.Code {
		in := &f.Code[i]
		switch in.Op {
		case ir.Jump:
			in.To = endOfJumps(f, in.To)
		case ir.If:
			in.To, in.M = endOfJumps(f, in.To), endOfJumps(f, in.M)
			if in.To == in.M {
				*in = ir.Instr{Op: ir.Jump, To: in.To, Pos: in.Pos}
			}
		}
	}
	keep := reached(f)
	for again := true; again; { // a jump over instructions that are dropped is one to the next
		again = false
		for i := range f.Code {
			in := &f.Code[i]
			if keep[i] && (in.Op == ir.Jump && nextKept(keep, i) == int(in.To) || in.Op == ir.Move && (in.N == 0 || in.Dst == in.A)) {
				keep[i] = false
				again = true
			}
		}
	}
	compact(f, keep)
}

// endOfJumps follows jumps that lead to jumps.
func endOfJumps(f *ir.Func, at int32) int32 {
	for range 100 { // an endless loop of jumps stays one
		if f.Code[at].Op != ir.Jump {
			break
		}
		at = f.Code[at].To
	}
	return at
}

func nextKept(keep []bool, i int) int {
	for i++; i < len(keep) && !keep[i]; i++ {
	}
	return i
}

// reached tells which instructions control may reach.
func reached(f *ir.Func) []bool {
	seen := make([]bool, len(f.Code))
	work := []int{0}
	if f.Recovers >= 0 {
		work = append(work, int(f.Recovers))
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if i < len(f.Code) && !seen[i] {
			seen[i] = true
			work = append(work, f.Next(i)...)
		}
	}
	return seen
}

// compact drops the instructions that are not kept.
func compact(f *ir.Func, keep []bool) {
	at := make([]int32, len(f.Code)+1)
	n := int32(0)
	for i := range f.Code {
		at[i] = n
		if keep[i] {
			n++
		}
	}
	at[len(f.Code)] = n
	var code []ir.Instr
	for i, in := range f.Code {
		switch in.Op {
		case ir.Jump:
			in.To = at[in.To]
		case ir.If:
			in.To, in.M = at[in.To], at[in.M]
		}
		if keep[i] {
			code = append(code, in)
		}
	}
	f.Code = code
	if f.Recovers >= 0 {
		f.Recovers = at[f.Recovers]
	}
}

// definitions counts, for each register, the instructions that may write it: parameters
// have one more.
func definitions(f *ir.Func) []int {
	n := make([]int, len(f.Kinds))
	for r := range f.Params + f.Captured {
		n[r]++
	}
	if f.Defers >= 0 {
		n[f.Defers] += 2
	}
	for i := range f.Code {
		in := &f.Code[i]
		in.Defs(func(reg, k int32) {
			for r := reg; r < reg+k; r++ {
				n[r]++
			}
		})
		receives(in, func(reg, k int32) {
			for r := reg; r < reg+k; r++ {
				n[r] += 2
			}
		})
	}
	return n
}

// receives yields the registers that a Select may write.
func receives(in *ir.Instr, yield func(reg, n int32)) {
	if in.Op == ir.Select {
		for i := 2; i < len(in.Args); i += 3 {
			if in.Args[i].N > 0 {
				yield(in.Args[i].At, in.Args[i].N)
			}
		}
	}
}

// propagate reads, instead of a copy, what it is a copy of, if both are written once: then
// a copy is made anew whenever the original is.
func propagate(c *compiler, f *ir.Func, units []int32) {
	defs := definitions(f)
	const none = -1 << 31
	copies := make([]int32, len(f.Kinds))
	for r := range copies {
		copies[r] = none
	}
	for i := range f.Code {
		in := &f.Code[i]
		if in.Op != ir.Move {
			continue
		}
		for w := range in.N {
			if src := part(in.A, int(w)); defs[in.Dst+w] == 1 && (src < 0 || defs[src] == 1) {
				copies[in.Dst+w] = src
			}
		}
	}
	for i := range f.Code {
		f.Code[i].Operands(func(at *int32, n int32) {
			for *at >= 0 && copies[*at] != none {
				src := copies[*at]
				for w := range n {
					if copies[*at+w] != part(src, int(w)) {
						return
					}
				}
				if src >= 0 && !sameUnit(units, src, src+n-1) {
					return
				}
				*at = src
			}
		})
	}
	c.skipNots(f, defs)
}

// sameUnit reports whether two registers belong together.
func sameUnit(units []int32, a, b int32) bool {
	i, _ := slices.BinarySearch(units, a+1)
	j, _ := slices.BinarySearch(units, b+1)
	return i == j
}

// skipNots makes branches on what Not has made branches on the opposite.
func (c *compiler) skipNots(f *ir.Func, defs []int) {
	nots := map[int32]int32{}
	for i := range f.Code {
		if in := &f.Code[i]; in.Op == ir.Not && defs[in.Dst] == 1 && in.A >= 0 && defs[in.A] == 1 {
			nots[in.Dst] = in.A
		}
	}
	for i := range f.Code {
		if in := &f.Code[i]; in.Op == ir.If {
			for a, ok := nots[in.A]; ok; a, ok = nots[in.A] {
				in.A, in.To, in.M = a, in.M, in.To
			}
		}
	}
}

// foldBranches computes comparisons of constants, and takes branches on them.
func foldBranches(c *compiler, f *ir.Func) {
	for i := range f.Code {
		in := &f.Code[i]
		switch {
		case in.Op == ir.If && in.A < 0:
			if c.prog.Consts[^in.A] == 0 {
				in.To = in.M
			}
			*in = ir.Instr{Op: ir.Jump, To: in.To, Pos: in.Pos}
		case in.Op >= ir.Eq && in.Op <= ir.Le && in.A < 0 && in.B < 0 && (in.Num == ir.I64 || in.Num == ir.Bool || in.Num == ir.U64):
			a, b := c.prog.Consts[^in.A], c.prog.Consts[^in.B]
			less := a < b
			if in.Num == ir.I64 {
				less = int64(a) < int64(b)
			}
			v := map[ir.Op]bool{ir.Eq: a == b, ir.Ne: a != b, ir.Lt: less, ir.Le: less || a == b}[in.Op]
			*in = ir.Instr{Op: ir.Move, Dst: in.Dst, A: c.constant(truth(v)), N: 1, Pos: in.Pos}
		}
	}
}

// pure reports whether an instruction does nothing but write its registers.
func pure(in *ir.Instr) bool {
	switch in.Op {
	case ir.Move, ir.Add, ir.Sub, ir.Mul, ir.And, ir.Or, ir.Xor, ir.AndNot, ir.Neg, ir.Com, ir.Not, ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Convert, ir.Len,
		ir.Alloc, ir.MakeIface, ir.MakeClosure:
		return true
	case ir.Shl, ir.Shr:
		return in.From > ir.I32
	}
	return false
}

// dropDead drops pure instructions whose registers nobody reads.
func dropDead(f *ir.Func) {
	for {
		live := f.LiveIn()
		keep := make([]bool, len(f.Code))
		dropped := false
		for i := range f.Code {
			keep[i] = !pure(&f.Code[i]) || liveAfter(f, live, i)
			dropped = dropped || !keep[i]
		}
		if !dropped {
			return
		}
		compact(f, keep)
	}
}

// dropFaint drops pure instructions whose results only serve to compute themselves, as the number of a loop's
// rounds that nobody asks for: it would tell states apart.
func dropFaint(f *ir.Func) {
	needed := make([]bool, len(f.Kinds)+1)
	if f.Defers >= 0 {
		needed[f.Defers] = true
	}
	kept := func(in *ir.Instr) bool {
		keep := !pure(in)
		in.Defs(func(reg, n int32) {
			for r := reg; r < reg+n; r++ {
				keep = keep || needed[r] || f.Kinds[r] == ir.Iface && needed[r+1] // the type of data that is needed
			}
		})
		return keep
	}
	for again := true; again; {
		again = false
		for i := range f.Code {
			if in := &f.Code[i]; kept(in) {
				in.Uses(func(reg, n int32) {
					for r := reg; r < reg+n; r++ {
						again = again || !needed[r]
						needed[r] = true
					}
				})
			}
		}
	}
	keep := make([]bool, len(f.Code))
	for i := range f.Code {
		keep[i] = kept(&f.Code[i])
	}
	compact(f, keep)
}

// liveAfter reports whether something that an instruction writes is read later.
func liveAfter(f *ir.Func, live [][]uint64, i int) bool {
	found := false
	f.Code[i].Defs(func(reg, n int32) {
		for r := reg; r < reg+n; r++ {
			for _, j := range f.Next(i) {
				found = found || live[j][r/64]&(1<<(r%64)) != 0
			}
			if f.Kinds[r] == ir.Iface && r+1 < int32(len(f.Kinds)) { // the type of data that is read
				for _, j := range f.Next(i) {
					found = found || live[j][(r+1)/64]&(1<<((r+1)%64)) != 0
				}
			}
		}
	})
	return found
}
