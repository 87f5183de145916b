package record

import (
	"context"
	"fmt"

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
	if err := f.log(ctx, l); err != nil {
		return Result{}, err
	}
	r := l.qualify(f.verdict())
	if r.Verdict != check.Violation || c.NoTriage {
		return r, nil
	}
	return triage(ctx, l, c, r, f.probe != nil && f.probe.agreed)
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

// qualify says what is missing of the log.
func (l *Log) qualify(r Result) Result {
	switch {
	case l.Dropped:
		if r.Verdict == check.Linearizable {
			r.Verdict = check.Inconclusive
		}
		r.add("entries were dropped; what was checked is the log before that")
	case l.Missing > 0:
		r.add(fmt.Sprintf("the log's tail is missing, at least %d entries; what was checked is the log before that", l.Missing))
	case l.Cut:
		r.add("the log was not closed: its tail is missing; what was checked is the log before that")
	}
	return r
}

func (r *Result) add(detail string) {
	if r.Detail != "" {
		r.Detail += "; "
	}
	r.Detail += detail
}

// triage finds out what a violation is due to.
func triage[S any](ctx context.Context, l *Log, c *Config[S], r Result, agreed bool) (Result, error) {
	verdict, err := judge(ctx, l, c)
	if err != nil {
		return Result{}, fmt.Errorf("record: judging a violation: %w", err)
	}
	switch {
	case verdict == check.Violation:
		r.Blame = Implementation
	case verdict != check.Linearizable:
		r.Blame = Unknown
		r.add("whether calls and returns are linearizable could not be decided")
	case r.Diff == nil || agreed:
		r.Blame = Annotation
	default:
		r.Blame = State
	}
	return r, nil
}

// judge decides whether the log's calls and returns are linearizable.
func judge[S any](ctx context.Context, l *Log, c *Config[S]) (check.Verdict, error) {
	if c.Judge != nil {
		e, err := l.Execution()
		if err != nil {
			return "", err
		}
		return c.Judge(ctx, e)
	}
	r, err := CheckLinearizable(ctx, l, *c)
	return r.Verdict, err
}

// CheckLinearizable decides whether calls and returns alone are linearizable:
// commits, writes and locks in the log are ignored, and every operation may
// take effect at any moment between its call and its return. It takes time
// exponential in the overlap at worst.
func CheckLinearizable[S any](ctx context.Context, l *Log, c Config[S]) (Result, error) {
	s, err := c.setup(l.names, false)
	if err != nil {
		return Result{}, err
	}
	s.wide = true
	f, err := newFeed(ctx, s, l.process, c.limit())
	if err != nil {
		return Result{}, err
	}
	if err := f.log(ctx, l); err != nil {
		return Result{}, err
	}
	return l.qualify(f.verdict()), nil
}
