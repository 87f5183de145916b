package monitor

import (
	"slices"
	"sort"
)

// stretches is a set of gaps: disjoint ranges [from, to), in order, that do not
// touch.
type stretches []stretch

type stretch struct{ from, to int64 }

// from is the index of the first range that ends after g.
func (s stretches) ending(g int64) int {
	return sort.Search(len(s), func(i int) bool { return s[i].to > g })
}

// plus adds [from, to). It takes O(log n), and as much as behind it is moved.
func (s stretches) plus(from, to int64) stretches {
	i := sort.Search(len(s), func(i int) bool { return s[i].to >= from })
	j := i
	for ; j < len(s) && s[j].from <= to; j++ {
		from, to = min(from, s[j].from), max(to, s[j].to)
	}
	return slices.Replace(s, i, j, stretch{from, to})
}

// minus takes [from, to) out.
func (s stretches) minus(from, to int64) stretches {
	i := s.ending(from)
	j := i
	var rest [2]stretch
	kept := rest[:0]
	for ; j < len(s) && s[j].from < to; j++ {
		if s[j].from < from {
			kept = append(kept, stretch{s[j].from, from})
		}
		if s[j].to > to {
			kept = append(kept, stretch{to, s[j].to})
		}
	}
	return slices.Replace(s, i, j, kept...)
}

// complement is [from, to) without the set.
func (s stretches) complement(from, to int64) (free stretches) {
	for i := s.ending(from); i < len(s) && s[i].from < to; i++ {
		if s[i].from > from {
			free = append(free, stretch{from, s[i].from})
		}
		from = s[i].to
	}
	if from < to {
		free = append(free, stretch{from, to})
	}
	return free
}

// meet tells whether [from, to) has a gap of the set.
func (s stretches) meet(from, to int64) bool {
	i := s.ending(from)
	return from < to && i < len(s) && s[i].from < to
}

// after forgets ranges that end before g.
func (s stretches) after(g int64) stretches {
	return slices.Delete(s, 0, s.ending(g))
}
