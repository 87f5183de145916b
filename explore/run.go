package explore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/search"
)

// Run explores a package. Errors are about what cannot be explored (a *Refused), or the
// context's, if it ends before anything was explored; one that ends later ends the run with
// what was established.
func Run(ctx context.Context, o Options) (*Result, error) {
	o.report("loading the package", 0, time.Time{})
	l, err := load(ctx, &o)
	if err != nil {
		return nil, err
	}
	if o.AnyThreads {
		return l.prove(ctx)
	}
	return l.grow(ctx, growth(o.Bounds))
}

// grow explores within one bounds after the other, until something is found or the context
// ends. What calls that come one at a time show, without anything else, comes after what the first
// bounds do.
func (l *loaded) grow(ctx context.Context, all []Bounds) (*Result, error) {
	a, err := l.alone(ctx)
	if err != nil {
		return nil, l.refuse(err)
	}
	r := l.result()
	l.naming = l.other == nil
	var held []Bounds
	for _, b := range all {
		p, err := l.problem(ctx, b)
		if err != nil {
			return l.cut(ctx, r, b, err)
		}
		found, err := p.search(ctx)
		if errors.As(err, &l.other) {
			return l.grow(ctx, all)
		}
		if err != nil {
			return l.cut(ctx, r, b, err)
		}
		stats := found.Stats
		r.Why = ""
		r.Bounds, r.States, r.Steps, r.Seconds = b, int64(stats.States), int64(stats.Steps), stats.Elapsed.Seconds()
		switch {
		case found.Finding != nil && callbackPanics(found.Finding.Fault):
			l.calm()
			return l.grow(ctx, all)
		case found.Finding != nil:
			return a.shows(ctx, p, found.Finding, r)
		case a.found != nil:
			return a.result(r)
		case found.NotCovered != nil:
			f := found.NotCovered.Fault
			r.Why = p.beyond(f)
		case !found.Complete:
			r.Why = why(ctx, found.Why)
		}
		if r.Why != "" {
			if len(all) == 1 || !enough(held) || found.NotCovered != nil || interrupted(ctx) {
				r.Verdict = Incomplete
			}
			return a.doubt(r), nil
		}
		if r.Why = p.whole(); r.Why != "" {
			r.Verdict = Incomplete
			return a.doubt(r), nil
		}
		if r.Why = p.vacuous(r); r.Why != "" {
			continue
		}
		r.Notes = append(l.result().Notes, p.loose()...)
		a.beside(p)
		held = append(held, b)
		r.Verdict, r.Held, r.states[b] = Holds, largest(held), r.States
		if p.small() {
			break
		}
	}
	if len(held) == 0 {
		r.Verdict = Incomplete
	}
	return a.doubt(r), nil
}

// beyond says what cannot be explored.
func (l *loaded) beyond(f *machine.Fault) string {
	if f.Pos == 0 {
		return f.Text
	}
	text := fmt.Sprintf("%s cannot be explored: %s", placeOf(l.program, f.Pos), f.Text)
	if !f.Limit {
		text += "; " + instead + ", and --skip leaves operations out"
	}
	if f.Limit && (strings.Contains(f.Text, "instruction") || strings.Contains(f.Text, "recursion")) {
		text += "; --max-steps raises this limit"
	}
	return text
}

// vacuous notes operations that were called but never returned: nothing is known of
// them. If none did, it says so.
func (p *problem) vacuous(r *Result) string {
	var never []string
	for i, op := range p.program.Ops {
		if p.called(i) && !p.shared.Answered(i) {
			never = append(never, op.GoName)
		}
	}
	if len(never) == len(p.program.Ops) {
		return "no operation returned: " + strings.Join(never, ", ")
	}
	r.NotModelled = append(p.notModelled(), p.shared.Notes()...)
	if fresh := slices.Sorted(maps.Keys(p.list.Fresh)); len(fresh) > 0 {
		r.NotModelled = append(r.NotModelled, "each "+strings.Join(fresh, " and ")+" has a value of its own")
	}
	if len(never) > 0 {
		r.NotModelled = append(r.NotModelled, strings.Join(never, " and ")+" never returned within these bounds, so its answers were not checked")
	}
	return ""
}

