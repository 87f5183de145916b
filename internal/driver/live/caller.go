package live

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/reference"
)

// Caller calls a reference with the values of logs. The reference gets them as
// they are, and answers are compared as the values that they are, however the log
// writes them. A text that is no value of its parameter's or result's type is an error:
// nothing else would be what the log means.
type Caller struct{ impl reference.Implementation }

// Unfit is the error of a value in a log that does not have its parameter's or
// result's type.
type Unfit struct {
	Value  history.Value
	Method string
	Type   string // in Go

	// Result: it is a result, and no argument.
	Result bool
}

func (u *Unfit) Error() string {
	verb := "takes"
	if u.Result {
		verb = "answers with"
	}
	return fmt.Sprintf("reference: the log has %q where %s %s %s", u.Value, u.Method, verb, u.Type)
}

// Value reads the values of a method that logs have, as history.MethodSig does.
func Value(m *reference.Method) func(result bool, i int, text string) (history.Value, error) {
	return func(result bool, i int, text string) (history.Value, error) {
		types, names, verb := m.Params, m.Args, "takes"
		if result {
			types, names, verb = m.Results, m.Rets, "answers with"
		}
		if i >= len(types) || types[i].Kind == values.KindString {
			return history.Value(text), nil
		}
		if result {
			text = types[i].OfNil(text)
		} else if types[i].OfNil(text) != text {
			return "nil", nil // a list or a map, which a reference may tell from an empty one
		}
		if _, ok := types[i].Text(text); !ok {
			return "", fmt.Errorf("%s %s %s", m.Name, verb, names[i])
		}
		return history.Value(types[i].Canonical(text)), nil
	}
}

// NewCaller prepares a reference for the values of the labels, which those of all
// later calls are among. The error is an *Unfit, or says which method the
// reference does not have.
func NewCaller(impl reference.Implementation, labels []history.Label) (*Caller, error) {
	for i := range labels {
		l := &labels[i]
		n, err := methodOf(impl, l)
		if err != nil {
			return nil, err
		}
		m := &impl.Methods()[n]
		if k := misfit(m.Params, l.Args); k >= 0 {
			return nil, &Unfit{l.Args[k], m.Name, m.Args[k], false}
		}
		if k := misfit(m.Results, l.Rets); k >= 0 && offers(m, l) {
			return nil, &Unfit{l.Rets[k], m.Name, m.Rets[k], true}
		}
	}
	return &Caller{impl}, nil
}

// misfit is the first of some values that is none of its type, or -1.
func misfit(types []values.Basic, vs []history.Value) int {
	for i, v := range vs[:min(len(vs), len(types))] {
		if _, ok := types[i].Text(string(v)); !ok {
			return i
		}
	}
	return -1
}

// Replay runs sequences of calls with values. Returned values are as logs write
// them.
func (c *Caller) Replay(ctx context.Context, seqs [][]reference.Call) (answers [][]reference.Answer, err error) {
	answers, err = c.impl.Replay(ctx, seqs)
	for i := range answers {
		for k := range answers[i] {
			a, results := &answers[i][k], c.impl.Methods()[seqs[i][k].Method].Results
			a.Rets = slices.Clone(a.Rets) // a Memory keeps its own
			for j, v := range a.Rets {
				a.Rets[j] = history.Value(results[j].LogOf(strings.TrimSuffix(strings.TrimPrefix(string(v), "("), ")")))
			}
		}
	}
	return answers, err
}

// Admits counts, for each sequence of labels, the operations from the first on
// that the reference allows one after the other with the results that the labels
// claim: all if it admits the sequence.
func (c *Caller) Admits(ctx context.Context, seqs [][]history.Label) ([]int, error) {
	calls := make([][]reference.Call, len(seqs))
	for i, labels := range seqs {
		for j := range labels {
			m, err := methodOf(c.impl, &labels[j])
			if err != nil {
				return nil, err
			}
			calls[i] = append(calls[i], reference.Call{Method: m, Values: labels[j].Args})
		}
	}
	if a, ok := c.impl.(reference.Acceptor); ok {
		return c.accepts(ctx, a, seqs)
	}
	answers, err := c.Replay(ctx, calls)
	if err != nil {
		return nil, err
	}
	counts := make([]int, len(seqs))
	for i, labels := range seqs {
		for j, a := range answers[i] {
			if a.Blocked || a.Outcome != labels[j].Outcome || !sameValues(&c.impl.Methods()[calls[i][j].Method], a.Rets, labels[j].Rets) {
				break
			}
			counts[i]++
		}
	}
	return counts, nil
}

