package automata

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// cases are those that the guards of a method distinguish in a location. They are
// looked at one by one: each condition that is not decided by those before holds, or
// does not. Integers that are compared with one another, other than by the same sum,
// are taken to be unrelated, as are keyed counters for different arguments.
type cases struct {
	v        *validator
	location int
	method   *history.MethodSig
	own      []int // transitions of the method
	equal    set   // pairs of registers, or a register and a constant, that may be equal; nil: all
	wrong    *problem
}

func (v *validator) newCases(location int, m *history.MethodSig, equal set) *cases {
	c := &cases{v: v, location: location, method: m, equal: equal}
	for j, t := range v.a.Locations[location].Transitions {
		if t.Method == m.Name {
			c.own = append(c.own, j)
		}
	}
	return c
}

// check finds a case for which not exactly one transition is right; nil: there is none.
func (c *cases) check() *problem {
	if ts := c.v.a.Locations[c.location].Transitions; len(c.own) != 1 || len(ts[c.own[0]].Guard) > 0 {
		c.split(&facts{equal: c.equal, numbers: map[string]domain{}})
	}
	return c.wrong
}

// split looks at the cases in which some facts hold.
func (c *cases) split(f *facts) {
	ts := c.v.a.Locations[c.location].Transitions
	if c.v.cases++; c.v.cases > maxCases {
		c.v.fail(c.location, -1, "the guards distinguish too many cases; more than %d were looked at up to here", maxCases)
	}
	var open *Condition
	var right []int
	for _, j := range c.own {
		undecided := (*Condition)(nil)
		holds := true
		for k := range ts[j].Guard {
			is, known := f.decide(&ts[j].Guard[k])
			if known && !is {
				holds = false
				break
			}
			if !known && undecided == nil {
				undecided = &ts[j].Guard[k]
			}
		}
		switch {
		case holds && undecided == nil:
			right = append(right, j)
		case holds && open == nil:
			open = undecided
		}
	}
	switch {
	case len(right) > 1:
		c.fail(right[1], "two transitions", f)
	case open == nil && len(right) == 0:
		c.fail(append(c.own, 0)[0], "no transition", f)
	case open != nil:
		for _, d := range []Condition{*open, open.not()} {
			if g := f.with(d); g != nil && c.wrong == nil && c.v.wrong == nil {
				c.split(g)
			}
		}
	}
}

func (c *cases) fail(transition int, what string, f *facts) {
	w := c.v.a.writer(&c.v.a.Locations[c.location], c.method.Name, c.v.a.names())
	msg := fmt.Sprintf("%s has %s for %s", c.v.a.where(c.location), what, w.call(c.method.Name))
	if len(f.told) > 0 {
		msg += " if " + strings.Join(w.conditions(f.told), " and ")
	}
	c.wrong = &problem{c.location, transition, msg}
}

// An item is a register, an argument, a constant, or an answer that is new.
type item struct {
	kind  TermKind
	index int
	value history.Value
}

func itemOf(t Term) item { return item{t.Kind, t.Index, t.Value} }

// A set of pairs of items.
type set map[[2]item]bool

func (s set) has(x, y item) bool { return s[[2]item{x, y}] || s[[2]item{y, x}] }

// facts are conditions that hold.
type facts struct {
	told    []Condition
	classes [][]item  // that are equal
	apart   [][2]item // that differ
	equal   set
	numbers map[string]domain
}

// class is the items that are equal to one.
func (f *facts) class(x item) []item {
	for _, c := range f.classes {
		if slices.Contains(c, x) {
			return c
		}
	}
	return []item{x}
}

// same decides whether items are equal.
func (f *facts) same(x, y item) (same, known bool) {
	xs, ys := f.class(x), f.class(y)
	if slices.Contains(xs, y) {
		return true, true
	}
	for _, x := range xs {
		for _, y := range ys {
			if slices.Contains(f.apart, [2]item{x, y}) || slices.Contains(f.apart, [2]item{y, x}) || f.different(x, y) {
				return false, true
			}
		}
	}
	return false, false
}

// different reports whether items never are equal.
func (f *facts) different(x, y item) bool {
	switch {
	case x.kind == Constant && y.kind == Constant:
		return x.value != y.value
	case x.kind == Fresh || y.kind == Fresh:
		return x.kind != y.kind
	case x.kind == Argument || y.kind == Argument || f.equal == nil:
		return false
	}
	return !f.equal.has(x, y)
}

// decide decides a condition, if the facts do.
func (f *facts) decide(c *Condition) (holds, known bool) {
	if c.Op <= Differs && c.Left.Kind != Total && c.Right.Kind != Total {
		same, known := f.same(itemOf(c.Left), itemOf(c.Right))
		return same == (c.Op == Equal), known
	}
	l := linear(c)
	return f.numbers[l.key].decide(l)
}

