package saturate

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
	name    string
	methods []method
	byName  map[string]int // methods by name and alias
	kinds   []kind
	axioms  []axiom
	uniques []unique
	clauses []clause // from the patterns, then what follows from two of them
	names   []string // of patterns, then of axioms

	shapes   []shape
	shapeOf  map[shape]int
	one      [][]int32 // clauses about one match, by its shape
	two      [][]pairing
	refuters [][]int32 // clauses that end with a kind, by kind
	pivots   [][]pivot // by shape*len(kinds)+kind
	listed   []int32   // likewise: the series that lists such operations, or -1
	series   int       // number of series
	closable []bool    // by shape
}

// method is a method with the numbers of its kinds.
type method struct {
	theory.Method
	index int32
	kinds []int
	mask  kinds

	targets []int // kinds that may be a match target with a key, all of whose keys are arguments
	uniques []int // rules of the language that the call alone is subject to
}

// role says what an operation of a kind matches.
type role uint8

const (
	alone    role = iota // nothing, ever: a match of its own that nothing joins
	self                 // itself, always
	other                // another operation; without one it violates
	optional             // another operation if there is one
)

// kind is a method with an outcome, and all that its labels say.
type kind struct {
	history.Kind
	index      int
	method     int
	args, rets int
	readOnly   bool

	role    role
	target  int     // the kind of the match target; of itself if it is one
	key     []place // where the operation says which target it has; empty: nothing else joins
	claims  []claim // what axioms say of its labels
	uniques []int   // rules of the language that hold its operations apart
	alone   int     // the pattern that it violates without a match target, or -1
	joiners kinds   // of a target: the kinds that may have it
	writers kinds   // those of joiners that are not read-only
	slot    int     // of a target 0, of the writers 1 and up, of others -1
}

// kinds is a set of kinds.
type kinds uint64

func (ks kinds) has(k int) bool { return ks>>k&1 == 1 }

// maxKinds bounds the kinds of a theory.
const maxKinds = 64

// axiom is a statement about one operation's label.
type axiom struct{ name string }

// claim is an axiom as far as it depends on values: one of the conjunctions
// must hold.
type claim struct {
	axiom int
	holds residual
}

// unique is a rule of the language: no two operations of some kinds agree on
// the values at some places.
type unique struct {
	theory.Rule
	kinds kinds
	key   []place
}

// Compile makes a theory ready. The error is an *Unsupported if the theory is
// outside the fragment that the package comment describes.
func Compile(t *theory.Theory) (*Rules, error) {
	c := &compiler{t: t, r: &Rules{name: t.Name, byName: map[string]int{}, shapeOf: map[shape]int{}}}
	steps := []func(){c.labels, c.matching, c.language, c.axioms, c.patterns, c.prefixClosed, c.implicates, c.index, c.settle}
	for _, step := range steps {
		if step(); c.err != nil {
			return nil, c.err
		}
	}
	return c.r, nil
}

type compiler struct {
	t   *theory.Theory
	r   *Rules
	err error
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
	if c.t.Spec.Matching.Mode == theory.Past {
		c.fail("the matching", "its mode is past: what an operation matches depends on the order")
	}
	for i, m := range c.t.Spec.Methods {
		for _, a := range m.Aliases {
			c.r.byName[a] = i
		}
		out := method{Method: m, index: int32(i)}
		for _, o := range m.Outcomes {
			k := kind{Kind: history.Kind{Method: m.Name, Outcome: o.Outcome}, index: len(c.r.kinds), method: i,
				args: m.Args, rets: o.Rets, target: -1, alone: -1}
			out.kinds = append(out.kinds, k.index)
			c.r.kinds = append(c.r.kinds, k)
		}
		c.r.methods = append(c.r.methods, out)
	}
	if len(c.r.kinds) > maxKinds {
		c.fail("the methods", "there are more than %d kinds of operations", maxKinds)
		return
	}
	for i := range c.r.methods { // a name wins over an alias
		m := &c.r.methods[i]
		c.r.byName[m.Name] = i
		for _, k := range m.kinds {
			m.mask |= 1 << k
		}
	}
}

