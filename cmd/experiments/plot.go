package main

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// plot is a picture of numbers.
type plot struct {
	title, x, y string
	logX        bool
	logY        bool
	ticks       []string // names of x = 0, 1, 2 ...; nil: x is a number
	series      []series
}

// series are numbers of one kind: bars if there are ticks, boxes if the points have
// quartiles, else dots.
type series struct {
	name   string
	points []point
}

// point is a number, or the median of several, with their quartiles.
type point struct {
	x, y                float64
	least, q1, q3, most float64
}

func (p *point) box() bool { return p.most > 0 }

// numbers is what the plot shows, as a table.
func (p *plot) numbers() [][]string {
	text := func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
	rows := [][]string{{"series", p.x, p.y}}
	for _, s := range p.series {
		for _, at := range s.points {
			x := text(at.x)
			if p.ticks != nil {
				x = p.ticks[int(at.x)]
			}
			row := []string{s.name, x, text(at.y)}
			if at.box() {
				rows[0] = []string{"series", p.x, p.y + " (median)", "minimum", "first quartile", "third quartile", "maximum"}
				row = append(row, text(at.least), text(at.q1), text(at.q3), text(at.most))
			}
			rows = append(rows, row)
		}
	}
	return rows
}

const (
	width, height       = 760.0, 420.0
	left, right         = 64.0, 190.0 // margins; the names of the series stand to the right
	top, bottom         = 40.0, 48.0
	innerX, innerY      = width - left - right, height - top - bottom
	background, darkest = "#ffffff", "#0d1117"
	ink, lightInk       = "#1f2328", "#e6edf3"
)

// Colours of the series, on white and on black.
var (
	colours     = []string{"#0072b2", "#b34700", "#00785a", "#9b3a8b", "#7a5c00", "#57606a", "#c2185b", "#1b1fb3"}
	darkColours = []string{"#56b4e9", "#ffa657", "#3fd6a5", "#e59ad8", "#f0e442", "#adbac7", "#ff7b9c", "#a5a8ff"}
)

// axis places values between 0 and 1.
type axis struct {
	low, high float64
	log       bool
}

func (a axis) place(v float64) float64 {
	if a.log {
		return (math.Log(v) - math.Log(a.low)) / (math.Log(a.high) - math.Log(a.low))
	}
	return (v - a.low) / (a.high - a.low)
}

// marks are the values at which there is a line.
func (a axis) marks() (all []float64) {
	if a.log {
		for v := a.low; v <= a.high*1.001; v *= 10 {
			all = append(all, v)
		}
		return all
	}
	step := math.Pow(10, math.Floor(math.Log10(a.high)))
	for a.high/step < 4 {
		step /= 2
	}
	for v := 0.0; v <= a.high; v += step {
		all = append(all, v)
	}
	return all
}

// axes are as long as the points need.
func (p *plot) axes() (x, y axis) {
	x, y = axis{math.Inf(1), 0, p.logX}, axis{math.Inf(1), 0, p.logY}
	for _, s := range p.series {
		for _, at := range s.points {
			x.low, x.high = min(x.low, at.x), max(x.high, at.x)
			y.high = max(y.high, at.y, at.most)
			if y.low = min(y.low, at.y); at.box() {
				y.low = min(y.low, at.least)
			}
		}
	}
	if p.ticks != nil {
		x.low, x.high = -0.5, float64(len(p.ticks))-0.5
	}
	for _, a := range []*axis{&x, &y} {
		switch {
		case a.log:
			a.low, a.high = math.Pow(10, math.Floor(math.Log10(a.low))), math.Pow(10, math.Ceil(math.Log10(a.high)))
		case a == &y || p.ticks == nil:
			a.low = 0
		}
		if a.high <= a.low {
			a.high = a.low + 1
		}
	}
	return x, y
}

