package instance

import (
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/theory"
)

// Statement is a rule of the form
//
//	forall x:Op, y:Op. given -> exists z:Op. needed
//
// that what a theory says beyond its language mostly has.
type Statement struct {
	X, Y, Z       string
	Given, Needed formula.Formula // without quantifiers and predicates
}

// StatementOf takes a rule apart, its predicates expanded; false if it has another form.
func StatementOf(r *theory.Rule, v *formula.Vocabulary) (s Statement, ok bool) {
	all, _ := formula.Expand(r.Formula, v).(formula.Quantified)
	to, _ := all.Body.(formula.Implies)
	some, _ := to.B.(formula.Quantified)
	if !all.Forall || len(all.Vars) != 2 || some.Forall || len(some.Vars) != 1 {
		return s, false
	}
	s = Statement{all.Vars[0], all.Vars[1], some.Vars[0], to.A, some.Body}
	quantified := func(f formula.Formula) (found bool) {
		formula.Walk(f, func(f formula.Formula) bool {
			_, is := f.(formula.Quantified)
			found = found || is
			return !found
		})
		return found
	}
	return s, !quantified(s.Given) && !quantified(s.Needed)
}
