package patterns

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// A form is a frequent way to be wrong that has a plain sentence of its own.
type form int

const (
	stray   form = iota // a single unmatched operation
	early               // members of a match come before its target
	twice               // a member of a match comes twice
	late                // something comes although an earlier operation rules it out
	between             // something comes between an operation and the one that ends its match
)

// A shape is a pattern seen as one of the forms: focus is what should not have
// come, after what is there before it, then what comes at the end. (For early,
// after is the target that should have come first.)
type shape struct {
	form               form
	focus, after, then []int
}

// shapeOf recognizes the forms in sequential patterns of completed operations.
func shapeOf(h *history.History) (shape, bool) {
	for i := range h.Ops {
		if !h.Ops[i].Completed || i > 0 && !h.Before(i-1, i) {
			return shape{}, false
		}
	}
	switch {
	case len(h.Ops) == 1 && h.Ops[0].Target == history.Unmatched:
		return shape{form: stray, focus: []int{0}}, true
	case matches(h) == 1:
		return oneMatch(h)
	}
	return emptyInside(h)
}

// oneMatch recognizes patterns whose operations all belong to one match.
func oneMatch(h *history.History) (shape, bool) {
	t := h.Ops[0].Target
	for i := range h.Ops {
		if h.Ops[i].Target != t {
			return shape{}, false
		}
	}
	n := len(h.Ops)
	switch {
	case t > 0:
		return shape{form: early, focus: upTo(0, t), after: []int{t}, then: upTo(t+1, n)}, true
	case n == 2:
		return shape{form: late, focus: []int{1}, after: []int{0}}, true
	case n == 3 && identical(h, 1, 2):
		return shape{form: twice, focus: []int{1}}, true
	case n == 3 && h.Ops[1].ReadOnly && !h.Ops[2].ReadOnly:
		return shape{form: between, focus: []int{1}, after: []int{0}, then: []int{2}}, true
	case n == 3 && !h.Ops[1].ReadOnly:
		return shape{form: late, focus: []int{2}, after: []int{1}}, true
	}
	return shape{}, false
}

// emptyInside recognizes a read-only operation of its own (such as "remove
// returns nil") after the first operation of a match, with or without one more.
func emptyInside(h *history.History) (shape, bool) {
	n := len(h.Ops)
	if n < 2 || n > 3 || h.Ops[0].Target != 0 || h.Ops[0].ReadOnly || !isEmpty(h, 1) {
		return shape{}, false
	}
	s := shape{form: late, focus: []int{1}, after: []int{0}}
	if n == 3 {
		s.form, s.then = between, []int{2}
		return s, h.Ops[2].Target == 0
	}
	return s, true
}

// isEmpty reports whether operation i only looks and matches nothing but itself.
func isEmpty(h *history.History, i int) bool {
	if !h.Ops[i].ReadOnly || h.Ops[i].Target != i {
		return false
	}
	for j := range h.Ops {
		if j != i && h.Ops[j].Target == i {
			return false
		}
	}
	return true
}

// valueMatches lists the targets of the matches that a reading distinguishes, in
// the order in which their first operations come: all but the empty ones.
func valueMatches(h *history.History) []int {
	var ts []int
	for i := range h.Ops {
		t := h.Ops[i].Target
		if t != history.Unmatched && !isEmpty(h, t) && matchNumber(ts, t) == 0 {
			ts = append(ts, t)
		}
	}
	return ts
}

// matchNumber is the place of a target in a list of them, from 1, or 0.
func matchNumber(ts []int, t int) int { return slices.Index(ts, t) + 1 }

func upTo(from, to int) []int {
	var is []int
	for i := from; i < to; i++ {
		is = append(is, i)
	}
	return is
}

// matches is the number of matches, that is of match targets.
func matches(h *history.History) (n int) {
	for i := range h.Ops {
		if h.Ops[i].Target == i {
			n++
		}
	}
	return n
}

// identical reports whether two operations have the same label and the same
// matching.
func identical(h *history.History, i, j int) bool {
	a, b := &h.Ops[i], &h.Ops[j]
	return a.Target == b.Target && a.ReadOnly == b.ReadOnly && a.Completed == b.Completed && a.Kind == b.Kind
}