// language turns every rule into a unique.
func (c *compiler) language() {
	for _, r := range c.t.Spec.Language {
		c.rule(r)
	}
	for i := range c.r.kinds {
		k := &c.r.kinds[i]
		if k.role == self && k.joiners != 0 && !c.distinct(k) {
			c.fail("the language", "it does not keep the match targets %s apart", k.Kind)
		}
	}
}

// distinct tells whether the language lets no two operations of the kind have
// one key.
func (c *compiler) distinct(k *kind) bool {
	return slices.ContainsFunc(c.r.uniques, func(u unique) bool {
		return u.kinds.has(k.index) && !slices.ContainsFunc(u.key, func(p place) bool { return !slices.Contains(k.key, p) })
	})
}

func (c *compiler) rule(r theory.Rule) {
	what := "rule " + r.Name
	q, ok := c.expand(r.Formula).(formula.Quantified)
	if !ok || !q.Forall || len(q.Vars) != 2 {
		c.fail(what, "it is not about two operations")
		return
	}
	u := unique{Rule: r}
	for i := range c.r.kinds {
		for j := range c.r.kinds {
			s := specializer{x: q.Vars[0], y: q.Vars[1], kx: &c.r.kinds[i], ky: &c.r.kinds[j]}
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
func (u *unique) add(i, j int, breaks residual) bool {
	if len(breaks) != 1 || len(breaks[0]) == 0 {
		return false
	}
	var key []place
	for _, e := range breaks[0] {
		if !e[1].second || e[0].second || e[0] != (place{ret: e[1].ret, i: e[1].i}) {
			return false
		}
		key = append(key, e[0])
	}
	slices.SortFunc(key, comparePlaces)
	if u.kinds != 0 && !slices.Equal(u.key, key) {
		return false
	}
	u.kinds |= 1<<i | 1<<j
	u.key = key
	return true
}

func comparePlaces(a, b place) int {
	if a.ret != b.ret {
		if b.ret {
			return -1
		}
		return 1
	}
	return a.i - b.i
}

func (c *compiler) addUnique(u unique, what string) {
	if u.kinds == 0 {
		return
	}
	for i := range c.r.kinds { // every pair must break it, not just some
		for j := range c.r.kinds {
			if u.kinds.has(i) && u.kinds.has(j) && !c.breaks(u.Rule, i, j) {
				c.fail(what, "it keeps some kinds apart from others, but not from themselves")
				return
			}
		}
	}
	n := len(c.r.uniques)
	c.r.uniques = append(c.r.uniques, u)
	byCall := !slices.ContainsFunc(u.key, func(p place) bool { return p.ret })
	for i := range c.r.methods {
		m := &c.r.methods[i]
		if byCall && m.mask != 0 && m.mask&^u.kinds == 0 {
			m.uniques = append(m.uniques, n)
			continue
		}
		for _, k := range m.kinds {
			if u.kinds.has(k) {
				c.r.kinds[k].uniques = append(c.r.kinds[k].uniques, n)
			}
		}
	}
}

func (c *compiler) breaks(r theory.Rule, i, j int) bool {
	q := c.expand(r.Formula).(formula.Quantified)
	s := specializer{x: q.Vars[0], y: q.Vars[1], kx: &c.r.kinds[i], ky: &c.r.kinds[j]}
	return len(s.eval(q.Body, true)) > 0
}

// axioms turns every axiom into claims about labels.
func (c *compiler) axioms() {
	for i, a := range c.t.Spec.Axioms {
		q, ok := c.expand(a.Formula).(formula.Quantified)
		if !ok || !q.Forall || len(q.Vars) != 1 {
			c.fail("axiom "+a.Name, "it is not about the label of one operation")
			return
		}
		c.r.axioms = append(c.r.axioms, axiom{a.Name})
		for k := range c.r.kinds {
			s := specializer{x: q.Vars[0], kx: &c.r.kinds[k]}
			holds := s.eval(q.Body, false)
			if s.err != nil {
				c.fail("axiom "+a.Name, "%v", s.err)
				return
			}
			if !holds.isTrue() {
				c.r.kinds[k].claims = append(c.r.kinds[k].claims, claim{i, holds})
			}
		}
	}
}
