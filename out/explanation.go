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
	if x.Shown != nil {
		x = x.Shown()
	}
	if n := len(x.Execution.Ops); n > maxDrawn && !x.Minimal && x.Last.Method != "" { // the story says more than they do
		p.wrapped("  ", "  ", p.dim(fmt.Sprintf("%s cannot be explained together; which of them matter is not known: %s", printable.Count(n, "operation"), x.Detail)))
	} else {
		p.operations(x)
	}
	p.story(x)
	if len(x.States) > 0 {
		p.wrapped("    ", "    ", "in any order, the object is then one of: "+strings.Join(x.States, "; "))
	}
	if len(x.Reasons) > 0 {
		p.line("")
	}
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

// operations draws those that cannot be explained.
func (p *printer) operations(x *check.Explanation) {
	p.line("  " + p.dim(about(x)))
	p.line("")
	lines := drawExecution(x.Execution)
	if n := len(lines) - maxDrawn; n > 0 && !x.Minimal {
		p.line("    " + p.dim(fmt.Sprintf("(%s before these)", printable.Count(n, "operation"))))
		lines = lines[n:]
	}
	for _, l := range lines {
		p.line("    " + l)
	}
	if slices.ContainsFunc(x.Execution.Ops, func(o history.Operation) bool { return !o.Completed() }) {
		p.wrapped("    ", "    ", p.dim("(* is pending; no way to complete it helps)"))
	}
}

// maxDrawn is how many operations are shown of a set that may be too large, and
// maxStory of the order before it.
const (
	maxDrawn = 40
	maxStory = 16
)

// story writes how far an execution can be explained, and what comes then.
func (p *printer) story(x *check.Explanation) {
	if x.Last.Method == "" {
		return
	}
	p.line("")
	order := make([]string, len(x.Order))
	for i := range x.Order {
		order[i] = "[" + x.Order[i].ID + "] " + x.Order[i].Label.String()
	}
	if n := len(order) - maxStory; n > 0 {
		order = append([]string{fmt.Sprintf("(%d operations)", n)}, order[n:]...)
	}
	then := fmt.Sprintf("then [%s] %s fits nowhere%s", x.Last.ID, x.Last.Label, would(x))
	if x.State != "" {
		then = "after which the object is " + printable.Line(x.State) + "; " + then
	}
	if after := fmt.Sprintf("the first %d events are linearizable", x.Prefix-1); len(order) > 0 {
		p.wrapped("    ", "    ", after+", in this order:")
		p.wrapped("      ", "      ", strings.Join(order, "; "))
	} else {
		p.wrapped("    ", "    ", after+", without any operation taking effect;")
	}
	p.wrapped("    ", "    ", then)
}

// would says what the operation that fits nowhere would answer.
func would(x *check.Explanation) string {
	taken := slices.ContainsFunc(x.Order, func(o history.Operation) bool { return o.ID == x.Last.ID })
	switch {
	case x.Would == nil && x.Waits:
		return ": there it would have to wait"
	case x.Would == nil:
		return ""
	case taken:
		return ": in this order it answers " + answered(x.Would)
	}
	return ": there it would answer " + answered(x.Would)
}

// answered is the answer of a label in words.
func answered(l *history.Label) string {
	if _, words, ok := strings.Cut(l.String(), " => "); ok {
		return words
	}
	return "nothing"
}

// about introduces the operations.
func about(x *check.Explanation) string {
	n, of := len(x.Execution.Ops), ""
	for _, k := range x.Keys {
		of += " of key " + printable.Line(string(k))
	}
	switch {
	case x.Minimal && n == 1:
		return fmt.Sprintf("this operation%s cannot be explained, whatever the others do:", of)
	case x.Minimal:
		return fmt.Sprintf("these %d operations%s cannot be explained, whatever the others do:", n, of)
	}
	return fmt.Sprintf("%s%s that cannot be explained, some of which may not matter: %s:", printable.Count(n, "operation"), of, x.Detail)
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
	Keys       []history.Value `json:"keys,omitempty"`
	Minimal    bool            `json:"minimal"`
	Detail     string          `json:"detail,omitempty"`
	Operations []jsonExplained `json:"operations"`
	Reasons    []jsonReason    `json:"reasons"`
	Derivation []jsonStep      `json:"derivation,omitempty"`
	Before     *jsonBefore     `json:"before,omitempty"`
}

// jsonBefore is how the events before the last one can be explained.
type jsonBefore struct {
	Events int             `json:"events"`
	Order  []jsonExplained `json:"order"`
	State  string          `json:"state,omitempty"`
	States []string        `json:"states,omitempty"` // whatever the order
	Last   string          `json:"last"`             // the operation that fits nowhere
	Would  *jsonExplained  `json:"would,omitempty"`  // what it would answer
	Waits  bool            `json:"waits,omitempty"`
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
	j := &jsonExplanation{Keys: x.Keys, Minimal: x.Minimal, Detail: x.Detail, Operations: []jsonExplained{}, Reasons: []jsonReason{}, Derivation: jsonSteps(x)}
	for i := range x.Execution.Ops {
		j.Operations = append(j.Operations, explained(&x.Execution.Ops[i]))
	}
	if x.Last.Method != "" {
		b := &jsonBefore{Events: x.Prefix - 1, Order: []jsonExplained{}, State: x.State, States: x.States, Last: x.Last.ID, Waits: x.Waits}
		for i := range x.Order {
			b.Order = append(b.Order, explained(&x.Order[i]))
		}
		if x.Would != nil {
			o := x.Last
			o.Label = *x.Would
			would := explained(&o)
			b.Would = &would
		}
		j.Before = b
	}
	for _, r := range x.Reasons {
		j.Reasons = append(j.Reasons, jsonReason(r))
	}
	return j
}

func explained(o *history.Operation) jsonExplained {
	e := jsonExplained{ID: o.ID, Process: o.Process, Method: o.Method, Args: o.Args, Rets: o.Rets, Call: o.Call, Line: o.CallPos.Line}
	if o.Outcome != history.Pending {
		e.Outcome = &o.Outcome
	}
	if o.Completed() {
		e.Return = &o.Return
	}
	return e
}
