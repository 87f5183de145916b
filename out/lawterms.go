package out

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
	"github.com/adtinfer/adtinfer/theory"
)

// lawWords are what operators are called: {a}, {b} and {c} are the arguments, and {f} is a
// field. What ends a phrase needs no parentheses.
var lawWords = map[string]string{
	"append": "{a} with {b} at the end", "prepend": "{a} with {b} in front", "insert": "{a} with {b} put in, in ascending order",
	"without": "{a} without {b}", "take": "the first {b} of {a}", "drop": "{a} without the first {b}", "concat": "{a} followed by {b}",
	"front": "{a} without the last", "rest": "{a} without the first", "reverse": "{a} reversed", "sorted": "{a} in ascending order",
	"first": "the first of {a}", "last": "the last of {a}", "len": "the length of {a}", "len#": "the number of {a}", "sum": "the sum of {a}",
	"count": "how often {b} is in {a}", "index": "the place of {b}, from 0, in {a}",
	"insertAt": "{a} with {c} put in at {b}, from 0", "replaceAt": "{a} with {c} in place of what is at {b}, from 0",
	"insertAt#": "{a} with {c} put in where {b} was", "replaceAt#": "{a} with {c} in place of {b}",
	"removeAt": "{a} without what is at {b}, from 0", "swap": "{a} with what is at {b} and at {c}, from 0, swapped",
	"at": "{a}[{b}]", "set": "{a} with {c} for {b}", "delete": "{a} without {b}", "keys": "the keys of {a}", "values": "the values of {a}",

	"field": "the {f} of {a}", "with": "those with {f} {b} in {a}", "above": "those with {f} above {b} in {a}", "below": "those with {f} below {b} in {a}",
	"upto": "those with {f} up to {b} in {a}", "from": "those with {f} from {b} on in {a}", "without#": "{a} without those with {f} {b}",
	"put": "{a} with {f} {b}", "replace": "{a} with {b} in place of the one with its {f}",
	"insertBy": "{a} with {b} put in by {f}, the smallest first", "insertDown": "{a} with {b} put in by {f}, the largest first",

	"==": "{a} = {b}", "!=": "{a} is not {b}", "in": "{a} is in {b}", "!in": "{a} is not in {b}", "startsWith": "{a} starts with {b}", "!startsWith": "{a} does not start with {b}", "<=": "{a} <= {b}", "<": "{a} < {b}",
	"given": "{a} is there", "absent": "{a} is not there",
}

// fieldNames are the names of the fields of the structs that methods take and return
// whole; nil if there are none, or several types of them.
func fieldNames(t *theory.Theory) (names []string) {
	several := false
	var look func(b *values.Basic)
	look = func(b *values.Basic) {
		switch {
		case b == nil:
		case b.Kind == values.KindStruct:
			var own []string
			for _, f := range b.Fields {
				own = append(own, driver.LowerCamel(f.GoName))
				look(&f.Basic)
			}
			several = several || names != nil && !slices.Equal(names, own)
			names = own
		default:
			look(b.Key)
			look(b.Elem)
		}
	}
	for _, m := range t.Spec.Methods {
		for i := range m.Params {
			look(&m.Params[i])
		}
		for i := range m.Results {
			look(&m.Results[i])
		}
	}
	if several {
		return nil
	}
	return names
}

// field is the name of a field, by its number from 1.
func (p *lawPage) field(n int) string {
	if n >= 1 && n <= len(p.fields) && p.fields[n-1] != "" {
		return p.fields[n-1]
	}
	return "field " + strconv.Itoa(n)
}