// with adds a condition; nil if it cannot hold.
func (f *facts) with(c Condition) *facts {
	g := &facts{told: append(f.told[:len(f.told):len(f.told)], c), classes: f.classes, apart: f.apart, equal: f.equal, numbers: f.numbers}
	if c.Op <= Differs && c.Left.Kind != Total && c.Right.Kind != Total {
		x, y := itemOf(c.Left), itemOf(c.Right)
		if c.Op == Differs {
			g.apart = append(f.apart[:len(f.apart):len(f.apart)], [2]item{x, y})
			return g
		}
		xs, ys := f.class(x), f.class(y)
		g.classes = [][]item{slices.Concat(xs, ys)}
		for _, c := range f.classes {
			if !slices.Contains(c, xs[0]) && !slices.Contains(c, ys[0]) {
				g.classes = append(g.classes, c)
			}
		}
		return g
	}
	l := linear(&c)
	d := f.numbers[l.key].with(l)
	if d.empty() {
		return nil
	}
	g.numbers = map[string]domain{}
	for k, v := range f.numbers {
		g.numbers[k] = v
	}
	g.numbers[l.key] = d
	return g
}

// A bound says that a sum without its constant, the key, is less than a number, at
// least it, equal to it, or not.
type bound struct {
	key string
	op  Op
	n   *big.Int
}

// linear is a comparison of integers as a bound.
func linear(c *Condition) bound {
	times, n := map[string]*big.Int{}, new(big.Int)
	var names []string
	add := func(name string, by int64, sign int64) {
		if times[name] == nil {
			times[name] = new(big.Int)
			names = append(names, name)
		}
		times[name].Add(times[name], new(big.Int).Mul(big.NewInt(by), big.NewInt(sign)))
	}
	side := func(t Term, sign int64) {
		switch t.Kind {
		case Constant:
			if v, ok := new(big.Int).SetString(string(t.Value), 10); ok && integerRE().MatchString(string(t.Value)) {
				n.Add(n, v.Mul(v, big.NewInt(-sign)))
			} else {
				add(strconv.Quote(string(t.Value)), 1, sign) // no integer: compared with no other
			}
		case Total:
			n.Add(n, new(big.Int).Mul(big.NewInt(t.Sum.Constant), big.NewInt(-sign)))
			for _, x := range t.Sum.Terms {
				if x.Counter < 0 {
					add(fmt.Sprint("a", x.Arg), x.Times, sign)
				} else {
					add(fmt.Sprint("c", x.Counter, "[", x.Key, "]"), x.Times, sign)
				}
			}
		default:
			add(fmt.Sprint(map[TermKind]string{Argument: "a", Register: "r"}[t.Kind], t.Index), 1, sign)
		}
	}
	side(c.Left, 1)
	side(c.Right, -1)
	slices.Sort(names)
	b := bound{op: c.Op, n: n}
	flip := false
	for _, name := range names {
		t := times[name]
		if t.Sign() == 0 {
			continue
		}
		if b.key == "" && t.Sign() < 0 {
			flip = true
		}
		if flip {
			t.Neg(t)
		}
		b.key += t.String() + "*" + name + " "
	}
	if flip { // -s < n means s >= 1-n, and -s >= n means s < 1-n
		if n.Neg(n); b.op >= Less {
			n.Add(n, big.NewInt(1))
			b.op = Less + AtLeast - b.op
		}
	}
	return b
}

// A domain is the integers that a sum may be: from lo on, up to hi, without some.
type domain struct {
	lo, hi  *big.Int // nil: without end
	without []*big.Int
}

func (d domain) decide(l bound) (holds, known bool) {
	if l.key == "" {
		d = domain{lo: new(big.Int), hi: new(big.Int)}
	}
	if d.with(l).empty() {
		return false, true
	}
	l.op = Condition{Op: l.op}.not().Op
	if d.with(l).empty() {
		return true, true
	}
	return false, false
}

// with is the part of the domain for which a bound holds.
func (d domain) with(l bound) domain {
	below := new(big.Int).Sub(l.n, big.NewInt(1))
	if l.op == Differs {
		d.without = append(d.without[:len(d.without):len(d.without)], l.n)
	}
	if (l.op == AtLeast || l.op == Equal) && (d.lo == nil || d.lo.Cmp(l.n) < 0) {
		d.lo = l.n
	}
	if l.op == Less && (d.hi == nil || below.Cmp(d.hi) < 0) {
		d.hi = below
	}
	if l.op == Equal && (d.hi == nil || l.n.Cmp(d.hi) < 0) {
		d.hi = l.n
	}
	out := func(n *big.Int) bool {
		return n != nil && slices.ContainsFunc(d.without, func(w *big.Int) bool { return w.Cmp(n) == 0 })
	}
	for !d.empty() && out(d.lo) {
		d.lo = new(big.Int).Add(d.lo, big.NewInt(1))
	}
	for !d.empty() && out(d.hi) {
		d.hi = new(big.Int).Sub(d.hi, big.NewInt(1))
	}
	return d
}

func (d domain) empty() bool { return d.lo != nil && d.hi != nil && d.lo.Cmp(d.hi) > 0 }
