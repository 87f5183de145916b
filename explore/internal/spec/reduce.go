package spec

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// reduced is the word that stands for a sequence: the sequence without one or two
// operations, or with two neighbours in another order, and so on, if the theory says the
// same of that; else itself.
func (m *merger) reduced(labels []history.Label) reduction {
	own, names := m.canonical(labels)
	r, ok := m.words[keyOf(own)]
	if !ok {
		r = m.reduce(own, len(names))
		m.words[keyOf(own)] = r
	}
	return r.in(names)
}

// in is a reduction of names as one of what they stand for.
func (r reduction) in(names []history.Value) reduction {
	var own []history.Value
	for _, v := range r.names {
		own = append(own, names[indexOf(v)])
	}
	return reduction{r.at, own}
}

func (m *merger) reduce(own []history.Label, names int) reduction {
	depth := m.most - len(own)
	for _, other := range m.smaller(own) {
		if v, err := m.says(other); err == nil && v.admitted && m.same(own, other, depth) {
			return m.reduced(other)
		}
	}
	r := reduction{at: &word{labels: own}}
	group := make([]int, names) // by name: the first one that it can be exchanged with
	for i := range names {
		r.names = append(r.names, name(i))
		group[i] = i
		for j := range i {
			if m.same(own, exchanged(own, i, j), depth) {
				group[i] = group[j]
				break
			}
		}
	}
	for i := range names {
		var all []int
		for j, g := range group {
			if g == i {
				all = append(all, j)
			}
		}
		if len(all) > 1 {
			r.at.groups = append(r.at.groups, all)
		}
	}
	return r
}

// smaller lists sequences that are smaller: shorter, or, if they are as long, first by
// their keys.
func (m *merger) smaller(own []history.Label) (all [][]history.Label) {
	n := len(own)
	for i := range n {
		all = append(all, slices.Delete(slices.Clone(own), i, i+1))
	}
	for i := range n {
		for j := range i {
			rest := slices.Delete(slices.Clone(own), i, i+1)
			all = append(all, slices.Delete(rest, j, j+1))
		}
	}
	for i := 1; i < n; i++ {
		other := slices.Clone(own)
		other[i-1], other[i] = other[i], other[i-1]
		if named, _ := m.canonical(other); keyOf(named) < keyOf(own) {
			all = append(all, other)
		}
	}
	return all
}

// exchanged is a sequence with two names exchanged.
func exchanged(labels []history.Label, i, j int) []history.Label {
	return renamed(labels, func(v history.Value) history.Value {
		switch v {
		case name(i):
			return name(j)
		case name(j):
			return name(i)
		}
		return v
	})
}
