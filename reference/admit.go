package reference

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/suggest"
)

// Admits counts the operations, from the first on, that a reference allows one
// after the other with the results that the labels claim: len(labels) if all are.
// Values are what they are where all arguments are positive integers, and
// otherwise the reference gets one of its own for each. It is an error if the
// reference does not have a method with such arguments, or is a *Fault.
func Admits(ctx context.Context, impl Implementation, labels []history.Label) (int, error) {
	c := newClaims(labels)
	calls := make([]Call, len(labels))
	claimed := make([]history.Label, len(labels))
	for i := range labels {
		m, err := methodOf(impl, &labels[i])
		if err != nil {
			return 0, err
		}
		claimed[i] = history.Label{Kind: labels[i].Kind, Rets: c.values(labels[i].Rets)}
		for _, v := range labels[i].Args {
			calls[i].Args = append(calls[i].Args, c.number[v])
			claimed[i].Args = append(claimed[i].Args, history.Value(strconv.Itoa(c.number[v])))
		}
		calls[i].Method = m
	}
	if a, ok := impl.(Acceptor); ok {
		ns, err := a.Accepts(ctx, [][]history.Label{claimed})
		if err != nil {
			return 0, err
		}
		return ns[0], nil
	}
	answers, err := impl.Replay(ctx, [][]Call{calls})
	if err != nil {
		return 0, err
	}
	for i, a := range answers[0] {
		if a.Blocked || a.Outcome != claimed[i].Outcome || !slices.EqualFunc(a.Rets, claimed[i].Rets, sameValue) {
			return i, nil
		}
	}
	return len(answers[0]), nil
}

// sameValue compares what a reference returned with what is claimed, which for
// values that are no arguments is their text.
func sameValue(returned, claimed history.Value) bool {
	if IsForeign(returned) {
		return returned == "("+claimed+")"
	}
	return returned == claimed
}

func methodOf(impl Implementation, l *history.Label) (int, error) {
	var names []string
	for i, m := range impl.Methods() {
		if m.Name == l.Method && len(m.Args) == len(l.Args) {
			return i, nil
		}
		names = append(names, m.Name)
	}
	return 0, fmt.Errorf("reference: %s has no method %q with %d arguments%s", impl.Name(), l.Method, len(l.Args), suggest.Hint(l.Method, names))
}

// claims numbers the values that are arguments.
type claims struct{ number map[history.Value]int }

func newClaims(labels []history.Label) *claims {
	c := &claims{map[history.Value]int{}}
	plain := true
	var order []history.Value
	for i := range labels {
		for _, v := range labels[i].Args {
			if _, ok := c.number[v]; ok {
				continue
			}
			n, err := strconv.ParseInt(string(v), 10, 31)
			plain = plain && err == nil && n > 0 && strconv.FormatInt(n, 10) == string(v)
			c.number[v], order = int(n), append(order, v)
		}
	}
	if !plain {
		for i, v := range order {
			c.number[v] = i + 1
		}
	}
	return c
}

func (c *claims) values(vs []history.Value) (numbers []history.Value) {
	for _, v := range vs {
		if n, ok := c.number[v]; ok {
			v = history.Value(strconv.Itoa(n))
		}
		numbers = append(numbers, v)
	}
	return numbers
}
