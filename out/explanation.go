package out

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// ExplanationText writes the reason for a violation, to stand below what
// VerdictText writes: in a sentence what cannot be and what should have been, the
// operations that make it so, one a line, and the patterns or axioms that say it in
// general:
//
//	run.log:41: balance(cyd) answered 0; in every order that fits this log it answers 1
//	  [11] deposit(cyd, 4)     returned before it was called
//	  [18] withdraw(cyd, 3)    returned before it was called
//	  nothing else touches cyd
//
// Where operations overlap it also draws the columns of time that they span: one is
// before another if all its columns are left of the other's. Where it is asked for, the
// order that explains everything before follows, and the derivation, one step a line:
//
//	[4] remove => 1 comes before [6] remove => 2: otherwise pattern add-add-remove2-remove1 with [1] [2] [6] [4]
func ExplanationText(w io.Writer, x *check.Explanation, style Style) error {
	p := &printer{style: style}
	if x.Shown != nil {
		x = x.Shown()
	}
	p.line("  " + impossible(x))
	p.operations(x)
	for _, r := range x.Reasons {
		text := p.bold(r.Name)
		if r.Reading != "" {
			text += ": " + r.Reading
		}
		if r.Axiom {
			text = "broken: " + text
		}
		p.wrapped("    ", "      ", text)
	}
	switch {
	case x.Ordered:
		p.whole(x)
	case len(x.Order) > 0, x.State != "" && x.Prefix > 2: // there were others, perhaps of other keys
		p.line("    " + p.dim("one order that explains everything before: --order, or the page"))
	case len(x.Steps) > 1: // else the pattern says it all
		p.line("    " + p.dim("why, step by step: --order, or the page"))
	}
	p.line("")
	_, err := io.WriteString(w, p.b.String())
	return err
}

// impossible says what cannot be, and what should have been.
func impossible(x *check.Explanation) string {
	call := x.Last.Label
	call.Outcome, call.Rets = history.None, nil
	s := wording.Line(call.String())
	switch at := x.Last.ReturnPos; {
	case at.File != "" && at.Col > 0:
		s = fmt.Sprintf("%s:%d: %s", at.File, at.Line, s)
	case at.File != "":
		s = fmt.Sprintf("%s: %s", at, s)
	default:
		s = fmt.Sprintf("[%s] %s", x.Last.ID, s)
	}
	beside := x.Last.Outcome == history.Nil || wording.IsError(string(x.Last.Outcome))
	if x.Never != "" && (len(x.Last.Rets) == 0 || !beside) {
		s += " " + said(&x.Last.Label, "answered", "panicked", "returned") + ", which it never does"
		if beside || len(x.Last.Rets) == 0 {
			return s
		}
		return s + wording.Line(": "+x.Never)
	}
	if x.Never != "" {
		values, with := history.Label{Kind: history.Kind{Outcome: history.Some}, Rets: x.Last.Rets}, string(x.Last.Outcome)
		if x.Last.Outcome == history.Nil {
			with = string(history.False)
		}
		return s + wording.Line(fmt.Sprintf(" answered %s beside %s, which it never does: %s", words(&values), with, x.Never))
	}
	s += " " + said(&x.Last.Label, "answered", "panicked", "returned")
	switch {
	case x.Waits:
		return s + "; in every order that fits this log it must wait"
	case len(x.Answers) == 0 && x.Minimal && len(x.Execution.Ops) == 1:
		return s + ", which it never does, whatever else happens"
	case len(x.Answers) == 0 && x.Minimal:
		return s + ", which cannot be explained together with these operations, in any order that fits this log"
	case len(x.Answers) == 0:
		return s + ", which no order that fits this log explains"
	case x.Open:
		return s + "; in every order that fits this log it " + expected(x) + ", or what is in no other operation"
	}
	return s + "; in every order that fits this log it " + expected(x)
}

// mostAnswers is how many answers are listed.
const mostAnswers = 4

// expected says what an operation should have answered.
func expected(x *check.Explanation) string {
	var words []string
	for i := range x.Answers {
		words = append(words, said(&x.Answers[i], "answers", "panics", "returns"))
	}
	if n := len(words); n > mostAnswers {
		words = append(words[:mostAnswers-1:mostAnswers-1], fmt.Sprintf("one of %d more", n-mostAnswers+1))
	}
	for i := range words[1:] {
		words[i+1] = strings.TrimPrefix(words[i+1], "answers ")
	}
	n := len(words) - 1
	if n == 0 {
		return words[0]
	}
	return strings.Join(words[:n], ", ") + " or " + words[n]
}

// said says what a label answered, in the tense of the verbs.
func said(l *history.Label, answered, panicked, returned string) string {
	text := wording.Line(words(l))
	switch {
	case l.Outcome == history.Panic:
		return strings.TrimSpace(panicked + strings.TrimPrefix(text, "panic"))
	case text == "":
		return returned
	}
	return answered + " " + text
}

// words is the answer of a label as logs have it, a text that could be another outcome in quotes.
func words(l *history.Label) string {
	if l.Outcome == history.Some && len(l.Rets) == 1 && (l.Rets[0] == "nil" || wording.IsError(string(l.Rets[0]))) {
		return strconv.Quote(string(l.Rets[0]))
	}
	_, text, _ := strings.Cut(l.String(), " => ")
	return text
}

// relation says what an operation has to do with the one that cannot be.
func relation(x *check.Explanation, o *history.Operation) string {
	last := &x.Execution.Ops[len(x.Execution.Ops)-1]
	for i := range x.Execution.Ops {
		if x.Execution.Ops[i].ID == x.Last.ID {
			last = &x.Execution.Ops[i]
		}
	}
	switch {
	case o.ID == x.Last.ID:
		return ""
	case !o.Completed():
		return "had not returned"
	case o.Return < last.Call:
		return "returned before it was called"
	}
	return "overlaps it"
}

