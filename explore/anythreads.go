package explore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/observers"
	"github.com/adtinfer/adtinfer/explore/internal/views"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Views are the figures of a proof for any number of goroutines and operations.
type Views struct {
	Views int `json:"views"` // what a goroutine may see: its own part of a state, and what all see
	Keys  int `json:"keys"`  // of what all see
	Cap   int `json:"cap,omitempty"`
	// Cut counts steps to states in which a goroutine reaches more than Cap objects: nothing is
	// known of those.
	Cut    int64 `json:"cut,omitempty"`
	Values int   `json:"values"`
}

// prove tries to prove the package for any number of goroutines and operations.
func (l *loaded) prove(ctx context.Context) (*Result, error) {
	values := l.Bounds.Values
	if values == 0 {
		values = 2
	}
	a, err := l.alone(ctx)
	if err != nil {
		return nil, l.refuse(err)
	}
	if a.found != nil {
		return a.result(l.result())
	}
	p, err := l.anyThreads(ctx, values)
	if err != nil {
		return nil, l.refuse(err)
	}
	start := time.Now()
	proof, err := views.New(views.Problem{Shared: p.shared, Observer: watched{p}, Answer: p.answer}, views.Options{Cap: l.Cap, Memory: p.memory(), Progress: func(s views.Stats) {
		l.report("any number of goroutines", int64(s.Views), start)
	}})
	if err != nil {
		return nil, l.refuse(err)
	}
	found, err := proof.Run(ctx)
	r := l.result()
	r.Policy = true
	r.NotModelled = append(append(p.notModelled(), p.shared.Notes()...), "whether operations ever return is not proved")
	s := found.Stats
	r.Views = &Views{Views: s.Views, Keys: s.Keys, Cap: l.Cap, Cut: s.Cut, Values: values}
	r.States, r.Seconds, r.Bounds.Values = int64(s.Views), s.Elapsed.Seconds(), values
	switch {
	case errors.Is(err, views.ErrMemory):
		r.Verdict, r.Why = Incomplete, "memory ran out"
	case err != nil && ctx.Err() != nil:
		r.Verdict, r.Why = Incomplete, why(ctx, err)
	case errors.Is(err, machine.ErrViews):
		return nil, l.refuse(err)
	case err != nil:
		return nil, l.refuse(err)
	case found.Proved && p.whole() != "":
		r.Verdict, r.Why = Incomplete, p.whole()
	case found.Proved:
		r.Verdict = Proved
		r.Notes = append(r.Notes, p.loose()...)
		if r.Why = a.unreached(p); r.Why != "" {
			r.Verdict = Incomplete
		}
	default:
		r.Verdict, r.Why = Unproved, p.unproved(found.Finding)
	}
	return a.doubt(r), nil
}

// anyThreads prepares a proof.
func (l *loaded) anyThreads(ctx context.Context, values int) (*problem, error) {
	switch {
	case len(l.Fresh) > 0:
		return nil, errors.New("fresh values run out: for any number of operations, declare no operations with fresh values")
	}
	p, err := l.problem(ctx, Bounds{Threads: 1, Operations: values, Values: values})
	if err != nil {
		return nil, err
	}
	if l.Theory != nil {
		if err := p.observe(); err != nil {
			return nil, err
		}
	}
	p.shared, err = machine.ForViews(ctx, p.program, p.list.Calls)
	return p, err
}

// observe makes observers of the theory: they speak of executions of any length.
func (p *problem) observe() error {
	const instead = "for any number of operations, check the package against a reference (--ref) or a model (--model)"
	if len(p.list.Fresh) > 0 {
		return fmt.Errorf("theory %s covers only executions in which each value is added at most once, and values run out: %s", p.Theory.Name, instead)
	}
	set, err := observers.From(p.ctx, p.Theory)
	if err != nil {
		return fmt.Errorf("%w; %s", err, instead)
	}
	p.observers, err = set.Over(p.renamed(p.list), p.answers)
	return err
}

// unproved says why a proof fails.
func (p *problem) unproved(f *views.Finding) string {
	text := f.Text
	if f.Pos != 0 {
		text += ", at " + p.at(f.Pos)
	}
	if f.Also != 0 {
		text += " and at " + p.at(f.Also)
	}
	if f.View == "" {
		return text
	}
	if f.Call < 0 {
		return text + " (" + f.View + ")"
	}
	return text + fmt.Sprintf(" (%s, %s)", strings.TrimSuffix(p.label(f.Call, -1).String(), "*"), f.View)
}

// sentenceOfViews says what a proof has shown.
func (r *Result) sentenceOfViews() string {
	v := r.Views
	s := fmt.Sprintf("with %s: %s", wording.Count(v.Values, "value"), wording.Count(v.Views, "view"))
	if v.Cut > 0 {
		s += fmt.Sprintf(", as long as a goroutine reaches at most %s", wording.Count(v.Cap, "object"))
	}
	switch r.Verdict {
	case Proved:
		return "proved linearizable by its linearization policy for any number of goroutines and operations, " + s + "; " + strings.Join(r.NotModelled, "; ")
	case Unproved:
		return "not proved for any number of goroutines: " + r.Why + ". The package may still be right: explore it with -n 2 -k 2 -d 2 to find what is wrong"
	}
	return fmt.Sprintf("neither proved nor refuted for any number of goroutines, %s so far: %s", s, r.Why)
}

// watched is the theory's observers, or the problem's observer of the moment: where a reference starts
// again, there is a new one.
type watched struct{ p *problem }

func (w watched) Start() int32 {
	if w.p.observers != nil {
		return w.p.observers.Start()
	}
	return w.p.observer.Start()
}

func (w watched) Step(state, call, answer int32) (int32, bool, error) {
	if w.p.observers != nil {
		return w.p.observers.Step(state, call, answer)
	}
	next, ok, err := w.p.observer.Step(state, call, answer)
	return next, ok, w.p.again(err)
}

// unreached says what a proof never came to: a directive, or an outcome that an operation has if calls come one at a
// time; "" if nothing. It rests on states without these.
func (a *alone) unreached(proof *problem) string {
	if a.graph == nil {
		return "" // of a changed package nothing is known but the proof
	}
	var all []string
	never, _ := proof.shared.Directives()
	for _, pos := range proof.sorted(never) {
		all = append(all, "the directive at "+proof.at(pos))
	}
	reached := map[string]bool{}
	for _, r := range proof.shared.Results() {
		outcome, _ := proof.list.Answer(&r)
		reached[fmt.Sprint(r.Op, outcome)] = true
	}
	for op := range a.program.Ops {
		if !proof.shared.Answered(op) {
			all = append(all, "a return of "+a.program.Ops[op].Method)
			continue
		}
		for _, n := range a.said[op] {
			r := a.shared.Result(n)
			outcome, _ := a.list.Answer(&r)
			if key := fmt.Sprint(op, outcome); !reached[key] {
				reached[key] = true
				all = append(all, history.Label{Kind: history.Kind{Method: a.program.Ops[op].Method, Outcome: outcome}}.String())
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	s := "the proof never came to " + strings.Join(all, ", ")
	if a.Cap > 0 {
		s += ": raise --cap"
	}
	return s
}
