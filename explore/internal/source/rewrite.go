package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// expr is the text of a user's expression, at its place.
func (g *ghosts) expr(c *comment, p Piece) string {
	e, err := parser.ParseExpr(p.Text)
	if err != nil {
		return p.Text // it was parsed before
	}
	if g.bound != nil {
		g.imports(c, e)
	}
	text := p.Text
	for _, id := range slices.Backward(g.p.own(e)) {
		from, to := int(id.Pos())-1, int(id.End())-1
		name := g.prefix + "Owns"
		if i := slices.Index(g.p.guesses, id.Name); i >= 0 {
			name = fmt.Sprint(g.prefix, "Guessed", i, "()")
		}
		text = text[:from] + name + line(c.place(p.Off+to)) + text[to:]
	}
	return line(c.place(p.Off)) + text
}

// cond is the text of a condition, in parentheses.
func (g *ghosts) cond(c *comment, p Piece) string {
	return line(c.place(p.Off-1)) + "(" + g.expr(c, p) + ")"
}

// call is the text of a call of one of our functions, at the place of an act.
func (g *ghosts) call(c *comment, at int, name string, typeArgs []string, args ...string) string {
	types := ""
	if names := g.instance(name, typeArgs); names != "" {
		types = "[" + names + "]"
	}
	return fmt.Sprintf("%s%s%s%s%s(%s)", line(c.place(at)), g.prefix, name, types, line(c.place(at)), strings.Join(args, ", "))
}

// instance are the type arguments of a function of ours, by their names in the function around the
// call; "" if it has none or they are inferred.
func (g *ghosts) instance(name string, typeArgs []string) string {
	var names []string
	for _, i := range g.uses[g.prefix+name] {
		if i >= len(typeArgs) || typeArgs[i] == "_" {
			return ""
		}
		names = append(names, typeArgs[i])
	}
	return strings.Join(names, ", ")
}

// exprs are the texts of expressions.
func (g *ghosts) exprs(c *comment, lists ...[]Piece) (texts []string) {
	for _, list := range lists {
		for _, p := range list {
			texts = append(texts, g.expr(c, p))
		}
	}
	return texts
}

// acts is the text of a statement's acts.
func (g *ghosts) acts(c *comment, s *Statement, typeArgs []string) string {
	var b strings.Builder
	several := len(g.announced(s)) > 1
	for i := 0; i < len(s.Acts); i++ {
		a := s.Acts[i]
		switch a.Kind {
		case Goto:
			b.WriteString(g.call(c, a.At, fmt.Sprint("Goto", g.p.state(a.Name.Text)), nil) + "; ")
		case Own:
			b.WriteString(g.call(c, a.At, "Own", nil, g.expr(c, a.Expr)) + "; ")
		case Guess:
			b.WriteString(g.call(c, a.At, fmt.Sprint("Guess", slices.Index(g.p.guesses, a.Name.Text)), nil) + "; ")
		case Assume:
			value := fmt.Sprint(!a.Not)
			if a.Expr.Text != "" {
				value = g.expr(c, a.Expr)
			}
			b.WriteString(g.call(c, a.At, fmt.Sprint("Assume", slices.Index(g.p.guesses, a.Name.Text)), nil, value) + "; ")
		case Broadcast:
			if !slices.ContainsFunc(s.Acts[:i], func(a Act) bool { return a.Kind == Announce }) {
				b.WriteString(g.send(c, a, "Before", typeArgs) + g.send(c, a, "After", typeArgs))
			}
		case Announce:
			var with []Act
			for _, next := range s.Acts[i+1:] {
				if next.Kind == Announce {
					break
				}
				if next.Kind == Broadcast {
					with = append(with, next)
				}
			}
			text := g.announcement(c, a, with, typeArgs)
			if several && a.Owner.Text == "" && text != "" {
				text = fmt.Sprintf("if %sRuns%d() { %s}; ", g.prefix, g.p.op(a.Name.Text), text)
			}
			b.WriteString(text)
		}
	}
	return b.String()
}

