package trace

import (
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// mostReads is how many reads are shown that come one after the other.
const mostReads = 2

// Fold makes one line of plain reads that a goroutine makes one after the other, and of what it reads and writes in
// libraries. Synchronization is always shown, and what has a note.
func Fold(lines []Line) (folded []Line) {
	for i := 0; i < len(lines); {
		n := 1
		for i+n < len(lines) && lines[i].with(&lines[i+n]) {
			n++
		}
		if n <= mostReads || !lines[i].folds() {
			folded = append(folded, lines[i:i+n]...)
		} else {
			folded = append(folded, together(lines[i:i+n]))
		}
		i += n
	}
	return folded
}

// folds reports whether a line may be folded.
func (l *Line) folds() bool {
	return (l.Event == "read" || l.Event == "write" && l.Library != "") && !strings.Contains(l.Text, "<-")
}

// with reports whether lines are folded into one.
func (l *Line) with(next *Line) bool {
	return l.folds() && next.folds() && l.Goroutine == next.Goroutine && (l.Library != "") == (next.Library != "") && (l.Library != "" || l.Function == next.Function)
}

// together is one line for several.
func together(lines []Line) Line {
	var counts [2]int // of reads, writes
	for i := range lines {
		if lines[i].Event == "read" {
			counts[0]++
		} else {
			counts[1]++
		}
	}
	var parts, libraries []string
	for i := range lines {
		if name := lines[i].Library; name != "" && !slices.Contains(libraries, name) {
			libraries = append(libraries, name)
		}
	}
	for i, what := range []string{"read", "write"} {
		if counts[i] > 0 {
			parts = append(parts, wording.Count(counts[i], what))
		}
	}
	l := lines[0]
	l.Object, l.Field, l.Before, l.After = "", "", "", ""
	if l.Text = strings.Join(parts, " and "); len(libraries) > 0 {
		l.Text += " in " + strings.Join(libraries, ", ")
	}
	return l
}
