package blinktree

import (
	"maps"

	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/refine"
)

// The variables about leaf i are elements i of these arrays.
const highName = "high"

var (
	keyNames  = [width]string{"key 0", "key 1", "key 2", "key 3"}
	dataNames = [width]string{"data 0", "data 1", "data 2", "data 3"}
)

// write records the contents of leaves, which the operation holds the locks of,
// as one entry.
func (s *Session) write(leaves ...*node) {
	ws := make([]record.Write, 0, len(leaves)*(2*width+1))
	for _, n := range leaves {
		ws = append(ws, record.Write{Variable: s.t.high, Index: n.id, Value: record.Int(n.high)})
		for i := range width {
			var key, data record.Value
			if i < len(n.keys) {
				key, data = record.Int(n.keys[i]), record.Int(n.data[i])
			}
			ws = append(ws, record.Write{Variable: s.t.keys[i], Index: n.id, Value: key},
				record.Write{Variable: s.t.data[i], Index: n.id, Value: data})
		}
	}
	s.h.WriteBlock(ws...)
}

// View is what leaf i of the implementation holds: its pairs, but for those with
// keys above its largest one, which belong to the right and are not found here.
func View(m *refine.Memory, i int64, b *refine.Bag) {
	high := m.Get(highName, i)
	for k := range width {
		key := m.Get(keyNames[k], i)
		if key != (record.Value{}) && key.Int() <= high.Int() {
			b.Add(1, key, m.Get(dataNames[k], i))
		}
	}
}

// State is a state of the specification: the data of each key.
type State struct {
	data map[record.Value]record.Value
	view refine.Bag
}

func (s *State) set(key, data record.Value) {
	s.unset(key)
	s.data[key] = data
	s.view.Add(1, key, data)
}

func (s *State) unset(key record.Value) {
	if data, ok := s.data[key]; ok {
		delete(s.data, key)
		s.view.Add(-1, key, data)
	}
}

// Spec is the map from keys to data as a state machine.
type Spec struct{}

// New is the empty map.
func (Spec) New() *State { return &State{data: map[record.Value]record.Value{}} }

// Step makes an operation's step.
func (Spec) Step(s *State, op *refine.Op) (*State, bool) {
	if op.Method == "compress" {
		return s, true
	}
	data, present := s.data[op.Args[0]]
	switch op.Method {
	case "insert":
		s.set(op.Args[0], op.Args[1])
		return s, true
	case "lookup":
		return s, !op.Returned || present == (len(op.Rets) == 1) && (!present || op.Rets[0] == data)
	case "delete":
		if op.Returned && present != (op.Outcome == "true") {
			return s, false
		}
		s.unset(op.Args[0])
		return s, true
	}
	return s, false
}

// Clone is a copy of the state.
func (Spec) Clone(s *State) *State {
	return &State{maps.Clone(s.data), *s.view.Clone()}
}

// Key is the state as text.
func (Spec) Key(s *State) string { return s.view.Key() }

// View lists the pairs.
func (Spec) View(s *State) *refine.Bag { return &s.view }

// Options are how recorded trees are checked.
func Options() refine.Options {
	return refine.Options{View: View, Observers: []string{"lookup", "delete"}}
}