// called reports whether there are calls of an operation.
func (p *problem) called(op int) bool {
	return slices.ContainsFunc(p.list.Calls, func(c machine.Call) bool { return c.Op == op })
}

// enough reports whether the bounds are what is worth a verdict of its own: those that the
// mutants of common algorithms need.
func enough(held []Bounds) bool {
	return slices.ContainsFunc(held, Bounds{2, 2, 2}.within) || slices.ContainsFunc(held, Bounds{3, 1, 2}.within)
}

func (l *loaded) result() *Result {
	r := &Result{Package: l.pkg.Path, Type: l.pkg.Type, Made: l.pkg.Made, Against: l.against(), Notes: l.pkg.Notes, all: l.All, states: map[Bounds]int64{}}
	r.NotModelled, r.Policy = l.notModelled(), l.program.Policy != nil
	r.Notes = append(r.Notes[:len(r.Notes):len(r.Notes)], l.directives()...)
	return r
}

// notModelled says what no verdict speaks of.
func (l *loaded) notModelled() []string {
	all := append([]string{"memory is never reused by the collector"}, l.program.Notes...)
	if len(l.Loose) > 0 {
		all = append(all, "answers of "+strings.Join(l.Loose, " and ")+" count only where nothing overlaps")
	}
	if l.calmed {
		all = append(all, "callbacks do not panic, which would end the program")
	}
	if len(l.left) > 0 {
		was := map[bool]string{true: "was", false: "were"}[len(l.left) == 1]
		all = append(all, strings.Join(l.left, " and ")+" cannot be explored, and "+was+" left out")
	}
	return all
}

// cut is the result of a run that ended within the preparations for bounds.
func (l *loaded) cut(ctx context.Context, r *Result, b Bounds, err error) (*Result, error) {
	var fault *machine.Fault
	if errors.As(err, &fault) && fault.Kind == machine.NotCovered {
		r.Verdict, r.Bounds, r.Why = Incomplete, b, l.beyond(fault)
		return r, nil
	}
	if ctx.Err() == nil || len(r.Held) == 0 {
		return nil, l.refuse(err)
	}
	r.Bounds, r.States, r.Why = b, 0, why(ctx, err)
	if !enough(r.Held) || interrupted(ctx) {
		r.Verdict = Incomplete
	}
	return r, nil
}

// refuse makes errors about the package and its specification a Refused.
func (l *loaded) refuse(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var fault *machine.Fault
	var already *Refused
	switch {
	case errors.As(err, &already):
		return err
	case errors.As(err, &fault) && fault.Kind == machine.NotCovered && !fault.Limit:
		return l.refusedAt(l.uncovered(fault))
	case fault != nil:
		err = fmt.Errorf("%w, at %s", err, placeOf(l.program, fault.Pos))
	}
	return refused(l.pkg.Path, err)
}

// interrupted reports whether somebody wanted an end, rather than time.
func interrupted(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }

// why says what ended a run, in words.
func why(ctx context.Context, err error) string {
	switch {
	case errors.Is(err, search.ErrMemory):
		return "memory ran out"
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return "time ran out"
	case interrupted(ctx):
		return "it was interrupted"
	case ctx.Err() != nil:
		return context.Cause(ctx).Error()
	}
	return err.Error()
}

// verdictOf is the verdict that a finding is.
func verdictOf(f *search.Finding) Verdict {
	switch {
	case f.Kind == search.NotLinearizable:
		return Violated
	case f.Kind == search.Deadlock, f.Kind == search.Stuck:
		return Deadlocked
	case f.Kind == search.Livelock, f.Kind == search.Spins:
		return Livelocked
	case f.Fault != nil && f.Fault.Kind == machine.Race:
		return Racy
	}
	return Faulty
}
