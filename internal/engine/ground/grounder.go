package ground

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// A Grounder grounds several plans over one partial structure and shares its
// indexes between them. It is not safe for concurrent use, and p must not
// change meanwhile, except in its order.
type Grounder struct {
	p     Partial
	timed Timed     // p, if it is
	apart Exclusive // likewise
	c     *solver.Circuit
	index *labelIndex

	ctx   context.Context
	ticks int
	err   error
	env   []int // element by slot
}

// NewGrounder returns a Grounder that builds its literals in c.
func NewGrounder(p Partial, c *solver.Circuit) *Grounder {
	g := &Grounder{p: p, c: c, index: newLabelIndex(p)}
	g.timed, _ = p.(Timed)
	g.apart, _ = p.(Exclusive)
	return g
}

// Ground grounds a plan without free variables.
func (g *Grounder) Ground(ctx context.Context, plan *Plan) (solver.Lit, error) {
	g.start(ctx, plan)
	l := g.lit(plan.root)
	return l, g.err
}

// Instances yields the tuples of elements for the plan's free variables under
// which its formula is not False, with the literal that says that they are all
// in use and satisfy it. A tuple may come more than once; its literal is then
// the disjunction. The tuple is only valid during the call; yield returns
// false to stop. Elements that a Timed structure rules out are left out.
func (g *Grounder) Instances(ctx context.Context, plan *Plan, yield func(tuple []int, l solver.Lit) bool) error {
	g.start(ctx, plan)
	tuple := make([]int, len(plan.free))
	more := true
	for _, b := range plan.tops {
		g.solve(b, func(l solver.Lit) bool {
			for i, s := range plan.free {
				tuple[i] = g.env[s]
			}
			more = yield(tuple, l)
			return more
		})
		if !more {
			break
		}
	}
	return g.err
}

func (g *Grounder) start(ctx context.Context, plan *Plan) {
	g.ctx, g.err, g.ticks = ctx, ctx.Err(), 0
	g.env = make([]int, max(plan.slots, 1))
}

// stopped looks at the context every thousand steps or so.
func (g *Grounder) stopped() bool {
	if g.ticks++; g.ticks&1023 == 0 && g.err == nil {
		g.err = g.ctx.Err()
	}
	return g.err != nil
}

// lit grounds a node under the current environment.
func (g *Grounder) lit(n *node) solver.Lit {
	l := g.positive(n)
	if n.neg {
		return -l
	}
	return l
}

func (g *Grounder) positive(n *node) solver.Lit {
	switch n.op {
	case opBefore:
		return g.p.Before(g.env[n.a], g.env[n.b])
	case opUnmatched:
		return g.p.Unmatched(g.env[n.a])
	case opUsed:
		return g.p.Used(g.env[n.a])
	case opMatch:
		return g.p.Match(g.env[n.a], g.env[n.b])
	case opMatches:
		return g.sameTarget(g.env[n.a], g.env[n.b])
	case opAnd:
		return g.all(n.kids)
	case opOr:
		return g.any(n.kids)
	case opIff:
		return g.c.Iff(g.lit(n.kids[0]), g.lit(n.kids[1]))
	case opExists:
		return g.exists(n)
	}
	return constant(g.closed(n))
}

func constant(b bool) solver.Lit {
	if b {
		return solver.True
	}
	return solver.False
}

// closed evaluates the nodes that every partial structure decides.
func (g *Grounder) closed(n *node) bool {
	switch n.op {
	case opCompleted:
		return g.label(n.a).Outcome != history.Pending
	case opReadOnly:
		return g.p.ReadOnly(g.env[n.a])
	case opSame:
		return g.env[n.a] == g.env[n.b]
	case opMethod:
		return g.label(n.a).Method == n.name
	case opOutcome:
		return n.name != "" && string(g.label(n.a).Outcome) == n.name
	case opMethods:
		return g.label(n.a).Method == g.label(n.b).Method
	case opOutcomes:
		a := g.label(n.a).Outcome
		return a != history.Pending && a == g.label(n.b).Outcome
	case opValue, opLess:
		a, ok := g.value(n.left)
		b, ok2 := g.value(n.right)
		return ok && ok2 && (n.op == opValue && a == b || n.op == opLess && wording.LessInteger(a, b))
	}
	return true // opConst
}

func (g *Grounder) label(slot int) *history.Label { return g.p.Label(g.env[slot]) }

func (g *Grounder) value(t valueTerm) (history.Value, bool) {
	if t.slot < 0 {
		return t.value, true
	}
	return t.of(g.label(t.slot))
}

// of is the term's value in a label, if it has one there.
func (t valueTerm) of(l *history.Label) (history.Value, bool) {
	vs := l.Args
	if t.ret {
		vs = l.Rets
	}
	if t.index >= len(vs) {
		return "", false
	}
	return vs[t.index], true
}

// sameTarget says that i and j have one match target in common.
func (g *Grounder) sameTarget(i, j int) solver.Lit {
	var some []solver.Lit
	for _, t := range g.p.Targets(i) {
		if l := g.p.Match(j, t); l != solver.False {
			some = append(some, g.c.And(g.p.Match(i, t), l))
		}
	}
	return g.c.Or(some...)
}

func (g *Grounder) all(kids []*node) solver.Lit {
	ls := make([]solver.Lit, 0, len(kids))
	for _, k := range kids {
		l := g.lit(k)
		if l == solver.False {
			return solver.False
		}
		ls = append(ls, l)
	}
	return g.c.And(ls...)
}

func (g *Grounder) any(kids []*node) solver.Lit {
	ls := make([]solver.Lit, 0, len(kids))
	for _, k := range kids {
		l := g.lit(k)
		if l == solver.True {
			return solver.True
		}
		ls = append(ls, l)
	}
	return g.c.Or(ls...)
}

// exists grounds a block: the disjunction of its solutions.
func (g *Grounder) exists(n *node) solver.Lit {
	var some []solver.Lit
	g.solve(n, func(l solver.Lit) bool {
		some = append(some, l)
		return l != solver.True
	})
	return g.c.Or(some...)
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
