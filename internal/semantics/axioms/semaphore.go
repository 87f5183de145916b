package axioms

import (
	"context"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/theory"
)

// maxPermits bounds the permits of a semaphore: all orders of one value more are looked
// at. maxRank bounds how deep quantifiers of axioms are nested.
const (
	maxPermits = 4
	maxRank    = 6
)

// Semaphore is a data type in which at most Limit values are at a time, and any of them may leave, asked for by name.
type Semaphore struct {
	Add, Remove history.Kind
	Limit       int
}

// SemaphoreOf is the semaphore of which the axioms of a theory say all, and no more; nil if they do not, or
// if the context ends. Each axiom speaks of a few values at a time, so that is decided by
// looking at all sequences of as many values, for these reasons.
//
// SemaphoreOf compares a theory with this type by all sequences of a few values. That decides it, for these
// reasons.
//
// Call all operations of one value a part. Each axiom, and each rule of the language, must be such that its
// variables are either free or tied to the part of another variable, by an equation of arguments or of matches
// (about.Apart); and what is asked for, by an existential quantifier, is tied. Let q be the number of its free
// variables. If an axiom does not hold, the operations that show it are of at most q parts, and it does not hold
// in these parts alone: what is asked for would be in them. If it holds, it holds in any of the parts, since what
// was asked for is there. The same is so of a semaphore of n permits with n+1 parts. So if the two differ, they
// differ on a sequence of at most max(q, n+1) parts.
//
//   - A part with removes and no add is a sequence of equal operations. Formulas with d nested quantifiers do not
//     tell such a sequence of 2^d operations from longer ones, and all up to there must be excluded.
//   - A part with two removes or more and an add is excluded if axioms that ask for nothing exclude the three
//     orders of add, remove, remove: they exclude whatever has more operations, too.
//   - A remove before its add must be excluded. Of parts that are an add, or an add and a remove after it, all
//     orders are looked at.
//
// Values are exchangeable, as no formula names or compares any.
//
// As an automaton. Registers hold the values that are in, n at most: an add waits where there are n, and a remove
// where its value is in none of them. Of sequences in the language, in which no value is added twice, it admits
// those that a semaphore does, and evidence of violations rests on it (docs/proofs/evidence.md, claim 4).
func SemaphoreOf(ctx context.Context, t *theory.Theory) *Semaphore {
	p, ok := permitsOf(ctx, t)
	if !ok || !p.agree() {
		return nil
	}
	return &p.Semaphore
}

// Meaning is what a theory has as an automaton, a product or a control beside its formulas: the theory's own Spec. Otherwise it
// is Automaton, or the automaton of a semaphore, whose registers hold what is in, and that speaks of
// sequences in the language of the theory alone. Nil: it has none of these.
func Meaning(ctx context.Context, t *theory.Theory) *theory.Spec {
	if s := &t.Spec; s.Product != nil || s.Automaton != nil || s.Control != nil {
		return s
	}
	if s := Automaton(t); s != nil {
		return s
	}
	s := SemaphoreOf(ctx, t)
	if s == nil {
		return nil
	}
	return &theory.Spec{Width: t.Spec.Width, Methods: t.Spec.Methods, Automaton: s.automaton(t.Spec.Methods)}
}

// automaton has a location for each number of values that are in.
func (s *Semaphore) automaton(methods []history.MethodSig) *automata.Automaton {
	a := &automata.Automaton{Methods: methods}
	asked := automata.Term{Kind: automata.Argument}
	for in := range s.Limit + 1 {
		l := automata.Location{Name: "s" + strconv.Itoa(in+1)}
		var held []automata.Term
		for i := range in {
			l.Registers, held = append(l.Registers, "r"+strconv.Itoa(i+1)), append(held, automata.Term{Kind: automata.Register, Index: i})
		}
		add := automata.Transition{Method: s.Add.Method, Outcome: s.Add.Outcome, To: in + 1, Load: append(slices.Clone(held), asked)}
		if in == s.Limit {
			add = automata.Transition{Method: s.Add.Method, Blocks: true}
		}
		none := automata.Transition{Method: s.Remove.Method, Blocks: true}
		l.Transitions = append(l.Transitions, add)
		for i, r := range held {
			is := append(slices.Clone(none.Guard), automata.Condition{Left: asked, Op: automata.Equal, Right: r})
			l.Transitions = append(l.Transitions, automata.Transition{Method: s.Remove.Method, Guard: is, Outcome: s.Remove.Outcome, To: in - 1,
				Load: slices.Delete(slices.Clone(held), i, i+1)})
			none.Guard = append(none.Guard, automata.Condition{Left: asked, Op: automata.Differs, Right: r})
		}
		l.Transitions = append(l.Transitions, none)
		a.Locations = append(a.Locations, l)
	}
	return a
}

// permits is a theory that may be that of a semaphore.
type permits struct {
	*Semantics
	Semaphore
	universal *Semantics // its axioms that ask for no operation
	values    int        // that are looked at
	rank      int
}

