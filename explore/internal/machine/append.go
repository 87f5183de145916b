package machine

import (
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// append notes what an append makes of its slice. What is appended decides how long it is.
func (f *frameAt) append(in *ir.Instr) {
	w := f.w
	f.decide(in.B, 2)
	slice := f.cells(nil, in.A, 3)
	p, length, most, n := f.value(in.A, 0), f.value(in.A, 1), f.value(in.A, 2), f.value(in.B, 1)
	if n == 0 {
		f.define(in.Dst, slice...)
		return
	}
	a, from := appended{object: ir.Object(p)}, f.value(in.B, 0)
	for i, c := range slice {
		a.from.join(&c.from)
		a.is[i] = c.is
	}
	words := make([]cell, n*ir.Word(in.N))
	for i := range words {
		words[i] = w.word(from + ir.Word(i))
	}
	if length+n > most {
		w.grew = true
	} else {
		for i, c := range words {
			w.memory[p+length*ir.Word(in.N)+ir.Word(i)] = c
		}
	}
	w.appends = append(w.appends, a)
	made := make([]cell, 3)
	for i := range made {
		made[i] = cell{from: a.from, is: -int32(3*len(w.appends)-3+i) - 1}
	}
	f.define(in.Dst, made...)
}

// Again reports whether the round is over as it began, so that it goes on for ever. The registers of the
// function begin at base now.
func (w *Watch) Again(regs []ir.Word, base int32) bool {
	for i := range w.inputs {
		in := &w.inputs[i]
		if w.decides[i/64]>>(i%64)&1 == 0 {
			continue
		}
		now := ir.Word(0)
		if in.memory {
			now = w.read(in.at)
		} else {
			now = regs[ir.Word(base)+in.at]
		}
		if now != in.value {
			return false
		}
	}
	return w.on && !slices.ContainsFunc(w.appends, func(a appended) bool { return !w.fixed(&a) && !w.apart(&a, base) })
}

// fixed reports whether an append has the same slice in each round.
func (w *Watch) fixed(a *appended) bool {
	both := a.from
	both.join(&w.decides)
	return both == w.decides
}

// apart reports whether an append writes to what nothing is loaded from: its slice is an input that holds
// itself, or what such an append made of it, when the round is over.
func (w *Watch) apart(a *appended, base int32) bool {
	root := w.root(a.is)
	if w.loaded[a.object] || root == nil {
		return false
	}
	for i, is := range root {
		in, now := &w.inputs[is-1], cell{is: is}
		switch c, ok := w.memory[in.at]; {
		case in.memory && ok:
			now = c
		case !in.memory && int(base)+int(in.at) < len(w.regs) && w.regs[int(base)+int(in.at)].known:
			now = w.regs[int(base)+int(in.at)]
		}
		if now.is < 0 {
			if n := -int(now.is) - 1; n%3 != i || !slices.Equal(w.root(w.appends[n/3].is), root) {
				return false
			}
		} else if now.is != is {
			return false
		}
	}
	return true
}

// root are the inputs that a slice comes from, by appends alone; nil if it does not.
func (w *Watch) root(is [3]int32) []int32 {
	for is[0] < 0 {
		n := -int(is[0]) - 1
		if n%3 != 0 || is[1] != is[0]-1 || is[2] != is[0]-2 {
			return nil
		}
		is = w.appends[n/3].is
	}
	if is[0] == 0 || is[1] <= 0 || is[2] <= 0 {
		return nil
	}
	return is[:]
}
