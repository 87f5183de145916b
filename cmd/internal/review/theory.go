package review

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/out"
	"github.com/adtinfer/adtinfer/out/page"
	"github.com/adtinfer/adtinfer/theory"
)

//go:embed theory.css
var theoryStyle string

//go:embed theory.html
var theoryLayout string

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("review").Parse(theoryLayout + runLayout))
})

// Theory writes the page on which people review a theory and sign it off: the document
// that out.Markdown writes, with patterns in lanes and as tables, and automata as diagrams.
func Theory(w io.Writer, t *theory.Theory) error {
	p, err := pageOf(t)
	if err != nil {
		return err
	}
	return page.Write(w, p)
}

func pageOf(t *theory.Theory) (*page.Page, error) {
	var text bytes.Buffer
	if err := out.Markdown(&text, t); err != nil {
		return nil, err
	}
	figures := map[string]template.HTML{}
	if err := draw(figures, &t.Spec); err != nil {
		return nil, err
	}
	p, err := Document(text.Bytes(), figures, nil)
	if err != nil {
		return nil, err
	}
	p.Style = theoryStyle
	if m := t.Status.Mutants; m != nil {
		if err := section(p, "mutants", "mutants", "Wrong versions of the reference", m); err != nil {
			return nil, err
		}
	}
	return p, section(p, "sign", "sign", "Signed off", t)
}

func filled(name string, data any) (template.HTML, error) {
	var b strings.Builder
	err := templates().ExecuteTemplate(&b, name, data)
	return template.HTML(b.String()), err
}

// draw makes the figures of patterns and automata, by their drawings in text.
func draw(figures map[string]template.HTML, s *theory.Spec) (err error) {
	add := func(text, name string, data any) {
		if text = strings.TrimRight(text, "\n"); err == nil && figures[text] == "" {
			figures[text], err = filled(name, data)
		}
	}
	for i := range s.Patterns {
		if f, ok := figureOf(&s.Patterns[i]); ok {
			add(s.Patterns[i].Drawing, "pattern", f)
		}
	}
	automaton := func(a *automata.Automaton) {
		var svg strings.Builder
		if a != nil && out.SVG(&svg, a) == nil { // else it is too large to be looked at
			add(a.String(), "automaton", map[string]any{"SVG": template.HTML(svg.String()), "Text": a.String()})
		}
	}
	automaton(s.Automaton)
	if s.Control != nil {
		automaton(s.Control.Automaton)
	}
	if s.Product != nil && err == nil {
		return draw(figures, &s.Product.Part)
	}
	return err
}

// figure is a pattern, drawn.
type figure struct {
	Anchor string
	Name   string
	Lanes  template.HTML
	Rows   []operation
	Text   string // the drawing
}

// operation is one of a pattern.
type operation struct {
	Number   int
	Label    string
	Match    int // 0: none
	ReadOnly bool
}

// figureOf draws a pattern; false if its drawing cannot be read.
func figureOf(p *theory.Pattern) (*figure, bool) {
	h, labels, err := history.ParseDrawing(p.Drawing)
	if err != nil {
		return nil, false
	}
	f := &figure{Anchor: "pattern-" + strings.Join(strings.Fields(p.Name), "-"), Name: p.Name, Text: p.Drawing}
	var spans []page.Span
	for i := range h.Ops {
		o := &h.Ops[i]
		row := operation{Number: i + 1, Label: labels[i].String(), ReadOnly: o.ReadOnly}
		if o.Target != history.Unmatched {
			row.Match = o.Target + 1
		}
		f.Rows = append(f.Rows, row)
		span := page.Span{Text: fmt.Sprintf("[%d] %s", i+1, row.Label), Start: o.Start}
		if o.End != history.Never {
			span.End = o.End + 1
		}
		spans = append(spans, span)
	}
	f.Lanes = page.Lanes(page.Placed(spans))
	return f, true
}
