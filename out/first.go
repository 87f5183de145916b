package out

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/out/internal/reasons"
	"github.com/adtinfer/adtinfer/theory"
)

// first is the first page of a document: what a theory means, in at most seven rows.
type first struct {
	title string
	lead  []string // sentences
	rows  []firstRow
	more  string   // what is said below the rows: what there is no room for
	laws  *lawPage // in words; nil: there are none
}

// firstRow is a reason with its smallest example.
type firstRow struct {
	says, example string
	never         bool // the example is wrong
}

func firstOf(t *theory.Theory) *first {
	if t.Spec.Headline() == theory.ByModel {
		return firstOfModel(t)
	}
	p := reasons.Of(t)
	f := &first{title: t.Name}
	shape := p.Shape
	if shape == "" && len(p.Rows) == 0 && p.Key == "" {
		shape = "nothing is wrong"
	}
	if p.Key != "" {
		shape = strings.TrimSuffix(p.Key+", "+shape, ", ")
	}
	if shape != "" {
		f.title += ": " + shape
	}
	f.lead = rests(t, p.Whole)
	for i := range p.Rows {
		r := &p.Rows[i]
		f.rows = append(f.rows, firstRow{r.Says, r.String(), r.Never})
	}
	f.more = counts(f.rows)
	if p.More > 0 {
		f.more = strings.TrimSpace(fmt.Sprintf("%s more below. %s", wording.Count(p.More, "reason"), f.more))
	}
	return f
}

// counts says what the signs in rows mean.
func counts(rows []firstRow) string {
	var all []string
	for _, sign := range []struct{ in, means string }{
		{`#\w`, "#m is how many calls of m succeeded so far"},
		{`#\w+(\([^)]*\))?=`, "#m=o how many answered o"},
		{`\bsum `, "a sum is over calls that succeeded"},
		{`\bsize\b`, "size is how many values are left"},
	} {
		re := wording.Regexp(sign.in)
		if slices.ContainsFunc(rows, func(r firstRow) bool { return re().MatchString(r.says) }) {
			all = append(all, sign.means)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return sentenceCase(strings.Join(all, "; ")) + "."
}

// rests says what a theory rests on, and of which executions it speaks.
func rests(t *theory.Theory, whole bool) (lead []string) {
	s := &t.Status
	spec := &t.Spec
	if whole || spec.Headline() != theory.ByPatterns {
		spec, whole = &theory.Spec{Product: spec.Product, Automaton: spec.Automaton}, true
	}
	switch r := reach(spec, s); {
	case whole && strings.HasPrefix(r, "exact"):
		lead = append(lead, "Exact for executions of all lengths, as far as the reference only asks whether values are equal: all states were compared.")
	case whole && r != "":
		lead = append(lead, "Compared with the reference: "+r+". Longer ones were not looked at.")
	case s.CrossCheck.Histories > 0 && s.CrossCheck.FalseAlarms+s.CrossCheck.Missed == 0:
		lead = append(lead, fmt.Sprintf("Right about all %s up to length %d; of longer ones, about those that were tried.", wording.Count(s.CrossCheck.Histories, "history"), s.CrossCheck.Length))
	}
	if s.Forced {
		lead = []string{"Written by force although a check failed: see what was checked."}
	}
	if r := s.LongRuns; r != nil && r.Witness != "" {
		lead = append(lead, "It is wrong in long runs: "+r.Witness+".")
	}
	if m := s.Mutants; m != nil && len(m.Unseen) > 0 {
		lead = append(lead, fmt.Sprintf("It does not see %s, below.", wording.Count(len(m.Unseen), "wrong version")))
	}
	if in := readings(t.Spec.Language); len(in) > 0 && !whole {
		lead = append(lead, "It speaks of executions in which "+strings.Join(in, ", and ")+".")
	}
	return lead
}

// firstOfModel is the first page of a theory that is the reference itself.
func firstOfModel(t *theory.Theory) *first {
	f := &first{title: t.Name + ": the reference itself", lead: []string{why(t), "Review the reference: what it does is what is right."}, laws: lawsOf(t)}
	if t.Spec.Laws.Decides() {
		f.title, f.lead = t.Name+": laws", nil
		if f.laws != nil && f.laws.title != "" {
			f.title = t.Name + ": " + f.laws.title
		}
	} else if t.Spec.Laws != nil {
		f.title = t.Name + ": the reference itself, and laws"
	}
	if tr := t.Status.Trial; tr != nil && !t.Spec.Laws.Decides() {
		for _, k := range tr.Kinds[:min(len(tr.Kinds), reasons.Most)] {
			_, last := cutLast(k, "; ")
			f.rows = append(f.rows, firstRow{says: can(last), example: k})
		}
		if n := len(tr.Kinds) - len(f.rows); n > 0 {
			f.more = wording.Count(n, "more kind") + " of operations below."
		}
	}
	return f
}

// can is "next can answer nil".
func can(last string) string {
	if call, answer, ok := strings.Cut(last, " => "); ok {
		return call + " can answer " + answer
	}
	return last + " can be called"
}

func cutLast(s, sep string) (before, after string) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return "", s
	}
	return s[:i], s[i+len(sep):]
}

// first writes the page.
func (m *markdown) first(f *first) {
	for _, s := range f.lead {
		m.para(escape(s))
	}
	if len(f.rows) == 0 {
		return
	}
	m.b.WriteString("| what holds | smallest example |\n|---|---|\n")
	for _, r := range f.rows {
		example := "`" + strings.ReplaceAll(r.example, "|", "\\|") + "`"
		switch {
		case r.example == "":
			example = ""
		case r.never:
			example = "never " + example
		}
		m.b.WriteString("| " + escape(r.says) + " | " + example + " |\n")
	}
	m.b.WriteString("\n")
	if f.more != "" {
		m.para(escape(f.more))
	}
}

// first prints the page.
func (p *printer) first(f *first) {
	p.wrapped("", "  ", p.bold(f.title))
	p.line("")
	if len(f.lead) > 0 {
		p.wrapped("", "", strings.Join(f.lead, " "))
		p.line("")
	}
	for _, r := range f.rows {
		p.wrapped("  ", "    ", r.says)
		switch {
		case r.never:
			p.wrapped("      never ", "        ", r.example)
		case r.example != "":
			p.wrapped("      ", "        ", r.example)
		}
	}
	if f.more != "" {
		p.wrapped("  ", "  ", f.more)
	}
	if len(f.rows) > 0 {
		p.line("")
	}
}
