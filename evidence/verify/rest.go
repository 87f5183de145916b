package verify

import (
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/spurious"
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
	return spurious.Kinds(t.Spec.MayFail).Without(e)
}
