package equations

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/scanner"
	"unicode"
)

// parser reads laws as Law.String writes them.
type parser struct {
	*Set
	scan  scanner.Scanner
	tok   rune
	text  string
	scope []Param
	whole string // to be read
	err   error
}

// parse reads a law in a scope of variables. An empty text, or "?", is no law.
func (s *Set) parse(text string, scope []Param) (Law, error) {
	if text == "" || text == "?" {
		return Law{}, nil
	}
	p := s.parser(text, scope)
	var l Law
	for p.err == nil {
		r := Rule{Then: p.expr(1)}
		switch {
		case p.is("if"):
			r.If = p.expr(1)
		case p.is("otherwise"):
		case p.tok != scanner.EOF:
			p.fail("there is %q where \"if\", \"otherwise\" or the end should be", p.text)
		}
		l.Rules = append(l.Rules, r)
		if p.tok == scanner.EOF || r.If == nil {
			break
		}
		p.must(";")
	}
	if err := p.end(); err != nil {
		return Law{}, err
	}
	return l, nil
}

// first reads the call before the one that an observer answers: each argument is one of its
// parameters, or a constant.
func (s *Set) first(o *Observer, text string) (*Call, error) {
	if text == "" {
		return nil, nil
	}
	p := s.parser(text, o.Params)
	c := &Call{Method: p.text}
	m := s.Method(c.Method)
	if m < 0 {
		p.fail("there is no method %s", c.Method)
	}
	p.next()
	p.must("(")
	for p.err == nil && !p.is(")") {
		if len(c.Args) > 0 {
			p.must(",")
		}
		c.Args = append(c.Args, p.plain())
	}
	if err := p.end(); err != nil {
		return nil, err
	}
	f := s.Method(o.How.Method)
	if f < 0 || len(o.Params) < len(s.Methods[f].Params) || o.How.Repeat != "" || o.How.Last != nil {
		return nil, fmt.Errorf("%q: no method of the first parameters answers after it", text)
	}
	params := s.Methods[m].Params
	if len(c.Args) != len(params) {
		return nil, fmt.Errorf("%q: %s takes %d arguments", text, c.Method, len(params))
	}
	for i, a := range c.Args {
		if !(a.Form == Var && o.Params[a.slot].Sort == params[i].Sort || a.Form == Const && a.value.IsInt() == (params[i].Sort == Ints)) {
			return nil, fmt.Errorf("%q: %s is no parameter and no constant of sort %s", text, a, params[i].Sort)
		}
	}
	return c, nil
}

// end is the error so far, or that of a text that goes on.
func (p *parser) end() error {
	if p.err == nil && p.tok != scanner.EOF {
		p.fail("there is %q behind the end", p.text)
	}
	if p.err != nil {
		return fmt.Errorf("%q: %w", p.whole, p.err)
	}
	return nil
}

func (s *Set) parser(text string, scope []Param) *parser {
	p := &parser{Set: s, scope: scope, whole: text}
	p.scan.Init(strings.NewReader(text))
	p.scan.Mode = scanner.ScanIdents | scanner.ScanInts | scanner.ScanStrings | scanner.ScanRawStrings
	p.scan.IsIdentRune = func(r rune, i int) bool {
		return unicode.IsLetter(r) || r == '_' || i > 0 && (unicode.IsDigit(r) || r == '\'')
	}
	p.scan.Error = func(_ *scanner.Scanner, msg string) { p.fail("%s", msg) }
	p.next()
	return p
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("column %d: %s", p.scan.Position.Column, fmt.Sprintf(format, args...))
		p.tok = scanner.EOF
	}
}

func (p *parser) next() {
	if p.err != nil {
		return
	}
	p.tok = p.scan.Scan()
	p.text = p.scan.TokenText()
	if two := p.text + string(p.scan.Peek()); p.tok > 0 && slices.Contains([]string{"==", "!=", "<="}, two) {
		p.scan.Next()
		p.text = two
	}
	if p.text == "!" && unicode.IsLetter(p.scan.Peek()) { // !in
		p.scan.Scan()
		p.text = "!" + p.scan.TokenText()
	}
}

