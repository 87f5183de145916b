package clauses

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Rules is a theory made ready for monitoring. It is never changed and safe for
// concurrent use.
type Rules struct {
	Name    string // of the theory
	Methods []Method
	byName  map[string]int // methods by name and alias
	Kinds   []Kind
	Axioms  []Axiom
	Uniques []Unique
	Clauses []Clause // from the patterns, then what follows from two of them
	Names   []string // of patterns, then of axioms about orders

	Compared []formula.Term // places of labels whose values some axiom compares by <

	// FromAxioms: some clauses come from axioms. Those named by PatternsOf may then
	// need others to exclude what they exclude together.
	FromAxioms bool

	Shapes   []Shape
	ShapeOf  map[Shape]int
	One      [][]int32 // clauses about one match, by its shape
	Two      [][]Pairing
	Refuters [][]int32 // clauses that end with a kind, by kind
	Pivots   [][]Pivot // by shape*len(kinds)+kind
	Listed   []int32   // likewise: the series that lists such operations, or -1
	Series   int       // number of series
	Closable []bool    // by shape
}

// Method is a method with the numbers of its kinds.
type Method struct {
	history.MethodSig
	Index int32
	Kinds []int
	Mask  Kinds

	Targets []int // kinds that may be a match target with a key, all of whose keys are arguments
	Uniques []int // rules of the language that the call alone is subject to
}

// Role says what an operation of a kind matches.
type Role uint8

const (
	Alone    Role = iota // nothing, ever: a match of its own that nothing joins
	Self                 // itself, always
	Other                // another operation; without one it violates
	Optional             // another operation if there is one
)

// Kind is a method with an outcome, and all that its labels say.
type Kind struct {
	history.Kind
	Index       int
	MethodIndex int
	Args, Rets  int
	ReadOnly    bool

	Role    Role
	Target  int     // the kind of the match target; of itself if it is one
	Key     []Place // where the operation says which target it has; empty: nothing else joins
	Claims  []Claim // what axioms say of its labels
	Uniques []int   // rules of the language that hold its operations apart
	Alone   int     // the pattern that it violates without a match target, or -1
	Joiners Kinds   // of a target: the kinds that may have it
	Writers Kinds   // those of joiners that are not read-only
	Again   Kinds   // of a target: a second one is admitted only beside one of these joiners; none: nothing is known
	Slot    int     // of a target 0, of the writers 1 and up, of others -1
}

// Kinds is a set of kinds.
type Kinds uint64

func (ks Kinds) Has(k int) bool { return ks>>k&1 == 1 }

// maxKinds bounds the kinds of a theory.
const maxKinds = 64

// Axiom is a statement about one operation's label.
type Axiom struct{ Name string }

// Claim is an axiom as far as it depends on values: one of the conjunctions
// must hold.
type Claim struct {
	Axiom int
	Holds Residual
}

// Unique is a rule of the language: no two operations of some kinds agree on
// the values at some places.
type Unique struct {
	theory.Rule
	Kinds Kinds
	Key   []Place
}

// Compile makes a theory ready. The error is an *Unsupported if the theory is
// outside the fragment that the package comment describes.
func Compile(t *theory.Theory) (*Rules, error) {
	return compile(t, true)
}

// OfPatterns is Compile without all that follows from several patterns, which
// only unit propagation needs: derived clauses, the tables by shape, Closable.
func OfPatterns(t *theory.Theory) (*Rules, error) {
	return compile(t, false)
}

func compile(t *theory.Theory, all bool) (*Rules, error) {
	c := &compiler{t: t, r: &Rules{Name: t.Name, byName: map[string]int{}, ShapeOf: map[Shape]int{}}}
	steps := []func(){c.labels, c.matching, c.language, c.beyond, c.axioms, c.patterns, c.prefixClosed}
	if all {
		steps = append(steps, c.implicates, c.index, c.settle)
	}
	for _, step := range steps {
		if step(); c.err != nil {
			return nil, c.err
		}
	}
	return c.r, nil
}

