package clauses

import (
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
)

// structural is an axiom about the order of operations of one or two matches,
//
//	forall x1:Op, ..., xn:Op. A -> B
//
// where A has no quantifiers, and those of B are existential, none is negated,
// and each variable is in the match of another one: exists r:Op. match(r) = x1.
//
// Such an axiom is broken by operations x1, ..., xn, of at most two matches, and
// by what these matches do not have. So each history that breaks it embeds a
// small one that does, of x1, ..., xn and at most one operation more of each
// kind that is not read-only. Conversely, a history that embeds a small one has
// more read-only operations, which no quantifier of B lets stand for r, and more
// of the same kinds, which is excluded whatever else there is: that is checked.
// Therefore the minimal small histories say the same as the axioms.
//
// A may compare values that tell matches apart, arg(a1) < arg(a2). Then of two
// matches also matters whose key is the smaller one, and each history is tried
// both ways.
type structural struct {
	name     int // in Rules.Names
	vars     int
	forall   bool // B has no quantifiers: what breaks it does so in each longer history
	violated func(s formula.Structure, ops []int) bool
}

// maxSmall bounds the operations of histories that are tried, maxWork what trying
// all of them takes: steps of evaluation, clauses that are looked at, and
// perHistory for listing one.
const (
	maxSmall   = 7
	maxWork    = 2_000_000
	perHistory = 20
)

// work counts steps. Too many put a theory out of the fragment; then it reports
// false.
func (c *compiler) work(steps int) bool {
	if c.worked += steps; c.worked > maxWork {
		c.fail("the axioms", "too many histories would have to be tried, for the operations and variables that there are")
	}
	return c.err == nil
}

// structuralAxiom takes an axiom apart; false if it is not of the form.
func (c *compiler) structuralAxiom(name int, f formula.Formula) (structural, bool) {
	var vars []string
	for {
		q, ok := f.(formula.Quantified)
		if !ok || !q.Forall {
			break
		}
		vars, f = append(vars, q.Vars...), q.Body
	}
	a := structural{name: name, vars: len(vars), forall: true}
	var given []formula.Formula
	rest := f
	if i, ok := f.(formula.Implies); ok {
		given, rest = conjuncts(i.A), i.B
	}
	w := &walker{c: c, scope: slices.Clone(vars)}
	for _, g := range given {
		w.plain(g)
	}
	w.positive(rest)
	if w.bad || groups(vars, given) > 2 || len(vars) == 0 {
		return a, false
	}
	a.forall = !w.exists
	holds := formula.Compile(formula.Quantified{Forall: true, Vars: vars, Body: f})
	a.violated = func(s formula.Structure, ops []int) bool { return !holds(s, ops) }
	return a, true
}

func conjuncts(f formula.Formula) []formula.Formula {
	if and, ok := f.(formula.And); ok {
		var all []formula.Formula
		for _, g := range and {
			all = append(all, conjuncts(g)...)
		}
		return all
	}
	return []formula.Formula{f}
}

// groups counts the matches that variables are in, given equations.
func groups(vars []string, given []formula.Formula) int {
	group := map[string]string{}
	var find func(v string) string
	find = func(v string) string {
		if g, ok := group[v]; ok && g != v {
			return find(g)
		}
		return v
	}
	for _, g := range given {
		if e, ok := g.(formula.Equal); ok && ofMatch(e.A) && ofMatch(e.B) {
			group[find(e.A.Var)] = find(e.B.Var)
		}
	}
	var roots []string
	for _, v := range vars {
		if r := find(v); !slices.Contains(roots, r) {
			roots = append(roots, r)
		}
	}
	return len(roots)
}

// ofMatch tells whether a term is an operation or its match target.
func ofMatch(t formula.Term) bool { return t.Var != "" && (t.Fn == "" || t.Fn == "match") }

// walker looks for what keeps an axiom out of the form.
type walker struct {
	c      *compiler
	scope  []string
	exists bool
	bad    bool
}

// plain wants no quantifiers, and of values only which match's key is smaller.
func (w *walker) plain(f formula.Formula) {
	switch f := f.(type) {
	case formula.Equal:
		w.bad = w.bad || formula.SortOf(f.A) == formula.ValueSort
	case formula.Less:
		w.bad = w.bad || !w.c.isKey(f.A) || !w.c.isKey(f.B)
	case formula.Atom:
		w.bad = w.bad || f.Name != "before" && f.Name != "unmatched" && f.Name != "readonly"
	case formula.Not:
		w.plain(f.F)
	case formula.And:
		w.each(f, w.plain)
	case formula.Or:
		w.each(f, w.plain)
	case formula.Implies:
		w.each([]formula.Formula{f.A, f.B}, w.plain)
	case formula.Iff:
		w.each([]formula.Formula{f.A, f.B}, w.plain)
	case formula.Const:
	default:
		w.bad = true
	}
}

func (w *walker) each(fs []formula.Formula, visit func(formula.Formula)) {
	for _, f := range fs {
		visit(f)
	}
}

