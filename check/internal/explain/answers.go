package explain

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// Asker knows what a data type answers.
type Asker interface {
	// Possible lists what the operation of an execution that returns last may answer,
	// in some order of all others that fits them. The error says why that cannot be
	// found out.
	Possible(ctx context.Context, e *history.Execution) (Answers, error)
}

// Answers are what an operation may answer.
type Answers struct {
	Labels []history.Label // in the order of their texts
	Fits   bool            // the other operations can be explained; else there are no answers
	Open   bool            // it may answer other values, too, that are in no operation

	// Order is one of the orders of the execution that is asked about first, without the last
	// operation if nothing comes after it, and State the state after it, in words; none
	// where the data type has no states.
	Order []history.Operation
	State string
}

// Add adds an answer that may come, too.
func (a *Answers) Add(l history.Label) { a.Labels = sorted(append(a.Labels, l)) }

// Waits reports whether the operation must wait.
func (a *Answers) Waits() bool { return a.Fits && !a.Open && len(a.Labels) == 0 }

// same reports whether two lists are the same.
func (a *Answers) same(b *Answers) bool {
	return a.Fits && b.Fits && a.Open == b.Open && slices.EqualFunc(a.Labels, b.Labels, func(x, y history.Label) bool {
		return x.Kind == y.Kind && slices.Equal(x.Rets, y.Rets)
	})
}

// sorted sorts answers and leaves each out that came before.
func sorted(all []history.Label) []history.Label {
	text := func(l history.Label) string { return l.String() }
	slices.SortStableFunc(all, func(a, b history.Label) int { return byLength(text(a), text(b)) })
	return slices.CompactFunc(all, func(a, b history.Label) bool { return text(a) == text(b) })
}

// byLength compares texts as people sort numbers.
func byLength(a, b string) int {
	switch {
	case len(a) != len(b):
		return len(a) - len(b)
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
