package joint

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// stay is a value of a queue: who brings it, who takes it, or none, and from when to when each of the two can take
// effect.
type stay struct {
	add, remove    int32
	as, ae, rs, re int32
}

// sooner reports whether a value comes before another in all orders.
func (v *stay) sooner(w *stay) bool { return v.ae < w.as || v.re < w.rs }

// arrange makes two chains of the operations on values, and leaves the others to the automaton. It is false if a value is seen
// twice; chains know nothing of that.
func (f *follower) arrange() bool {
	ret := make([]int32, len(f.ops))
	for k, v := range f.events {
		if v.returns {
			ret[v.op] = int32(k)
		}
	}
	of := map[string]int{}
	var left []int32
	for _, i := range f.chains[0] {
		switch l := &f.ops[i].label; {
		case len(l.Args) > 0:
			of[string(l.Args[0])] = len(f.values)
			f.values = append(f.values, stay{i, none, f.ops[i].call, ret[i], math.MaxInt32, math.MaxInt32})
		case len(l.Rets) > 0:
			n, came := of[string(l.Rets[0])]
			if !came || f.values[n].remove != none {
				return false
			}
			v := &f.values[n]
			v.remove, v.rs, v.re, v.ae = i, max(v.as, f.ops[i].call), ret[i], min(v.ae, ret[i])
		default:
			left = append(left, i)
		}
	}
	for _, i := range left {
		f.ops[i].chain = none
	}
	if !f.sort() {
		return false
	}
	f.chains[0] = make([]int32, len(f.values))
	for _, v := range f.values {
		if v.remove != none {
			o := &f.ops[v.remove]
			o.chain, o.place = 1, int32(len(f.chains[1]))
			f.chains[1] = append(f.chains[1], v.remove)
		}
	}
	if n := int32(len(f.values)); n > 0 {
		f.chain(0, n-1)
	}
	return true
}

// sort puts the values in an order in which they can have come and gone: of those that can come next, the one whose
// add is half over first. It is false if there is no such order.
func (f *follower) sort() bool {
	by := func(key func(v *stay) int64) []stay {
		return slices.SortedStableFunc(slices.Values(f.values), func(v, w stay) int { return cmp.Compare(key(&v), key(&w)) })
	}
	all := by(func(v *stay) int64 { return int64(v.as) + int64(v.ae) })
	coming := by(func(v *stay) int64 { return int64(v.ae) })
	going := by(func(v *stay) int64 { return int64(v.re) })
	done := make([]bool, len(f.ops)) // by add
	skip := func(vs []stay) []stay {
		for len(vs) > 0 && done[vs[0].add] {
			vs = vs[1:]
		}
		return vs
	}
	f.values = f.values[:0]
	for all = skip(all); len(all) > 0; all = skip(all) {
		coming, going = skip(coming), skip(going)
		next := slices.IndexFunc(all, func(v stay) bool { return !done[v.add] && v.as <= coming[0].ae && v.rs <= going[0].re })
		if next < 0 {
			return false
		}
		f.values, done[all[next].add] = append(f.values, all[next]), true
	}
	return true
}

// chain puts the values of some places, from the first to the last of them, in the chains, where those had them before.
func (f *follower) chain(first, last int32) {
	went := int32(len(f.chains[1]))
	for _, v := range f.values[first : last+1] {
		if v.remove != none {
			went = min(went, f.ops[v.remove].place)
		}
	}
	for k := first; k <= last; k++ {
		v := &f.values[k]
		f.ops[v.add].place, f.chains[0][k] = k, v.add
		if v.remove != none {
			o := &f.ops[v.remove]
			o.place, o.after, f.chains[1][went] = went, k+1, v.remove
			went++
		}
	}
}

// Values change places with others at most so far away, near the values that come and go when there is no way.
const (
	furthest = 8
	around   = 24
	enough   = 12 // so many changes are compared
)

// repair has values change places so that there is a way for the event after which there is none, and for so many events in all:
// of the first changes that do the former, the one by which the next such event is furthest. If no change does, one stays that brings
// ways nearer to it.
func (f *follower) repair(ahead int) bool {
	stuck, nearly := f.at, f.nearly
	far, best, found := 0, change{}, 0
	near := []int32{f.ways[0].done[0], int32(len(f.values))}
	if went := f.ways[0].done[1]; int(went) < len(f.chains[1]) {
		near[1] = f.ops[f.chains[1][went]].after
	}
	for more := true; more && !f.ended(); {
		more = false
		for x := range changes(near) {
			if f.ended() {
				return false
			}
			if !f.move(x.from, x.to) {
				continue
			}
			if f.until(min(stuck+ahead, len(f.events))) {
				return true
			}
			if f.at > far && f.at > stuck {
				far, best = f.at, x
			}
			if f.at > stuck {
				found++
			}
			if found == 0 && f.at == stuck && f.nearly.nearer(nearly) {
				nearly, more = f.nearly, true
				break
			}
			f.move(x.to, x.from)
			if found == enough {
				break
			}
		}
		if found > 0 {
			f.move(best.from, best.to)
			return f.until(far)
		}
	}
	return false
}

// change is that a value moves to another place.
type change struct{ from, to int32 }

// changes are those near some places, the nearest first.
func changes(near []int32) iter.Seq[change] {
	return func(yield func(change) bool) {
		for _, place := range near {
			for d := range int32(2 * around) {
				k := place + d/2
				if d%2 == 1 {
					k = place - d/2 - 1
				}
				for m := int32(1); m <= furthest; m++ {
					if !yield(change{k + m, k}) || !yield(change{k, k + m}) {
						return
					}
				}
			}
		}
	}
}

// move moves a value to another place, if it can be there, and goes back to where none of the values that this concerns had come.
func (f *follower) move(from, to int32) bool {
	first, last := min(from, to), max(from, to)
	if first < 0 || int(last) >= len(f.values) {
		return false
	}
	v := f.values[from]
	for k := first; k <= last; k++ {
		w := &f.values[k]
		if from > to && k < from && w.sooner(&v) || from < to && k > from && v.sooner(w) {
			return false
		}
	}
	if from > to {
		copy(f.values[to+1:from+1], f.values[to:from])
	} else {
		copy(f.values[from:to], f.values[from+1:to+1])
	}
	f.values[to] = v
	f.chain(first, last)
	f.back(first)
	return true
}

// back goes to where no value from a place on had come.
func (f *follower) back(place int32) {
	for len(f.saved) > 1 {
		last := &f.saved[len(f.saved)-1]
		if !slices.ContainsFunc(last.ways, func(w way) bool { return w.done[0] > place }) {
			break
		}
		f.saved = f.saved[:len(f.saved)-1]
	}
	last := f.saved[len(f.saved)-1]
	f.at, f.ways, f.running = last.at, last.ways, slices.Clone(last.running)
	for slot, i := range f.running {
		if i != none {
			f.ops[i].slot = int8(slot)
		}
	}
}