// operations lists those that matter, but for the one that cannot be.
func (p *printer) operations(x *check.Explanation) {
	lines := drawExecution(x)
	for _, l := range lines {
		p.line("    " + l)
	}
	if !x.Minimal && x.Detail != "" {
		p.wrapped("    ", "    ", p.dim("(some of these may not matter, and others may: "+x.Detail+")"))
	}
	if x.Alone {
		p.line("    nothing else touches " + wording.Line(string(x.Last.Args[0])))
	}
	if x.Nowhere {
		p.line("    no other operation has " + wording.Line(words(&x.Last.Label)))
	}
	switch {
	case x.Undone != nil:
		p.line("    " + undone(x))
	case x.Minimal && len(x.Answers) > 0 && len(x.Execution.Ops) == 1 && x.Prefix > 2:
		p.line("    so does a new object: in the end the others make no difference")
	}
}

// undone says which operation made what the last one answered right, until others undid it.
func undone(x *check.Explanation) string {
	call := x.Undone.Label
	return wording.Line(fmt.Sprintf("[%s] %s made that right, and others undid it", x.Undone.ID, call.String()))
}

// maxStory is how many operations of an order are shown.
const maxStory = 16

// whole writes how far an execution can be explained, and the derivation.
func (p *printer) whole(x *check.Explanation) {
	if x.Last.Method != "" && len(x.Order) > 0 || x.State != "" {
		order := make([]string, len(x.Order))
		for i := range x.Order {
			order[i] = "[" + x.Order[i].ID + "] " + x.Order[i].Label.String()
		}
		if n := len(order) - maxStory; n > 0 {
			order = append([]string{fmt.Sprintf("(%d operations)", n)}, order[n:]...)
		}
		p.line("")
		if after := fmt.Sprintf("the first %d events are linearizable", x.Prefix-1); len(order) > 0 {
			p.wrapped("    ", "    ", after+", in this order:")
			p.wrapped("      ", "      ", strings.Join(order, "; "))
		} else {
			p.wrapped("    ", "    ", after+", without any operation taking effect")
		}
		if x.State != "" {
			p.wrapped("    ", "    ", "after which the object is "+wording.Line(x.State))
		}
	}
	if len(x.States) > 0 {
		p.wrapped("    ", "    ", "in any order, the object is then one of: "+strings.Join(x.States, "; "))
	}
	if len(x.Steps) > 1 {
		p.line("")
		for _, l := range derivation(x) {
			p.line("    " + l)
		}
	}
}

// drawExecution lists the operations of an explanation but the last one, one a line, with
// identifiers and values as the log has them, and what each has to do with the last one.
// If some overlap their time is drawn, and that of the last one: there are as few
// columns as the order needs: a new one begins where an operation is called after one has
// returned. The dots of a pending operation go on to the end.
func drawExecution(x *check.Explanation) (lines []string) {
	e := x.Execution
	spans, columns := spansOf(e)
	heads, bodies, reasons := 0, 0, 0
	for i := range e.Ops {
		heads = max(heads, utf8.RuneCountInString(e.Ops[i].ID))
		bodies = max(bodies, utf8.RuneCountInString(e.Ops[i].Label.String()))
		reasons = max(reasons, len(relation(x, &e.Ops[i])))
	}
	drawn := columns < len(e.Ops)
	for i := range e.Ops {
		o, s := &e.Ops[i], spans[i]
		if o.ID == x.Last.ID && !drawn {
			continue
		}
		line := pad("["+o.ID+"]", heads+2) + " " + pad(o.Label.String(), bodies) + "   "
		if drawn {
			bar := strings.Repeat("#", s.end-s.start+1)
			if !o.Completed() {
				bar = "#" + strings.Repeat(".", columns-s.start)
			}
			line += pad(strings.Repeat(" ", s.start)+bar, columns+3)
		}
		lines = append(lines, strings.TrimRight(line+relation(x, o), " "))
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
	Sentence   string          `json:"sentence"`
	Last       string          `json:"last,omitempty"`    // the operation that cannot be
	Answers    []string        `json:"answers,omitempty"` // what it may answer
	Waits      bool            `json:"waits,omitempty"`
	Alone      bool            `json:"alone,omitempty"`
	Nowhere    bool            `json:"nowhere,omitempty"`
	Undone     string          `json:"undone,omitempty"` // an operation after which Last could have answered so
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
	Reason  string           `json:"reason,omitempty"` // what it has to do with the one that cannot be
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
	j := &jsonExplanation{Sentence: impossible(x), Last: x.Last.ID, Waits: x.Waits, Alone: x.Alone, Nowhere: x.Nowhere, Keys: x.Keys, Minimal: x.Minimal, Detail: x.Detail, Operations: []jsonExplained{}, Reasons: []jsonReason{}, Derivation: jsonSteps(x)}
	if x.Undone != nil {
		j.Undone = x.Undone.ID
	}
	for i := range x.Answers {
		j.Answers = append(j.Answers, words(&x.Answers[i]))
	}
	for i := range x.Execution.Ops {
		o := explained(&x.Execution.Ops[i])
		o.Reason = relation(x, &x.Execution.Ops[i])
		j.Operations = append(j.Operations, o)
	}
	if len(x.Order) > 0 || x.State != "" {
		b := &jsonBefore{Events: x.Prefix - 1, Order: []jsonExplained{}, State: x.State, States: x.States}
		for i := range x.Order {
			b.Order = append(b.Order, explained(&x.Order[i]))
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
