package patterns

import (
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// groupPatterns puts patterns that are the same reason at different stages into
// one group: the connected components of "b is a plus operations that complete
// one of its matches".
func groupPatterns(ps []theory.Pattern) {
	group := make([]int, len(ps))
	for i := range group {
		group[i] = i
	}
	for i := range ps {
		for j := range ps {
			if group[i] != group[j] && completes(&ps[i].History, &ps[j].History) {
				mergeGroups(group, group[i], group[j])
			}
		}
	}
	for i := range ps {
		ps[i].Group = ps[smallest(ps, group, group[i])].Name
	}
}

func mergeGroups(group []int, a, b int) {
	for i := range group {
		if group[i] == b {
			group[i] = a
		}
	}
}

// smallest is the first of the shortest patterns of a group.
func smallest(ps []theory.Pattern, group []int, g int) int {
	best := -1
	for i := range ps {
		if group[i] == g && (best < 0 || len(ps[i].History.Ops) < len(ps[best].History.Ops)) {
			best = i
		}
	}
	return best
}

// completes reports whether b is a with one or more further operations, all of
// them in one match, changing something, and not its target.
func completes(a, b *history.History) bool {
	if len(a.Ops) >= len(b.Ops) {
		return false
	}
	for t := range b.Ops {
		if b.Ops[t].Target == t && align(a, b, t, nil) {
			return true
		}
	}
	return false
}

// align reports whether the operations of b that are not yet decided can be
// skipped (those that complete the match of t) or are, in order, those of a
// that at does not cover. at[i] is the operation of b that stands for i of a.
func align(a, b *history.History, t int, at []int) bool {
	next := 0
	if len(at) > 0 {
		next = at[len(at)-1] + 1
	}
	for j := next; j < len(b.Ops); j++ {
		if len(at) < len(a.Ops) && fits(a, b, at, j) && align(a, b, t, append(at, j)) {
			return true
		}
		if o := &b.Ops[j]; o.Target != t || j == t || o.ReadOnly {
			return false
		}
	}
	return len(at) == len(a.Ops) && sameMatching(a, b, at)
}

// fits reports whether operation j of b can stand for the next one of a: same
// label, and the same order towards all that came before.
func fits(a, b *history.History, at []int, j int) bool {
	i := len(at)
	p, q := &a.Ops[i], &b.Ops[j]
	if p.Kind != q.Kind || p.ReadOnly != q.ReadOnly || p.Completed != q.Completed {
		return false
	}
	for k, l := range at {
		if a.Before(k, i) != b.Before(l, j) || a.Before(i, k) != b.Before(j, l) {
			return false
		}
	}
	return true
}

func sameMatching(a, b *history.History, at []int) bool {
	for i, j := range at {
		s, t := a.Ops[i].Target, b.Ops[j].Target
		switch {
		case s == history.Unmatched || t == history.Unmatched:
			if s != t {
				return false
			}
		case at[s] != t:
			return false
		}
	}
	return true
}
