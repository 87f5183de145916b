package out

import (
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// effect says in a line what an observer is after a method.
func (p *lawPage) effect(n, method int, l *eq.Law) lawLine {
	o, m := &p.set.Observers[n], &p.set.Methods[method]
	first := len(m.Params) + len(m.Parts)
	left := p.outcomes(method) // answers that no case has dealt with
	others := false
	var cases, which, examples []string
	rules := p.mergedEffects(n, m, l.Rules)
	for i, r := range rules {
		about, rest := split(r.If, m)
		holds := slices.DeleteFunc(slices.Clone(left), func(a string) bool { return !fits(about, a, m) })
		if comparesAnswer(rest, m) {
			holds = slices.DeleteFunc(holds, func(a string) bool { return a != "a value" })
		}
		if r.If != nil && rest == nil {
			left = slices.DeleteFunc(left, func(a string) bool { return slices.Contains(holds, a) })
		}
		if isBefore(r.Then, o, m) && (i == len(rules)-1 || rest == nil) {
			continue // it stays as it was
		}
		same := map[int]*eq.Expr{} // a parameter of the observer that is a value of the call
		rest = without(rest, first, same)
		line := p.becomes(n, method, p.heading(n, p.arguments(o, m, same)), replaced(r.Then, same))
		if twin, ok := p.twins[n]; ok {
			if also := p.term(replaced(p.set.Observers[twin].After[method].Rules[i].Then, same)); also != p.term(r.Then) {
				line += ", " + also
			}
		}
		if others && len(same) < len(o.Params) {
			line = "for all others, " + line
		}
		w := p.which(holds, method)
		switch {
		case rest != nil:
			line += " if " + p.condition(replaced(rest, same))
		case len(cases) > 0 && w == which[len(which)-1] && !others:
			line = "otherwise " + line
		}
		others = others || len(same) > 0 && rest == nil
		cases, which = append(cases, line), append(which, w)
		if e := p.runs.effect(n, method, rules, i); e != "" {
			examples = append(examples, e)
		}
	}
	return lawLine{afterCall(m, cases, which), examples[:min(len(examples), 2)]}
}

// afterCall joins cases, each with the answers that it is about: once if they are the same.
func afterCall(m *eq.Method, cases, which []string) string {
	when := "after " + callText(m.Name, m.Params)
	if len(slices.Compact(slices.Clone(which))) == 1 {
		if which[0] != "" {
			when += ", " + which[0]
		}
	} else {
		for i, w := range which {
			if w != "" && (i == 0 || w != which[i-1]) {
				cases[i] = w + ", " + cases[i]
			}
		}
	}
	return when + ": " + strings.Join(cases, "; ")
}

// mergedEffects joins cases that follow one another, say the same, and are about the same
// values and answers.
func (p *lawPage) mergedEffects(n int, m *eq.Method, rules []eq.Rule) (out []eq.Rule) {
	if _, both := p.twins[n]; both {
		return rules
	}
	first := len(m.Params) + len(m.Parts)
	plain := func(e *eq.Expr) bool {
		about, rest := split(e, m)
		return e != nil && about == nil && without(rest, first, map[int]*eq.Expr{}).Equal(rest)
	}
	for _, r := range rules {
		if n := len(out); n > 0 && plain(r.If) && plain(out[n-1].If) && out[n-1].Then.Equal(r.Then) {
			out[n-1].If = eq.NewOp("or", out[n-1].If, r.If)
			continue
		}
		out = append(out, r)
	}
	return out
}

// becomes says what an observer comes to be.
func (p *lawPage) becomes(n, method int, head string, then *eq.Expr) string {
	to := p.term(then)
	if to == head {
		return head + " stays"
	}
	if then.Form == eq.Op && (then.Name == "+" || then.Name == "-") && p.term(then.Args[0]) == head {
		by := p.inner(then.Args[1], then.Args[1].Name == "+" || then.Args[1].Name == "-")
		if by == "answer" {
			by = "the answer"
		}
		return head + map[string]string{"+": " rises by ", "-": " falls by "}[then.Name] + by
	}
	if then.Form == eq.Op && then.Name == "+" && p.term(then.Args[1]) == head {
		return head + " rises by " + p.term(then.Args[0])
	}
	if then.Form == eq.Var && then.Name == "answer" {
		if to = "the answer"; slices.Equal(p.outcomes(method), []string{"ok"}) {
			to = "ok"
		}
	}
	if _, both := p.twins[n]; both && p.changing(n) || p.wouldAnswer(eq.NewObs(p.set.Observers[n].Name, n)) {
		return head + " would answer " + to
	}
	return head + " = " + to
}

// arguments are those of an observer after a method.
func (p *lawPage) arguments(o *eq.Observer, m *eq.Method, same map[int]*eq.Expr) []string {
	first := len(m.Params) + len(m.Parts)
	scope := m.Scope(o)
	args := make([]string, len(o.Params))
	for k := range args {
		args[k] = scope[first+k].Name
		if x := same[first+k]; x != nil {
			args[k] = x.Name
		}
	}
	return args
}

// split parts a condition into what it says of the answer alone, and the rest.
func split(e *eq.Expr, m *eq.Method) (about, rest *eq.Expr) {
	switch {
	case e == nil:
		return nil, nil
	case e.Form == eq.Op && e.Name == "and":
		a, r := split(e.Args[0], m)
		b, s := split(e.Args[1], m)
		return and(a, b), and(r, s)
	case aboutAnswer(e, m):
		return e, nil
	}
	return nil, e
}

func and(a, b *eq.Expr) *eq.Expr {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return eq.NewOp("and", a, b)
}

// without is a condition without equations of parameters with values of the call, which
// are noted.
func without(e *eq.Expr, first int, same map[int]*eq.Expr) *eq.Expr {
	if e == nil || e.Form != eq.Op {
		return e
	}
	if e.Name == "and" {
		return and(without(e.Args[0], first, same), without(e.Args[1], first, same))
	}
	if e.Name == "==" && e.Args[0].Form == eq.Var && e.Args[1].Form == eq.Var {
		x, y := e.Args[0], e.Args[1]
		if x.Slot() >= first {
			x, y = y, x
		}
		if x.Slot() < first && y.Slot() >= first && same[y.Slot()] == nil {
			same[y.Slot()] = x
			return nil
		}
	}
	return e
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

// aboutAnswer reports whether a condition compares the answer of the call with constants.
func aboutAnswer(e *eq.Expr, m *eq.Method) bool {
	only := e.Name == "==" || e.Name == "!=" || e.Name == "given" || e.Name == "absent" || e.Name == "or"
	for i, a := range e.Args {
		switch {
		case e.Name == "or":
			only = only && a.Form == eq.Op && aboutAnswer(a, m)
		case i == 0:
			only = only && a.Form == eq.Var && a.Slot() == len(m.Params)
		default:
			only = only && a.Form == eq.Const && !a.ConstOf().IsInt()
		}
	}
	return only && e.Form == eq.Op
}

// comparesAnswer reports whether a condition compares the answer of the call with a number,
// so that it holds only if there is one.
func comparesAnswer(e *eq.Expr, m *eq.Method) (found bool) {
	if e == nil || e.Form != eq.Op || e.Name == "or" {
		return false
	}
	if e.Name == "and" {
		return comparesAnswer(e.Args[0], m) || comparesAnswer(e.Args[1], m)
	}
	return (e.Name == "<" || e.Name == "<=") && slices.ContainsFunc(e.Args, func(a *eq.Expr) bool {
		return a.Form == eq.Var && a.Slot() == len(m.Params)
	})
}

// outcomes are the words that a method may answer first, and "a value" for what is none.
func (p *lawPage) outcomes(method int) []string {
	m := &p.set.Methods[method]
	if len(m.Parts) == 0 {
		return nil
	}
	var all []string
	for _, sig := range p.spec.Methods {
		for _, o := range sig.Outcomes {
			ok := o.Outcome == history.None || o.Outcome == history.Some
			switch {
			case sig.Name != m.Name:
			case !ok:
				all = append(all, string(o.Outcome))
			case m.Parts[0].Sort == eq.Words:
				all = append(all, "ok")
			}
		}
	}
	if len(all) == 0 {
		all = p.wordsOf(m.Answers[0])
	}
	if m.Parts[0].Sort != eq.Words {
		all = append(all, "a value")
	}
	return all
}

// wordsOf are the words that an observer may be, as its laws have them.
func (p *lawPage) wordsOf(observer int) (all []string) {
	done := map[int]bool{}
	var add func(o int)
	add = func(o int) {
		if done[o] {
			return
		}
		done[o] = true
		ob := &p.set.Observers[o]
		for _, l := range append([]eq.Law{ob.Is, ob.Start}, ob.After...) {
			for _, r := range l.Rules {
				switch t := r.Then; {
				case t.Form == eq.Const && p.set.Store.Is(t.ConstOf(), eq.Word) && !slices.Contains(all, t.Name):
					all = append(all, t.Name)
				case t.Form == eq.Obs:
					add(t.Slot())
				}
			}
		}
	}
	add(observer)
	return all
}

// fits reports whether what a condition says of the answer holds for an outcome.
func fits(e *eq.Expr, outcome string, m *eq.Method) bool {
	if e == nil {
		return true
	}
	switch e.Name {
	case "and":
		return fits(e.Args[0], outcome, m) && fits(e.Args[1], outcome, m)
	case "or":
		return fits(e.Args[0], outcome, m) || fits(e.Args[1], outcome, m)
	case "given":
		return outcome == "a value"
	case "absent":
		return outcome != "a value"
	}
	return (e.Args[1].Name == outcome) == (e.Name == "==")
}

// answered says of calls which answers they had.
func (p *lawPage) answered(e *eq.Expr, method int) string {
	m := &p.set.Methods[method]
	about, _ := split(e, m)
	which := p.which(slices.DeleteFunc(p.outcomes(method), func(a string) bool { return !fits(about, a, m) }), method)
	return strings.NewReplacer("if it succeeds", "succeeded", "if it fails", "failed", "if it answers", "answered").Replace(which)
}

// which says that a method answers one of some outcomes; "": it may answer any.
func (p *lawPage) which(holds []string, method int) string {
	all := p.outcomes(method)
	if len(holds) == len(all) {
		return ""
	}
	good := slices.DeleteFunc(slices.Clone(all), wording.IsError)
	switch {
	case len(good) < len(all) && slices.Equal(holds, good):
		return "if it succeeds"
	case len(good) < len(all) && len(holds) == len(all)-len(good) && !slices.ContainsFunc(holds, func(a string) bool { return !wording.IsError(a) }):
		return "if it fails"
	}
	if len(holds) > 1 && len(holds) == len(all)-1 {
		return "unless it answers " + slices.DeleteFunc(all, func(a string) bool { return slices.Contains(holds, a) })[0]
	}
	return "if it answers " + strings.Join(holds, " or ")
}
