package out

import (
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/automata"
)

// mostLocations is how many locations an automaton may have that SVG draws.
const mostLocations = 40

// Measures of a diagram, in pixels.
const (
	charWidth  = 7
	lineHeight = 16
	margin     = 12
	portGap    = 12 // between the ends of arrows on a side of a box
)

// SVG draws an automaton as a state diagram: its locations one below the other, what
// leads further down on their right, what leads back on their left, and what stays
// in them. It is an error if there are too many to be looked at.
func SVG(w io.Writer, a *automata.Automaton) error {
	if n := len(a.Locations); n > mostLocations {
		return fmt.Errorf("out: a diagram has at most %d locations, and this automaton has %d", mostLocations, n)
	}
	d := newDiagram(a)
	d.lanes(d.down)
	d.lanes(d.up)
	d.place()
	_, err := io.WriteString(w, d.draw())
	return err
}

type diagram struct {
	counters []string
	boxes    []box
	down, up []*arrow // by side
}

// A box is a location: its name, and what stays in it.
type box struct {
	lines       []string
	top, height int
}

func (b *box) width() int { return columns(b.lines)*charWidth + 2*margin }

// An arrow is all transitions from a location to another. It leaves its side of a box
// at y from, runs along a lane, and comes back to y to.
type arrow struct {
	from, to int // boxes
	lines    []string
	lane     int
	fromY    int // below the top of the box
	toY      int
}

func (a *arrow) upper() int { return min(a.from, a.to) }
func (a *arrow) lower() int { return max(a.from, a.to) }

func columns(lines []string) (n int) {
	for _, l := range lines {
		n = max(n, utf8.RuneCountInString(l))
	}
	return n
}

func newDiagram(a *automata.Automaton) *diagram {
	t := a.Table()
	d := &diagram{counters: t.Counters}
	for _, l := range t.Locations {
		name := strings.TrimSpace(l.Name + " " + strings.Join(l.Registers, ", "))
		for i, v := range l.Initial {
			name += fmt.Sprintf(", %s = %s at first", l.Registers[i], v)
		}
		d.boxes = append(d.boxes, box{lines: []string{name}})
	}
	for _, r := range t.Transitions {
		if r.Blocks || r.From == r.To {
			d.boxes[r.From].lines = append(d.boxes[r.From].lines, r.Line)
			continue
		}
		side := &d.down
		if r.To < r.From {
			side = &d.up
		}
		i := slices.IndexFunc(*side, func(a *arrow) bool { return a.from == r.From && a.to == r.To })
		if i < 0 {
			i = len(*side)
			*side = append(*side, &arrow{from: r.From, to: r.To})
		}
		(*side)[i].lines = append((*side)[i].lines, r.Line)
	}
	return d
}

// lanes gives each arrow of a side a lane: short ones near the boxes, none beside
// another in the same lane.
func (d *diagram) lanes(side []*arrow) {
	slices.SortStableFunc(side, func(a, b *arrow) int {
		if x := (a.lower() - a.upper()) - (b.lower() - b.upper()); x != 0 {
			return x
		}
		return a.upper() - b.upper()
	})
	for i, a := range side {
		for slices.ContainsFunc(side[:i], func(b *arrow) bool {
			return b.lane == a.lane && b.upper() < a.lower() && a.upper() < b.lower()
		}) {
			a.lane++
		}
	}
}

