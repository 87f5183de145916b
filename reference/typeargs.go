package reference

import (
	"go/ast"
	"go/token"
	"strings"
)

// typeArguments chooses arguments for type parameters: those of the options, or
// int, or the first other basic type that the constraint admits.
func (l *loader) typeArguments(d *declarations, name string, params []typeParam) (string, error) {
	given := splitArgs(l.TypeArg)
	switch {
	case len(params) == 0 && len(given) > 0:
		return "", l.fail("%s has no type parameters", name)
	case len(params) == 0:
		return "", nil
	case len(given) > 1 && len(given) != len(params):
		return "", l.fail("%s has %d type parameters, not %d", name, len(params), len(given))
	}
	args := make([]string, len(params))
	for i, p := range params {
		switch {
		case len(given) == 1:
			args[i] = given[0]
		case len(given) > 1:
			args[i] = given[i]
		default:
			args[i] = d.basicFor(p.constraint)
		}
		if args[i] == "" {
			e := l.fail("no integer or string fits type parameter %s of %s", p.name, name)
			e.Hint = "give a type argument"
			return "", e
		}
	}
	return strings.Join(args, ", "), nil
}

func splitArgs(s string) (args []string) {
	for _, a := range strings.Split(s, ",") {
		if a = strings.TrimSpace(a); a != "" {
			args = append(args, a)
		}
	}
	return args
}

// basicFor is the preferred basic type that satisfies a constraint.
func (d *declarations) basicFor(constraint ast.Expr) string {
	for _, basic := range []string{"int", "string", "int64", "uint", "uint64", "int32", "uint32", "int16", "uint16", "uint8", "int8"} {
		if d.admits(constraint, basic, 0) {
			return basic
		}
	}
	return ""
}

// admits tells whether a constraint admits a basic type. Constraints of other
// packages go by their names.
func (d *declarations) admits(e ast.Expr, basic string, depth int) bool {
	if depth > 20 { // a constraint that refers to itself does not compile anyway
		return false
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		return d.admits(x.X, basic, depth+1)
	case *ast.UnaryExpr:
		return x.Op == token.TILDE && d.admits(x.X, basic, depth+1)
	case *ast.BinaryExpr:
		return d.admits(x.X, basic, depth+1) || d.admits(x.Y, basic, depth+1)
	case *ast.InterfaceType:
		for _, f := range x.Methods.List {
			if len(f.Names) > 0 || !d.admits(f.Type, basic, depth+1) {
				return false
			}
		}
		return true
	case *ast.Ident:
		if t := d.types[x.Name]; t != nil {
			return t.isInterface && d.admits(t.expr, basic, depth+1)
		}
		return x.Name == basic || x.Name == "any" || x.Name == "comparable"
	case *ast.SelectorExpr:
		return foreignAdmits(x.Sel.Name, basic)
	}
	return false
}

// foreignAdmits knows cmp.Ordered and the names of package constraints.
func foreignAdmits(name, basic string) bool {
	unsigned := strings.HasPrefix(basic, "uint")
	switch name {
	case "Ordered":
		return true
	case "Integer":
		return basic != "string"
	case "Signed":
		return basic != "string" && !unsigned
	case "Unsigned":
		return unsigned
	}
	return false
}
