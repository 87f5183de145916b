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
	methods []history.MethodSig
	machine semantics.Machine // nil: there is none
}

// LabelsOf is those of a theory.
func LabelsOf(s *theory.Spec) *Labels {
	m, _ := Of(s)
	return &Labels{s.Methods, m}
}

// Refuses says why the machine says nothing of a label: the theory does not know the
// kind or the number of values, or a value is no integer and ought to be one.
func (ls *Labels) Refuses(l *history.Label) error {
	i := slices.IndexFunc(ls.methods, func(m history.MethodSig) bool { return m.Name == l.Method })
	if i < 0 {
		return fmt.Errorf("the theory has no method %s", l.Method)
	}
	m := &ls.methods[i]
	switch k := slices.IndexFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Outcome == l.Outcome }); {
	case len(l.Args) != m.Args:
		return fmt.Errorf("%s has %d arguments, not %d", l.Method, m.Args, len(l.Args))
	case l.Outcome == history.Pending:
	case k < 0:
		return fmt.Errorf("%s does not answer %s", l.Method, l.Outcome)
	case len(l.Rets) != m.Outcomes[k].Rets:
		return fmt.Errorf("%s has %d values, not %d", l.Kind, m.Outcomes[k].Rets, len(l.Rets))
	}
	if ls.machine == nil {
		return nil
	}
	return ls.machine.Refuses(l)
}
