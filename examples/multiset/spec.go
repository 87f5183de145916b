package multiset

import (
	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/refine"
)

// Spec is the multiset as a state machine. InsertPair may fail at any time, as
// the paper has it: two operations may each hold the slot the other one needs.
type Spec struct{}

// New is the empty multiset.
func (Spec) New() *refine.Bag { return &refine.Bag{} }

// Step makes an operation's step.
func (Spec) Step(s *refine.Bag, op *refine.Op) (*refine.Bag, bool) {
	x := op.Args[0]
	yes := op.Outcome == "true"
	switch op.Method {
	case "insertPair":
		if yes {
			s.Add(1, op.Args[0])
			s.Add(1, op.Args[1])
		}
		return s, true
	case "lookUp":
		return s, yes == (s.Count(x) > 0)
	case "remove":
		if yes != (s.Count(x) > 0) {
			return s, false
		}
		if yes {
			s.Add(-1, x)
		}
		return s, true
	}
	return s, false
}

// Clone is a copy of the state.
func (Spec) Clone(s *refine.Bag) *refine.Bag { return s.Clone() }

// Key is the state as text.
func (Spec) Key(s *refine.Bag) string { return s.Key() }

// View is the state itself.
func (Spec) View(s *refine.Bag) *refine.Bag { return s }

// View is what slot i of the implementation holds: its content, if it is valid.
// A slot that stays reserved after its operation took effect is in the view as
// something no specification has.
func View(m *refine.Memory, i int64, b *refine.Bag) {
	content := m.Guarded("content", "lock", i)
	switch {
	case m.Guarded("valid", "lock", i) == record.Bool(true):
		b.Add(1, content)
	case content != (record.Value{}) && m.Done("content", i): // leaked: reserved, and never used
		b.Add(1, record.Bool(true), record.Bool(true))
	}
}

// Options are how recorded multisets are checked.
func Options() refine.Options {
	return refine.Options{View: View, Observers: []string{"lookUp", "remove"}}
}
