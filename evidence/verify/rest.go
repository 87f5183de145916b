package verify

import (
	"slices"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// rest is what evidence is about: the log without the operations that may fail in
// every state, as the theory says; of a violation, its prefix without them.
func rest(t *theory.Theory, e *history.Execution, ev *evidence.Evidence) *history.Execution {
	if t == nil || len(t.Spec.MayFail) == 0 {
		return e
	}
	if ev.Violation {
		e = e.Prefix(ev.Prefix)
	}
	return history.Kinds(t.Spec.MayFail).Without(e)
}

// visible is what patterns beside a control automaton are about: the operations that
// are not hidden from them. One that has not returned may be hidden in the end; then it
// is as if it never took effect.
func visible(s *theory.Spec, e *history.Execution) (theory.Spec, *history.Execution) {
	if s.Control == nil {
		return *s, e
	}
	seen, hidden := *s, history.Kinds(s.Control.Hidden)
	seen.Methods, e = hidden.Methods(s.Methods), hidden.Without(e)
	own := *e
	own.Ops = slices.DeleteFunc(slices.Clone(e.Ops), func(o history.Operation) bool {
		return !slices.ContainsFunc(seen.Methods, func(m history.MethodSig) bool { return m.Name == o.Method })
	})
	return seen, &own
}
