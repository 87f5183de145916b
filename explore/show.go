package explore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/trace"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Text is the result as people read it: the sentence, what it was held against, and the
// counterexample with its drawing, its history and what repeats it.
func (r *Result) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", wording.Line(r.Package), r.Sentence())
	if r.Why != "" && r.Verdict == Holds {
		fmt.Fprintf(&b, "exploration incomplete: %s (%s so far): %s\n", r.Bounds, states(r.States), r.Why)
	}
	if r.Type != "" {
		b.WriteString("type " + wording.Line(r.Type))
		if r.Made != "" {
			b.WriteString(", made by " + wording.Line(r.Made))
		}
		for i, line := range r.Alone {
			b.WriteString([]string{": ", "\n"}[min(i, 1)] + wording.Line(line))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "checked against %s\n", r.Against)
	c := r.Counterexample
	if c == nil {
		return b.String()
	}
	drawn := c.Events
	if !r.all {
		drawn = trace.Fold(drawn)
	}
	fmt.Fprintf(&b, "\n%s", trace.Draw(drawn))
	if log, err := c.log(); err == nil && log != "" {
		fmt.Fprintf(&b, "\nhistory:\n%s", indent(log))
	}
	fmt.Fprintf(&b, "\nreplay  %s\n", c.Replay)
	return b.String()
}

// log is the history as a text log, without the goroutines, which the drawing beside it shows.
func (c *Counterexample) log() (string, error) {
	var b bytes.Buffer
	e := *c.History
	e.Ops = slices.Clone(e.Ops)
	for i := range e.Ops {
		e.Ops[i].Process = ""
	}
	err := history.WriteText(&b, &e)
	return b.String(), err
}

func indent(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n    ") + "\n"
}

// jsonFormat is the version of the JSON object.
const jsonFormat = 1

type jsonHeld struct {
	Bounds
	States int64 `json:"states"`
}

type jsonCounterexample struct {
	What    string  `json:"what"`
	Events  []Event `json:"events"`
	History string  `json:"history"`
	Replay  string  `json:"replay"`
}

// JSON writes the result as one indented object (docs/formats.md).
func (r *Result) JSON(w io.Writer) error {
	j := struct {
		Format      int        `json:"format"`
		Package     string     `json:"package"`
		Type        string     `json:"type"`
		Made        string     `json:"made"`
		Alone       []string   `json:"alone"`
		Against     string     `json:"against"`
		Verdict     Verdict    `json:"verdict"`
		Policy      bool       `json:"policy,omitempty"`
		Sentence    string     `json:"sentence"`
		Held        []jsonHeld `json:"held"`
		Bounds      Bounds     `json:"bounds"`
		States      int64      `json:"states"`
		Steps       int64      `json:"steps"`
		Why         string     `json:"why,omitempty"`
		Views       *Views     `json:"views,omitempty"`
		NotModelled []string   `json:"notModelled"`
		Notes       []string   `json:"notes"`

		Counterexample *jsonCounterexample `json:"counterexample,omitempty"`
	}{jsonFormat, r.Package, r.Type, r.Made, append([]string{}, r.Alone...), r.Against, r.Verdict, r.Policy, r.Sentence(), []jsonHeld{}, r.Bounds, r.States, r.Steps, r.Why, r.Views,
		append([]string{}, r.NotModelled...), append([]string{}, r.Notes...), nil}
	for _, b := range r.Held {
		j.Held = append(j.Held, jsonHeld{b, r.states[b]})
	}
	if c := r.Counterexample; c != nil {
		log, err := c.log()
		if err != nil {
			return err
		}
		j.Counterexample = &jsonCounterexample{c.What, c.Events, log, c.Replay}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(j)
}
