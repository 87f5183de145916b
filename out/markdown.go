package out

import (
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// formulaWidth is the number of columns of a formula in a code block.
const formulaWidth = 100

// Markdown writes the document in which people review a theory: the data type,
// the executions considered, the matching scheme, the patterns by group, and
// what was checked; beside the patterns, or instead of them, what else describes the
// data type. Of a theory that is the reference itself it shows the kinds of
// operations, runs of it, and how it is checked.
func Markdown(w io.Writer, t *theory.Theory) error {
	m := &markdown{}
	if t.Spec.Headline() == theory.ByModel {
		return modelMarkdown(w, t)
	}
	if st := &t.Status; st.Strategy != "" || st.Automaton != nil || st.Product != nil {
		m.para(generatedHere)
	}
	f := firstOf(t)
	m.title(t, escape(f.title))
	m.first(f)
	m.fold("Operations", func() { m.methods(t) })
	if t.Spec.Headline() == theory.ByPatterns {
		title := sentenceCase(summary(&t.Spec)) + ", by reason"
		if len(t.Spec.Patterns) == 0 {
			title = "What is wrong"
		}
		m.fold(title, func() {
			m.para(introduction(t))
			m.patterns(t.Spec.Patterns)
		})
		m.fold("Executions considered, and matching", func() {
			m.language(&t.Spec)
			m.matching(&t.Spec.Matching)
			m.rules("Axioms", "All of this holds of every right execution.", t.Spec.Axioms)
		})
	}
	m.beside(t)
	m.fold("What was checked", func() { m.checked(&t.Status) })
	m.fold("What else was tried", func() { m.clauses(t.Status.Tried) })
	m.fold("What is not covered", func() { m.notCovered(t) })
	return m.write(w)
}

const generatedHere = "<!-- Written by adtinfer infer: edit the reference implementation, not this file. -->"

// introduction says what patterns and axioms mean.
func introduction(t *theory.Theory) string {
	var wrong []string
	if len(t.Spec.Patterns) > 0 {
		wrong = append(wrong, "shows one of the patterns below")
	}
	if len(t.Spec.Axioms) > 0 {
		wrong = append(wrong, "breaks one of the axioms")
	}
	if c := t.Spec.Control; c != nil {
		wrong = append(wrong, "is no run of the automaton beside them")
	}
	if len(wrong) == 0 {
		return "No history of " + escape(t.Name) + " is wrong."
	}
	return "A history of " + escape(t.Name) + " is wrong if and only if it " + strings.Join(wrong, " or ") + "."
}

type markdown struct{ b strings.Builder }

// write writes all of it.
func (m *markdown) write(w io.Writer) error {
	_, err := io.WriteString(w, strings.TrimRight(m.b.String(), "\n")+"\n")
	return err
}

// title writes the title, and what is to be read first.
func (m *markdown) title(t *theory.Theory, text string) {
	m.para("# " + text)
	for _, s := range left(t) {
		m.para("**Left out:** " + escape(s) + ".")
	}
}

// para writes a paragraph or another block.
func (m *markdown) para(s string) { m.b.WriteString(s + "\n\n") }

func (m *markdown) code(s string) { m.para("```\n" + strings.TrimRight(s, "\n") + "\n```") }

// fold writes a part that is read on request; nothing if there is none.
func (m *markdown) fold(title string, write func()) {
	all := m.b.String()
	m.b.Reset()
	write()
	body := m.b.String()
	m.b.Reset()
	m.b.WriteString(all)
	if body != "" {
		m.para("<details><summary>" + html.EscapeString(title) + "</summary>")
		m.b.WriteString(body)
		m.para("</details>")
	}
}

func (m *markdown) methods(t *theory.Theory) {
	if t.New != "" {
		m.para("The objects are those that " + codes([]string{t.New}) + " makes.")
	}
	m.signatures(t.Spec.Methods)
}

func (m *markdown) signatures(ms []history.MethodSig) {
	rows := []string{"| method | arguments | may answer | also called |", "|---|---|---|---|"}
	for _, d := range ms {
		var outcomes []string
		for _, o := range d.Outcomes {
			outcomes = append(outcomes, answer(o))
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %d | %s | %s |", d.Name, d.Args, strings.Join(outcomes, ", "), codes(d.Aliases)))
	}
	m.para(strings.Join(rows, "\n"))
}

// answer describes an outcome.
func answer(o history.OutcomeSig) string {
	switch {
	case o.Outcome == history.None && o.Rets == 0:
		return "nothing"
	case o.Outcome == history.Some:
		return wording.Count(o.Rets, "value")
	case o.Rets > 0:
		return fmt.Sprintf("`%s` with %s", o.Outcome, wording.Count(o.Rets, "value"))
	case len(o.Beside) > 0:
		return fmt.Sprintf("`%s` beside `%s`", o.Outcome, strings.Trim(fmt.Sprintf("%q", o.Beside), "[]"))
	}
	return "`" + string(o.Outcome) + "`"
}

func codes(names []string) string {
	var cs []string
	for _, n := range names {
		cs = append(cs, "`"+n+"`")
	}
	return strings.Join(cs, ", ")
}

func (m *markdown) language(s *theory.Spec) {
	m.rules("Executions considered", "The theory speaks of the executions in which:", s.Language)
	m.rules("Other executions", "Of others it says that:", s.Beyond)
	if len(s.Predicates) == 0 {
		return
	}
	m.para("Abbreviations in the formulas:")
	for _, p := range s.Predicates {
		m.code(p.Name + "(" + strings.Join(p.Params, ", ") + ") means\n  " +
			strings.ReplaceAll(formula.Pretty(p.Body, formulaWidth-2), "\n", "\n  "))
	}
}

func (m *markdown) rules(title, intro string, rs []theory.Rule) {
	if len(rs) == 0 {
		return
	}
	m.para("**" + title + "**: " + intro)
	for i, reading := range readings(rs) {
		m.para("- " + escape(reading))
		m.code(formula.Pretty(rs[i].Formula, formulaWidth))
	}
}

func (m *markdown) matching(s *theory.Matching) {
	if len(s.Target) == 0 {
		m.para("**Matching**: no operation has a match target.")
	} else {
		which := "operation `y`"
		if s.Past {
			which = "`y`, `x` itself or an operation before it,"
		}
		m.para("**Matching**: operations belong together in *matches*. The match target of an operation `x` is the " + which +
			" that satisfies the first of these formulas that any `y` satisfies; if there is none, `x` is unmatched (X).")
		for i, f := range s.Target {
			m.b.WriteString(strconv.Itoa(i+1) + ". `" + formula.String(f) + "`\n")
		}
		m.b.WriteByte('\n')
	}
	if s.ReadOnly != nil && formula.String(s.ReadOnly) != "false" {
		m.para("An operation `x` is read-only (RO), and can be left out of any history, if `" + formula.String(s.ReadOnly) + "`.")
	}
}

func (m *markdown) patterns(ps []theory.Pattern) {
	if len(ps) == 0 {
		return
	}
	second := ""
	if secondValues(ps) {
		second = ", `v1b` its second"
	}
	m.para("One operation a line: `[operation:match target]`, its label, and `#` for the time at which it runs. `X` means that it " +
		"matches no operation, `(RO)` that it is read-only, `v1` is the value of operation 1" + second + ", and `-` the answer nil. " +
		"A pattern speaks of entire matches: what it does not show of them does not happen, but for read-only operations " +
		"and repetitions. Anything else may happen besides.")
	for _, g := range grouped(ps) {
		m.para("### " + escape(g.name))
		if len(g.patterns) > 1 {
			m.para("One reason at " + strconv.Itoa(len(g.patterns)) + " stages.")
		}
		for _, p := range g.patterns {
			m.pattern(p, len(g.patterns) > 1)
		}
	}
}

func (m *markdown) pattern(p *theory.Pattern, named bool) {
	head := "Weight " + strconv.Itoa(p.Weight)
	if named {
		head = "**" + escape(p.Name) + "**, weight " + strconv.Itoa(p.Weight)
	}
	if p.Reading != "" {
		head += ": " + escape(p.Reading) + "."
	}
	m.para(head)
	m.code(p.Drawing)
	if p.Formula != nil {
		m.para("<details><summary>Formula</summary>")
		m.code(formula.Pretty(p.Formula, formulaWidth))
		m.para("</details>")
	}
}

func (m *markdown) checked(s *theory.Status) {
	m.clauses(checked(s))
	if len(s.Weights) == 0 {
		return
	}
	rows := []string{"| weight up to | candidates | admitted | new patterns |", "|--:|--:|--:|--:|"}
	for _, w := range s.Weights {
		rows = append(rows, fmt.Sprintf("| %d | %s | %s | %d |", w.Weight, wording.Number(w.Candidates), wording.Number(w.Admitted), w.New))
	}
	m.para("Histories that the reference was asked about (strategy " + s.Strategy + "):")
	m.para(strings.Join(rows, "\n"))
}

func (m *markdown) notCovered(t *theory.Theory) {
	m.clauses(notCovered(t))
	if d := decides(t); d != "" {
		m.para(escape(d))
	}
}

// clauses writes a list.
func (m *markdown) clauses(list []string) {
	if len(list) == 0 {
		return
	}
	for _, c := range list {
		m.b.WriteString("- " + escape(c) + "\n")
	}
	m.b.WriteByte('\n')
}

var escaper = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "&", "&amp;", "[", `\[`, "]", `\]`, "|", `\|`)

// escape makes plain text of a sentence.
func escape(s string) string { return escaper.Replace(s) }
