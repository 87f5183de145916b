package out

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/out/internal/reasons"
	"github.com/adtinfer/adtinfer/theory"
)

// This file tells what describes a data type beside patterns, or instead of them:
// products by key, automata, counters, control.

// summary says in a few words what a spec is.
func summary(s *theory.Spec) string {
	switch h := s.Headline(); h {
	case theory.ByProduct:
		return "for each key on its own, " + summary(&s.Product.Part)
	case theory.ByCounters:
		return wording.Count(len(s.Automaton.Counters), "counter")
	case theory.ByAutomaton:
		return automatonSummary(s.Automaton)
	case theory.ByModel:
		return "the reference itself"
	}
	return wording.Count(len(s.Patterns), "violation pattern")
}

func automatonSummary(a *automata.Automaton) string {
	s := "an automaton with " + wording.Count(len(a.Locations), "location")
	if len(a.Counters) > 0 {
		s += " and " + wording.Count(len(a.Counters), "counter")
	}
	return s
}

// reach says in a few words how far a description was checked; "" if it was not.
func reach(s *theory.Spec, st *theory.Status) string {
	switch {
	case s.Headline() == theory.ByProduct && st.Product != nil:
		if part := reach(&s.Product.Part, &st.Product.Part); part != "" {
			return part
		}
		return "right about " + wording.Count(st.Product.Words, "sequence")
	case s.Automaton == nil || st.Automaton == nil:
		return ""
	case st.Automaton.States > 0:
		return "exact for all lengths"
	}
	return "right about " + wording.Count(st.Automaton.Words, "sequence") + " of up to " + wording.Count(st.Automaton.Longest, "call")
}

// compared says how far each description was compared with the reference.
func compared(s *theory.Status) (clauses []string) {
	if p := s.Product; p != nil {
		clauses = append(clauses, fmt.Sprintf("by key: %s of up to %s, all of whose answers are those of their parts",
			wording.Count(p.Words, "sequence"), wording.Count(p.Longest, "call")))
		for _, c := range compared(&p.Part) {
			clauses = append(clauses, "of one key: "+c)
		}
	}
	if s.Automaton != nil {
		clauses = append(clauses, "automaton: "+extent(s.Automaton))
	}
	if s.Control != nil {
		clauses = append(clauses, "patterns with control: "+extent(s.Control))
	}
	return append(clauses, comparedPatterns(s)...)
}

func extent(e *theory.Extent) string {
	s := fmt.Sprintf("no difference in %s of up to %s", wording.Count(e.Words, "sequence"), wording.Count(e.Longest, "call"))
	switch {
	case e.States > 0:
		return "exact for executions of all lengths, given that values are only compared for equality: all " +
			wording.Count(e.States, "state") + " of reference and automaton were compared; " + s
	case e.Why != "":
		s += "; not all states were compared: " + e.Why
	}
	return s
}

// keys says which arguments are keys: a sentence for each role.
func keys(p *theory.Product) (sentences []string) {
	by := map[int][]string{}
	var places, all, sums, returned []string
	most := 0
	for _, k := range p.Keys {
		switch k.Role {
		case theory.ByKey:
			by[k.Arg] = append(by[k.Arg], k.Method)
			most = max(most, k.Arg)
			if k.Ret > 0 {
				returned = append(returned, k.Method)
			}
		case theory.InAll:
			all = append(all, k.Method)
		default:
			sums = append(sums, k.Method)
		}
	}
	for i := range most + 1 {
		if len(by[i]) > 0 {
			places = append(places, fmt.Sprintf("argument %d of %s", i+1, listed(by[i])))
		}
	}
	sentences = append(sentences, "The key is "+listed(places)+".")
	if len(returned) > 0 {
		sentences = append(sentences, `Where `+listed(returned)+` returned it, the answer in its part is "key".`)
	}
	if len(all) > 0 {
		sentences = append(sentences, "Calls of "+listed(all)+" are in the parts of all keys.")
	}
	if len(sums) > 0 {
		sentences = append(sentences, "The answer of "+listed(sums)+" is the sum of the answers of all parts.")
	}
	if len(all)+len(sums) > 0 {
		sentences = append(sentences, "So parts that are right do not prove that the whole is: executions with operations at the same time are searched as a whole.")
	}
	return sentences
}

