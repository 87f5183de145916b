package clauses

import (
	"fmt"
	"iter"
	"math/bits"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/theory"
)

// Rules is a theory as clauses. It is never changed and safe for concurrent use.
type Rules struct {
	Name    string // of the theory
	Methods []Method
	Kinds   []Kind
	Axioms  []string // those about the label of one operation, by name
	Uniques []Unique
	Clauses []Clause // from the patterns, then what follows from two of them
	Names   []string // of patterns, then of axioms about orders

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
	Closable []bool    // by shape: matches that may be forgotten once nothing overlaps them

	Overwriters [][]int32 // by shape: matches of which shapes, coming later, make one that may be forgotten
	Overwrites  []bool    // by shape: whether it is among those of any
	Early       Kinds     // what says nothing if it comes before the target and the writers of its match

	labels *logs.Table
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
	Unmatched Role = iota // nothing, ever: a match of its own that nothing joins
	Self                  // itself, always
	Other                 // another operation; without one it violates
	Optional              // another operation if there is one
)

// Kind is a method with an outcome, and all that its labels say.
type Kind struct {
	history.Kind
	Index      int
	Args, Rets int
	ReadOnly   bool

	Role          Role
	Target        int     // the kind of the match target; of itself if it is one
	Key           []Place // where the operation says which target it has; empty: nothing else joins
	Claims        []Claim // what axioms say of its labels
	Uniques       []int   // rules of the language that hold its operations apart
	WithoutTarget int     // the pattern that it violates without a match target, or -1
	Joiners       Kinds   // of a target: the kinds that may have it
	Writers       Kinds   // those of joiners that are not read-only
	SecondNeeds   Kinds   // of a target: a second one is admitted only beside one of these joiners; none: nothing is known
	Slot          int     // of a target 0, of the writers 1 and up, of others -1
}

// Kinds is a set of kinds.
type Kinds uint64

// maxKinds bounds the kinds of a theory.
const maxKinds = 64

// Has reports whether kind k is in the set.
func (ks Kinds) Has(k int) bool { return ks>>k&1 == 1 }

// Len counts the kinds.
func (ks Kinds) Len() int { return bits.OnesCount64(uint64(ks)) }

// All yields the kinds, in order.
func (ks Kinds) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; ks != 0; ks &= ks - 1 {
			if !yield(bits.TrailingZeros64(uint64(ks))) {
				return
			}
		}
	}
}

// subsets yields all subsets of the set, itself first.
func (ks Kinds) subsets() iter.Seq[Kinds] {
	return func(yield func(Kinds) bool) {
		for sub := ks; yield(sub) && sub != 0; {
			sub = (sub - 1) & ks
		}
	}
}

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

// Unsupported is the error of a theory outside the fragment that the package
// comment describes. Engines that ground formulas can use the theory.
type Unsupported struct {
	Theory string
	What   string // the part of the theory: "pattern two-adds"
	Why    string
}

func (e *Unsupported) Error() string {
	return fmt.Sprintf("check: theory %s cannot be turned into clauses: %s: %s", e.Theory, e.What, e.Why)
}

// Compile makes a theory ready. The error is an *Unsupported if the theory is
// outside the fragment that the package comment describes.
func Compile(t *theory.Theory) (*Rules, error) {
	return compile(t, true)
}

// OfPatterns is Compile without all that follows from several patterns, which
// only unit propagation needs: derived clauses, the tables by shape, what may be forgotten.
func OfPatterns(t *theory.Theory) (*Rules, error) {
	return compile(t, false)
}

func compile(t *theory.Theory, all bool) (*Rules, error) {
	switch h := t.Spec.Headline(); {
	case h == theory.ByModel:
		return nil, &Unsupported{t.Name, "the model " + t.Spec.Model.Package, "it is a reference that runs, and has no formulas"}
	case h != theory.ByPatterns:
		return nil, &Unsupported{t.Name, "the description by " + string(h), "it runs, and has no formulas"}
	}
	c := &compiler{t: t, r: &Rules{Name: t.Name, ShapeOf: map[Shape]int{}, labels: logs.New(t.Spec.Methods)}}
	steps := []func(){c.kinds, c.matching, c.language, c.beyond, c.axioms, c.patterns, c.prefixClosed}
	if all {
		steps = append(steps, c.implicates, c.index, c.closable)
	}
	for _, step := range steps {
		if step(); c.err != nil {
			return nil, c.err
		}
	}
	return c.r, nil
}

// compiler turns a theory into rules, step by step.
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

// kinds numbers methods and kinds.
func (c *compiler) kinds() {
	if c.t.Spec.Matching.Past {
		c.fail("the matching", "its mode is past: what an operation matches depends on the order")
	}
	if w := c.t.Spec.Width; w > 1 {
		c.fail("its width", "it is %d: operations take effect while they overlap, and no clause is about that; engine symbolic takes the theory", w)
	}
	for i, m := range c.t.Spec.Methods {
		out := Method{MethodSig: m, Index: int32(i)}
		for _, o := range m.Outcomes {
			k := len(c.r.Kinds)
			out.Kinds, out.Mask = append(out.Kinds, k), out.Mask|1<<k
			c.r.Kinds = append(c.r.Kinds, Kind{Kind: history.Kind{Method: m.Name, Outcome: o.Outcome}, Index: k,
				Args: m.Args, Rets: o.Rets, Target: -1, WithoutTarget: -1})
		}
		c.r.Methods = append(c.r.Methods, out)
	}
	if len(c.r.Kinds) > maxKinds {
		c.fail("the methods", "there are more than %d kinds of operations", maxKinds)
	}
}

func (c *compiler) kindOf(k history.Kind) *Kind {
	for i := range c.r.Kinds {
		if c.r.Kinds[i].Kind == k {
			return &c.r.Kinds[i]
		}
	}
	return nil
}
