package instance

import "github.com/adtinfer/adtinfer/theory"

// TellsAll reports whether a theory says all about the data type: what was compared with a reference may
// have missed something.
func TellsAll(t *theory.Theory) bool {
	s := &t.Status
	if s.Product != nil {
		s = &s.Product.Part
	}
	switch {
	case t.Spec.Control != nil:
		return false
	case s.Automaton != nil:
		return s.Automaton.States > 0
	}
	return t.Spec.Model == nil && s.Strategy == "" && len(s.Tried) == 0 && s.LongRuns == nil
}
