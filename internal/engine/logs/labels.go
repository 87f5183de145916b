package logs

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Table is the methods of a theory by name and alias.
type Table struct {
	Compared []formula.Term // places of labels whose values the theory compares by <
	Whose    string         // whose methods they are, in messages
	Runs     bool           // what decides runs the methods: values are compared as Go does, and not by their texts

	methods []history.MethodSig
	byName  map[string]int
	floats  bool // there are methods with floating-point numbers
}

// New makes a table; a name wins over an alias.
func New(methods []history.MethodSig) *Table {
	t := &Table{Whose: "the theory", methods: methods, byName: map[string]int{}}
	for i, m := range methods {
		for _, a := range m.Aliases {
			t.byName[a] = i
		}
		t.floats = t.floats || slices.ContainsFunc(slices.Concat(m.Params, m.Results), hasFloat)
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
	return n, cmp.Or(semantics.Unordered(t.Compared, &history.Label{Args: args}), t.unequal(t.methods[n].Params, args))
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
		return n, cmp.Or(semantics.Unordered(t.Compared, &history.Label{Rets: rets}), t.unequal(m.Results, rets))
	}
	return -1, fmt.Sprintf("%s has no outcome %q in %s", m.Name, outcome, t.Whose)
}

// unequal is a message about a number that is not equal to itself, NaN, or to one that is written otherwise, -0: a theory
// compares values by their texts.
func (t *Table) unequal(types []values.Basic, vs []history.Value) string {
	if !t.floats || t.Runs {
		return ""
	}
	for i, v := range vs {
		if i < len(types) && hasFloat(types[i]) && odd.MatchString(string(v)) {
			return fmt.Sprintf("%s is compared by its text here, and NaN equals nothing, and -0 equals 0: check with --ref", v)
		}
	}
	return ""
}

var odd = regexp.MustCompile(`(?:^|[^\w.])(?:NaN|-0)(?:$|[^\w.])`)

func hasFloat(b values.Basic) bool { return b.Has(values.KindFloat, values.KindComplex) }

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
