package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/check/internal/explain"
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
	"github.com/adtinfer/adtinfer/theory"
)

// underivable is why violations by a model have no evidence.
const underivable = "a search that finds no linearization leaves nothing to verify: evidence of a violation needs a theory"

// explain finds a minimal set of operations that cannot be explained, and how far
// the execution can be.
func (m *modelEngine) explain(ctx context.Context, e *history.Execution, r Result, room time.Duration) (*Explanation, error) {
	e, err := m.resolve(e)
	if err != nil {
		return nil, err
	}
	e = e.Prefix(r.Prefix)
	if m.described == nil || m.spec == nil || m.spec.Control != nil {
		return m.undivided(ctx, e, r, room)
	}
	spec, keys, own := violating(ctx, m.spec, e)
	part := *m
	if part.described = configurations.Searched(spec); len(keys) == 0 || part.described == nil {
		part.described, own, keys = m.described, e, nil
	}
	x, err := part.reason(ctx, own, r, room)
	if err == nil {
		x.Keys, x.States = keys, possible(ctx, spec, own)
		whole(m.spec, len(keys), x, e)
	}
	return x, err
}

// undivided explains what no key alone does, by what is faster than the model if there is that.
func (m *modelEngine) undivided(ctx context.Context, e *history.Execution, r Result, room time.Duration) (*Explanation, error) {
	c := m.faster(e)
	x, err := (*Explanation)(nil), error(nil)
	if c == nil || len(e.Ops) <= mostWhole {
		x, err = m.reason(ctx, e, r, room)
	}
	if c != nil && (x == nil || x.Detail != "") { // it may still know what cannot be
		if own, err := c.explained(ctx, e, r, true, 0); err == nil {
			return own, nil
		}
	}
	if x == nil && err == nil {
		return m.reason(ctx, e, r, room)
	}
	return x, err
}

// violating is the key of a product, the one in its part and so on, whose operations
// are a violation alone; without keys where that takes the whole.
func violating(ctx context.Context, s *theory.Spec, e *history.Execution) (*theory.Spec, []history.Value, *history.Execution) {
	if s.Product == nil {
		return s, nil, e
	}
	parts := s.Product.Parts(e)
	last := func(p *history.Execution) bool {
		return slices.ContainsFunc(p.Ops, func(o history.Operation) bool { return o.Return == e.Events-1 })
	}
	slices.SortStableFunc(parts, func(a, b theory.Part) int {
		switch a, b := last(a.Execution), last(b.Execution); {
		case a == b:
			return 0
		case a:
			return -1
		}
		return 1
	})
	for i := range parts {
		p := &parts[i]
		if p.Rest {
			p.Key = unused(parts)
		}
		if no, err := configurations.Refute(ctx, &s.Product.Part, p.Execution, 0); err == nil && no {
			spec, keys, own := violating(ctx, &s.Product.Part, p.Execution)
			return spec, append([]history.Value{p.Key}, keys...), own
		}
	}
	return s, nil, e
}

// unused is a key of no part.
func unused(parts []theory.Part) history.Value {
	for n := 1; ; n++ {
		key := history.Value(strconv.Itoa(n))
		if !slices.ContainsFunc(parts, func(p theory.Part) bool { return !p.Rest && p.Key == key }) {
			return key
		}
	}
}

// mostStates is how many possible states are listed.
const mostStates = 8

// possible lists the states in which the last event of a violation finds the object;
// nil if they are too many, or there is only the one that the order before it led to.
func possible(ctx context.Context, s *theory.Spec, e *history.Execution) []string {
	states, err := configurations.Before(ctx, s, e)
	if err != nil || len(states) < 2 || len(states) > mostStates {
		return nil
	}
	return states
}

// window makes evidence of a violation that an automaton of the theory shows: that
// beside the patterns, that of a key, or that of the whole.
func window(ctx context.Context, ev *evidence.Evidence, s *theory.Spec, e *history.Execution) error {
	if p := s.Control; p != nil {
		first, err := configurations.Earliest(ctx, &theory.Spec{Methods: s.Methods, Automaton: p.Automaton}, e)
		if ev.Control, ev.Window = true, (&evidence.Window{First: first}); err == nil && first >= 0 || s.Product == nil && s.Automaton == nil {
			return shown(first, err)
		}
	}
	spec, keys, own := violating(ctx, s, e)
	first, err := configurations.Earliest(ctx, spec, own)
	ev.Keys, ev.Control, ev.Window = keys, false, &evidence.Window{First: first}
	return shown(first, err)
}

// shown says why an automaton shows no violation without some first events.
func shown(first int, err error) error {
	if err == nil && first < 0 {
		return errors.New("the automaton of the theory alone does not show the violation")
	}
	return err
}

