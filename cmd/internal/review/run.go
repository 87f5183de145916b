package review

import (
	_ "embed"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/out/page"
)

//go:embed run.html
var runLayout string

//go:embed run.js
var runScript string

// Run writes the page of what explore found out: the verdict, and the interleaving that shows
// what is wrong, with goroutines as columns and steps as rows. Arrow keys go from step to
// step, and show the operations and the memory so far.
func Run(w io.Writer, r *explore.Result) error {
	p := &page.Page{Title: strings.TrimSpace(r.Package+" "+r.Type) + ": " + string(r.Verdict), Summary: r.Sentence() + ".", Style: theoryStyle}
	if err := section(p, "facts", "verdict", "Verdict", facts(r)); err != nil {
		return err
	}
	if c := r.Counterexample; c != nil {
		t := tableOf(c)
		if err := section(p, "steps", "steps", "Step by step", t); err != nil {
			return err
		}
		if c.History != nil && len(c.History.Ops) > 0 {
			p.Sections = append(p.Sections, page.Section{ID: "history", Title: "The history", Body: page.Lanes(lanesOf(c.History))})
		}
		if err := section(p, "again", "again", "To see it again", c); err != nil {
			return err
		}
		p.Script, p.Data = runScript, t.Rows
	}
	return page.Write(w, p)
}

func section(p *page.Page, name, id, title string, data any) error {
	body, err := filled(name, data)
	p.Sections = append(p.Sections, page.Section{ID: id, Title: title, Body: body})
	return err
}

// facts are figures and what limits the verdict, by name.
func facts(r *explore.Result) (all [][2]string) {
	add := func(name string, texts ...string) {
		for _, text := range texts {
			if text != "" {
				all = append(all, [2]string{name, text})
			}
		}
	}
	add("package", r.Package)
	add("type", r.Type)
	add("made by", r.Made)
	add("one call at a time", r.Alone...)
	add("checked against", r.Against)
	add("states", wording.Number(int(r.States)))
	add("steps", wording.Number(int(r.Steps)))
	add("not modelled", r.NotModelled...)
	add("note", r.Notes...)
	return all
}

// stepTable is an interleaving.
type stepTable struct {
	What       string
	Goroutines []string
	Rows       []stepRow
}

// stepRow is a step. Cell is the memory that it reads or writes.
type stepRow struct {
	Step   int      `json:"step"`
	Texts  []string `json:"-"` // by goroutine
	Text   string   `json:"text"`
	Who    int      `json:"who"` // goroutine, from 1
	Event  string   `json:"event"`
	Place  string   `json:"place"`
	Cell   string   `json:"cell"`
	Before string   `json:"before"`
	After  string   `json:"after"`
}

func tableOf(c *explore.Counterexample) *stepTable {
	t := &stepTable{What: c.What}
	n := 0
	for i := range c.Events {
		n = max(n, c.Events[i].Goroutine)
	}
	for i := range n {
		t.Goroutines = append(t.Goroutines, fmt.Sprint("goroutine ", i+1))
	}
	for i := range c.Events {
		e := &c.Events[i]
		r := stepRow{Step: e.Step, Texts: make([]string, n), Text: e.Text, Who: e.Goroutine, Event: e.Event, Before: e.Before, After: e.After}
		if e.Goroutine > 0 {
			r.Texts[e.Goroutine-1] = e.Text
			if e.Event == "call" || e.Event == "return" {
				r.Texts[e.Goroutine-1] = e.Event + " " + e.Text
			}
		}
		if e.File != "" {
			r.Place = fmt.Sprintf("%s:%d", path.Base(strings.ReplaceAll(e.File, `\`, "/")), e.Line)
		}
		if r.Cell = e.Object; e.Field != "" {
			r.Cell = strings.TrimPrefix(e.Object+"."+e.Field, ".")
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// lanesOf are the operations of an execution, a lane for each process.
func lanesOf(e *history.Execution) []page.Lane {
	var spans []page.Span
	for i := range e.Ops {
		o := &e.Ops[i]
		span := page.Span{Process: o.Process, Text: "[" + o.ID + "] " + o.Label.String(), Start: o.Call}
		if o.Completed() {
			span.End = o.Return
		}
		spans = append(spans, span)
	}
	return page.Placed(spans)
}
