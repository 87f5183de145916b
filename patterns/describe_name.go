package patterns

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/theory"
)

// namePatterns gives each pattern a short name; two that would get the same one
// get their full sequence of operations instead, and a number if that is not
// enough.
func (d *describer) namePatterns(ps []theory.Pattern) {
	count := map[string]int{}
	for i := range ps {
		ps[i].Name = d.shortName(&ps[i].History)
		count[ps[i].Name]++
	}
	used := map[string]bool{}
	for i := range ps {
		name := ps[i].Name
		if count[name] > 1 {
			name = d.fullName(&ps[i].History, true)
		}
		for n, base := 2, name; used[name]; n++ {
			name = base + "-" + strconv.Itoa(n)
		}
		ps[i].Name, used[name] = name, true
	}
}

// shortName names the frequent shapes by what is wrong, others by their
// sequence of operations.
func (d *describer) shortName(h *history.History) string {
	s, ok := shapeOf(h)
	if !ok {
		return d.fullName(h, false)
	}
	slug := func(ops []int) string { return d.slugs(h, ops) }
	switch s.form {
	case stray:
		return slug(s.focus) + "-unmatched"
	case early:
		return slug(s.focus) + "-before-" + joined("-", []string{slug(s.after), slug(s.then)})
	case twice:
		return slug(s.focus) + "-twice"
	case between:
		return slug(s.focus) + "-between-" + slug(s.after) + "-" + slug(s.then)
	}
	return slug(s.focus) + "-after-" + slug(s.after) // late
}

// fullName lists the operations, each with the number of its match if there are
// several. With all set, it also tells what each operation matches when that is
// the usual thing.
func (d *describer) fullName(h *history.History, all bool) string {
	matches := valueMatches(h)
	var parts []string
	for i := range h.Ops {
		o := &h.Ops[i]
		name := d.slug(o)
		switch n := matchNumber(matches, o.Target); {
		case o.Target == history.Unmatched && o.Completed:
			name += "-unmatched"
		case n > 0 && (all || o.Target != i && len(matches) > 1):
			name += strconv.Itoa(n)
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, "-")
}

func (d *describer) slugs(h *history.History, ops []int) string {
	var parts []string
	for _, i := range ops {
		parts = append(parts, d.slug(&h.Ops[i]))
	}
	return joined("-", parts)
}

// slug is the method's name, with the outcome unless it goes without saying.
func (d *describer) slug(o *history.Op) string {
	switch {
	case !o.Completed:
		return kebab(o.Method) + "-pending"
	case d.bare[o.Method] == o.Kind:
		return kebab(o.Method)
	}
	return kebab(o.Method) + "-" + kebab(string(o.Outcome))
}

// kebab turns pushFront into push-front.
func kebab(s string) string {
	var b strings.Builder
	for i, r := range s {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

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
				matching.Merge(group, group[i], group[j])
			}
		}
	}
	for i := range ps {
		ps[i].Group = ps[smallest(ps, group, group[i])].Name
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
