package machine

import (
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// Pairs calls yield with each state of two threads, of which these are the views: in all ways in which
// objects that no root reaches may be the same. pair is a machine for two threads that keep their names.
func Pairs(v *Viewer, pair *Machine, global, first, second []byte, yield func(form []byte)) {
	v.Load(View{Global: global, Thread: second})
	w := state{words: slices.Clone(v.m.shared.frozenWords)}
	w.copyFrom(&v.m.base, len(v.m.shared.frozenWords))
	v.Load(View{Global: global, Thread: first})
	a := &v.m.base
	n := v.globals
	same := make([]int, len(w.objs)) // by place in w: the place in a, -1 for none
	var try func(i int)
	try = func(i int) {
		if i == len(w.objs) {
			if consistent(v, a, &w, same) {
				yield(merged(v, pair, a, &w, same))
			}
			return
		}
		same[i] = -1
		try(i + 1)
		for j := n; j < len(a.objs) && w.objs[i].owner == shared; j++ {
			if a.objs[j].owner == shared && !slices.Contains(same[:i], j) {
				same[i] = j
				try(i + 1)
			}
		}
		same[i] = -1
	}
	for i := range n {
		same[i] = i
	}
	try(n)
}

// consistent reports whether objects that are the same are so in all respects.
func consistent(v *Viewer, a, w *state, same []int) bool {
	m := v.m
	there := func(p ir.Word) ir.Word { // a pointer of w as one of a
		i := m.dynamic(p)
		if i < 0 || i < v.globals {
			return p
		}
		if same[i] < 0 {
			return ^ir.Word(0)
		}
		return ir.Pointer(v.id(same[i]), ir.Slot(p))
	}
	for _, list := range [][2][]ir.Word{{a.threads[0].held, w.threads[0].held}, {a.threads[0].owned, w.threads[0].owned}} {
		for _, p := range list[1] {
			if slices.Contains(list[0], there(p)) {
				return false
			}
		}
	}
	for i, j := range same {
		if j < 0 {
			continue
		}
		x, y := &w.objs[i], &a.objs[j]
		words := slices.Clone(w.words[x.off:][:x.n])
		v.mapPointers(x.layout, words, there)
		if x.layout != y.layout || x.ownedBy != y.ownedBy || !slices.Equal(words, a.words[y.off:][:y.n]) {
			return false
		}
	}
	return true
}

// merged is the state of both threads.
func merged(v *Viewer, pair *Machine, a, w *state, same []int) []byte {
	m := v.m
	s := &pair.state
	s.copyFrom(a, len(m.shared.frozenWords))
	place := slices.Clone(same)
	for i := range place {
		if place[i] < 0 {
			place[i] = len(s.objs)
			s.objs = append(s.objs, object{})
		}
	}
	here := func(p ir.Word) ir.Word {
		if i := m.dynamic(p); i >= v.globals {
			return ir.Pointer(v.id(place[i]), ir.Slot(p))
		}
		return p
	}
	for i := v.globals; i < len(w.objs); i++ {
		if same[i] >= 0 {
			continue
		}
		o := w.objs[i]
		words := slices.Clone(w.words[o.off:][:o.n])
		v.mapPointers(o.layout, words, here)
		o.off = int32(len(s.words))
		s.words = append(s.words, words...)
		s.objs[place[i]] = o
	}
	s.setThreads(2)
	one := state{}
	one.setThreads(1)
	only := state{threads: w.threads}
	one.copyFrom(&only, 0)
	th := &one.threads[0]
	s.threads[1].reset()
	pair.mapRoots(th, here)
	s.threads[1] = *th
	for t := range s.threads {
		s.threads[t].left = 1
	}
	form, _ := pair.encode(nil)
	return form
}

// mapRoots changes the pointers that a thread holds.
func (m *Machine) mapRoots(t *thread, f func(ir.Word) ir.Word) {
	for _, list := range [][]ir.Word{t.owned, t.held} {
		for i := range list {
			list[i] = f(list[i])
		}
	}
	for i := range t.frames {
		fr := &t.frames[i]
		fn, regs := m.prog.Funcs[fr.fn], t.regs[fr.base:]
		for _, r := range m.kinds.live(t, i) {
			if regs[r] != 0 && m.kinds.register(fn, regs, r) == ir.Ptr {
				regs[r] = f(regs[r])
			}
		}
	}
}

// Running is the calls that the threads of the state run that is expanded.
func (m *Machine) Running() (calls []int32) {
	for t := range m.base.threads {
		calls = append(calls, m.base.threads[t].call)
	}
	return calls
}
