package automata

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
)

// local is an automaton that is a product by key: it has counters with a number for
// each value and nothing else, and a call looks at and changes the numbers of one
// value, which is the key.
type local struct {
	*machine
	arg map[string]int // by method
}

// keyArguments lists the arguments that are keys; false if the automaton is not local.
func (m *machine) keyArguments() (map[string]int, bool) {
	if len(m.Locations) != 1 || len(m.Locations[0].Registers) > 0 || len(m.Counters) == 0 ||
		slices.ContainsFunc(m.Counters, func(c Counter) bool { return !c.Keyed }) {
		return nil, false
	}
	keys, ok := map[string]int{}, true
	use := func(method string, arg int) {
		if was, there := keys[method]; there && was != arg {
			ok = false
		}
		keys[method] = arg
	}
	for _, c := range m.Counters {
		for _, add := range c.Adds {
			use(add.Kind.Method, add.Key)
		}
	}
	for _, t := range m.Locations[0].Transitions {
		for _, x := range t.Terms() {
			for _, s := range x.Sum.Terms {
				if x.Kind == Total && s.Counter >= 0 {
					use(t.Method, s.Key)
				}
			}
		}
	}
	return keys, ok
}

// Key is the value whose numbers an operation is about. Those that are about none
// change nothing and belong anywhere.
func (l local) Key(label *history.Label) history.Value {
	if k, ok := l.arg[label.Method]; ok && k < len(label.Args) {
		return label.Args[k]
	}
	return ""
}

// For knows the values of an execution.
func (l local) For(e *history.Execution) semantics.Machine {
	if len(l.open) == 0 {
		return l
	}
	return local{l.knowing(e), l.arg}
}
