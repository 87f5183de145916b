package source

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// specDecl is a reference.Spec that the package declares.
type specDecl struct {
	name    string
	pos     token.Pos
	literal *ast.CompositeLit // nil if it is made in another way
}

const specPath = "github.com/adtinfer/adtinfer/reference"

// isSpec reports whether a type is reference.Spec or a pointer to it.
func isSpec(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Spec" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == specPath
}

// specLiteral is the composite literal of variable i.
func specLiteral(values []ast.Expr, i int) *ast.CompositeLit {
	if i >= len(values) {
		return nil
	}
	return literal(values[i])
}

// returned is the composite literal that a function does nothing but return.
func returned(decl *ast.FuncDecl) *ast.CompositeLit {
	if decl.Body == nil || len(decl.Body.List) != 1 {
		return nil
	}
	if r, ok := decl.Body.List[0].(*ast.ReturnStmt); ok && len(r.Results) == 1 {
		return literal(r.Results[0])
	}
	return nil
}

func literal(e ast.Expr) *ast.CompositeLit {
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = u.X
	}
	lit, _ := e.(*ast.CompositeLit)
	return lit
}

// field is the value of a field of a literal, nil if it has none.
func (l *loader) field(lit *ast.CompositeLit, name string) ast.Expr {
	s, ok := l.info.TypeOf(lit).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == name {
				return kv.Value
			}
		} else if s.Field(i).Name() == name {
			return e
		}
	}
	return nil
}

// bySpec is the choice of a Spec: its constructor.
func (l *loader) bySpec(s *specDecl) (*choice, error) {
	if s.literal == nil {
		return nil, l.failAt(s.pos, "%s is no composite literal, so its operations cannot be seen; name the type, as in --type NAME", s.name)
	}
	if l.field(s.literal, "Accept") != nil {
		return nil, l.failAt(s.pos, "%s is an acceptor: it has no code that could be explored", s.name)
	}
	made := l.field(s.literal, "New")
	if made == nil {
		return nil, l.failAt(s.pos, "%s has no New", s.name)
	}
	sig, ok := l.info.TypeOf(made).Underlying().(*types.Signature)
	if !ok || sig.Results().Len() == 0 || sig.Params().Len() > 0 {
		return nil, l.failAt(made.Pos(), "New of %s must be a func() T or func() (T, error)", s.name)
	}
	c := &choice{spec: s, maker: maker{
		expr: "(" + l.source(made) + ")()", at: before(l.fset.Position(made.Pos())), result: sig.Results().At(0).Type(),
		fails: sig.Results().Len() == 2,
	}}
	if skip, ok := l.field(s.literal, "Skip").(*ast.CompositeLit); ok {
		for _, e := range skip.Elts {
			c.skip = append(c.skip, l.text(e))
		}
	}
	return c, nil
}

// before is the position of a parenthesis before an expression.
func before(p token.Position) token.Position {
	p.Column = max(1, p.Column-1)
	return p
}

// text is the value of a constant string, or "".
func (l *loader) text(e ast.Expr) string {
	if v := l.info.Types[e].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return ""
}

// specOperations are those that a Spec lists; false if it lists none.
func (l *loader) specOperations(c *choice) (ops []operation, err error) {
	list := l.field(c.spec.literal, "Operations")
	if list == nil {
		return nil, nil
	}
	lit, ok := list.(*ast.CompositeLit)
	if !ok {
		return nil, l.failAt(list.Pos(), "the operations of %s are no composite literal, so they cannot be seen", c.spec.name)
	}
	for _, e := range lit.Elts {
		one, ok := e.(*ast.CompositeLit)
		if !ok || l.field(one, "Func") == nil {
			return nil, l.failAt(e.Pos(), "an operation of %s is no composite literal with a Func, so it cannot be seen", c.spec.name)
		}
		fn, name := l.field(one, "Func"), ""
		if n := l.field(one, "Name"); n != nil {
			name = l.text(n)
		}
		sig, ok := l.info.TypeOf(fn).Underlying().(*types.Signature)
		if !ok || sig.Params().Len() == 0 || sig.Recv() != nil {
			return nil, l.failAt(fn.Pos(), "Func of an operation of %s must be a function that takes the object first", c.spec.name)
		}
		o := operation{name: name, fun: "(" + l.source(fn) + ")", at: before(l.fset.Position(fn.Pos())), user: true}
		o.goName = goName(fn)
		if o.name == "" {
			o.name = lowerCamel(o.goName)
		}
		if o.goName == "" {
			o.goName = o.name
		}
		if err := l.takesObject(c, &o, sig); err != nil {
			return nil, l.failAt(fn.Pos(), "operation %s: %v", o.name, err)
		}
		if why := o.shape(sig, 1, c.object); why != "" {
			return nil, l.failAt(fn.Pos(), "operation %s: %s", o.name, why)
		}
		ops = append(ops, o)
	}
	return ops, nil
}

// goName is the name of a function or method expression, "" of a function literal.
func goName(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.ParenExpr:
		return goName(x.X)
	case *ast.IndexExpr:
		return goName(x.X)
	}
	return ""
}
