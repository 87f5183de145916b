package mutants

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// directives lists what may be wrong with a part of a directive.
func directives(p *ir.Program, in *ir.Instr) []*Mutant {
	dropped := func(what string) []*Mutant { return []*Mutant{{What: what + " dropped", apply: replace(drop)}} }
	switch in.M {
	case ir.GhostAnnounce:
		return dropped("announcement of " + p.Ops[in.To].Method)
	case ir.GhostBroadcast:
		return nil // to drop a rule is the same, or finer
	case ir.GhostGoto:
		return dropped("goto " + p.Policy.States[in.To])
	case ir.GhostIn:
		return []*Mutant{{What: "state " + p.Policy.States[in.To] + " does not matter", apply: func(p *ir.Program, f *ir.Func, at int) {
			in := f.Code[at]
			f.Code[at] = ir.Instr{Op: ir.Move, Num: ir.Bool, Dst: in.Dst, A: constant(p, 1), N: 1, Pos: in.Pos}
		}}}
	case ir.GhostOwn:
		return dropped("own")
	case ir.GhostAssume:
		return dropped("assume " + p.Policy.Guesses[in.To])
	}
	return nil
}

// rules lists what may be wrong with the rules of a policy.
func rules(p *ir.Program) (all []*Mutant) {
	if p.Policy == nil {
		return nil
	}
	for i, r := range p.Policy.Rules {
		change := func(what string, do func(*ir.Policy)) {
			all = append(all, &Mutant{Pos: p.Positions[r.Pos], Func: p.Ops[r.Op].GoName, What: what, also: func(q *ir.Program) {
				own := *q.Policy
				own.Rules = slices.Clone(own.Rules)
				do(&own)
				q.Policy = &own
			}})
		}
		name := fmt.Sprintf("rule for %s", p.Policy.Messages[r.Message])
		change(name+" dropped", func(own *ir.Policy) { own.Rules = slices.Delete(own.Rules, i, i+1) })
		words := [...]string{"before becomes after", "after becomes before"}
		if r.After {
			words[0] = words[1]
		}
		change(words[0], func(own *ir.Policy) { own.Rules[i].After = !r.After })
		if r.State >= 0 {
			change("state "+p.Policy.States[r.State]+" does not matter", func(own *ir.Policy) { own.Rules[i].State = -1 })
		}
	}
	return all
}

// guarded reports whether a condition is whose operation a directive speaks of: without it
// announcements of others are ignored anyway.
func guarded(f *ir.Func, at int) bool {
	in := &f.Code[at]
	for i := at - 1; i >= 0 && in.Op == ir.If; i-- {
		writes := false
		f.Code[i].Defs(func(reg, n int32) { writes = writes || reg <= in.A && in.A < reg+n })
		if writes {
			return f.Code[i].Op == ir.Ghost && f.Code[i].M == ir.GhostRuns
		}
	}
	return false
}