// reason is an explanation of a violation by what the last operation should have answered.
func (m *modelEngine) reason(ctx context.Context, e *history.Execution, r Result, room time.Duration) (*Explanation, error) {
	ctx, cancel := context.WithTimeout(ctx, room)
	defer cancel()
	model, err := m.over(ctx, e)
	if err != nil {
		return nil, err
	}
	defer model.close()
	x := &Explanation{Execution: e, Prefix: r.Prefix, Underived: underivable}
	if e.Ops[explain.Last(e)].Return != e.Events-1 || r.Detail != "" { // there may be a shorter one
		found, err := wgl.Check(ctx, model.searched, e, m.search())
		switch {
		case err != nil && ctx.Err() == nil:
			return nil, err
		case err == nil && found.Linearizable:
			return nil, errors.New("check: the model does not show that the execution is a violation")
		case err == nil:
			e = e.Prefix(found.Prefix)
		}
	}
	found := m.expected(ctx, m.asker(model, e), e, x)
	switch {
	case found.Known:
	case len(found.Labels) > 0:
		return nil, errors.New("check: the model does not show that the execution is a violation")
	case ctx.Err() != nil:
		x.Detail = logs.Stopped(ctx)
	default:
		x.Detail = "what it would answer cannot be listed"
	}
	if !found.Known {
		x.Execution = found.Part
	}
	x.Order, x.State = found.Order, found.State
	return x, nil
}

// possible runs what the last operation of an execution may answer. The error is why that
// cannot be listed.
func (m *modelEngine) possible(ctx context.Context, e *history.Execution) (explain.Answers, error) {
	model, err := m.over(ctx, e)
	if err != nil {
		return explain.Answers{}, err
	}
	defer model.close()
	return m.asker(model, e).Possible(ctx, e)
}

// asker asks the model about the answers of an execution's last operation.
func (m *modelEngine) asker(model *model, e *history.Execution) explain.Asker {
	values, last := semantics.ValuesOf(e.Ops), &e.Ops[explain.Last(e)]
	a := &explain.Model{Searched: model.searched, Answerer: model, Open: model.open, Blind: m.builtin != nil,
		Text: func(s wgl.State) string { return m.text(model, s) }}
	switch {
	case m.builtin != nil:
		if _, sums := m.builtin.(wgl.Bounded); sums {
			for n := range min(len(e.Ops), mostSums) {
				values = append(values, history.Value(strconv.Itoa(n+1)), history.Value(strconv.Itoa(-n)))
			}
		}
		all := wgl.Plain(m.builtin, m.signature, history.Sequential(history.Label{Args: values}))
		// It may answer nothing where it may answer a value, but that is not what was meant.
		a.Answerer, a.Lists = all, func(l *history.Label) bool { return l.Outcome != history.None || last.Outcome == history.None }
		a.Open = func(call *history.Label) bool {
			method, _ := m.signature.Method(call.Method)
			return wgl.Open(m.options.Model) && slices.ContainsFunc(method.Outcomes, func(o history.OutcomeSig) bool { return o.Rets > 0 })
		}
	case m.described != nil: // without the values of its own that stand for any
		a.Lists = func(l *history.Label) bool {
			return !model.open(l) || !slices.ContainsFunc(l.Rets, func(v history.Value) bool {
				return strings.HasPrefix(string(v), "?") && !slices.Contains(values, v)
			})
		}
	}
	a.All = func(call *history.Label) ([]history.Label, bool) {
		if model.ref != nil {
			return model.Answers(model.Init(), call), true
		}
		return wgl.Claims(m.signature, call, values)
	}
	return a
}

// mostSums is up to which number sums are tried.
const mostSums = 100

// text is a state in words, if there are some.
func (m *modelEngine) text(model *model, s wgl.State) string {
	switch {
	case model.ref != nil:
		if text, err := model.ref.Text(s); err == nil {
			return text
		}
	case m.described != nil:
		return model.searched.(semantics.Machine).Text(s)
	}
	if s, ok := s.(fmt.Stringer); ok { // of a built-in model
		return s.String()
	}
	return ""
}

// linearize is evidence that an execution is linearizable.
func (m *modelEngine) linearize(ctx context.Context, e *history.Execution) (*evidence.Evidence, error) {
	e, err := m.resolve(e)
	if err != nil {
		return nil, err
	}
	if c := m.faster(e); c != nil {
		if ev, err := c.linearize(ctx, e); err == nil {
			ev.Theory = m.named
			return ev, nil
		}
	}
	model, err := m.over(ctx, e)
	if err != nil {
		return nil, m.unproved(ctx, err)
	}
	defer model.close()
	found, err := wgl.Check(ctx, model.searched, e, m.search())
	if err != nil {
		return nil, m.unproved(ctx, err)
	}
	if !found.Linearizable {
		return nil, &NoEvidence{underivable}
	}
	ops, _, err := wgl.Complete(model, e, found.Order)
	if err != nil {
		return nil, m.unproved(ctx, err)
	}
	ev := &evidence.Evidence{Theory: m.named, Log: evidence.Digest(e)}
	for _, o := range ops {
		t := evidence.Taken{Op: o.ID}
		if !o.Completed() {
			t.Outcome, t.Rets = o.Outcome, o.Rets
		}
		ev.Order = append(ev.Order, t)
	}
	return ev, nil
}

func (m *modelEngine) unproved(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &NoEvidence{logs.Stopped(ctx)}
	}
	return &NoEvidence{strings.TrimPrefix(err.Error(), "reference: ")}
}
