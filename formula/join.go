package formula

import (
	"math/bits"

	"github.com/adtinfer/adtinfer/history"
)

// A step of a join binds one variable.
type step struct {
	slot  int
	paths []*node // equations that give candidates for slot from what is bound
	kinds []*node // constants its method and outcome must have
	after int     // a bound slot it must come after, or -1
	until int     // a bound slot it must come before, or -1
	conj  []*node // conjuncts to evaluate once slot is bound
}

// order chooses the join order of a block, given what is bound: first what an
// equation ties to it, then what lies in time between bound variables, and so on.
func order(n *node, bound uint64, left []int) []step {
	reach := precedence(n.kids)
	left = append([]int(nil), left...)
	var steps []step
	for len(left) > 0 {
		best, at := step{}, -1
		for i, v := range left {
			if s := newStep(n, v, bound, reach); at < 0 || s.rank() < best.rank() {
				best, at = s, i
			}
		}
		bound |= 1 << best.slot
		left = append(left[:at], left[at+1:]...)
		steps = append(steps, best)
	}
	return steps
}

// orders are the join orders of a block, one for each variable to begin with;
// a block with free variables has one, which begins with them.
func orders(n *node) [][]step {
	if n.free != 0 {
		return [][]step{order(n, n.free, n.vars)}
	}
	reach := precedence(n.kids)
	var all [][]step
	for i, v := range n.vars {
		rest := append(append([]int(nil), n.vars[:i]...), n.vars[i+1:]...)
		all = append(all, append([]step{newStep(n, v, 0, reach)}, order(n, 1<<v, rest)...))
	}
	return all
}