// is moves past a text, if it comes next.
func (p *parser) is(text string) bool {
	if p.err != nil || p.tok == scanner.EOF || p.text != text || p.tok == scanner.String || p.tok == scanner.RawString {
		return false
	}
	p.next()
	return true
}

func (p *parser) must(text string) {
	if p.err == nil && !p.is(text) {
		p.fail("there is %q where %q should be", p.text, text)
	}
}

// expr reads operators that bind at least so tightly.
func (p *parser) expr(tight int) *Expr {
	e := p.plain()
	for p.err == nil && p.tok != scanner.EOF && p.tok != scanner.String && p.tok != scanner.RawString {
		o, ok := operators[p.text]
		if !ok || o.infix < tight || o.infix == 0 {
			break
		}
		name := p.text
		p.next()
		e = NewOp(name, e, p.expr(o.infix+1))
	}
	return e
}

func (p *parser) plain() *Expr {
	if p.err != nil {
		return &Expr{}
	}
	if p.is("(") {
		e := p.expr(1)
		p.must(")")
		return e
	}
	if p.tok != scanner.Ident {
		return p.Store.NewConst(p.value())
	}
	name := p.text
	p.next()
	if p.is("(") {
		return p.call(name)
	}
	if i := slices.IndexFunc(p.scope, func(v Param) bool { return v.Name == name }); i >= 0 {
		return NewVar(name, i)
	}
	if name == "map" {
		return p.Store.NewConst(p.compound("[", "]", Map))
	}
	return p.Store.NewConst(p.Store.Plain(Word, name))
}

func (p *parser) call(name string) *Expr {
	var args []*Expr
	for p.err == nil && !p.is(")") {
		if len(args) > 0 {
			p.must(",")
		}
		args = append(args, p.expr(1))
	}
	if o := slices.IndexFunc(p.Observers, func(o Observer) bool { return o.Name == name && len(o.Params) == len(args) }); o >= 0 {
		return NewObs(name, o, args...)
	}
	if !IsOperator(name, len(args)) {
		p.fail("there is no observer and no operator %s with %d arguments", name, len(args))
	}
	return NewOp(name, args...)
}

// value reads a constant.
func (p *parser) value() Value {
	text, tok := p.text, p.tok
	switch {
	case p.err != nil:
		return Undefined
	case p.is("-"):
		if v := p.value(); v.IsInt() {
			return IntOf(-v.Int())
		}
		p.fail("there is no number behind the minus")
	case p.is("#"):
		if v := p.value(); p.Store.Is(v, Text) {
			return p.Store.Plain(Other, p.Store.TextOf(v))
		}
		p.fail("there is no text behind the #")
	case text == "[":
		return p.compound("[", "]", List)
	case text == "{":
		return p.compound("{", "}", Record)
	case tok == scanner.Int:
		p.next()
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && IntOf(n) != Undefined {
			return IntOf(n)
		}
		p.fail("%s is no number that laws can have", text)
	case tok == scanner.String, tok == scanner.RawString:
		p.next()
		s, err := strconv.Unquote(text)
		if err != nil {
			p.fail("%s is no text", text)
		}
		if tok == scanner.RawString {
			return p.Store.Plain(Word, s)
		}
		return p.Store.Plain(Text, s)
	case tok == scanner.Ident && text == "map":
		p.next()
		return p.compound("[", "]", Map)
	case tok == scanner.Ident:
		p.next()
		return p.Store.Plain(Word, text)
	default:
		p.fail("there is %q where a value should be", text)
	}
	return Undefined
}

func (p *parser) compound(begin, end string, kind Kind) Value {
	p.must(begin)
	var parts []Value
	for p.err == nil && !p.is(end) {
		parts = append(parts, p.value())
		if kind == Map {
			p.must(":")
			parts = append(parts, p.value())
		}
	}
	if p.err != nil {
		return Undefined
	}
	return p.Store.Compound(kind, parts)
}
