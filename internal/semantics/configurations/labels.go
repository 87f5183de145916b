package configurations

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/theory"
)

// Labels is what operations may be for a theory's machine to say something of them.
type Labels struct {
	spec   *theory.Spec
	values semantics.Machine // nil: it has no automaton
	part   *Labels           // nil: it has no product
}

// LabelsOf is those of a theory.
func LabelsOf(s *theory.Spec) *Labels {
	l := &Labels{spec: s}
	if s.Automaton != nil {
		l.values = s.Automaton.Machine()
	}
	if s.Product != nil {
		l.part = LabelsOf(&s.Product.Part)
	}
	return l
}

// Refuses says why the machine says nothing of a label: the theory does not know the
// kind or the number of values, or a value is no integer and ought to be one.
func (ls *Labels) Refuses(l *history.Label) error {
	i := slices.IndexFunc(ls.spec.Methods, func(m history.MethodSig) bool { return m.Name == l.Method })
	if i < 0 {
		return fmt.Errorf("the theory has no method %s", l.Method)
	}
	m := &ls.spec.Methods[i]
	switch k := slices.IndexFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Outcome == l.Outcome }); {
	case len(l.Args) != m.Args:
		return fmt.Errorf("%s has %d arguments, not %d", l.Method, m.Args, len(l.Args))
	case l.Outcome == history.Pending:
	case k < 0:
		return fmt.Errorf("%s does not answer %s", l.Method, l.Outcome)
	case len(l.Rets) != m.Outcomes[k].Rets:
		return fmt.Errorf("%s has %d values, not %d", l.Kind, m.Outcomes[k].Rets, len(l.Rets))
	}
	if ls.part != nil {
		own, _, ok := ls.spec.Product.Of(l.Method).Project(*l)
		switch {
		case ok:
			if err := ls.part.Refuses(&own); err != nil {
				return err
			}
		case len(l.Rets) == 1 && !semantics.IsInteger(l.Rets[0]):
			return fmt.Errorf("what it returns is %q, which is no integer, and the theory adds it up over all keys", l.Rets[0])
		}
	}
	if ls.values != nil {
		return ls.values.Refuses(l)
	}
	return nil
}
