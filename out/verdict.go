package out

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
)

// VerdictText writes one line for a log that was checked, and below it the
// explanation of a violation if there is one.
func VerdictText(w io.Writer, r check.Report, style Style) error {
	v := string(r.Result.Verdict)
	if style == Colour {
		v = paint(r.Result.Verdict)
	}
	line := fmt.Sprintf("%s: %s", r.Name, v)
	if r.Result.Verdict == check.Violation {
		if r.Result.Prefix > 0 {
			line += fmt.Sprintf(" in the first %d of %d events", r.Result.Prefix, r.Result.Events)
		}
		if len(r.Result.Patterns) > 0 {
			line += ": " + strings.Join(r.Result.Patterns, ", ")
		}
	}
	if r.Result.Detail != "" {
		line += " (" + r.Result.Detail + ")"
	}
	if _, err := fmt.Fprintln(w, line); err != nil || r.Explanation == nil {
		return err
	}
	return ExplanationText(w, r.Explanation, style)
}

func paint(v check.Verdict) string {
	code := map[check.Verdict]string{check.Violation: "31", check.Inconclusive: "33"}[v]
	if code == "" {
		code = "32"
	}
	return "\x1b[" + code + "m" + string(v) + "\x1b[0m"
}

// VerdictJSON writes one object, on one line, for a log that was checked or
// could not be read.
func VerdictJSON(w io.Writer, r check.Report, _ Style) error {
	if r.Err != nil {
		return writeJSON(w, struct {
			File  string `json:"file"`
			Error string `json:"error"`
		}{r.Name, r.Err.Error()}, "")
	}
	return writeJSON(w, struct {
		File     string        `json:"file"`
		Verdict  check.Verdict `json:"verdict"`
		Engine   string        `json:"engine"`
		Events   int           `json:"events"`
		Prefix   int           `json:"prefix,omitempty"`
		Patterns []string      `json:"patterns,omitempty"`
		Detail   string        `json:"detail,omitempty"`

		Procedure string `json:"procedure,omitempty"`

		Operations int64    `json:"operations"`
		Width      int      `json:"width"`
		Overlaps   int64    `json:"overlaps"`
		Unseen     []string `json:"unseen,omitempty"`

		Explanation *jsonExplanation `json:"explanation,omitempty"`
	}{r.Name, r.Result.Verdict, r.Result.Engine, r.Result.Events, r.Result.Prefix, r.Result.Patterns, r.Result.Detail, r.Result.Procedure,
		r.Coverage.Operations, r.Coverage.Width, r.Coverage.Overlaps, kindTexts(r.Coverage.Unseen(r.Kinds)),
		newJSONExplanation(r.Explanation)}, "")
}

// ToldJSON writes one object, on one line, about all logs together: how many
// mutants of a reference there are, and which of them the logs' calls do not tell
// from it.
func ToldJSON(w io.Writer, mutants int, missed []string) error {
	return writeJSON(w, struct {
		Mutants int      `json:"mutants"`
		Told    int      `json:"told"`
		Missed  []string `json:"missed,omitempty"`
	}{mutants, mutants - len(missed), missed}, "")
}

func kindTexts(kinds []history.Kind) []string {
	var ts []string
	for _, k := range kinds {
		ts = append(ts, k.String())
	}
	return ts
}

// Summary counts the verdicts of many logs.
type Summary struct {
	Logs, Violations, Inconclusive int
	Failed                         []check.Report // those that could not be read
	Procedures                     []string       // near-linear procedures that decided, and why they were chosen

	// Coverage is how much all logs together could have shown of the Kinds that
	// the data type has.
	Coverage history.Coverage
	Kinds    []history.Kind
}

// Add counts one log.
func (s *Summary) Add(r check.Report) {
	s.Logs++
	if r.Err == nil {
		s.Coverage.Add(r.Coverage)
	}
	if r.Kinds != nil {
		s.Kinds = r.Kinds
	}
	if p := r.Result.Procedure; p != "" && !slices.Contains(s.Procedures, p) {
		s.Procedures = append(s.Procedures, p)
	}
	switch {
	case r.Err != nil:
		s.Failed = append(s.Failed, r)
	case r.Result.Verdict == check.Violation:
		s.Violations++
	case r.Result.Verdict == check.Inconclusive:
		s.Inconclusive++
	}
}

// Sequential reports whether no two operations of the logs overlap, so that
// the verdicts say nothing about concurrency.
func (s *Summary) Sequential() bool { return s.Coverage.Operations > 0 && s.Coverage.Overlaps == 0 }

// String is the summary in one line, one on what the logs could have shown, and
// one for each procedure.
func (s *Summary) String() string {
	parts := []string{fmt.Sprintf("%d logs: %d violations", s.Logs, s.Violations)}
	if s.Logs == 1 {
		parts[0] = strings.Replace(parts[0], "logs", "log", 1)
	}
	if s.Violations == 1 {
		parts[0] = strings.Replace(parts[0], "violations", "violation", 1)
	}
	if s.Inconclusive > 0 {
		parts = append(parts, fmt.Sprintf("%d inconclusive", s.Inconclusive))
	}
	if len(s.Failed) > 0 {
		parts = append(parts, fmt.Sprintf("%d could not be read", len(s.Failed)))
	}
	lines := []string{strings.Join(parts, ", ")}
	if s.Coverage.Operations > 0 {
		lines = append(lines, s.Coverage.Text(s.Kinds))
	}
	for _, p := range s.Procedures {
		lines = append(lines, "by the procedure for its shape: "+p)
	}
	return strings.Join(lines, "\n")
}
