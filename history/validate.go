package history

import "fmt"

// Validate checks what every history promises and every algorithm over
// histories relies on; the error names the first op (from 1) that breaks it:
//
//   - a target is an op of the history or Unmatched, and maps to itself;
//   - an op is pending exactly if its outcome is Pending and its End is Never;
//   - a pending op is unmatched;
//   - no interval ends before it starts.
func (h *History) Validate() error {
	for i := range h.Ops {
		if err := h.validateOp(i); err != nil {
			return fmt.Errorf("history: op %d (%s): %w", i+1, h.Ops[i].Kind, err)
		}
	}
	return nil
}

func (h *History) validateOp(i int) error {
	op := &h.Ops[i]
	switch t := op.Target; {
	case t < Unmatched || t >= len(h.Ops):
		return fmt.Errorf("its target is op %d of %d", t+1, len(h.Ops))
	case t != Unmatched && h.Ops[t].Target != t:
		return fmt.Errorf("its target, op %d, does not map to itself", t+1)
	case op.Completed == (op.Outcome == Pending):
		return fmt.Errorf("completed is %t and the outcome %q", op.Completed, op.Outcome)
	case op.Completed == (op.End == Never):
		return fmt.Errorf("completed is %t and the interval ends at %d", op.Completed, op.End)
	case !op.Completed && t != Unmatched:
		return fmt.Errorf("it is pending and matches op %d", t+1)
	case op.End < op.Start:
		return fmt.Errorf("it ends at %d, before it starts at %d", op.End, op.Start)
	}
	return nil
}
