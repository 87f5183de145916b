package explain

import (
	"slices"

	"github.com/adtinfer/adtinfer/evidence"
)

// propagate draws conclusions until there are none, or a contradiction.
func (p *prover) propagate() *entry {
	if p.fresh {
		p.fresh = false
		for i := range p.clauses {
			if c := p.unit(&p.clauses[i]); c != nil {
				return c
			}
		}
	}
	for p.done < len(p.trail) {
		lit := p.trail[p.done].lit
		p.done++
		if c := p.close(p.fact(lit)); c != nil {
			return c
		}
		for _, i := range p.with[index(lit)] {
			if c := p.unit(&p.clauses[i]); c != nil {
				return c
			}
		}
	}
	return nil
}

// unit learns the opposite of the only need of a clause that is open, or finds
// that none is.
func (p *prover) unit(c *clause) *entry {
	p.looks++
	open := 0
	for _, l := range c.needs {
		switch {
		case p.holds[index(-l)] || open != 0 && open != l && !p.holds[index(l)]:
			return nil
		case !p.holds[index(l)]:
			open = l
		}
	}
	e := entry{lit: -open, why: byPattern, by: c.by, ops: c.ops}
	e.needs = slices.DeleteFunc(slices.Clone(c.needs), func(l int) bool { return l == open })
	if open == 0 {
		return &e
	}
	p.learn(e)
	return nil
}

// close draws the conclusions of an order.
func (p *prover) close(f evidence.Fact) *entry {
	if f.Is != evidence.Before {
		return nil
	}
	for _, id := range p.ids {
		var c *entry
		switch {
		case id == f.A || id == f.B:
		case p.before(id, f.A) && !p.before(id, f.B):
			c = p.path(id, f.A, f.B)
		case p.before(f.B, id) && !p.before(f.A, id):
			c = p.path(f.A, f.B, id)
		}
		if c != nil {
			return c
		}
	}
	return nil
}

func (p *prover) before(a, b string) bool { return p.holds[p.orders[[2]string{a, b}]] }

// path learns that a is before c, since b is between. If c is before a that is a
// contradiction.
func (p *prover) path(a, b, c string) *entry {
	e := entry{why: through, ops: []string{b}, needs: slices.Concat(p.order(a, b), p.order(b, c))}
	if p.before(c, a) {
		e.ops, e.needs = []string{a, b, c}, append(e.needs, p.order(c, a)...)
		return &e
	}
	e.lit = p.literal(evidence.Fact{Is: evidence.Before, A: a, B: c})
	p.learn(e)
	return nil
}

// order is what a before b rests on.
func (p *prover) order(a, b string) []int {
	if p.log.Before(a, b) {
		return nil
	}
	return []int{p.literal(evidence.Fact{Is: evidence.Before, A: a, B: b})}
}
