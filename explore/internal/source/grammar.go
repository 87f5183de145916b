package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// Piece is a part of a comment, and where it begins there.
type Piece struct {
	Off  int
	Text string
}

// Statement is a directive: if the controller is in a state and a condition holds, acts.
type Statement struct {
	State, Cond Piece // "" if there is none
	Acts        []Act
}

// Kind is what an act does.
type Kind int

// The kinds of acts.
const (
	Announce  Kind = iota // OPERATION(ARGUMENTS) = RESULTS for POINTER
	Broadcast             // broadcast MESSAGE(ARGUMENTS)
	Goto                  // goto STATE
	Own                   // own POINTER
	Guess                 // guess NAME
	Assume                // assume NAME == EXPRESSION
)

// Act is one of a statement.
type Act struct {
	Kind    Kind
	At      int     // where it begins in the comment
	Name    Piece   // of the operation, message, state, guess
	Args    []Piece // of an operation, a message
	Results []Piece
	Owner   Piece // a pointer: it is the operation of its owner; "" if there is none
	Expr    Piece // the pointer of owns; what the guess of assumes is: "" for true
	Not     bool  // of assumes: it is not that
}

// Receive is a rule by which an operation receives a message.
type Receive struct {
	After   bool
	Message Piece
	Params  []Param
	Statement
}

// Param is a parameter of a message.
type Param struct{ Name, Type Piece }

// DirectiveError is what is wrong with a directive.
type DirectiveError struct {
	Off  int // where in the comment
	What string
}

// ParseStatement reads what follows "//lin:" in a body.
func ParseStatement(text string, off int) (Statement, *DirectiveError) {
	x, wrong := scan(text, off)
	if wrong != nil {
		return Statement{}, wrong
	}
	return x.statement()
}

// ParseCondition reads what follows "//lin:invariant".
func ParseCondition(text string, off int) (Piece, *DirectiveError) {
	x, wrong := scan(text, off)
	if wrong != nil {
		return Piece{}, wrong
	}
	return x.expr("the condition")
}

// statement reads a guard, if there is one, and acts.
func (x lexer) statement() (s Statement, wrong *DirectiveError) {
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
		s.Acts = append(s.Acts, a)
	}
	if len(s.Acts) == 0 {
		return s, x.wrong("there is no act, such as OPERATION(ARGUMENTS) = RESULTS")
	}
	return s, nil
}

// guard reads [in STATE] [if EXPRESSION].
func (x lexer) guard(s *Statement) (wrong *DirectiveError) {
	if x.is("in") {
		if !x.is("in", "") {
			return x.wrong("a state follows in")
		}
		s.State = Piece{x.toks[1].off, x.toks[1].lit}
		x = x.after(1)
	}
	if len(x.toks) == 0 {
		return nil
	}
	if !x.is("if") {
		return x.wrong("only if EXPRESSION or a colon can follow a state")
	}
	s.Cond, wrong = x.after(0).expr("the condition")
	return wrong
}

// act reads one.
func (x lexer) act() (a Act, wrong *DirectiveError) {
	a.At = x.piece().Off
	sets := x.find(token.ASSIGN) >= 0
	switch {
	case len(x.toks) == 0:
		return a, x.wrong("an act is missing")
	case x.is("broadcast", ""):
		a.Kind = Broadcast
		name, inside, rest, wrong := x.after(0).call("broadcast MESSAGE(ARGUMENTS) is meant")
		if wrong != nil {
			return a, wrong
		}
		if len(rest.toks) > 0 {
			return a, rest.wrong("nothing can follow broadcast MESSAGE(ARGUMENTS) but a semicolon")
		}
		if a.Name, wrong = name.word("the name of a message is one word"); wrong != nil {
			return a, wrong
		}
		a.Args, wrong = inside.exprs("an argument")
		return a, wrong
	case x.is("goto"):
		a.Kind = Goto
		a.Name, wrong = x.after(0).word("goto STATE is meant")
		return a, wrong
	case x.is("guess") && !x.is("guess", "("):
		a.Kind = Guess
		a.Name, wrong = x.after(0).word("guess NAME is meant")
		if wrong == nil && a.Name.Text == "_" {
			wrong = x.wrong("a guess needs a name")
		}
		return a, wrong
	case x.is("own") && !sets:
		a.Kind = Own
		a.Expr, wrong = x.after(0).expr("a pointer")
		return a, wrong
	case x.is("assume") && !sets:
		a.Kind = Assume
		return a, x.after(0).assumption(&a)
	}
	return x.announcement(a)
}