type compiler struct {
	t          *theory.Theory
	r          *Rules
	structural []structural
	worked     int // in trying what the axioms say
	err        error
}

func (c *compiler) fail(what, format string, args ...any) {
	if c.err == nil {
		c.err = &Unsupported{c.t.Name, what, fmt.Sprintf(format, args...)}
	}
}

func (c *compiler) expand(f formula.Formula) formula.Formula {
	return formula.Expand(f, c.t.Vocabulary())
}

// labels numbers methods and kinds.
func (c *compiler) labels() {
	if c.t.Spec.Matching.Past {
		c.fail("the matching", "its mode is past: what an operation matches depends on the order")
	}
	if w := c.t.Spec.Width; w > 1 {
		c.fail("its width", "it is %d: operations take effect while they overlap, and no clause is about that; engine symbolic takes the theory", w)
	}
	for i, m := range c.t.Spec.Methods {
		for _, a := range m.Aliases {
			c.r.byName[a] = i
		}
		out := Method{MethodSig: m, Index: int32(i)}
		for _, o := range m.Outcomes {
			k := Kind{Kind: history.Kind{Method: m.Name, Outcome: o.Outcome}, Index: len(c.r.Kinds), MethodIndex: i,
				Args: m.Args, Rets: o.Rets, Target: -1, Alone: -1}
			out.Kinds = append(out.Kinds, k.Index)
			c.r.Kinds = append(c.r.Kinds, k)
		}
		c.r.Methods = append(c.r.Methods, out)
	}
	if len(c.r.Kinds) > maxKinds {
		c.fail("the methods", "there are more than %d kinds of operations", maxKinds)
		return
	}
	for i := range c.r.Methods { // a name wins over an alias
		m := &c.r.Methods[i]
		c.r.byName[m.Name] = i
		for _, k := range m.Kinds {
			m.Mask |= 1 << k
		}
	}
}

// language turns every rule into a unique.
func (c *compiler) language() {
	for _, r := range c.t.Spec.Language {
		c.rule(r)
	}
	for i := range c.r.Kinds {
		k := &c.r.Kinds[i]
		if k.Role == Self && k.Joiners != 0 && !c.distinct(k) {
			c.fail("the language", "it does not keep the match targets %s apart", k.Kind)
		}
		for _, u := range k.Uniques { // a second target is looked for while it runs, nothing else
			if k.Joiners == 0 || !slices.Equal(c.r.Uniques[u].Key, k.Key) {
				c.fail("rule "+c.r.Uniques[u].Name, "it holds apart what %s returns", k.Kind)
			}
		}
	}
}

// distinct tells whether the language lets no two operations of the kind have
// one key.
func (c *compiler) distinct(k *Kind) bool {
	return slices.ContainsFunc(c.r.Uniques, func(u Unique) bool {
		return u.Kinds.Has(k.Index) && !slices.ContainsFunc(u.Key, func(p Place) bool { return !slices.Contains(k.Key, p) })
	})
}

func (c *compiler) rule(r theory.Rule) {
	what := "rule " + r.Name
	q, ok := c.expand(r.Formula).(formula.Quantified)
	if !ok || !q.Forall || len(q.Vars) != 2 {
		c.fail(what, "it is not about two operations")
		return
	}
	u := Unique{Rule: r}
	for i := range c.r.Kinds {
		for j := range c.r.Kinds {
			s := specializer{x: q.Vars[0], y: q.Vars[1], kx: &c.r.Kinds[i], ky: &c.r.Kinds[j]}
			breaks := s.eval(q.Body, true)
			if i == j {
				s.same = true
				if alone := s.eval(q.Body, true); len(alone) > 0 {
					s.fail("an operation can break it alone")
				}
			}
			if s.err != nil {
				c.fail(what, "%v", s.err)
				return
			}
			if len(breaks) > 0 && !u.add(i, j, breaks) {
				c.fail(what, "it does more than keep operations of some kinds apart by values")
				return
			}
		}
	}
	c.addUnique(u, what)
}

