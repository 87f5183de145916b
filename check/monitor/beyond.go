package monitor

import (
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// needsRemove tells whether, by what a theory says of executions outside its
// language, no value is added twice with effect that is not removed: two adds
// are never admitted together with everything else that may be but its remove.
// Such a statement asks for a third operation, so that fewer do not help.
func (l *likeness) needsRemove(t *theory.Theory) bool {
	q := &sequence{}
	for _, v := range []history.Value{"1", "2"} {
		for k, letter := range l.cast {
			one := labelOf(t, k, v)
			switch {
			case letter == adds.letter && v == "1":
				q.labels = append(q.labels, one, one)
			case letter != removes.letter || v != "1":
				q.labels = append(q.labels, one)
			}
		}
	}
	q.target, q.readOnly = make([]int, len(q.labels)), make([]bool, len(q.labels))
	for _, r := range t.Spec.Beyond {
		every, _ := r.Formula.(formula.Quantified)
		to, _ := every.Body.(formula.Implies)
		some, _ := to.B.(formula.Quantified)
		if f := formula.Expand(r.Formula, t.Vocabulary()); every.Forall && len(every.Vars) == 2 && !some.Forall && len(some.Vars) == 1 &&
			isPlain(to.A) && isPlain(some.Body) && !formula.Compile(f)(q, nil) {
			return true
		}
	}
	return false
}

// isPlain tells whether a formula is about labels alone, without quantifiers.
func isPlain(f formula.Formula) bool {
	switch f := f.(type) {
	case formula.Equal:
		return f.A.Fn != "match" && f.B.Fn != "match"
	case formula.And:
		for _, g := range f {
			if !isPlain(g) {
				return false
			}
		}
		return true
	case formula.Not:
		return isPlain(f.F)
	}
	return false
}

// labelOf is the label of a kind all of whose values are v.
func labelOf(t *theory.Theory, k history.Kind, v history.Value) history.Label {
	l := history.Label{Kind: k}
	for _, m := range t.Spec.Methods {
		for _, o := range m.Outcomes {
			if m.Name == k.Method && o.Outcome == k.Outcome {
				for range m.Args {
					l.Args = append(l.Args, v)
				}
				for range o.Rets {
					l.Rets = append(l.Rets, v)
				}
			}
		}
	}
	return l
}
