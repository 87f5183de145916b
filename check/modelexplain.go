package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/configurations"
	"github.com/adtinfer/adtinfer/internal/engine/automaton"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/engine/prefix"
	"github.com/adtinfer/adtinfer/internal/engine/refmodel"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/theory"
)

// underivable is why violations by a model have no evidence.
const underivable = "a search that finds no linearization leaves nothing to verify: evidence of a violation needs a theory"

// explain finds a minimal set of operations that cannot be explained, and how far
// the execution can be.
func (m *modelEngine) explain(ctx context.Context, e *history.Execution, r Result) (*Explanation, error) {
	e, err := m.resolve(e)
	if err != nil {
		return nil, err
	}
	e = e.Prefix(r.Prefix)
	if c := m.faster(e); c != nil {
		if x, err := c.Explain(ctx, e, r); err == nil {
			return x, nil
		}
	}
	if m.described == nil || m.spec == nil || m.spec.Control != nil {
		return m.reason(ctx, e, r)
	}
	spec, keys, own := violating(ctx, m.spec, e)
	part := *m
	if part.described = automaton.Of(spec); len(keys) == 0 || part.described == nil {
		part.described, own, keys = m.described, e, nil
	}
	x, err := part.reason(ctx, own, r)
	if err == nil {
		x.Keys, x.States = keys, possible(ctx, spec, own)
		whole(m.spec, len(keys), x, e)
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

// reason is an explanation of a violation, of which everything is left.
func (m *modelEngine) reason(ctx context.Context, e *history.Execution, r Result) (*Explanation, error) {
	model, err := m.over(ctx, e)
	if err != nil {
		return nil, err
	}
	defer model.close()
	x := &Explanation{Execution: e, Prefix: r.Prefix, Underived: underivable}
	found, err := wgl.Check(ctx, model.searched, e, m.search())
	if err == nil && found.Linearizable {
		err = errors.New("check: the model does not show that the execution is a violation")
	}
	if err == nil && !found.Upper && found.Prefix == r.Prefix {
		err = m.story(ctx, model, e, found, x)
	}
	var core wgl.Core
	if err == nil {
		core, err = wgl.FindCore(ctx, model.searched, e)
	}
	switch {
	case ctx.Err() != nil:
		x.Detail = prefix.Stopped(ctx)
		return x, nil
	case err != nil:
		return nil, err
	case !core.Minimal:
		x.Detail = "to find out whether fewer do takes too long"
	}
	x.Minimal = core.Minimal
	x.Execution = ground.Part(e, func(i int) bool {
		_, in := slices.BinarySearch(core.Ops, int32(i))
		return in
	})
	return x, nil
}

// story says how the events before the last one of the shortest violating prefix
// are explained.
func (m *modelEngine) story(ctx context.Context, model *model, e *history.Execution, found wgl.Result, x *Explanation) error {
	last := slices.IndexFunc(e.Ops, func(o history.Operation) bool { return o.Return == found.Prefix-1 })
	ops, end, err := refmodel.Complete(model, e.Prefix(found.Prefix-1), found.Order)
	if err != nil || last < 0 {
		return err
	}
	x.Order, x.Last = ops, e.Ops[last]
	if i := slices.Index(found.Order, int32(last)); i >= 0 {
		x.Would = &ops[i].Label
	} else {
		call := history.Label{Kind: history.Kind{Method: x.Last.Method}, Args: x.Last.Args}
		answers := slices.DeleteFunc(model.Answers(end, &call), func(l history.Label) bool {
			_, ok := model.Step(end, &l)
			return !ok
		})
		if len(answers) == 1 && (answers[0].Outcome != history.None || x.Last.Outcome != history.Some) {
			x.Would = &answers[0] // if only silence is among the answers, the value that it would be is not
		}
		x.Waits = len(answers) == 0 && !model.open(&call)
	}
	if m.builtin != nil && x.Would != nil && x.Would.Outcome == history.None && x.Last.Outcome != history.None {
		x.Would = nil // it may answer nothing, but the values that it may answer are not known
	}
	switch {
	case model.ref != nil:
		x.State, err = model.ref.Text(end)
	case m.described != nil:
		x.State = m.described.Text(end)
	default:
		if s, ok := end.(fmt.Stringer); ok { // of a built-in model
			x.State = s.String()
		}
	}
	return err
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
	ops, _, err := refmodel.Complete(model, e, found.Order)
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
		return &NoEvidence{prefix.Stopped(ctx)}
	}
	return &NoEvidence{strings.TrimPrefix(err.Error(), "reference: ")}
}