// assumption reads GUESS == EXPRESSION, GUESS or !GUESS.
func (x lexer) assumption(a *Act) *DirectiveError {
	p, wrong := x.expr("GUESS == EXPRESSION")
	if wrong != nil {
		return wrong
	}
	e, _ := parser.ParseExpr(p.Text) // it is one
	part := func(n ast.Node) Piece {
		return Piece{p.Off + int(n.Pos()) - 1, p.Text[n.Pos()-1 : n.End()-1]}
	}
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.EQL {
		e, a.Expr = b.X, part(b.Y)
	} else if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.NOT {
		e, a.Not = u.X, true
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return x.wrong("assume GUESS == EXPRESSION is meant, with && and || in parentheses")
	}
	a.Name = part(id)
	return nil
}

// announcement reads OPERATION(ARGUMENTS) = RESULTS for POINTER.
func (x lexer) announcement(a Act) (Act, *DirectiveError) {
	const meant = "OPERATION(ARGUMENTS) = RESULTS, broadcast, goto, own, guess or assume is meant"
	name, inside, rest, wrong := x.call(meant)
	if wrong != nil {
		return a, wrong
	}
	a.Name = name.piece()
	if strings.ContainsAny(a.Name.Text, "=\"`'") {
		return a, x.wrong(meant)
	}
	if a.Args, wrong = inside.exprs("an argument"); wrong != nil {
		return a, wrong
	}
	if i := rest.find(token.FOR); i >= 0 {
		if a.Owner, wrong = rest.after(i).expr("the pointer whose owner is meant"); wrong != nil {
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
	a.Results, wrong = rest.exprs("a result")
	return a, wrong
}

// ParseReceive reads what follows "//lin:receive".
func ParseReceive(text string, off int) (r Receive, wrong *DirectiveError) {
	const meant = "before or after is meant, as in //lin:receive before MESSAGE(v int) in STATE if EXPRESSION: ACT; ACT"
	x, wrong := scan(text, off)
	if wrong != nil {
		return r, wrong
	}
	if !x.is("before") && !x.is("after") {
		return r, x.wrong(meant)
	}
	r.After = x.is("after")
	name, inside, rest, wrong := x.after(0).call("MESSAGE(NAME TYPE, ...) is meant")
	if wrong != nil {
		return r, wrong
	}
	if r.Message, wrong = name.word("the name of a message is one word"); wrong != nil {
		return r, wrong
	}
	if r.Params, wrong = inside.params(); wrong != nil {
		return r, wrong
	}
	switch {
	case rest.is(":"):
		rest = rest.after(0)
	case !rest.is("in") && !rest.is("if"):
		return r, rest.wrong("in STATE, if EXPRESSION or a colon must follow MESSAGE(NAME TYPE, ...)")
	}
	r.Statement, wrong = rest.statement()
	if wrong != nil {
		return r, wrong
	}
	for _, a := range r.Acts {
		if a.Kind == Broadcast {
			return r, &DirectiveError{a.At, "who receives a message does not broadcast another"}
		}
	}
	return r, nil
}

// params reads NAME TYPE, ...
func (x lexer) params() (list []Param, wrong *DirectiveError) {
	if len(x.toks) == 0 {
		return nil, nil
	}
	const head = "func("
	p := x.piece()
	e, err := parser.ParseExpr(head + p.Text + ")")
	fn, ok := e.(*ast.FuncType)
	if err != nil || !ok || fn.Results != nil {
		if wrong = goError(err, p.Off-len(head), len(head+p.Text)); wrong == nil {
			wrong = x.wrong("MESSAGE(NAME TYPE, ...) is meant")
		}
		wrong.Off = max(wrong.Off, p.Off)
		return nil, wrong
	}
	part := func(n ast.Node) Piece {
		from, to := int(n.Pos())-1-len(head), int(n.End())-1-len(head)
		return Piece{p.Off + from, p.Text[from:to]}
	}
	for _, f := range fn.Params.List {
		if len(f.Names) == 0 {
			return nil, &DirectiveError{part(f.Type).Off, "a message's parameter has a name and a type, as in added(v int)"}
		}
		if _, ok := f.Type.(*ast.Ellipsis); ok {
			return nil, &DirectiveError{part(f.Type).Off, "a message has no ... parameter"}
		}
		for _, n := range f.Names {
			list = append(list, Param{part(n), part(f.Type)})
		}
	}
	return list, nil
}
