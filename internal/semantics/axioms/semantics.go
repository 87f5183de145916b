package axioms

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Semantics is what a theory says of sequences of labels, by its definition and not
// as any engine has it.
type Semantics struct {
	*theory.Sequences
	ctx context.Context // of verdicts; what they say after its end is worth nothing
}

// SemanticsOf is that of a theory's formulas.
func SemanticsOf(ctx context.Context, t *theory.Theory) *Semantics {
	return &Semantics{t.Formulas().Sequences(), ctx}
}

// Of is that of another theory.
func (s *Semantics) Of(t *theory.Theory) *Semantics { return SemanticsOf(s.ctx, t) }

// Verdict decides a sequence. The theory does not speak of it (ok is false) if it is
// outside the language, or an operation has two match targets.
func (s *Semantics) Verdict(labels []history.Label) (admitted, ok bool) {
	admitted, inLanguage, err := s.Admits(s.ctx, labels)
	return admitted, inLanguage && err == nil
}

// Speaks reports whether the language contains a sequence.
func (s *Semantics) Speaks(labels ...history.Label) bool {
	_, inLanguage, _ := s.Admits(s.ctx, labels)
	return inLanguage
}

// Matches reports whether an operation labelled y is the target of another labelled x.
func (s *Semantics) Matches(x, y history.Label) bool {
	return s.Structure([]history.Label{x, y}).Match(0) == 1
}
