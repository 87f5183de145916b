package formula

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// Binding strengths: an operand is put in parentheses when it binds less
// tightly than its place requires.
const (
	bindAny     = iota // a whole formula
	bindIff            // <->
	bindImplies        // ->
	bindOr             // |
	bindAnd            // &
	bindUnary          // !, quantifiers in last place, atoms and equations
)

// String is the canonical text of a formula: ASCII, one line, no parentheses
// that could be left out (but a quantified operand of &, | and <-> always has
// them, for the reader's sake). Parse reads it back as Normal(f).
func String(f Formula) string {
	var b strings.Builder
	write(&b, f, bindAny, true)
	return b.String()
}

// Normal is the formula as Parse would build it from its text: a conjunction
// or disjunction has at least two operands (none becomes a constant, one
// stands for itself), a quantifier binds at least one variable, and the index
// of arg(x) and ret(x) is 1. Nothing else changes: nested connectives stay
// nested and mean the same.
func Normal(f Formula) Formula {
	return Rebuild(f, func(f Formula) Formula {
		switch f := f.(type) {
		case Equal:
			return Equal{normalTerm(f.A), normalTerm(f.B)}
		case Less:
			return Less{normalTerm(f.A), normalTerm(f.B)}
		case And:
			return normalList(f, f, Const(true))
		case Or:
			return normalList(f, f, Const(false))
		case Quantified:
			if len(f.Vars) == 0 {
				return f.Body
			}
		}
		return f
	})
}

func normalTerm(t Term) Term {
	if (t.Fn == "arg" || t.Fn == "ret") && t.Index == 0 {
		t.Index = 1
	}
	return t
}

func normalList(f Formula, fs []Formula, empty Const) Formula {
	switch len(fs) {
	case 0:
		return empty
	case 1:
		return fs[0]
	}
	return f
}

// plain takes away connectives and quantifiers that Normal has not, at the top.
func plain(f Formula) Formula {
	switch f := f.(type) {
	case And:
		if len(f) < 2 {
			return plain(normalList(f, f, Const(true)))
		}
	case Or:
		if len(f) < 2 {
			return plain(normalList(f, f, Const(false)))
		}
	case Quantified:
		if len(f.Vars) == 0 {
			return plain(f.Body)
		}
	}
	return f
}

// write prints f as an operand that must bind at least as tightly as place.
// last says that nothing follows f up to the next closing parenthesis, so
// that a quantifier may extend there.
func write(b *strings.Builder, f Formula, place int, last bool) {
	f = plain(f)
	p := strength(f)
	if p < place || isQuantified(f) && !last {
		b.WriteByte('(')
		defer b.WriteByte(')')
		last = true
	}
	switch f := f.(type) {
	case Not:
		g := plain(f.F)
		if e, ok := g.(Equal); ok {
			b.WriteString(termString(e.A) + " != " + termString(e.B))
			return
		}
		b.WriteByte('!')
		write(b, g, bindNot(g), last)
	case And:
		writeList(b, f, " & ", bindAnd)
	case Or:
		writeList(b, f, " | ", bindOr)
	case Implies:
		write(b, f.A, bindOr, false)
		b.WriteString(" -> ")
		write(b, f.B, bindImplies, last)
	case Iff:
		write(b, f.A, bindImplies, false)
		b.WriteString(" <-> ")
		write(b, f.B, bindImplies, false)
	case Quantified:
		b.WriteString(head(f) + " ")
		write(b, f.Body, bindAny, last)
	default:
		b.WriteString(leaf(f))
	}
}

func writeList(b *strings.Builder, fs []Formula, op string, bind int) {
	for i, f := range fs {
		if i > 0 {
			b.WriteString(op)
		}
		write(b, f, bind+1, false)
	}
}

// strength is how tightly a formula binds.
func strength(f Formula) int {
	switch f.(type) {
	case Iff:
		return bindIff
	case Implies:
		return bindImplies
	case Or:
		return bindOr
	case And:
		return bindAnd
	}
	return bindUnary
}

// bindNot sets equations under a negation apart: !(x != y) rather than !x != y,
// and comparisons.
func bindNot(f Formula) int {
	if _, ok := f.(Less); ok {
		return bindUnary + 1
	}
	if n, ok := f.(Not); ok {
		if _, ok := plain(n.F).(Equal); ok {
			return bindUnary + 1
		}
	}
	return bindUnary
}