// send is the text of sending a message to those that receive it before, or after.
func (g *ghosts) send(c *comment, m Act, when string, typeArgs []string) (text string) {
	i, _ := g.p.messageNamed(m.Name.Text)
	switch {
	case i >= 0:
		return g.call(c, m.At, fmt.Sprint(when, i), typeArgs, g.exprs(c, m.Args)...) + "; "
	case when == "Before":
		for _, x := range m.Args {
			text += "_ = " + g.expr(c, x) + "; "
		}
	}
	return text
}

// announcement is the text of one, between those of messages that go with it.
func (g *ghosts) announcement(c *comment, a Act, with []Act, typeArgs []string) string {
	op := g.p.op(a.Name.Text)
	if op < 0 {
		return "" // it is left out
	}
	send := func(when string) (text string) {
		for _, m := range with {
			text += g.send(c, m, when, typeArgs)
		}
		return text
	}
	name, args := fmt.Sprint("Announce", op), g.exprs(c, a.Args, a.Results)
	if a.Owner.Text != "" {
		name, args = fmt.Sprint("AnnounceFor", op), append([]string{g.expr(c, a.Owner)}, args...)
	}
	return send("Before") + g.call(c, a.At, name, typeArgs, args...) + "; " + send("After")
}

// announced are the operations that a statement announces for the goroutine that runs.
func (g *ghosts) announced(s *Statement) (ops []int) {
	for _, a := range s.Acts {
		if op := g.p.op(a.Name.Text); a.Kind == Announce && a.Owner.Text == "" && !slices.Contains(ops, op) {
			ops = append(ops, op)
		}
	}
	return ops
}

// body is the text of a directive in a body. It begins with a semicolon, for it may follow a statement.
func (g *ghosts) body(d *bodyDirective) string {
	if len(d.Acts) == 1 && d.Acts[0].Kind == Guess && d.State.Text+d.Cond.Text == "" {
		return ";" + g.call(&d.comment, d.off, fmt.Sprint("Guess", slices.Index(g.p.guesses, d.Acts[0].Name.Text)), nil)
	}
	var conds, runs []string
	announced := g.announced(&d.Statement)
	for _, op := range announced {
		if op >= 0 {
			runs = append(runs, fmt.Sprintf("%sRuns%d()", g.prefix, op))
		}
	}
	switch {
	case len(runs) > 0:
		conds = append(conds, "("+strings.Join(runs, " || ")+")")
	case len(announced) > 0:
		return "" // of operations that are left out
	}
	if d.State.Text != "" {
		conds = append(conds, fmt.Sprintf("%sIn%d()", g.prefix, g.p.state(d.State.Text)))
	}
	text := g.acts(&d.comment, &d.Statement, g.typeArgs(d.comment.fn))
	if d.Cond.Text != "" {
		text = fmt.Sprintf("if %s { %s}; ", g.cond(&d.comment, d.Cond), text)
	}
	if len(conds) > 0 {
		text = fmt.Sprintf("if %s { %s}; ", strings.Join(conds, " && "), text)
	}
	begin := g.call(&d.comment, d.off, "Begin", nil)
	return fmt.Sprintf(";%s; %s%s", begin, text, g.call(&d.comment, d.off, "End", nil))
}

// typeArgs are the names that a function has for the object's type arguments.
func (g *ghosts) typeArgs(fn *ast.FuncDecl) (names []string) {
	name, params := receiver(fn)
	if name != "" && name == g.p.l.objectDecl(g.p.c) {
		for _, e := range params {
			if id, ok := e.(*ast.Ident); ok {
				names = append(names, id.Name)
			}
		}
		return names
	}
	if !slices.ContainsFunc(g.p.ops, func(op policyOp) bool { return op.decl == fn }) || fn.Type.TypeParams == nil {
		return nil
	}
	for _, f := range fn.Type.TypeParams.List {
		for _, n := range f.Names {
			names = append(names, n.Name)
		}
	}
	return names
}

