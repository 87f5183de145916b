package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// ghosts are the functions that directives become calls of, by their names.
type ghosts struct {
	p      *policy
	w      *writer
	prefix string
	kinds  map[string]Ghost
	// uses are, of a generic function, the type parameters of the object that are its own.
	uses map[string][]int
	// bound are the names that expressions in our file know; nil for those in the user's.
	bound map[string]bool
}

// declare writes a function without a body, but Go wants one of a generic function.
func (g *ghosts) declare(name, signature string, what Ghost) {
	body := ""
	switch {
	case what.Kind == ir.GhostOwns:
		body = " { return false }"
	case signature[0] == '[':
		body = " {}"
	}
	fmt.Fprintf(&g.w.body, "func %s%s%s%s\n\n", g.prefix, name, signature, body)
	g.kinds[g.prefix+name] = what
}

// all writes the functions that are there for every policy.
func (g *ghosts) all() {
	x := g.prefix
	g.declare("Begin", "()", Ghost{Kind: ir.GhostBegin})
	g.declare("End", "()", Ghost{Kind: ir.GhostEnd})
	g.declare("Own", "["+x+"T interface{}](*"+x+"T)", Ghost{Kind: ir.GhostOwn})
	g.declare("Owns", "["+x+"T interface{}](*"+x+"T) bool", Ghost{Kind: ir.GhostOwns})
	for i := range g.p.states {
		g.declare(fmt.Sprint("In", i), "() bool", Ghost{Kind: ir.GhostIn, Number: i})
		g.declare(fmt.Sprint("Goto", i), "()", Ghost{Kind: ir.GhostGoto, Number: i})
	}
	for i := range g.p.guesses {
		g.declare(fmt.Sprint("Guess", i), "()", Ghost{Kind: ir.GhostGuess, Number: i})
		g.declare(fmt.Sprint("Guessed", i), "() bool", Ghost{Kind: ir.GhostGuessed, Number: i})
		g.declare(fmt.Sprint("Assume", i), "(bool)", Ghost{Kind: ir.GhostAssume, Number: i})
	}
	for i, op := range g.p.ops {
		types := append(slices.Clone(op.params), op.results...)
		g.declare(fmt.Sprint("Runs", i), "() bool", Ghost{Kind: ir.GhostRuns, Number: i})
		g.typed(fmt.Sprint("Announce", i), &op, types, Ghost{Kind: ir.GhostAnnounce, Number: i})
		g.typed(fmt.Sprint("AnnounceFor", i), &op, types, Ghost{Kind: ir.GhostAnnounce, Number: i, For: true})
	}
	for i, m := range g.p.messages {
		op := &g.p.ops[m.from.op]
		g.typed(fmt.Sprint("Before", i), op, m.types, Ghost{Kind: ir.GhostBroadcast, Number: i})
		g.typed(fmt.Sprint("After", i), op, m.types, Ghost{Kind: ir.GhostBroadcast, Number: i, After: true})
	}
}

// typed declares a function of types in which type parameters of an operation may occur.
func (g *ghosts) typed(name string, op *policyOp, ts []types.Type, what Ghost) {
	var list, params []string
	if what.For {
		list = append(list, "*"+g.prefix+"P")
	}
	for _, t := range ts {
		list = append(list, g.w.typ(t))
	}
	tps := op.typeParams()
	used := g.used(tps, list)
	for _, i := range used {
		params = append(params, tps.At(i).Obj().Name()+" "+g.w.typ(tps.At(i).Constraint()))
	}
	if what.For {
		params = append(params, g.prefix+"P interface{}")
	}
	text := "(" + strings.Join(list, ", ") + ")"
	if len(params) > 0 {
		text = "[" + strings.Join(params, ", ") + "]" + text
	}
	g.uses[g.prefix+name] = used
	g.declare(name, text, what)
}

// used are the type parameters that occur in types, or in constraints of such ones.
func (g *ghosts) used(tps *types.TypeParamList, texts []string) (used []int) {
	names := map[string]bool{}
	read := func(text string) {
		if e, err := parser.ParseExpr(text); err == nil {
			ast.Inspect(e, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					names[id.Name] = true
				}
				return true
			})
		}
	}
	for _, text := range texts {
		read(text)
	}
	for range tps.Len() {
		for i := range tps.Len() {
			if names[tps.At(i).Obj().Name()] && !slices.Contains(used, i) {
				used = append(used, i)
				read(g.w.typ(tps.At(i).Constraint()))
			}
		}
	}
	slices.Sort(used)
	return used
}

