package monitor

import (
	"fmt"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/theory"
)

// plain refuses theories whose language, matching or axioms could say something
// that short sequences do not show.
func plain(t *theory.Theory) error {
	v := t.Vocabulary()
	plain := func(what string, f formula.Formula) error {
		f = formula.Expand(f, v)
		switch {
		case len(semantics.Named(f))+len(semantics.Compared(f)) > 0:
			return fmt.Errorf("%s names a data value, or compares values by their order", what)
		case !semantics.LabelsOnly(f):
			return fmt.Errorf("%s speaks of the order or of matches", what)
		}
		return nil
	}
	for i, f := range t.Spec.Matching.Target {
		if err := plain(fmt.Sprintf("match target %d", i+1), f); err != nil {
			return err
		}
	}
	for i := range t.Spec.Patterns {
		if p := &t.Spec.Patterns[i]; p.Formula != nil && len(semantics.Compared(formula.Expand(p.Formula, v))) > 0 {
			return fmt.Errorf("pattern %s compares values by their order", p.Name)
		}
	}
	for _, rules := range []struct {
		what string
		vars int
		list []theory.Rule
	}{{"rule ", 2, t.Spec.Language}, {"axiom ", 1, t.Spec.Axioms}} {
		for _, r := range rules.list {
			q, ok := r.Formula.(formula.Quantified)
			if !ok || !q.Forall || len(q.Vars) > rules.vars {
				return fmt.Errorf("%s%s is not about any %d operations", rules.what, r.Name, rules.vars)
			}
			if err := plain(rules.what+r.Name, q.Body); err != nil {
				return err
			}
		}
	}
	return nil
}
