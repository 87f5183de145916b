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
	if _, ordered := m.(bag); ordered && !t.Formulas().Sequences().Ordered {
		compared = bag{}
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

// Renamed is a model of executions that call some of its methods by other
// names; names lists those, by the model's own. It is a Reader, a Brancher,
// Failing, Refusing, Bounded and Keyed as far as the model is, and not Ahead.
func Renamed(m Model, names map[string][]string) Model {
	if len(names) == 0 {
		return m
	}
	r := renamed{m, map[string]string{}}
	for own, others := range names {
		for _, n := range others {
			r.own[n] = own
		}
	}
	if k, ok := m.(Keyed); ok {
		return renamedKeyed{r, k}
	}
	return r
}

// renamed is a model whose methods have other names.
type renamed struct {
	Model
	own map[string]string
}

func (r renamed) label(l *history.Label) *history.Label {
	if name := r.own[l.Method]; name != "" {
		return &history.Label{Kind: history.Kind{Method: name, Outcome: l.Outcome}, Args: l.Args, Rets: l.Rets}
	}
	return l
}

// Step is the model's step of the operation by its own name.
func (r renamed) Step(s State, l *history.Label) (State, bool) { return r.Model.Step(s, r.label(l)) }

// Branches are the model's, or what Step does if it has none.
func (r renamed) Branches(s State, l *history.Label) []State {
	if b, ok := r.Model.(Brancher); ok {
		return b.Branches(s, r.label(l))
	}
	if next, ok := r.Step(s, l); ok {
		return []State{next}
	}
	return nil
}

// ReadOnly is what the model says, or false.
func (r renamed) ReadOnly(l *history.Label) bool {
	m, ok := r.Model.(Reader)
	return ok && m.ReadOnly(r.label(l))
}

// Err is the model's.
func (r renamed) Err() error {
	if m, ok := r.Model.(Failing); ok {
		return m.Err()
	}
	return nil
}

// Refuses is what the model refuses.
func (r renamed) Refuses(l *history.Label) error {
	if m, ok := r.Model.(Refusing); ok {
		return m.Refuses(r.label(l))
	}
	return nil
}

// Fits is the model's.
func (r renamed) Fits(labels []*history.Label) (int, error) {
	m, ok := r.Model.(Bounded)
	if !ok {
		return 0, nil
	}
	own := make([]*history.Label, len(labels))
	for i, l := range labels {
		own[i] = r.label(l)
	}
	return m.Fits(own)
}

// renamedKeyed is a renamed model that is a product.
type renamedKeyed struct {
	renamed
	keyed Keyed
}

// Key is the model's.
func (r renamedKeyed) Key(l *history.Label) history.Value { return r.keyed.Key(r.label(l)) }