// policy makes code of the directives. Afterwards the package is another one.
func (l *loader) policy(c *choice, wrappers *ast.File) (*ghosts, error) {
	p := &policy{l: l, c: c, states: []string{"start"}}
	p.operations()
	p.reaches()
	p.find()
	if len(p.found) == 0 {
		p.resolve()
	}
	if len(p.found) > 0 {
		return nil, problems(p.found)
	}
	g := &ghosts{p: p, w: l.writer(), prefix: l.prefix, kinds: map[string]Ghost{}, uses: map[string][]int{}}
	g.all()
	if err := g.rewrite(); err != nil {
		return nil, err
	}
	g.rules()
	f, err := g.w.parse()
	if err != nil {
		return nil, fmt.Errorf("explore: the functions of the directives of %s: %w\n%s", l.pkg.Path(), err, g.w.text())
	}
	l.files = append(l.files, f, wrappers)
	if list := l.problemsOf(l.checkRoot()); len(list) > 0 {
		for i := range list {
			list[i].What = g.words(list[i].What)
		}
		return nil, problems(list)
	}
	return g, nil
}

// rewrite puts calls in place of the directives in the bodies.
func (g *ghosts) rewrite() error {
	files := slices.Clone(g.p.l.files)
	for i, f := range files {
		file := g.p.l.fset.File(f.Package)
		var edits []edit
		for _, d := range g.p.bodies {
			if d.file == f && !d.dead {
				edits = append(edits, edit{d.pos, d.pos + token.Pos(len(d.text)), g.body(d)})
			}
		}
		if len(edits) == 0 {
			continue
		}
		text := apply(g.p.l.texts[file.Name()], file, edits)
		changed, err := parser.ParseFile(g.p.l.fset, file.Name(), text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return fmt.Errorf("explore: the directives of %s: %w", file.Name(), err)
		}
		files[i] = changed
	}
	g.p.l.files = files
	return nil
}

// words speaks of what directives say in place of our functions.
func (g *ghosts) words(text string) string {
	if strings.Contains(text, "cannot infer "+g.prefix) {
		return "own, owns and for take a pointer"
	}
	name := regexp.MustCompile(regexp.QuoteMeta(g.prefix) + `([A-Z][A-Za-z]*)(\d*)(\[[^\]]*\])?(\(\))?`)
	return name.ReplaceAllStringFunc(text, func(s string) string {
		part := name.FindStringSubmatch(s)
		n, _ := strconv.Atoi(part[2])
		switch part[1] {
		case "Announce", "AnnounceFor":
			return g.p.ops[n].name
		case "Before", "After":
			return g.p.messages[n].name
		case "Guess", "Guessed":
			return g.p.guesses[n]
		}
		return strings.ToLower(part[1])
	})
}

// policyOf is the result.
func (g *ghosts) policyOf(root *ssa.Package) *Policy {
	p := &Policy{States: g.p.states, Guesses: g.p.guesses, Ghosts: map[*ssa.Function]Ghost{}}
	for _, m := range g.p.messages {
		p.Messages = append(p.Messages, m.name)
	}
	for name, what := range g.kinds {
		p.Ghosts[root.Func(name)] = what
	}
	for i, d := range g.p.rules {
		message, _ := g.p.messageNamed(d.Message.Text)
		state := -1
		if d.State.Text != "" {
			state = g.p.state(d.State.Text)
		}
		p.Rules = append(p.Rules, Rule{
			Op: d.op, State: state, Message: message, After: d.After, Pos: d.pos,
			If: root.Func(fmt.Sprint(g.prefix, "If", i)), Do: root.Func(fmt.Sprint(g.prefix, "Do", i)),
		})
	}
	for i, d := range g.p.invariants {
		p.Invariants = append(p.Invariants, Invariant{root.Func(fmt.Sprint(g.prefix, "Invariant", i)), d.expr.Text, d.pos})
	}
	return p
}
