package monitor

import (
	"errors"
	"fmt"
	"maps"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// errShape is why it cannot be told which values a theory's operations have.
var errShape = errors.New("an operation has more than one argument or returned value")

// newReader reads off the theory's matching where operations have their values.
func newReader(t *theory.Theory, l *likeness, s *semantics) (*reader, error) {
	r := &reader{methods: map[string]*method{}}
	adders := l.adders()
	byName := map[string]*method{}
	for i := range t.Spec.Methods {
		m := &t.Spec.Methods[i]
		if m.Args > 1 {
			return nil, errShape
		}
		x := &method{args: m.Args, unique: m.Args == 1}
		for _, o := range m.Outcomes {
			k := kindReader{s, adders, history.Kind{Method: m.Name, Outcome: o.Outcome}, m.Args, o.Rets}
			y, err := k.outcome(l.shape.role(l.cast[k.Kind]).role)
			if err != nil {
				return nil, err
			}
			if y.role == remove && l.shape.named != (m.Args == 1) {
				return nil, fmt.Errorf("values of a %s are not removed as %s does it", l.shape.name, m.Name)
			}
			if y.role == add || y.role == remove {
				x.kind = l.index[k.Kind]
			}
			x.outcomes = append(x.outcomes, y)
			x.unique = x.unique && y.unique
		}
		if err := x.opens(m); err != nil {
			return nil, err
		}
		for _, a := range m.Aliases {
			r.methods[a] = x
		}
		byName[m.Name] = x
	}
	maps.Copy(r.methods, byName) // a name wins over an alias
	return r, nil
}

// adders lists the kinds that put values in.
func (l *likeness) adders() (ks []history.Kind) {
	for k, letter := range l.cast {
		if l.shape.role(letter).role == add {
			ks = append(ks, k)
		}
	}
	return ks
}

// opens finds out what pending operations of a method may do.
func (x *method) opens(m *history.MethodSig) error {
	for _, o := range x.outcomes {
		switch {
		case o.role != add && o.role != remove:
		case x.open != none:
			return fmt.Errorf("%s both adds and removes", m.Name)
		case o.role == add:
			x.open = maybeAdd
		default:
			x.open = maybeRemove
		}
	}
	return nil
}

// kindReader finds out where operations of a kind have their value.
type kindReader struct {
	*semantics
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
func (k *kindReader) outcome(r role) (outcome, error) {
	o := outcome{Outcome: k.Outcome, rets: k.rets, role: r}
	if k.rets > 1 {
		return o, errShape
	}
	if k.args == 1 {
		o.unique = !k.speaks(k.label("1", "2"), history.Label{Kind: k.adders[0], Args: []history.Value{"1"}})
	}
	if r == add {
		if k.args != 1 || k.rets != 0 {
			return o, fmt.Errorf("%s does not put in what it is called with", k.Kind)
		}
		o.fromArg, o.unique = true, true
		return o, nil
	}
	in, out := 0, 0
	for _, a := range k.adders {
		target := history.Label{Kind: a, Args: []history.Value{"1"}}
		if k.args == 1 && k.matches(k.label("1", "2"), target) {
			in++
		}
		if k.rets == 1 && k.matches(k.label("2", "1"), target) {
			out++
		}
	}
	switch all := len(k.adders); {
	case r == empty && in+out > 0:
		return o, fmt.Errorf("%s has a value", k.Kind)
	case r != empty && (in+out != all || in > 0 && out > 0):
		return o, fmt.Errorf("which value %s speaks of cannot be told", k.Kind)
	}
	o.fromArg = in > 0
	o.agree = k.args == 1 && k.rets == 1 && !o.unique
	return o, nil
}