// add notes that kinds i and j break the rule where the residual holds.
func (u *Unique) add(i, j int, breaks Residual) bool {
	if len(breaks) != 1 || len(breaks[0]) == 0 {
		return false
	}
	var key []Place
	for _, e := range breaks[0] {
		if !e[1].Second || e[0].Second || e[0] != (Place{Ret: e[1].Ret, Index: e[1].Index}) {
			return false
		}
		key = append(key, e[0])
	}
	slices.SortFunc(key, comparePlaces)
	if u.Kinds != 0 && !slices.Equal(u.Key, key) {
		return false
	}
	u.Kinds |= 1<<i | 1<<j
	u.Key = key
	return true
}

func comparePlaces(a, b Place) int {
	if a.Ret != b.Ret {
		if b.Ret {
			return -1
		}
		return 1
	}
	return a.Index - b.Index
}

func (c *compiler) addUnique(u Unique, what string) {
	if u.Kinds == 0 {
		return
	}
	for i := range c.r.Kinds { // every pair must break it, not just some
		for j := range c.r.Kinds {
			if u.Kinds.Has(i) && u.Kinds.Has(j) && !c.breaks(u.Rule, i, j) {
				c.fail(what, "it keeps some kinds apart from others, but not from themselves")
				return
			}
		}
	}
	n := len(c.r.Uniques)
	c.r.Uniques = append(c.r.Uniques, u)
	byCall := !slices.ContainsFunc(u.Key, func(p Place) bool { return p.Ret })
	for i := range c.r.Methods {
		m := &c.r.Methods[i]
		if byCall && m.Mask != 0 && m.Mask&^u.Kinds == 0 {
			m.Uniques = append(m.Uniques, n)
			continue
		}
		for _, k := range m.Kinds {
			if u.Kinds.Has(k) {
				c.r.Kinds[k].Uniques = append(c.r.Kinds[k].Uniques, n)
			}
		}
	}
}

func (c *compiler) breaks(r theory.Rule, i, j int) bool {
	q := c.expand(r.Formula).(formula.Quantified)
	s := specializer{x: q.Vars[0], y: q.Vars[1], kx: &c.r.Kinds[i], ky: &c.r.Kinds[j]}
	return len(s.eval(q.Body, true)) > 0
}

// axioms turns every axiom into claims about labels, or keeps it for derive.
func (c *compiler) axioms() {
	for i := range c.t.Spec.Patterns {
		c.r.Names = append(c.r.Names, c.t.Spec.Patterns[i].Name)
	}
	for _, a := range c.t.Spec.Axioms {
		f := c.expand(a.Formula)
		why := "it is not about the label of one operation"
		if q, ok := f.(formula.Quantified); ok && q.Forall && len(q.Vars) == 1 {
			err := c.claims(a.Name, q)
			if err == nil {
				continue
			}
			why = err.Error()
		}
		s, ok := c.structuralAxiom(len(c.r.Names), f)
		if !ok {
			c.fail("axiom "+a.Name, "%s, nor about the order of operations of one or two matches", why)
			return
		}
		c.r.Names = append(c.r.Names, a.Name)
		c.r.Compared = append(c.r.Compared, formula.Compared(f)...)
		c.structural = append(c.structural, s)
	}
}

// claims adds the claims of an axiom about labels. The error says why it is none.
func (c *compiler) claims(name string, q formula.Quantified) error {
	claims := make([]Residual, len(c.r.Kinds))
	for k := range c.r.Kinds {
		s := specializer{x: q.Vars[0], kx: &c.r.Kinds[k]}
		claims[k] = s.eval(q.Body, false)
		if s.err != nil {
			return s.err
		}
	}
	for k, holds := range claims {
		if !holds.isTrue() {
			c.r.Kinds[k].Claims = append(c.r.Kinds[k].Claims, Claim{len(c.r.Axioms), holds})
		}
	}
	c.r.Axioms = append(c.r.Axioms, Axiom{name})
	return nil
}
