package out

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/printable"
)

// ExplanationText writes the reason for a violation, to stand below what
// VerdictText writes: the operations that matter, one a line, with the columns of
// time that they span (one is before another if all its columns are left of the
// other's), and the patterns or axioms that rule out every way to explain them.
//
//	[1] add(1)        #
//	[2] add(2)         #
//	[4] remove => 2     ##
//	[5] remove*          #...
//	add-add-remove2: add is called with a first value and then a second, ...
//
// Where more than one pattern is needed it also writes the derivation, one step a
// line:
//
//	[4] remove => 1 comes before [6] remove => 2: otherwise pattern add-add-remove2-remove1 with [1] [2] [6] [4]
func ExplanationText(w io.Writer, x *check.Explanation, style Style) error {
	p := &printer{style: style}
	p.line("  " + p.dim(about(x)))
	p.line("")
	for _, l := range drawExecution(x.Execution) {
		p.line("    " + l)
	}
	if slices.ContainsFunc(x.Execution.Ops, func(o history.Operation) bool { return !o.Completed() }) {
		p.wrapped("    ", "    ", p.dim("(* has not returned, and does not help however it completes)"))
	}
	p.line("")
	for _, r := range x.Reasons {
		sentence := p.bold(r.Name)
		if r.Reading != "" {
			sentence += ": " + r.Reading
		}
		if r.Axiom {
			sentence = "broken: " + sentence
		}
		p.wrapped("    ", "      ", sentence)
	}
	if len(x.Steps) > 1 { // else the pattern says it all
		p.line("")
		for _, l := range derivation(x) {
			p.line("    " + l)
		}
	}
	p.line("")
	_, err := io.WriteString(w, p.b.String())
	return err
}

// about introduces the operations.
func about(x *check.Explanation) string {
	n := len(x.Execution.Ops)
	switch {
	case x.Minimal && n == 1:
		return "this operation cannot be explained, whatever the others do:"
	case x.Minimal:
		return fmt.Sprintf("these %d operations cannot be explained, whatever the others do:", n)
	}
	return fmt.Sprintf("%s that cannot be explained, some of which may not matter: %s:", printable.Count(n, "operation"), x.Detail)
}

// drawExecution draws an execution, one operation a line, with identifiers and
// values as the log has them. There are as few columns as the order needs: a
// new one begins where an operation is called after one has returned. The dots
// of a pending operation go on to the end.
func drawExecution(e *history.Execution) []string {
	spans, columns := spansOf(e)
	lines := make([]string, len(e.Ops))
	heads, bodies := 0, 0
	for i := range e.Ops {
		heads = max(heads, utf8.RuneCountInString(e.Ops[i].ID))
		bodies = max(bodies, utf8.RuneCountInString(e.Ops[i].Label.String()))
	}
	for i := range e.Ops {
		o, s := &e.Ops[i], spans[i]
		bar := strings.Repeat("#", s.end-s.start+1)
		if !o.Completed() {
			bar = "#" + strings.Repeat(".", columns-s.start)
		}
		lines[i] = pad("["+o.ID+"]", heads+2) + " " + pad(o.Label.String(), bodies) + strings.Repeat(" ", 3+s.start) + bar
	}
	return lines
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// span is a range of columns, from 0; the end of a pending operation is the last.
type span struct{ start, end int }

func spansOf(e *history.Execution) (spans []span, columns int) {
	spans = make([]span, len(e.Ops))
	events := make([]func(), e.Events)
	column, returned := 0, false
	for i := range e.Ops {
		o, s := &e.Ops[i], &spans[i]
		events[o.Call] = func() {
			if returned {
				column, returned = column+1, false
			}
			s.start = column
		}
		if o.Completed() {
			events[o.Return] = func() { s.end, returned = column, true }
		}
	}
	for _, event := range events {
		event()
	}
	for i := range e.Ops {
		if !e.Ops[i].Completed() {
			spans[i].end = column
		}
	}
	return spans, column + 1
}

type jsonExplanation struct {
	Minimal    bool            `json:"minimal"`
	Detail     string          `json:"detail,omitempty"`
	Operations []jsonExplained `json:"operations"`
	Reasons    []jsonReason    `json:"reasons"`
	Derivation []jsonStep      `json:"derivation,omitempty"`
}

// Call and return count the calls and returns of these operations alone.
type jsonExplained struct {
	ID      string           `json:"id"`
	Process string           `json:"process,omitempty"`
	Method  string           `json:"method"`
	Args    []history.Value  `json:"args,omitempty"`
	Outcome *history.Outcome `json:"outcome"` // null while pending
	Rets    []history.Value  `json:"rets,omitempty"`
	Call    int              `json:"call"`
	Return  *int             `json:"return"` // null while pending
	Line    int              `json:"line,omitempty"`
}

type jsonReason struct {
	Name    string `json:"name"`
	Reading string `json:"reading,omitempty"`
	Axiom   bool   `json:"axiom,omitempty"`
}

// newJSONExplanation is nil for nil.
func newJSONExplanation(x *check.Explanation) *jsonExplanation {
	if x == nil {
		return nil
	}
	j := &jsonExplanation{Minimal: x.Minimal, Detail: x.Detail, Operations: []jsonExplained{}, Reasons: []jsonReason{}, Derivation: jsonSteps(x)}
	for i := range x.Execution.Ops {
		o := &x.Execution.Ops[i]
		e := jsonExplained{ID: o.ID, Process: o.Process, Method: o.Method, Args: o.Args, Rets: o.Rets, Call: o.Call, Line: o.CallPos.Line}
		if o.Completed() {
			e.Outcome, e.Return = &o.Outcome, &o.Return
		}
		j.Operations = append(j.Operations, e)
	}
	for _, r := range x.Reasons {
		j.Reasons = append(j.Reasons, jsonReason(r))
	}
	return j
}
