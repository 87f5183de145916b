package observers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// Set is the observers of a data type: it does not do what one of them accepts.
type Set struct {
	Theory    string
	Assumes   []string // of executions; readings of rules. None: nothing
	Observers []*Observer
	Compared  Comparison

	sig history.Signature
}

// Comparison says on what observers and theory were compared, without a difference.
type Comparison struct {
	Length    int // operations, at most; -1: all, with two values more than there are registers
	Sequences int // up to renaming of values: those of which all but the last operation is admitted; of Length -1: steps
}

// Rejects is the first operation of a sequence after which an observer accepts it, or -1.
func (s *Set) Rejects(labels []history.Label) int {
	first := -1
	values := valuesOf(labels)
	for _, o := range s.Observers {
		for _, registers := range o.valuations(values) {
			if n, ok := o.Accepts(registers, labels); ok && (first < 0 || n-1 < first) {
				first = n - 1
			}
		}
	}
	return first
}

// Text is all tables.
func (s *Set) Text() string {
	var b strings.Builder
	for i, o := range s.Observers {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(o.Text())
	}
	if len(s.Assumes) > 0 {
		fmt.Fprintf(&b, "\nassumed: %s\n", strings.Join(s.Assumes, ", and "))
	}
	return b.String()
}

// rejecting lists which observers accept a sequence.
func rejecting(all []*Observer, labels []history.Label) (who []int) {
	values := valuesOf(labels)
	for i, o := range all {
		if slices.ContainsFunc(o.valuations(values), func(registers []history.Value) bool {
			_, ok := o.Accepts(registers, labels)
			return ok
		}) {
			who = append(who, i)
		}
	}
	return who
}
