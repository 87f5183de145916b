package out

import (
	"fmt"
	"io"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// VerdictText writes one line for a log that was checked, and below it the
// explanation of a violation if there is one.
func VerdictText(w io.Writer, r check.Report, style Style) error {
	v := string(r.Result.Verdict)
	if style == Colour {
		v = paint(r.Result.Verdict)
	}
	line := fmt.Sprintf("%s: %s", title(r), v)
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

// title names what a report is about: a log, or one of its objects.
func title(r check.Report) string {
	if r.Object == "" {
		return r.Name
	}
	return fmt.Sprintf("%s (object %s)", r.Name, wording.Line(r.Object))
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
			File   string `json:"file"`
			Object string `json:"object,omitempty"`
			Error  string `json:"error"`

			Keys *jsonShard `json:"keys,omitempty"`
		}{r.Name, r.Object, r.Err.Error(), newJSONShard(r.Shard)}, "")
	}
	return writeJSON(w, struct {
		File     string        `json:"file"`
		Object   string        `json:"object,omitempty"`
		Verdict  check.Verdict `json:"verdict"`
		Engine   string        `json:"engine"`
		Events   int           `json:"events"`
		Prefix   int           `json:"prefix,omitempty"`
		Patterns []string      `json:"patterns,omitempty"`
		Detail   string        `json:"detail,omitempty"`

		Procedure string `json:"procedure,omitempty"`
		By        string `json:"by,omitempty"`

		Operations int64    `json:"operations"`
		Width      int      `json:"width"`
		Overlaps   int64    `json:"overlaps"`
		Unseen     []string `json:"unseen,omitempty"`
		Uncompared []string `json:"uncompared,omitempty"`

		Keys        *jsonShard       `json:"keys,omitempty"`
		Explanation *jsonExplanation `json:"explanation,omitempty"`
	}{r.Name, r.Object, r.Result.Verdict, r.Result.Engine, r.Result.Events, r.Result.Prefix, r.Result.Patterns, r.Result.Detail, r.Result.Procedure, r.Result.By,
		r.Coverage.Operations, r.Coverage.Width, r.Coverage.Overlaps, kindTexts(r.Coverage.Unseen(r.Kinds)), r.Coverage.Alike(r.Kinds),
		newJSONShard(r.Shard), newJSONExplanation(r.Explanation)}, "")
}

// jsonShard says which keys of a log a result is about.
type jsonShard struct {
	Shard   int    `json:"shard"`
	Of      int    `json:"of"`
	Against string `json:"against,omitempty"`
}

func newJSONShard(s check.Shard) *jsonShard {
	if s.N == 0 {
		return nil
	}
	return &jsonShard{s.I, s.N, s.Against}
}

func kindTexts(kinds []history.Kind) []string {
	var ts []string
	for _, k := range kinds {
		ts = append(ts, k.String())
	}
	return ts
}
