package theory

import (
	"context"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
)

// others prepares what is no formula.
func (s *Sequences) others() {
	s.constants(s.spec.Automaton)
	if c := s.spec.Control; c != nil {
		s.constants(c.Automaton)
	}
	if p := s.spec.Product; p != nil {
		s.part = p.Part.sequences()
		s.Ordered = s.Ordered || s.part.Ordered
		for _, v := range s.part.Named {
			s.names(v)
		}
	}
}

// names remembers a data value that is named.
func (s *Sequences) names(v history.Value) {
	if !slices.Contains(s.Named, v) {
		s.Named = append(s.Named, v)
	}
}

// constants remembers what an automaton names and compares.
func (s *Sequences) constants(a *automata.Automaton) {
	if a == nil {
		return
	}
	for _, v := range a.Initial {
		s.names(v)
	}
	for _, c := range a.Counters {
		for _, add := range c.Adds {
			if add.Where > 0 {
				s.names(add.Is)
			}
		}
	}
	for _, l := range a.Locations {
		for _, t := range l.Transitions {
			terms := slices.Concat(t.Rets, t.Load)
			for _, c := range t.Guard {
				if c.Op == automata.Equal || c.Op == automata.Differs {
					terms = append(terms, c.Left, c.Right)
				} else if c.Left.Kind != automata.Total || c.Right.Kind != automata.Constant {
					s.Ordered = true // else it is a threshold, which is no value
				}
			}
			for _, x := range terms {
				if s.Ordered = s.Ordered || x.Kind == automata.Total; x.Kind == automata.Constant {
					s.names(x.Value)
				}
			}
		}
	}
}

// visible are the operations that the patterns see.
func (s *Sequences) visible(labels []history.Label) []history.Label {
	c := s.spec.Control
	if c == nil || len(c.Hidden) == 0 {
		return labels
	}
	return slices.DeleteFunc(slices.Clone(labels), func(l history.Label) bool { return slices.Contains(c.Hidden, l.Kind) })
}

// controlled reports whether the control admits a sequence, if there is one.
func (s *Sequences) controlled(labels []history.Label) bool {
	return s.spec.Control == nil || runs(s.spec.Control.Automaton, labels)
}

// runs reports whether an automaton admits a sequence.
func runs(a *automata.Automaton, labels []history.Label) bool {
	s, ok := a.Start(), true
	for i := 0; ok && i < len(labels); i++ {
		s, ok = a.Step(s, &labels[i])
	}
	return ok
}

// composed is Admits, part by part. What is wrong in one part is wrong whatever the
// others say.
func (s *Sequences) composed(ctx context.Context, labels []history.Label) (admitted, inLanguage bool, err error) {
	admitted, inLanguage = true, true
	for _, p := range s.spec.Product.Parts(history.Sequential(labels...)) {
		part := make([]history.Label, len(p.Execution.Ops))
		for i := range p.Execution.Ops {
			part[i] = p.Execution.Ops[i].Label
		}
		right, inside, err := s.part.Admits(ctx, part)
		if err != nil {
			return false, inside, err
		}
		if inside && !right {
			return false, true, nil
		}
		inLanguage = inLanguage && inside
	}
	right, known := s.sums(labels)
	inLanguage = inLanguage && known
	return inLanguage && right, inLanguage, ctx.Err()
}

// sums reports whether operations that are in all parts answer the sum of what they
// answer there. It is not known if the parts are no automata.
func (s *Sequences) sums(labels []history.Label) (right, known bool) {
	product, a := s.spec.Product, s.spec.Product.Part.Automaton
	for i := range labels {
		if product.Of(labels[i].Method).Role != SumOfAll {
			continue
		}
		if a == nil || len(labels[i].Rets) != 1 {
			return false, a != nil
		}
		sum := int64(0)
		for _, p := range product.Parts(history.Sequential(labels[:i]...)) {
			if p.Rest {
				continue // it answers 0
			}
			state, ok := a.Start(), true
			for j := range p.Execution.Ops {
				if state, ok = a.Step(state, &p.Execution.Ops[j].Label); !ok {
					return false, true
				}
			}
			answer, ok := a.Answer(state, &labels[i])
			if !ok || len(answer.Rets) != 1 {
				return false, false
			}
			n, err := strconv.ParseInt(string(answer.Rets[0]), 10, 64)
			if err != nil {
				return false, false
			}
			sum += n
		}
		if labels[i].Rets[0] != history.Value(strconv.FormatInt(sum, 10)) {
			return false, true
		}
	}
	return true, true
}