// positive also allows existential quantifiers that are not negated.
func (w *walker) positive(f formula.Formula) {
	switch f := f.(type) {
	case formula.And:
		w.each(f, w.positive)
	case formula.Or:
		w.each(f, w.positive)
	case formula.Implies:
		w.plain(f.A)
		w.positive(f.B)
	case formula.Quantified:
		w.exists = true
		w.bad = w.bad || f.Forall
		for _, v := range f.Vars {
			w.bad = w.bad || !w.tied(v, conjuncts(f.Body))
			w.scope = append(w.scope, v)
		}
		w.positive(f.Body)
	default:
		w.plain(f)
	}
}

// tied tells whether conjuncts make v the match target of an earlier variable; or
// put it into its match, as something that is not read-only.
func (w *walker) tied(v string, body []formula.Formula) bool {
	for _, g := range body {
		e, ok := g.(formula.Equal)
		if !ok || !ofMatch(e.A) || !ofMatch(e.B) {
			continue
		}
		a, b := e.A, e.B
		if b.Var == v {
			a, b = b, a
		}
		if a.Var == v && slices.Contains(w.scope, b.Var) && b.Var != v {
			if a.Fn == "" && b.Fn == "match" || w.writes(v, body) {
				return true
			}
		}
	}
	return false
}

// writes tells whether conjuncts exclude that v is read-only, by its label.
func (w *walker) writes(v string, body []formula.Formula) bool {
	for i := range w.c.r.Kinds {
		if k := &w.c.r.Kinds[i]; k.ReadOnly && k.Target >= 0 && !excluded(k, v, body) {
			return false
		}
	}
	return true
}

func excluded(k *Kind, v string, body []formula.Formula) bool {
	return slices.ContainsFunc(body, func(g formula.Formula) bool {
		e, ok := g.(formula.Equal)
		if !ok || e.B.Var != "" || e.A.Var != v {
			return false
		}
		return e.A.Fn == "method" && e.B.Name != k.Method || e.A.Fn == "outcome" && e.B.Name != string(k.Outcome)
	})
}

// isKey tells whether a term is the key of an operation's match, if it is
// anything, and there is only one sort of matches that have keys.
func (c *compiler) isKey(t formula.Term) bool {
	p := Place{Ret: t.Fn == "ret", Index: max(t.Index, 1) - 1}
	targets := 0
	for i := range c.r.Kinds {
		k := &c.r.Kinds[i]
		n := k.Args
		if p.Ret {
			n = k.Rets
		}
		if p.Index < n && !slices.Equal(k.Key, []Place{p}) {
			return false
		}
		if k.Joiners != 0 {
			targets++
		}
	}
	return t.Var != "" && targets == 1
}

// small is an order of operations as a structure.
type small struct {
	*compiler
	order []event
	keys  relation
}

// Len is asked in each step of an evaluation, which ends soon if it is 0.
func (s *small) Len() int {
	if !s.work(1) {
		return 0
	}
	return len(s.order)
}

func (s *small) Label(i int) *history.Label {
	k := &s.r.Kinds[s.order[i].kind]
	l := &history.Label{Kind: k.Kind}
	if len(s.r.Compared) > 0 && len(k.Key) == 1 {
		l.Args, l.Rets = make([]history.Value, k.Args), make([]history.Value, k.Rets)
		key := history.Value("1")
		if (s.order[i].group == 0) == (s.keys == larger) {
			key = "2"
		}
		if p := k.Key[0]; p.Ret {
			l.Rets[p.Index] = key
		} else {
			l.Args[p.Index] = key
		}
	}
	return l
}
func (s *small) Before(i, j int) bool { return i < j }
func (s *small) ReadOnly(i int) bool  { return s.r.Kinds[s.order[i].kind].ReadOnly }
func (s *small) Completed(int) bool   { return true }

func (s *small) Match(i int) int {
	k := &s.r.Kinds[s.order[i].kind]
	switch k.Role {
	case Self:
		return i
	case Alone:
		return history.Unmatched
	}
	for j, e := range s.order {
		if e.group == s.order[i].group && e.kind == k.Target {
			return j
		}
	}
	return history.Unmatched
}

