package formula

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

func errorAt(t token, format string, args ...any) *history.ParseError {
	return &history.ParseError{Pos: history.Pos{Line: t.line, Col: t.col}, Msg: fmt.Sprintf(format, args...)}
}

// Parse reads a formula and checks it against a vocabulary: names, numbers of
// arguments, sorts and variables. The free variables are the only ones it may
// use outside quantifiers. The grammar is in docs/formats.md. Formulas of more than
// 500 levels, 10,000 parts or 64 variables, their predicates written out, are
// refused. A mistake in the text is a *history.ParseError without a file, its line
// and column (in characters) counted from 1.
func Parse(src string, v *Vocabulary, free ...string) (Formula, error) {
	toks, lexErr := lex(src)
	if lexErr != nil {
		return nil, lexErr
	}
	p := &parser{toks: toks, check: checker{v: v}}
	for _, x := range free {
		if msg := p.check.bind(x); msg != "" {
			return nil, errorAt(token{line: 1, col: 1}, "%s", msg)
		}
	}
	f, err := p.parse()
	if err != nil {
		return nil, err
	}
	return f, nil
}

// A parser descends recursively, one method per rule of the grammar. It stops
// at the first mistake.
type parser struct {
	toks  []token
	pos   int
	depth int
	check checker
}

func (p *parser) parse() (Formula, *history.ParseError) {
	f, err := p.formula()
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind != tokEnd {
		return nil, p.leftover(t)
	}
	if msg := measure(f, p.check.v).excess(); msg != "" {
		return nil, errorAt(p.toks[0], "%s", msg)
	}
	return f, nil
}

func (p *parser) peek() token { return p.toks[p.pos] }

func (p *parser) next() token {
	t := p.toks[p.pos]
	if t.kind != tokEnd {
		p.pos++
	}
	return t
}

// accept takes the next token if it is this operator or punctuation.
func (p *parser) accept(punct string) bool {
	if t := p.peek(); t.kind == tokPunct && t.text == punct {
		p.pos++
		return true
	}
	return false
}

func (p *parser) expect(punct, after string) *history.ParseError {
	if p.accept(punct) {
		return nil
	}
	return errorAt(p.peek(), "expected %q %s, found %v", punct, after, p.peek())
}

// leftover explains a token that cannot follow a complete formula.
func (p *parser) leftover(t token) *history.ParseError {
	switch {
	case t.text == "and" || t.text == "or" || t.text == "implies" || t.text == "iff":
		op := map[string]string{"and": "&", "or": "|", "implies": "->", "iff": "<->"}[t.text]
		return errorAt(t, "unexpected %v; write %s", t, op)
	case t.text == "<->":
		return errorAt(t, "<-> does not chain; use parentheses")
	}
	return errorAt(t, "unexpected %v after the formula", t)
}

// formula = implication [ "<->" implication ] .
func (p *parser) formula() (Formula, *history.ParseError) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		return nil, errorAt(p.peek(), "the formula nests more than %d levels deep", maxDepth)
	}
	a, err := p.implication()
	if err != nil || !p.accept("<->") {
		return a, err
	}
	b, err := p.implication()
	return Iff{a, b}, err
}

// implication = disjunction [ "->" implication ] .
func (p *parser) implication() (Formula, *history.ParseError) {
	var premises []Formula
	for {
		f, err := p.disjunction()
		if err != nil {
			return nil, err
		}
		if p.accept("->") {
			premises = append(premises, f)
			continue
		}
		for _, a := range slices.Backward(premises) {
			f = Implies{a, f}
		}
		return f, nil
	}
}

// disjunction = conjunction { "|" conjunction } .
func (p *parser) disjunction() (Formula, *history.ParseError) {
	fs, err := p.list("|", p.conjunction)
	if err != nil || len(fs) > 1 {
		return Or(fs), err
	}
	return fs[0], nil
}

// conjunction = unary { "&" unary } .
func (p *parser) conjunction() (Formula, *history.ParseError) {
	fs, err := p.list("&", p.unary)
	if err != nil || len(fs) > 1 {
		return And(fs), err
	}
	return fs[0], nil
}

func (p *parser) list(op string, operand func() (Formula, *history.ParseError)) ([]Formula, *history.ParseError) {
	var fs []Formula
	for {
		f, err := operand()
		if err != nil {
			return nil, err
		}
		fs = append(fs, f)
		if !p.accept(op) {
			return fs, nil
		}
	}
}

