package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/linear"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/search"
	"github.com/adtinfer/adtinfer/history"
)

// directed reports whether a program has directives.
func directed(p *ir.Program) bool {
	return p.Policy != nil && (len(p.Policy.Invariants) > 0 || slices.ContainsFunc(p.Funcs, func(f *ir.Func) bool {
		return f != nil && slices.ContainsFunc(f.Code, func(in ir.Instr) bool { return in.Op == ir.Ghost && in.M == ir.GhostAnnounce })
	}))
}

// directives lists what is to be known of the package's directives.
func (l *loaded) directives() (notes []string) {
	switch {
	case l.own.Policy == nil && l.pkg.Directed():
		return []string{"the package declares a linearization policy by directives (//lin:), which are ignored here; --policy checks it"}
	case l.own.Policy == nil:
		return nil
	}
	for _, x := range l.pkg.Policy.Lint {
		notes = append(notes, x.String())
	}
	return notes
}

// loose lists directives that did nothing within the bounds, and those that take effect where others see
// nothing.
func (p *problem) loose() (notes []string) {
	never, loose := p.shared.Directives()
	for _, pos := range p.sorted(never) {
		notes = append(notes, p.at(pos)+": this directive was never reached within these bounds")
	}
	for _, pos := range p.sorted(loose) {
		notes = append(notes, p.at(pos)+": no synchronization comes before this directive in its step, or what was read is never written: it takes effect at the call, or with what comes next")
	}
	return notes
}

// sorted sorts places by file and line.
func (p *problem) sorted(places []int32) []int32 {
	slices.SortFunc(places, func(a, b int32) int {
		x, y := p.program.Positions[a], p.program.Positions[b]
		return cmp.Or(strings.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Col, y.Col))
	})
	return places
}

// withoutPolicy is the package, to be explored with directives that are comments.
func (l *loaded) withoutPolicy() *loaded {
	own, options := *l, *l.Options
	options.Policy, options.Checkpoint, options.Resume = false, "", ""
	own.Options, own.runner = &options, nil
	own.program = l.program.WithoutPolicy()
	if own.own = own.program; l.own != l.program {
		own.own = l.own.WithoutPolicy()
	}
	return &own
}

// verdict is the verdict that a finding is. With a policy it may be that the history is linearizable:
// then the policy is wrong, unless decide finds another run that is not. Races, and what else the
// machine finds wrong, come from the code.
func (p *problem) verdict(f *search.Finding, events []machine.Event) (Verdict, error) {
	if p.monitor == nil || f.Kind == search.Faulty && f.Fault.Kind != machine.Unsound {
		return verdictOf(f), nil
	}
	ok, err := p.linearizable(events)
	if ok {
		return WrongPolicy, err
	}
	return Violated, err
}

// decide tells a wrong policy from a wrong algorithm: it explores the same bounds without the
// policy. A finding there takes the place of the policy's.
func (l *loaded) decide(ctx context.Context, r *Result) error {
	p, err := l.withoutPolicy().problem(ctx, r.Bounds)
	var found *search.Result
	if err == nil {
		found, err = p.search(ctx)
	}
	c := r.Counterexample
	switch {
	case err != nil && ctx.Err() == nil:
		return l.refuse(err)
	case err != nil:
		c.What += "; it was not decided whether the algorithm is right: " + why(ctx, err)
	case found.Finding != nil:
		r.Verdict, r.Counterexample, err = p.counterexample(found.Finding)
		return err
	case found.Complete && found.NotCovered == nil:
		c.What += "; the algorithm is right"
	default:
		c.What += "; it was not decided whether the algorithm is right: " + why(ctx, found.Why)
	}
	return nil
}

// returns is what becomes of a set at a return. An operation that panics takes effect then, unless it was
// announced.
func (p *problem) returns(set int32, thread int, answer int32) (int32, error) {
	next, err := p.sets.Return(set, thread, answer)
	if err != nil || next != linear.None || p.monitor == nil || p.monitor.Refusal().Rule != linear.Unannounced || p.answers.Answer(answer).Outcome != history.Panic {
		return next, err
	}
	if next, err = p.monitor.Announce(set, thread, answer); err != nil || next == linear.NoState {
		return linear.NoState, err
	}
	return p.monitor.Return(next, thread, answer)
}

