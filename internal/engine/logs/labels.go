package logs

import (
	"fmt"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Table is the methods of a theory by name and alias.
type Table struct {
	Compared []formula.Term // places of labels whose values the theory compares by <
	Whose    string         // whose methods they are, in messages

	methods []history.MethodSig
	byName  map[string]int
}

// New makes a table; a name wins over an alias.
func New(methods []history.MethodSig) *Table {
	t := &Table{Whose: "the theory", methods: methods, byName: map[string]int{}}
	for i, m := range methods {
		for _, a := range m.Aliases {
			t.byName[a] = i
		}
	}
	for i, m := range methods {
		t.byName[m.Name] = i
	}
	return t
}

// Method finds the method of a call. If there is none the message says why.
func (t *Table) Method(name string, args []history.Value) (method int, message string) {
	n, ok := t.find(name)
	if !ok {
		var names []string
		for _, m := range t.methods {
			names = append(names, m.Name)
		}
		return -1, fmt.Sprintf("%s has no method %q%s", t.Whose, name, wording.Hint(name, names))
	}
	if m := &t.methods[n]; len(args) > m.Args || len(args) < m.Args-m.Optional {
		return -1, fmt.Sprintf("%s takes %d arguments, not %d", m.Name, m.Args, len(args))
	}
	return n, semantics.Unordered(t.Compared, &history.Label{Args: args})
}

// Outcome finds the outcome of a method's return among its outcomes. If there is
// none the message says why.
func (t *Table) Outcome(method int, outcome history.Outcome, rets []history.Value) (n int, message string) {
	m := &t.methods[method]
	for n, out := range m.Outcomes {
		if out.Outcome != outcome {
			continue
		}
		if len(rets) != out.Rets {
			return -1, fmt.Sprintf("%s with outcome %s returns %d values, not %d", m.Name, outcome, out.Rets, len(rets))
		}
		return n, semantics.Unordered(t.Compared, &history.Label{Rets: rets})
	}
	return -1, fmt.Sprintf("%s has no outcome %q in %s", m.Name, outcome, t.Whose)
}

// few is how many methods are faster compared one by one.
const few = 8

func (t *Table) find(name string) (int, bool) {
	if len(t.methods) <= few {
		for i := range t.methods {
			if t.methods[i].Name == name {
				return i, true
			}
		}
	}
	n, ok := t.byName[name]
	return n, ok
}

// Name is a method's own name.
func (t *Table) Name(method int) string { return t.methods[method].Name }