// term is a term as people read it.
func (p *lawPage) term(e *eq.Expr) string {
	switch {
	case e.Form == eq.Const && e.Name == "[]":
		return "empty"
	case e.Form == eq.Const:
		return unquoted(e.Name)
	case e.Form == eq.Var:
		return e.Name
	}
	if text := p.updated(e); text != "" {
		return text
	}
	e, own := placed(e)
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = p.term(a)
	}
	if e.Form == eq.Obs {
		return p.head(e.Slot(), args)
	}
	switch e.Name {
	case "+", "-", "*", "/":
		if p.isZero(e.Args[0]) && e.Name == "-" {
			return "-" + p.inner(e.Args[1], true)
		}
		tight := e.Name == "*" || e.Name == "/"
		return p.inner(e.Args[0], tight || !infix(e.Args[0])) + " " + e.Name + " " + p.inner(e.Args[1], tight || e.Name == "-" || !infix(e.Args[1]))
	}
	if (e.Name == "<" || e.Name == "<=") && e.Args[0].Form == eq.Const {
		return p.inner(e.Args[1], false) + map[string]string{"<": " > ", "<=": " >= "}[e.Name] + args[0]
	}
	if strings.TrimRight(e.Name, "0123456789") == "record" {
		return p.record(args)
	}
	text, by := p.phrase(e.Name)
	if own != "" {
		text = own
	}
	if e.Name == "len" && some(e.Args[0]) {
		text = lawWords["len#"]
	}
	if text == "" {
		return e.Name + "(" + strings.Join(args, ", ") + ")"
	}
	for i, slot := range []string{"{a}", "{b}", "{c}"} {
		if i < len(args) && !strings.HasSuffix(text, slot) && !strings.Contains(text, "["+slot+"]") {
			args[i] = p.inner(e.Args[i], true)
		}
		if i < len(args) && args[i] == by && strings.Contains(text, "{f} "+slot) {
			text = strings.Replace(text, "{f} "+slot, "this {f}", 1) // the player's player
			continue
		}
		if i < len(args) {
			text = strings.ReplaceAll(text, slot, args[i])
		}
	}
	return strings.ReplaceAll(text, "{f}", by)
}

// placed says where something is put, or taken away, if that is where another element is, or a
// place that counts from 1. No text: it is neither.
func placed(e *eq.Expr) (as *eq.Expr, text string) {
	text = lawWords[e.Name]
	if e.Form != eq.Op || !strings.HasSuffix(text, ", from 0") || e.Name == "swap" || e.Args[1].Form != eq.Op {
		return e, ""
	}
	at, own := e.Args[1], *e
	own.Args = slices.Clone(e.Args)
	switch where := lawWords[e.Name+"#"]; {
	case at.Name == "index" && where != "" && within(at.Args[0], e.Args[0]):
		own.Args[1] = at.Args[1]
		return &own, where
	case at.Name == "-" && at.Args[1].Name == "1":
		own.Args[1] = at.Args[0]
		return &own, strings.TrimSuffix(text, "0") + "1"
	}
	return e, ""
}

// within reports whether a term stands in another one.
func within(e, in *eq.Expr) (found bool) {
	in.Walk(func(x *eq.Expr) { found = found || x.Equal(e) })
	return found
}

// phrase is what an operator is called, and its field.
func (p *lawPage) phrase(op string) (text, by string) {
	base := strings.TrimRight(op, "0123456789")
	if base == op {
		return lawWords[op], ""
	}
	n, _ := strconv.Atoi(op[len(base):])
	if head, ok := strings.CutSuffix(base, "then"); ok {
		text, by = p.phrase(head)
		return text + ", ties by " + p.field(n) + " in ascending order", by
	}
	if base == "without" {
		base += "#"
	}
	return lawWords[base], p.field(n)
}

// some reports whether a term is elements of a list.
func some(e *eq.Expr) bool {
	return e.Form == eq.Op && slices.Contains([]string{"with", "above", "below", "upto", "from"}, strings.TrimRight(e.Name, "0123456789"))
}

func infix(e *eq.Expr) bool {
	return e.Form == eq.Op && (e.Name == "+" || e.Name == "-" || e.Name == "*" || e.Name == "/")
}

func (p *lawPage) isZero(e *eq.Expr) bool { return e.Form == eq.Const && e.Name == "0" }