// permitsOf reads methods and limit off a theory; false if it sees too far for them to
// say all.
func permitsOf(ctx context.Context, t *theory.Theory) (*permits, bool) {
	if len(t.Spec.Methods) != 2 || t.Spec.Headline() != theory.ByPatterns || t.Spec.Control != nil || len(t.Spec.Patterns)+len(t.Spec.MayFail) > 0 {
		return nil, false
	}
	p := &permits{Semantics: SemanticsOf(ctx, t), values: 1}
	if !p.apart(t) {
		return nil, false
	}
	for i := range t.Spec.Methods {
		m := &t.Spec.Methods[i]
		if m.Args != 1 || len(m.Outcomes) != 1 || m.Outcomes[0].Rets != 0 {
			return nil, false
		}
		k := history.Kind{Method: m.Name, Outcome: m.Outcomes[0].Outcome}
		if p.Structure([]history.Label{of(k, 0)}).Match(0) == 0 {
			p.Add = k
		} else {
			p.Remove = k
		}
	}
	if p.Add.Method == "" || p.Remove.Method == "" {
		return nil, false
	}
	a, r := func(v int) history.Label { return of(p.Add, v) }, func(v int) history.Label { return of(p.Remove, v) }
	for _, x := range []history.Label{a(0), r(0)} {
		if p.Matches(x, a(1)) || p.Matches(x, r(1)) || p.Matches(x, r(0)) {
			return nil, false
		}
	}
	if !p.Matches(r(0), a(0)) || p.Speaks(a(0), a(0)) {
		return nil, false
	}
	var in []history.Label
	for v := 0; ; v++ {
		in = append(in, a(v))
		if admitted, ok := p.Verdict(in); !ok || v > maxPermits {
			return nil, false
		} else if !admitted {
			p.Limit = v
			break
		}
	}
	p.values = max(p.values, p.Limit+1)
	return p, p.Limit > 0 && p.values <= maxPermits+1
}

// of is an operation of a kind with value number v.
func of(k history.Kind, v int) history.Label {
	return history.Label{Kind: k, Args: []history.Value{history.Value(strconv.Itoa(v + 1))}}
}

// apart reports whether each rule and axiom of a theory sees few values at a time, and
// nothing of them but when they come and go.
func (p *permits) apart(t *theory.Theory) bool {
	v := t.Vocabulary()
	same := func(f formula.Formula) bool { return len(semantics.Named(f))+len(semantics.Compared(f)) == 0 }
	for _, f := range append(slices.Clone(t.Spec.Matching.Target), t.Spec.Matching.ReadOnly) {
		if f == nil {
			continue
		}
		if f = formula.Expand(f, v); !same(f) || !semantics.LabelsOnly(f) || quantifies(f) {
			return false
		}
	}
	universal := *t
	universal.Spec.Axioms = nil
	for _, a := range slices.Concat(t.Spec.Language, t.Spec.Axioms) {
		f := formula.Expand(a.Formula, v)
		x, ok := semantics.Apart(f)
		if !ok || !same(f) || x.Rank > maxRank {
			return false
		}
		p.values, p.rank = max(p.values, x.Most), max(p.rank, x.Rank)
	}
	for _, a := range t.Spec.Axioms {
		if x, _ := semantics.Apart(formula.Expand(a.Formula, v)); !x.Exists {
			universal.Spec.Axioms = append(universal.Spec.Axioms, a)
		}
	}
	p.universal = p.Of(&universal)
	return true
}

func quantifies(f formula.Formula) (found bool) {
	formula.Walk(f, func(f formula.Formula) bool {
		_, is := f.(formula.Quantified)
		found = found || is
		return !found
	})
	return found
}

// agree reports whether the theory says of all sequences what a semaphore does. What it
// says of a value that is removed before it is added, or twice, it must say whatever
// comes besides. Of the others all orders are looked at.
func (p *permits) agree() bool {
	var lonely []history.Label
	for range 1 << p.rank {
		lonely = append(lonely, of(p.Remove, 0))
		if admitted, ok := p.Verdict(lonely); admitted || !ok {
			return false
		}
	}
	for _, word := range []string{"arr", "rar", "rra"} {
		var labels []history.Label
		for _, x := range word {
			labels = append(labels, of(map[rune]history.Kind{'a': p.Add, 'r': p.Remove}[x], 0))
		}
		if admitted, ok := p.universal.Verdict(labels); admitted || !ok {
			return false
		}
	}
	early, ok := p.Verdict([]history.Label{of(p.Remove, 0), of(p.Add, 0)})
	return ok && !early && p.orders(nil, 0, 0, true)
}

// orders compares all sequences that begin with some labels, of which the values below
// next have been added and some of them, a bit each, removed. Fits says whether there
// were never too many.
func (p *permits) orders(labels []history.Label, next int, gone uint, fits bool) bool {
	if len(labels) > 0 {
		if admitted, ok := p.Verdict(labels); !ok || admitted != fits || p.ctx.Err() != nil {
			return false
		}
	}
	in := next
	for v := range next {
		in -= int(gone >> v & 1)
	}
	if next < p.values && !p.orders(append(slices.Clip(labels), of(p.Add, next)), next+1, gone, fits && in < p.Limit) {
		return false
	}
	for v := range next {
		if gone>>v&1 == 0 && !p.orders(append(slices.Clip(labels), of(p.Remove, v)), next, gone|1<<v, fits) {
			return false
		}
	}
	return true
}
