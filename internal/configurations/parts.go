package configurations

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Part is the operations of an execution that belong to a key of a product, without
// it; events keep their numbers. For a key that no operation has it is those that
// belong to all.
func Part(p *theory.Product, e *history.Execution, key history.Value) *history.Execution {
	part := &history.Execution{Object: e.Object, Events: e.Events, Tail: e.Tail}
	for _, o := range e.Ops {
		k := p.Of(o.Method)
		label, own, ok := k.Project(o.Label)
		if o.Label = label; ok && (k.Role == theory.InAll || own == key) {
			part.Ops = append(part.Ops, o)
		}
	}
	return part
}

// Local reports whether each key can be decided on its own: all operations belong to
// one.
func Local(p *theory.Product) bool {
	return !slices.ContainsFunc(p.Keys, func(k theory.Key) bool { return k.Role != theory.ByKey })
}

// Speaks says why a theory's machine says nothing of a label: it does not know the kind
// or the number of values, or counts what is no integer.
func Speaks(s *theory.Spec, l *history.Label) error {
	i := slices.IndexFunc(s.Methods, func(m history.MethodSig) bool { return m.Name == l.Method })
	if i < 0 {
		return fmt.Errorf("the theory has no method %s", l.Method)
	}
	m := &s.Methods[i]
	switch k := slices.IndexFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Outcome == l.Outcome }); {
	case len(l.Args) != m.Args:
		return fmt.Errorf("%s has %d arguments, not %d", l.Method, m.Args, len(l.Args))
	case l.Outcome == history.Pending:
	case k < 0:
		return fmt.Errorf("%s does not answer %s", l.Method, l.Outcome)
	case len(l.Rets) != m.Outcomes[k].Rets:
		return fmt.Errorf("%s has %d values, not %d", l.Kind, m.Outcomes[k].Rets, len(l.Rets))
	}
	if p := s.Product; p != nil {
		if own, _, ok := p.Of(l.Method).Project(*l); ok {
			if err := Speaks(&p.Part, &own); err != nil {
				return err
			}
		}
	}
	if s.Automaton == nil {
		return nil
	}
	for _, k := range counted(s.Automaton, l.Method) {
		if _, err := strconv.ParseInt(string(l.Args[k]), 10, 64); err != nil {
			return fmt.Errorf("%s is no integer of 64 bits, and %s counts it", l.Args[k], l.Method)
		}
	}
	return nil
}

// counted lists the arguments of a method that an automaton takes for integers.
func counted(a *automata.Automaton, method string) (args []int) {
	for _, c := range a.Counters {
		for _, x := range c.Adds {
			if x.Kind.Method == method && x.Arg >= 0 {
				args = append(args, x.Arg)
			}
		}
	}
	term := func(t automata.Term, compared bool) {
		if t.Kind == automata.Argument && compared {
			args = append(args, t.Index)
		}
		for _, x := range t.Sum.Terms {
			if t.Kind == automata.Total && x.Counter < 0 {
				args = append(args, x.Arg)
			}
		}
	}
	for _, l := range a.Locations {
		for _, t := range l.Transitions {
			if t.Method != method {
				continue
			}
			for _, c := range t.Guard {
				term(c.Left, c.Op == automata.Less || c.Op == automata.AtLeast)
				term(c.Right, c.Op == automata.Less || c.Op == automata.AtLeast)
			}
			for _, x := range slices.Concat(t.Rets, t.Load) {
				term(x, false)
			}
		}
	}
	return args
}
