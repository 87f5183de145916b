package clauses

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
)

// Place is where an operation carries a value: an argument or a returned value,
// counted from 0.
type Place struct {
	Second bool // of y, not of x
	Ret    bool
	Index  int
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

// Equation says that the values at two places are the same.
type Equation [2]Place

// Residual is what is left of a formula over labels once the kinds of its
// operations are known: a disjunction of conjunctions of equations. None is
// false, an empty conjunction is true.
type Residual [][]Equation

func (r Residual) isTrue() bool {
	return slices.ContainsFunc(r, func(c []Equation) bool { return len(c) == 0 })
}

// specializer evaluates formulas over x and y (or x alone) for two kinds. The
// first error sticks.
type specializer struct {
	x, y string // names of the variables
	kx   *Kind
	ky   *Kind
	same bool // x and y are one operation
	err  error
}

// maxConjunctions bounds a residual.
const maxConjunctions = 64

func (s *specializer) fail(format string, args ...any) Residual {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
	return nil
}

var always = Residual{nil}

func constant(b bool) Residual {
	if b {
		return always
	}
	return nil
}

// eval is the residual of f, or of its negation.
func (s *specializer) eval(f formula.Formula, neg bool) Residual {
	switch f := f.(type) {
	case formula.Const:
		return constant(bool(f) != neg)
	case formula.Not:
		return s.eval(f.F, !neg)
	case formula.And:
		return s.nary(f, neg, neg)
	case formula.Or:
		return s.nary(f, neg, !neg)
	case formula.Implies:
		return s.nary([]formula.Formula{formula.Not{F: f.A}, f.B}, neg, !neg)
	case formula.Iff:
		both := formula.And{f.A, f.B}
		neither := formula.And{formula.Not{F: f.A}, formula.Not{F: f.B}}
		return s.nary([]formula.Formula{both, neither}, neg, !neg)
	case formula.Equal:
		return s.equal(f, neg)
	}
	return s.fail("it says more than labels do")
}

// nary joins the residuals of fs, each negated if neg, by or or by and.
func (s *specializer) nary(fs []formula.Formula, neg, or bool) Residual {
	all := constant(!or)
	for _, f := range fs {
		r := s.eval(f, neg)
		if or {
			all = append(all[:len(all):len(all)], r...)
		} else {
			all = product(all, r)
		}
		if len(all) > maxConjunctions {
			return s.fail("it has too many cases")
		}
	}
	if all.isTrue() {
		return always
	}
	return all
}

func product(a, b Residual) (all Residual) {
	for _, c := range a {
		for _, d := range b {
			both := slices.Clone(c)
			for _, e := range d {
				if !slices.Contains(both, e) {
					both = append(both, e)
				}
			}
			all = append(all, both)
		}
	}
	return all
}

func (s *specializer) kindOf(v string) *Kind {
	switch {
	case v == s.x:
		return s.kx
	case v == s.y && s.ky != nil:
		return s.ky
	}
	s.fail("it speaks of another operation")
	return s.kx
}

func (s *specializer) equal(e formula.Equal, neg bool) Residual {
	a, b := e.A, e.B
	if a.Fn == "" && a.Var == "" || a.Sort == formula.ValueSort && a.Fn == "" {
		a, b = b, a
	}
	switch a.Fn {
	case "":
		return s.identity(a, b, neg)
	case "method":
		return constant((s.name(a, true) == s.name(b, true)) != neg)
	case "outcome":
		return constant((s.name(a, false) == s.name(b, false)) != neg)
	case "arg", "ret":
		return s.values(a, b, neg)
	}
	return s.fail("it speaks of match targets")
}

func (s *specializer) identity(a, b formula.Term, neg bool) Residual {
	if a.Var == "" || b.Var == "" || b.Fn != "" {
		return s.fail("it compares an operation with something else")
	}
	return constant((s.same || a.Var == b.Var) != neg)
}

// name is the method or outcome that a term denotes.
func (s *specializer) name(t formula.Term, method bool) string {
	switch {
	case t.Var == "":
		return t.Name
	case method:
		return s.kindOf(t.Var).Method
	}
	return string(s.kindOf(t.Var).Outcome)
}

func (s *specializer) values(a, b formula.Term, neg bool) Residual {
	if b.Fn != "arg" && b.Fn != "ret" {
		return s.fail("it names a value")
	}
	p, ok := s.place(a)
	q, ok2 := s.place(b)
	switch {
	case !ok || !ok2:
		return constant(neg)
	case p == q:
		return constant(!neg)
	case neg:
		return s.fail("it tells operations apart by different values")
	}
	if q.Second != p.Second && p.Second {
		p, q = q, p
	}
	return Residual{{{p, q}}}
}

// place is where a term takes its value from; false if its kind has none there.
func (s *specializer) place(t formula.Term) (Place, bool) {
	k := s.kindOf(t.Var)
	p := Place{Second: t.Var == s.y && !s.same, Ret: t.Fn == "ret", Index: max(t.Index, 1) - 1}
	n := k.Args
	if p.Ret {
		n = k.Rets
	}
	return p, p.Index < n
}

// value is the value at a place of an operation with these arguments and
// returned values.
func (p Place) value(args, rets []history.Value) history.Value {
	if p.Ret {
		return rets[p.Index]
	}
	return args[p.Index]
}

// Of reports whether the residual, of one operation, holds of its values.
func (r Residual) Of(args, rets []history.Value) bool {
	return slices.ContainsFunc(r, func(c []Equation) bool {
		return !slices.ContainsFunc(c, func(e Equation) bool { return e[0].value(args, rets) != e[1].value(args, rets) })
	})
}

// KeyOf is the values at some places as one text.
func KeyOf(places []Place, args, rets []history.Value) string {
	if len(places) == 1 {
		return string(places[0].value(args, rets))
	}
	var b []byte
	for _, p := range places {
		v := p.value(args, rets)
		b = append(binary.AppendUvarint(b, uint64(len(v))), v...)
	}
	return string(b)
}

// Joins reports whether an operation called with these arguments may return as
// kind k into the match with a key.
func (k *Kind) Joins(args []history.Value, key string) bool {
	values := splitKey(key, len(k.Key))
	rets := make([]*history.Value, k.Rets)
	for i, p := range k.Key {
		switch v := history.Value(values[i]); {
		case p.Ret && rets[p.Index] != nil && *rets[p.Index] != v, !p.Ret && args[p.Index] != v:
			return false
		case p.Ret:
			rets[p.Index] = &v
		}
	}
	return k.claimable(k.Claims, args, rets)
}

// splitKey is the values that KeyOf put together.
func splitKey(key string, n int) (values []string) {
	if n == 1 {
		return []string{key}
	}
	for range n {
		size, w := binary.Uvarint([]byte(key[:min(len(key), binary.MaxVarintLen64)]))
		values = append(values, key[w:w+int(size)])
		key = key[w+int(size):]
	}
	return values
}

// claimable reports whether values for the places of rets that are open make all
// claims hold. There are as many values as one likes, and claims are equations.
func (k *Kind) claimable(claims []Claim, args []history.Value, rets []*history.Value) bool {
	if len(claims) == 0 {
		return true
	}
	for _, c := range claims[0].Holds {
		if known, ok := equate(c, args, rets); ok && k.claimable(claims[1:], args, known) {
			return true
		}
	}
	return false
}

// equate is the returned values with what follows from equations; false if they
// contradict each other. Two open values that are to be the same share a place
// in memory from then on.
func equate(es []Equation, args []history.Value, rets []*history.Value) ([]*history.Value, bool) {
	known := append([]*history.Value(nil), rets...)
	at := func(p Place) *history.Value {
		if p.Ret {
			return known[p.Index]
		}
		return &args[p.Index]
	}
	for range es { // each round settles one value at least, or nothing is left
		for _, e := range es {
			a, b := at(e[0]), at(e[1])
			switch {
			case a == nil && b != nil:
				known[e[0].Index] = b
			case b == nil && a != nil:
				known[e[1].Index] = a
			case a != nil && *a != *b:
				return nil, false
			}
		}
	}
	return known, true
}
