package check

import (
	"fmt"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// OutsideLanguage is the error of an execution that the theory does not speak
// of: its operations A and B together break a rule of the language. B is nil
// if A does so alone, both are nil if no two operations can be blamed.
type OutsideLanguage struct {
	Rule theory.Rule
	A, B *history.Operation
}

func (e *OutsideLanguage) Error() string {
	rule := e.Rule.Name
	if e.Rule.Reading != "" {
		rule += " (" + e.Rule.Reading + ")"
	}
	switch {
	case e.A == nil:
		return fmt.Sprintf("check: the execution is outside the theory's language: it breaks the rule %s", rule)
	case e.B == nil:
		return fmt.Sprintf("check: the execution is outside the theory's language: %s breaks the rule %s", operation(e.A), rule)
	}
	return fmt.Sprintf("check: the execution is outside the theory's language: %s and %s break the rule %s", operation(e.A), operation(e.B), rule)
}

// UnknownLabel is the error of an operation whose method, outcome or number of
// values the theory does not know, or that has a value which is no integer where
// the theory compares integers.
type UnknownLabel struct {
	Op  *history.Operation
	Msg string
}

func (e *UnknownLabel) Error() string {
	return fmt.Sprintf("check: %s: %s", operation(e.Op), e.Msg)
}

// Ambiguous is the error of an operation X with two match targets, A and B.
type Ambiguous struct {
	X, A, B *history.Operation
}

func (e *Ambiguous) Error() string {
	return fmt.Sprintf("check: %s has two match targets, %s and %s", operation(e.X), operation(e.A), operation(e.B))
}

// operation names an operation with its label and place.
func operation(o *history.Operation) string {
	s := fmt.Sprintf("[%s] %s", o.ID, o.Label)
	if o.CallPos != (history.Pos{}) {
		s += " at " + o.CallPos.String()
	}
	return s
}
