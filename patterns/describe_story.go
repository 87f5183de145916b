package patterns

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// story tells any pattern operation by operation, in the order in which they
// start: "add is called with a first value and then a second, then ...".
func (d *describer) story(h *history.History) string {
	order := make([]int, len(h.Ops))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return h.Ops[i].Start - h.Ops[j].Start })

	values := valueMatches(h)
	var parts []string
	for n, i := range order {
		value, again := d.mention(h, values, order[:n], i)
		aside := overlaps(h, order[:n], i) + again
		if n > 0 && joins(h, order[n-1], i) && !d.phrase(h.Ops[i].Kind).noValue {
			value = strings.Replace(value, " "+d.noun, "", 1)
			if h.Ops[i].Target == h.Ops[order[n-1]].Target {
				value, aside = "once more", overlaps(h, order[:n], i)
			}
			parts[len(parts)-1] += " and then " + value + aside
			continue
		}
		parts = append(parts, d.event(&h.Ops[i], value)+aside)
	}
	return strings.Join(parts, ", then ") + d.never(h)
}

// mention refers to the value of operation i after the operations told so far,
// and says whether the same has been told before.
func (d *describer) mention(h *history.History, values, told []int, i int) (value, again string) {
	same := func(j int) bool {
		return h.Identical(i, j) || isEmpty(h, i) && isEmpty(h, j) && h.Ops[i].Kind == h.Ops[j].Kind
	}
	if slices.ContainsFunc(told, same) {
		again = " again"
	}
	o := &h.Ops[i]
	n := matchNumber(values, o.Target)
	seen := slices.ContainsFunc(told, func(j int) bool { return h.Ops[j].Target == o.Target })
	switch {
	case o.Target == history.Unmatched:
		return d.strayValue(o.Kind), ""
	case n == 0:
		return "another " + d.noun, again
	case len(values) == 1 && !seen:
		return "a " + d.noun, ""
	case len(values) == 1:
		return "it", again
	case !seen:
		return "a " + ordinal(n) + " " + d.noun, ""
	}
	return "the " + ordinal(n), again
}

// joins reports whether operation j reads well as one sentence with i before it.
func joins(h *history.History, i, j int) bool {
	a, b := &h.Ops[i], &h.Ops[j]
	return a.Kind == b.Kind && a.Completed && b.Completed && h.Before(i, j) &&
		a.Target != history.Unmatched && b.Target != history.Unmatched && !isEmpty(h, i) && !isEmpty(h, j)
}

// overlaps names the operations among those told that i overlaps.
func overlaps(h *history.History, told []int, i int) string {
	var names []string
	for _, j := range told {
		if !h.Before(j, i) {
			names = append(names, strconv.Itoa(j+1))
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return " (overlapping operation " + names[0] + ")"
	}
	return " (overlapping operations " + list(names, "and") + ")"
}
