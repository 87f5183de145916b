package page

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"
)

// explanation is that of check -f json.
type explanation struct {
	Sentence   string
	Last       string // the operation that cannot be
	Answers    []string
	Waits      bool
	Alone      bool
	Nowhere    bool
	Undone     string
	Keys       []string
	Minimal    bool
	Detail     string
	Operations []explained
	Reasons    []reason
	Derivation []step
	Before     *before
}

type reason struct {
	Name, Reading string
	Axiom         bool
}

// before is how the events before the last one are explained.
type before struct {
	Events int
	Order  []explained
	State  string
	States []string

	after []string // the object after each operation of the order; nil: not known
}

type explained struct {
	ID      string
	Process string
	Method  string
	Args    []string
	Outcome *string // nil while pending
	Rets    []string
	Call    int
	Return  *int
	Line    int
	Reason  string
}

// Label is the operation as logs and messages draw it.
func (o *explained) Label() string {
	text := o.Method
	if len(o.Args) > 0 {
		text += "(" + strings.Join(o.Args, ", ") + ")"
	}
	if o.Outcome == nil {
		return text + "*"
	}
	return text + answer(*o.Outcome, o.Rets)
}

// answer is what stands behind a call that returned.
func answer(outcome string, rets []string) string {
	words := strings.Join(rets, ", ")
	switch {
	case len(rets) > 0 && outcome == "value":
		return " => " + words
	case len(rets) > 0:
		return " => " + outcome + " " + words
	case outcome == "none" || outcome == "":
		return ""
	}
	return " => " + outcome
}

// How much of an explanation a page shows: all, if it is one that people can read.
const (
	mostDrawn = 400 // operations
	lastDrawn = 40  // of those that may not all matter
	mostSteps = 2000
)

// drawing is the operations of an explanation, in lanes, as bars and as a table.
type drawing struct {
	*explanation
	Summary string
	Prefix  string
	Left    int // operations that come before these
	Lanes   template.HTML
	Bars    []bar // one below the other, where lanes have no room; none: lanes move to the side
	Wide    int   // pixels of the lanes
	Columns int
	Rows    []row
	Open    bool // some are pending
	Unnamed bool // some have no process
}

// bar is an operation with its time from left to right, in columns of the drawing.
type bar struct {
	Text, Should string
	Reason       string
	Process      string
	Pending      bool
	From, Width  int
}

// mostBars is how many operations are drawn as bars.
const mostBars = 24

// narrow is the style that shows bars where lanes do not fit.
func (d *drawing) narrow() string {
	if len(d.Bars) == 0 {
		return ""
	}
	rule := fmt.Sprintf("#%[1]slanes { display: none; } #%[1]sbars { display: block; }\n", d.Prefix)
	if d.Wide > mostWide {
		return rule
	}
	return fmt.Sprintf("@media (max-width: %dpx) { %s }\n", d.Wide+2*sideMargin, strings.TrimSpace(rule))
}

// How wide the text of a page is at most, and its margins, in pixels.
const (
	mostWide   = 1160
	sideMargin = 16
)

type row struct {
	explained
	Prefix, Lane string
	Should       string // what it should have answered, of the one that cannot be
}

// should is what an operation should have answered, if it cannot be.
func (x *explanation) should(id string) string {
	switch {
	case id != x.Last:
		return ""
	case x.Waits:
		return "would wait"
	case len(x.Answers) == 0:
		return "cannot be"
	}
	words := slices.Clone(x.Answers[:min(3, len(x.Answers))])
	for i := range words {
		if words[i] == "" {
			words[i] = "nothing"
		}
	}
	if len(x.Answers) > 3 {
		words = append(words, "…")
	}
	return "would answer " + strings.Join(words, " or ")
}

// shown are the operations that a page shows.
func (x *explanation) shown() []explained {
	most := lastDrawn
	if x.Minimal {
		most = mostDrawn
	}
	return x.Operations[max(0, len(x.Operations)-most):]
}

