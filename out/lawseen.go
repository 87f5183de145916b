package out

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// nameOf is what an observer is called: parts of an answer by what is put into them, and
// counts as elsewhere.
func (p *lawPage) nameOf(o int) string {
	ob := &p.set.Observers[o]
	h := ob.How
	switch {
	case h.Method == "":
		return "#" + strings.TrimPrefix(ob.Name, "calls_of_")
	case h.Repeat != "", h.First != nil, h.Least != "", h.From != nil, h.New != nil:
		return ob.Name
	case h.Last != nil && *h.Last > 1:
		return h.Method + "(all)"
	case h.Last != nil:
		return fmt.Sprintf("%s(%d)", h.Method, *h.Last)
	case ob.Name == h.Method:
		return ob.Name
	}
	if part := p.partName(ob); part != "" {
		return h.Method + "." + part
	}
	return ob.Name
}

// partName is the name of a part of an answer: that of the parameter which is put there,
// or its number.
func (p *lawPage) partName(ob *eq.Observer) string {
	part := strings.TrimPrefix(ob.Name, ob.How.Method+"_")
	if number := strings.TrimPrefix(part, "answer"); number != "" {
		part = number
	}
	name := ""
	for m := range ob.After {
		for _, r := range ob.After[m].Rules {
			if v := r.Then; v.Form == eq.Var && v.Slot() < len(p.set.Methods[m].Params) {
				if name != "" && name != v.Name {
					return part
				}
				name = v.Name
			}
		}
	}
	if name == "" || part == "outcome" {
		return part
	}
	return name
}

// observer says what an observer is at first, and what changes it.
func (p *lawPage) observer(n int) {
	o := &p.set.Observers[n]
	how := p.seenBy(n)
	if len(o.Is.Rules) > 0 {
		if !p.isAnswer(n) {
			p.note(n, how)
			p.seen = append(p.seen, lawGroup{p.head(n, nil), "at any time", p.cases(-1, o.Is.Rules)})
		}
		return
	}
	if o.How.Method == "" {
		return // its name says it all
	}
	g := lawGroup{title: p.heading(n, nil), says: how}
	if o.Start.Total() {
		g.lines = append(g.lines, lawLine{text: "at first: " + p.either(o.Start.Rules)})
	} else {
		p.unknown = append(p.unknown, "what "+g.title+" is at first")
	}
	var same []string
	known := true
	for m := range p.set.Methods {
		me := &p.set.Methods[m]
		law := &o.After[m]
		switch {
		case me.Pure:
		case !law.Total():
			known = false
			p.unknown = append(p.unknown, "what "+g.title+" is after "+callText(me.Name, me.Params))
		case unchanged(law, o, me):
			same = append(same, callText(me.Name, me.Params))
		default:
			g.lines = append(g.lines, p.effect(n, m, law))
		}
	}
	switch {
	case known && len(g.lines) > 1:
		g.lines = append(g.lines, lawLine{text: "nothing else changes it"})
	case known:
		g.lines = append(g.lines, lawLine{text: "nothing changes it"})
	case len(same) > 0:
		g.lines = append(g.lines, lawLine{text: listed(same) + map[bool]string{true: " does", false: " do"}[len(same) == 1] + " not change it"})
	}
	if len(g.lines) > 0 {
		p.seen = append(p.seen, g)
	}
}

// pair notes two parts of an answer to which the same happens.
func (p *lawPage) pair(n int) {
	if n+1 >= len(p.set.Observers) {
		return
	}
	a, b := &p.set.Observers[n], &p.set.Observers[n+1]
	if a.How.Method != b.How.Method || a.How.Part == b.How.Part || len(a.Is.Rules)+len(b.Is.Rules) > 0 || a.How.Repeat+b.How.Repeat != "" ||
		!strings.Contains(p.names[n], ".") || !strings.Contains(p.names[n+1], ".") || a.Start.String() != b.Start.String() || !a.Start.Total() {
		return
	}
	for m := range a.After {
		x, y := a.After[m].Rules, b.After[m].Rules
		if len(x) != len(y) {
			return
		}
		for i := range x {
			if !x[i].If.Equal(y[i].If) || isBefore(x[i].Then, a, &p.set.Methods[m]) != isBefore(y[i].Then, b, &p.set.Methods[m]) {
				return
			}
		}
	}
	p.twins[n] = n + 1
}

// heading is what a group about an observer is called.
func (p *lawPage) heading(n int, args []string) string {
	head := p.head(n, args)
	if _, both := p.twins[n]; both {
		return head[:strings.LastIndex(head, ".")]
	}
	return head
}

// note explains the name of an observer that has no group of its own.
func (p *lawPage) note(n int, how string) {
	if how != "" {
		p.legend = append(p.legend, p.head(n, nil)+" is "+how)
	}
}

