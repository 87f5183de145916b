package page

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/configurations"
	"github.com/adtinfer/adtinfer/internal/engine/refmodel"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// How long an order may be whose states a page has, and how many bytes all of them.
const (
	mostStates     = 2000
	mostStateBytes = 500_000
)

// StatesAfter is the object, in words, after each of several operations: by the product or
// automaton of the theory, or else by the reference. It is nil if neither knows; both may be nil.
func StatesAfter(ctx context.Context, t *theory.Theory, ref reference.Implementation, order []history.Label) []string {
	if len(order) > mostStates {
		return nil
	}
	if t != nil {
		if m, err := configurations.Of(&t.Spec); err == nil {
			s, ok := m.Start(), true
			return statesOf(order, func(l *history.Label) (string, bool) {
				if s, ok = m.Step(s, l); !ok {
					return "", false
				}
				return m.Text(s), true
			})
		}
	}
	if ref == nil {
		return nil
	}
	r, err := refmodel.New(ref)
	if err != nil {
		return nil
	}
	m, err := r.Model(ctx, history.Sequential(order...))
	if err != nil {
		return nil
	}
	defer m.Close()
	s, ok := m.Init(), true
	return statesOf(order, func(l *history.Label) (string, bool) {
		if s, ok = m.Step(s, l); !ok {
			return "", false
		}
		text, err := m.Text(s)
		return text, err == nil
	})
}

// statesOf are what each operation leads to; nil if one leads nowhere, or they are too much.
func statesOf(order []history.Label, after func(*history.Label) (string, bool)) []string {
	var all []string
	size := 0
	for i := range order {
		text, ok := after(&order[i])
		if size += len(text); !ok || size > mostStateBytes {
			return nil
		}
		all = append(all, text)
	}
	return all
}
