package recognize

import (
	"context"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/about"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/follow"
	"github.com/adtinfer/adtinfer/theory"
)

// maxPermits bounds the permits of a semaphore: all orders of one value more are looked
// at. maxRank bounds how deep quantifiers of axioms are nested.
const (
	maxPermits = 4
	maxRank    = 6
)

// byLimit selects the procedure for containers in which so many values are at a time,
// which may leave in any order and are asked for by name, if the axioms of a theory say
// that and no more. Each axiom speaks of a few values at a time, so that is decided by
// looking at all sequences of as many values (docs/proofs/permits.md).
func byLimit(ctx context.Context, t *theory.Theory, s *semantics, judge Judge) (*Type, bool, error) {
	p, ok := permitsOf(t, s)
	if !ok || !p.agree(ctx) {
		return nil, false, ctx.Err()
	}
	l := &assignment{cast: map[history.Kind]byte{p.add.Kind: adds.letter, p.remove.Kind: removes.letter}}
	l.shape = shape{
		Name: "semaphore", roles: []player{adds, removes}, named: true,
		about:  fmt.Sprintf("at most %d values are in, and any of them leaves", p.limit),
		New:    func() batch.Algorithm { return &batch.Permits{Limit: int32(p.limit)} },
		Follow: func() follow.Follower { return follow.NewPermits(p.limit) },
	}
	r, err := newReader(t, l, s)
	if err != nil || r.Methods[p.add.Method].Open != columns.MaybeAdd || r.Methods[p.remove.Method].Open != columns.MaybeRemove {
		return nil, false, nil
	}
	x := &Type{Theory: t.Name, Why: "the axioms of theory " + t.Name + " are those of a semaphore: " + l.shape.about, Shape: l.shape, Reader: r}
	x, err = x.checked(ctx, t, s, judge)
	return x, err == nil, ctx.Err()
}

// permits is a theory that may be that of a semaphore.
type permits struct {
	*semantics
	universal   *semantics // its axioms that ask for no operation
	add, remove kindReader
	limit       int
	values      int // that are looked at
	rank        int
}

// permitsOf reads methods and limit off a theory; false if it sees too far for them to
// say all.
func permitsOf(t *theory.Theory, s *semantics) (*permits, bool) {
	kinds := kindsOf(t)
	if len(kinds) != 2 || len(t.Spec.Methods) != 2 || t.Spec.Headline() != theory.ByPatterns || len(t.Spec.Patterns)+len(t.Spec.MayFail) > 0 {
		return nil, false
	}
	p := &permits{semantics: s, values: 1}
	if !p.apart(t) {
		return nil, false
	}
	for i := range t.Spec.Methods {
		if m := &t.Spec.Methods[i]; m.Args != 1 || m.Outcomes[0].Rets != 0 {
			return nil, false
		}
		k := kindReader{Kind: kinds[i], args: 1}
		if s.Structure([]history.Label{k.label("1", "")}).Match(0) == 0 {
			p.add = k
		} else {
			p.remove = k
		}
	}
	if p.add.Method == "" || p.remove.Method == "" {
		return nil, false
	}
	a, r := func(v int) history.Label { return p.label(v, false) }, func(v int) history.Label { return p.label(v, true) }
	for _, x := range []history.Label{a(0), r(0)} {
		if s.matches(x, a(1)) || s.matches(x, r(1)) || s.matches(x, r(0)) {
			return nil, false
		}
	}
	if !s.matches(r(0), a(0)) || s.speaks(a(0), a(0)) {
		return nil, false
	}
	var in []history.Label
	for v := 0; ; v++ {
		in = append(in, a(v))
		if admitted, ok := s.verdict(in); !ok || v > maxPermits {
			return nil, false
		} else if !admitted {
			p.limit = v
			break
		}
	}
	p.values = max(p.values, p.limit+1)
	return p, p.limit > 0 && p.values <= maxPermits+1
}

// apart reports whether each rule and axiom of a theory sees few values at a time, and
// nothing of them but when they come and go.
func (p *permits) apart(t *theory.Theory) bool {
	v := t.Vocabulary()
	same := func(f formula.Formula) bool { return len(about.Named(f))+len(about.Compared(f)) == 0 }
	for _, f := range append(slices.Clone(t.Spec.Matching.Target), t.Spec.Matching.ReadOnly) {
		if f == nil {
			continue
		}
		if f = formula.Expand(f, v); !same(f) || !about.LabelsOnly(f) || quantifies(f) {
			return false
		}
	}
	universal := *t
	universal.Spec.Axioms = nil
	for _, a := range slices.Concat(t.Spec.Language, t.Spec.Axioms) {
		f := formula.Expand(a.Formula, v)
		x, ok := about.Apart(f)
		if !ok || !same(f) || x.Rank > maxRank {
			return false
		}
		p.values, p.rank = max(p.values, x.Most), max(p.rank, x.Rank)
	}
	for _, a := range t.Spec.Axioms {
		if x, _ := about.Apart(formula.Expand(a.Formula, v)); !x.Exists {
			universal.Spec.Axioms = append(universal.Spec.Axioms, a)
		}
	}
	p.universal = newSemantics(p.ctx, &universal)
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

func (p *permits) label(v int, removes bool) history.Label {
	if removes {
		return p.remove.label(value(v), "")
	}
	return p.add.label(value(v), "")
}

// agree reports whether the theory says of all sequences what a semaphore does. What it
// says of a value that is removed before it is added, or twice, it must say whatever
// comes besides. Of the others all orders are looked at.
func (p *permits) agree(ctx context.Context) bool {
	var lonely []history.Label
	for range 1 << p.rank {
		lonely = append(lonely, p.label(0, true))
		if admitted, ok := p.verdict(lonely); admitted || !ok {
			return false
		}
	}
	for _, word := range []string{"arr", "rar", "rra"} {
		var labels []history.Label
		for _, x := range word {
			labels = append(labels, p.label(0, x == 'r'))
		}
		if admitted, ok := p.universal.verdict(labels); admitted || !ok {
			return false
		}
	}
	early, ok := p.verdict([]history.Label{p.label(0, true), p.label(0, false)})
	return ok && !early && p.orders(ctx, nil, 0, 0, true)
}

// orders compares all sequences that begin with some labels, of which the values below
// next have been added and some of them, a bit each, removed. Fits says whether there
// were never too many.
func (p *permits) orders(ctx context.Context, labels []history.Label, next int, gone uint, fits bool) bool {
	if len(labels) > 0 {
		if admitted, ok := p.verdict(labels); !ok || admitted != fits || ctx.Err() != nil {
			return false
		}
	}
	in := next
	for v := range next {
		in -= int(gone >> v & 1)
	}
	if next < p.values && !p.orders(ctx, append(slices.Clip(labels), p.label(next, false)), next+1, gone, fits && in < p.limit) {
		return false
	}
	for v := range next {
		if gone>>v&1 == 0 && !p.orders(ctx, append(slices.Clip(labels), p.label(v, true)), next, gone|1<<v, fits) {
			return false
		}
	}
	return true
}
