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

// order chooses the join order of a block: the variable with the fewest
// candidates first, then those that an equation ties to what is bound, then
// those that lie in time between bound ones. size may be nil.
func order(n *node, size func(slot int) int) []step {
	reach := precedence(n.kids)
	bound, steps := n.free, []step(nil)
	left := append([]int(nil), n.vars...)
	for len(left) > 0 {
		best, at := step{}, -1
		var bestScore [2]int
		for i, v := range left {
			s := newStep(n, v, bound, reach)
			if score := s.score(size); at < 0 || score[0] < bestScore[0] || score[0] == bestScore[0] && score[1] < bestScore[1] {
				best, at, bestScore = s, i, score
			}
		}
		bound |= 1 << best.slot
		left = append(left[:at], left[at+1:]...)
		steps = append(steps, best)
	}
	return steps
}

// score ranks steps: an equation is best, then a window, then a half-open one.
func (s *step) score(size func(slot int) int) [2]int {
	candidates := 2 - min(len(s.kinds), 2)
	if size != nil {
		candidates = size(s.slot)
	}
	switch {
	case len(s.paths) > 0:
		return [2]int{0, candidates}
	case s.after >= 0 && s.until >= 0:
		return [2]int{1, candidates}
	}
	return [2]int{2, candidates}
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
	j := &join{g: g, yield: yield, steps: n.plan}
	for _, k := range n.kids {
		if k.free == 0 { // only where Instances asks
			acc, ok := conjoin(j.acc, g.lit(k))
			if j.acc = acc; !ok {
				return
			}
		}
	}
	if n.free == 0 {
		if !j.narrowAll(n) {
			return
		}
		j.steps = order(n, func(slot int) int { return len(j.narrow[slot].list) })
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
