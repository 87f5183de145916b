package explore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/mutants"
	"github.com/adtinfer/adtinfer/explore/internal/search"
)

// TwoWays is what becomes of a mutant that is explored for any number of goroutines, and
// within bounds.
type TwoWays struct {
	Place, What string
	Any         *Result
	Refuted     bool // within Bounds, with the policy: that operations wait does not count
	Bounds      Bounds
	Why         string
	Unknown     int // bounds that were not explored to their ends
}

// MutantsTwoWays explores mutants of a package that pick picks: for any number of goroutines, for so
// long, and within bounds with at most as many values, if that proves them, or always. Nothing is
// decided without the policy.
func MutantsTwoWays(ctx context.Context, o Options, limit time.Duration, all []Bounds, always bool, pick func(i, of int) bool, yield func(TwoWays)) error {
	l, err := load(ctx, &o)
	if err != nil {
		return err
	}
	list := mutants.Of(l.own, mine)
	for i, m := range list {
		if !pick(i, len(list)) {
			continue
		}
		x := TwoWays{Place: fmt.Sprintf("%s:%d:%d", m.Pos.File, m.Pos.Line, m.Pos.Col), What: m.What}
		own := *l
		own.program = m.Program(l.own)
		within, cancel := context.WithTimeout(ctx, limit)
		x.Any, err = own.prove(within)
		cancel()
		if err != nil {
			x.Any = &Result{Verdict: Incomplete, Why: err.Error()}
		}
		if x.Any.Verdict == Proved || always {
			options := *l.Options
			options.AnyThreads, options.Cap = false, 0
			own.Options = &options
			for _, b := range all {
				if b.Values > o.Bounds.Values || x.Refuted {
					continue
				}
				within, cancel := context.WithTimeout(ctx, 4*limit)
				f, complete := own.refutation(within, b)
				cancel()
				switch {
				case f == nil && !complete:
					x.Unknown++
				case f != nil && (f.Kind == search.NotLinearizable || f.Kind == search.Faulty):
					x.Refuted, x.Bounds, x.Why = true, b, f.Kind.String()
					if f.Fault != nil {
						x.Why += ": " + f.Fault.Text
					}
				}
			}
		}
		yield(x)
	}
	return nil
}

// refutation is what is found within bounds, with the policy.
func (l *loaded) refutation(ctx context.Context, b Bounds) (*search.Finding, bool) {
	p, err := l.problem(ctx, b)
	if err != nil {
		return nil, false
	}
	found, err := p.search(ctx)
	if err != nil {
		return nil, false
	}
	return found.Finding, found.Complete
}

// RandomPolicies explores a package with some of its directives, chosen by keep: within bounds and, if that
// proves it, for any number of goroutines.
func RandomPolicies(ctx context.Context, o Options, limit time.Duration, all []Bounds, n int, keep func(line int) bool, yield func(anyProved, refuted bool, which string)) error {
	l, err := load(ctx, &o)
	if err != nil {
		return err
	}
	for range n {
		own := *l
		var which string
		own.program, which = some(l.own, keep)
		within, cancel := context.WithTimeout(ctx, limit)
		r, err := own.prove(within)
		cancel()
		refuted := false
		options := *l.Options
		options.AnyThreads, options.Cap = false, 0
		own.Options = &options
		for _, b := range all {
			if refuted {
				break
			}
			f, _ := own.refutation(ctx, b)
			refuted = f != nil && (f.Kind == search.NotLinearizable || f.Kind == search.Faulty)
		}
		yield(err == nil && r.Verdict == Proved, refuted, which)
	}
	return nil
}

// some is a program with some of its directives and rules.
func some(p *ir.Program, keep func(line int) bool) (*ir.Program, string) {
	q := *p
	q.Funcs = slices.Clone(p.Funcs)
	which := ""
	rules := map[int]bool{}
	own := *p.Policy
	own.Rules = nil
	for i, r := range p.Policy.Rules {
		rules[r.If], rules[r.Do] = true, true
		if keep(p.Positions[r.Pos].Line) {
			own.Rules = append(own.Rules, r)
			which += fmt.Sprint(" rule ", i)
		}
	}
	q.Policy = &own
	kept := map[int32]bool{}
	for i, f := range p.Funcs {
		if f == nil || rules[i] {
			continue
		}
		g := *f
		g.Code = slices.Clone(f.Code)
		for at := 0; at < len(g.Code); at++ {
			in := &g.Code[at]
			if in.Op != ir.Ghost || in.M != ir.GhostBegin || in.Pos == 0 {
				continue
			}
			if _, known := kept[in.Pos]; !known {
				if kept[in.Pos] = keep(p.Positions[in.Pos].Line); kept[in.Pos] {
					which += fmt.Sprint(" line ", p.Positions[in.Pos].Line)
				}
			}
			if !kept[in.Pos] {
				end := at
				for g.Code[end].Op != ir.Ghost || g.Code[end].M != ir.GhostEnd {
					end++
				}
				*in = ir.Instr{Op: ir.Jump, To: int32(end), Pos: in.Pos}
				g.Code[end] = ir.Instr{Op: ir.Move, Pos: in.Pos}
			}
		}
		g.Finish()
		q.Funcs[i] = &g
	}
	return &q, which
}
