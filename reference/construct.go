package reference

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// construction is a Go expression of the package that makes objects.
type construction struct {
	given    string // by the user
	text     string // the same without the package's own name, at the same columns
	imports  map[string]string
	called   string // the function or type that it begins with
	typeName string // of the objects, if the syntax tells
	inside   bool   // it uses what only the package itself can name
}

// construction reads Options.New.
func (l *loader) construction(d *declarations, p *listed) (*construction, error) {
	if strings.ContainsAny(l.New, "\r\n") {
		return nil, l.failNew(d, "takes more than one line; write a function in the package and call that")
	}
	e, err := parser.ParseExpr(l.New)
	if err != nil {
		var list scanner.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			err = fmt.Errorf("column %d: %s", list[0].Pos.Column, list[0].Msg)
		}
		return nil, l.failNew(d, "is no Go expression: %v", err)
	}
	if !makesObject(e) {
		return nil, l.failNew(d, "makes no object: give a call of a constructor, a composite literal, or & of one")
	}
	text := []byte(l.New[:e.End()-1])
	for i := range e.Pos() - 1 {
		text[i] = ' '
	}
	c := &construction{given: l.New[e.Pos()-1 : e.End()-1], imports: map[string]string{}, called: called(e), typeName: d.made(e)}
	used := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			switch {
			case !ok || d.top[x.Name]:
			case d.imports[x.Name] != "":
				c.imports[x.Name] = d.imports[x.Name]
				return false
			case x.Name == p.Name: // stands for the package's own scope, column by column
				for i := x.Pos() - 1; i < n.Sel.Pos()-1; i++ {
					text[i] = ' '
				}
			}
		case *ast.KeyValueExpr:
			key, ok := n.Key.(*ast.Ident)
			c.inside = c.inside || ok && !key.IsExported() // a field
		case *ast.Ident:
			used = used || d.top[n.Name]
			c.inside = c.inside || d.top[n.Name] && !n.IsExported()
		}
		return true
	})
	c.text = string(text)
	if !used {
		return nil, l.failNew(d, "uses nothing that the package declares%s", driver.DidYouMean(c.called, slices.Sorted(maps.Keys(d.top))))
	}
	return c, nil
}

// failNew makes a LoadError about Options.New.
func (l *loader) failNew(d *declarations, format string, args ...any) *LoadError {
	e := l.fail("--new %s "+format, append([]any{l.New}, args...)...)
	if examples := d.examples(d.ctors); len(examples) > 0 {
		e.Hint = "for example, " + strings.Join(examples, " or ")
	}
	return e
}

// makesObject reports whether an expression is one that --new may be.
func makesObject(e ast.Expr) bool {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		_, ok := u.X.(*ast.CompositeLit)
		return ok
	}
	switch e.(type) {
	case *ast.CallExpr, *ast.CompositeLit:
		return true
	}
	return false
}

// called is the name of the function or type that an expression begins with.
func called(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.UnaryExpr:
		return called(x.X)
	case *ast.CompositeLit:
		return origin.LocalType(x.Type)
	case *ast.CallExpr:
		return origin.LocalType(x.Fun)
	}
	return ""
}

// made is the type of this package that an expression makes, or "".
func (d *declarations) made(e ast.Expr) string {
	name := called(e)
	if c, ok := e.(*ast.CallExpr); ok && name == "new" && len(c.Args) == 1 {
		name = origin.LocalType(c.Args[0])
	}
	for _, c := range d.ctors {
		if c.name == name {
			return c.of
		}
	}
	if d.types[name] == nil {
		return ""
	}
	return name
}

