package multiset

import "github.com/adtinfer/adtinfer/record"

// Spec is the multiset as a state machine. InsertPair may fail at any time, as
// the paper has it: two operations may each hold the slot the other one needs.
type Spec struct{}

// New is the empty multiset.
func (Spec) New() *record.Bag { return &record.Bag{} }

// Step makes an operation's step.
func (Spec) Step(s *record.Bag, op *record.Op) (*record.Bag, bool) {
	x := record.Item{Key: op.Args[0]}
	yes := op.Outcome == "true"
	switch op.Method {
	case "insertPair":
		if yes {
			s.AddValue(op.Args[0])
			s.AddValue(op.Args[1])
		}
		return s, true
	case "lookUp":
		return s, yes == (s.Count(x) > 0)
	case "remove":
		if yes != (s.Count(x) > 0) {
			return s, false
		}
		if yes {
			s.Add(x, -1)
		}
		return s, true
	}
	return s, false
}

// Clone is a copy of the state.
func (Spec) Clone(s *record.Bag) *record.Bag { return s.Clone() }

// Key is the state as text.
func (Spec) Key(s *record.Bag) string { return s.Key() }

// View is the state itself.
func (Spec) View(s *record.Bag) *record.Bag { return s }

// leaked is a slot that is reserved and will never be used.
var leaked = record.Item{Key: record.Bool(true), Value: record.Bool(true)}

// View is what slot i of the implementation holds: its content, if it is valid.
// A slot that stays reserved after its operation took effect is in the view as
// something no specification has.
func View(m *record.Memory, i int64, b *record.Bag) {
	content := m.Guarded("content", "lock", i)
	switch {
	case m.Guarded("valid", "lock", i).Bool():
		b.AddValue(content)
	case !content.IsZero() && m.Done("content", i):
		b.Add(leaked, 1)
	}
}

// Config is what recorded multisets are checked against.
func Config() record.Config[*record.Bag] {
	return record.Config[*record.Bag]{Spec: Spec{}, View: View, Observers: []string{"lookUp", "remove"}}
}
