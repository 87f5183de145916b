package out

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/semantics/equations"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// runs says what checking a theory of a model runs.
func runs(t *theory.Theory) string {
	m, s := t.Spec.Model, "Checking runs "
	if m.Type != "" {
		s += m.Type + " of "
	}
	s += "package " + m.Package
	if m.TypeArg != "" {
		s += ", made for " + m.TypeArg
	}
	if t.New != "" {
		s += ", made by " + t.New
	}
	return s + ": of a recorded execution, it looks for an order of the operations in which the reference, called with the same arguments, gives the same answers."
}

// why says why there are no patterns.
func why(t *theory.Theory) string {
	if tr := t.Status.Trial; tr != nil && tr.Why != "" {
		return "No patterns were found that describe it: " + strings.TrimSuffix(tr.Why, ".") + "."
	}
	return "No patterns were looked for that describe it."
}

// tried says what calls of a model have shown: one clause for each thing.
func tried(t *theory.Theory) []string {
	tr := t.Status.Trial
	if tr == nil {
		return []string{"nothing, for this theory was not inferred"}
	}
	alike := "each twice with the same answers"
	if !tr.Deterministic {
		alike = "whose answers the reference accepts or not: it is nondeterministic"
	}
	clauses := []string{fmt.Sprintf("%s of %s in all, %s; %s of operations came",
		wording.Count(tr.Sequences, "sequence"), wording.Count(tr.Calls, "call"), alike, wording.Count(len(tr.Kinds), "kind"))}
	if k := tr.States; k != nil {
		s := "a search keeps states as copies"
		if !k.Copied {
			s = "a search makes the calls again that lead to a state"
		}
		if !k.Interned {
			s += ", and does not know equal states, so that it is slow"
		}
		if len(k.Why) > 0 {
			s += ": " + strings.Join(k.Why, "; ")
		}
		clauses = append(clauses, s)
	}
	m := t.Spec.Model
	return append(clauses, fmt.Sprintf("the source has the hash %s; with %s", m.Source, m.Go))
}

// model prints the theory of a model for a terminal.
func (p *printer) model(t *theory.Theory, laws *lawPage) {
	if laws != nil {
		p.laws(laws)
	}
	p.wrapped("", "", runs(t))
	p.line("")
	if tr := t.Status.Trial; tr != nil && !t.Spec.Laws.Decides() {
		p.examples("longer runs:", tr.Examples)
	}
}

func (p *printer) examples(title string, sequences []string) {
	if len(sequences) == 0 {
		return
	}
	p.line(title)
	for _, s := range sequences {
		p.wrapped("  ", "      ", wording.Line(s))
	}
}

// modelMarkdown is the document in which people review the theory of a model.
func modelMarkdown(w io.Writer, t *theory.Theory) error {
	m := &markdown{}
	tr := t.Status.Trial
	if tr != nil {
		m.para(generatedHere)
	}
	f := firstOf(t)
	m.title(t, escape(f.title))
	m.first(f)
	if f.laws != nil {
		m.laws(f.laws, t.Spec.Laws.Decides())
	}
	m.fold("Operations", func() { m.methods(t) })
	if tr != nil && !t.Spec.Laws.Decides() && len(tr.Kinds) > len(f.rows) {
		m.fold("All kinds of operations", func() { m.code(strings.Join(tr.Kinds, "\n")) })
	}
	if tr != nil && !t.Spec.Laws.Decides() {
		m.fold("Longer runs", func() {
			for _, e := range tr.Examples {
				m.code(strings.ReplaceAll(e, "; ", "\n"))
			}
		})
	}
	m.fold("How it is checked", func() {
		m.para(escape(runs(t)) + " `adtinfer check --theory` finds the package in the module in which it is called, refuses " +
			"one whose source has changed since, and downloads nothing; `--ref` names another one.")
	})
	m.fold("What was tried", func() { m.clauses(tried(t)) })
	m.fold("What is not covered", func() { m.notCovered(t) })
	return m.write(w)
}

// laws prints laws for a terminal.
func (p *printer) laws(l *lawPage) {
	for _, s := range l.lead {
		p.wrapped("", "", s)
	}
	p.line("")
	for i, g := range append(slices.Clone(l.seen), l.answers...) {
		if i == len(l.seen) {
			p.line("")
		}
		p.wrapped("", "  ", g.heading(p.bold))
		for _, s := range g.lines {
			p.wrapped("  ", "    ", s.text)
			for _, e := range s.examples {
				p.wrapped("      ", "        ", e)
			}
		}
	}
	p.list("where", l.legend)
	p.list("not known:", l.unknown)
	p.line("")
}

// heading is a group's title, and what it is about.
func (g *lawGroup) heading(strong func(string) string) string {
	if g.says == "" {
		return strong(g.title)
	}
	return strong(g.title) + ": " + g.says
}

// laws writes laws for a document: those that determine every answer on its first page.
func (m *markdown) laws(l *lawPage, first bool) {
	write := func() {
		for _, s := range l.lead {
			m.para(escape(s))
		}
		m.lawGroups("What can be seen, and what changes it", l.seen)
		m.lawGroups("What calls answer", l.answers)
		if len(l.legend) > 0 {
			m.para("Where")
			m.clauses(l.legend)
		}
		if len(l.unknown) > 0 {
			m.para("Not known:")
			m.clauses(l.unknown)
		}
	}
	if first {
		write()
		return
	}
	m.fold("Laws", write)
}

func (m *markdown) lawGroups(title string, groups []lawGroup) {
	if len(groups) == 0 {
		return
	}
	m.para("## " + title)
	for _, g := range groups {
		m.para(g.heading(func(s string) string { return "**" + s + "**" }))
		for _, s := range g.lines {
			m.b.WriteString("- " + escape(s.text) + "\n")
			for i, e := range s.examples {
				m.b.WriteString(map[bool]string{true: "  e.g. ", false: "  and "}[i == 0] + "`" + e + "`\n")
			}
		}
		m.b.WriteString("\n")
	}
}

// jsonModel is the theory of a model as JSON.
type jsonModel struct {
	Name       string              `json:"name"`
	New        string              `json:"new,omitempty"`
	Model      *origin.Model       `json:"model"`
	Trial      *origin.Trial       `json:"trial,omitempty"`
	Laws       *equations.Document `json:"laws,omitempty"`
	NotCovered []string            `json:"notCovered"`
}
