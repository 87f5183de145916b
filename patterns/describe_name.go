package patterns

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/adtinfer/adtinfer/history"
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
		return slug(s.focus) + "-before-" + joinSlugs(slug(s.after), slug(s.then))
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
	return joinSlugs(parts...)
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

func joinSlugs(parts ...string) string {
	var full []string
	for _, p := range parts {
		if p != "" {
			full = append(full, p)
		}
	}
	return strings.Join(full, "-")
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
