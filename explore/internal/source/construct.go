package source

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// ctor is a constructor.
type ctor struct {
	fn   *types.Func
	decl *ast.FuncDecl
	of   *types.TypeName // the type of this package that it makes, if it is one
}

func (d *declarations) ctor(fn *types.Func, decl *ast.FuncDecl) ctor {
	c := ctor{fn: fn, decl: decl}
	if fn.Signature().Results().Len() > 0 {
		c.of = d.local(c.result())
	}
	return c
}

// result is the type of what it makes.
func (c ctor) result() types.Type { return c.fn.Signature().Results().At(0).Type() }

// usable reports whether the constructor can be called as it is: its parameters
// are contexts and options.
func (c ctor) usable() bool {
	sig := c.fn.Signature()
	for i := range sig.Params().Len() {
		if !isContext(sig.Params().At(i).Type()) && !(sig.Variadic() && i == sig.Params().Len()-1) {
			return false
		}
	}
	return true
}

// own makes type arguments of the constructor of those of the type it makes.
func (c ctor) own(args []types.Type) []types.Type {
	t := c.result()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.TypeArgs().Len() != len(args) {
		return args
	}
	own := make([]types.Type, c.fn.Signature().TypeParams().Len())
	for i, a := range args {
		if p, ok := n.TypeArgs().At(i).(*types.TypeParam); ok {
			own[p.Index()] = a
		}
	}
	return own
}

// signature is the constructor's declaration.
func (c ctor) signature() string {
	var b bytes.Buffer
	if format.Node(&b, token.NewFileSet(), &ast.FuncDecl{Name: c.decl.Name, Type: c.decl.Type}) != nil {
		return "func " + c.fn.Name()
	}
	return b.String()
}

// needsNew says that constructors have parameters, and what to give for them.
func (l *loader) needsNew(ctors []ctor) error {
	var signatures, examples []string
	for _, c := range ctors {
		signatures = append(signatures, c.signature())
		if text := l.example(c); text != "" {
			examples = append(examples, "--new '"+text+"'")
		}
	}
	what := "its constructor takes"
	if t := ctors[0].of; t != nil {
		what = "the constructor of " + t.Name() + " takes"
		if len(ctors) > 1 {
			what = "all constructors of " + t.Name() + " take"
		}
	}
	hint := "give --new with a call of it, or write a func New() without parameters"
	if len(examples) > 0 {
		hint = "give " + strings.Join(examples, " or ")
	}
	return l.failAt(ctors[0].fn.Pos(), "%s parameters: %s; %s", what, strings.Join(signatures, ", "), hint)
}

// example is a call of a constructor with plausible arguments; "" if none can be
// thought of.
func (l *loader) example(c ctor) string {
	sig, text := c.fn.Signature(), c.fn.Name()
	if sig.TypeParams().Len() > 0 {
		args, err := l.fill(c.fn, sig.TypeParams(), nil)
		if err != nil {
			return ""
		}
		inst, err := l.instantiate(c.fn, sig, args)
		if err != nil {
			return ""
		}
		sig = inst.(*types.Signature)
		text += "[" + l.names(args) + "]"
	}
	var args []string
	for i := range sig.Params().Len() {
		if sig.Variadic() && i == sig.Params().Len()-1 {
			break
		}
		a := l.plausible(sig.Params().At(i).Type())
		if a == "" {
			return ""
		}
		args = append(args, a)
	}
	return text + "(" + strings.Join(args, ", ") + ")"
}

// plausible is an argument of a type, or "".
func (l *loader) plausible(t types.Type) string {
	if isContext(t) {
		return "ctx"
	}
	n, named := types.Unalias(t).(*types.Named)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case named && n.Obj().Name() == "Duration":
			return "time.Second"
		case u.Info()&types.IsInteger != 0:
			return "4"
		case u.Info()&types.IsFloat != 0:
			return "0.5"
		case u.Info()&types.IsString != 0:
			return `"a"`
		case u.Info()&types.IsBoolean != 0:
			return "true"
		}
	case *types.Interface:
		if u.Empty() {
			return "4"
		}
	case *types.Struct:
		if named && n.Obj().Pkg() == l.pkg && n.TypeArgs().Len() == 0 {
			return n.Obj().Name() + "{}"
		}
	case *types.Pointer:
		if e := l.plausible(u.Elem()); strings.HasSuffix(e, "{}") {
			return "&" + e
		}
		return "nil"
	case *types.Signature, *types.Map, *types.Chan:
		return "nil"
	case *types.Slice:
		if b, ok := u.Elem().(*types.Basic); ok {
			if e := l.plausible(b); e != "" {
				return "[]" + b.Name() + "{" + e + "}"
			}
		}
	}
	return ""
}

// basics are the basic types of values, the preferred ones first.
var basics = []types.BasicKind{types.Int, types.String, types.Int64, types.Uint, types.Uint64, types.Int32, types.Uint32, types.Int16, types.Uint16, types.Uint8, types.Int8}