// madeBy is the selection of a construction. A name may say which type is meant.
func (l *loader) madeBy(d *declarations, p *listed) (*selection, error) {
	c, err := l.construction(d, p)
	if err != nil {
		return nil, err
	}
	specs := slices.ContainsFunc(d.specs, func(s specDecl) bool { return l.Type == "" || l.Type == s.name })
	switch {
	case specs:
		e := l.fail("--new does not go with a Spec, whose New makes the objects")
		e.Hint = "change New in the Spec, or name a type after the path: #" + cmp.Or(c.typeName, "TYPE")
		return nil, e
	case l.TypeArg != "":
		return nil, l.fail("--type-arg does not go with --new: write the type argument there, as in New[%s]()", l.TypeArg)
	case l.Type != "" && c.typeName != "" && d.types[l.Type] != nil && l.Type != c.typeName:
		return nil, l.failNew(d, "makes %s, not %s", c.typeName, l.Type)
	case l.Type != "" && !slices.Contains(d.names(), l.Type):
		return l.named(d, l.Type)
	}
	s := &selection{name: c.given, typeName: c.typeName, made: c, notes: []string{"objects are made by " + c.given}}
	for _, f := range d.ctors {
		if f.name == c.called {
			s.hint = "its declaration is " + f.signature()
		}
	}
	return s, nil
}

// madeFunc is the generated function around a construction.
const madeFunc = "adtinferNew"

// file is the source file with the function. The compiler is told that the
// expression stands in a file --new, and its columns are the user's.
func (c *construction) file(p *listed, inside bool, driverPath string) string {
	var b strings.Builder
	name, imports := "main", map[string]string{"adtinferdriver": driverPath, "adtinfercontext": "context"}
	maps.Copy(imports, c.imports)
	if inside {
		name = p.Name
	} else {
		imports["."] = p.ImportPath
	}
	fmt.Fprintf(&b, "//go:build go1.21\n\npackage %s\n\nimport (\n", name)
	for _, n := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&b, "\t%s %q\n", n, imports[n])
	}
	fmt.Fprintf(&b, ")\n\nfunc %s(ctx adtinfercontext.Context) adtinferdriver.Made {\n\treturn adtinferdriver.Make(\n/*line --new:1:1*/%s)\n}\n",
		madeFunc, c.text)
	return b.String()
}

// given is an error of the compiler in the text of a construction.
var given = wording.Regexp(`(?m)^.*--new:\d+:(\d+): (.*)$((?:\n\t.*)*)`)

// inNew rewords the compiler's error in Options.New; nil if there is none.
func (s *selection) inNew(l *loader, output string) *LoadError {
	m := given().FindStringSubmatch(output)
	if s.made == nil || m == nil {
		return nil
	}
	e := l.fail("--new %s does not compile: column %s: %s", l.New, m[1], m[2]+m[3])
	if strings.Contains(m[0], "adtinferdriver") {
		e = l.fail("--new %s makes no object: it must give one, perhaps with an error", l.New)
	}
	e.Hint = s.hint
	return e
}

// needsNew says that a constructor has parameters, and what to give for them.
func (l *loader) needsNew(d *declarations, t *typeDecl, ctors []ctorDecl) *LoadError {
	var signatures []string
	for _, c := range ctors {
		signatures = append(signatures, c.signature())
	}
	what := "its constructor takes"
	if t != nil {
		what = "the constructor of " + t.name + " takes"
	}
	if len(ctors) > 1 {
		what = "all constructors of " + t.name + " take"
	}
	e := l.fail("%s parameters: %s", what, strings.Join(signatures, ", "))
	examples := d.examples(ctors)
	if len(examples) == 0 {
		e.Hint = "give --new with a call of it, or write a func New() without parameters"
		return e
	}
	e.Hint = "give " + strings.Join(examples, " or ")
	return e
}

// examples are constructions to copy, for those constructors whose parameters
// are such that one can be thought of.
func (d *declarations) examples(ctors []ctorDecl) (all []string) {
	for _, c := range ctors {
		text, ok := d.example(&c)
		if !ok {
			continue
		}
		if !d.usable(&c) && len(c.fn.Type.Params.List) == 1 && variadic(c.fn) {
			all = append(all, "--new '"+text[:strings.LastIndexByte(text, '(')]+"()'")
		}
		all = append(all, "--new '"+text+"'")
	}
	return all
}

// variadic reports whether a function takes any number of the last argument.
func variadic(fn *ast.FuncDecl) bool {
	last := fn.Type.Params.List[len(fn.Type.Params.List)-1]
	_, ok := last.Type.(*ast.Ellipsis)
	return ok
}