// unary = "!" unary | quantified | "(" formula ")" | literal .
func (p *parser) unary() (Formula, *history.ParseError) {
	negations := 0
	for p.accept("!") {
		if negations++; negations > maxDepth {
			return nil, errorAt(p.peek(), "the formula nests more than %d levels deep", maxDepth)
		}
	}
	f, err := p.primary()
	if err != nil {
		return nil, err
	}
	for range negations {
		f = Not{f}
	}
	return f, nil
}

func (p *parser) primary() (Formula, *history.ParseError) {
	switch t := p.peek(); {
	case t.kind == tokName && (t.text == "forall" || t.text == "exists"):
		return p.quantified()
	case t.kind == tokPunct && t.text == "(":
		p.next()
		f, err := p.formula()
		if err != nil {
			return nil, err
		}
		if p.peek().kind == tokName || p.peek().text == "<->" {
			return nil, p.leftover(p.peek())
		}
		return f, p.expect(")", "to close the parenthesis")
	}
	return p.literal()
}

// quantified = ( "forall" | "exists" ) variable { "," variable } "." formula .
// variable   = name [ ":" "Op" ] .
func (p *parser) quantified() (Formula, *history.ParseError) {
	q := Quantified{Forall: p.next().text == "forall"}
	outer := len(p.check.scope)
	defer func() { p.check.scope = p.check.scope[:outer] }()
	for {
		x, err := p.binding()
		if err != nil {
			return nil, err
		}
		q.Vars = append(q.Vars, x)
		if !p.accept(",") {
			break
		}
	}
	if err := p.expect(".", "after the quantified variables"); err != nil {
		return nil, err
	}
	body, err := p.formula()
	q.Body = body
	return q, err
}

func (p *parser) binding() (string, *history.ParseError) {
	t := p.next()
	if t.kind != tokName {
		return "", errorAt(t, "expected a variable, found %v", t)
	}
	if msg := p.check.bind(t.text); msg != "" {
		return "", errorAt(t, "%s", msg)
	}
	if p.accept(":") {
		if s := p.next(); s.text != "Op" {
			return "", errorAt(s, "unknown sort %v; variables range over Op", s)
		}
	}
	return t.text, nil
}

// literal = "true" | "false" | atom | term ( "=" | "!=" | "<" ) term .
// atom    = name "(" [ name { "," name } ] ")" .
func (p *parser) literal() (Formula, *history.ParseError) {
	start := p.peek()
	isCall := start.kind == tokName && p.toks[p.pos+1].text == "(" && !slices.Contains(functions, start.text)
	if isCall {
		return p.atom()
	}
	a, err := p.term()
	if err != nil {
		return nil, err
	}
	op := p.peek()
	if p.accept("=") || p.accept("!=") || p.accept("<") {
		return p.relation(a, op)
	}
	if a.function() {
		return nil, errorAt(op, "expected \"=\", \"!=\" or \"<\" after the term, found %v", op)
	}
	if start.kind == tokName && (start.text == "true" || start.text == "false") {
		return Const(start.text == "true"), nil
	}
	return nil, errorAt(start, "expected a formula, found %v", start)
}

func (p *parser) atom() (Formula, *history.ParseError) {
	name := p.next()
	p.next() // the parenthesis
	a := Atom{Name: name.text}
	for !p.accept(")") {
		if len(a.Args) > 0 {
			if err := p.expect(",", "or \")\" after the argument"); err != nil {
				return nil, err
			}
		}
		x, err := p.variable(name.text)
		if err != nil {
			return nil, err
		}
		a.Args = append(a.Args, x)
	}
	if msg := p.check.atom(a.Name, len(a.Args)); msg != "" {
		return nil, errorAt(name, "%s", msg)
	}
	return a, nil
}

// variable reads an argument, which is always a variable.
func (p *parser) variable(of string) (string, *history.ParseError) {
	t := p.next()
	if t.kind != tokName {
		return "", errorAt(t, "%s takes variables, found %v", of, t)
	}
	if slices.Contains(functions, t.text) && p.peek().text == "(" {
		return "", errorAt(t, "%s takes variables, not terms: name the operation by a variable of its own", of)
	}
	if msg := p.check.variable(t.text); msg != "" {
		return "", errorAt(t, "%s", msg)
	}
	return t.text, nil
}
