package patterns

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// reading says a pattern in one sentence. A pattern speaks of entire matches:
// what could belong to a match of its kind, and is not in the pattern, does not
// happen; the sentence ends with that.
func (d *describer) reading(h *history.History) string {
	s, ok := shapeOf(h)
	if !ok {
		return d.story(h)
	}
	switch s.form {
	case stray:
		return d.stray(&h.Ops[s.focus[0]])
	case early:
		return d.earlyReading(h, s) + d.never(h)
	case twice:
		return d.phrase(h.Ops[s.focus[0]].Kind).twice() + d.never(h)
	}
	return d.lateReading(h, s)
}

// stray says that a single operation matches nothing.
func (d *describer) stray(o *history.Op) string {
	if !d.keyed(o.Kind) {
		return d.event(o, d.strayValue(o.Kind))
	}
	value := *d // what it returns is a value that never came with that key
	value.noun = "value"
	return o.Method + " returns " + value.strayValue(o.Kind) + " with that key"
}

// event says what an operation does with a value.
func (d *describer) event(o *history.Op, value string) string {
	if !o.Completed {
		return o.Method + " is called and does not return"
	}
	return d.phrase(o.Kind).event(value)
}

// strayValue describes a value that no match target has.
func (d *describer) strayValue(k history.Kind) string {
	never, before := "never", ""
	if d.past {
		never, before = "not", " before"
	}
	var passed, clauses []string
	for _, t := range d.targets[k] {
		p := d.phrase(t)
		switch {
		case p.verb == isCalled:
			passed = append(passed, t.Method)
		case d.past:
			clauses = append(clauses, p.which(t.Method, "has not "+p.verb.past))
		default:
			clauses = append(clauses, p.which(t.Method, "never "+p.verb.past))
		}
	}
	if len(passed) > 0 {
		clauses = append([]string{"that was " + never + " passed to " + list(passed, "or")}, clauses...)
	}
	if len(clauses) == 0 {
		return "a " + d.noun + " that matches no other operation"
	}
	return "a " + d.noun + " " + list(clauses, "and") + before
}

// earlyReading: "remove returns a value before add is called with it".
func (d *describer) earlyReading(h *history.History, s shape) string {
	var parts []string
	for n, i := range s.focus {
		parts = append(parts, d.event(&h.Ops[i], []string{"a " + d.noun, "it"}[min(n, 1)]))
	}
	text := strings.Join(parts, ", then ")
	if len(parts) > 1 {
		text += ", " + map[bool]string{true: "both", false: "all"}[len(parts) == 2]
	}
	text += " before " + d.event(&h.Ops[s.after[0]], "it")
	parts = nil
	for _, i := range s.then {
		parts = append(parts, d.event(&h.Ops[i], "it"))
	}
	if len(parts) > 0 {
		text += ", and afterwards " + strings.Join(parts, ", then ")
	}
	return text
}

// lateReading: "remove returns nil after add is called with a value ...".
func (d *describer) lateReading(h *history.History, s shape) string {
	focus, after := &h.Ops[s.focus[0]], &h.Ops[s.after[0]]
	own := isEmpty(h, s.focus[0])
	if !own {
		text := d.event(focus, "a "+d.noun) + " after " + d.event(after, "it")
		return text + d.andBefore(h, s) + d.never(h)
	}
	text := d.event(focus, "another "+d.noun) + " after " + d.event(after, "a "+d.noun)
	missing := d.missing(h, s.after[0])
	if len(s.then) > 0 || len(missing) == 0 || d.phrase(after.Kind).noValue {
		return text + d.andBefore(h, s) + d.never(h)
	}
	var clauses []string
	for _, ps := range alike(d.phrases(missing)) {
		clauses = append(clauses, ps[0].which(nobody(ps)))
	}
	return text + " " + list(clauses, "and") + d.later()
}

func (d *describer) andBefore(h *history.History, s shape) string {
	if len(s.then) == 0 {
		return ""
	}
	return " and before " + d.event(&h.Ops[s.then[0]], "it")
}

// missing lists the kinds that may belong to the match of a target, and change
// something, but are not in the pattern.
func (d *describer) missing(h *history.History, t int) []history.Kind {
	var ks []history.Kind
	for _, k := range d.members[h.Ops[t].Kind] {
		there := func(o history.Op) bool { return o.Kind == k && o.Target == t && !o.ReadOnly }
		if !slices.ContainsFunc(h.Ops, there) {
			ks = append(ks, k)
		}
	}
	return ks
}

// never says what does not happen to the values of a pattern:
// "; remove never returns the first".
func (d *describer) never(h *history.History) string {
	if slices.ContainsFunc(h.Ops, func(o history.Op) bool { return !o.Completed }) {
		return "" // a pending operation may still belong to any match
	}
	values := valueMatches(h)
	var order []string // the values, as the sentence says them
	absent := map[string][]history.Kind{}
	for _, k := range d.kinds {
		v := d.absentValues(h, values, k)
		if v == "" {
			continue
		}
		if absent[v] == nil {
			order = append(order, v)
		}
		absent[v] = append(absent[v], k)
	}
	var clauses []string
	for _, v := range order {
		for _, ps := range alike(d.phrases(absent[v])) {
			subject, predicate := nobody(ps)
			clauses = append(clauses, words(subject, predicate, ps[0].tail(v)))
		}
	}
	if len(clauses) == 0 {
		return ""
	}
	return "; " + list(clauses, "and") + d.later()
}

// absentValues refers to the values whose matches lack a kind.
func (d *describer) absentValues(h *history.History, values []int, k history.Kind) string {
	var which []string
	for n, t := range values {
		if slices.Contains(d.missing(h, t), k) {
			which = append(which, "the "+ordinal(n+1))
		}
	}
	switch all := len(which) == len(values); {
	case all && len(which) == 1:
		return "it"
	case all && len(which) == 2:
		return "either"
	case all && len(which) > 2:
		return "any of them"
	}
	return list(which, "or")
}

func (d *describer) phrases(ks []history.Kind) []phrase {
	var ps []phrase
	for _, k := range ks {
		ps = append(ps, d.phrase(k))
	}
	return ps
}

// later qualifies "never": with past-only matching, what came before its target
// is not part of a match.
func (d *describer) later() string {
	if d.past {
		return " later"
	}
	return ""
}

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
		return identical(h, i, j) || isEmpty(h, i) && isEmpty(h, j) && h.Ops[i].Kind == h.Ops[j].Kind
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
