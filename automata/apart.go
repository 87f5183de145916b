package automata

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// apart finds, for each location, which of its registers, and of the constants of the
// automaton, may be equal there: the least sets such that what may be equal before
// a transition, given its guard, may be after it.
func (v *validator) apart() []set {
	a := v.a
	constants, matters := a.constants(), a.compared()
	equal := make([]set, len(a.Locations))
	equal[0] = set{}
	at := func(i int, terms []Term, same func(x, y Term) bool) (changed bool) {
		for n, x := range terms {
			if !matters[i][n] {
				continue
			}
			others := slices.Clone(constants)
			for m := n + 1; m < len(terms); m++ {
				if matters[i][m] {
					others = append(others, Term{Kind: Register, Index: m})
				}
			}
			for _, o := range others {
				y := o
				if o.Kind == Register {
					y = terms[o.Index]
				}
				pair := [2]item{{kind: Register, index: n}, itemOf(o)}
				if v.pairs++; !equal[i][pair] && same(x, y) {
					equal[i][pair], changed = true, true
				}
			}
		}
		return changed
	}
	initial := make([]Term, len(a.Initial))
	for i, value := range a.Initial {
		initial[i] = Term{Kind: Constant, Value: value}
	}
	at(0, initial, func(x, y Term) bool { return x.Value == y.Value })
	next := []int{0}
	for len(next) > 0 {
		i := next[0]
		next = next[1:]
		for j := range a.Locations[i].Transitions {
			t := &a.Locations[i].Transitions[j]
			if t.Blocks || t.To == i && keeps(t.Load) {
				continue // what may be equal there may be equal here
			}
			f := &facts{equal: equal[i], numbers: map[string]domain{}}
			for k := range t.Guard {
				if f != nil {
					f = f.after(t.Guard[k])
				}
			}
			if f == nil {
				continue
			}
			first := equal[t.To] == nil
			if first {
				equal[t.To] = set{}
			}
			changed := at(t.To, t.Load, func(x, y Term) bool {
				same, known := f.sameTerms(t, x, y)
				return same || !known
			})
			if first || changed {
				next = append(next, t.To)
			}
			if v.pairs > maxPairs {
				return make([]set, len(a.Locations)) // nothing is known
			}
		}
	}
	return equal
}

// compared are the registers, by location, with whose values guards compare something, now
// or later.
func (a *Automaton) compared() [][]bool {
	all := make([][]bool, len(a.Locations))
	for i, l := range a.Locations {
		all[i] = make([]bool, len(l.Registers))
		for _, t := range l.Transitions {
			for _, c := range t.Guard {
				for _, x := range []Term{c.Left, c.Right} {
					if x.Kind == Register {
						all[i][x.Index] = true
					}
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(a.Locations) - 1; i >= 0; i-- {
			for _, t := range a.Locations[i].Transitions {
				for k, x := range t.Load {
					if !t.Blocks && x.Kind == Register && all[t.To][k] && !all[i][x.Index] {
						all[i][x.Index], changed = true, true
					}
				}
			}
		}
	}
	return all
}

// keeps reports whether registers are loaded with what they hold.
func keeps(load []Term) bool {
	for i, t := range load {
		if t.Kind != Register || t.Index != i {
			return false
		}
	}
	return true
}

// after is the facts with one more; nil if it contradicts them.
func (f *facts) after(c Condition) *facts {
	if holds, known := f.decide(&c); known && !holds {
		return nil
	}
	return f.with(c)
}

// sameTerms decides whether terms that a transition loads are equal.
func (f *facts) sameTerms(t *Transition, x, y Term) (same, known bool) {
	x, y = x.loaded(t), y.loaded(t)
	if x.Kind == Total || y.Kind == Total || x.Kind == Any || y.Kind == Any {
		return false, false
	}
	return f.same(itemOf(x), itemOf(y))
}

// loaded is a term that a transition loads, or what it answers there.
func (t Term) loaded(tr *Transition) Term {
	if t.Kind == Answer {
		r := tr.Rets[t.Index]
		if r.Kind == Fresh {
			r.Index = t.Index
		}
		return r
	}
	return t
}

// constants lists those that registers may be equal to: of guards, and those that are held.
func (a *Automaton) constants() (all []Term) {
	seen := map[history.Value]bool{}
	for _, l := range a.Locations {
		for _, t := range l.Transitions {
			terms := slices.Clone(t.Load)
			if slices.ContainsFunc(t.Load, func(x Term) bool { return x.Kind == Answer }) {
				terms = append(terms, t.Rets...)
			}
			for _, c := range t.Guard {
				terms = append(terms, c.Left, c.Right)
			}
			for _, x := range terms {
				if x.Kind == Constant && !seen[x.Value] {
					seen[x.Value] = true
					all = append(all, Term{Kind: Constant, Value: x.Value})
				}
			}
		}
	}
	return all
}