// inner is a term within another one: in parentheses if it has words in it.
func (p *lawPage) inner(e *eq.Expr, tight bool) string {
	s := p.term(e)
	if tight && e.Form == eq.Op && strings.Contains(s, " ") && s[0] != '{' {
		return "(" + s + ")"
	}
	return s
}

// record is a record whose fields have names; a field of that name needs no other.
func (p *lawPage) record(args []string) string {
	for i, a := range args {
		if i < len(p.fields) && p.fields[i] != a && p.fields[i] != "" {
			args[i] = p.fields[i] + ": " + a
		}
	}
	return "{" + strings.Join(args, ", ") + "}"
}

// head is an observer of some values; nil: of its parameters.
func (p *lawPage) head(o int, args []string) string {
	ob := &p.set.Observers[o]
	if args == nil {
		for _, a := range ob.Params {
			args = append(args, a.Name)
		}
	}
	name := p.names[o]
	if len(args) == 0 {
		return name
	}
	in := "(" + strings.Join(args, ", ")
	if method, last, ok := strings.Cut(name, "("); ok {
		return method + in + ", " + last
	}
	if method, part, ok := strings.Cut(name, "."); ok {
		return method + in + ")." + part
	}
	return name + in + ")"
}

// condition is a condition as people read it.
func (p *lawPage) condition(e *eq.Expr) string {
	if e.Form != eq.Op || len(e.Args) == 0 {
		return p.term(e)
	}
	if e.Name == "and" || e.Name == "or" {
		a, b := p.condition(e.Args[0]), p.condition(e.Args[1])
		if e.Name == "and" && e.Args[0].Form == eq.Op && e.Args[0].Name == "or" {
			a = "(" + a + ")"
		}
		if e.Name == "and" && e.Args[1].Form == eq.Op && e.Args[1].Name == "or" {
			b = "(" + b + ")"
		}
		return a + " " + e.Name + " " + b
	}
	x := e.Args[0]
	if x.Form == eq.Var && (x.Name == "answer" || x.Name == "outcome") && (len(e.Args) == 1 || e.Args[1].Form == eq.Const) {
		switch e.Name {
		case "given":
			return "it answers a value"
		case "absent":
			return "it answers no value"
		case "==":
			return "it answers " + p.term(e.Args[1])
		case "!=":
			return "it does not answer " + p.term(e.Args[1])
		}
	}
	if empty := len(e.Args) > 1 && e.Args[1].Form == eq.Const && e.Args[1].Name == "[]"; empty && (e.Name == "==" || e.Name == "!=") {
		text := p.term(x)
		switch {
		case some(x) && e.Name == "==":
			return strings.Replace(text, "those", "there are none", 1)
		case some(x):
			return strings.Replace(text, "those", "there are some", 1)
		}
		return p.inner(x, true) + map[string]string{"==": " is empty", "!=": " is not empty"}[e.Name]
	}
	if text := p.found(e); text != "" {
		return text
	}
	return p.observed(e)
}

// observed is a condition; one about whether an observer is there names what it is
// otherwise, and one about a call that would be made says so.
func (p *lawPage) observed(e *eq.Expr) string {
	x := e.Args[0]
	if x.Form != eq.Obs || e.Name != "given" && e.Name != "absent" && e.Name != "==" && e.Name != "!=" {
		return p.term(e)
	}
	is := []string{" is ", " is not "}
	if p.wouldAnswer(x) {
		is = []string{" would answer ", " would not answer "}
	}
	other := p.wordsOf(x.Slot())
	if e.Name == "given" || e.Name == "absent" {
		if len(other) != 1 {
			return p.term(e)
		}
		return p.term(x) + is[map[string]int{"absent": 0, "given": 1}[e.Name]] + other[0]
	}
	if y := e.Args[1]; e.Name == "==" && !p.wouldAnswer(x) && (y.Form != eq.Const || y.ConstOf().IsInt()) {
		is[0] = " = "
	}
	return p.term(x) + is[map[string]int{"==": 0, "!=": 1}[e.Name]] + p.inner(e.Args[1], false)
}
