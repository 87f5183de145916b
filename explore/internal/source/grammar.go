package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// piece is a part of a comment, and where it begins there.
type piece struct {
	off  int
	text string
}

// statement is a directive: if the controller is in a state and a condition holds, acts.
type statement struct {
	state, cond piece // "" if there is none
	acts        []act
}

// actKind is what an act does.
type actKind int

const (
	announces actKind = iota
	broadcasts
	goes
	owns
	guesses
	assumes
)

// act is one of a statement.
type act struct {
	kind    actKind
	at      int
	name    piece   // of the operation, message, state, guess
	args    []piece // of an operation, a message
	results []piece
	owner   piece // a pointer: it is the operation of its owner; "" if there is none
	expr    piece // the pointer of owns; what the guess of assumes is: "" for true
	not     bool  // of assumes: it is not that
}

// receive is a rule by which an operation receives a message.
type receive struct {
	after   bool
	message piece
	params  []param
	statement
}

// param is a parameter of a message.
type param struct{ name, typ piece }

// syntaxError is what is wrong with a directive.
type syntaxError struct {
	off  int
	what string
}

// parseStatement reads what follows "//lin:" in a body.
func parseStatement(text string, off int) (statement, *syntaxError) {
	x, wrong := scan(text, off)
	if wrong != nil {
		return statement{}, wrong
	}
	return x.statement()
}

// statement reads a guard, if there is one, and acts.
func (x lexer) statement() (s statement, wrong *syntaxError) {
	if x.is("in", "") || x.is("if") || x.is("in", ":") {
		colon := x.find(token.COLON)
		if colon < 0 {
			return s, x.wrong("a colon must end the guard, as in //lin: in STATE if EXPRESSION: ACT; ACT")
		}
		if wrong = x.before(colon).guard(&s); wrong != nil {
			return s, wrong
		}
		x = x.after(colon)
	}
	for _, part := range x.split(token.SEMICOLON) {
		a, wrong := part.act()
		if wrong != nil {
			return s, wrong
		}
		s.acts = append(s.acts, a)
	}
	if len(s.acts) == 0 {
		return s, x.wrong("there is no act, such as OPERATION(ARGUMENTS) = RESULTS")
	}
	return s, nil
}

// guard reads [in STATE] [if EXPRESSION].
func (x lexer) guard(s *statement) (wrong *syntaxError) {
	if x.is("in") {
		if !x.is("in", "") {
			return x.wrong("a state follows in")
		}
		s.state = piece{x.toks[1].off, x.toks[1].lit}
		x = x.after(1)
	}
	if len(x.toks) == 0 {
		return nil
	}
	if !x.is("if") {
		return x.wrong("only if EXPRESSION or a colon can follow a state")
	}
	s.cond, wrong = x.after(0).expr("the condition")
	return wrong
}

// act reads one.
func (x lexer) act() (a act, wrong *syntaxError) {
	a.at = x.piece().off
	sets := x.find(token.ASSIGN) >= 0
	switch {
	case len(x.toks) == 0:
		return a, x.wrong("an act is missing")
	case x.is("broadcast", ""):
		a.kind = broadcasts
		name, inside, rest, wrong := x.after(0).call("broadcast MESSAGE(ARGUMENTS) is meant")
		if wrong != nil {
			return a, wrong
		}
		if len(rest.toks) > 0 {
			return a, rest.wrong("nothing can follow broadcast MESSAGE(ARGUMENTS) but a semicolon")
		}
		if a.name, wrong = name.word("the name of a message is one word"); wrong != nil {
			return a, wrong
		}
		a.args, wrong = inside.exprs("an argument")
		return a, wrong
	case x.is("goto"):
		a.kind = goes
		a.name, wrong = x.after(0).word("goto STATE is meant")
		return a, wrong
	case x.is("guess") && !x.is("guess", "("):
		a.kind = guesses
		a.name, wrong = x.after(0).word("guess NAME is meant")
		if wrong == nil && a.name.text == "_" {
			wrong = x.wrong("a guess needs a name")
		}
		return a, wrong
	case x.is("own") && !sets:
		a.kind = owns
		a.expr, wrong = x.after(0).expr("a pointer")
		return a, wrong
	case x.is("assume") && !sets:
		a.kind = assumes
		return a, x.after(0).assumption(&a)
	}
	return x.announcement(a)
}

