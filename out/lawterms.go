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

// ofFields says in words what operators do with a field: {} is its name, 0 and 1 are the
// arguments.
var ofFields = map[string]string{
	"field": "{} of 0", "with": "those of 0 whose {} is 1", "without": "0 without those whose {} is 1",
	"above": "those of 0 with {} above 1", "below": "those of 0 with {} below 1", "upto": "those of 0 with {} up to 1", "from": "those of 0 with {} from 1 on",
	"insertBy": "0 with 1 put in by {}", "insertDown": "0 with 1 put in by {}, the largest first",
}

// term is a term as people read it.
func (p *lawPage) term(e *eq.Expr) string {
	switch {
	case e.Form == eq.Const && e.Name == "[]":
		return "empty"
	case e.Form == eq.Obs && len(e.Args) == 0:
		return e.Name
	case e.Form != eq.Op && e.Form != eq.Obs:
		return e.Name
	}
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = p.term(a)
	}
	if e.Form == eq.Op && len(args) == 2 && slices.Contains([]string{"+", "-", "*", "/", "<", "<=", "==", "!="}, e.Name) {
		for i, a := range e.Args { // what stands between arguments binds less than what is within them
			if a.Form == eq.Op && slices.Contains([]string{"+", "-"}, a.Name) && (i == 1 && e.Name == "-" || e.Name == "*" || e.Name == "/") {
				args[i] = "(" + args[i] + ")"
			}
		}
		if e.Name == "-" && e.Args[0].Form == eq.Const && args[0] == "0" {
			return "-" + args[1]
		}
		return args[0] + " " + e.Name + " " + args[1]
	}
	if e.Form == eq.Op {
		if text, ok := p.ofField(e, args); ok {
			return text
		}
	}
	return e.Name + "(" + strings.Join(args, ", ") + ")"
}

// ofField is a term about a field.
func (p *lawPage) ofField(e *eq.Expr, args []string) (string, bool) {
	base := strings.TrimRight(e.Name, "0123456789")
	n, err := strconv.Atoi(e.Name[len(base):])
	if base == "record" {
		return "{" + strings.Join(args, ", ") + "}", true
	}
	then := ""
	if head, ok := strings.CutSuffix(base, "then"); ok && err == nil {
		then = ", and then by " + p.field(n)
		base = strings.TrimRight(head, "0123456789")
		n, err = strconv.Atoi(head[len(base):])
	}
	text, ok := ofFields[base]
	if !ok || err != nil {
		return "", false
	}
	for i, a := range args { // what has words in it stands in parentheses
		if strings.ContainsAny(a, " ") && a[0] != '{' {
			args[i] = "(" + a + ")"
		}
	}
	r := strings.NewReplacer("{}", p.field(n), "0", args[0], "1", args[len(args)-1])
	return r.Replace(text) + then, true
}
