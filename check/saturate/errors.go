package saturate

import (
	"fmt"

	"github.com/adtinfer/adtinfer/theory"
)

// Unsupported is the error of a theory outside the fragment that can be
// saturated. Other engines can use the theory.
type Unsupported struct {
	Theory string
	What   string // the part of the theory: "pattern two-adds"
	Why    string
}

func (e *Unsupported) Error() string {
	return fmt.Sprintf("check: saturate cannot use the theory %s: %s: %s", e.Theory, e.What, e.Why)
}

// LabelError is the error of an event with a label the theory does not know.
type LabelError struct{ Msg string }

func (e *LabelError) Error() string { return "check: " + e.Msg }

// LanguageError is the error of an event that breaks a rule of the theory's
// language, together with an earlier one.
type LanguageError struct{ Rule theory.Rule }

func (e *LanguageError) Error() string {
	return fmt.Sprintf("check: the execution is outside the theory's language: the operation and an earlier one break the rule %s", e.Rule.Name)
}
