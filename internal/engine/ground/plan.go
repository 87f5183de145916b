package ground

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
)

// A Plan is a formula made ready for grounding: negations pushed inwards,
// universal quantifiers turned into negated existential ones, each variable a
// slot of its own, and existential blocks split into independent parts. It
// depends on no structure and is safe for concurrent use.
type Plan struct {
	slots int
	free  []int // slots of the free variables, in the order given
	root  *node
	tops  []*node // what Instances enumerates: a block over free for each disjunct
}

// maxSlots bounds the variables of one formula: sets of slots are words.
const maxSlots = 64

type nodeOp uint8

const (
	opConst     nodeOp = iota // true (false is its negation)
	opBefore                  // before(a, b)
	opUnmatched               // unmatched(a)
	opCompleted               // completed(a)
	opReadOnly                // readonly(a)
	opUsed                    // used(a)
	opSame                    // a = b
	opMatch                   // match(a) = b
	opMatches                 // match(a) = match(b)
	opMethod                  // method(a) = name
	opOutcome                 // outcome(a) = name
	opMethods                 // method(a) = method(b)
	opOutcomes                // outcome(a) = outcome(b)
	opValue                   // left = right
	opLess                    // left < right
	opAnd                     // all of kids
	opOr                      // one of kids
	opIff                     // kids[0] and kids[1] agree
	opExists                  // some elements in use for vars satisfy all of kids
)

// node is a formula over slots. neg negates the whole of it; it is never set on
// opAnd and opOr.
type node struct {
	op          nodeOp
	neg         bool
	a, b        int
	name        string
	left, right valueTerm
	kids        []*node
	vars        []int    // of opExists
	free        uint64   // slots that occur free
	orders      [][]step // of opExists: the join orders to choose from
}

// valueTerm is a value literal (slot < 0), or an argument or return value.
type valueTerm struct {
	slot  int
	ret   bool
	index int // from 0
	value history.Value
}

// Prepare makes a plan for f, whose free variables must be among those given.
// Declared predicates must have been expanded. Errors name what is unknown.
func Prepare(f formula.Formula, free ...string) (*Plan, error) {
	p := &preparer{scope: map[string]int{}}
	pl := &Plan{}
	for _, v := range free {
		pl.free = append(pl.free, p.bind(v))
	}
	pl.root = p.node(f, false)
	pl.slots = p.slots
	if len(free) > 0 {
		pl.tops = instanceBlocks(pl.root, pl.free)
	}
	if p.err == nil && p.slots > maxSlots {
		p.err = fmt.Errorf("formula: more than %d variables", maxSlots)
	}
	return pl, p.err
}

func instanceBlocks(root *node, free []int) (blocks []*node) {
	parts := []*node{root}
	if root.op == opOr {
		parts = root.kids
	}
	for _, part := range parts {
		b := &node{op: opExists, vars: free, kids: operands(part)}
		b.orders = joinOrders(b)
		blocks = append(blocks, b)
	}
	return blocks
}

// preparer translates a formula; the first error sticks.
type preparer struct {
	scope map[string]int
	slots int
	err   error
}

func (p *preparer) fail(format string, args ...any) *node {
	if p.err == nil {
		p.err = fmt.Errorf("formula: "+format, args...)
	}
	return &node{op: opConst}
}

func (p *preparer) bind(v string) int {
	s := p.slots
	p.scope[v] = s
	p.slots++
	return s
}

func (p *preparer) slot(v string) int {
	s, ok := p.scope[v]
	if !ok {
		p.fail("variable %s is not bound", v)
	}
	return s
}

// node translates f, or its negation.
func (p *preparer) node(f formula.Formula, neg bool) *node {
	switch f := f.(type) {
	case formula.Const:
		return &node{op: opConst, neg: bool(f) == neg}
	case formula.Atom:
		return p.atom(f, neg)
	case formula.Equal:
		n := p.equal(f.A, f.B)
		n.neg = n.neg != neg
		return n
	case formula.Less:
		n := p.values(opLess, f.A, f.B)
		n.neg = neg
		return n
	case formula.Not:
		return p.node(f.F, !neg)
	case formula.And:
		return p.nary(f, neg, neg)
	case formula.Or:
		return p.nary(f, !neg, neg)
	case formula.Implies:
		return p.nary([]formula.Formula{formula.Not{F: f.A}, f.B}, !neg, neg)
	case formula.Iff:
		kids := []*node{p.node(f.A, false), p.node(f.B, false)}
		return &node{op: opIff, neg: neg, kids: kids, free: kids[0].free | kids[1].free}
	case formula.Quantified:
		return p.quantified(f, neg)
	}
	return p.fail("cannot ground %T", f)
}

// nary translates operands into one conjunction or disjunction.
func (p *preparer) nary(fs []formula.Formula, or, neg bool) *node {
	kids := make([]*node, len(fs))
	for i, f := range fs {
		kids[i] = p.node(f, neg)
	}
	if or {
		return connect(opOr, kids)
	}
	return connect(opAnd, kids)
}

