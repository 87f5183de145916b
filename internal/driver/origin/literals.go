package origin

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Literals are the integers and short texts that stand in the source of a package, and those
// of the Go expression that makes its objects, each once. What a reference compares its
// arguments with is among them.
type Literals struct {
	Given, Source Constants // of the expression; of the source
}

// Constants are values of integer and string literals, and of what is computed from integers alone.
type Constants struct {
	Ints      []int64
	Texts     []string
	Durations []time.Duration // computed with units of time: 10 * time.Second
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
		case *ast.BinaryExpr, *ast.SelectorExpr:
			if n, timed, ok := computed(x.(ast.Expr)); ok && timed {
				c.Durations = added(c.Durations, time.Duration(n))
				return false
			} else if ok {
				c.Ints = added(c.Ints, n)
			}
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
		if err == nil {
			c.Ints = added(c.Ints, n)
		}
	case token.STRING:
		s, err := strconv.Unquote(l.Value)
		if err == nil && len(s) <= longestText {
			c.Texts = added(c.Texts, s)
		}
	}
}

func added[T comparable](all []T, v T) []T {
	if len(all) < mostLiterals && !slices.Contains(all, v) {
		all = append(all, v)
	}
	return all
}

var units = map[string]time.Duration{"Nanosecond": 1, "Microsecond": time.Microsecond, "Millisecond": time.Millisecond,
	"Second": time.Second, "Minute": time.Minute, "Hour": time.Hour}

// computed is the value of an expression of integer literals and units of time; timed: there is such a unit. What
// overflows has a value that is not Go's, which is as good as another.
func computed(e ast.Expr) (n int64, timed, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		n, err := strconv.ParseInt(e.Value, 0, 64)
		return n, false, e.Kind == token.INT && err == nil
	case *ast.ParenExpr:
		return computed(e.X)
	case *ast.SelectorExpr:
		pkg, _ := e.X.(*ast.Ident)
		unit := units[e.Sel.Name]
		return int64(unit), true, pkg != nil && pkg.Name == "time" && unit > 0
	case *ast.CallExpr: // time.Duration(3)
		if f, _ := e.Fun.(*ast.SelectorExpr); f != nil && f.Sel.Name == "Duration" && len(e.Args) == 1 {
			return computed(e.Args[0])
		}
	case *ast.BinaryExpr:
		a, timed, ok := computed(e.X)
		b, also, right := computed(e.Y)
		if !ok || !right {
			return 0, false, false
		}
		n, ok = operated(e.Op, a, b)
		return n, timed || also, ok
	}
	return 0, false, false
}

func operated(op token.Token, a, b int64) (int64, bool) {
	switch op {
	case token.ADD:
		return a + b, true
	case token.SUB:
		return a - b, true
	case token.MUL:
		return a * b, true
	case token.SHL:
		return a << uint(b&63), b >= 0 && b < 63
	case token.QUO:
		if b != 0 {
			return a / b, true
		}
	}
	return 0, false
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
