package derive

import (
	"context"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/instance"
	"github.com/adtinfer/adtinfer/theory"
)

// maxTries bounds the suppositions tried. Those of minimal violations take some
// hundred at most.
const maxTries = 200_000

// None is the error of operations from which no contradiction was found, in as
// many tries as are worth while.
type None struct{ Ops int }

func (n *None) Error() string {
	return fmt.Sprintf("derive: no contradiction was found from the patterns and these %d operations", n.Ops)
}

// Violation derives a contradiction from the operations with the given
// identifiers, and pending ones that may match them. The execution is what evidence
// will be about: its other operations play no part in patterns, but may belong to
// matches. The error is a *None, the
// context's, or about the theory (see instance.New) or what it does not speak of
// (see instance.Log.Outside).
func Violation(ctx context.Context, t *theory.Theory, e *history.Execution, ids []string) ([]evidence.Step, error) {
	l, err := instance.New(ctx, t, e)
	if err != nil {
		return nil, err
	}
	if err := l.Outside(t); err != nil {
		return nil, err
	}
	p := newProver(ctx, l, withPending(l, e, ids))
	p.collect(t)
	for depth := 0; ; depth++ {
		c := p.refute(depth)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case c != nil:
			return p.steps(*c), nil
		case depth > p.open() || p.tries > maxTries || len(p.clauses) == 0:
			return nil, &None{len(ids)}
		}
	}
}

// withPending adds the pending operations that may match one of those given, or
// one another that was added, or be their match target.
func withPending(l *instance.Log, e *history.Execution, ids []string) []string {
	ids = slices.Clone(ids)
	for i := 0; i < len(ids); i++ {
		for k := range e.Ops {
			if o := &e.Ops[k]; !o.Completed() && !slices.Contains(ids, o.ID) && (joins(l, o.ID, ids[i]) || joins(l, ids[i], o.ID)) {
				ids = append(ids, o.ID)
			}
		}
	}
	return ids
}

func joins(l *instance.Log, a, b string) bool {
	for _, ka := range l.Kinds(a) {
		for _, kb := range l.Kinds(b) {
			if l.Joins(a, ka.Outcome, b, kb.Outcome) {
				return true
			}
		}
	}
	return false
}
