package refine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// Check decides refinement ("Runtime refinement checking"): whether the
// operations, in the order of their commits, are a run of the specification with
// the recorded results (§4), and with Options.View also whether the view of the
// implementation, rebuilt from the recorded writes and locks, equals the
// specification's view at every commit (§5). Commits whose brackets overlap are
// tried in every order that the log allows.
//
// The result is Linearizable if there is such a run. It is a Violation only if
// there is none, and then Blame says whether calls and returns can be explained
// in another way. A *record.UseError means that the log was recorded wrongly or
// that the specification panics. Without brackets the time is linear in the log;
// comparing views takes time in proportion to what changed.
func Check[S any](ctx context.Context, l *record.Log, spec Spec[S], o Options) (Result, error) {
	s, err := newSetup(spec, o, tape.Of(l).Names)
	if err != nil {
		return Result{}, err
	}
	f, err := newFeed(ctx, s, tape.Of(l).Process)
	if err != nil {
		return Result{}, err
	}
	wrong := f.log(ctx, tape.Of(l))
	r, err := f.conclude(endOf(l), wrong)
	if err != nil || r.Verdict != check.Violation || o.NoTriage {
		return r, err
	}
	return triage(ctx, until(tape.Of(l), wrong), s, r), nil
}

// CheckLinearizable decides whether calls and returns alone are linearizable:
// commits, writes and locks in the log are ignored, and every operation may
// take effect at any moment between its call and its return. It takes time
// exponential in the overlap at worst.
func CheckLinearizable[S any](ctx context.Context, l *record.Log, spec Spec[S], o Options) (Result, error) {
	o.View = nil
	s, err := newSetup(spec, o, tape.Of(l).Names)
	if err != nil {
		return Result{}, err
	}
	f, err := wide(ctx, tape.Of(l), s)
	if f == nil {
		return Result{}, err
	}
	return f.conclude(endOf(l), err)
}

// conclude is the verdict on a log, or what there is of it before an error: a
// violation that was found stays one.
func (f *feed[S]) conclude(at ending, err error) (Result, error) {
	r := at.qualify(f.verdict())
	if err == nil {
		return r, nil
	}
	if r.Verdict != check.Violation {
		return Result{}, err
	}
	r.add("what came later was not checked: " + reason(err))
	return r, nil
}

// reason is an error within a sentence.
func reason(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "record: "), "refine: ")
}

// log feeds a whole log, or as much of it as there is time for.
func (f *feed[S]) log(ctx context.Context, t *tape.Tape) error {
	n := 0
	err := t.Each(func(es []tape.Entry) error {
		if n++; n%pollEvery == 1 && ctx.Err() != nil && f.s.limit == "" {
			f.s.limit = stopped(ctx)
		}
		return f.push(es)
	})
	if err != nil {
		return err
	}
	return f.end()
}

// until is the log before a mistake in recording.
func until(t *tape.Tape, wrong error) *tape.Tape {
	var u *record.UseError
	if !errors.As(wrong, &u) || u.Entry == 0 {
		return t
	}
	n, _ := slices.BinarySearchFunc(t.Entries, u.Entry, func(e tape.Entry, seq uint64) int { return cmp.Compare(e.Seq, seq) })
	before := *t
	before.Entries = t.Entries[:n]
	return &before
}

// ending is how a log ends.
type ending struct {
	dropped bool
	why     error // entries were dropped, if not for lack of room
	missing uint64
	cut     bool
}

func endOf(l *record.Log) ending { return ending{dropped: l.Dropped, missing: l.Missing, cut: l.Cut} }

// qualify says what is missing of the log. A violation stays one, whatever came
// after it; nothing else is known then.
func (at ending) qualify(r Result) Result {
	missing := at.String()
	if missing == "" && r.Calls == 0 {
		missing = "no operation was recorded"
	}
	if missing == "" {
		return r
	}
	if r.Verdict == check.Linearizable {
		r.Verdict = check.Inconclusive
		r.add("no violation in what is there")
	}
	r.add(missing)
	return r
}

// String says in a clause what is missing at the end of the log, or nothing.
func (at ending) String() string {
	switch {
	case at.why != nil:
		return "entries were dropped: " + reason(at.why)
	case at.dropped:
		return "entries were dropped"
	case at.missing > 0:
		return fmt.Sprintf("the log's tail is missing, at least %d of its entries: an operation still ran,"+
			" or a write outside of operations was not published, or two goroutines used one Handle", at.missing)
	case at.cut:
		return "the log was not closed: its tail is missing"
	}
	return ""
}

func (r *Result) add(detail string) {
	if r.Detail != "" {
		r.Detail += "; "
	}
	r.Detail += detail
}

// triage finds out what a violation is due to.
func triage[S any](ctx context.Context, t *tape.Tape, s *setup[S], r Result) Result {
	verdict, err := judge(ctx, t, s)
	r.Blame = Unknown
	switch {
	case err != nil:
		r.add("whether calls and returns are linearizable was not decided: " + reason(err))
	case verdict == check.Violation:
		r.Blame = Implementation
	case verdict != check.Linearizable:
		r.add("whether calls and returns are linearizable could not be decided")
	case !r.View:
		r.Blame = Annotation
	default:
		explain(ctx, t, s, &r)
	}
	return r
}

// explain finds out whether some order of the operations explains the views as
// well as the results.
func explain[S any](ctx context.Context, t *tape.Tape, s *setup[S], r *Result) {
	f, err := wide(ctx, t, s)
	if err != nil {
		r.add("whether some order explains the views was not decided: " + reason(err))
		return
	}
	switch verdict := f.verdict().Verdict; {
	case verdict == check.Violation:
		r.Blame = State
	case verdict != check.Linearizable:
		r.add("whether some order explains the views could not be decided")
	case f.s.m.compared < r.Entry:
		r.add("whether the views agree again is not known: some operation runs at every moment from there to the log's end")
	default:
		r.Blame = Annotation
	}
}

// judge decides whether the calls and returns that are there are linearizable.
func judge[S any](ctx context.Context, t *tape.Tape, s *setup[S]) (check.Verdict, error) {
	if s.Judge != nil {
		e, err := t.Execution()
		if err != nil {
			return "", err
		}
		return s.Judge(ctx, e)
	}
	results := *s
	results.View = nil
	f, err := wide(ctx, t, &results)
	if err != nil {
		return "", err
	}
	return f.verdict().Verdict, nil
}

// wide looks for an order of the operations that explains calls and returns
// alone; with a View, one such that views are equal whenever no operation runs.
func wide[S any](ctx context.Context, t *tape.Tape, s *setup[S]) (*feed[S], error) {
	all := *s
	all.wide = true
	f, err := newFeed(ctx, &all, t.Process)
	if err != nil {
		return nil, err
	}
	return f, f.log(ctx, t)
}
