package equations

import (
	"strings"
)

// String is an expression as laws write it.
func (e *Expr) String() string {
	var b strings.Builder
	e.write(&b, 0)
	return b.String()
}

func (e *Expr) write(b *strings.Builder, within int) {
	if e.Form == Op {
		if o := operators[e.Name]; o.infix > 0 {
			if o.infix < within {
				b.WriteByte('(')
				defer b.WriteByte(')')
			}
			e.Args[0].write(b, o.infix)
			b.WriteString(" " + e.Name + " ")
			e.Args[1].write(b, o.infix+1)
			return
		}
	}
	b.WriteString(e.Name)
	if e.Form == Var || e.Form == Const {
		return
	}
	b.WriteByte('(')
	for i, a := range e.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		a.write(b, 0)
	}
	b.WriteByte(')')
}

// String is a law as files have it: "0 if x == y; x + 1 otherwise".
func (l *Law) String() string {
	if len(l.Rules) == 0 {
		return "?"
	}
	var rules []string
	for _, r := range l.Rules {
		switch {
		case r.If != nil:
			rules = append(rules, r.Then.String()+" if "+r.If.String())
		case len(l.Rules) == 1:
			rules = append(rules, r.Then.String())
		default:
			rules = append(rules, r.Then.String()+" otherwise")
		}
	}
	return strings.Join(rules, "; ")
}

// Head is an observer with its parameters.
func Head(name string, params []Param) string {
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.Name
	}
	return name + "(" + strings.Join(names, ", ") + ")"
}
