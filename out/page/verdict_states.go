package page

import (
	"cmp"
	"context"
	"fmt"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// How long an order may be whose states a page has, and how many bytes all of them.
const (
	mostStates     = 2000
	mostStateBytes = 500_000
)

// Knowing is who may know the states of an object; each may be nil or empty.
type Knowing struct {
	Theory    *theory.Theory
	Reference reference.Implementation
	Model     string // the name of a built-in one
}

// After is the object, in words, after each of several operations: by the product or automaton of the
// theory, or else by the reference, or else by the built-in model, or one with the theory's name that agrees with
// it. It is nil if nobody knows.
func (k *Knowing) After(ctx context.Context, order []history.Label) []string {
	if len(order) > mostStates {
		return nil
	}
	if k.Theory != nil {
		if m, err := configurations.Of(&k.Theory.Spec); err == nil {
			s, ok := m.Init(), true
			return statesOf(order, func(l *history.Label) (string, bool) {
				if s, ok = m.Step(s, l); !ok {
					return "", false
				}
				return m.Text(s), true
			})
		}
	}
	if k.Reference == nil {
		return k.byModel(ctx, order)
	}
	r, err := wgl.NewReference(k.Reference)
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

// byModel is After by a built-in model.
func (k *Knowing) byModel(ctx context.Context, order []history.Label) []string {
	var m wgl.Model
	var err error
	switch {
	case k.Theory != nil:
		m, err = wgl.ForTheory(ctx, k.Theory, cmp.Or(k.Model, k.Theory.Name))
	case k.Model != "":
		m, err = wgl.Builtin(k.Model)
	}
	if m == nil || err != nil {
		return nil
	}
	s, ok := m.Init(), true
	return statesOf(order, func(l *history.Label) (string, bool) {
		if s, ok = m.Step(s, l); !ok {
			return "", false
		}
		text, ok := s.(fmt.Stringer)
		return fmt.Sprint(text), ok
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