// drawn draws the operations; prefix begins the names that rows of the table and spans of the
// drawing have as elements.
func (x *explanation) drawn(prefix string) *drawing {
	shown := x.shown()
	d := &drawing{explanation: x, Prefix: prefix, Left: len(x.Operations) - len(shown)}
	for i, o := range shown {
		d.Rows = append(d.Rows, row{o, prefix, fmt.Sprint(prefix, "lane-", i+1), x.should(o.ID)})
		d.Open = d.Open || o.Return == nil
		d.Unnamed = d.Unnamed || o.Process == ""
	}
	spans := spansOf(d.Rows)
	lanes := Placed(spans)
	at := columns(lanes)
	d.Lanes, d.Columns, d.Wide = Lanes(lanes), len(at)-1, laneNames(lanes)+at[len(at)-1]+2*textMargin
	for i, s := range spans[:min(len(spans), mostBars)] {
		b := bar{short(d.Rows[i].text()), d.Rows[i].Should, d.Rows[i].Reason, short(s.Process), s.End <= 0, s.Start, s.End - s.Start}
		if b.Pending {
			b.Width = d.Columns - s.Start
		}
		d.Bars = append(d.Bars, b)
	}
	if len(spans) > mostBars {
		d.Bars = nil
	}
	return d
}

func (r *row) text() string { return "[" + r.ID + "] " + r.Label() }

// spansOf are the operations in as few columns as their order needs.
func spansOf(rows []row) []Span {
	events := map[int]func(){}
	last := 0
	column, returned := 0, false
	spans := make([]Span, len(rows))
	for i := range rows {
		o := &rows[i]
		spans[i] = Span{ID: o.Lane, Process: o.Process, Text: o.text(), Blamed: o.Should != ""}
		if o.Should != "" {
			spans[i].Text += ": " + o.Should
		}
		events[o.Call] = func() {
			if returned {
				column, returned = column+1, false
			}
			spans[i].Start = column
		}
		if last = max(last, o.Call); o.Return != nil {
			events[*o.Return] = func() { spans[i].End, returned = column+1, true }
			last = max(last, *o.Return)
		}
	}
	for n := 0; n <= last; n++ {
		if event := events[n]; event != nil {
			event()
		}
	}
	return spans
}

// story is how far the log is explained, for the page.
type story struct {
	*before
	Left  int // operations of the order that come before these
	First int // the number of the first of these
	Shown []taken
	Then  string // the operation that cannot be
	But   string // what it should have answered
}

// taken is an operation of an order, with the object after it if that is known.
type taken struct {
	explained
	After string
}

func (x *explanation) story() *story {
	b := x.Before
	s := &story{before: b, Left: max(0, len(b.Order)-lastDrawn)}
	s.First = s.Left + 1
	for i := s.Left; i < len(b.Order); i++ {
		t := taken{explained: b.Order[i]}
		if len(b.after) == len(b.Order) {
			t.After = b.after[i]
		} else if i == len(b.Order)-1 {
			t.After = b.State
		}
		s.Shown = append(s.Shown, t)
	}
	inOrder := func(o explained) bool { return o.ID == x.Last }
	if i := slices.IndexFunc(x.Operations, inOrder); i >= 0 && !slices.ContainsFunc(b.Order, inOrder) {
		r := row{explained: x.Operations[i]}
		s.Then, s.But = r.text(), x.should(x.Last)
	}
	return s
}

// step is one of a derivation.
type step struct {
	Suppose bool
	Fact    string
	A, B    string
	By      string
	Through []string
	With    []string
	Text    string
}

// derivation is the steps, numbered, for the page.
type derivation struct {
	Steps []numbered
	Left  int // steps that are not shown
}

type numbered struct {
	step
	Depth int    // suppositions that are open
	Ops   string // that it is about, as JSON
	Hence int    // the step that it refutes, from 1; 0: none
}

func (x *explanation) numbered() derivation {
	var d derivation
	var open []int
	for i, s := range x.Derivation[:min(len(x.Derivation), mostSteps)] {
		n := numbered{step: s, Depth: min(len(open), 8)}
		seen, ops := map[string]bool{"": true}, []string{}
		for _, id := range append(append([]string{s.A, s.B}, s.Through...), s.With...) {
			if !seen[id] {
				seen[id], ops = true, append(ops, id)
			}
		}
		text, _ := json.Marshal(ops) // strings only
		n.Ops = string(text)
		if s.Suppose {
			open = append(open, i+1)
		} else if last := len(open) - 1; s.Fact == "contradiction" && last >= 0 {
			n.Hence, open = open[last], open[:last]
		}
		d.Steps = append(d.Steps, n)
	}
	d.Left = len(x.Derivation) - len(d.Steps)
	return d
}
