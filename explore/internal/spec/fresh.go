package spec

import (
	"context"
	"fmt"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
	"github.com/adtinfer/adtinfer/theory"
)

// Fresh says which argument of the operations with these names must be another one in each
// call for a theory to say anything: "each value is added at most once". It tries pairs
// of operations with and without a value in common. A theory with an automaton or a
// product of them needs none. Aliases are other names of the theory's methods.
func Fresh(t *theory.Theory, aliases map[string][]string, operations []string) (map[string]int, error) {
	if err := exploring(t); err != nil || configurations.Searched(&t.Spec) != nil {
		return nil, err
	}
	sig, err := t.Signature(aliases)
	if err != nil {
		return nil, err
	}
	p := &pairs{sequences: t.Sequences()}
	fresh := map[string]int{}
	note := func(name string, arg int) error {
		if other, ok := fresh[name]; ok && other != arg {
			return fmt.Errorf("theory %s is about executions in which two arguments of %s are new in each call: an exploration cannot make them", t.Name, name)
		}
		fresh[name] = arg
		return nil
	}
	for i, a := range operations {
		for _, b := range operations[i:] {
			x, okX := sig.Method(a)
			y, okY := sig.Method(b)
			if !okX || !okY {
				continue // which fit tells
			}
			for k := range x.Args {
				for l := range y.Args {
					apart, err := p.apart(x, y, k, l)
					if err != nil {
						return nil, err
					}
					if !apart {
						continue
					}
					if err := note(a, k); err != nil {
						return nil, err
					}
					if err := note(b, l); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	return fresh, nil
}

// pairs asks a theory about pairs of operations.
type pairs struct{ sequences *theory.Sequences }

// apart reports whether a theory says nothing of some pair of operations because
// argument k of the one is argument l of the other.
func (p *pairs) apart(x, y *history.MethodSig, k, l int) (bool, error) {
	for _, a := range x.Outcomes {
		for _, b := range y.Outcomes {
			for _, alike := range [2]bool{false, true} {
				said := [2]bool{}
				for n, value := range [2]int{1, 2} {
					first := pairLabel(x, a, k, 1, 10)
					other := 10
					if !alike {
						other = 20
					}
					var err error
					second := pairLabel(y, b, l, value, other)
					if _, said[n], err = p.sequences.Admits(context.Background(), []history.Label{first, second}); err != nil {
						return false, err
					}
				}
				if !said[0] && said[1] {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

// pairLabel is an operation with value v at argument k, and others from a number on.
func pairLabel(m *history.MethodSig, o history.OutcomeSig, k, v, others int) history.Label {
	l := history.Label{Kind: history.Kind{Method: m.Name, Outcome: o.Outcome}}
	for i := range m.Args {
		n := others + i
		if i == k {
			n = v
		}
		l.Args = append(l.Args, history.Value(strconv.Itoa(n)))
	}
	for range o.Rets {
		l.Rets = append(l.Rets, history.Value(strconv.Itoa(v)))
	}
	return l
}