// groundAtoms are the predicates that a Partial interprets.
var groundAtoms = map[string]struct {
	op   nodeOp
	args int
}{
	"before": {opBefore, 2}, "unmatched": {opUnmatched, 1}, "completed": {opCompleted, 1},
	"readonly": {opReadOnly, 1}, "used": {opUsed, 1},
}

func (p *preparer) atom(f formula.Atom, neg bool) *node {
	a, ok := groundAtoms[f.Name]
	if !ok {
		return p.fail("unknown predicate %s", f.Name)
	}
	if len(f.Args) != a.args {
		return p.fail("%s takes %d variables, not %d", f.Name, a.args, len(f.Args))
	}
	n := &node{op: a.op, neg: neg, a: p.slot(f.Args[0])}
	n.free = 1 << n.a
	if a.args == 2 {
		n.b = p.slot(f.Args[1])
		n.free |= 1 << n.b
	}
	return n
}

// quantified translates a block. Forall is the negation of exists, negated.
func (p *preparer) quantified(f formula.Quantified, neg bool) *node {
	outer := make(map[string]int, len(f.Vars))
	vars := make([]int, len(f.Vars))
	for i, v := range f.Vars {
		if s, ok := p.scope[v]; ok {
			outer[v] = s
		}
		vars[i] = p.bind(v)
	}
	n := exists(vars, p.node(f.Body, f.Forall))
	for _, v := range f.Vars {
		delete(p.scope, v)
	}
	for v, s := range outer {
		p.scope[v] = s
	}
	if f.Forall == neg {
		return n
	}
	return negate(n)
}

// equal translates an equation.
func (p *preparer) equal(a, b formula.Term) *node {
	if a.Fn == "" && a.Var == "" || b.Fn == "match" && a.Fn != "match" {
		a, b = b, a // constants to the right, match to the left
	}
	switch a.Fn {
	case "", "match":
		return p.equalOps(a, b)
	case "method":
		return p.equalNames(opMethod, opMethods, a, b)
	case "outcome":
		return p.equalNames(opOutcome, opOutcomes, a, b)
	}
	return p.values(opValue, a, b)
}

// values translates an equation or comparison of values.
func (p *preparer) values(op nodeOp, a, b formula.Term) *node {
	n := &node{op: op, left: p.value(a), right: p.value(b)}
	for _, t := range []valueTerm{n.left, n.right} {
		if t.slot >= 0 {
			n.free |= 1 << t.slot
		}
	}
	return n
}

func (p *preparer) equalOps(a, b formula.Term) *node {
	if a.Fn == "" && a.Var == "" { // two constants
		return &node{op: opConst, neg: a.Name != b.Name || a.Sort != b.Sort}
	}
	n := &node{a: p.slot(a.Var)}
	switch {
	case b.Var == "" || b.Fn != "" && b.Fn != "match":
		return p.fail("%s is compared with a term of another sort", a.Var)
	case a.Fn == "":
		n.op = opSame
	case b.Fn == "":
		n.op = opMatch
	default:
		n.op = opMatches
	}
	n.b = p.slot(b.Var)
	n.free = 1<<n.a | 1<<n.b
	return n
}

func (p *preparer) equalNames(withConstant, withTerm nodeOp, a, b formula.Term) *node {
	n := &node{op: withConstant, a: p.slot(a.Var), name: b.Name}
	n.free = 1 << n.a
	if b.Fn == "" {
		return n
	}
	if b.Fn != a.Fn {
		return p.fail("%s is compared with %s", a.Fn, b.Fn)
	}
	n.op, n.b = withTerm, p.slot(b.Var)
	n.free |= 1 << n.b
	return n
}

func (p *preparer) value(t formula.Term) valueTerm {
	switch {
	case t.Fn == "arg" || t.Fn == "ret":
		return valueTerm{slot: p.slot(t.Var), ret: t.Fn == "ret", index: max(t.Index, 1) - 1}
	case t.Fn != "" || t.Var != "":
		p.fail("%s(%s) is compared with a value", t.Fn, t.Var)
	}
	return valueTerm{slot: -1, value: history.Value(t.Name)}
}

// OneMatch reports whether the formula says "some operations exist such that",
// where all its variables, those of inner quantifiers included, are tied to
// each other by match: whether operations satisfy it then depends on the
// operations of one match, or one unmatched operation, alone.
func (pl *Plan) OneMatch() bool {
	return pl.root.op == opExists && !pl.root.neg && pl.root.free == 0 && pl.root.oneMatch()
}

// oneMatch: what is free here is tied already, and reaches all of vars.
func (n *node) oneMatch() bool {
	if n.op == opExists {
		tied, all := n.free, n.free
		for _, v := range n.vars {
			all |= 1 << v
		}
		if tied == 0 {
			tied = 1 << n.vars[0]
		}
		for range n.vars {
			for _, k := range n.kids {
				if (k.op == opMatch || k.op == opMatches) && !k.neg && k.free&tied != 0 {
					tied |= k.free
				}
			}
		}
		if tied != all {
			return false
		}
	}
	return !slices.ContainsFunc(n.kids, func(k *node) bool { return k.op == opExists && k.free == 0 || !k.oneMatch() })
}
