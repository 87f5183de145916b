package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics/instance"
	"github.com/adtinfer/adtinfer/theory"
)

// Wrong is the error of evidence that is rejected.
type Wrong struct {
	Line int // of its file; 0 if that is not the matter, or it is from none
	Msg  string
}

func (w *Wrong) Error() string { return "verify: " + w.Msg }

func wrong(line int, format string, args ...any) error {
	return &Wrong{line, fmt.Sprintf(format, args...)}
}

// errSpecification is the error of a linearization if nothing is there to compare it with.
var errSpecification = errors.New("verify: a linearization needs a specification to be compared with")

// Check accepts evidence with nil and rejects it with a *Wrong. The execution's methods are
// named as in the theory; linearizations need none, which is nil. Only they need admits, which counts the operations from the
// first on that the data type allows, len(labels) if it allows all; its errors are passed on. It may be nil if the theory has
// an automaton, or a product of such, or its axioms mean one, which is run then.
func Check(ctx context.Context, t *theory.Theory, e *history.Execution, ev *evidence.Evidence,
	admits func(ctx context.Context, labels []history.Label) (int, error)) error {
	e = rest(t, e, ev)
	switch {
	case ev.Log != evidence.Digest(e):
		return wrong(0, "the evidence is for another log")
	case t != nil && ev.Theory != t.Name:
		return wrong(0, "the evidence is for theory %s, not %s", ev.Theory, t.Name)
	case !ev.Violation && admits == nil:
		var err error
		if admits, err = replayed(ctx, t, e); err != nil {
			return err
		}
	case ev.Violation && t == nil:
		return wrong(0, "a derivation is from the patterns of a theory, and none is given")
	case ev.Violation && ev.Prefix > e.Events:
		return wrong(0, "the log has only %d events, not %d", e.Events, ev.Prefix)
	}
	if !ev.Violation {
		return linearization(ctx, e, ev.Order, admits)
	}
	e = e.Prefix(ev.Prefix)
	if len(ev.Steps) > 0 && ev.Steps[0].Answer {
		return answer(ctx, t, e, ev)
	}
	described, err := &t.Spec, error(nil)
	if ev.Window != nil {
		if described, err = meant(ctx, t, e); err != nil {
			return err
		}
	}
	spec, e, err := part(described, e, ev)
	switch {
	case err != nil:
		return err
	case ev.Window != nil:
		return window(ctx, spec, e, ev.Window)
	}
	own := *t
	own.Spec, e = visible(spec, e)
	l, err := instance.New(ctx, &own, e)
	if err != nil {
		return err
	}
	err = derivation(&own, l, ev.Steps)
	return cmp.Or(ctx.Err(), err) // what l says is worth nothing once the context has ended
}

// proof is what a derivation has shown so far.
type proof struct {
	*instance.Log
	known map[evidence.Fact]bool
	took  map[string]evidence.Fact // those of the facts known, by operation
	order []evidence.Fact          // the facts known, in order
	open  []supposition
}

type supposition struct {
	fact  evidence.Fact
	known int // facts before it
}

func derivation(t *theory.Theory, l *instance.Log, steps []evidence.Step) error {
	if err := l.Outside(t); err != nil {
		return wrong(0, "%v", err)
	}
	p := &proof{Log: l, known: map[evidence.Fact]bool{}, took: map[string]evidence.Fact{}}
	for i, s := range steps {
		if err := p.follows(s); err != nil {
			return wrong(s.Line, "%v", err)
		}
		switch {
		case s.Suppose:
			p.open = append(p.open, supposition{s.Fact, len(p.order)})
			p.add(s.Fact)
		case s.Fact.Is != evidence.Contradiction:
			p.add(s.Fact)
		case len(p.open) > 0:
			p.close()
		case i < len(steps)-1:
			return wrong(steps[i+1].Line, "the derivation has ended before")
		default:
			return nil
		}
	}
	return wrong(0, "the derivation does not end in a contradiction")
}

// follows says why a step does not follow from the facts known.
func (p *proof) follows(s evidence.Step) error {
	needs, err := p.needs(s)
	for _, f := range needs {
		if err == nil && f != s.Fact.Opposite() && !p.holds(f) {
			err = fmt.Errorf("it rests on %q, and no step says that", f)
		}
	}
	return err
}

func (p *proof) needs(s evidence.Step) (needs []evidence.Fact, err error) {
	var chain []string
	switch {
	case s.Fact.Is != evidence.Contradiction && !p.Meaningful(s.Fact):
		return nil, fmt.Errorf("there is no fact %q of this log", s.Fact)
	case s.Suppose:
		return nil, nil
	case len(s.Ops) == 0:
		return nil, errors.New("it names no operations")
	case s.By != "":
		return p.Needs(s.By, s.Ops)
	case s.Fact.Is == evidence.Contradiction:
		chain = append(slices.Clone(s.Ops), s.Ops[0])
	case s.Fact.Is == evidence.Before:
		chain = slices.Concat([]string{s.Fact.A}, s.Ops, []string{s.Fact.B})
	default:
		return nil, errors.New("only orders go through operations")
	}
	for i, b := range chain[1:] {
		needs = append(needs, evidence.Fact{Is: evidence.Before, A: chain[i], B: b})
	}
	return needs, nil
}

// holds reports whether a fact is known, or follows from real time or how a pending operation took effect.
func (p *proof) holds(f evidence.Fact) bool {
	if p.known[f] || f.Is == evidence.Before && p.Before(f.A, f.B) {
		return true
	}
	took, ok := p.took[f.A]
	return f.Is == evidence.Never && ok && p.Exclude(took, f)
}

func (p *proof) add(f evidence.Fact) {
	if p.known[f] {
		return // and it stays known when what follows is taken back
	}
	p.known[f], p.order = true, append(p.order, f)
	if f.Is == evidence.Took {
		p.took[f.A] = f
	}
}

// close takes back all since the last supposition, and adds its opposite.
func (p *proof) close() {
	s := p.open[len(p.open)-1]
	for _, f := range p.order[s.known:] {
		delete(p.known, f)
		if f.Is == evidence.Took {
			delete(p.took, f.A)
		}
	}
	p.order, p.open = p.order[:s.known], p.open[:len(p.open)-1]
	p.add(s.fact.Opposite())
}
