package lower

import (
	"math/bits"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// regSet is a set of registers.
type regSet []uint64

func (b regSet) has(r int32) bool { return b[r/64]&(1<<(r%64)) != 0 }
func (b regSet) add(r int32)      { b[r/64] |= 1 << (r % 64) }

// each calls yield with the members, in order.
func (b regSet) each(yield func(r int32)) {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			yield(int32(i)*64 + int32(bits.TrailingZeros64(w)))
		}
	}
}

// sharing finds out which registers can be one.
type sharing struct {
	f       *ir.Func
	starts  []int32  // where units begin
	clashes []regSet // by register: those that hold something else that is needed while it is written, or the other way round
	to      []int32  // by register: the one that it has become
}

// share lets values that are never needed at once share registers: first copies
// and what they are copies of, then whatever fits.
func share(f *ir.Func, units []int32) {
	s := &sharing{f: f, starts: units, clashes: make([]regSet, len(f.Kinds)), to: make([]int32, len(f.Kinds))}
	words := (len(f.Kinds) + 63) / 64
	store := make([]uint64, words*len(f.Kinds))
	for r := range s.clashes {
		s.clashes[r] = store[r*words:][:words]
		s.to[r] = int32(r)
	}
	s.findClashes()
	for i := range f.Code {
		if in := &f.Code[i]; in.Op == ir.Move && in.A >= 0 {
			dst, src := s.to[in.Dst], s.to[in.A]
			if !s.merge(src, dst, in.N) {
				s.merge(dst, src, in.N)
			}
		}
	}
	s.fit()
	s.rename()
}

// size is the number of registers of the unit that begins at one, 0 if none does.
func (s *sharing) size(start int32) int32 {
	i, ok := slices.BinarySearch(s.starts, start)
	if !ok {
		return 0
	}
	if i+1 < len(s.starts) {
		return s.starts[i+1] - start
	}
	return int32(len(s.f.Kinds)) - start
}

// merge makes a unit of n registers the same as other ones, if that is possible.
func (s *sharing) merge(unit, with, n int32) bool {
	if unit == with || s.size(unit) != n || unit < int32(s.f.Params+s.f.Captured) || unit == s.f.Defers || with == s.f.Defers || s.to[unit] != unit {
		return false
	}
	if unit < with+n && with < unit+n || !slices.Equal(s.f.Kinds[unit:unit+n], s.f.Kinds[with:with+n]) {
		return false
	}
	for k := range n {
		if s.clashes[unit+k].has(with + k) {
			return false
		}
	}
	for k := range n {
		s.clashes[unit+k].each(func(r int32) {
			s.clashes[with+k].add(r)
			s.clashes[r].add(with + k)
		})
	}
	for r := range s.to {
		if t := s.to[r]; t >= unit && t < unit+n {
			s.to[r] = t - unit + with
		}
	}
	return true
}

// findClashes computes clashes from what is needed after each instruction.
func (s *sharing) findClashes() {
	f := s.f
	live := f.LiveIn()
	clash := func(a, b int32) {
		if a != b {
			s.clashes[a].add(b)
			s.clashes[b].add(a)
		}
	}
	after := make(regSet, (len(f.Kinds)+63)/64)
	for i := range f.Code {
		in := &f.Code[i]
		clear(after)
		for _, j := range f.Next(i) {
			for w, set := range live[j] {
				after[w] |= set
			}
		}
		s.withTypes(after)
		written := writes(in)
		for _, r := range written {
			after.each(func(other int32) {
				if in.Op != ir.Move || in.A < 0 || other-in.A != r-in.Dst {
					clash(r, other)
				}
			})
			for _, other := range written {
				clash(r, other)
			}
			if !readsFirst(in, len(written)) {
				in.Uses(func(reg, n int32) {
					for k := range n {
						clash(r, reg+k)
					}
				})
			}
		}
	}
	s.entryClashes(live, clash)
}

