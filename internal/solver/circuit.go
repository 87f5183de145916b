package solver

import "slices"

// Lit is a literal of a Circuit; -l is its negation. True and False are the
// constants.
type Lit int32

const (
	True  Lit = 1
	False Lit = -1
)

// A Circuit is a shared and-inverter graph: its gates are conjunctions of two or
// more literals, disjunctions are negated conjunctions. Constants are folded
// and equal gates are shared, so that a literal tells at once when a formula
// is closed: it is True or False.
//
// The zero literal is never used. A Circuit is not safe for concurrent use.
type Circuit struct {
	gates []gate         // by literal; variables have no inputs
	table map[uint64]Lit // the latest gate with a hash of inputs
	buf   []Lit
}

// gate is a conjunction of inputs: sorted, distinct, no constants. A variable
// is a gate without inputs.
type gate struct {
	in   []Lit
	next Lit // an earlier gate with the same hash, or 0
}

// NewCircuit returns a circuit that has only the constants.
func NewCircuit() *Circuit {
	return &Circuit{gates: make([]gate, 2), table: map[uint64]Lit{}}
}

// Len is the number of variables and gates, plus two.
func (c *Circuit) Len() int { return len(c.gates) }

// Var returns a new variable's literal.
func (c *Circuit) Var() Lit { return c.Vars(1) }

// Vars makes n new variables, whose literals follow each other, and returns
// the first.
func (c *Circuit) Vars(n int) Lit {
	first := Lit(len(c.gates))
	c.gates = append(c.gates, make([]gate, n)...)
	return first
}

// Not negates a literal.
func (c *Circuit) Not(l Lit) Lit { return -l }

// And is the conjunction; of nothing, True.
func (c *Circuit) And(ls ...Lit) Lit {
	in := c.buf[:0]
	for _, l := range ls {
		switch l {
		case True:
		case False:
			return False
		default:
			in = append(in, l)
		}
	}
	c.buf = in
	in, contradiction := normalize(in)
	switch {
	case contradiction:
		return False
	case len(in) == 0:
		return True
	case len(in) == 1:
		return in[0]
	}
	return c.share(in)
}

// Or is the disjunction; of nothing, False.
func (c *Circuit) Or(ls ...Lit) Lit {
	neg := make([]Lit, len(ls))
	for i, l := range ls {
		neg[i] = -l
	}
	return -c.And(neg...)
}

// Implies is -a | b.
func (c *Circuit) Implies(a, b Lit) Lit { return -c.And(a, -b) }

// Iff holds when a and b agree.
func (c *Circuit) Iff(a, b Lit) Lit {
	switch {
	case a == b:
		return True
	case a == -b:
		return False
	}
	return c.And(-c.And(a, -b), -c.And(-a, b))
}

// normalize sorts by variable and drops doubles; a literal beside its negation
// is a contradiction.
func normalize(in []Lit) ([]Lit, bool) {
	slices.SortFunc(in, func(a, b Lit) int {
		if x, y := abs(a), abs(b); x != y {
			return int(x - y)
		}
		return int(a - b)
	})
	in = slices.Compact(in)
	for i := 1; i < len(in); i++ {
		if in[i] == -in[i-1] {
			return nil, true
		}
	}
	return in, false
}

// share returns the gate with these inputs, an old one if there is one.
func (c *Circuit) share(in []Lit) Lit {
	h := hashLits(in)
	head := c.table[h]
	for l := head; l != 0; l = c.gates[l].next {
		if slices.Equal(c.gates[l].in, in) {
			return l
		}
	}
	l := Lit(len(c.gates))
	c.gates = append(c.gates, gate{slices.Clone(in), head})
	c.table[h] = l
	return l
}

// hashLits is FNV-1a over whole literals.
func hashLits(in []Lit) uint64 {
	h := uint64(14695981039346656037)
	for _, l := range in {
		h = (h ^ uint64(uint32(l))) * 1099511628211
	}
	return h
}

func abs(l Lit) Lit {
	if l < 0 {
		return -l
	}
	return l
}

// Value evaluates l when the variables have the given values. It costs one
// visit of each gate below l.
func (c *Circuit) Value(l Lit, variable func(Lit) bool) bool {
	memo := make(map[Lit]bool)
	var value func(l Lit) bool
	value = func(l Lit) bool {
		v := abs(l)
		if v == True {
			return l == True
		}
		r, ok := memo[v]
		if !ok {
			if in := c.gates[v].in; len(in) == 0 {
				r = variable(v)
			} else {
				r = !slices.ContainsFunc(in, func(l Lit) bool { return !value(l) })
			}
			memo[v] = r
		}
		return r == (l > 0)
	}
	return value(l)
}
