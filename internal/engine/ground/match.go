package ground

import (
	"context"

	"github.com/adtinfer/adtinfer/internal/solver"
)

// Ambiguous is the error of an operation X with two match targets, A and B:
// indices in the execution.
type Ambiguous struct{ X, A, B int }

func (e *Ambiguous) Error() string { return "check: an operation has two match targets" }

// match computes the matching as literals: the target of x is the y that
// satisfies the first formula that any y in use satisfies.
func (in *Instance) match(ctx context.Context, g *Grounder) error {
	tiers := make([][][]edge, len(in.theory.target))
	for k, plan := range in.theory.target {
		tiers[k] = make([][]edge, len(in.elems))
		err := g.Instances(ctx, plan, func(xy []int, l solver.Lit) bool {
			tiers[k][xy[0]] = in.addEdge(tiers[k][xy[0]], xy[1], l)
			return true
		})
		if err != nil {
			return err
		}
	}
	for x := range in.elems {
		if err := in.matchOne(x, tiers); err != nil {
			return err
		}
	}
	return in.matchReadOnly(ctx, g)
}

// addEdge adds a candidate, or another way in which it is one.
func (in *Instance) addEdge(es []edge, y int, l solver.Lit) []edge {
	for i := range es {
		if es[i].elem == y {
			es[i].lit = in.circuit.Or(es[i].lit, l)
			return es
		}
	}
	return append(es, edge{y, l})
}

// matchOne fixes the targets of x: a candidate counts where none of an
// earlier tier is in use.
func (in *Instance) matchOne(x int, tiers [][][]edge) error {
	none := solver.True // no candidate so far is in use
	for k := range tiers {
		tier := tiers[k][x]
		if err := in.unique(x, tier, none); err != nil {
			return err
		}
		here := make([]solver.Lit, 0, len(tier)+1)
		here = append(here, none)
		for _, e := range tier {
			if l := in.circuit.And(e.lit, none); l != solver.False {
				in.targets[x] = in.addEdge(in.targets[x], e.elem, l)
			}
			here = append(here, -e.lit)
		}
		if none = in.circuit.And(here...); none == solver.False {
			break
		}
	}
	for _, e := range in.targets[x] {
		in.targetsOf[x] = append(in.targetsOf[x], e.elem)
		in.members[e.elem] = append(in.members[e.elem], x)
	}
	in.unmatched[x] = in.circuit.And(in.elems[x].used, none)
	return nil
}

// unique refuses two targets of one operation, and excludes completions that
// would make two.
func (in *Instance) unique(x int, tier []edge, none solver.Lit) error {
	for i, a := range tier {
		for _, b := range tier[:i] {
			if in.sameOp(a.elem, b.elem) {
				continue
			}
			switch l := in.circuit.And(a.lit, b.lit, none); l {
			case solver.False:
			case solver.True:
				return &Ambiguous{in.elems[x].op, in.elems[b.elem].op, in.elems[a.elem].op}
			default:
				in.exclude(-l, "a pending operation may complete so that another has two match targets")
			}
		}
	}
	return nil
}

// exclude adds a fact that holds only of executions the theory speaks of.
func (in *Instance) exclude(fact solver.Lit, why string) {
	in.facts = append(in.facts, fact)
	if in.excluded == "" {
		in.excluded = why
	}
}

func (in *Instance) matchReadOnly(ctx context.Context, g *Grounder) error {
	if in.theory.readOnly == nil {
		return nil
	}
	return g.Instances(ctx, in.theory.readOnly, func(x []int, _ solver.Lit) bool {
		in.readOnly[x[0]] = true
		return true
	})
}