// accepts asks an acceptor.
func (c *Caller) accepts(ctx context.Context, a reference.Acceptor, seqs [][]history.Label) ([]int, error) {
	claims := make([][]history.Label, len(seqs))
	for i, labels := range seqs {
		for j := range labels {
			claim, ok := c.Named(&labels[j])
			if !ok {
				break
			}
			m, _ := methodOf(c.impl, &labels[j])
			goTexts(c.impl.Methods()[m].Params, claim.Args)
			goTexts(c.impl.Methods()[m].Results, claim.Rets)
			claims[i] = append(claims[i], claim)
		}
	}
	return a.Accepts(ctx, claims)
}

// goTexts makes values their Go text.
func goTexts(types []values.Basic, vs []history.Value) {
	for i, v := range vs {
		text, _ := types[i].Text(string(v))
		vs[i] = history.Value("(" + text + ")")
	}
}

// Admits counts the operations, from the first on, that a reference allows one
// after the other with the results that the labels claim: len(labels) if all are.
// It is an error if the reference does not have
// a method with such arguments, or is a *Fault, or an *Unfit.
func Admits(ctx context.Context, impl reference.Implementation, labels []history.Label) (int, error) {
	c, err := NewCaller(impl, labels)
	if err != nil {
		return 0, err
	}
	counts, err := c.Admits(ctx, [][]history.Label{labels})
	if err != nil {
		return 0, err
	}
	return counts[0], nil
}

// Named is a label as the reference gets it, each value by one text. It is false if the
// reference has no such answer.
func (c *Caller) Named(l *history.Label) (history.Label, bool) {
	i, err := methodOf(c.impl, l)
	if err != nil {
		return history.Label{}, false
	}
	m := &c.impl.Methods()[i]
	named := history.Label{Kind: history.Kind{Method: m.Name, Outcome: l.Outcome}, Args: canonical(m.Params, l.Args)}
	if l.Outcome != history.Pending && !offers(m, l) {
		return named, false
	}
	named.Rets = canonical(m.Results, l.Rets)
	return named, misfit(m.Results, l.Rets) < 0
}

func canonical(types []values.Basic, vs []history.Value) (all []history.Value) {
	for i, v := range vs {
		all = append(all, history.Value(types[i].Canonical(string(v))))
	}
	return all
}

// Same reports whether the results of a label are those of an answer, however the
// log writes them.
func (c *Caller) Same(l *history.Label, rets []history.Value) bool {
	if slices.Equal(l.Rets, rets) {
		return true
	}
	i, err := methodOf(c.impl, l)
	return err == nil && sameValues(&c.impl.Methods()[i], rets, l.Rets)
}

// sameValues reports whether a log's results are those of an answer.
func sameValues(m *reference.Method, answered, claimed []history.Value) bool {
	if slices.Equal(answered, claimed) || len(answered) != len(claimed) || len(claimed) > len(m.Results) {
		return slices.Equal(answered, claimed)
	}
	for i, v := range claimed {
		if string(answered[i]) != m.Results[i].Canonical(string(v)) {
			return false
		}
	}
	return true
}

// offers reports whether a method has an outcome with so many values.
func offers(m *reference.Method, l *history.Label) bool {
	return slices.ContainsFunc(m.Outcomes, func(o reference.OutcomeArity) bool { return o.Outcome == l.Outcome && o.Rets == len(l.Rets) })
}

func methodOf(impl reference.Implementation, l *history.Label) (int, error) {
	var names []string
	for i, m := range impl.Methods() {
		if m.Name == l.Method && len(m.Args) == len(l.Args) {
			return i, nil
		}
		names = append(names, m.Name)
	}
	return 0, fmt.Errorf("reference: %s has no method %q with %d arguments%s", impl.Name(), l.Method, len(l.Args), wording.Hint(l.Method, names))
}