// listed is "a", "a and b", "a, b and c".
func listed(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// beside reports whether a spec has descriptions other than patterns and model.
func beside(s *theory.Spec) bool { return s.Product != nil || s.Automaton != nil || s.Control != nil }

// besides says in a few words what a theory is beside its patterns.
func besides(t *theory.Theory) string {
	var all []string
	s := &t.Spec
	if s.Control != nil {
		what := automatonSummary(s.Control.Automaton) + " that says when"
		if n := capacity(s.Control); n != "" {
			what = "capacity " + n + " (" + what + ")"
		}
		all = append(all, what)
	}
	other := theory.Spec{Product: s.Product, Automaton: s.Automaton}
	if s.Product != nil || s.Automaton != nil {
		what := summary(&other)
		if r := reach(&other, &t.Status); r != "" {
			what += "; " + r
		}
		all = append(all, what)
	}
	return listed(all)
}

// capacity is the number of a counter from which on a call waits, or answers what
// the patterns do not see; "" if that is not the only such number.
func capacity(c *theory.Control) string {
	capacity := ""
	for _, t := range c.Automaton.Locations[0].Transitions {
		full := t.Blocks || slices.Contains(c.Hidden, history.Kind{Method: t.Method, Outcome: t.Outcome})
		if !full || len(t.Guard) != 1 || t.Guard[0].Op != automata.AtLeast || t.Guard[0].Right.Kind != automata.Constant {
			continue
		}
		if left := &t.Guard[0].Left.Sum; len(left.Terms) != 1 || left.Terms[0].Times != 1 || left.Constant != 0 || capacity != "" {
			return ""
		}
		capacity = string(t.Guard[0].Right.Value)
	}
	if len(c.Automaton.Locations) > 1 {
		return ""
	}
	return capacity
}

// A block is a paragraph of a description, or its drawing.
type block struct {
	text      string
	drawing   bool
	automaton bool // that is drawn
}

// blocks tell what describes a data type other than patterns and model.
func blocks(s *theory.Spec) (all []block) {
	say := func(text string) { all = append(all, block{text: text}) }
	draw := func(a *automata.Automaton) {
		a = reasons.Named(a, s.Methods)
		all = append(all, block{drawn(a), true, true})
	}
	if c := s.Control; c != nil {
		say("The patterns say which values are answered. An execution must also be one of this automaton, which says when:")
		draw(c.Automaton)
		if len(c.Hidden) > 0 {
			say("The patterns do not see " + listed(kindTexts(c.Hidden)) + ".")
		}
		if c.Guards {
			say("Arguments alone say when these happen, and the patterns say all else.")
		}
		if !c.Complete {
			say("Automaton and patterns together may admit what the reference does not.")
		}
	}
	if p := s.Product; p != nil {
		say(strings.Join(append([]string{"The operations of each key are independent of those of other keys."}, keys(p)...), " "))
		if p.Part.Headline() == theory.ByPatterns {
			say("Of one key:")
			for i := range p.Part.Patterns {
				q := &p.Part.Patterns[i]
				say(fmt.Sprintf("%d. %s: %s", i+1, q.Name, q.Reading))
				all = append(all, block{strings.TrimRight(q.Drawing, "\n"), true, false})
			}
		}
		all = append(all, blocks(&p.Part)...)
	}
	if s.Automaton != nil {
		draw(s.Automaton)
	}
	return all
}

// mostLines is how many lines of an automaton are shown.
const mostLines = 80

// drawn is an automaton without what is too long to be looked at.
func drawn(a *automata.Automaton) string {
	lines := strings.Split(strings.TrimRight(a.String(), "\n"), "\n")
	if n := len(lines); n > mostLines {
		lines = append(lines[:mostLines], fmt.Sprintf("... and %d more lines in the theory file", n-mostLines))
	}
	return strings.Join(lines, "\n")
}

// decides says what decides the executions that the language leaves out; "" if
// nothing does.
func decides(t *theory.Theory) string {
	const what = "Executions that the language leaves out are decided "
	h, p := t.Spec.Headline(), t.Spec.Product
	part := h == theory.ByProduct && p.Part.Headline() == theory.ByPatterns && len(p.Part.Language) > 0
	switch {
	case !part && (h != theory.ByPatterns || len(t.Spec.Language) == 0):
		return ""
	case !part && p != nil:
		return what + "key by key."
	case t.Spec.Automaton != nil:
		return what + "by the automaton."
	case t.Spec.Model != nil:
		return what + "by the reference itself: checking runs package " + t.Spec.Model.Package + "."
	}
	return ""
}

// described prints what is no pattern for a terminal.
func (p *printer) described(s *theory.Spec) {
	for _, b := range blocks(s) {
		if !b.drawing {
			p.wrapped("", "", b.text)
		} else {
			for _, l := range strings.Split(b.text, "\n") {
				p.line("  " + l)
			}
		}
		p.line("")
	}
}

// beside writes what is no pattern.
func (m *markdown) beside(t *theory.Theory) {
	if !beside(&t.Spec) {
		return
	}
	title := "How it answers, in full"
	if t.Spec.Headline() == theory.ByPatterns {
		title = "Beside the patterns: " + besides(t)
	}
	m.fold(title, func() {
		drawings := ""
		for _, b := range blocks(&t.Spec) {
			if b.drawing {
				m.code(b.text)
			} else {
				m.para(escape(b.text))
			}
			if b.automaton {
				drawings += b.text + "\n"
			}
		}
		if drawings != "" {
			m.para(legend(drawings))
		}
	})
}

func sentenceCase(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// legend explains the signs that drawings of automata have.
func legend(drawings string) string {
	parts := []string{"A line says what a call answers where its condition holds."}
	for _, sign := range []struct{ has, means string }{
		{"-> (", "In parentheses are the location before the call and the one after it, with the values that are held there; `->` is the first one."},
		{"#", "`#m` is the number of calls of `m` so far."},
		{" new", "`new` is a value that differs from all it knows."},
		{" any", "`any` is a value that the patterns say more of."},
		{" blocks", "A call that `blocks` waits."},
	} {
		if strings.Contains(drawings, sign.has) {
			parts = append(parts, sign.means)
		}
	}
	return strings.Join(parts, " ")
}
