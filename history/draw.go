package history

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Draw draws the history as "Symbolic ADT inference" §3 does, one operation a
// line: its identifier and match target, its label, "(RO)" if it is read-only,
// and the columns of time it spans.
//
//	[1:1] add(v1)            #
//	[2:2] remove => - (RO)   ##
//	[3:X] remove => v3        #
//	[4:_] remove*              #
//
// Identifiers count from 1 in order of start (of index among ops that start
// together). An unmatched op has target X; a pending one has target _ and * on
// its label, and spans every column from its start. Columns show the order and
// nothing else: as few as possible, one # per op if the history is sequential.
//
// Labels, one per op, say where values are drawn; nil draws none. A value is
// drawn v and the identifier of the match target if the target has it, too,
// and otherwise v and the op's own identifier; letters (v1b, v1c) tell
// further values of one op apart. A result of outcome value without values is
// drawn "=> value", the nil outcome "=> -", none not at all, and any other
// outcome by its name.
//
// The history must be valid. ParseDrawing reads the result.
func Draw(h *History, labels []Label) string {
	d := newDrawing(h, labels)
	heads := make([]string, len(h.Ops))
	bodies := make([]string, len(h.Ops))
	headWidth, bodyWidth := 0, 0
	for i, op := range d.order {
		heads[i], bodies[i] = d.head(op), d.body(op)
		headWidth = max(headWidth, len(heads[i]))
		bodyWidth = max(bodyWidth, utf8.RuneCountInString(bodies[i]))
	}
	var b strings.Builder
	for i, op := range d.order {
		b.WriteString(padded(heads[i], headWidth) + " " + padded(bodies[i], bodyWidth))
		c := d.columns[op]
		b.WriteString(strings.Repeat(" ", drawGap+c.start))
		b.WriteString(strings.Repeat("#", c.end-c.start+1))
		b.WriteByte('\n')
	}
	return b.String()
}

// drawGap is the number of blanks between the longest label and the columns.
const drawGap = 3

func padded(s string, width int) string {
	return s + strings.Repeat(" ", width-utf8.RuneCountInString(s))
}

// DrawLine draws the history on one line, operations separated by "; " and
// ordered as written:
//
//	[1:1] add(v1); [2:2] remove => - (RO); [3:1] remove => v1
//
// If the history is not sequential each operation says which columns it spans,
// counted from 1: "[1:1] add(v1) @1-2". ParseDrawing reads the result.
func DrawLine(h *History, labels []Label) string {
	d := newDrawing(h, labels)
	var b strings.Builder
	for i, op := range d.order {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(d.head(op) + " " + d.body(op))
		if !d.sequential {
			b.WriteString(" " + d.span(op))
		}
	}
	return b.String()
}

// A drawing is a history on its way to paper.
type drawing struct {
	h          *History
	labels     []Label
	order      []int // ops in order of start
	place      []int // of each op in order
	columns    []interval
	sequential bool
}

func newDrawing(h *History, labels []Label) *drawing {
	d := &drawing{h: h, labels: labels, place: make([]int, len(h.Ops))}
	width := 0
	d.columns, width = h.columns(nil)
	for i := range h.Ops {
		d.order = append(d.order, i)
	}
	slices.SortStableFunc(d.order, func(a, b int) int { return d.columns[a].start - d.columns[b].start })
	for i, op := range d.order {
		d.place[op] = i
	}
	d.sequential = width == len(h.Ops)
	return d
}

func (d *drawing) id(op int) string { return strconv.Itoa(d.place[op] + 1) }

// head is "[id:target]".
func (d *drawing) head(i int) string {
	target := "X"
	switch op := &d.h.Ops[i]; {
	case !op.Completed:
		target = "_"
	case op.Target != Unmatched:
		target = d.id(op.Target)
	}
	return "[" + d.id(i) + ":" + target + "]"
}

// body is the label and the read-only marker.
func (d *drawing) body(i int) string {
	op := &d.h.Ops[i]
	var b strings.Builder
	b.WriteString(op.Method)
	var label Label
	if d.labels != nil {
		label = d.labels[i]
	}
	own := d.ownValues(i)
	if len(label.Args) > 0 {
		b.WriteString("(" + d.values(i, label.Args, own) + ")")
	}
	if !op.Completed {
		b.WriteByte('*')
	} else if r := d.result(op, d.values(i, label.Rets, own)); r != "" {
		b.WriteString(" => " + r)
	}
	if op.ReadOnly {
		b.WriteString(" (RO)")
	}
	return b.String()
}

// result is what stands behind the arrow: the outcome, the values, or both.
func (d *drawing) result(op *Op, values string) string {
	name := string(op.Outcome)
	switch op.Outcome {
	case Nil:
		name = "-"
	case Some:
		if values != "" {
			return values
		}
	case None:
		if values == "" {
			return ""
		}
	}
	if values == "" {
		return name
	}
	return name + " " + values
}

// values draws the values of op i that are its own or its target's.
func (d *drawing) values(i int, vs, own []Value) string {
	var drawn []string
	target := d.h.Ops[i].Target
	for _, v := range vs {
		if k := slices.Index(own, v); k >= 0 {
			drawn = append(drawn, "v"+d.id(i)+valueSuffix(k))
		} else {
			k := slices.Index(d.ownValues(target), v)
			drawn = append(drawn, "v"+d.id(target)+valueSuffix(k))
		}
	}
	return strings.Join(drawn, ", ")
}

// valueSuffix tells the k-th own value of an op from the others: "", "b", "c",
// ..., "z", "zb", ...
func valueSuffix(k int) string {
	s := ""
	for ; k > 25; k -= 25 {
		s += "z"
	}
	if k > 0 {
		s += string(rune('a' + k))
	}
	return s
}

// ownValues are the different values of op i, in order, that its match target
// does not have.
func (d *drawing) ownValues(i int) []Value {
	if d.labels == nil {
		return nil
	}
	var theirs, own []Value
	if t := d.h.Ops[i].Target; t != Unmatched && t != i {
		theirs = d.ownValues(t)
	}
	for _, v := range slices.Concat(d.labels[i].Args, d.labels[i].Rets) {
		if !slices.Contains(theirs, v) && !slices.Contains(own, v) {
			own = append(own, v)
		}
	}
	return own
}

// span is the op's columns in one line: "@2", "@2-3", "@2-" if it is pending.
func (d *drawing) span(i int) string {
	c := d.columns[i]
	s := "@" + strconv.Itoa(c.start+1)
	switch {
	case !d.h.Ops[i].Completed:
		return s + "-"
	case c.end > c.start:
		return s + "-" + strconv.Itoa(c.end+1)
	}
	return s
}
