package out

import (
	"slices"
	"strings"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// method says what a method answers, where it is not an observer that has laws itself.
func (p *lawPage) method(n int, example string) {
	m := &p.set.Methods[n]
	g := lawGroup{title: callText(m.Name, m.Params)}
	above := p.above(n)
	for i, part := range m.Parts {
		about := ""
		if number, ok := strings.CutPrefix(part.Name, "answer"); ok && len(m.Parts) > 1 {
			about = strings.TrimSpace("value "+number) + ": "
		}
		rules := p.folded(p.aliased(m.Answers[i]))
		if len(rules) == 0 {
			continue // above says it all
		}
		for _, l := range p.cases(n, p.failuresFirst(rules)) {
			if head, ok := strings.CutSuffix(l.text, "ok"); ok && above != "" && part.Name == "outcome" {
				l.text, above = head+above, ""
			}
			l.text = about + l.text
			g.lines = append(g.lines, l)
		}
	}
	if above != "" {
		g.lines = append(g.lines, lawLine{text: above})
	}
	if len(g.lines) == 0 || len(g.lines) == 1 && g.lines[0].text == "ok" {
		return // that it returns goes without saying
	}
	if p.runs == nil && example != "" {
		g.lines[len(g.lines)-1].examples = []string{example}
	}
	p.answers = append(p.answers, g)
}

// above names the parts of an answer of which laws say what changes them.
func (p *lawPage) above(method int) string {
	var all []string
	for i := range p.set.Methods[method].Parts {
		if o := p.set.Methods[method].Answers[i]; len(p.set.Observers[o].Is.Rules) == 0 && len(p.set.Missing(o)) == 0 {
			all = append(all, p.head(o, nil))
		}
	}
	if len(all) == 0 || len(p.set.Methods[method].Parts) == 1 && p.set.Methods[method].Pure {
		return ""
	}
	if len(p.set.Methods[method].Parts) == 1 {
		return "see above"
	}
	return listed(all) + ", see above"
}

// aliased is the observer that an observer is always the same as.
func (p *lawPage) aliased(n int) int {
	o := &p.set.Observers[n]
	if len(o.Is.Rules) != 1 || o.Is.Rules[0].Then.Form != eq.Obs {
		return n
	}
	then := o.Is.Rules[0].Then
	to := &p.set.Observers[then.Slot()]
	if len(to.Is.Rules) == 0 || !slices.Equal(o.Params, to.Params) {
		return n
	}
	for i, a := range then.Args {
		if a.Form != eq.Var || a.Slot() != i {
			return n
		}
	}
	return then.Slot()
}

// cases says what a method answers, all failures that follow one another in one line.
func (p *lawPage) cases(method int, rules []eq.Rule) (lines []lawLine) {
	failing := false
	rules = merged(rules)
	for i, r := range rules {
		r.Then = p.told(r)
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
		if n := len(lines); fails(r.Then) && failing {
			lines[n-1].text += ", " + strings.Replace(text, "fails with", "with", 1) + end
			lines[n-1].examples = append(lines[n-1].examples, examples...)
			continue
		}
		failing = fails(r.Then)
		lines = append(lines, lawLine{text + end, examples})
	}
	return lines
}

// told is what a case answers; if its condition says what that is, it is that.
func (p *lawPage) told(r eq.Rule) *eq.Expr {
	if e := r.If; e != nil && e.Form == eq.Op && e.Name == "==" && e.Args[0].Equal(r.Then) && e.Args[1].Form == eq.Const {
		return e.Args[1]
	}
	return r.Then
}

// value is what a method answers.
func (p *lawPage) value(method int, e *eq.Expr) string {
	text := p.term(e)
	switch {
	case p.isNext(method, e):
		return "its number among the calls that succeed, from 1 on"
	case fails(e):
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

// isNext reports whether a method answers how often it has succeeded, this call included.
func (p *lawPage) isNext(method int, e *eq.Expr) bool {
	if method < 0 || e.Form != eq.Op || e.Name != "+" || e.Args[0].Form != eq.Obs || e.Args[1].Name != "1" {
		return false
	}
	o := &p.set.Observers[e.Args[0].Slot()]
	return o.How.Method == "" && len(o.After[method].Rules) == 2 && o.Start.String() == "0"
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

// failuresFirst puts failures before other cases that exclude them, and one that is what is
// left before the case before it.
func (p *lawPage) failuresFirst(rules []eq.Rule) []eq.Rule {
	rules = slices.Clone(rules)
	for range rules {
		for i := 1; i < len(rules); i++ {
			if a, b := rules[i-1], rules[i]; !fails(a.Then) && fails(b.Then) && exclusive(a.If, b.If) {
				rules[i-1], rules[i] = b, a
			}
		}
	}
	n := len(rules)
	if n < 2 || !fails(rules[n-1].Then) {
		return rules
	}
	not := p.negation(rules[n-2].If)
	if not == nil {
		return rules
	}
	return append(rules[:n-2], eq.Rule{If: not, Then: rules[n-1].Then}, eq.Rule{Then: rules[n-2].Then})
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

// fails reports whether a term is an error.
func fails(e *eq.Expr) bool { return e.Form == eq.Const && wording.IsError(e.Name) }

// exclusive reports whether no two conditions of conjunctions hold together, by their form.
func exclusive(a, b *eq.Expr) bool {
	if a == nil || b == nil || a.Form != eq.Op || b.Form != eq.Op {
		return false
	}
	if a.Name == "and" {
		return exclusive(a.Args[0], b) || exclusive(a.Args[1], b)
	}
	if b.Name == "and" {
		return exclusive(a, b.Args[0]) || exclusive(a, b.Args[1])
	}
	return opposite[a.Name] == b.Name && slices.EqualFunc(a.Args, b.Args, (*eq.Expr).Equal)
}

var opposite = map[string]string{"==": "!=", "!=": "==", "in": "!in", "!in": "in", "startsWith": "!startsWith", "!startsWith": "startsWith", "given": "absent", "absent": "given"}

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
