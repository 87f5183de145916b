package learn

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
)

// way is the calls that lead to a state, with one more, if there is one.
func (x *closure) way(state int, more ...teacher.Call) []teacher.Call {
	for ; x.all[state].from >= 0; state = x.all[state].from {
		more = append(more, x.all[state].call)
	}
	slices.Reverse(more)
	return more
}

// difference is the way to a state and a call there, with the first values there
// are.
func (x *closure) difference(state int, call teacher.Call) *difference {
	n := x.naming()
	w := x.renamed(x.way(state, call), func(a atom) int {
		n.name(a, true)
		return n.names[a] + 1
	})
	return &difference{word: w, at: len(w) - 1}
}

// renamed has other atoms.
func (x *closure) renamed(w []teacher.Call, number func(atom) int) []teacher.Call {
	w = slices.Clone(w)
	for i := range w {
		w[i].Args = slices.Clone(w[i].Args)
		for p, v := range w[i].Args {
			if a, ok := x.values[v]; ok {
				w[i].Args[p] = x.atoms.value(w[i].Method, p, number(a))
			}
		}
	}
	return w
}

// again reaches some states with other values. If the same calls with other values
// do not lead to the same state with other names, the reference keeps values in a
// form in which they are not found.
func (x *closure) again(ctx context.Context) error {
	gap := max(1, len(x.all)/mostCopies)
	last := [2]int{x.atoms.known[0], x.atoms.known[1]}
	for i := len(x.all) - 1; i > 0; i -= gap {
		w := x.renamed(x.way(i), func(a atom) int {
			x.upTo(a.class, a.number+last[a.class])
			return a.number + last[a.class]
		})
		object, s := x.space.Start(), x.a.Start()
		for _, call := range w {
			l := pending(x.methods(), call)
			n, err := x.space.Call(l)
			if err != nil {
				return err
			}
			next, answer, err := x.space.Step(ctx, object, n, nil)
			if err != nil {
				return refused(ctx, err)
			}
			a := x.space.Answer(answer)
			l.Outcome, l.Rets = a.Outcome, a.Rets
			var ok bool
			if s, ok = x.a.Step(s, l); !ok {
				return open("the reference tells values from one another otherwise than by equality")
			}
			object = next
		}
		forms, err := x.space.Forms(ctx, []int32{object})
		if err != nil {
			return refused(ctx, err)
		}
		if key, _, _ := x.key(&forms[0], &s); x.known[key] != i {
			return open("the reference keeps values in a form of its own")
		}
	}
	return nil
}

// grows says why there is no end of states: either there is no end of values, or of
// what the states are like without them.
func (x *closure) grows() string {
	half, shapes := len(x.extra)/2, map[string]bool{}
	for key := range x.known {
		shapes[variables.ReplaceAllLiteralString(key, "$")] = true
	}
	why := "the reference's numbers or indices grow"
	switch {
	case len(x.a.Counters) > 0:
		why = "the automaton's counters grow"
	case slices.Max(x.extra[half:]) > slices.Max(x.extra[:half]) || len(shapes) < len(x.all)/8:
		why = "the reference keeps values that the automaton forgot"
	}
	return fmt.Sprintf("%s (after %d states)", why, len(x.all))
}

var variables = regexp.MustCompile(`\$[0-9]+`)
