package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/theory"
)

// partsEngine decides the operations of each key on their own, by a Checker for what a
// product has as its part ("Faster linearizability checking via P-compositionality"
// §3). Where some operations belong to all parts it finds violations alone.
type partsEngine struct {
	named string
	*theory.Product
	table *logs.Table
	part  *Checker
	whole semantics.Machine // nil if the parts have none
	exact bool
}

func newParts(c *Checker, t *theory.Theory, whole semantics.Machine) (*partsEngine, error) {
	o := c.options
	o.Reference, o.Model, o.Aliases, o.MayFail = nil, "", nil, nil
	part, err := New(&theory.Theory{Name: t.Name + " for one key", Spec: t.Spec.Product.Part}, o)
	if err != nil {
		return nil, err
	}
	s, err := t.Signature(c.options.Aliases)
	if err != nil {
		return nil, err
	}
	return &partsEngine{t.Name, t.Spec.Product, logs.New(s.Methods()), part, whole, t.Spec.IsLocal()}, nil
}

func (p *partsEngine) name() string { return p.part.engine.name() }

func (p *partsEngine) resolve(e *history.Execution) (*history.Execution, error) {
	r, err := ground.Resolve(p.table, e)
	if err != nil || p.whole == nil {
		return r, inputError(err, e)
	}
	return r, refuse(p.whole, r, e)
}

// check decides part by part: what is a violation in one bounds the events of all
// others.
func (p *partsEngine) check(ctx context.Context, e *history.Execution) (Result, error) {
	parts := p.Parts(e)
	res, most := Result{Verdict: Linearizable, Engine: p.name()}, e.Events
	var refusal error
	for i, own := range parts {
		r, err := p.part.checkEvents(ctx, own.Execution.Prefix(most))
		switch {
		case refused(err):
			refusal = cmp.Or(refusal, error(&uncovered{[]error{fmt.Errorf("%s: %w", keyOf(own), err)}}))
		case err != nil:
			return Result{}, err
		case r.Verdict == Violation:
			most = r.Prefix
			fallthrough
		case worse(r.Verdict, res.Verdict), i == 0:
			if res = r; r.Verdict != Linearizable {
				res.Detail = joined(keyOf(own), r.Detail)
			}
		}
	}
	res.Parts = len(parts)
	switch {
	case res.Verdict == Violation && !p.exact:
		res.Detail = joined(res.Detail, shorter)
	case res.Verdict == Violation:
	case refusal != nil:
		return Result{}, refusal
	case res.Verdict == Linearizable && !p.exact:
		res.Verdict, res.Detail = Inconclusive, "no key alone shows a violation, and some operations belong to all of them: the reference (--ref) decides"
	}
	return res, nil
}

// keyOf names a part in messages.
func keyOf(p theory.Part) string {
	if p.Rest {
		return "a key that no operation has"
	}
	return "key " + string(p.Key)
}

// worse reports whether a verdict of a part says less, or worse, of the whole.
func worse(a, b Verdict) bool {
	order := []Verdict{Linearizable, NoViolationFound, Inconclusive, Violation}
	return slices.Index(order, a) > slices.Index(order, b)
}

func (p *partsEngine) explain(ctx context.Context, e *history.Execution, r Result, room time.Duration) (*Explanation, error) {
	e, err := p.resolve(e)
	if err != nil {
		return nil, err
	}
	parts := p.Parts(e.Prefix(r.Prefix))
	err = errors.New("check: no key alone shows that the execution is a violation")
	for _, own := range parts {
		res, bad := p.part.checkEvents(ctx, own.Execution)
		if bad != nil || res.Verdict != Violation {
			continue
		}
		x, bad := p.part.explained(ctx, own.Execution, res, true, room)
		if bad != nil {
			err = bad
			continue
		}
		whole(&theory.Spec{Product: p.Product}, 1, x, e)
		if own.Rest {
			own.Key = unused(parts)
		}
		x.Keys = append([]history.Value{own.Key}, x.Keys...)
		return x, nil
	}
	return nil, err
}

// whole gives the operations of an explanation their keys again, in arguments and answers: it is about a part of an
// execution, the part of a part if depth is 2, and so on.
func whole(s *theory.Spec, depth int, x *Explanation, e *history.Execution) {
	args := map[string][]history.Value{}
	for i := range e.Ops {
		args[e.Ops[i].ID] = e.Ops[i].Args
	}
	lift := func(id string, l *history.Label) {
		if args, known := args[id]; known {
			*l = lifted(s, depth, *l, args)
		}
	}
	again := func(ops []history.Operation) {
		for i := range ops {
			lift(ops[i].ID, &ops[i].Label)
		}
	}
	again(x.Execution.Ops)
	again(x.Order)
	lift(x.Last.ID, &x.Last.Label)
	for i := range x.Answers {
		lift(x.Last.ID, &x.Answers[i])
	}
	for id, l := range x.Labels {
		lift(id, &l)
		x.Labels[id] = l
	}
}

// lifted is an operation of a part as one of the whole, where it has these arguments.
func lifted(s *theory.Spec, depth int, l history.Label, args []history.Value) history.Label {
	if depth == 0 {
		return l
	}
	k := s.Product.Of(l.Method)
	part, _, _ := k.Project(history.Label{Kind: l.Kind, Args: args})
	return k.Lift(lifted(&s.Product.Part, depth-1, l, part.Args), args)
}

// linearize puts together linearizations of the parts: every operation of one has a
// moment between its call and its return, the latest call of those up to it, and they
// are in its order.
func (p *partsEngine) linearize(ctx context.Context, e *history.Execution) (*evidence.Evidence, error) {
	e, err := p.resolve(e)
	if err != nil {
		return nil, err
	}
	if !p.exact {
		return nil, &NoEvidence{"the parts of a product were decided on their own, and some operations belong to all of them"}
	}
	calls, moments := map[string]int{}, map[string]int{}
	for i := range e.Ops {
		calls[e.Ops[i].ID] = e.Ops[i].Call
	}
	ev := &evidence.Evidence{Theory: p.named, Log: evidence.Digest(e)}
	for _, own := range p.Parts(e) {
		part, err := p.part.linearize(ctx, own.Execution)
		if err != nil {
			return nil, err
		}
		latest := 0
		for _, t := range part.Order {
			latest = max(latest, calls[t.Op])
			moments[t.Op] = latest
		}
		ev.Order = append(ev.Order, part.Order...)
	}
	slices.SortStableFunc(ev.Order, func(a, b evidence.Taken) int { return moments[a.Op] - moments[b.Op] })
	return ev, nil
}
