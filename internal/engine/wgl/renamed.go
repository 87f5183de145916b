package wgl

import "github.com/adtinfer/adtinfer/history"

// Renamed is a model of executions that call some of its methods by other
// names; names lists those, by the model's own. It is a Reader, a Brancher,
// Failing, Refusing and Keyed as far as the model is, and not Ahead.
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

// renamedKeyed is a renamed model that is a product.
type renamedKeyed struct {
	renamed
	keyed Keyed
}

// Key is the model's.
func (r renamedKeyed) Key(l *history.Label) history.Value { return r.keyed.Key(r.label(l)) }
