package origin

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// Literals are the integers and short texts that stand in the source of a package, and those
// of the Go expression that makes its objects, each once. What a reference compares its
// arguments with is among them.
type Literals struct {
	Given, Source Constants // of the expression; of the source
}

// Constants are values of integer and string literals.
type Constants struct {
	Ints  []int64
	Texts []string
}

// Bounds of literals: more are data, and what is longer is a message.
const (
	mostLiterals = 32
	longestText  = 24
)

// LiteralsOf reads the literals of the package in a directory, and of an expression; "" is
// none. Files that cannot be read are left out.
func LiteralsOf(dir, expr string) (l Literals) {
	if e, err := parser.ParseExpr(expr); err == nil {
		l.Given.collect(e)
	}
	for _, file := range sources(dir) {
		l.Source.collect(file)
	}
	return l
}

// Has reports whether a text is among the literals.
func (l *Literals) Has(text string) bool {
	return slices.Contains(l.Given.Texts, text) || slices.Contains(l.Source.Texts, text)
}

// collect adds the literals in a node, but for those that are no values: what is imported,
// tags, and messages of errors and panics.
func (c *Constants) collect(n ast.Node) {
	negative := map[ast.Expr]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			x.Tag = nil
		case *ast.CallExpr:
			return !prints(x.Fun)
		case *ast.UnaryExpr:
			negative[x.X] = x.Op == token.SUB
		case *ast.BasicLit:
			c.add(x, negative[x])
		}
		return true
	})
}

func (c *Constants) add(l *ast.BasicLit, negative bool) {
	switch l.Kind {
	case token.INT:
		n, err := strconv.ParseInt(l.Value, 0, 64)
		if negative {
			n = -n
		}
		if err == nil && len(c.Ints) < mostLiterals && !slices.Contains(c.Ints, n) {
			c.Ints = append(c.Ints, n)
		}
	case token.STRING:
		s, err := strconv.Unquote(l.Value)
		if err == nil && len(s) <= longestText && len(c.Texts) < mostLiterals && !slices.Contains(c.Texts, s) {
			c.Texts = append(c.Texts, s)
		}
	}
}

// prints reports whether a function makes messages: errors.New, panic, those of fmt and log.
func prints(f ast.Expr) bool {
	switch f := f.(type) {
	case *ast.Ident:
		return f.Name == "panic"
	case *ast.SelectorExpr:
		pkg, ok := f.X.(*ast.Ident)
		return ok && (pkg.Name == "fmt" || pkg.Name == "log" || pkg.Name == "errors") && !strings.HasPrefix(f.Sel.Name, "Is")
	}
	return false
}