// fill chooses type arguments where none are given: the first basic type that the
// constraint admits.
func (l *loader) fill(of types.Object, params *types.TypeParamList, given []types.Type) ([]types.Type, error) {
	if len(given) > 0 && len(given) != params.Len() {
		return nil, l.failAt(of.Pos(), "%s has %d type parameters, not %d", of.Name(), params.Len(), len(given))
	}
	args := make([]types.Type, params.Len())
	for i := range args {
		if given != nil && given[i] != nil {
			args[i] = given[i]
			continue
		}
		p := params.At(i)
		for _, k := range basics {
			if args[i] == nil && types.Satisfies(types.Typ[k], p.Constraint().Underlying().(*types.Interface)) {
				args[i] = types.Typ[k]
			}
		}
		if args[i] == nil {
			return nil, l.failAt(of.Pos(), "no integer or string fits type parameter %s of %s; name a type argument, as in --type '%s[T]'", p.Obj().Name(), of.Name(), of.Name())
		}
	}
	return args, nil
}

func (l *loader) instantiate(of types.Object, t types.Type, args []types.Type) (types.Type, error) {
	inst, err := types.Instantiate(types.NewContext(), t, args, true)
	if err != nil {
		return nil, l.failAt(of.Pos(), "%s[%s]: %v", of.Name(), l.names(args), err)
	}
	return inst, nil
}

// names writes types as this package does.
func (l *loader) names(ts []types.Type) string {
	var names []string
	for _, t := range ts {
		names = append(names, l.typeName(t))
	}
	return strings.Join(names, ", ")
}

// splitType reads a name with type arguments.
func (l *loader) splitType(text string) (name string, args []types.Type, err error) {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return "", nil, fail("--type %s is no type of the package", text)
	}
	if s, ok := e.(*ast.StarExpr); ok {
		e = s.X
	}
	var texts []ast.Expr
	switch x := e.(type) {
	case *ast.IndexExpr:
		e, texts = x.X, []ast.Expr{x.Index}
	case *ast.IndexListExpr:
		e, texts = x.X, x.Indices
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return "", nil, fail("--type %s is no type of the package", text)
	}
	for _, t := range texts {
		tv, err := types.Eval(l.fset, l.pkg, token.NoPos, text[t.Pos()-1:t.End()-1])
		if err != nil || !tv.IsType() {
			return "", nil, fail("--type %s: %s is no type that the package knows", text, text[t.Pos()-1:t.End()-1])
		}
		args = append(args, tv.Type)
	}
	return id.Name, args, nil
}

// given is what --new makes.
func (l *loader) given() (maker, error) {
	text, err := l.expression()
	m := maker{expr: text, at: token.Position{Filename: newFile, Line: 1, Column: 1}}
	if err == nil {
		err = l.probe(&m)
	}
	return m, err
}

// madeBy is the choice of what --new makes.
func (l *loader) madeBy(d *declarations, m maker) (*choice, error) {
	if l.Type != "" {
		name, _, err := l.splitType(l.Type)
		if err != nil {
			return nil, err
		}
		switch t := d.typeNamed(name); {
		case t == nil && !slices.Contains(d.names(), name):
			return l.named(d, l.Type)
		case t != nil && t != d.local(m.result) && len(d.ctorsOf(t)) > 0:
			return nil, fail("--new %s makes a %s, not a %s", l.New, l.typeName(m.result), name)
		}
	}
	return &choice{maker: m, notes: []string{"objects are made by " + strings.TrimSpace(l.New)}}, nil
}

// newFile stands for a file in positions within the expression of --new.
const newFile = "--new"

// noExpression refuses Options.New.
func (l *loader) noExpression(err error) error {
	return fail("--new %s is no Go expression: %v", l.New, err)
}

// expression reads Options.New. The package's own name is left out of it, column
// by column.
func (l *loader) expression() (string, error) {
	if strings.ContainsAny(l.New, "\r\n") {
		return "", fail("--new %q takes more than one line; write a function in the package and call that", l.New)
	}
	e, err := parser.ParseExpr(l.New)
	if err != nil {
		var list scanner.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			err = fmt.Errorf("column %d: %s", list[0].Pos.Column, list[0].Msg)
		}
		return "", l.noExpression(err)
	}
	if !makesObject(e) {
		return "", fail("--new %s makes no object: give a call of a constructor, a composite literal, or & of one", l.New)
	}
	text, used := []byte(l.New), false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == l.pkg.Name() && l.pkg.Scope().Lookup(x.Name) == nil && l.imports()[x.Name] == "" {
				for i := x.Pos() - 1; i < n.Sel.Pos()-1; i++ {
					text[i] = ' '
				}
				used = true
			}
		case *ast.Ident:
			used = used || l.pkg.Scope().Lookup(n.Name) != nil
		}
		return true
	})
	if !used {
		return "", fail("--new %s uses nothing that the package declares%s", l.New, wording.Hint(strings.TrimSpace(strings.SplitN(l.New, "(", 2)[0]), l.pkg.Scope().Names()))
	}
	return string(text), nil
}

// makesObject reports whether an expression is one that --new may be.
func makesObject(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.UnaryExpr:
		_, ok := e.X.(*ast.CompositeLit)
		return ok && e.Op == token.AND
	case *ast.CallExpr, *ast.CompositeLit:
		return true
	}
	return false
}
