package ground

import (
	"context"

	"github.com/adtinfer/adtinfer/internal/solver"

	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/theory"
)

// restrict refuses an execution outside the language and excludes completions
// of pending operations that would lead outside: rules about labels alone
// before the matching is computed, the others after it.
func (in *Instance) restrict(ctx context.Context, g *Grounder, labelsOnly bool) error {
	for i := range in.theory.language {
		r := &in.theory.language[i]
		if r.labelsOnly != labelsOnly {
			continue
		}
		b := &breaches{in: in, rule: r.Rule, of: map[pair]map[pair]bool{}}
		if err := g.Instances(ctx, r.breaks, b.add); err != nil {
			return err
		}
		if b.err == nil && !in.partial {
			b.callsAlone()
		}
		if b.err != nil {
			return b.err
		}
		for _, e := range b.dead {
			in.elems[e].used = solver.False
		}
	}
	return nil
}

// lookBeyond finds out which completions of pending operations no admitted
// execution has, whether in the language or not. All completions must be there.
func (in *Instance) lookBeyond(ctx context.Context, g *Grounder) error {
	if in.partial {
		return nil
	}
	in.impossible = map[solver.Lit]bool{}
	for _, broken := range in.theory.beyond {
		if err := g.Instances(ctx, broken, func(_ []int, l solver.Lit) bool {
			in.impossible[l] = true
			in.facts = append(in.facts, -l)
			return true
		}); err != nil {
			return err
		}
	}
	return nil
}

// breaches collects the ways in which one rule is broken.
type breaches struct {
	in   *Instance
	rule theory.Rule
	err  *clauses.LanguageError
	dead []int // completions that no linearization can use

	// of holds, by pair of operations, the pairs of their elements that
	// cannot take part together. An element that breaks the rule beside a
	// completed operation is paired with that operation's element.
	of map[pair]map[pair]bool
}

type pair [2]int

// add handles one tuple that breaks the rule where l holds; false to stop.
func (b *breaches) add(tuple []int, l solver.Lit) bool {
	if l == solver.True {
		b.err = b.outside(tuple)
		return false
	}
	in := b.in
	open := in.open(tuple)
	guards := make([]solver.Lit, len(open))
	for i, e := range open {
		guards[i] = in.elems[e].used
	}
	if !in.impossible[l] {
		in.exclude(-l, "a pending operation may complete so that the rule "+b.rule.Name+" is broken; the theory says nothing about that")
	}
	if l != in.circuit.And(guards...) {
		return true // it depends on the order, too
	}
	b.note(tuple, open)
	return true
}

// note records a breach that the presence of at most two operations decides.
func (b *breaches) note(tuple, open []int) {
	x, y := open[0], open[len(open)-1]
	if len(open) > 2 {
		return
	}
	if len(open) == 1 {
		b.dead = append(b.dead, x)
		y = tuple[0]
		for _, e := range tuple {
			if e != x {
				y = e
			}
		}
	}
	if b.in.elems[x].op > b.in.elems[y].op {
		x, y = y, x
	}
	ops := pair{b.in.elems[x].op, b.in.elems[y].op}
	if b.of[ops] == nil {
		b.of[ops] = map[pair]bool{}
	}
	b.of[ops][pair{x, y}] = true
}

// outside blames the first two operations of a tuple.
func (b *breaches) outside(tuple []int) *clauses.LanguageError {
	err := &clauses.LanguageError{Rule: b.rule, A: -1, B: -1}
	var ops []int
	for _, e := range tuple {
		if o := b.in.elems[e].op; len(ops) == 0 || ops[0] != o {
			ops = append(ops, o)
		}
	}
	if len(ops) > 0 {
		err.A = ops[0]
	}
	if len(ops) > 1 {
		err.A, err.B = min(ops[0], ops[1]), max(ops[0], ops[1])
	}
	return err
}

// callsAlone refuses two operations of which every completion breaks the rule:
// their calls do, whatever they will return. The earliest such pair is blamed.
func (b *breaches) callsAlone() {
	in, best := b.in, pair{len(b.in.ops), 0}
	for ops, broken := range b.of {
		all := in.completions(ops[0]) * in.completions(ops[1])
		if ops[0] == ops[1] {
			all = in.completions(ops[0])
		}
		if len(broken) == all && (ops[1] < best[0] || ops[1] == best[0] && ops[0] < best[1]) {
			best = pair{ops[1], ops[0]}
			b.err = b.outside([]int{in.first[ops[0]], in.first[ops[1]]})
		}
	}
}

func (in *Instance) completions(op int) int { return in.first[op+1] - in.first[op] }
