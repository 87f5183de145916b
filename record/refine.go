package record

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/check"
)

// CheckIO decides I/O refinement ("Runtime refinement checking" §4): whether
// the operations, in the order of their commits, are a run of the
// specification with the recorded results. Commits whose brackets overlap are
// tried in every order that the log allows.
//
// The result is Linearizable if there is such a run. It is a Violation only if
// there is none, and then Blame says whether calls and returns can be explained
// in another way. A *UseError means that the log was recorded wrongly or that
// the specification panics. Without brackets the time is linear in the log.
func CheckIO[S any](ctx context.Context, l *Log, c Config[S]) (Result, error) {
	return checkLog(ctx, l, &c, false)
}

// CheckView decides view refinement ("Runtime refinement checking" §5): beyond
// CheckIO, the view of the implementation, rebuilt from the recorded writes and
// locks, equals the specification's view at every commit. Comparing takes time
// in proportion to what changed.
func CheckView[S any](ctx context.Context, l *Log, c Config[S]) (Result, error) {
	return checkLog(ctx, l, &c, true)
}

func checkLog[S any](ctx context.Context, l *Log, c *Config[S], view bool) (Result, error) {
	s, err := c.setup(l.names, view)
	if err != nil {
		return Result{}, err
	}
	f, err := newFeed(ctx, s, l.process, c.limit())
	if err != nil {
		return Result{}, err
	}
	wrong := f.log(ctx, l)
	r, err := f.conclude(l, wrong)
	if err != nil || r.Verdict != check.Violation || c.NoTriage {
		return r, err
	}
	return triage(ctx, l.until(wrong), c, r), nil
}

// conclude is the verdict on a log, or what there is of it before an error: a
// violation that was found stays one.
func (f *feed[S]) conclude(l *Log, err error) (Result, error) {
	r := l.qualify(f.verdict())
	if err == nil {
		return r, nil
	}
	if r.Verdict != check.Violation {
		return Result{}, err
	}
	r.add("what came later was not checked: " + strings.TrimPrefix(err.Error(), "record: "))
	return r, nil
}

// log feeds a whole log, or as much of it as there is time for.
func (f *feed[S]) log(ctx context.Context, l *Log) error {
	n := 0
	err := l.each(func(es []entry) error {
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
func (l *Log) until(wrong error) *Log {
	var u *UseError
	if !errors.As(wrong, &u) || u.Entry == 0 {
		return l
	}
	n, _ := slices.BinarySearchFunc(l.entries, u.Entry, func(e entry, seq uint64) int { return cmp.Compare(e.seq, seq) })
	before := *l
	before.entries = l.entries[:n]
	return &before
}

// qualify says what is missing of the log. A violation stays one, whatever came
// after it; nothing else is known then.
func (l *Log) qualify(r Result) Result {
	missing := l.tail()
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

// tail says in a clause what is missing at the end of the log, or nothing.
func (l *Log) tail() string {
	switch {
	case l.Dropped && l.dropped != nil:
		return "entries were dropped: " + strings.TrimPrefix(l.dropped.Error(), "record: ")
	case l.Dropped:
		return "entries were dropped"
	case l.Missing > 0:
		return fmt.Sprintf("the log's tail is missing, at least %d of its entries: an operation still ran,"+
			" or a write outside of operations was not published, or two goroutines used one Handle", l.Missing)
	case l.Cut:
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
func triage[S any](ctx context.Context, l *Log, c *Config[S], r Result) Result {
	verdict, err := judge(ctx, l, c)
	r.Blame = Unknown
	switch {
	case err != nil:
		r.add("whether calls and returns are linearizable was not decided: " + strings.TrimPrefix(err.Error(), "record: "))
	case verdict == check.Violation:
		r.Blame = Implementation
	case verdict != check.Linearizable:
		r.add("whether calls and returns are linearizable could not be decided")
	case !r.View:
		r.Blame = Annotation
	default:
		explain(ctx, l, c, &r)
	}
	return r
}

// explain finds out whether some order of the operations explains the views as
// well as the results.
func explain[S any](ctx context.Context, l *Log, c *Config[S], r *Result) {
	f, err := wide(ctx, l, c, true)
	if err != nil {
		r.add("whether some order explains the views was not decided: " + strings.TrimPrefix(err.Error(), "record: "))
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
func judge[S any](ctx context.Context, l *Log, c *Config[S]) (check.Verdict, error) {
	if c.Judge != nil {
		e, err := l.Execution()
		if err != nil {
			return "", err
		}
		return c.Judge(ctx, e)
	}
	f, err := wide(ctx, l, c, false)
	if err != nil {
		return "", err
	}
	return f.verdict().Verdict, nil
}

// CheckLinearizable decides whether calls and returns alone are linearizable:
// commits, writes and locks in the log are ignored, and every operation may
// take effect at any moment between its call and its return. It takes time
// exponential in the overlap at worst.
func CheckLinearizable[S any](ctx context.Context, l *Log, c Config[S]) (Result, error) {
	f, err := wide(ctx, l, &c, false)
	if f == nil {
		return Result{}, err
	}
	return f.conclude(l, err)
}

// wide looks for an order of the operations that explains calls and returns
// alone; with views, one such that they are equal whenever no operation runs.
func wide[S any](ctx context.Context, l *Log, c *Config[S], view bool) (*feed[S], error) {
	s, err := c.setup(l.names, view)
	if err != nil {
		return nil, err
	}
	s.wide = true
	f, err := newFeed(ctx, s, l.process, c.limit())
	if err != nil {
		return nil, err
	}
	return f, f.log(ctx, l)
}