// assumption reads GUESS == EXPRESSION, GUESS or !GUESS.
func (x lexer) assumption(a *act) *syntaxError {
	p, wrong := x.expr("GUESS == EXPRESSION")
	if wrong != nil {
		return wrong
	}
	e, _ := parser.ParseExpr(p.text) // it is one
	part := func(n ast.Node) piece {
		return piece{p.off + int(n.Pos()) - 1, p.text[n.Pos()-1 : n.End()-1]}
	}
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.EQL {
		e, a.expr = b.X, part(b.Y)
	} else if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.NOT {
		e, a.not = u.X, true
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return x.wrong("assume GUESS == EXPRESSION is meant, with && and || in parentheses")
	}
	a.name = part(id)
	return nil
}

// announcement reads OPERATION(ARGUMENTS) = RESULTS for POINTER.
func (x lexer) announcement(a act) (act, *syntaxError) {
	const meant = "OPERATION(ARGUMENTS) = RESULTS, broadcast, goto, own, guess or assume is meant"
	name, inside, rest, wrong := x.call(meant)
	if wrong != nil {
		return a, wrong
	}
	a.name = name.piece()
	if strings.ContainsAny(a.name.text, "=\"`'") {
		return a, x.wrong(meant)
	}
	if a.args, wrong = inside.exprs("an argument"); wrong != nil {
		return a, wrong
	}
	if i := rest.find(token.FOR); i >= 0 {
		if a.owner, wrong = rest.after(i).expr("the pointer whose owner is meant"); wrong != nil {
			return a, wrong
		}
		rest = rest.before(i)
	}
	switch {
	case len(rest.toks) == 0:
		return a, nil
	case !rest.is("="):
		return a, rest.wrong("= RESULTS, for POINTER or a semicolon can follow OPERATION(ARGUMENTS)")
	}
	if rest = rest.after(0); len(rest.toks) == 0 {
		return a, rest.wrong("results are missing after =")
	}
	a.results, wrong = rest.exprs("a result")
	return a, wrong
}

// parseReceive reads what follows "//lin:receive".
func parseReceive(text string, off int) (r receive, wrong *syntaxError) {
	const meant = "before or after is meant, as in //lin:receive before MESSAGE(v int) in STATE if EXPRESSION: ACT; ACT"
	x, wrong := scan(text, off)
	if wrong != nil {
		return r, wrong
	}
	if !x.is("before") && !x.is("after") {
		return r, x.wrong(meant)
	}
	r.after = x.is("after")
	name, inside, rest, wrong := x.after(0).call("MESSAGE(NAME TYPE, ...) is meant")
	if wrong != nil {
		return r, wrong
	}
	if r.message, wrong = name.word("the name of a message is one word"); wrong != nil {
		return r, wrong
	}
	if r.params, wrong = inside.params(); wrong != nil {
		return r, wrong
	}
	switch {
	case rest.is(":"):
		rest = rest.after(0)
	case !rest.is("in") && !rest.is("if"):
		return r, rest.wrong("in STATE, if EXPRESSION or a colon must follow MESSAGE(NAME TYPE, ...)")
	}
	r.statement, wrong = rest.statement()
	if wrong != nil {
		return r, wrong
	}
	for _, a := range r.acts {
		if a.kind == broadcasts {
			return r, &syntaxError{a.at, "who receives a message does not broadcast another"}
		}
	}
	return r, nil
}

// params reads NAME TYPE, ...
func (x lexer) params() (list []param, wrong *syntaxError) {
	if len(x.toks) == 0 {
		return nil, nil
	}
	const head = "func("
	p := x.piece()
	e, err := parser.ParseExpr(head + p.text + ")")
	fn, ok := e.(*ast.FuncType)
	if err != nil || !ok || fn.Results != nil {
		if wrong = goError(err, p.off-len(head), len(head+p.text)); wrong == nil {
			wrong = x.wrong("MESSAGE(NAME TYPE, ...) is meant")
		}
		wrong.off = max(wrong.off, p.off)
		return nil, wrong
	}
	part := func(n ast.Node) piece {
		from, to := int(n.Pos())-1-len(head), int(n.End())-1-len(head)
		return piece{p.off + from, p.text[from:to]}
	}
	for _, f := range fn.Params.List {
		if len(f.Names) == 0 {
			return nil, &syntaxError{part(f.Type).off, "a message's parameter has a name and a type, as in added(v int)"}
		}
		if _, ok := f.Type.(*ast.Ellipsis); ok {
			return nil, &syntaxError{part(f.Type).off, "a message has no ... parameter"}
		}
		for _, n := range f.Names {
			list = append(list, param{part(n), part(f.Type)})
		}
	}
	return list, nil
}