// entryClashes has the clashes of parameters, and of what is needed at the start.
func (s *sharing) entryClashes(live [][]uint64, clash func(a, b int32)) {
	if len(live) == 0 {
		return
	}
	start := regSet(slices.Clone(live[0]))
	s.withTypes(start)
	for r := range int32(s.f.Params + s.f.Captured) {
		start.add(r)
	}
	start.each(func(a int32) { start.each(func(b int32) { clash(a, b) }) })
}

// withTypes adds the types of the data of interfaces that are in a set.
func (s *sharing) withTypes(set regSet) {
	set.each(func(r int32) {
		if s.f.Kinds[r] == ir.Dynamic {
			set.add(r - 1)
		}
	})
}

// writes lists the registers that an instruction may write.
func writes(in *ir.Instr) []int32 {
	var list []int32
	add := func(reg, n int32) {
		for k := range n {
			list = append(list, reg+k)
		}
	}
	in.Defs(add)
	receives(in, add)
	return list
}

// readsFirst reports whether an instruction may write registers that it reads: it has read all of them
// by then.
func readsFirst(in *ir.Instr, written int) bool {
	switch in.Op {
	case ir.Move, ir.Call, ir.CallClosure, ir.CallMethod:
		return true
	case ir.Load, ir.AtomicLoad, ir.FieldAddr, ir.IndexAddr, ir.Len, ir.CharAt, ir.Convert, ir.Neg, ir.Com, ir.Not:
		return written == 1
	}
	return written == 1 && in.Op >= ir.Add && in.Op <= ir.Le
}

// fit merges units with earlier ones of the same kinds.
func (s *sharing) fit() {
	var first []int32 // units that others may join
	for _, u := range s.starts {
		if s.to[u] != u {
			continue
		}
		n := s.size(u)
		if !slices.ContainsFunc(first, func(with int32) bool { return s.size(with) == n && s.merge(u, with, n) }) {
			first = append(first, u)
		}
	}
}

// eachWritten yields the fields of an instruction that name registers to write.
func eachWritten(in *ir.Instr, yield func(at *int32)) {
	if len(writes(in)) > 0 {
		yield(&in.Dst)
	}
	if in.Op == ir.NextRune {
		yield(&in.C)
	}
	if in.Op == ir.Select {
		for i := 2; i < len(in.Args); i += 3 {
			if in.Args[i].N > 0 {
				yield(&in.Args[i].At)
			}
		}
	}
}

// rename makes the instructions use the registers that are left, numbered anew.
func (s *sharing) rename() {
	f := s.f
	used := make([]bool, len(f.Kinds))
	for r := range used {
		used[r] = r < f.Params+f.Captured || int32(r) == f.Defers
	}
	for i := range f.Code {
		in := &f.Code[i]
		mark := func(reg, n int32) {
			for k := range n {
				used[s.to[reg+k]] = true
			}
		}
		in.Uses(mark)
		in.Defs(mark)
		receives(in, mark)
	}
	for _, u := range s.starts { // a unit stays whole
		n := s.size(u)
		any := slices.Contains(used[u:u+n], true)
		for k := range n {
			used[u+k] = any
		}
	}
	var kinds []ir.Kind
	number := make([]int32, len(f.Kinds))
	for r, u := range used {
		number[r] = int32(len(kinds))
		if u {
			kinds = append(kinds, f.Kinds[r])
		}
	}
	for i := range f.Code {
		in := &f.Code[i]
		in.Operands(func(at *int32, n int32) {
			if *at >= 0 {
				*at = number[s.to[*at]]
			}
		})
		if len(writes(in)) == 0 {
			in.Dst = 0
		}
		eachWritten(in, func(at *int32) { *at = number[s.to[*at]] })
	}
	if f.Defers >= 0 {
		f.Defers = number[f.Defers]
	}
	f.Kinds = kinds
}
