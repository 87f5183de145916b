package clauses

import (
	"errors"
	"fmt"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/suggest"
	"github.com/adtinfer/adtinfer/theory"
)

// LabelError is the error of an operation whose method, outcome or number of
// values the theory does not know.
type LabelError struct {
	Op  int // the operation's index in the execution; -1 from a monitor
	Msg string
}

func (e *LabelError) Error() string { return "check: " + e.Msg }

// LanguageError is the error of two operations, A and B, that break a rule of the
// theory's language together: indices in the execution. From a monitor both are
// -1; it is about the operation at hand and an earlier one.
type LanguageError struct {
	Rule theory.Rule
	A, B int
}

func (e *LanguageError) Error() string {
	return fmt.Sprintf("check: the execution is outside the theory's language: two operations break the rule %s", e.Rule.Name)
}

// Validate tells whether an execution is one that the theory speaks of. The error
// is a *LabelError or *LanguageError, about the earliest operation that does
// not fit.
func (r *Rules) Validate(e *history.Execution) error {
	used := make([]map[string]int, len(r.Uniques))
	for u := range used {
		used[u] = make(map[string]int, len(e.Ops)/2)
	}
	for i := range e.Ops {
		if err := r.validateOp(&e.Ops[i], i, used); err != nil {
			return err
		}
	}
	return nil
}

// Breaches lists the operations of an execution that break the language together
// with earlier ones: without them the execution is one that the theory speaks of.
// The error is a *LabelError.
func (r *Rules) Breaches(e *history.Execution) ([]int, error) {
	used := make([]map[string]int, len(r.Uniques))
	for u := range used {
		used[u] = make(map[string]int, len(e.Ops)/2)
	}
	var found []int
	for i := range e.Ops {
		var outside *LanguageError
		err := r.validateOp(&e.Ops[i], i, used)
		if errors.As(err, &outside) {
			found = append(found, i)
		} else if err != nil {
			return nil, err
		}
	}
	return found, nil
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

// Method finds the method of a call.
func (r *Rules) Method(name string, args []history.Value) (*Method, *LabelError) {
	n, ok := r.byName[name]
	if !ok {
		var names []string
		for i := range r.Methods {
			names = append(names, r.Methods[i].Name)
		}
		return nil, &LabelError{-1, fmt.Sprintf("the theory has no method %q%s", name, suggest.Hint(name, names))}
	}
	mt := &r.Methods[n]
	if len(args) != mt.Args {
		return nil, &LabelError{-1, fmt.Sprintf("%s takes %d arguments, not %d", mt.Name, mt.Args, len(args))}
	}
	if msg := formula.Unordered(r.Compared, &history.Label{Args: args}); msg != "" {
		return nil, &LabelError{-1, msg}
	}
	return mt, nil
}

// Kind finds the kind of an operation that returns.
func (r *Rules) Kind(mt *Method, outcome history.Outcome, rets []history.Value) (*Kind, *LabelError) {
	for _, n := range mt.Kinds {
		k := &r.Kinds[n]
		if k.Outcome != outcome {
			continue
		}
		if len(rets) != k.Rets {
			return nil, &LabelError{-1, fmt.Sprintf("%s with outcome %s returns %d values, not %d", mt.Name, outcome, k.Rets, len(rets))}
		}
		if msg := formula.Unordered(r.Compared, &history.Label{Rets: rets}); msg != "" {
			return nil, &LabelError{-1, msg}
		}
		return k, nil
	}
	return nil, &LabelError{-1, fmt.Sprintf("%s has no outcome %q in the theory", mt.Name, outcome)}
}
