package ground

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/solver"
)

// maxGroup is how many elements the largest match has that pruning looks at.
const maxGroup = 64

// prune is the instance without the completions that their own match
// excludes already, such as a remove of a value that was removed before. A long
// history has as many completions as values, nearly all of this sort.
//
// A completion is decided on the history of its match alone: the operations it
// is tied to by match, and every pending operation that may join them, under
// the patterns that speak of one match. A linearization of the whole that uses
// the completion, cut down to these operations, would satisfy that, because such
// patterns depend on one match only; so what fails there fails everywhere. Most
// matches look alike up to values, and each shape is decided once.
func (in *Instance) prune(ctx context.Context) (*Instance, error) {
	p := &pruner{ctx: ctx, in: in, shapes: map[string][]bool{}, of: make([]*group, len(in.elems))}
	for _, x := range in.theory.forbidden {
		if x.plan.OneMatch() {
			p.local = append(p.local, x)
		}
	}
	var kept []completion
	for i, e := range in.elems {
		if e.used == solver.True {
			kept = append(kept, e)
			continue
		}
		possible, err := p.possible(i)
		if err != nil {
			return nil, err
		}
		if possible {
			kept = append(kept, e)
		}
	}
	return in.with(ctx, kept)
}

type pruner struct {
	ctx    context.Context
	in     *Instance
	local  []forbidden
	shapes map[string][]bool // by shape, whether the match allows each of its elements
	of     []*group          // by element, as far as known
}

// group is the elements tied together by match.
type group struct {
	elems []int  // in order; nil if there are too many
	ops   []int  // their operations, in order
	shape string // what the group looks like, values and moments apart
}

// possible reports whether the match of pending element i alone allows it.
func (p *pruner) possible(i int) (bool, error) {
	g := p.of[i]
	if g == nil {
		g = p.group(i)
	}
	if g.elems == nil {
		return true, nil
	}
	allowed, ok := p.shapes[g.shape]
	if !ok {
		var err error
		if allowed, err = p.decide(g); err != nil {
			return false, err
		}
		p.shapes[g.shape] = allowed
	}
	return allowed[slices.Index(g.elems, i)], nil
}

// group finds all elements tied to element i and remembers their group.
func (p *pruner) group(i int) *group {
	g := &group{}
	for todo := []int{i}; len(todo) > 0; {
		e := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p.of[e] == g {
			continue
		}
		p.of[e] = g
		if g.elems = append(g.elems, e); len(g.elems) > maxGroup {
			g.elems = nil
			return g
		}
		todo = append(append(todo, p.in.targetsOf[e]...), p.in.members[e]...)
	}
	slices.Sort(g.elems)
	for _, e := range g.elems {
		g.ops = append(g.ops, p.in.elems[e].op)
	}
	g.ops = slices.Compact(g.ops)
	g.shape = p.shape(g)
	return g
}

// shape is the group with the ranks of its events instead of their moments
// and, if the theory names no values, numbers instead of values.
func (p *pruner) shape(g *group) string {
	var b []byte
	var times []int
	for _, op := range g.ops {
		times = append(times, p.in.ops[op].Call)
		if o := &p.in.ops[op]; o.Completed() {
			times = append(times, o.Return)
		}
	}
	slices.Sort(times)
	var values []history.Value
	for _, e := range g.elems {
		o := p.in.operation(e)
		for _, t := range []int{o.Call, o.Return} { // NoReturn ranks as 0, a return never does
			rank, _ := slices.BinarySearch(times, t)
			b = binary.AppendUvarint(b, uint64(rank))
		}
		l := p.in.Label(e)
		b = appendText(appendText(b, l.Method), string(l.Outcome))
		for _, vs := range [][]history.Value{l.Args, l.Rets} {
			b = binary.AppendUvarint(b, uint64(len(vs)))
			for _, v := range vs {
				if p.in.theory.literals {
					b = appendText(b, string(v))
					continue
				}
				n := slices.Index(values, v)
				if n < 0 {
					n, values = len(values), append(values, v)
				}
				b = binary.AppendUvarint(b, uint64(n))
			}
		}
	}
	return string(b)
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// decide solves the group under the assumption that an element takes part, for each element
// that need not.
func (p *pruner) decide(g *group) ([]bool, error) {
	part := &Instance{theory: p.in.theory, circuit: solver.NewCircuit(), partial: true}
	for _, op := range g.ops {
		part.ops = append(part.ops, p.in.ops[op])
	}
	var elems []completion
	for _, e := range g.elems {
		elem := p.in.elems[e]
		elem.op, _ = slices.BinarySearch(g.ops, elem.op)
		elems = append(elems, elem)
	}
	allowed := slices.Repeat([]bool{true}, len(elems))
	part.keep(elems)
	if err := part.build(p.ctx); err != nil || part.excluded != "" {
		return allowed, p.ctx.Err()
	}
	problem := newProblem(p.ctx, part)
	for _, x := range p.local {
		l, err := problem.grounder.Ground(p.ctx, x.plan)
		if err != nil {
			return nil, err
		}
		problem.cnf.Assert(-l)
	}
	for k, e := range part.elems {
		if e.used == solver.True {
			continue
		}
		res, err := problem.solve(p.ctx, problem.cnf.Lit(e.used))
		if err != nil {
			return nil, err
		}
		allowed[k] = res != solver.Unsat
	}
	return allowed, nil
}
