package explain

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics/instance"
)

// prover knows facts about some operations, as literals: a fact is positive or
// negative a number, and its opposite the other.
type prover struct {
	ctx   context.Context
	log   *instance.Log
	ids   []string
	kinds map[string]map[history.Kind]bool // by operation
	joint map[joining]bool
	apart map[[2]int]bool // what Exclude says of two facts

	number  map[evidence.Fact]int
	facts   []evidence.Fact   // by number; that of 0 is no fact
	holds   []bool            // by literal, see index; what is neither holds at 1, and does not at 0
	orders  map[[2]string]int // of two operations: the place in holds that says whether the first is before the second
	clauses []clause
	placed  int     // what was tried to find them
	with    [][]int // clauses by literal that they need

	trail []entry // what is known, in order
	done  int     // how much of the trail is propagated
	fresh bool    // no clause was looked at yet
	looks int     // at clauses, so far
}

// entry is a literal that holds, and why.
type entry struct {
	lit   int // 0 is a contradiction
	why   reason
	by    string
	ops   []string
	needs []int   // literals that it rests on, and no interval's doing
	inner []entry // of refuted: what follows from the opposite, up to a contradiction
}

type reason uint8

const (
	byPattern reason = iota
	through          // the order
	excluded         // by how a pending operation took effect
	supposed
	refuted // the opposite was supposed
)

type joining struct {
	op      string
	outcome history.Outcome
	target  string
	as      history.Outcome
}

func newProver(ctx context.Context, l *instance.Log, ids []string) *prover {
	p := &prover{ctx: ctx, log: l, ids: ids, kinds: map[string]map[history.Kind]bool{}, joint: map[joining]bool{}, apart: map[[2]int]bool{},
		number: map[evidence.Fact]int{}, facts: make([]evidence.Fact, 1), holds: []bool{false, true}, orders: map[[2]string]int{}, with: make([][]int, 2), fresh: true}
	for _, id := range ids {
		p.kinds[id] = map[history.Kind]bool{}
		for _, k := range l.Kinds(id) {
			p.kinds[id][k] = true
		}
	}
	for i, a := range ids {
		for _, b := range ids[:i] {
			switch {
			case l.Before(a, b):
				p.orders[[2]string{a, b}] = 1
			case l.Before(b, a):
				p.orders[[2]string{b, a}] = 1
			default:
				lit := p.literal(evidence.Fact{Is: evidence.Before, A: b, B: a})
				p.orders[[2]string{b, a}], p.orders[[2]string{a, b}] = index(lit), index(-lit)
			}
		}
	}
	return p
}

func (p *prover) joins(j joining) bool {
	joins, ok := p.joint[j]
	if !ok {
		joins = p.log.Joins(j.op, j.outcome, j.target, j.as)
		p.joint[j] = joins
	}
	return joins
}

// excludes reports whether the fact of a literal excludes another that is open, by
// its number.
func (p *prover) excludes(lit, n int) bool {
	f, g := p.fact(lit), p.facts[n]
	if g.A != f.A || g.Is == evidence.Before || !p.isOpen(n) {
		return false
	}
	apart, ok := p.apart[[2]int{lit, n}]
	if !ok {
		apart = p.log.Exclude(f, g)
		p.apart[[2]int{lit, n}] = apart
	}
	return apart
}

// index is where slices by literal have one.
func index(lit int) int {
	if lit < 0 {
		return -2*lit + 1
	}
	return 2 * lit
}

// literal is that of a fact, which is numbered if it is new.
func (p *prover) literal(f evidence.Fact) int {
	if n, ok := p.number[f]; ok {
		return n
	}
	if n, ok := p.number[f.Opposite()]; ok {
		return -n
	}
	n := len(p.facts)
	p.number[f] = n
	p.facts = append(p.facts, f)
	p.holds = append(p.holds, false, false)
	p.with = append(p.with, nil, nil)
	return n
}

func (p *prover) fact(lit int) evidence.Fact {
	if lit < 0 {
		return p.facts[-lit].Opposite()
	}
	return p.facts[lit]
}

func (p *prover) add(c clause) {
	for _, l := range c.needs {
		p.with[index(l)] = append(p.with[index(l)], len(p.clauses))
	}
	p.clauses = append(p.clauses, c)
}

// open counts the facts that are neither known nor refuted.
func (p *prover) open() (n int) {
	for i := range p.facts[1:] {
		if p.isOpen(i + 1) {
			n++
		}
	}
	return n
}

func (p *prover) isOpen(n int) bool { return !p.holds[index(n)] && !p.holds[index(-n)] }

// refute looks for a contradiction with suppositions that deep.
func (p *prover) refute(depth int) *entry {
	if c := p.propagate(); c != nil {
		return c
	}
	for d := 1; d <= depth; d++ {
		for n := 1; n < len(p.facts); n++ {
			for _, lit := range []int{n, -n} {
				if p.looks > maxLooks || p.ctx.Err() != nil {
					return nil
				}
				if !p.isOpen(n) || !p.suppose(lit, d-1) {
					continue
				}
				if c := p.propagate(); c != nil {
					return c
				}
				d = 1
			}
		}
	}
	return nil
}

// suppose refutes a literal and adds its opposite, or is false.
func (p *prover) suppose(lit, depth int) bool {
	mark := len(p.trail)
	p.learn(entry{lit: lit, why: supposed})
	c := p.refute(depth)
	inner := slices.Clone(p.trail[mark:])
	for _, e := range inner {
		p.holds[index(e.lit)] = false
	}
	p.trail, p.done = p.trail[:mark], mark
	if c == nil {
		return false
	}
	p.learn(entry{lit: -lit, why: refuted, inner: append(inner, *c)})
	return true
}

// learn adds a literal that was open.
func (p *prover) learn(e entry) {
	p.holds[index(e.lit)] = true
	p.trail = append(p.trail, e)
	if f := p.fact(e.lit); f.Is == evidence.Took {
		for n := 1; n < len(p.facts); n++ {
			if p.excludes(e.lit, n) {
				never := n
				if p.facts[n].Is == evidence.Took {
					never = -n
				}
				p.learn(entry{lit: never, why: excluded, needs: []int{e.lit}})
			}
		}
	}
}
