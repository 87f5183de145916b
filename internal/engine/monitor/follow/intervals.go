package follow

import (
	"slices"
	"sort"
)

// intervalSet is a set of gaps: disjoint ranges [from, to), in order, that do not
// touch.
type intervalSet []interval

type interval struct{ from, to int64 }

// ending is the index of the first range that ends after g.
func (s intervalSet) ending(g int64) int {
	return sort.Search(len(s), func(i int) bool { return s[i].to > g })
}

// plus adds [from, to). It takes O(log n), and as much as behind it is moved.
func (s intervalSet) plus(from, to int64) intervalSet {
	i := sort.Search(len(s), func(i int) bool { return s[i].to >= from })
	j := i
	for ; j < len(s) && s[j].from <= to; j++ {
		from, to = min(from, s[j].from), max(to, s[j].to)
	}
	return slices.Replace(s, i, j, interval{from, to})
}

// after forgets ranges that end before g.
func (s intervalSet) after(g int64) intervalSet {
	return slices.Delete(s, 0, s.ending(g))
}
