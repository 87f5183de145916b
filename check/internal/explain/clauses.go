package explain

import (
	"slices"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// clause is an instance of a pattern: not all of its needs hold.
type clause struct {
	by    string
	ops   []string
	needs []int // literals
}

// collect finds all instances of patterns and broken axioms.
func (p *prover) collect(t *theory.Theory) {
	for i := range t.Spec.Patterns {
		c := &collector{p: p, pattern: &t.Spec.Patterns[i]}
		h := &c.pattern.History
		c.ops = make([]string, len(h.Ops))
		for k := range h.Ops { // match targets first: they narrow the rest down
			if h.Ops[k].Target == k {
				c.places = append(c.places, k)
			}
		}
		for k := range h.Ops {
			if h.Ops[k].Target != k {
				c.places = append(c.places, k)
			}
		}
		c.fill(0)
	}
	for _, a := range t.Spec.Axioms {
		for _, id := range p.ids {
			if _, err := p.log.Needs(a.Name, []string{id}); err == nil {
				p.add(clause{by: a.Name, ops: []string{id}})
			}
		}
	}
}

type collector struct {
	p       *prover
	pattern *theory.Pattern
	places  []int
	ops     []string // by place, as far as filled
}

// fill tries every operation in the n-th of the places.
func (c *collector) fill(n int) {
	if c.p.ctx.Err() != nil || c.p.placed > maxPlaced {
		return
	}
	if n == len(c.places) {
		c.complete()
		return
	}
	i := c.places[n]
	for _, id := range c.p.ids {
		c.p.placed++
		if !slices.Contains(c.ops, id) && c.fits(i, id, c.places[:n]) {
			c.ops[i] = id
			c.fill(n + 1)
			c.ops[i] = ""
		}
	}
}

// fits reports whether an operation may stand in place i, given those placed.
func (c *collector) fits(i int, id string, placed []int) bool {
	h := &c.pattern.History
	k := h.Ops[i].Kind
	if !c.p.kinds[id][k] {
		return false
	}
	for _, j := range placed {
		if h.Before(i, j) && c.p.log.Before(c.ops[j], id) || h.Before(j, i) && c.p.log.Before(id, c.ops[j]) {
			return false
		}
	}
	t := h.Ops[i].Target
	return t == history.Unmatched || t == i || c.p.joins(joining{id, k.Outcome, c.ops[t], h.Ops[t].Outcome})
}

func (c *collector) complete() {
	c.p.placed += placing
	needs, err := c.p.log.Needs(c.pattern.Name, c.ops)
	if err != nil {
		return
	}
	cl := clause{by: c.pattern.Name, ops: slices.Clone(c.ops)}
	for _, f := range needs {
		switch {
		case f.Is == evidence.Before && c.p.log.Before(f.B, f.A):
			return
		case f.Is == evidence.Before && c.p.log.Before(f.A, f.B):
		default:
			cl.needs = append(cl.needs, c.p.literal(f))
		}
	}
	c.p.add(cl)
}