// linearizable reports whether the history of a run is.
func (p *problem) linearizable(events []machine.Event) (bool, error) {
	for {
		sets := p.newSets()
		set, err := sets.Start(), error(nil)
		for _, e := range events {
			switch e.Kind {
			case machine.CallEvent:
				set, err = sets.Call(set, e.Thread, e.Call)
			case machine.ReturnEvent:
				var answer int32
				if answer, err = p.answer(e.Answer); err == nil {
					set, err = sets.Return(set, e.Thread, answer)
				}
			}
			if err != nil || set == linear.None {
				break
			}
		}
		if !errors.Is(err, machine.ErrAgain) {
			return set != linear.None, err
		}
		_ = p.again(err)
	}
}

// policyWrong says what is wrong with a policy, and which event it is, with a note.
func (p *problem) policyWrong(f *search.Finding, events, last []machine.Event) (what string, at int, note string, err error) {
	const wrong = "the policy is wrong: "
	switch {
	case f.Kind == search.NotLinearizable:
		at, what, note, err = p.refused(events)
		return wrong + what, at, note, err
	case f.Kind == search.Faulty:
		return fmt.Sprintf("%s%s, at %s", wrong, f.Fault.Text, p.at(f.Fault.Pos)), -1, "", nil
	case f.Kind == search.Deadlock:
		return wrong + "an operation waits although it was announced, or must not wait: " + p.waiting(last), -1, "", nil
	}
	return fmt.Sprintf("%safter step %d, an operation that was announced, or must not wait, can never return", wrong, f.Lost), -1, "", nil
}

// refused says which event of a run the monitor refuses, why, and a note for its line; -1 if it
// refuses none.
func (p *problem) refused(events []machine.Event) (at int, why, note string, err error) {
	set, operations := p.monitor.Start(), map[int]*operation{}
	for i, e := range events {
		if e.Kind == machine.CallEvent {
			operations[e.Thread] = &operation{call: e.Call}
			if set, err = p.monitor.Call(set, e.Thread, e.Call); err != nil {
				return -1, "", "", err
			}
		}
		if e.Kind != machine.AnnounceEvent && e.Kind != machine.ReturnEvent {
			continue
		}
		answer, err := p.answer(e.Answer)
		if err != nil {
			return -1, "", "", err
		}
		move := p.monitor.Announce
		if e.Kind == machine.ReturnEvent {
			move = p.returns
		}
		next, err := move(set, e.Thread, answer)
		if err != nil {
			return -1, "", "", err
		}
		if next == linear.NoState {
			reason, note := p.reason(p.monitor.Refusal(), operations[e.Thread], e)
			return i, reason, note, nil
		}
		if set = next; e.Kind == machine.AnnounceEvent {
			operations[e.Thread].announced = e
		}
	}
	return -1, "", "", nil
}

// operation is one that runs: its call, and how it was announced the last time.
type operation struct {
	call      int32
	announced machine.Event
}

// reason is why an event was refused, in words, and a note for its line.
func (p *problem) reason(r linear.Reason, o *operation, e machine.Event) (why, note string) {
	if o == nil {
		return "an operation that is not running is announced, at " + p.at(e.Pos), ""
	}
	who, before := fmt.Sprintf("%s of goroutine %d", p.label(o.call, e.Answer), e.Thread+1), o.announced
	switch r.Rule {
	case linear.Misplaced:
		if e.Kind == machine.ReturnEvent {
			return who + " comes where it cannot take effect", ""
		}
		answers, err := p.observer.Answers(r.State, r.Call)
		if err == nil {
			note = p.instead(p.list.Labels[r.Call], answers)
		}
		return fmt.Sprintf("%s is announced at %s, where it cannot take effect", who, p.at(e.Pos)), note
	case linear.Again:
		why = fmt.Sprintf("%s is announced at %s, but %s took effect when it was announced at %s", who, p.at(e.Pos), p.label(o.call, before.Answer), p.at(before.Pos))
		return why, "   <- it has taken effect"
	case linear.Otherwise:
		other := p.label(o.call, before.Answer)
		return fmt.Sprintf("%s returns, but %s was announced at %s", who, other, p.at(before.Pos)), fmt.Sprintf("   <- %s was announced", other)
	}
	return who + " returns, but was never announced", "   <- it was never announced"
}
