package out

import (
	"strconv"
	"strings"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// byField is the field of an operator that looks at one, from 1, such as with1; 0: it is another operator.
func byField(e *eq.Expr, operator string) int {
	digits, ok := strings.CutPrefix(e.Name, operator)
	n, err := strconv.Atoi(digits)
	if e.Form != eq.Op || !ok || err != nil {
		return 0
	}
	return n
}

// lookedUp reports whether a term is the first record of a list that has something in some field.
func lookedUp(e, list *eq.Expr) bool {
	return e.Form == eq.Op && e.Name == "first" && byField(e.Args[0], "with") > 0 && e.Args[0].Args[0].Equal(list)
}

// updated is a list in which a field of a record is another one; "": the term is something else.
func (p *lawPage) updated(e *eq.Expr) string {
	f := byField(e, "replace")
	if f == 0 {
		return ""
	}
	list, is := e.Args[0], e.Args[1]
	g := byField(is, "put")
	if g == 0 || !lookedUp(is.Args[0], list) || byField(is.Args[0].Args[0], "with") != f {
		return ""
	}
	in := p.inner(list, true)
	which := strings.TrimSuffix(strings.TrimPrefix(p.term(is.Args[0].Args[0]), "those with "), " in "+in)
	becomes, v := "set to", is.Args[1]
	if sum := v; sum.Form == eq.Op && (sum.Name == "+" || sum.Name == "-") && byField(sum.Args[0], "field") == g && sum.Args[0].Args[0].Equal(is.Args[0]) {
		becomes, v = map[string]string{"+": "raised by", "-": "lowered by"}[sum.Name], sum.Args[1]
	}
	return in + " with the " + p.field(g) + " of the one with " + which + " " + becomes + " " + p.inner(v, true)
}

// found says whether a list has a record, where a condition asks for the first such; "": it asks for something else.
func (p *lawPage) found(e *eq.Expr) string {
	if e.Name != "in" && e.Name != "!in" || !lookedUp(e.Args[0], e.Args[1]) {
		return ""
	}
	there := map[string]string{"in": "there is one", "!in": "there is none"}[e.Name]
	return strings.Replace(p.term(e.Args[0].Args[0]), "those", there, 1)
}
