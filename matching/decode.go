package matching

import (
	"context"
	"strings"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// matching writes a model as formulas: first how an operation maps to another,
// then which operations are their own targets. Declared predicates are by their
// names if shown, and otherwise expanded.
func (a *attempt) matching(model []bool, shown bool) theory.Matching {
	m := theory.Matching{ReadOnly: a.ReadOnly}
	if m.ReadOnly == nil {
		m.ReadOnly = readOnlyFormula(a.model.Alphabet, a.readOnly)
	}
	t := a.query.encoding.table
	var on, off, selfOn, selfOff [][]bool
	for v, val := range t.valuations {
		self := val.self && t.identity
		switch {
		case v < len(model) && model[v] && self:
			selfOn = append(selfOn, val.bits)
		case v < len(model) && model[v]:
			on = append(on, val.bits)
		case self:
			selfOff = append(selfOff, val.bits)
		default:
			off = append(off, val.bits)
		}
	}
	ps := t.predicates
	if len(on) > 0 {
		for _, c := range cover(ps, on, off) {
			m.Target = append(m.Target, c.common(on, a.namesTarget).formula(ps, shown))
		}
	}
	if len(selfOn) > 0 {
		ps, keep := unary(ps)
		self := formula.Formula(identity)
		if f := disjunction(ps, cover(ps, project(selfOn, keep), project(selfOff, keep))); f != formula.Formula(formula.Const(true)) {
			self = formula.Normal(formula.And{identity, f})
		}
		m.Target = append(m.Target, self)
	}
	return m
}

// differences says where another model departs from the chosen one.
func (a *attempt) differences(best, other []bool) []string {
	t := a.query.encoding.table
	var words []string
	for v := range t.valuations {
		if v >= len(best) || v >= len(other) || best[v] == other[v] {
			continue
		}
		verb := " maps "
		if best[v] {
			verb = " does not map "
		}
		x, y, _ := strings.Cut(t.pairText(v), " to ")
		words = append(words, x+verb+"to "+y)
	}
	return words
}

// namesTarget reports whether a predicate is the method of y.
func (a *attempt) namesTarget(p int) bool {
	e, ok := a.query.encoding.table.predicates[p].Formula.(formula.Equal)
	return ok && e.A.Fn == "method" && e.A.Var == "y"
}

// unary are the predicates about the method and outcome of x alone, and which
// they are.
func unary(all []Predicate) (ps []Predicate, keep []int) {
	for i, p := range all {
		e, ok := p.Formula.(formula.Equal)
		if ok && e.A.Var == "x" && (e.A.Fn == "method" || e.A.Fn == "outcome") {
			ps, keep = append(ps, p), append(keep, i)
		}
	}
	return ps, keep
}

func project(rows [][]bool, keep []int) [][]bool {
	var out [][]bool
	for _, row := range rows {
		var r []bool
		for _, i := range keep {
			r = append(r, row[i])
		}
		out = append(out, r)
	}
	return out
}

// readOnlyFormula says which kinds are read-only, given by kind.
func readOnlyFormula(a *enumerate.Alphabet, readOnly []bool) formula.Formula {
	ps, _ := unary(Standard(a))
	var on, off [][]bool
	for k, kind := range a.Kinds {
		var row []bool
		for _, p := range ps {
			e := p.Formula.(formula.Equal)
			row = append(row, e.A.Fn == "method" && e.B.Name == kind.Kind.Method || e.A.Fn == "outcome" && e.B.Name == string(kind.Outcome))
		}
		if readOnly[k] {
			on = append(on, row)
		} else {
			off = append(off, row)
		}
	}
	if len(on) == 0 {
		return formula.Const(false)
	}
	return disjunction(ps, cover(ps, on, off))
}

// ReadOnly finds the read-only operations of a reference in a language by their
// behaviour, as a formula over x: the kinds whose operations never change what
// follows. Declared predicates in the rules must be expanded.
func ReadOnly(ctx context.Context, impl reference.Implementation, rules []theory.Rule) (formula.Formula, error) {
	m, err := Explore(ctx, impl, rules, 0)
	if err != nil {
		return nil, err
	}
	s := &sample{}
	if err := s.growTo(ctx, m, pairLength); err != nil {
		return nil, err
	}
	return readOnlyFormula(m.Alphabet, s.readOnly(m.Alphabet)), nil
}
