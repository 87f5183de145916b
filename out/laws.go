package out

import (
	"fmt"
	"slices"
	"strings"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// lawGroup is the laws about one thing: a title, and a line each.
type lawGroup struct {
	title string
	lines []string
}

// lawPage is the laws of a theory in words.
type lawPage struct {
	lead    []string
	answers []lawGroup // by method
	effects []lawGroup // by observer
	unknown []string
	legend  []string

	set    *eq.Set
	fields []string // of the records, if there is one type of them
}

// lawsOf puts the laws of a theory into words; nil: it has none.
func lawsOf(t *theory.Theory) *lawPage {
	if t.Spec.Laws == nil {
		return nil
	}
	set, err := eq.Parse(t.Spec.Laws)
	if err != nil {
		return nil
	}
	p := &lawPage{set: set, fields: fieldNames(t)}
	d := t.Spec.Laws
	tested := fmt.Sprintf("tested on %s of runs of up to %s", wording.Count(d.States, "state"), wording.Count(d.Calls, "call"))
	if d.Closed {
		p.lead = append(p.lead, fmt.Sprintf("These laws determine every answer: %s followed from them alone, all right; they were %s.", wording.Count(d.Replayed, "answer"), tested))
	} else {
		p.lead = append(p.lead, fmt.Sprintf("These laws do not determine every answer; they were %s.", tested))
	}
	p.lead = append(p.lead, "What stands on the right is what was the case before the call. Of several cases the first that fits counts; nothing is compared with what is not there.")
	for m := range set.Methods {
		p.method(&set.Methods[m], exampleOf(t, set.Methods[m].Name))
	}
	for o := range set.Observers {
		p.observer(&set.Observers[o])
	}
	return p
}

// exampleOf is the longest of the short sequences that end in a call of a method.
func exampleOf(t *theory.Theory, method string) (best string) {
	if t.Status.Trial == nil {
		return ""
	}
	for _, k := range t.Status.Trial.Kinds {
		if _, last := cutLast(k, "; "); strings.HasPrefix(last, method+"(") || last == method || strings.HasPrefix(last, method+" ") {
			if len(k) > len(best) {
				best = k
			}
		}
	}
	return best
}

// method says what a method answers, where other observers define it.
func (p *lawPage) method(m *eq.Method, example string) {
	call := callText(m.Name, m.Params)
	g := lawGroup{title: call + " answers"}
	if m.Pure {
		g.title += ", and changes nothing"
	}
	for i, part := range m.Parts {
		o := &p.set.Observers[m.Answers[i]]
		if len(o.Is.Rules) == 0 {
			continue
		}
		about := ""
		if len(m.Parts) > 1 {
			about = part.Name + ": "
		}
		for k, r := range merged(o.Is.Rules) {
			line := about + p.term(r.Then)
			switch {
			case r.If != nil:
				line += " if " + p.condition(r.If, nil)
			case k > 0:
				line += " otherwise"
			}
			g.lines = append(g.lines, line)
		}
	}
	if len(g.lines) == 0 || len(g.lines) == 1 && g.lines[0] == "ok" {
		return // that it returns goes without saying
	}
	if example != "" {
		g.lines = append(g.lines, "for example: "+example)
	}
	p.answers = append(p.answers, g)
}

// observer says what an observer is at first, and what changes it.
func (p *lawPage) observer(o *eq.Observer) {
	if how := p.seen(o); how != "" {
		p.legend = append(p.legend, callText(o.Name, o.Params)+" is "+how)
	}
	if len(o.Is.Rules) > 0 {
		if !p.answer(o) {
			p.effects = append(p.effects, lawGroup{callText(o.Name, o.Params), p.rules("at any time, ", callText(o.Name, o.Params), &o.Is)})
		}
		return
	}
	g := lawGroup{title: callText(o.Name, o.Params)}
	if o.Start.Total() {
		g.lines = append(g.lines, p.rules("at first, ", callText(o.Name, o.Params), &o.Start)...)
	} else {
		p.unknown = append(p.unknown, "what "+g.title+" is at first")
	}
	var same []string
	for m := range p.set.Methods {
		me := &p.set.Methods[m]
		law := &o.After[m]
		switch {
		case me.Pure:
		case !law.Total():
			p.unknown = append(p.unknown, "what "+g.title+" is after "+callText(me.Name, me.Params))
		case unchanged(law, o, me):
			same = append(same, callText(me.Name, me.Params))
		default:
			g.lines = append(g.lines, p.effect(o, me, law)...)
		}
	}
	if len(same) > 0 {
		g.lines = append(g.lines, listed(same)+map[bool]string{true: " does", false: " do"}[len(same) == 1]+" not change it")
	}
	if len(g.lines) > 0 {
		p.effects = append(p.effects, g)
	}
}

// answer reports whether an observer is a part of what a method answers.
func (p *lawPage) answer(o *eq.Observer) bool {
	return slices.ContainsFunc(p.set.Methods, func(m eq.Method) bool {
		return slices.ContainsFunc(m.Answers, func(n int) bool { return &p.set.Observers[n] == o })
	})
}

// seen says how an observer is seen, unless its name does.
func (p *lawPage) seen(o *eq.Observer) string {
	h := o.How
	switch {
	case h.Method == "":
		for m, law := range o.After { // it changes after one method
			if len(law.Rules) > 1 && law.Rules[0].If != nil {
				return "how many calls there were of " + p.set.Methods[m].Name + " of which " + p.condition(law.Rules[0].If, nil)
			}
		}
	case h.Repeat == h.Method:
		return "all that " + h.Method + " answers if it is called until nothing changes"
	case h.Repeat != "":
		return "what " + h.Method + " answers now and after each call of " + h.Repeat + ", which is called until nothing changes"
	case h.Last != nil && *h.Last == 0:
		return "what " + h.Method + " answers with 0 as its last argument"
	case h.Last != nil && *h.Last == 1:
		return "what " + h.Method + " answers with 1 as its last argument"
	case h.Last != nil:
		return "what " + h.Method + " answers with a last argument as large as can be"
	case o.Name != h.Method:
		return strings.TrimSpace(strings.Replace(strings.TrimPrefix(o.Name, h.Method+"_"), "answer", "value ", 1)) + " of what " + h.Method + " answers"
	}
	return ""
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

// effect says what an observer is after a method.
func (p *lawPage) effect(o *eq.Observer, m *eq.Method, l *eq.Law) (lines []string) {
	first := len(m.Params) + len(m.Parts)
	rules := l.Rules // not merged: the cases may be about other values
	when := "after " + callText(m.Name, m.Params)
	var unless []string
	for len(rules) > 1 && rules[0].If != nil && isBefore(rules[0].Then, o, m) && aboutAnswer(rules[0].If, m) {
		unless = append(unless, p.condition(rules[0].If, nil))
		rules = rules[1:]
	}
	if len(unless) > 0 {
		when += ", unless " + strings.Join(unless, " or ")
	}
	for i, r := range rules {
		if i == len(rules)-1 && isBefore(r.Then, o, m) && i > 0 {
			break // nothing else changes
		}
		same := map[int]*eq.Expr{} // a parameter of the observer that is a value of the call
		cond := ""
		if r.If != nil {
			cond = p.condition(r.If, func(e *eq.Expr) bool {
				if e.Form == eq.Op && e.Name == "==" && e.Args[0].Form == eq.Var && e.Args[1].Form == eq.Var {
					x, y := e.Args[0], e.Args[1]
					if x.Slot() >= first {
						x, y = y, x
					}
					if x.Slot() < first && y.Slot() >= first && same[y.Slot()] == nil {
						same[y.Slot()] = x
						return true
					}
				}
				return false
			})
		}
		args := make([]string, len(o.Params))
		scope := m.Scope(o)
		for k := range args {
			args[k] = scope[first+k].Name
			if x := same[first+k]; x != nil {
				args[k] = x.Name
			}
		}
		head := o.Name
		if len(args) > 0 {
			head += "(" + strings.Join(args, ", ") + ")"
		}
		line := when + ": " + head
		if then := p.term(replaced(r.Then, same)); then == head {
			line += " is as before"
		} else {
			line += " = " + then
		}
		switch {
		case cond != "":
			line += " if " + p.renamed(r.If, same, cond)
		case r.If == nil && i > 0:
			line += " otherwise"
		}
		lines = append(lines, line)
	}
	return lines
}

// replaced is a term with values of the call for the observer's parameters.
func replaced(e *eq.Expr, same map[int]*eq.Expr) *eq.Expr {
	if e.Form == eq.Var && same[e.Slot()] != nil {
		return same[e.Slot()]
	}
	f := *e
	f.Args = make([]*eq.Expr, len(e.Args))
	for i, a := range e.Args {
		f.Args[i] = replaced(a, same)
	}
	return &f
}

// renamed is the text of a condition after replacement.
func (p *lawPage) renamed(e *eq.Expr, same map[int]*eq.Expr, text string) string {
	if len(same) == 0 {
		return text
	}
	return p.condition(replaced(e, same), func(e *eq.Expr) bool {
		return e.Form == eq.Op && e.Name == "==" && e.Args[0].Equal(e.Args[1])
	})
}

// aboutAnswer reports whether a condition is about the answer of the call alone.
func aboutAnswer(e *eq.Expr, m *eq.Method) bool {
	only := true
	e.Walk(func(x *eq.Expr) {
		only = only && x.Form != eq.Obs && (x.Form != eq.Var || x.Slot() >= len(m.Params) && x.Slot() < len(m.Params)+len(m.Parts))
	})
	return only
}

func (p *lawPage) rules(when, head string, l *eq.Law) (lines []string) {
	for i, r := range merged(l.Rules) {
		line := when + head + " = " + p.term(r.Then)
		switch {
		case r.If != nil:
			line += " if " + p.condition(r.If, nil)
		case i > 0:
			line += " otherwise"
		}
		lines = append(lines, line)
	}
	return lines
}

// merged joins cases that follow one another and say the same.
func merged(rules []eq.Rule) (out []eq.Rule) {
	for _, r := range rules {
		if n := len(out); n > 0 && r.If != nil && out[n-1].Then.Equal(r.Then) {
			out[n-1].If = eq.NewOp("or", out[n-1].If, r.If)
			continue
		}
		out = append(out, r)
	}
	return out
}

func callText(name string, params []eq.Param) string {
	if len(params) == 0 {
		return name
	}
	return eq.Head(name, params)
}

// condition is a condition as people read it; what leave says is left out.
func (p *lawPage) condition(e *eq.Expr, leave func(*eq.Expr) bool) string {
	if leave != nil && leave(e) {
		return ""
	}
	if e.Form != eq.Op || len(e.Args) == 0 {
		return p.term(e)
	}
	if e.Name == "and" || e.Name == "or" {
		a, b := p.condition(e.Args[0], leave), p.condition(e.Args[1], leave)
		switch {
		case a == "" || b == "":
			return a + b
		}
		return a + " " + e.Name + " " + b
	}
	x := p.term(e.Args[0])
	if strings.Contains(x, " whose ") && !strings.HasSuffix(x, ")") {
		x = "(" + x + ")"
	}
	answer := e.Args[0].Form == eq.Var && (x == "answer" || x == "outcome")
	y := ""
	if len(e.Args) > 1 {
		y = p.term(e.Args[1])
	}
	switch {
	case e.Name == "given" && answer:
		return "it answers a value"
	case e.Name == "absent" && answer:
		return "it answers no value"
	case e.Name == "given":
		return x + " is there"
	case e.Name == "absent":
		return x + " is not there"
	case e.Name == "==" && answer && e.Args[1].Form == eq.Const:
		return "it answers " + y
	case e.Name == "!=" && answer && e.Args[1].Form == eq.Const:
		return "it does not answer " + y
	case e.Name == "==" && y == "empty":
		return x + " is empty"
	case e.Name == "!=" && y == "empty":
		return x + " is not empty"
	case e.Name == "==":
		return x + " = " + y
	case e.Name == "!=":
		return x + " is not " + y
	case e.Name == "in":
		return x + " is in " + y
	case e.Name == "!in":
		return x + " is not in " + y
	}
	return p.term(e)
}
