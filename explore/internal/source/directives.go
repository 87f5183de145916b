package source

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// directiveWords are what can follow "//lin:"; nothing does in a body.
var directiveWords = []string{"op", "new", "object", "receive", "invariant"}

// actWords are what a directive in a body may begin with, beside an operation.
var actWords = []string{"in", "if", "broadcast", "goto", "own", "guess", "assume"}

// comment is a comment that is a directive.
type comment struct {
	pos  token.Pos      // of the comment
	at   token.Position // likewise
	off  int            // in its text: behind "//lin:" and the word
	text string         // all of it
	file *ast.File
	fn   *ast.FuncDecl // in whose body it is
}

// place is the position of a part of the comment.
func (c *comment) place(off int) token.Position {
	p := c.at
	p.Column += off
	return p
}

// bodyDirective is a directive between statements.
type bodyDirective struct {
	comment
	Statement
	dead bool // nothing reaches it
}

// ruleDirective is a receiving rule of an operation.
type ruleDirective struct {
	comment
	Receive
	op int
}

// invariantDirective is an invariant of the object.
type invariantDirective struct {
	comment
	expr Piece
	decl *ast.TypeSpec
}

// policy collects the directives of the files.
type policy struct {
	l          *loader
	c          *choice
	ops        []policyOp
	marked     bool // by //lin:op
	states     []string
	messages   []*message
	bodies     []*bodyDirective
	rules      []*ruleDirective
	invariants []*invariantDirective
	guesses    []string
	reached    []map[*ast.FuncDecl]bool // by each operation
	others     map[*ast.FuncDecl]bool   // by what is no operation here, but may be in another run
	found      []Problem
	lint       []Problem
}

// message is one that operations receive.
type message struct {
	name  string
	from  *ruleDirective // the first that receives it
	types []types.Type   // with the type parameters of that operation
	inst  []types.Type   // with the type arguments of the object
	sent  bool
}

// wrong notes what is wrong with a part of a directive.
func (p *policy) wrong(c *comment, off int, format string, args ...any) {
	p.found = append(p.found, p.l.problem(c.place(off), fmt.Sprintf(format, args...)))
}

// remark notes what is suspicious about a part of a directive.
func (p *policy) remark(c *comment, off int, format string, args ...any) {
	p.lint = append(p.lint, p.l.problem(c.place(off), fmt.Sprintf(format, args...)))
}

// find reads all directives.
func (p *policy) find() {
	for _, f := range p.l.files {
		docs := docsOf(f)
		for _, g := range f.Comments {
			for _, c := range g.List {
				d := comment{pos: c.Slash, at: p.l.fset.Position(c.Slash), off: len("//lin:"), text: c.Text, file: f, fn: Around(f, c.Slash)}
				if text, ok := strings.CutPrefix(c.Text, "//lin:"); ok {
					p.one(d, text, docs[g])
				} else if strings.HasPrefix(c.Text, "// lin:") {
					p.remark(&d, 0, "this is no directive: leave out the space before lin")
				}
			}
		}
	}
}

// docsOf are the comments that belong to declarations.
func docsOf(f *ast.File) map[*ast.CommentGroup]ast.Node {
	docs := map[*ast.CommentGroup]ast.Node{}
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			docs[decl.Doc] = decl
		case *ast.GenDecl:
			docs[decl.Doc] = decl
			for _, s := range decl.Specs {
				if t, ok := s.(*ast.TypeSpec); ok {
					docs[t.Doc] = t
					if !decl.Lparen.IsValid() {
						docs[decl.Doc] = t
					}
				}
			}
		}
	}
	delete(docs, nil)
	return docs
}

// one reads a directive, which may belong to a declaration.
func (p *policy) one(c comment, text string, doc ast.Node) {
	word := text
	if i := strings.IndexAny(text, " \t"); i >= 0 {
		word = text[:i]
	}
	fn, isFunc := doc.(*ast.FuncDecl)
	typ, isType := doc.(*ast.TypeSpec)
	c.off += len(word)
	switch word {
	case "":
		if c.fn == nil {
			p.wrong(&c, 0, "this directive belongs into the body of a function; on its doc stand %s", list(directiveWords[:4], "or"))
			return
		}
		p.body(c)
	case "op", "new":
		if !isFunc {
			p.wrong(&c, 0, "//lin:%s belongs to the doc of a function, directly above it", word)
		}
	case "object":
		if !isType {
			p.wrong(&c, 0, "//lin:object belongs to the doc of a type, directly above it")
		}
	case "receive":
		if !isFunc {
			p.wrong(&c, 0, "//lin:receive belongs to the doc of an operation, directly above it")
			return
		}
		p.rule(c, fn)
	case "invariant":
		if !isType {
			p.wrong(&c, 0, "//lin:invariant belongs to the doc of %s, directly above it", p.objectName())
			return
		}
		p.invariant(c, typ)
	default:
		if strings.Contains(text, "(") || slices.Contains(actWords, word) {
			p.wrong(&c, len("//lin:"), "a space is missing: //lin: %s", text)
			return
		}
		p.wrong(&c, len("//lin:"), "there is no directive //lin:%s%s (there are //lin: in a body, and %s)", word, wording.Hint(word, directiveWords), list(directiveWords, "and"))
	}
}