// either are the cases of a law in one line.
func (p *lawPage) either(rules []eq.Rule) string {
	var all []string
	for i, r := range merged(rules) {
		text := p.term(r.Then)
		switch {
		case r.If != nil:
			text += " if " + p.condition(r.If)
		case i > 0:
			text = "otherwise " + text
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// isAnswer reports whether an observer is a part of what a method answers.
func (p *lawPage) isAnswer(o int) bool {
	return slices.ContainsFunc(p.set.Methods, func(m eq.Method) bool { return slices.Contains(m.Answers, o) })
}

// changing reports whether seeing an observer takes a call that may change something.
func (p *lawPage) changing(o int) bool {
	h := p.set.Observers[o].How
	return slices.ContainsFunc(p.set.Methods, func(m eq.Method) bool { return m.Name == h.Method && !m.Pure })
}

// seenBy says how an observer is seen, unless its name does.
func (p *lawPage) seenBy(n int) string {
	o := &p.set.Observers[n]
	h := o.How
	what := "what " + h.Method + " answers"
	if p.changing(n) {
		what = "what " + h.Method + " would answer"
	}
	if twin, both := p.twins[n]; both {
		return strings.Replace(what, "what", p.part(n)+" and "+p.part(twin)+", which", 1)
	}
	switch {
	case h.First != nil:
		return p.afterFirst(o)
	case h.Method == "":
		for m, law := range o.After { // it changes after one method
			if len(law.Rules) > 1 && law.Rules[0].If != nil {
				return "how many calls of " + p.set.Methods[m].Name + " have " + p.answered(law.Rules[0].If, m)
			}
		}
		return "a count of calls"
	case h.Least != "":
		return p.firstOf(n)
	case h.From != nil:
		return p.listedBy(o)
	case h.New != nil:
		return p.toNews(o)
	case h.Repeat == h.Method:
		return "all that " + h.Method + " would answer if it were called again and again"
	case h.Repeat != "":
		return "what " + h.Method + " answers now and after each of many calls of " + h.Repeat
	case h.Last != nil && *h.Last <= 1:
		return fmt.Sprintf("%s with %d as its last argument", what, *h.Last)
	case h.Last != nil:
		return what + " with its last argument as large as can be"
	case strings.HasPrefix(o.Name, h.Method+"_"):
		part := strings.TrimPrefix(strings.TrimPrefix(o.Name, h.Method), "_")
		if number, ok := strings.CutPrefix(part, "answer"); ok {
			part = strings.TrimSpace("value " + number)
		}
		return part + " of " + what
	case p.changing(n):
		return what
	}
	return ""
}

// afterFirst says what an observer is whose method answers after another call.
func (p *lawPage) afterFirst(o *eq.Observer) string {
	h := o.How
	me := &p.set.Methods[p.set.Method(h.Method)]
	what := ""
	if len(me.Parts) > 1 && h.Part < len(me.Parts) {
		what = me.Parts[h.Part].Name + " of "
	}
	first := h.First.Method
	if len(h.First.Args) > 0 {
		first = unquoted(h.First.String())
	}
	return what + "what " + callText(h.Method, o.Params[:len(me.Params)]) + " would answer if " + first + " came first"
}

// firstOf says what a threshold is.
func (p *lawPage) firstOf(n int) string {
	h := p.set.Observers[n].How
	m := p.set.Method(h.Method)
	answers, word := "answers", cmp.Or(h.Word, "a value")
	if p.changing(n) {
		answers = "would answer"
	}
	if part := &p.set.Methods[m].Parts[h.Part]; part.Name != "answer" && part.Name != "outcome" {
		word += " as value " + strings.TrimPrefix(part.Name, "answer")
	}
	return "the least " + h.Least + " from which on " + callText(h.Method, p.set.Methods[m].Params) + " " + answers + " " + word + "; always if it does for all, never if for none"
}

// listedBy says how a list by index is seen.
func (p *lawPage) listedBy(o *eq.Observer) string {
	h := o.How
	call := func(n int64) string {
		args := make([]string, 0, len(o.Params)+1)
		for _, a := range o.Params {
			args = append(args, a.Name)
		}
		return fmt.Sprintf("%s(%s)", h.Method, strings.Join(append(args, strconv.FormatInt(n, 10)), ", "))
	}
	what := "what "
	if part, ok := strings.CutPrefix(o.Name, "all_"+h.Method+"_answer"); ok && part != "" {
		what = "value " + part + " of what "
	}
	return what + call(*h.From) + ", " + call(*h.From+1) + ", ... answer, as long as they answer a value"
}

// toNews says how the answers to new arguments are seen.
func (p *lawPage) toNews(o *eq.Observer) string {
	h := o.How
	m := &p.set.Methods[p.set.Method(h.Method)]
	args := make([]string, len(m.Params))
	for i, k := 0, 0; i < len(args); i++ {
		switch {
		case i == *h.New:
			args[i] = "new " + m.Params[i].Name
			continue
		case k < len(h.Given):
			args[i] = unquoted(h.Given[k])
		case k < len(o.Params):
			args[i] = o.Params[k].Name
		}
		k++
	}
	what := "the values that "
	if part, ok := strings.CutPrefix(o.Name, "free_"+h.Method+"_answer"); ok && part != "" {
		what = "value " + part + " of what "
	}
	return fmt.Sprintf("%s%s(%s) would answer, called with one new %s after the other until nothing changes or it answers one of them",
		what, h.Method, strings.Join(args, ", "), m.Params[*h.New].Name)
}

// part is the name of a part of an answer.
func (p *lawPage) part(n int) string {
	_, part, _ := strings.Cut(p.names[n], ".")
	return part
}

// unchanged reports whether a law says that everything stays as it was.
func unchanged(l *eq.Law, o *eq.Observer, m *eq.Method) bool {
	return len(l.Rules) == 1 && isBefore(l.Rules[0].Then, o, m)
}

// isBefore reports whether a term is the observer before the call, of the same values.
func isBefore(e *eq.Expr, o *eq.Observer, m *eq.Method) bool {
	if e.Form != eq.Obs || e.Name != o.Name {
		return false
	}
	first := len(m.Params) + len(m.Parts)
	for i, a := range e.Args {
		if a.Form != eq.Var || a.Slot() != first+i {
			return false
		}
	}
	return true
}