// svg draws the plot, with a background of its own, so that it can be read on any page.
func (p *plot) svg(command string) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %v %v" role="img"><title>%s</title><desc>Written by %s</desc>`+"\n<style>%s</style>\n",
		width, height, html.EscapeString(p.title), html.EscapeString(command), style())
	fmt.Fprintf(b, `<rect class="b" width="%v" height="%v"/><text x="%v" y="22" font-weight="bold">%s</text>`+"\n", width, height, left, html.EscapeString(p.title))
	x, y := p.axes()
	p.grid(b, x, y)
	for i, s := range p.series {
		fmt.Fprintf(b, `<g class="c%d"><rect x="%v" y="%v" width="10" height="10"/>`, i%len(colours), width-right+14, top+float64(i)*20)
		for _, at := range s.points {
			p.draw(b, x, y, i, at)
		}
		fmt.Fprintf(b, "</g>\n"+`<text x="%v" y="%v">%s</text>`+"\n", width-right+30, top+9+float64(i)*20, html.EscapeString(s.name))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func style() string {
	rules := func(ink, background string, colours []string) string {
		all := fmt.Sprintf("text{font:12px sans-serif;fill:%s}.b{fill:%s}.g{stroke:%s;opacity:.2}", ink, background, ink)
		for i, c := range colours {
			all += fmt.Sprintf(".c%d{fill:%s;stroke:%s}", i, c, c)
		}
		return all
	}
	return rules(ink, background, colours) + "@media(prefers-color-scheme:dark){" + rules(lightInk, darkest, darkColours) + "}"
}

func screen(x, y axis, px, py float64) (float64, float64) {
	return left + innerX*x.place(px), top + innerY*(1-y.place(py))
}

func (p *plot) grid(b *strings.Builder, x, y axis) {
	for _, v := range y.marks() {
		_, at := screen(x, y, x.high, v)
		fmt.Fprintf(b, `<path class="g" d="M%v %.1fh%v"/><text x="%v" y="%.1f" text-anchor="end">%s</text>`+"\n", left, at, innerX, left-6, at+4, compact(v))
	}
	marks, names := x.marks(), p.ticks
	if p.ticks != nil {
		marks = nil
		for i := range p.ticks {
			marks = append(marks, float64(i))
		}
	}
	for i, v := range marks {
		name := compact(v)
		if names != nil {
			name = names[i]
		}
		at, _ := screen(x, y, v, y.high)
		fmt.Fprintf(b, `<path class="g" d="M%.1f %vv%v"/><text x="%.1f" y="%v" text-anchor="middle">%s</text>`+"\n", at, top, innerY, at, height-bottom+18, html.EscapeString(name))
	}
	fmt.Fprintf(b, `<text x="%v" y="%v" text-anchor="middle">%s</text><text transform="translate(14 %v) rotate(-90)" text-anchor="middle">%s</text>`+"\n",
		left+innerX/2, height-10, html.EscapeString(p.x), top+innerY/2, html.EscapeString(p.y))
}

func compact(v float64) string {
	if v != 0 && (v < 0.001 || v >= 1_000_000) {
		return fmt.Sprintf("%.0e", v)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// draw draws a point; with ticks, the series stand beside each other.
func (p *plot) draw(b *strings.Builder, x, y axis, i int, at point) {
	if p.ticks == nil {
		cx, cy := screen(x, y, at.x, at.y)
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="2"/>`, cx, cy)
		return
	}
	wide := innerX / float64(len(p.ticks)) * 0.8 / float64(len(p.series))
	px, py := screen(x, y, at.x, at.y)
	px += wide * (float64(i) - float64(len(p.series))/2)
	if !at.box() {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, px, py, wide*0.9, height-bottom-py)
		return
	}
	_, low := screen(x, y, at.x, at.least)
	_, q1 := screen(x, y, at.x, at.q1)
	_, q3 := screen(x, y, at.x, at.q3)
	_, high := screen(x, y, at.x, at.most)
	fmt.Fprintf(b, `<path d="M%.1f %.1fV%.1f"/><rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill-opacity=".4"/><path d="M%.1f %.1fh%.1f" stroke-width="2"/>`,
		px+wide*0.45, low, high, px, q3, wide*0.9, max(q1-q3, 1), px, py, wide*0.9)
}
