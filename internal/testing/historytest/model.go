package historytest

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// Model is a data type as a function: the ways in which a call may be answered
// in a state, none while it has to wait. The first state is "". It looks at
// method and arguments alone.
type Model func(state string, call *history.Label) []Way

// Way is one way to answer a call, and the state after it.
type Way struct {
	Outcome history.Outcome
	Rets    []history.Value
	Next    string
}

// Gives reports whether the answer is that of a label.
func (w *Way) Gives(l *history.Label) bool {
	return w.Outcome == l.Outcome && slices.Equal(w.Rets, l.Rets)
}

// Admits counts how many operations, one after the other, answer as the model
// may. It never fails: that makes a model the specification of a verifier.
func (m Model) Admits(_ context.Context, labels []history.Label) (int, error) {
	states := []string{""}
	for i := range labels {
		var after []string
		for _, s := range states {
			for _, w := range m(s, &labels[i]) {
				if w.Gives(&labels[i]) && !slices.Contains(after, w.Next) {
					after = append(after, w.Next)
				}
			}
		}
		if states = after; len(states) == 0 {
			return i, nil
		}
	}
	return len(labels), nil
}

// AdmitsAll reports whether a sequence of operations is admitted.
func (m Model) AdmitsAll(labels []history.Label) bool {
	n, _ := m.Admits(context.Background(), labels)
	return n == len(labels)
}
