package ground

import "github.com/adtinfer/adtinfer/internal/solver"

// join is one enumeration of a block.
type join struct {
	g      *Grounder
	steps  []step
	narrow []domain // by slot, if the block has no free slots
	acc    []solver.Lit
	buf    [][]int // candidates by depth
	yield  func(solver.Lit) bool
}

// domain holds the elements a variable may be bound to, with what is left of
// the conjuncts on it alone.
type domain struct {
	list []int
	lits []solver.Lit // by element; solver.False outside list
}

// solve yields, for each solution of the block that is not False, its literal,
// with the environment set; until yield returns false.
func (g *Grounder) solve(n *node, yield func(solver.Lit) bool) {
	j := &join{g: g, yield: yield}
	for _, k := range n.kids {
		if k.free == 0 { // only where Instances asks
			acc, ok := conjoin(j.acc, g.lit(k))
			if j.acc = acc; !ok {
				return
			}
		}
	}
	if n.free != 0 {
		j.steps = n.orders[0]
	} else if j.narrowAll(n) {
		j.steps = j.cheapest(n.orders)
	} else {
		return
	}
	j.buf = make([][]int, len(j.steps))
	j.run(0)
}

// narrowAll finds the domains; false if one is empty.
func (j *join) narrowAll(n *node) bool {
	j.narrow = make([]domain, len(j.g.env))
	for i := range n.orders {
		s := &n.orders[i][0] // what holds of its variable alone
		d := j.domain(s)
		if j.narrow[s.slot] = d; len(d.list) == 0 || j.g.err != nil {
			return false
		}
	}
	return true
}

// domain computes the domain of a step's variable.
func (j *join) domain(s *step) (d domain) {
	d.lits = make([]solver.Lit, j.g.p.Len())
	for i := range d.lits {
		d.lits[i] = solver.False
	}
	for _, e := range j.base(s) {
		if j.g.stopped() {
			return domain{}
		}
		j.g.env[s.slot] = e
		if ls, ok := j.hold(nil, s, e); ok {
			d.list = append(d.list, e)
			d.lits[e] = j.g.c.And(ls...)
		}
	}
	return d
}

// hold appends Used and the step's conjuncts; false if one is False.
func (j *join) hold(acc []solver.Lit, s *step, e int) ([]solver.Lit, bool) {
	acc, ok := conjoin(acc, j.g.p.Used(e))
	for i := 0; ok && i < len(s.conj); i++ {
		acc, ok = conjoin(acc, j.g.lit(s.conj[i]))
	}
	return acc, ok
}

func conjoin(acc []solver.Lit, l solver.Lit) ([]solver.Lit, bool) {
	if l == solver.True || l == solver.False {
		return acc, l == solver.True
	}
	return append(acc, l), true
}

// base is the elements of the step's kind, or those with its constant value.
func (j *join) base(s *step) []int {
	best := j.g.index.ofKind(s.kinds)
	for _, k := range s.paths {
		if k.op == opValue && k.free == 1<<s.slot {
			if l := j.g.valuePath(k, s.slot); len(l) < len(best) {
				best = l
			}
		}
	}
	return best
}

// run binds the variable of step d in every way; false to stop.
func (j *join) run(d int) bool {
	if d == len(j.steps) {
		return j.yield(j.g.c.And(j.acc...))
	}
	s := &j.steps[d]
	mark := len(j.acc)
	for _, e := range j.candidates(s, d) {
		if j.g.stopped() {
			return false
		}
		if j.excluded(d, e) {
			continue
		}
		j.g.env[s.slot] = e
		acc, ok := j.bind(j.acc, s, e)
		j.acc = acc
		more := !ok || j.run(d+1)
		j.acc = j.acc[:mark]
		if !more {
			return false
		}
	}
	return true
}

// excluded reports whether element e never takes part beside those that the steps
// before d bound.
func (j *join) excluded(d, e int) bool {
	if j.g.apart == nil {
		return false
	}
	for i := range d {
		if j.g.apart.Apart(j.g.env[j.steps[i].slot], e) {
			return true
		}
	}
	return false
}

// bind appends what holds of the step's variable bound to e.
func (j *join) bind(acc []solver.Lit, s *step, e int) ([]solver.Lit, bool) {
	if j.narrow == nil {
		return j.hold(acc, s, e)
	}
	acc, ok := conjoin(acc, j.narrow[s.slot].lits[e])
	for i := 0; ok && i < len(s.conj); i++ {
		if k := s.conj[i]; k.free != 1<<s.slot {
			acc, ok = conjoin(acc, j.g.lit(k))
		}
	}
	return acc, ok
}

// candidates lists elements for the step's variable: a superset of those that
// satisfy its conjuncts.
func (j *join) candidates(s *step, d int) []int {
	var best []int
	found := false
	for _, k := range s.paths {
		if l, ok := j.g.path(k, s.slot); ok && (!found || len(l) < len(best)) {
			best, found = l, true
		}
	}
	switch {
	case found:
		return best
	case j.g.timed != nil && (s.after >= 0 || s.until >= 0):
		j.buf[d] = j.g.timed.Between(j.buf[d][:0], j.g.at(s.after), j.g.at(s.until))
		return j.buf[d]
	case j.narrow != nil:
		return j.narrow[s.slot].list
	}
	return j.base(s)
}

func (g *Grounder) at(slot int) int {
	if slot < 0 {
		return -1
	}
	return g.env[slot]
}

// path is the candidates that the equation k gives for slot v.
func (g *Grounder) path(k *node, v int) ([]int, bool) {
	w := k.a + k.b - v
	switch k.op {
	case opSame:
		return []int{g.env[w]}, true
	case opMatch:
		if k.a == v {
			return g.p.Members(g.env[w]), true
		}
		return g.p.Targets(g.env[w]), true
	case opMatches:
		if ts := g.p.Targets(g.env[w]); len(ts) == 1 {
			return g.p.Members(ts[0]), true
		} else if len(ts) == 0 {
			return nil, true
		}
		return nil, false
	}
	return g.valuePath(k, v), true
}

// valuePath is the elements whose value on v's side of the equation is that of
// the other side.
func (g *Grounder) valuePath(k *node, v int) []int {
	mine, other := k.left, k.right
	if mine.slot != v {
		mine, other = other, mine
	}
	value, ok := g.value(other)
	if !ok {
		return nil
	}
	return g.index.withValue(mine, value)
}

// cheapest is the order with the least estimated number of bindings, given how
// many candidates each variable has on its own.
func (j *join) cheapest(orders [][]step) []step {
	var best []step
	least := 0.0
	for _, steps := range orders {
		bindings, total := 1.0, 0.0
		for i := range steps {
			bindings *= j.estimate(&steps[i])
			total += bindings
		}
		if best == nil || total < least {
			best, least = steps, total
		}
	}
	return best
}

func (j *join) estimate(s *step) float64 {
	all := float64(len(j.narrow[s.slot].list))
	switch s.rank() {
	case 0:
		return 1
	case 1:
		return min(all, 16)
	case 2:
		return all / 2
	}
	return all
}