// example is a call of a constructor with plausible arguments.
func (d *declarations) example(c *ctorDecl) (text string, ok bool) {
	basics := map[string]string{}
	var typeArgs, args []string
	for _, p := range c.tparam {
		basics[p.name] = d.basicFor(p.constraint)
		typeArgs = append(typeArgs, basics[p.name])
	}
	for _, f := range c.fn.Type.Params.List {
		t := f.Type
		if v, variadic := t.(*ast.Ellipsis); variadic {
			if t = v.Elt; d.optional(t) || d.plausible(t, basics) == "" {
				continue
			}
		}
		a := d.plausible(t, basics)
		if a == "" {
			return "", false
		}
		for range max(1, len(f.Names)) {
			args = append(args, a)
		}
	}
	text = c.name
	if len(typeArgs) > 0 {
		text += "[" + strings.Join(typeArgs, ", ") + "]"
	}
	return text + "(" + strings.Join(args, ", ") + ")", !slices.Contains(typeArgs, "")
}

// plausible is an argument of a type, or "".
func (d *declarations) plausible(t ast.Expr, basics map[string]string) string {
	switch x := t.(type) {
	case *ast.Ident:
		name := x.Name
		if b := basics[name]; b != "" {
			name = b
		}
		switch {
		case strings.HasPrefix(name, "int"), strings.HasPrefix(name, "uint"), name == "byte", name == "any":
			return "4"
		case strings.HasPrefix(name, "float"):
			return "0.5"
		case name == "string":
			return `"a"`
		case name == "bool":
			return "true"
		}
		if local := d.types[name]; local != nil && len(local.params) == 0 {
			if _, ok := local.expr.(*ast.StructType); ok {
				return name + "{}"
			}
			if !local.isInterface && basics[name] == "" {
				return d.plausible(local.expr, basics)
			}
		}
	case *ast.StarExpr:
		if s := d.plausible(x.X, nil); strings.HasSuffix(s, "{}") {
			return "&" + s
		}
	case *ast.SelectorExpr:
		switch {
		case d.isImported(x, "context", "Context"):
			return "ctx"
		case d.isImported(x, "time", "Duration"):
			return "time.Second"
		}
	case *ast.ArrayType:
		if e := d.plausible(x.Elt, basics); e != "" && x.Len == nil {
			if elem, ok := x.Elt.(*ast.Ident); ok && basics[elem.Name] == "" {
				return "[]" + elem.Name + "{" + e + "}"
			}
		}
	}
	return ""
}

// isImported reports whether a selector is a name of the package of a path.
func (d *declarations) isImported(x *ast.SelectorExpr, path, name string) bool {
	id, ok := x.X.(*ast.Ident)
	return ok && x.Sel.Name == name && d.imports[id.Name] == path
}

// signature is the constructor's declaration.
func (c *ctorDecl) signature() string {
	var b bytes.Buffer
	if format.Node(&b, token.NewFileSet(), &ast.FuncDecl{Name: c.fn.Name, Type: c.fn.Type}) != nil {
		return "func " + c.name
	}
	return b.String()
}

// usable reports whether the constructor can be called as it is: its parameters
// are contexts and options.
func (d *declarations) usable(c *ctorDecl) bool {
	return !slices.ContainsFunc(c.fn.Type.Params.List, func(f *ast.Field) bool {
		if x, ok := f.Type.(*ast.SelectorExpr); ok {
			return !d.isImported(x, "context", "Context")
		}
		v, variadic := f.Type.(*ast.Ellipsis)
		return !variadic || !d.optional(v.Elt)
	})
}

// optional reports whether a parameter of such types, of which there may be any number,
// changes how an object works and not what it consists of, so that none is the usual
// choice: options are functions, interfaces, or called so.
func (d *declarations) optional(t ast.Expr) bool {
	switch x := t.(type) {
	case *ast.FuncType, *ast.InterfaceType:
		return true
	case *ast.StarExpr:
		return d.optional(x.X)
	case *ast.IndexExpr:
		return d.optional(x.X)
	case *ast.SelectorExpr:
		return optionName(x.Sel.Name)
	case *ast.Ident:
		local := d.types[x.Name]
		if local == nil {
			return optionName(x.Name)
		}
		_, function := local.expr.(*ast.FuncType)
		return function || local.isInterface || optionName(x.Name)
	}
	return false
}

func optionName(name string) bool {
	return strings.Contains(name, "Opt") || strings.Contains(name, "opt") || strings.Contains(name, "Config")
}