// rank says how few candidates a step has: an equation is best, then a window
// in time, a half-open one, and constants.
func (s *step) rank() int {
	switch {
	case len(s.paths) > 0:
		return 0
	case s.after >= 0 && s.until >= 0:
		return 1
	case s.after >= 0 || s.until >= 0:
		return 2
	}
	return 5 - min(len(s.kinds), 2)
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

// newStep binds v next, when the slots of bound are bound.
func newStep(n *node, v int, bound uint64, reach map[int]uint64) step {
	s := step{slot: v, after: nearest(reach, bound, v, true), until: nearest(reach, bound, v, false)}
	for _, k := range n.kids {
		if k.free>>v&1 == 0 {
			continue
		}
		if k.free&^(bound|1<<v) == 0 {
			s.conj = append(s.conj, k)
			if !k.neg && k.gives(v) {
				s.paths = append(s.paths, k)
			}
			if !k.neg && (k.op == opMethod || k.op == opOutcome) {
				s.kinds = append(s.kinds, k)
			}
		}
	}
	return s
}

// gives tells whether an equation yields few candidates for v.
func (n *node) gives(v int) bool {
	switch n.op {
	case opSame, opMatch, opMatches:
		return n.a != n.b
	case opValue:
		return (n.left.slot == v) != (n.right.slot == v)
	}
	return false
}

// precedence is the transitive closure of the positive before-conjuncts: by
// slot, the slots that must come later.
func precedence(conj []*node) map[int]uint64 {
	reach := map[int]uint64{}
	for _, k := range conj {
		if k.op == opBefore && !k.neg {
			reach[k.a] |= 1 << k.b
		}
	}
	for changed := true; changed; {
		changed = false
		for a, m := range reach {
			grown := m
			for r := m; r != 0; r &= r - 1 {
				grown |= reach[bits.TrailingZeros64(r)]
			}
			if grown != m {
				reach[a], changed = grown, true
			}
		}
	}
	return reach
}

// nearest is a bound slot that v must follow (or precede), with no other such
// slot known to lie between; -1 if there is none.
func nearest(reach map[int]uint64, bound uint64, v int, below bool) int {
	best := -1
	for r := bound; r != 0; r &= r - 1 {
		u := bits.TrailingZeros64(r)
		lo, hi := u, v
		if !below {
			lo, hi = v, u
		}
		if reach[lo]>>hi&1 == 0 {
			continue
		}
		if best < 0 || below && reach[best]>>u&1 == 1 || !below && reach[u]>>best&1 == 1 {
			best = u
		}
	}
	return best
}

// join is one enumeration of a block.
type join struct {
	g      *Grounder
	steps  []step
	narrow []domain // by slot, if the block has no free slots
	acc    []Lit
	buf    [][]int // candidates by depth
	yield  func(Lit) bool
}

// domain holds the elements a variable may be bound to, with what is left of
// the conjuncts on it alone.
type domain struct {
	list []int
	lits []Lit // by element; False outside list
}

// solve yields, for each solution of the block that is not False, its literal,
// with the environment set; until yield returns false.
func (g *Grounder) solve(n *node, yield func(Lit) bool) {
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

// narrowAll computes the domains; false if one is empty.
func (j *join) narrowAll(n *node) bool {
	j.narrow = make([]domain, len(j.g.env))
	for _, v := range n.vars {
		d := &j.narrow[v]
		d.lits = make([]Lit, j.g.p.Len())
		for i := range d.lits {
			d.lits[i] = False
		}
		s := newStep(n, v, 0, nil)
		for _, e := range j.base(&s) {
			if j.g.stopped() {
				return false
			}
			j.g.env[v] = e
			if ls, ok := j.hold(nil, &s, e); ok {
				d.list = append(d.list, e)
				d.lits[e] = j.g.c.And(ls...)
			}
		}
		if len(d.list) == 0 {
			return false
		}
	}
	return true
}

// hold appends Used and the step's conjuncts; false if one is False.
func (j *join) hold(acc []Lit, s *step, e int) ([]Lit, bool) {
	acc, ok := conjoin(acc, j.g.p.Used(e))
	for i := 0; ok && i < len(s.conj); i++ {
		acc, ok = conjoin(acc, j.g.lit(s.conj[i]))
	}
	return acc, ok
}

func conjoin(acc []Lit, l Lit) ([]Lit, bool) {
	if l == True || l == False {
		return acc, l == True
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

// bind appends what holds of the step's variable bound to e.
func (j *join) bind(acc []Lit, s *step, e int) ([]Lit, bool) {
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

// labelIndex finds elements by what their labels say.
type labelIndex struct {
	p      Partial
	every  []int
	kinds  map[history.Kind][]int // outcome Pending: any; method "": any
	values map[valueTerm]map[history.Value][]int
}

func newLabelIndex(p Partial) *labelIndex {
	ix := &labelIndex{p: p, every: make([]int, p.Len()), kinds: map[history.Kind][]int{}, values: map[valueTerm]map[history.Value][]int{}}
	for i := range ix.every {
		ix.every[i] = i
	}
	return ix
}

// ofKind lists the elements whose method and outcome are the constants of ks.
func (ix *labelIndex) ofKind(ks []*node) []int {
	if len(ks) == 0 {
		return ix.every
	}
	var want history.Kind
	for _, k := range ks {
		if k.op == opMethod {
			want.Method = k.name
		} else {
			want.Outcome = history.Outcome(k.name)
		}
	}
	list, ok := ix.kinds[want]
	if !ok {
		for i := range ix.every {
			k := ix.p.Label(i).Kind
			if (want.Method == "" || k.Method == want.Method) && (want.Outcome == "" || k.Outcome == want.Outcome) {
				list = append(list, i)
			}
		}
		ix.kinds[want] = list
	}
	return list
}

// withValue lists the elements whose argument or return value is v.
func (ix *labelIndex) withValue(t valueTerm, v history.Value) []int {
	t = valueTerm{ret: t.ret, index: t.index}
	byValue, ok := ix.values[t]
	if !ok {
		byValue = map[history.Value][]int{}
		for i := range ix.every {
			if w, ok := t.of(ix.p.Label(i)); ok {
				byValue[w] = append(byValue[w], i)
			}
		}
		ix.values[t] = byValue
	}
	return byValue[v]
}
