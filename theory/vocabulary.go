package theory

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/suggest"
)

// Vocabulary lists the names that the theory's formulas may use: its methods,
// their outcomes, and its predicates.
func (t *Theory) Vocabulary() *formula.Vocabulary { return t.Spec.vocabulary() }

func (s *Spec) vocabulary() *formula.Vocabulary {
	return &formula.Vocabulary{Methods: s.Methods, Predicates: s.Predicates}
}

// Kinds lists the kinds of operations that the theory speaks of.
func (t *Theory) Kinds() []history.Kind {
	var kinds []history.Kind
	for _, m := range t.Spec.Methods {
		for _, o := range m.Outcomes {
			kinds = append(kinds, history.Kind{Method: m.Name, Outcome: o.Outcome})
		}
	}
	return kinds
}

// Signature is what a log reader must know. Aliases by method name are added
// to the theory's own; it is an error if they name an unknown method, or if a
// name would stand for two methods.
func (t *Theory) Signature(aliases map[string][]string) (history.Signature, error) {
	var sigs []history.MethodSig
	var names []string
	for _, m := range t.Spec.Methods {
		names = append(names, m.Name)
		m.Aliases = slices.Concat(m.Aliases, aliases[m.Name])
		sigs = append(sigs, m)
	}
	for _, name := range slices.Sorted(maps.Keys(aliases)) {
		if !slices.Contains(names, name) {
			return history.Signature{}, fmt.Errorf("theory: aliases for an unknown method %q%s", name, suggest.Hint(name, names))
		}
	}
	return history.NewSignature(sigs...)
}

func quote(s string) string { return strconv.Quote(s) }

// counted is "no argument", "1 argument", "2 arguments".
func counted(n int, what string) string {
	switch n {
	case 0:
		return "no " + what
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