// function writes the head of a function that takes the object, the arguments of an operation and
// those of a message, with the names that the operation's declaration has for them. Reading the
// object is a part of the directive.
func (g *ghosts) function(name string, d *ruleDirective, result string) {
	op := &g.p.ops[d.op]
	var params, body []string
	bind := func(ids []*ast.Ident, as, value string) {
		for _, id := range ids {
			if id.Name != "_" {
				body = append(body, fmt.Sprintf("%s := %s%s; _ = %s", id.Name, as, value, id.Name))
			}
		}
	}
	object := g.prefix + "Object"
	params = append(params, object+" "+g.object())
	fields := op.decl.Type.Params.List
	if op.decl.Recv != nil {
		bind(op.decl.Recv.List[0].Names, "", g.receiver(op, object))
	}
	n := 0 // of the names in the declaration
	for _, f := range fields {
		for i := range max(1, len(f.Names)) {
			var ids []*ast.Ident
			if len(f.Names) > 0 {
				ids = f.Names[i : i+1]
			}
			k := n - op.skip
			if op.context {
				k--
			}
			switch {
			case n < op.skip:
				bind(ids, strings.TrimSuffix(op.object, "%s"), object)
			case k >= 0 && k < len(op.operation.params):
				arg, t := fmt.Sprint(g.prefix, "Arg", k), g.w.typ(op.operation.params[k])
				params = append(params, arg+" "+t)
				if _, variadic := f.Type.(*ast.Ellipsis); variadic {
					bind(ids, "[]"+t, "{"+arg+"}")
				} else {
					bind(ids, "", arg)
				}
			}
			n++
		}
	}
	for i, x := range d.Params {
		params = append(params, x.Name.Text+" "+g.w.typ(g.message(d).inst[i]))
	}
	fmt.Fprintf(&g.w.body, "func %s(%s) %s {\n", name, strings.Join(params, ", "), result)
	args := g.p.typeArgs(d.op)
	for i := range op.typeParams().Len() {
		if n := op.typeParams().At(i).Obj().Name(); args[n] != nil && n != "_" {
			fmt.Fprintf(&g.w.body, "\ttype %s = %s\n", n, g.w.typ(args[n]))
		}
	}
	fmt.Fprintf(&g.w.body, "\t%sBegin()\n", g.prefix)
	for _, b := range body {
		fmt.Fprintf(&g.w.body, "\t%s\n", b)
	}
}

// message is what a rule receives.
func (g *ghosts) message(d *ruleDirective) *message {
	_, m := g.p.messageNamed(d.Message.Text)
	return m
}

// object is the type of the object.
func (g *ghosts) object() string {
	if g.p.c.object == nil {
		return "*struct{}"
	}
	return g.w.typ(g.p.c.object)
}

// receiver is the receiver of a method: the object, or what it embeds.
func (g *ghosts) receiver(op *policyOp, object string) string {
	t := g.p.c.object
	text := object
	sel := types.NewMethodSet(t).Lookup(g.p.l.pkg, op.decl.Name.Name)
	if sel != nil {
		for _, i := range sel.Index()[:len(sel.Index())-1] {
			if p, ok := t.Underlying().(*types.Pointer); ok {
				t = p.Elem()
			}
			f := t.Underlying().(*types.Struct).Field(i)
			t, text = f.Type(), text+"."+f.Name()
		}
	}
	_, is := t.Underlying().(*types.Pointer)
	switch _, want := op.decl.Recv.List[0].Type.(*ast.StarExpr); {
	case is && !want:
		return "*" + text
	case !is && want:
		return "&" + text
	}
	return text
}

// rules writes two functions for each rule, and one for each invariant.
func (g *ghosts) rules() {
	for i, d := range g.p.rules {
		g.bind(g.p.ops[d.op].decl, d.Params)
		g.function(fmt.Sprint(g.prefix, "If", i), d, "bool")
		cond := ""
		if d.Cond.Text != "" {
			cond = g.cond(&d.comment, d.Cond)
		}
		g.reports(cond)
		g.function(fmt.Sprint(g.prefix, "Do", i), d, "")
		fmt.Fprintf(&g.w.body, "\t%s%sEnd()\n}\n\n", g.acts(&d.comment, &d.Statement, nil), g.prefix)
	}
	for i, d := range g.p.invariants {
		g.bound = map[string]bool{g.p.receiverName(d): true}
		fmt.Fprintf(&g.w.body, "func %sInvariant%d(%s %s) bool {\n", g.prefix, i, g.p.receiverName(d), g.object())
		for j, a := range g.p.objectArgs() {
			if n := g.p.l.pkg.Scope().Lookup(d.decl.Name.Name).Type().(*types.Named).TypeParams().At(j).Obj().Name(); n != "_" {
				fmt.Fprintf(&g.w.body, "\ttype %s = %s\n", n, g.w.typ(a))
			}
		}
		fmt.Fprintf(&g.w.body, "\t%sBegin()\n", g.prefix)
		g.reports(g.cond(&d.comment, d.expr))
	}
}

// bind notes the names that hide imported packages.
func (g *ghosts) bind(fn *ast.FuncDecl, params []Param) {
	g.bound = map[string]bool{}
	for _, f := range fieldsOf(fn) {
		for _, n := range f.Names {
			g.bound[n.Name] = true
		}
	}
	for _, x := range params {
		g.bound[x.Name.Text] = true
	}
}

// reports writes the end of a function that reports whether a condition holds, true without one.
func (g *ghosts) reports(cond string) {
	is := g.prefix + "Is"
	fmt.Fprintf(&g.w.body, "\t%s := ", is)
	if cond == "" {
		fmt.Fprintf(&g.w.body, "true\n")
	} else {
		fmt.Fprintf(&g.w.body, "false\n\tif %s {\n\t\t%s = true\n\t}\n", cond, is)
	}
	fmt.Fprintf(&g.w.body, "\t%sEnd()\n\treturn %s\n}\n\n", g.prefix, is)
}

// receiverName is what the methods of a type call the object.
func (p *policy) receiverName(d *invariantDirective) string {
	for _, f := range p.l.files {
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if name, _ := receiver(fn); !ok || name != d.decl.Name.Name || len(fn.Recv.List[0].Names) == 0 {
				continue
			}
			if name := fn.Recv.List[0].Names[0].Name; name != "_" {
				return name
			}
		}
	}
	return "_"
}

// imports adds what the file of a directive imports, as far as an expression uses it.
func (g *ghosts) imports(c *comment, e ast.Expr) {
	names := g.p.l.importsOf(c.file)
	ast.Inspect(e, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && !g.bound[x.Name] && names[x.Name] != "" {
				g.w.imports[x.Name] = names[x.Name]
			}
		}
		return true
	})
}
