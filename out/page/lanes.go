package page

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"
)

// Lane is a row of a drawing: what one process did, one operation after the other.
type Lane struct {
	Name  string
	Spans []Span
}

// Span is an operation in a lane. Start and End are moments, from 0 on; moments are
// columns of the drawing.
type Span struct {
	ID         string // an anchor of the page; empty: none
	Process    string
	Text       string
	Start, End int  // End is 0 or less: it never returned
	Blamed     bool // the violation is about it
}

// Placed puts spans, in the order of their starts, into lanes of their processes, in the order in which these come: each
// into the first that is free. Lanes of nobody have numbers.
func Placed(spans []Span) (lanes []Lane) {
	var names []string
	own := map[string][]Lane{}
	for _, s := range spans {
		p := s.Process
		if own[p] == nil {
			names = append(names, p)
		}
		at := slices.IndexFunc(own[p], func(l Lane) bool {
			last := l.Spans[len(l.Spans)-1]
			return last.End > 0 && last.End <= s.Start
		})
		if at < 0 {
			at = len(own[p])
			name := p
			if name == "" { // packed from overlap
				name = fmt.Sprint("lane ", at+1)
			}
			own[p] = append(own[p], Lane{Name: name})
		}
		own[p][at].Spans = append(own[p][at].Spans, s)
	}
	for _, p := range names {
		lanes = append(lanes, own[p]...)
	}
	return lanes
}

// Measures of lanes, in pixels.
const (
	charWidth  = 8 // of the drawing's monospaced letters, 13 pixels high
	laneHeight = 34
	spanHeight = 24
	textMargin = 6
	longest    = 60 // letters of a text that are shown; all are in its title
)

// Lanes draws lanes one below the other, as SVG that is part of a page: time goes to
// the right, and a column is as wide as the texts in it need. Texts may be anything.
func Lanes(lanes []Lane) template.HTML {
	at := columns(lanes)
	left := laneNames(lanes)
	width, height := left+at[len(at)-1]+2*textMargin, len(lanes)*laneHeight
	var b strings.Builder
	fmt.Fprintf(&b, `<div class="wide" tabindex="0" role="group" aria-label="operations in lanes"><svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-size="13">`+"\n", width, height)
	for i, l := range lanes {
		y := i * laneHeight
		fmt.Fprintf(&b, `<line class="rule" x1="%d" y1="%d" x2="%d" y2="%[2]d"/>`, left, y+laneHeight/2, width)
		fmt.Fprintf(&b, `<text class="lane" x="%d" y="%d">%s</text>`+"\n", textMargin, y+laneHeight/2+4, html.EscapeString(short(l.Name)))
		for _, s := range l.Spans {
			from, to := left+at[s.Start], width-2
			if s.End > 0 {
				to = left + at[s.End]
			}
			s.draw(&b, from, to, y+(laneHeight-spanHeight)/2)
		}
	}
	b.WriteString("</svg></div>\n")
	return template.HTML(b.String())
}

// laneNames is how wide the names of lanes are.
func laneNames(lanes []Lane) (wide int) {
	for _, l := range lanes {
		wide = max(wide, utf8.RuneCountInString(short(l.Name)))
	}
	return wide*charWidth + 2*textMargin
}

// columns is where each moment is, so that the text of each span fits into it.
func columns(lanes []Lane) []int {
	last := 0
	for _, l := range lanes {
		for _, s := range l.Spans {
			last = max(last, s.Start+1, s.End)
		}
	}
	at := make([]int, last+1)
	for m := 1; m <= last; m++ {
		at[m] = at[m-1] + 2*textMargin
		for _, l := range lanes {
			for _, s := range l.Spans {
				if end := max(s.End, s.Start+1); end == m {
					at[m] = max(at[m], at[s.Start]+utf8.RuneCountInString(short(s.Text))*charWidth+3*textMargin)
				}
			}
		}
	}
	return at
}

// short is the text that a drawing shows.
func short(text string) string {
	if utf8.RuneCountInString(text) <= longest {
		return text
	}
	return string([]rune(text)[:longest-1]) + "…"
}

func (s *Span) draw(b *strings.Builder, from, to, y int) {
	class := "span"
	if s.Blamed {
		class += " blamed"
	}
	id := ""
	if s.ID != "" {
		id = fmt.Sprintf(` id="%s"`, html.EscapeString(s.ID))
	}
	fmt.Fprintf(b, `<g class="%s"%s><title>%s</title>`, class, id, html.EscapeString(s.Text))
	if s.End > 0 {
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" rx="4"/>`, from+2, y, to-from-4, spanHeight)
	} else { // open at its end
		fmt.Fprintf(b, `<path class="rule" d="M%d %dH%dM%d %dV%dM%[1]d %[6]dH%[3]d"/>`, from+2, y, to, from+2, y, y+spanHeight)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d">%s</text></g>`+"\n", from+2+textMargin, y+spanHeight/2+4, html.EscapeString(short(s.Text)))
}
