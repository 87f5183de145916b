package foreign

import (
	"cmp"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// note is an annotation whose place among the events is not known yet.
type note struct {
	Annotation
	time int64
}

// whose says who made a record, in EDN: a client, which has a number, or somebody else.
func (r *record) whose(process string) {
	switch number := strings.Trim(process, `"`); {
	case isInteger(number):
		r.process = plainInteger(number)
	case process != "nil":
		r.by = strings.Trim(strings.TrimPrefix(process, ":"), `"`)
	}
}

// annotate keeps a record that is no operation's. Without a time it has that of the entry before.
func (a *assembler) annotate(r *record) {
	if a.o.Annotate == nil || r.method == "" {
		return
	}
	n := note{Annotation{By: r.by, Text: r.method, Pos: r.pos}, r.time}
	n.Pos.File = a.file
	if r.value.kind > null {
		n.Text += " " + r.value.text
	}
	if last := len(a.entries) - 1; !r.timed && last >= 0 {
		n.time = a.entries[last].time
	}
	a.notes = append(a.notes, n)
}

// precedes compares records by time, if all have one, and then by their places in the file.
func (a *assembler) precedes(t int64, p history.Pos, u int64, q history.Pos) int {
	if a.timed < len(a.entries) {
		t, u = 0, 0
	}
	return cmp.Or(cmp.Compare(t, u), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}

// sortNotes sorts the annotations as they come among the events.
func (a *assembler) sortNotes() {
	slices.SortFunc(a.notes, func(x, y note) int { return a.precedes(x.time, x.Pos, y.time, y.Pos) })
}

// tell tells the next annotations, as long as they come before what is handed out next.
func (a *assembler) tell(before func(*note) bool) {
	for len(a.notes) > 0 && before(&a.notes[0]) {
		n := &a.notes[0]
		n.At = a.events
		a.o.Annotate(n.Annotation)
		a.notes = a.notes[1:]
	}
}
