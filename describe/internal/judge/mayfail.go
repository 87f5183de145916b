package judge

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Relax makes a theory one in which some answers, such as "tryLock=false", are allowed
// in every state and change nothing. Declared are the methods with all outcomes that
// their signatures allow. Executions without such operations are decided as before,
// so that the patterns that have none of them stay.
func Relax(t *theory.Theory, declared []history.MethodSig, mayFail []string) error {
	ks, err := history.Parse(declared, mayFail)
	if err != nil || len(ks) == 0 {
		return err
	}
	for _, k := range ks {
		declare(t, declared, k)
	}
	of := func(o history.Op) bool { return slices.Contains(ks, o.Kind) }
	for i := range t.Spec.Patterns {
		p := &t.Spec.Patterns[i]
		if slices.ContainsFunc(p.History.Ops, func(o history.Op) bool { return of(o) && !o.ReadOnly }) {
			return fmt.Errorf("what may fail must change nothing, but pattern %s of %s shows that one of %v does", p.Name, t.Name, ks.Texts())
		}
	}
	t.Spec.Patterns = slices.DeleteFunc(t.Spec.Patterns, func(p theory.Pattern) bool { return slices.ContainsFunc(p.History.Ops, of) })
	t.Spec.MayFail = ks
	if t.Spec.Model != nil {
		return nil
	}
	return empty(t)
}

// declare makes sure that a theory has a kind, which the reference may never show.
func declare(t *theory.Theory, declared []history.MethodSig, k history.Kind) {
	byName := func(m history.MethodSig) bool { return m.Name == k.Method }
	by := func(o history.OutcomeSig) bool { return o.Outcome == k.Outcome }
	sig := declared[slices.IndexFunc(declared, byName)]
	out := sig.Outcomes[slices.IndexFunc(sig.Outcomes, by)]
	i := slices.IndexFunc(t.Spec.Methods, byName)
	if i < 0 {
		sig.Outcomes = nil
		i, t.Spec.Methods = len(t.Spec.Methods), append(t.Spec.Methods, sig)
	}
	if m := &t.Spec.Methods[i]; !slices.ContainsFunc(m.Outcomes, by) {
		m.Outcomes = append(slices.Clip(m.Outcomes), out)
	}
}
