package explore

import (
	"context"
	"fmt"
	"time"

	"github.com/adtinfer/adtinfer/explore/internal/mutants"
)

// Mutant is a wrong version of a package: one comparison, condition, store, constant or lock
// is wrong.
type Mutant struct {
	File    string  `json:"file"`
	Line    int     `json:"line,omitempty"`
	Column  int     `json:"column,omitempty"`
	What    string  `json:"what"`
	Verdict Verdict `json:"verdict"` // Holds: nothing sees it
	Bounds  Bounds  `json:"bounds"`  // the least ones that see it, else those that were explored
	States  int64   `json:"states"`
}

// Place is where the mistake is.
func (m *Mutant) Place() string {
	if m.Line == 0 {
		return m.File
	}
	return fmt.Sprintf("%s:%d:%d", m.File, m.Line, m.Column)
}

// Mutants explores a package and, if it holds, wrong versions of it, each within bounds that grow
// up to those of the Options (two goroutines, two operations, two values where these
// are 0). All are held against what the package itself is. Which bounds see a mutant
// tells how strong they are; one that none sees may be as right as the package.
func Mutants(ctx context.Context, o Options) (*Result, []Mutant, error) {
	for _, n := range []*int{&o.Bounds.Threads, &o.Bounds.Operations, &o.Bounds.Values} {
		if *n == 0 {
			*n = 2
		}
	}
	most := o.Bounds
	o.report("loading the package", 0, time.Time{})
	l, err := load(ctx, &o)
	if err != nil {
		return nil, nil, err
	}
	r, err := l.grow(ctx, []Bounds{most})
	if err != nil || r.Verdict != Holds {
		return r, nil, err
	}
	var steps []Bounds
	for _, b := range growth(Bounds{}) {
		if b.within(most) && b != most {
			steps = append(steps, b)
		}
	}
	steps = append(steps, most)
	list := mutants.Of(l.own, mine)
	var all []Mutant
	for i, m := range list {
		if ctx.Err() != nil {
			break
		}
		own := *l
		own.program = m.Program(l.own)
		options := *l.Options
		own.Options = &options
		options.Progress = func(p Progress) {
			if o.Progress != nil {
				p.Doing = fmt.Sprintf("mutant %d of %d, %s", i+1, len(list), p.Doing)
				o.Progress(p)
			}
		}
		all = append(all, own.mutant(ctx, m, steps, r.States))
	}
	return r, all, nil
}

// mutant explores one, with at most so many times the states that the package has.
func (l *loaded) mutant(ctx context.Context, m *mutants.Mutant, steps []Bounds, states int64) Mutant {
	const times, least = 20, 200_000
	out := Mutant{File: m.Pos.File, Line: m.Pos.Line, Column: m.Pos.Col, What: m.What, Verdict: Holds}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	told := l.Progress
	l.Progress = func(p Progress) {
		if p.States > max(times*states, least) {
			cancel()
		}
		told(p)
	}
	for _, b := range steps {
		r, err := l.grow(ctx, []Bounds{b})
		out.Bounds = b
		switch {
		case err != nil && ctx.Err() == nil: // the constructor, or an operation by itself, fails
			out.Verdict = Faulty
			return out
		case err != nil:
			out.Verdict = Incomplete
			return out
		}
		if out.Verdict, out.States = r.Verdict, r.States; out.Verdict != Holds {
			return out
		}
	}
	return out
}
