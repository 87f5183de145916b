package out

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/adtinfer/adtinfer/check"
)

// How much of a summary is for people to read: GitHub takes a mebibyte.
const (
	maxSummaryRows  = 200
	maxSummaryBytes = 500_000 // of explanations
)

// Summary writes Markdown about a run: the lines of a headline, a table of the reports
// that are not good, and their explanations, folded. What is too much is counted.
func Summary(w io.Writer, headline string, reports []check.Report) error {
	lines := strings.Split(strings.TrimSpace(headline), "\n")
	m := &markdown{}
	m.para("### adtinfer check: " + escape(lines[0]))
	for _, l := range lines[1:] {
		m.para(escape(l))
	}
	var bad []check.Report
	for _, r := range reports {
		if r.Err != nil || r.Result.Verdict == check.Violation || r.Result.Verdict == check.Inconclusive {
			bad = append(bad, r)
		}
	}
	m.rows(bad)
	m.folded(bad)
	return m.write(w)
}

// rows is the table.
func (m *markdown) rows(bad []check.Report) {
	if len(bad) == 0 {
		return
	}
	m.b.WriteString("| log | line | |\n|---|--:|---|\n")
	for _, r := range bad[:min(len(bad), maxSummaryRows)] {
		line, what := "", told(check.Report{Name: r.Name, Object: r.Object, Result: r.Result, Err: r.Err})
		if r.At.Col > 0 && r.At.File == r.Name {
			line = fmt.Sprint(r.At.Line)
		}
		if r.Err != nil {
			what = "could not be read: " + what
		}
		fmt.Fprintf(&m.b, "| %s | %s | %s |\n", cell(r.Name), line, cell(what))
	}
	m.b.WriteString("\n")
	if n := len(bad) - maxSummaryRows; n > 0 {
		m.para(fmt.Sprintf("and %d more", n))
	}
}

// folded are the explanations, as long as there is room.
func (m *markdown) folded(bad []check.Report) {
	left := 0
	for _, r := range bad {
		text := explanation(r)
		switch {
		case text == "":
		case m.b.Len()+len(text) > maxSummaryBytes:
			left++
		default: // Markdown leaves alone what is between <pre> and </pre>
			fmt.Fprintf(&m.b, "<details><summary>%s</summary>\n\n<pre>\n%s</pre>\n</details>\n\n", html.EscapeString(title(r)), html.EscapeString(text))
		}
	}
	if left > 0 {
		m.para(fmt.Sprintf("%d more explanations are not shown: there are too many", left))
	}
}

// cell is text in a cell of a table.
func cell(s string) string { return strings.NewReplacer("\r", "", "\n", "<br>").Replace(escape(s)) }
