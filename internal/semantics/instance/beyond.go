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
	Statement
	shares bool // the third has a value of one of the others
}

// beyond prepares those of this form; what others say is not made use of.
func (l *Log) beyond(t *theory.Theory, plain func(f formula.Formula) (formula.Formula, bool)) {
	for i := range t.Spec.Beyond {
		s, ok := StatementOf(&t.Spec.Beyond[i], t.Vocabulary())
		if !ok {
			continue
		}
		_, given := plain(s.Given)
		if _, needed := plain(s.Needed); given && needed {
			l.statements = append(l.statements, statement{s, shares(s.Needed)})
		}
	}
}

// impossible reports whether no admitted execution has two operations that together
// fulfil a condition: they are as given, and nothing that is needed then is there.
func (l *Log) impossible(y, z taking, condition func(w *world) bool, more ...taking) bool {
	return slices.ContainsFunc(l.statements, func(s statement) bool {
		given := func(w *world) bool {
			return formula.Eval(s.Given, w, map[string]int{s.X: slices.Index(w.ops, y.op), s.Y: slices.Index(w.ops, z.op)})
		}
		if y.op == z.op || l.possible(func(w *world) bool { return condition(w) && !given(w) }, append(more, y, z)...) {
			return false
		}
		return !slices.ContainsFunc(l.candidates(s, y.op, z.op), func(r int) bool {
			return slices.ContainsFunc(l.kinds(r), func(out history.Outcome) bool {
				return l.possible(func(w *world) bool {
					at := func(op int) int { return slices.Index(w.ops, op) }
					return given(w) && formula.Eval(s.Needed, w, map[string]int{s.X: at(y.op), s.Y: at(z.op), s.Z: at(r)})
				}, y, z, taking{r, out})
			})
		})
	})
}

// candidates lists the operations that may be the third one.
func (l *Log) candidates(s statement, x, y int) (ops []int) {
	if s.shares {
		return append(l.near(x), l.near(y)...)
	}
	for i := range l.e.Ops {
		ops = append(ops, i)
	}
	return ops
}
