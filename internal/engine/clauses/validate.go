package clauses

import (
	"errors"
	"fmt"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// LabelError is the error of an operation whose method, outcome or number of
// values the theory does not know.
type LabelError struct {
	Op  int // the operation's index in the execution; -1 if it is the one at hand
	Msg string
}

func (e *LabelError) Error() string { return "check: " + e.Msg }

// LanguageError is the error of two operations, A and B, that break a rule of the
// theory's language together: indices in the execution, -1 where none can be blamed.
type LanguageError struct {
	Rule theory.Rule
	A, B int
}

func (e *LanguageError) Error() string {
	return fmt.Sprintf("check: the execution is outside the theory's language: two operations break the rule %s", e.Rule.Name)
}

// Method finds the method of a call.
func (r *Rules) Method(name string, args []history.Value) (*Method, *LabelError) {
	n, message := r.labels.Method(name, args)
	if message != "" {
		return nil, &LabelError{-1, message}
	}
	return &r.Methods[n], nil
}

// Kind finds the kind of an operation that returns.
func (r *Rules) Kind(mt *Method, outcome history.Outcome, rets []history.Value) (*Kind, *LabelError) {
	n, message := r.labels.Outcome(int(mt.Index), outcome, rets)
	if message != "" {
		return nil, &LabelError{-1, message}
	}
	return &r.Kinds[mt.Kinds[n]], nil
}

// Validate is nil if the theory speaks of an execution. The error is a *LabelError
// or *LanguageError, about the earliest operation that does not fit.
func (r *Rules) Validate(e *history.Execution) error {
	return r.validate(e, func(err *LanguageError) error { return err })
}

// Breaches lists the operations of an execution that break the language together
// with earlier ones: without them the execution is one that the theory speaks of.
// The error is a *LabelError.
func (r *Rules) Breaches(e *history.Execution) (found []int, err error) {
	err = r.validate(e, func(err *LanguageError) error {
		found = append(found, err.B)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// validate goes through the operations until one has an unknown label, or breach
// gives back an error.
func (r *Rules) validate(e *history.Execution, breach func(*LanguageError) error) error {
	used := make([]map[string]int, len(r.Uniques))
	for u := range used {
		used[u] = make(map[string]int, len(e.Ops)/2)
	}
	for i := range e.Ops {
		err := r.validateOp(&e.Ops[i], i, used)
		var outside *LanguageError
		if errors.As(err, &outside) {
			err = breach(outside)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *Rules) validateOp(o *history.Operation, i int, used []map[string]int) error {
	mt, err := r.Method(o.Method, o.Args)
	if err != nil {
		err.Op = i
		return err
	}
	rules := mt.Uniques
	if o.Completed() {
		k, err := r.Kind(mt, o.Outcome, o.Rets)
		if err != nil {
			err.Op = i
			return err
		}
		if len(k.Uniques) > 0 {
			rules = append(rules[:len(rules):len(rules)], k.Uniques...)
		}
	}
	for _, u := range rules {
		key := KeyOf(r.Uniques[u].Key, o.Args, o.Rets)
		if first, ok := used[u][key]; ok {
			return &LanguageError{r.Uniques[u].Rule, first, i}
		}
		used[u][key] = i
	}
	return nil
}