// derive turns structural axioms into clauses.
func (c *compiler) derive() {
	if len(c.structural) == 0 || c.err != nil {
		return
	}
	c.r.FromAxioms = true
	for i := range c.r.Kinds {
		k := &c.r.Kinds[i]
		if k.Role == Optional {
			c.fail("the axioms", "whether %s has another match target depends on what is to come", k.Kind)
			return
		}
		if k.Role == Other && k.Alone < 0 {
			if name, broken := c.broken([]event{{i, 0}}, 0, false); broken {
				k.Alone = name
			}
		}
	}
	readers := 0
	for _, a := range c.structural {
		readers = max(readers, a.vars)
	}
	var singles [][]event
	for i := range c.r.Kinds {
		if k := &c.r.Kinds[i]; k.Role == Self || k.Role == Alone {
			singles = append(singles, c.companies(k, readers)...)
			c.twice(k)
		}
	}
	if c.err != nil {
		return
	}
	all := slices.Clone(singles)
	for i, a := range singles {
		for _, b := range singles[i:] {
			if !c.work(perHistory) {
				return
			}
			if both := slices.Clone(a); len(a)+len(b) <= maxSmall && c.readersIn(a)+c.readersIn(b) <= readers {
				for _, e := range b {
					both = append(both, event{e.kind, 1})
				}
				all = append(all, both)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b []event) int { return len(a) - len(b) })
	for _, events := range all {
		if c.err != nil {
			return
		}
		permute(slices.Clone(events), c.tryOrder)
	}
}

// companies are the members that a match may have: its target, some writers, and
// some readers.
func (c *compiler) companies(k *Kind, readers int) (all [][]event) {
	for w := k.Writers; ; w = (w - 1) & k.Writers {
		base := append([]event{{k.Index, 0}}, each(w, 0)...)
		if len(base) > maxSmall {
			c.fail("the axioms", "matches of %s have too many kinds of operations", k.Kind)
			return nil
		}
		all = append(all, c.withReaders(base, each(k.Joiners&^k.Writers, 0), readers)...)
		if w == 0 || c.err != nil {
			return all
		}
	}
}

// withReaders adds up to n readers in all ways.
func (c *compiler) withReaders(base, kinds []event, n int) (all [][]event) {
	all = append(all, base)
	if n == 0 || len(base) == maxSmall || !c.work(perHistory) {
		return all
	}
	for i, e := range kinds {
		all = append(all, c.withReaders(append(slices.Clone(base), e), kinds[i:], n-1)...)
	}
	return all
}

func (c *compiler) readersIn(events []event) (n int) {
	for _, e := range events {
		if k := &c.r.Kinds[e.kind]; k.ReadOnly && k.Role == Other {
			n++
		}
	}
	return n
}

// twice wants that two writers of a kind in one match are excluded, in all orders
// and whatever else there is; and adds clauses that say so.
func (c *compiler) twice(k *Kind) {
	for _, e := range each(k.Writers, 0) {
		w := e.kind
		permute([]event{{k.Index, 0}, e, e}, func(order []event) {
			name, broken := c.broken(order, 0, true)
			if !broken {
				c.fail("the axioms", "they do not exclude two operations %s in one match without looking at others", c.r.Kinds[w].Kind)
				return
			}
			others := k.Writers &^ (1 << w)
			for more := others; ; more = (more - 1) & others {
				c.insertAll(name, order, each(more, 0))
				if more == 0 || c.err != nil {
					return
				}
			}
		})
	}
}

// insertAll adds clauses for an order with more operations at any places.
func (c *compiler) insertAll(name int, order, more []event) {
	if len(more) == 0 {
		if c.work(len(c.r.Clauses)) && !c.r.violates(order, 0) {
			c.addOrder(name, order, 0)
		}
		return
	}
	for i := range len(order) + 1 {
		if c.err != nil {
			return
		}
		c.insertAll(name, slices.Insert(slices.Clone(order), i, more[0]), more[1:])
	}
}

// broken names an axiom that an order breaks; if plain, one without quantifiers.
func (c *compiler) broken(order []event, keys relation, plain bool) (name int, broken bool) {
	for _, a := range c.structural {
		if (a.forall || !plain) && a.violated(&small{c, order, keys}, nil) {
			return a.name, true
		}
	}
	return 0, false
}

// tryOrder adds the clause of an order that breaks an axiom, unless there is one
// that says more.
func (c *compiler) tryOrder(order []event) {
	var names [2]int
	var found []relation
	all := c.r.relations(order)
	if !c.work(len(c.r.Clauses)) {
		return
	}
	for _, keys := range all {
		if c.err != nil || c.r.violates(order, keys) {
			continue
		}
		if name, broken := c.broken(order, keys, false); broken {
			names[len(found)] = name
			found = append(found, keys)
		}
	}
	if len(found) == 2 && names[0] == names[1] {
		found = []relation{0} // whichever is smaller
	}
	for i, keys := range found {
		c.addOrder(names[i], order, keys)
	}
}

// addOrder adds a clause.
func (c *compiler) addOrder(name int, order []event, keys relation) {
	cl := Clause{Patterns: []int{name}, keys: keys}
	first := order[0].group
	if first == 1 {
		cl.keys = -keys
	}
	for i, e := range order {
		p := Position{Kind: e.kind, Group: e.group ^ first}
		if i > 0 {
			p.Links = []Link{{i - 1, true}}
		}
		cl.Positions = append(cl.Positions, p)
	}
	for g := range 2 {
		s := c.r.shapeIn(order, g^first)
		if s < 0 {
			break
		}
		cl.Shapes = append(cl.Shapes, s)
		sh := c.r.Shapes[s]
		cl.Forbid[g] = c.r.Kinds[sh.Target].Writers &^ sh.Writers
	}
	c.r.Clauses = append(c.r.Clauses, cl)
}