// list is "a, b or c".
func list(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " " + last + " " + words[len(words)-1]
}

func (p *policy) objectName() string {
	if name := p.l.objectDecl(p.c); name != "" {
		return "type " + name
	}
	return "the object's type"
}

// objectDecl is the name of the object's type; "" if the package does not declare it.
func (l *loader) objectDecl(c *choice) string {
	t := c.object
	if t == nil {
		return ""
	}
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == l.pkg.Path() {
		return n.Obj().Name()
	}
	return ""
}

// receiver is the name of a method's type; "" of a function.
func receiver(fn *ast.FuncDecl) (name string, params []ast.Expr) {
	if fn == nil || fn.Recv == nil || len(fn.Recv.List) == 0 {
		return "", nil
	}
	return baseName(fn.Recv.List[0].Type)
}

// baseName is the name of a type, and its type arguments.
func baseName(e ast.Expr) (name string, params []ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name, nil
	case *ast.StarExpr:
		return baseName(e.X)
	case *ast.ParenExpr:
		return baseName(e.X)
	case *ast.IndexExpr:
		name, _ = baseName(e.X)
		return name, []ast.Expr{e.Index}
	case *ast.IndexListExpr:
		name, _ = baseName(e.X)
		return name, e.Indices
	}
	return "", nil
}

// elsewhere reports whether a type is another one that could be explored.
func (p *policy) elsewhere(name string) bool {
	if name == "" || name == p.l.objectDecl(p.c) {
		return false
	}
	t, ok := p.l.pkg.Scope().Lookup(name).(*types.TypeName)
	return ok && t.Exported() && p.l.countMethods(t.Type()) > 0
}

// ofAnother reports whether a function is a method of another type that could be explored, and
// nothing that the operations call: its directives say nothing about this object.
func (p *policy) ofAnother(fn *ast.FuncDecl) bool {
	name, _ := receiver(fn)
	return p.elsewhere(name) && len(p.reachedBy(fn)) == 0
}

// body reads a directive in a body.
func (p *policy) body(c comment) {
	if p.ofAnother(c.fn) {
		return
	}
	s, wrong := ParseStatement(c.text, c.off)
	if wrong != nil {
		p.wrong(&c, wrong.Off, "%s", wrong.What)
		return
	}
	last, ok := Preceding(c.fn.Body, c.pos)
	if !ok {
		p.wrong(&c, 0, "a directive stands between statements, not within one: give it a line of its own")
		return
	}
	d := &bodyDirective{comment: c, Statement: s}
	if last != nil && Terminates(last) {
		p.remark(&c, 0, "nothing reaches this directive: put it before the statement that leaves")
		d.dead = true
	}
	p.bodies = append(p.bodies, d)
}

// rule reads a receiving rule.
func (p *policy) rule(c comment, fn *ast.FuncDecl) {
	if p.ofAnother(fn) || slices.Contains(p.c.skip, fn.Name.Name) || slices.Contains(p.c.skip, lowerCamel(fn.Name.Name)) {
		return
	}
	r, wrong := ParseReceive(c.text, c.off)
	if wrong != nil {
		p.wrong(&c, wrong.Off, "%s", wrong.What)
		return
	}
	is := false
	for i, op := range p.ops {
		if op.decl == fn {
			d := &ruleDirective{c, r, i}
			is = true
			p.rules = append(p.rules, d)
		}
	}
	if !is {
		p.wrong(&c, 0, "%s is no operation, so it receives nothing (operations are %s)", fn.Name.Name, list(p.opNames(), "and"))
	}
}

// invariant reads an invariant.
func (p *policy) invariant(c comment, t *ast.TypeSpec) {
	if p.elsewhere(t.Name.Name) {
		return
	}
	if t.Name.Name != p.l.objectDecl(p.c) {
		p.wrong(&c, 0, "//lin:invariant belongs to the doc of %s, not of %s", p.objectName(), t.Name.Name)
		return
	}
	e, wrong := ParseCondition(c.text, c.off)
	if wrong != nil {
		p.wrong(&c, wrong.Off, "%s", wrong.What)
		return
	}
	p.invariants = append(p.invariants, &invariantDirective{c, e, t})
}
