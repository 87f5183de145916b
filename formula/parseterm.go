package formula

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
)

// A sideTerm is one side of an equation, and where it starts. A bare word may
// still be a variable, a method or an outcome: the other side decides.
type sideTerm struct {
	Term
	at token
}

func (s sideTerm) function() bool { return s.Fn != "" }

// term = function | name | string | integer .
func (p *parser) term() (sideTerm, *history.ParseError) {
	t := p.next()
	switch {
	case t.kind == tokName && p.peek().text == "(":
		return p.function(t)
	case t.kind == tokEnd || t.kind == tokPunct:
		return sideTerm{}, errorAt(t, "expected a formula or a term, found %v", t)
	}
	return sideTerm{Term{Name: t.text}, t}, nil
}

// function = ( "match" | "method" | "outcome" ) "(" name ")"
//
//	| ( "arg" | "ret" ) "(" name [ "," integer ] ")" .
func (p *parser) function(name token) (sideTerm, *history.ParseError) {
	t := Term{Fn: name.text}
	indexed := t.Fn == "arg" || t.Fn == "ret"
	if msg := p.knownFunction(t.Fn); msg != "" {
		return sideTerm{}, errorAt(name, "%s", msg)
	}
	p.next() // the parenthesis
	x, err := p.variable(t.Fn)
	if err != nil {
		return sideTerm{}, err
	}
	t.Var = x
	if indexed {
		t.Index = 1
	}
	if at := p.peek(); indexed && p.accept(",") {
		at = p.next()
		n, bad := strconv.Atoi(at.text)
		if at.kind != tokInt || bad != nil {
			return sideTerm{}, errorAt(at, "expected a number after the comma, found %v", at)
		}
		t.Index = n
		if msg := p.check.index(t); msg != "" {
			return sideTerm{}, errorAt(at, "%s", msg)
		}
	}
	if msg := p.check.term(t, Term{}); msg != "" {
		return sideTerm{}, errorAt(name, "%s", msg)
	}
	return sideTerm{t, name}, p.expect(")", "after the argument of "+t.Fn)
}

func (p *parser) knownFunction(name string) string {
	switch _, isAtom := p.check.v.arity(name); {
	case slices.Contains(functions, name):
		return ""
	case isAtom:
		return fmt.Sprintf("%s(...) is a predicate, not a term", name)
	}
	return p.check.term(Term{Fn: name, Var: name}, Term{})
}

// relation resolves the two sides of an equation or comparison by each other's
// sort and checks them.
func (p *parser) relation(a sideTerm, op token) (Formula, *history.ParseError) {
	b, err := p.term()
	if err != nil {
		return nil, err
	}
	for _, side := range [][2]*sideTerm{{&a, &b}, {&b, &a}} {
		if err := p.resolve(side[0], side[1]); err != nil {
			return nil, err
		}
	}
	if op.text == "<" {
		l := Less{a.Term, b.Term}
		if msg := p.check.comparable(l); msg != "" {
			return nil, errorAt(op, "%s", msg)
		}
		return l, nil
	}
	e := Equal{a.Term, b.Term}
	if msg := p.check.sorts(e); msg != "" {
		return nil, errorAt(op, "%s", msg)
	}
	if op.text == "!=" {
		return Not{e}, nil
	}
	return e, nil
}

// resolve decides what a word, string or integer means opposite to other.
func (p *parser) resolve(s *sideTerm, other *sideTerm) *history.ParseError {
	if s.at.kind == tokName && s.function() {
		return nil // a function; its sort is known
	}
	if other.function() {
		s.Sort = SortOf(other.Term)
	} else if s.at.kind != tokName && other.at.kind != tokName {
		s.Sort = ValueSort
	}
	switch {
	case s.Sort == opSort && s.at.kind == tokName:
		s.Var, s.Name = s.Name, ""
		if msg := p.check.variable(s.Var); msg != "" {
			return errorAt(s.at, "%s", msg)
		}
		return nil
	case s.Sort == opSort:
		return errorAt(s.at, "%v is a value, not an operation", s.at)
	case s.Sort == ValueSort && s.at.kind == tokName:
		return errorAt(s.at, "values are written in quotes: %q", s.at.text)
	case s.Sort != ValueSort && s.at.kind == tokInt:
		return errorAt(s.at, "%v is a value, not %s", s.at, s.Sort.name())
	}
	if msg := p.check.constant(s.Term, other.Term); msg != "" {
		return errorAt(s.at, "%s", msg)
	}
	return nil
}
