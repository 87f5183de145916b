package origin

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// Beyond says what in a Go expression, which makes the objects of the package in a
// directory, is more than a call of a function of that package, or a composite literal,
// with constants and values made of them, as in New(3, Options{Every: 5 * time.Second});
// "" if nothing is. Only what is no more than that is run because a file says so.
func Beyond(ctx context.Context, dir, expression string) (string, error) {
	if expression == "" {
		return "", nil
	}
	e, err := parser.ParseExpr(expression)
	if err != nil {
		return "a Go expression that can be read", nil
	}
	x := &expressions{ctx: ctx, dir: dir, text: expression}
	switch made := e.(type) {
	case *ast.CompositeLit:
	case *ast.CallExpr:
		if !x.own(made.Fun) {
			return x.part(made.Fun), x.err
		}
		if more := x.first(made.Args...); more != nil {
			return x.part(more), x.err
		}
		return "", x.err
	case *ast.UnaryExpr:
		if _, ok := made.X.(*ast.CompositeLit); !ok || made.Op != token.AND {
			return x.part(e), nil
		}
	default:
		return x.part(e), nil
	}
	if more := x.beyond(e); more != nil {
		return x.part(more), x.err
	}
	return "", x.err
}

// expressions looks through one.
type expressions struct {
	ctx  context.Context
	dir  string
	text string
	err  error

	name    string            // of the package
	imports map[string]string // of its files, by name
}

func (x *expressions) part(e ast.Node) string { return x.text[e.Pos()-1 : e.End()-1] }

// beyond is a part of an expression that is more than values; nil if there is none.
func (x *expressions) beyond(e ast.Expr) ast.Node {
	switch e := e.(type) {
	case nil, *ast.BasicLit:
		return nil
	case *ast.Ident:
		if slices.Contains([]string{"true", "false", "nil", "ctx"}, e.Name) || x.declares("", e.Name, token.CONST) {
			return nil
		}
	case *ast.ParenExpr:
		return x.beyond(e.X)
	case *ast.UnaryExpr:
		if e.Op != token.ARROW {
			return x.beyond(e.X)
		}
	case *ast.BinaryExpr:
		return x.first(e.X, e.Y)
	case *ast.KeyValueExpr:
		if _, field := e.Key.(*ast.Ident); field {
			return x.beyond(e.Value)
		}
		return x.first(e.Key, e.Value)
	case *ast.CompositeLit:
		if e.Type == nil || x.isType(e.Type) {
			return x.first(e.Elts...)
		}
	case *ast.CallExpr: // a conversion
		if x.isType(e.Fun) || x.isContext(e.Fun) {
			return x.first(e.Args...)
		}
	case *ast.SelectorExpr:
		if x.selects(e, token.CONST) {
			return nil
		}
	}
	return e
}

func (x *expressions) first(all ...ast.Expr) ast.Node {
	for _, e := range all {
		if more := x.beyond(e); more != nil {
			return more
		}
	}
	return nil
}

// own reports whether an expression names a function of the package itself, perhaps with
// type arguments.
func (x *expressions) own(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.IndexExpr: // NewRing[int]
		return x.own(e.X) && x.isType(e.Index)
	case *ast.IndexListExpr:
		return x.own(e.X) && !slices.ContainsFunc(e.Indices, func(i ast.Expr) bool { return !x.isType(i) })
	case *ast.SelectorExpr: // ring.New
		id, ok := e.X.(*ast.Ident)
		return ok && x.look() && id.Name == x.name && x.imports[id.Name] == ""
	}
	return false
}

// isType reports whether an expression is a type that has a name, or is made of such.
func (x *expressions) isType(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		_, universal := types.Universe.Lookup(e.Name).(*types.TypeName)
		return universal || x.declares("", e.Name, token.TYPE)
	case *ast.StarExpr:
		return x.isType(e.X)
	case *ast.ParenExpr:
		return x.isType(e.X)
	case *ast.ArrayType:
		_, counted := e.Len.(*ast.Ellipsis)
		return x.isType(e.Elt) && (counted || x.beyond(e.Len) == nil)
	case *ast.MapType:
		return x.isType(e.Key) && x.isType(e.Value)
	case *ast.IndexExpr:
		return x.isType(e.X) && x.isType(e.Index)
	case *ast.SelectorExpr:
		return x.selects(e, token.TYPE)
	}
	return false
}

// isContext reports whether a function makes a context that never ends.
func (x *expressions) isContext(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Background" && s.Sel.Name != "TODO" {
		return false
	}
	id, ok := s.X.(*ast.Ident)
	return ok && x.look() && x.imports[id.Name] == "context"
}

// look reads what the package and its imports are called.
func (x *expressions) look() bool {
	if x.imports != nil || x.err != nil {
		return x.err == nil
	}
	x.imports = map[string]string{}
	files, err := filepath.Glob(filepath.Join(x.dir, "*.go"))
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, failed := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if failed != nil {
			err = failed
			break
		}
		x.name = f.Name.Name
		for _, i := range f.Imports {
			path := strings.Trim(i.Path.Value, "`\"")
			name := path[strings.LastIndexByte(path, '/')+1:]
			if i.Name != nil {
				name = i.Name.Name
			}
			x.imports[name] = path
		}
	}
	if err != nil {
		x.err = fmt.Errorf("origin: %w", err)
	}
	return x.err == nil
}

// selects reports whether a selector names what the package, or one that it imports,
// declares: a constant or a type.
func (x *expressions) selects(s *ast.SelectorExpr, what token.Token) bool {
	id, ok := s.X.(*ast.Ident)
	if !ok || !x.look() {
		return false
	}
	if path := x.imports[id.Name]; path != "" {
		return x.declares(path, s.Sel.Name, what)
	}
	return id.Name == x.name && x.declares("", s.Sel.Name, what)
}

// declares reports whether a package declares a constant or type; "": the own one.
func (x *expressions) declares(path, name string, what token.Token) bool {
	if path == "" {
		path = "."
	}
	out, err := goCommand(x.ctx, x.dir, "list", "-e", "-f", "{{.Dir}}{{range .GoFiles}}\n{{.}}{{end}}{{range .CgoFiles}}\n{{.}}{{end}}", "--", path)
	if err != nil {
		x.err = err
		return false
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for _, file := range lines[1:] {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(lines[0], file), nil, parser.SkipObjectResolution)
		if err != nil {
			x.err = fmt.Errorf("origin: %w", err)
			return false
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if ok && g.Tok == what && slices.ContainsFunc(g.Specs, func(d ast.Spec) bool { return names(d, name) }) {
				return true
			}
		}
	}
	return false
}

// names reports whether a declaration is of a name.
func names(d ast.Spec, name string) bool {
	switch d := d.(type) {
	case *ast.TypeSpec:
		return d.Name.Name == name
	case *ast.ValueSpec:
		return slices.ContainsFunc(d.Names, func(id *ast.Ident) bool { return id.Name == name })
	}
	return false
}
