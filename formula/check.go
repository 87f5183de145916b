package formula

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// name names the sort as messages do.
func (s Sort) name() string {
	return [...]string{"an operation", "a method", "an outcome", "a value"}[s]
}

// SortOf is the sort of a term: that of its function, or of the constant.
func SortOf(t Term) Sort {
	switch t.Fn {
	case "method":
		return MethodSort
	case "outcome":
		return OutcomeSort
	case "arg", "ret":
		return ValueSort
	}
	if t.Var != "" {
		return opSort
	}
	return t.Sort
}

// A checker holds the variables in scope. Its methods return what is wrong, or "".
type checker struct {
	v     *Vocabulary
	scope []string
}

// bind brings a variable into scope. A name in scope cannot be bound again:
// it would hide the outer one.
func (c *checker) bind(x string) string {
	switch {
	case !wording.IsName(x) || slices.Contains(reserved, x):
		return fmt.Sprintf("%q cannot name a variable", x)
	case slices.Contains(c.scope, x):
		return fmt.Sprintf("variable %q is bound already; use another name", x)
	}
	c.scope = append(c.scope, x)
	return ""
}

func (c *checker) variable(x string) string {
	if slices.Contains(c.scope, x) {
		return ""
	}
	switch hint := wording.Hint(x, c.scope); {
	case slices.Contains(c.v.methods(), x):
		return fmt.Sprintf("unbound variable %q; %q is a method: write method(x) = %s", x, x, x)
	case hint != "":
		return fmt.Sprintf("unbound variable %q%s", x, hint)
	case len(c.scope) == 0:
		return fmt.Sprintf("unbound variable %q", x)
	}
	return fmt.Sprintf("unbound variable %q; bound here: %s", x, strings.Join(c.scope, ", "))
}

// atom checks a predicate's name and number of arguments.
func (c *checker) atom(name string, args int) string {
	n, ok := c.v.arity(name)
	switch {
	case !ok && slices.Contains(functions, name):
		return fmt.Sprintf("%s(...) is a term; compare it with =, != or <", name)
	case !ok:
		known := append(c.v.atoms(), functions...)
		return fmt.Sprintf("unknown predicate or function %q%s", name, wording.Hint(name, known))
	case n != args:
		return fmt.Sprintf("%s takes %s, not %d", name, plural(n, "argument"), args)
	}
	return ""
}

// term checks one side of an equation; the other side serves the advice.
func (c *checker) term(t, other Term) string {
	switch {
	case t.Fn == "" && t.Var == "":
		return c.constant(t, other)
	case t.Fn == "" || t.Fn == "match" || t.Fn == "method" || t.Fn == "outcome":
		if t.Index != 0 {
			return fmt.Sprintf("%s takes no index", t.Fn)
		}
	case t.Fn == "arg" || t.Fn == "ret":
		if msg := c.index(t); msg != "" {
			return msg
		}
	default:
		return fmt.Sprintf("unknown function %q%s", t.Fn, wording.Hint(t.Fn, functions))
	}
	return c.variable(t.Var)
}

func (c *checker) index(t Term) string {
	switch {
	case t.Index < 1:
		return fmt.Sprintf("%s values count from 1, not %d", t.Fn, t.Index)
	case c.v == nil || t.Index <= c.v.largest(t.Fn):
		return ""
	case t.Fn == "arg":
		return fmt.Sprintf("no method takes %s", plural(t.Index, "argument"))
	}
	return fmt.Sprintf("no method returns %s", plural(t.Index, "value"))
}

func (c *checker) constant(t, other Term) string {
	methods, outcomes := c.v.methods(), c.v.outcomes()
	isMethod, isOutcome := slices.Contains(methods, t.Name), slices.Contains(outcomes, t.Name)
	x := other.Var
	if x == "" {
		x = "x"
	}
	switch {
	case t.Sort == opSort:
		return "a term without a name"
	case t.Name == "" && t.Sort != ValueSort:
		return fmt.Sprintf("the empty string does not name %s", t.Sort.name())
	case c.v == nil || t.Sort == ValueSort:
		return ""
	case t.Sort == MethodSort && !isMethod && isOutcome:
		return fmt.Sprintf("%q is an outcome, not a method; write outcome(%s) = %s", t.Name, x, t.Name)
	case t.Sort == OutcomeSort && !isOutcome && isMethod:
		return fmt.Sprintf("%q is a method, not an outcome; write method(%s) = %s", t.Name, x, t.Name)
	case slices.Contains(c.scope, t.Name) && !isMethod && !isOutcome:
		return fmt.Sprintf("%q is an operation, not %s", t.Name, t.Sort.name())
	case t.Sort == MethodSort && !isMethod:
		return fmt.Sprintf("unknown method %q%s", t.Name, wording.Hint(t.Name, methods))
	case t.Sort == OutcomeSort && !isOutcome:
		return fmt.Sprintf("unknown outcome %q%s", t.Name, wording.Hint(t.Name, outcomes))
	}
	return ""
}

// sorts checks that both sides have one sort, and that the text would say which.
func (c *checker) sorts(e Equal) string {
	a, b := SortOf(e.A), SortOf(e.B)
	switch {
	case a != b:
		return fmt.Sprintf("%s is %s and %s is %s; they cannot be equal", termString(e.A), a.name(), termString(e.B), b.name())
	case e.A.Var == "" && e.B.Var == "" && a != ValueSort:
		return fmt.Sprintf("%s and %s are both constants", termString(e.A), termString(e.B))
	}
	return ""
}

// comparable checks that both sides are values that have an order.
func (c *checker) comparable(l Less) string {
	for _, t := range []Term{l.A, l.B} {
		switch s := SortOf(t); {
		case s == opSort:
			return "< compares values; operations are ordered by before(x, y)"
		case s != ValueSort:
			return fmt.Sprintf("< compares values, and %s is %s", termString(t), s.name())
		case t.Var == "" && !wording.IsInteger(history.Value(t.Name)):
			return fmt.Sprintf("< compares integers, and %s is none", termString(t))
		}
	}
	if l.A.Var == "" && l.B.Var == "" {
		return fmt.Sprintf("%s and %s are both constants", termString(l.A), termString(l.B))
	}
	return ""
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
