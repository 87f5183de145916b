package out

import (
	"fmt"
	"slices"
	"strings"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// lawGroup is the laws about one thing: a title, what it is, and a line for each law.
type lawGroup struct {
	title, says string
	lines       []lawLine
}

// lawLine is a law, with its smallest examples.
type lawLine struct {
	text     string
	examples []string
}

// lawPage is the laws of a theory in words.
type lawPage struct {
	title   string
	lead    []string
	seen    []lawGroup // by observer: what it is at first, and what changes it
	answers []lawGroup // by method
	unknown []string
	legend  []string

	set    *eq.Set
	fields []string       // of the records, if there is one type of them
	names  map[int]string // of observers
	spec   *theory.Spec
	runs   *lawRuns // nil: the laws are open
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
	p := &lawPage{set: set, spec: &t.Spec, fields: fieldNames(t), names: map[int]string{}}
	for o := range set.Observers {
		p.names[o] = p.nameOf(o)
	}
	d := t.Spec.Laws
	tested := fmt.Sprintf("tested on %s of runs of up to %s", wording.Count(d.States, "state"), wording.Count(d.Calls, "call"))
	if d.Closed {
		p.runs = runsOf(t, set)
		p.lead = append(p.lead, fmt.Sprintf("What stands here determines every answer: %s followed from it alone, all right; it was %s.", wording.Count(d.Replayed, "answer"), tested))
	} else {
		p.lead = append(p.lead, fmt.Sprintf("These laws do not determine every answer; they were %s.", tested))
	}
	p.lead = append(p.lead, "A call fails if it answers an error. Of several cases the first that fits counts. What a call changes is given by what was the case before it; what is not named stays as it was."+p.pure())
	for o := range set.Observers {
		p.observer(o)
	}
	for m := range set.Methods {
		p.method(m, exampleOf(t, set.Methods[m].Name))
	}
	for o := range set.Observers {
		if set.Observers[o].How.Method == "" && p.mentions(p.names[o]) {
			p.note(o, p.seenBy(o))
		}
	}
	p.title = p.shapes()
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

// nameOf is what an observer is called: parts of an answer by what is put into them, and
// counts as elsewhere.
func (p *lawPage) nameOf(o int) string {
	ob := &p.set.Observers[o]
	h := ob.How
	switch {
	case h.Method == "":
		return "#" + strings.TrimPrefix(ob.Name, "calls_of_")
	case h.Repeat != "":
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

// method says what a method answers, where it is not an observer that has laws itself.
func (p *lawPage) method(n int, example string) {
	m := &p.set.Methods[n]
	g := lawGroup{title: callText(m.Name, m.Params)}
	for i, part := range m.Parts {
		about := ""
		if number, ok := strings.CutPrefix(part.Name, "answer"); ok && len(m.Parts) > 1 {
			about = strings.TrimSpace("value "+number) + ": "
		}
		o := &p.set.Observers[m.Answers[i]]
		if len(o.Is.Rules) == 0 {
			if !m.Pure || len(m.Parts) > 1 {
				g.lines = append(g.lines, lawLine{text: about + "as above"})
			}
			continue
		}
		for _, l := range p.cases(n, p.failuresFirst(p.folded(m.Answers[i]))) {
			l.text = about + l.text
			g.lines = append(g.lines, l)
		}
	}
	if len(g.lines) == 0 || len(g.lines) == 1 && g.lines[0].text == "ok" {
		return // that it returns goes without saying
	}
	if p.runs == nil && example != "" {
		g.lines[len(g.lines)-1].examples = []string{example}
	}
	p.answers = append(p.answers, g)
}

// cases says what a method answers, all failures that follow one another in one line.
func (p *lawPage) cases(method int, rules []eq.Rule) (lines []lawLine) {
	failing := false
	rules = merged(rules)
	for i, r := range rules {
		text, end := p.value(method, r.Then), ""
		switch {
		case r.If != nil:
			end = " if " + p.condition(r.If)
		case i > 0:
			text = "otherwise " + text
		}
		var examples []string
		if e := p.runs.answer(method, rules, i); e != "" {
			examples = append(examples, e)
		}
		fails := r.Then.Form == eq.Const && wording.IsError(r.Then.Name)
		if n := len(lines); fails && failing {
			lines[n-1].text += ", " + strings.Replace(text, "fails with", "with", 1) + end
			lines[n-1].examples = append(lines[n-1].examples, examples...)
			continue
		}
		failing = fails
		lines = append(lines, lawLine{text + end, examples})
	}
	return lines
}

// value is what a method answers.
func (p *lawPage) value(method int, e *eq.Expr) string {
	text := p.term(e)
	switch {
	case p.isNext(method, e):
		return "the next number, from 1 on"
	case e.Form == eq.Const && wording.IsError(e.Name):
		return "fails with " + text
	case p.wouldAnswer(e):
		return "what " + text + " would answer"
	}
	return text
}

// wouldAnswer reports whether a term is what a call would answer that may change something.
func (p *lawPage) wouldAnswer(e *eq.Expr) bool {
	return e.Form == eq.Obs && p.changing(e.Slot()) && p.names[e.Slot()] == p.set.Observers[e.Slot()].How.Method
}

// pure names the methods that change nothing.
func (p *lawPage) pure() string {
	var all []string
	for _, m := range p.set.Methods {
		if m.Pure {
			all = append(all, m.Name)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return " " + listed(all) + map[bool]string{true: " changes", false: " change"}[len(all) == 1] + " nothing."
}

// isNext reports whether a method answers how often it has succeeded, this call included.
func (p *lawPage) isNext(method int, e *eq.Expr) bool {
	if method < 0 || e.Form != eq.Op || e.Name != "+" || e.Args[0].Form != eq.Obs || e.Args[1].Name != "1" {
		return false
	}
	o := &p.set.Observers[e.Args[0].Slot()]
	return o.How.Method == "" && len(o.After[method].Rules) == 2 && o.Start.String() == "0"
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
	g := lawGroup{title: p.head(n, nil), says: how}
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
	case len(same) > 0 && known && len(g.lines) > 1:
		g.lines = append(g.lines, lawLine{text: "nothing else changes it"})
	case len(same) > 0 && known:
		g.lines = append(g.lines, lawLine{text: "nothing changes it"})
	case len(same) > 0:
		g.lines = append(g.lines, lawLine{text: listed(same) + map[bool]string{true: " does", false: " do"}[len(same) == 1] + " not change it"})
	}
	if len(g.lines) > 0 {
		p.seen = append(p.seen, g)
	}
}

// mentions reports whether a name stands somewhere.
func (p *lawPage) mentions(name string) bool {
	return slices.ContainsFunc(slices.Concat(p.seen, p.answers), func(g lawGroup) bool {
		return slices.ContainsFunc(g.lines, func(l lawLine) bool { return strings.Contains(l.text, name) })
	})
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
	switch {
	case h.Method == "":
		for m, law := range o.After { // it changes after one method
			if len(law.Rules) > 1 && law.Rules[0].If != nil {
				return "how many calls of " + p.set.Methods[m].Name + " have " + p.answered(law.Rules[0].If, m)
			}
		}
		return "a count of calls"
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

// failuresFirst puts a failure that is what is left before the case before it.
func (p *lawPage) failuresFirst(rules []eq.Rule) []eq.Rule {
	n := len(rules)
	if n < 2 || rules[n-1].Then.Form != eq.Const || !wording.IsError(rules[n-1].Then.Name) {
		return rules
	}
	not := p.negation(rules[n-2].If)
	if not == nil {
		return rules
	}
	return append(slices.Clone(rules[:n-2]), eq.Rule{If: not, Then: rules[n-1].Then}, eq.Rule{Then: rules[n-2].Then})
}

// folded are the rules of an observer that others define, with observers for what they are
// where they have a value.
func (p *lawPage) folded(n int) []eq.Rule {
	o := &p.set.Observers[n]
	var fold func(e *eq.Expr) *eq.Expr
	fold = func(e *eq.Expr) *eq.Expr {
		for d := range p.set.Observers {
			by := &p.set.Observers[d]
			if k := len(by.Is.Rules) - 1; d != n && k > 0 && e.Cost() > 3 && e.Equal(by.Is.Rules[k].Then) {
				if args := sameParams(by.Params, o.Params); args != nil {
					return eq.NewObs(by.Name, d, args...)
				}
			}
		}
		f := *e
		f.Args = make([]*eq.Expr, len(e.Args))
		for i, a := range e.Args {
			f.Args[i] = fold(a)
		}
		return &f
	}
	rules := slices.Clone(o.Is.Rules)
	for i := range rules {
		rules[i].Then = fold(rules[i].Then)
	}
	return rules
}

// sameParams are parameters as variables among others; nil: they are none of them.
func sameParams(ps, among []eq.Param) (all []*eq.Expr) {
	for _, a := range ps {
		k := slices.Index(among, a)
		if k < 0 {
			return nil
		}
		all = append(all, eq.NewVar(a.Name, k))
	}
	return all
}

var opposite = map[string]string{"==": "!=", "!=": "==", "in": "!in", "!in": "in", "given": "absent", "absent": "given"}

// negation is what holds where a condition does not; nil: that is no simple condition, or
// may be about what is not there, of which neither holds.
func (p *lawPage) negation(e *eq.Expr) *eq.Expr {
	if e.Form != eq.Op || e.Name == "and" || e.Name == "or" {
		return nil
	}
	always := true
	for _, a := range e.Args {
		a.Walk(func(x *eq.Expr) {
			always = always && (x.Form != eq.Op || x.Name == "len") &&
				(x.Form != eq.Obs || e.Name == "given" || e.Name == "absent" || len(p.wordsOf(x.Slot())) == 0)
		})
	}
	switch {
	case !always:
		return nil
	case opposite[e.Name] != "":
		return eq.NewOp(opposite[e.Name], e.Args...)
	case e.Name == "<":
		return eq.NewOp("<=", e.Args[1], e.Args[0])
	case e.Name == "<=":
		return eq.NewOp("<", e.Args[1], e.Args[0])
	}
	return nil
}

func callText(name string, params []eq.Param) string {
	if len(params) == 0 {
		return name
	}
	return eq.Head(name, params)
}