// place finds the heights of all boxes and the ends of arrows at them: those that come
// from above are above those that go below, and of these the outer ones first, so that
// arrows at one box do not cross.
func (d *diagram) place() {
	for i := range d.boxes {
		b := &d.boxes[i]
		b.height = len(b.lines)*lineHeight + margin
		for _, side := range [][]*arrow{d.down, d.up} {
			var above, below []*arrow
			for _, a := range side {
				switch i {
				case a.lower():
					above = append(above, a)
				case a.upper():
					below = append(below, a)
				}
			}
			slices.SortFunc(above, func(a, b *arrow) int { return a.lane - b.lane })
			slices.SortFunc(below, func(a, b *arrow) int { return b.lane - a.lane })
			for n, a := range slices.Concat(above, below) {
				y := margin + n*portGap
				if b.height = max(b.height, y+margin); a.from == i {
					a.fromY = y
				} else {
					a.toY = y
				}
			}
		}
	}
	top := margin + len(d.counters)*lineHeight + 2*lineHeight
	for i := range d.boxes {
		d.boxes[i].top = top
		top += d.boxes[i].height + lineHeight
		for _, a := range slices.Concat(d.down, d.up) { // their texts need room
			if a.lower() == i+1 {
				up, low := a.fromY, a.toY
				if a.from > a.to {
					up, low = low, up
				}
				top = max(top, d.boxes[a.upper()].top+up+len(a.lines)*lineHeight+margin-low)
			}
		}
	}
}

// draw writes the diagram.
func (d *diagram) draw() string {
	wide, bottom := 0, 0
	for i := range d.boxes {
		wide, bottom = max(wide, d.boxes[i].width()), max(bottom, d.boxes[i].top+d.boxes[i].height+margin)
	}
	left, right := offsets(d.up), offsets(d.down)
	x := margin + left[len(left)-1]
	width := x + wide + right[len(right)-1] + margin
	width = max(width, columns(d.counters)*charWidth+2*margin)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="monospace" font-size="12" fill="none" stroke="currentColor">`+"\n", width, bottom)
	b.WriteString(`<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="currentColor" stroke="none"/></marker></defs>` + "\n")
	for i, c := range d.counters {
		write(&b, margin, margin+(i+1)*lineHeight, "start", "normal", c)
	}
	if len(d.boxes) > 0 {
		fmt.Fprintf(&b, `<path d="M%d %dV%d" marker-end="url(#arrow)"/>`+"\n", x+wide/2, d.boxes[0].top-lineHeight, d.boxes[0].top)
	}
	for i := range d.boxes {
		box := &d.boxes[i]
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" rx="8"/>`+"\n", x, box.top, wide, box.height)
		for j, l := range box.lines {
			write(&b, x+margin, box.top+(j+1)*lineHeight, "start", []string{"bold", "normal"}[min(j, 1)], l)
		}
	}
	for _, a := range d.down {
		d.arrow(&b, a, x+wide, x+wide+right[a.lane]+margin, "start")
	}
	for _, a := range d.up {
		d.arrow(&b, a, x, x-left[a.lane]-margin, "end")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// offsets are how far the lanes of a side are from the boxes, and where they end.
func offsets(side []*arrow) []int {
	at := []int{0}
	for lane := 0; ; lane++ {
		width := -1
		for _, a := range side {
			if a.lane == lane {
				width = max(width, columns(a.lines)*charWidth+2*margin)
			}
		}
		if width < 0 {
			return at
		}
		at = append(at, at[lane]+width)
	}
}

// arrow draws an arrow from the side of its boxes along x, and its lines beside it.
func (d *diagram) arrow(b *strings.Builder, a *arrow, side, x int, anchor string) {
	from, to := d.boxes[a.from].top+a.fromY, d.boxes[a.to].top+a.toY
	fmt.Fprintf(b, `<path d="M%d %dH%dV%dH%d" marker-end="url(#arrow)"/>`+"\n", side, from, x, to, side)
	text := x + 4
	if anchor == "end" {
		text = x - 4
	}
	y := (from+to)/2 - (len(a.lines)-1)*lineHeight/2 + 4
	for i, l := range a.lines {
		write(b, text, y+i*lineHeight, anchor, "normal", l)
	}
}

func write(b *strings.Builder, x, y int, anchor, weight, text string) {
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="%s" font-weight="%s" fill="currentColor" stroke="none" xml:space="preserve">%s</text>`+"\n",
		x, y, anchor, weight, html.EscapeString(text))
}
