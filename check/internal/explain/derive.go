package explain

import (
	"context"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics/instance"
	"github.com/adtinfer/adtinfer/theory"
)

// Where many operations are pending, derivations would be long, if there are any: with more of them than
// these, or more ways to place them in patterns, none is looked for. maxLooks bounds how often
// a clause is looked at: derivations of minimal violations take some ten thousand looks at most.
const (
	maxPending = 200
	maxPlaced  = 4_000_000
	maxLooks   = 2_000_000
	placing    = 20 // what it takes to look at operations in all places of a pattern
)

// None is the error of operations from which no contradiction was found, in as
// many tries as are worth while.
type None struct {
	Ops  int
	Many bool // that is because so many are pending
}

func (n *None) Error() string {
	if n.Many {
		return fmt.Sprintf("derive: these %d operations, with the pending ones that may match them, are too many for a derivation", n.Ops)
	}
	return fmt.Sprintf("derive: no contradiction was found from the patterns and these %d operations", n.Ops)
}

// Derive derives a contradiction from the operations with the given
// identifiers, and pending ones that may match them. The execution is what evidence
// will be about: its other operations play no part in patterns, but may belong to
// matches. The error is a *None, the
// context's, or about the theory (see instance.New) or what it does not speak of
// (see instance.Log.Outside).
func Derive(ctx context.Context, t *theory.Theory, e *history.Execution, ids []string) ([]evidence.Step, error) {
	l, err := instance.New(ctx, t, e)
	if err != nil {
		return nil, err
	}
	if err := l.Outside(t); err != nil {
		return nil, err
	}
	all, few := withPending(l, e, ids)
	if !few {
		return nil, &None{len(ids), true}
	}
	p := newProver(ctx, l, all)
	if p.collect(t); p.placed > maxPlaced {
		return nil, &None{len(ids), true}
	}
	for depth := 0; ; depth++ {
		c := p.refute(depth)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case c != nil:
			return p.steps(*c), nil
		case depth > p.open() || p.looks > maxLooks || len(p.clauses) == 0:
			return nil, &None{Ops: len(ids)}
		}
	}
}

// withPending adds the pending operations that may match one of those given, or
// one another that was added, or be their match target. It is false if these are too many.
func withPending(l *instance.Log, e *history.Execution, ids []string) (all []string, few bool) {
	all = slices.Clone(ids)
	in := map[string]bool{}
	for _, id := range ids {
		in[id] = true
	}
	var others []string
	pending := 0
	for k := range e.Ops {
		switch o := &e.Ops[k]; {
		case o.Completed():
		case in[o.ID]:
			pending++
		default:
			others = append(others, o.ID)
		}
	}
	for i := 0; i < len(all); i++ {
		for _, id := range others {
			if pending > maxPending {
				return nil, false
			}
			if !in[id] && (joins(l, id, all[i]) || joins(l, all[i], id)) {
				all, in[id] = append(all, id), true
				pending++
			}
		}
	}
	return all, pending <= maxPending
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
