package ground

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
)

// Disorder is the error of an operation, by its number in the execution, that is not
// called after the one before it, or returns before it is called.
type Disorder struct{ Op int }

func (d *Disorder) Error() string {
	return fmt.Sprintf("check: operation %d: operations must come in order of their calls, each call before its return", d.Op)
}

// Resolve is the execution with method names as the theory has them. It refuses
// labels that the theory does not know: the error is a *clauses.LabelError or a
// *Disorder.
func (t *Theory) Resolve(e *history.Execution) (*history.Execution, error) {
	return Resolve(t.labels, e)
}

// Resolve is what Theory.Resolve does, for any table of labels. It is the execution
// itself if all names are those of the table.
func Resolve(t *logs.Table, e *history.Execution) (*history.Execution, error) {
	r := e
	for i := range e.Ops {
		o := &e.Ops[i]
		if o.Call < 0 || o.Completed() && o.Return <= o.Call || i > 0 && o.Call <= e.Ops[i-1].Call {
			return nil, &Disorder{i}
		}
		m, msg := t.Method(o.Method, o.Args)
		if msg == "" && o.Completed() {
			_, msg = t.Outcome(m, o.Outcome, o.Rets)
		}
		if msg != "" {
			return nil, &clauses.LabelError{Op: i, Msg: msg}
		}
		if name := t.Name(m); name != o.Method {
			if r == e {
				own := *e
				r, own.Ops = &own, slices.Clone(e.Ops)
			}
			r.Ops[i].Method = name
		}
	}
	return r, nil
}
