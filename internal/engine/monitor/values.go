package monitor

import (
	"errors"
	"fmt"
	"maps"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/semantics/axioms"
	"github.com/adtinfer/adtinfer/theory"
)

// errShape is why it cannot be told which values a theory's operations have.
var errShape = errors.New("an operation has more than one argument or returned value")

// newReader reads off the theory's matching where operations have their values.
func newReader(t *theory.Theory, l *assignment, s *axioms.Semantics) (*batch.Reader, error) {
	r := &batch.Reader{Methods: map[string]*batch.Method{}}
	adders := l.adders()
	byName := map[string]*batch.Method{}
	for i := range t.Spec.Methods {
		m := &t.Spec.Methods[i]
		if m.Args > 1 {
			return nil, errShape
		}
		x := &batch.Method{Args: m.Args, Unique: m.Args == 1}
		for _, o := range m.Outcomes {
			k := kindReader{s, adders, history.Kind{Method: m.Name, Outcome: o.Outcome}, m.Args, o.Rets}
			y, err := k.outcome(l.shape.role(l.cast[k.Kind]).role)
			if err != nil {
				return nil, err
			}
			if y.Role == batch.Remove && l.shape.named != (m.Args == 1) {
				return nil, fmt.Errorf("values of a %s are not removed as %s does it", l.shape.Name, m.Name)
			}
			if y.Role == batch.Add || y.Role == batch.Remove {
				x.Kind = l.index[k.Kind]
			}
			x.Outcomes = append(x.Outcomes, y)
			x.Unique = x.Unique && y.Unique
		}
		if err := opens(x, m); err != nil {
			return nil, err
		}
		for _, a := range m.Aliases {
			r.Methods[a] = x
		}
		byName[m.Name] = x
	}
	maps.Copy(r.Methods, byName) // a name wins over an alias
	return r, nil
}

// adders lists the kinds that put values in.
func (l *assignment) adders() (ks []history.Kind) {
	for _, k := range kinds(l.cast) {
		if l.shape.role(l.cast[k]).role == batch.Add {
			ks = append(ks, k)
		}
	}
	return ks
}

// opens finds out what pending operations of a method may do.
func opens(x *batch.Method, m *history.MethodSig) error {
	for _, o := range x.Outcomes {
		switch {
		case o.Role != batch.Add && o.Role != batch.Remove:
		case x.Open != batch.None:
			return fmt.Errorf("%s both adds and removes", m.Name)
		case o.Role == batch.Add:
			x.Open = batch.MaybeAdd
		default:
			x.Open = batch.MaybeRemove
		}
	}
	return nil
}

// kindReader finds out where operations of a kind have their value.
type kindReader struct {
	*axioms.Semantics
	adders []history.Kind
	history.Kind
	args, rets int
}

func (k *kindReader) label(arg, ret history.Value) history.Label {
	l := history.Label{Kind: k.Kind}
	if k.args > 0 {
		l.Args = []history.Value{arg}
	}
	if k.rets > 0 {
		l.Rets = []history.Value{ret}
	}
	return l
}

// outcome finds out where the value is: where the matching looks for it. An add
// with the value 1 is the target of an operation with the value 1 and no other.
func (k *kindReader) outcome(r batch.Role) (batch.Outcome, error) {
	o := batch.Outcome{Outcome: k.Outcome, Rets: k.rets, Role: r}
	if k.rets > 1 {
		return o, errShape
	}
	if k.args == 1 {
		o.Unique = !k.Speaks(k.label("1", "2"), history.Label{Kind: k.adders[0], Args: []history.Value{"1"}})
	}
	if r == batch.Add {
		if k.args != 1 || k.rets != 0 {
			return o, fmt.Errorf("%s does not put in what it is called with", k.Kind)
		}
		o.FromArg, o.Unique = true, true
		return o, nil
	}
	in, out := 0, 0
	for _, a := range k.adders {
		target := history.Label{Kind: a, Args: []history.Value{"1"}}
		if k.args == 1 && k.Matches(k.label("1", "2"), target) {
			in++
		}
		if k.rets == 1 && k.Matches(k.label("2", "1"), target) {
			out++
		}
	}
	switch all := len(k.adders); {
	case r == batch.Empty && in+out > 0:
		return o, fmt.Errorf("%s has a value", k.Kind)
	case r != batch.Empty && (in+out != all || in > 0 && out > 0):
		return o, fmt.Errorf("which value %s speaks of cannot be told", k.Kind)
	}
	o.FromArg = in > 0
	o.Agree = k.args == 1 && k.rets == 1 && !o.Unique
	return o, nil
}
