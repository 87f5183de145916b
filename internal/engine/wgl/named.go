package wgl

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// ForTheory is the built-in model of the given name (see Builtin), by the theory's names of its methods, after it was compared with the theory (see
// Verify). If it agrees under no naming of the methods the error is a
// *Mismatch. A model that orders values is compared without the order if
// the theory speaks of none.
func ForTheory(ctx context.Context, t *theory.Theory, name string) (Model, error) {
	m, names, err := Named(ctx, t, name)
	if err != nil {
		return nil, err
	}
	return Renamed(m, names), nil
}

// Named is a built-in model that agrees with a theory, and the theory's names of
// its methods, by the model's own, where they differ.
func Named(ctx context.Context, t *theory.Theory, name string) (Model, map[string][]string, error) {
	m, err := Builtin(name)
	if err != nil {
		return nil, nil, fmt.Errorf("check: %w", err)
	}
	compared := m
	if !t.Formulas().Sequences().Ordered {
		compared = Unordered(m)
	}
	var first error
	for _, names := range namings(t.Spec.Methods, Methods(name)) {
		err := Verify(ctx, t, Renamed(compared, names))
		if err == nil {
			return m, names, nil
		}
		if first == nil {
			first = err
		}
		if !errors.As(err, new(*Mismatch)) {
			break
		}
	}
	return nil, nil, fmt.Errorf("check: the built-in model %s does not stand for theory %s: %w", name, t.Name, first)
}

// namings lists the ways to take methods for those of a model, with as many
// arguments: those of the same name first. If there is none, the names stay.
func namings(methods, own []history.MethodSig) (all []map[string][]string) {
	var assign func(left []history.MethodSig, names map[string][]string)
	assign = func(left []history.MethodSig, names map[string][]string) {
		if len(left) == 0 {
			all = append(all, maps.Clone(names))
			return
		}
		m := left[0]
		for _, o := range own {
			if m.Args <= o.Args && m.Args >= o.Args-o.Optional && names[o.Name] == nil {
				names[o.Name] = []string{m.Name}
				assign(left[1:], names)
				delete(names, o.Name)
			}
		}
	}
	assign(methods, map[string][]string{})
	same := func(names map[string][]string) (n int) {
		for own, others := range names {
			if own == others[0] {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(all, func(a, b map[string][]string) int { return same(b) - same(a) })
	if len(all) == 0 {
		return []map[string][]string{nil}
	}
	for _, names := range all {
		maps.DeleteFunc(names, func(own string, others []string) bool { return own == others[0] })
	}
	return all
}

// Admits makes a model a specification that linearizations are compared with (see
// verify.Specification): the function counts the operations, from the first on,
// that the model allows one after the other.
func Admits(m Model) func(ctx context.Context, labels []history.Label) (int, error) {
	return func(ctx context.Context, labels []history.Label) (int, error) {
		s := m.Init()
		for i := range labels {
			next, ok := m.Step(s, &labels[i])
			if !ok || ctx.Err() != nil {
				return i, ctx.Err()
			}
			s = next
		}
		return len(labels), nil
	}
}
