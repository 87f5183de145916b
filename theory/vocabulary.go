package theory

import (
	"fmt"
	"strconv"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
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

// Signature is what a log reader must know. Other names by method are added
// to the theory's own, and win over them; it is an error if they are of an unknown method, or if a
// name would stand for two methods.
func (t *Theory) Signature(names map[string][]string) (history.Signature, error) {
	sigs, err := history.Add(t.Spec.Methods, names)
	if err != nil {
		return history.Signature{}, fmt.Errorf("theory: %w", err)
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
