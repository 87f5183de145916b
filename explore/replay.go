package explore

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/adtinfer/adtinfer/explore/internal/linear"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/search"
	"github.com/adtinfer/adtinfer/explore/internal/trace"
)

// Replay repeats the run of a counterexample, or the interleaving that a failure of adttest came with, from its replay
// string, and explores nothing else. A string of another program, or of another version of the explorer, is
// refused.
func Replay(ctx context.Context, o Options, replay string) (*Result, error) {
	if trace.IsScenario(replay) {
		return replayScenario(ctx, o, replay)
	}
	rec, err := trace.Parse(replay)
	if err != nil {
		return nil, refused(o.Dir, err)
	}
	o.report("loading the package", 0, time.Time{})
	l, err := load(ctx, &o)
	if err != nil {
		return nil, err
	}
	b := Bounds{rec.Bounds[0], rec.Bounds[1], rec.Bounds[2]}
	prepare := (*loaded).problem
	if b.Operations == 0 { // calls came one at a time
		prepare = (*loaded).oneAtATime
	}
	a, err := l.alone(ctx) // which operations there are
	if err != nil {
		return nil, l.refuse(err)
	}
	p, err := prepare(l, ctx, b)
	if err == nil && p.hash != rec.Program && l.calm() {
		p, err = prepare(l, ctx, b)
	}
	if err != nil {
		return nil, l.refuse(err)
	}
	if p.hash != rec.Program && l.Policy { // the algorithm is wrong, not the policy
		if p, err = prepare(l.withoutPolicy(), ctx, p.bounds); err != nil {
			return nil, l.refuse(err)
		}
	}
	if p.hash != rec.Program {
		return nil, refused(l.pkg.Path, errOtherProgram)
	}
	if err := p.shared.Assume(rec.Written); err != nil {
		return nil, refused(l.pkg.Path, err)
	}
	f, err := p.find(rec)
	if err != nil {
		return nil, l.refuse(err)
	}
	r := l.result()
	r.Bounds = p.bounds
	r.Alone = []string{a.operations()}
	r.Verdict, r.Counterexample, err = p.counterexample(f)
	return r, err
}

var errOtherProgram = errors.New("the replay string belongs to another program: another version of the source, or another package, type, constructor or theory")

var errNothing = errors.New("the run no longer shows a problem: what it is checked against has changed")

// find is the finding to which a record leads.
func (p *problem) find(rec *trace.Record) (*search.Finding, error) {
	n := len(rec.Moves) - rec.Cycle
	f := &search.Finding{Kind: search.Kind(rec.Kind), Path: rec.Moves[:n], Cycle: rec.Moves[n:], Lost: rec.Lost}
	form, set, err := p.follow(f)
	for errors.Is(err, machine.ErrAgain) {
		p.shared.Again()
		form, set, err = p.follow(f)
	}
	switch {
	case err != nil:
		return nil, err
	case f.Kind == search.NotLinearizable && set != linear.None, f.Kind == search.Faulty && f.Fault == nil:
		return nil, errNothing
	case f.Kind >= search.Stuck && f.Kind <= search.Leak:
		f.Threads = []int{f.Lost}
	case f.Kind == search.Deadlock:
		status := p.shared.Machine().Status(form)
		for t, left := range status.Left {
			if left > 0 || slices.Contains(status.Running, t) {
				f.Threads = append(f.Threads, t)
			}
		}
	}
	return f, nil
}

// follow makes the moves of a path, up to its fault if it has one.
func (p *problem) follow(f *search.Finding) (form []byte, set int32, err error) {
	m := p.shared.Machine()
	if form = p.shared.Start(); p.sets != nil {
		set = p.sets.Start()
	}
	for i, move := range f.Path {
		if move.Thread == machine.Collects {
			form, _, _ = m.Collect(form)
			if form == nil {
				return nil, 0, errNothing
			}
			continue
		}
		var fault *machine.Fault
		var next []byte
		err := m.Expand(form, func(s *machine.Step) (err error) {
			switch {
			case s.Fault != nil && (s.Fault.Kind == machine.Race || same(s, move)):
				if fault == nil || fault.Kind != machine.Race { // the first race is the finding
					f := *s.Fault
					fault = &f
				}
			case same(s, move):
				next = slices.Clone(s.Next)
				set, err = p.after(set, s)
			}
			return err
		})
		switch last := i == len(f.Path)-1; {
		case err != nil:
			return nil, 0, err
		case last && fault != nil && f.Kind == search.Faulty:
			f.Fault = fault
		case next == nil:
			return nil, 0, errNothing
		}
		form = next
	}
	return form, set, nil
}

// after is what becomes of a set at a step.
func (p *problem) after(set int32, s *machine.Step) (next int32, err error) {
	if set == linear.None || p.sets == nil {
		return set, nil
	}
	if s.Call >= 0 {
		if set, err = (sets{p}).Call(set, s.Thread, s.Call); err != nil {
			return 0, err
		}
	}
	for _, a := range s.Announced {
		answer, err := p.answer(a.Answer)
		if err != nil {
			return 0, err
		}
		if set, err = (sets{p}).Announce(set, a.Thread, answer); err != nil || set == linear.None {
			return set, err
		}
	}
	if s.Answer >= 0 {
		answer, err := p.answer(s.Answer)
		if err != nil {
			return 0, err
		}
		if set, err = (sets{p}).Return(set, s.Thread, answer); err != nil || set == linear.None {
			return set, err
		}
	}
	return p.sets.Permute(set, s.Perm), nil
}

func same(s *machine.Step, m machine.Move) bool {
	return s.Thread == m.Thread && s.Call == m.Call && slices.Equal(s.Choices, m.Choices)
}
