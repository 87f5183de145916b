package check_test

import (
	"context"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/theory"
)

type (
	checking = checktest.Engine
	by       = checktest.By
	oracle   = checktest.Oracle
)

func allEngines() []checking { return checktest.All() }

func ready(tb testing.TB, engine checking, th *theory.Theory) checktest.Ready {
	tb.Helper()
	return checktest.Prepare(tb, engine, th)
}

// logBatch checks logs, with bounds that may be changed between them.
type logBatch struct {
	tb           testing.TB
	th           *theory.Theory
	o            check.Options
	keep, direct int
	made         map[[2]int]*check.Checker
}

func batchOf(tb testing.TB, t *theory.Theory, e checking) *logBatch {
	tb.Helper()
	return &logBatch{tb: tb, th: t, o: check.Options(e.(by)), made: map[[2]int]*check.Checker{}}
}

// Keep bounds the events that Follow keeps; Direct sets the number of operations
// from which on logs are decided in one go with reading them.
func (b *logBatch) Keep(n int)     { b.keep = n }
func (b *logBatch) Direct(ops int) { b.direct = ops }

func (b *logBatch) checker() *check.Checker {
	b.tb.Helper()
	c := b.made[[2]int{b.keep, b.direct}]
	if c == nil {
		var err error
		if c, err = check.New(b.th, check.ForTests(b.o, b.keep, b.direct)); err != nil {
			b.tb.Fatal(err)
		}
		b.made[[2]int{b.keep, b.direct}] = c
	}
	return c
}

func (b *logBatch) Run(ctx context.Context, sources []check.Source, each func(check.Report)) error {
	return (&check.Batch{Checker: b.checker(), Parallel: 1}).Run(ctx, slices.Values(sources), each)
}

func (b *logBatch) Follow(ctx context.Context, s check.Source, p *check.Progress) check.Report {
	return b.checker().Follow(ctx, s, p)
}

func (b *logBatch) CanFollow(ctx context.Context) error { return b.checker().CanFollow(ctx) }

// explanations is Explain of a new checker.
func explanations(ctx context.Context, t *theory.Theory, e *history.Execution, r check.Result) (*check.Explanation, error) {
	c, err := check.New(t, check.Options{})
	if err != nil {
		return nil, err
	}
	return c.Explain(ctx, e, r)
}

func whole(e checking) checking {
	if b, ok := e.(by); ok {
		b.Whole = true
		return b
	}
	return e
}
