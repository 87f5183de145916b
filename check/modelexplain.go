package check

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/prefix"
	"github.com/adtinfer/adtinfer/internal/engine/refmodel"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
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
	x.Execution, x.Minimal = only(e, core.Ops), core.Minimal
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
		if len(answers) == 1 {
			x.Would = &answers[0]
		}
		x.Waits = len(answers) == 0 && !model.open(&call)
	}
	switch {
	case model.ref != nil:
		x.State, err = model.ref.Text(end)
	case m.described != nil:
		x.State = m.described.Text(end)
	}
	return err
}

// only is the execution of some operations, whose events are counted anew.
func only(e *history.Execution, ops []int32) *history.Execution {
	var events []int
	for _, i := range ops {
		o := &e.Ops[i]
		if events = append(events, o.Call); o.Completed() {
			events = append(events, o.Return)
		}
	}
	slices.Sort(events)
	less := &history.Execution{Object: e.Object, Events: len(events)}
	for _, i := range ops {
		o := e.Ops[i]
		o.Call, _ = slices.BinarySearch(events, o.Call)
		if o.Completed() {
			o.Return, _ = slices.BinarySearch(events, o.Return)
		}
		less.Ops = append(less.Ops, o)
	}
	return less
}

// linearize is evidence that an execution is linearizable.
func (m *modelEngine) linearize(ctx context.Context, e *history.Execution) (*evidence.Evidence, error) {
	e, err := m.resolve(e)
	if err != nil {
		return nil, err
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
