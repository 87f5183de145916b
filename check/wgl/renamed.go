package wgl

import "github.com/adtinfer/adtinfer/history"

// Renamed is a model of executions that call some of its methods by other
// names; names lists those, by the model's own.
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
	return r
}

// renamed is a model whose methods have other names.
type renamed struct {
	Model
	own map[string]string
}

// Step is the model's step of the operation by its own name.
func (r renamed) Step(s State, l *history.Label) (State, bool) {
	if name := r.own[l.Method]; name != "" {
		l = &history.Label{Kind: history.Kind{Method: name, Outcome: l.Outcome}, Args: l.Args, Rets: l.Rets}
	}
	return r.Model.Step(s, l)
}
