package source

import (
	"errors"
	"go/parser"
	"go/scanner"
	"go/token"
)

// lexeme is a token of a directive.
type lexeme struct {
	tok      token.Token
	lit      string
	off, end int
}

// lexer is a part of a directive's tokens. Functions split it where no parenthesis is open.
type lexer struct {
	text string // of the whole comment
	toks []lexeme
	end  int // of the part
}

// scan makes tokens of a comment's text from an offset on.
func scan(text string, off int) (x lexer, wrong *DirectiveError) {
	fset := token.NewFileSet()
	f := fset.AddFile("", -1, len(text)-off)
	var s scanner.Scanner
	s.Init(f, []byte(text[off:]), func(p token.Position, msg string) {
		if wrong == nil {
			wrong = &DirectiveError{off + p.Offset, msg}
		}
	}, 0)
	x = lexer{text: text, end: off}
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF || tok == token.SEMICOLON && lit == "\n" {
			return x, wrong
		}
		if lit == "" || tok.IsOperator() {
			lit = tok.String()
		}
		at := off + f.Offset(pos)
		x.end = min(at+len(lit), len(text))
		x.toks = append(x.toks, lexeme{tok, lit, at, x.end})
	}
}

// find is the index of the first of a token, -1 if there is none.
func (x lexer) find(tok token.Token) int {
	depth := 0
	for i, t := range x.toks {
		switch t.tok {
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		}
		if t.tok == tok && depth == 0 {
			return i
		}
		switch t.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		}
	}
	return -1
}

// before is what comes before token i, after what comes after it.
func (x lexer) before(i int) lexer { return lexer{x.text, x.toks[:i], x.toks[i].off} }

func (x lexer) after(i int) lexer { return lexer{x.text, x.toks[i+1:], x.end} }

// split splits at all of a token; nothing has no parts.
func (x lexer) split(tok token.Token) (parts []lexer) {
	if len(x.toks) == 0 {
		return nil
	}
	for {
		i := x.find(tok)
		if i < 0 {
			return append(parts, x)
		}
		parts = append(parts, x.before(i))
		x = x.after(i)
	}
}

// is reports whether the first tokens are these: a literal text, or "" for a name.
func (x lexer) is(lits ...string) bool {
	if len(x.toks) < len(lits) {
		return false
	}
	for i, lit := range lits {
		t := x.toks[i]
		if lit == "" && t.tok != token.IDENT || lit != "" && t.lit != lit {
			return false
		}
	}
	return true
}

// piece is all of it.
func (x lexer) piece() Piece {
	if len(x.toks) == 0 {
		return Piece{x.end, ""}
	}
	from := x.toks[0].off
	return Piece{from, x.text[from:x.toks[len(x.toks)-1].end]}
}

// wrong is an error at the first token.
func (x lexer) wrong(what string) *DirectiveError {
	return &DirectiveError{x.piece().Off, what}
}

// expr is all of it as a Go expression; missing says what it would be.
func (x lexer) expr(missing string) (Piece, *DirectiveError) {
	p := x.piece()
	if p.Text == "" {
		return p, x.wrong(missing + " is missing")
	}
	_, err := parser.ParseExpr(p.Text)
	return p, goError(err, p.Off, len(p.Text))
}

// goError is what Go's parser found in a text.
func goError(err error, off, length int) *DirectiveError {
	if err == nil {
		return nil
	}
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return &DirectiveError{off + max(0, min(list[0].Pos.Offset, length)), list[0].Msg}
	}
	return &DirectiveError{off, err.Error()}
}

// word is the only token, a name.
func (x lexer) word(missing string) (Piece, *DirectiveError) {
	if len(x.toks) != 1 || x.toks[0].tok != token.IDENT {
		return Piece{}, x.wrong(missing)
	}
	return x.piece(), nil
}

// call is NAME(ARGS), and what comes after it.
func (x lexer) call(what string) (name, inside, rest lexer, wrong *DirectiveError) {
	open := x.find(token.LPAREN)
	shut := -1
	for i, depth := open, 0; 0 < open && i < len(x.toks) && shut < 0; i++ {
		switch x.toks[i].tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if depth--; depth == 0 {
				shut = i
			}
		}
	}
	if shut < 0 || x.toks[shut].tok != token.RPAREN {
		return x, x, x, x.wrong(what)
	}
	inside = lexer{x.text, x.toks[open+1 : shut], x.toks[shut].off}
	return x.before(open), inside, x.after(shut), nil
}

// exprs are Go expressions between commas.
func (x lexer) exprs(missing string) (list []Piece, wrong *DirectiveError) {
	for _, part := range x.split(token.COMMA) {
		p, wrong := part.expr(missing)
		if wrong != nil {
			return nil, wrong
		}
		list = append(list, p)
	}
	return list, nil
}