func isQuantified(f Formula) bool {
	_, ok := f.(Quantified)
	return ok
}

// head is "forall x:Op, y:Op."
func head(q Quantified) string {
	word := "exists "
	if q.Forall {
		word = "forall "
	}
	return word + strings.Join(q.Vars, ":Op, ") + ":Op."
}

// leaf is the text of a formula without parts.
func leaf(f Formula) string {
	switch f := f.(type) {
	case Const:
		return strconv.FormatBool(bool(f))
	case Atom:
		return f.Name + "(" + strings.Join(f.Args, ", ") + ")"
	case Equal:
		return termString(f.A) + " = " + termString(f.B)
	case Less:
		return termString(f.A) + " < " + termString(f.B)
	}
	panic(unknown(f))
}

func termString(t Term) string {
	switch {
	case t.Fn != "" && t.Index > 1:
		return t.Fn + "(" + t.Var + ", " + strconv.Itoa(t.Index) + ")"
	case t.Fn != "":
		return t.Fn + "(" + t.Var + ")"
	case t.Var != "":
		return t.Var
	case t.Sort == ValueSort && wording.IsInteger(t.Name):
		return t.Name
	case t.Sort == ValueSort, !wording.IsName(t.Name), t.Name == "forall", t.Name == "exists":
		return strconv.Quote(t.Name)
	}
	return t.Name
}

// Pretty is String broken into lines of at most width characters where the
// formula allows it: a quantifier's body is indented below it, lines continue
// with the connective they hang on, and operands about one variable share lines.
// Parse reads it as it reads String.
func Pretty(f Formula, width int) string {
	return strings.Join(layout(Normal(f), bindAny, true, width), "\n")
}

// layout is write with lines.
func layout(f Formula, place int, last bool, width int) []string {
	var b strings.Builder
	write(&b, f, place, last)
	if utf8.RuneCountInString(b.String()) <= width {
		return []string{b.String()}
	}
	if strength(f) < place || isQuantified(f) && !last {
		lines := indent(layout(f, bindAny, true, width-2), "(", " ")
		lines[len(lines)-1] += ")"
		return lines
	}
	switch f := f.(type) {
	case Not:
		if _, ok := f.F.(Equal); !ok {
			return indent(layout(f.F, bindNot(f.F), last, width-1), "!", " ")
		}
	case And:
		return layoutList(f, "& ", bindAnd, width)
	case Or:
		return layoutList(f, "| ", bindOr, width)
	case Implies:
		return slices.Concat(layout(f.A, bindOr, false, width),
			indent(layout(f.B, bindImplies, last, width-3), "-> ", "   "))
	case Iff:
		return slices.Concat(layout(f.A, bindImplies, false, width),
			indent(layout(f.B, bindImplies, false, width-4), "<-> ", "    "))
	case Quantified:
		return append([]string{head(f)}, indent(layout(f.Body, bindAny, last, width-2), "  ", "  ")...)
	}
	return []string{b.String()}
}

// layoutList fills lines with operands. An operand about another variable than
// the one before starts on a new line, and so does one that needs several.
func layoutList(fs []Formula, op string, bind, width int) []string {
	lines := layout(fs[0], bind+1, false, width)
	whole := len(lines) == 1 // the last line may be continued
	for i, f := range fs[1:] {
		sub := layout(f, bind+1, false, width-len(op))
		end := len(lines) - 1
		if whole && len(sub) == 1 && subject(f) == subject(fs[i]) && utf8.RuneCountInString(lines[end]+" "+op+sub[0]) <= width {
			lines[end] += " " + op + sub[0]
			continue
		}
		whole = len(sub) == 1
		lines = append(lines, indent(sub, op, strings.Repeat(" ", len(op)))...)
	}
	return lines
}

// subject is the first free variable of a formula, or "".
func subject(f Formula) string {
	if free := freeVars(f); len(free) > 0 {
		return free[0]
	}
	return ""
}

func indent(lines []string, first, rest string) []string {
	for i := range lines {
		if i == 0 {
			lines[i] = first + lines[i]
		} else {
			lines[i] = rest + lines[i]
		}
	}
	return lines
}
