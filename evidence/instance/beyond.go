package instance

import (
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// statement is what holds of every admitted execution, whether in the language or
// not: where two operations are as given there is a third one as needed.
type statement struct {
	x, y, z       string
	given, needed formula.Formula
	shares        bool // the third has a value of one of the others
}

// beyond prepares those of this form; what others say is not made use of.
func (l *Log) beyond(t *theory.Theory, plain func(f formula.Formula, free ...string) (formula.Formula, bool)) {
	for _, r := range t.Spec.Beyond {
		q, _ := r.Formula.(formula.Quantified)
		to, _ := q.Body.(formula.Implies)
		some, _ := to.B.(formula.Quantified)
		if !q.Forall || len(q.Vars) != 2 || some.Forall || len(some.Vars) != 1 {
			continue
		}
		s := statement{x: q.Vars[0], y: q.Vars[1], z: some.Vars[0]}
		var ok [2]bool
		s.given, ok[0] = plain(to.A, s.x, s.y)
		s.needed, ok[1] = plain(some.Body, s.x, s.y, s.z)
		if s.shares = shares(s.needed); ok[0] && ok[1] && s.z != s.x && s.z != s.y {
			l.statements = append(l.statements, s)
		}
	}
}

// never tells whether no admitted execution has two operations side by side that
// fulfil a condition: they are as given, and nothing that is needed then is there.
func (l *Log) never(y, z taking, condition func(w *world) bool, more ...taking) bool {
	return slices.ContainsFunc(l.statements, func(s statement) bool {
		given := func(w *world) bool {
			return formula.Eval(s.given, w, map[string]int{s.x: slices.Index(w.ops, y.op), s.y: slices.Index(w.ops, z.op)})
		}
		if y.op == z.op || l.some(func(w *world) bool { return condition(w) && !given(w) }, append(more, y, z)...) {
			return false
		}
		return !slices.ContainsFunc(l.thirds(s, y.op, z.op), func(r int) bool {
			return slices.ContainsFunc(l.kinds(r), func(out history.Outcome) bool {
				return l.some(func(w *world) bool {
					at := func(op int) int { return slices.Index(w.ops, op) }
					return given(w) && formula.Eval(s.needed, w, map[string]int{s.x: at(y.op), s.y: at(z.op), s.z: at(r)})
				}, y, z, taking{r, out})
			})
		})
	})
}

// thirds lists the operations that may be the third one.
func (l *Log) thirds(s statement, x, y int) (ops []int) {
	if s.shares {
		return append(l.near(x), l.near(y)...)
	}
	for i := range l.e.Ops {
		ops = append(ops, i)
	}
	return ops
}
