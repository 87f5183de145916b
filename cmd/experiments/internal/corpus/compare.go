package corpus

import (
	"context"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Comparison says what to compare and where to print it.
type Comparison struct {
	Out   io.Writer
	Skip  []string // engines, fields, or ENGINE.FIELD
	Match string   // only logs with this in "THEORY LOG"
	Lines int      // differences to print; all are counted
	Logs  int      // that were compared; set by Compare
}

// Compare asks everything that a corpus has answers to again, and prints each
// difference and how many there are by engine and field. It returns their number.
func (c *Corpus) Compare(ctx context.Context, old io.Reader, cmp *Comparison) (int, error) {
	counts := map[string]int{}
	entries := func(yield func(*Entry, error) bool) {
		for e, err := range Read(old) {
			if err == nil && !strings.Contains(e.Theory+" "+e.Log, cmp.Match) {
				continue
			}
			if !yield(e, err) {
				return
			}
		}
	}
	total := 0
	err := c.answerAll(ctx, entries, func(old, now *Entry) error {
		cmp.Logs++
		for _, d := range differences(old, now) {
			if slices.Contains(cmp.Skip, d.engine) || slices.Contains(cmp.Skip, d.field) || slices.Contains(cmp.Skip, d.engine+"."+d.field) {
				continue
			}
			if total++; total <= cmp.Lines {
				fmt.Fprintf(cmp.Out, "%s, %s, %s, %s: %s -> %s\n", old.Log, old.Theory, d.engine, d.field, d.before, d.after)
			}
			counts[d.engine+"."+d.field]++
		}
		return nil
	})
	if total > cmp.Lines {
		fmt.Fprintf(cmp.Out, "... and %d more\n", total-cmp.Lines)
	}
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(cmp.Out, "%7d %s\n", counts[k], k)
	}
	fmt.Fprintf(cmp.Out, "%d differences in %d logs\n", total, cmp.Logs)
	return total, err
}

// difference is a field in which two answers of an engine differ.
type difference struct{ engine, field, before, after string }

// differences compares two entries for one log. An engine that only one of them has
// differs in the field engine.
func differences(old, now *Entry) (all []difference) {
	before, after := old.byEngine(), now.byEngine()
	for _, engine := range slices.Sorted(maps.Keys(before)) {
		if _, ok := after[engine]; !ok {
			all = append(all, difference{engine, "engine", "there", "gone"})
			continue
		}
		b, a := reflect.ValueOf(before[engine]), reflect.ValueOf(after[engine])
		for i := range b.NumField() {
			f := b.Type().Field(i)
			x, y := fmt.Sprint(b.Field(i)), fmt.Sprint(a.Field(i))
			if f.Name != "Engines" && x != y {
				all = append(all, difference{engine, strings.ToLower(f.Name), fmt.Sprintf("%q", x), fmt.Sprintf("%q", y)})
			}
		}
	}
	for _, engine := range slices.Sorted(maps.Keys(after)) {
		if _, ok := before[engine]; !ok {
			all = append(all, difference{engine, "engine", "not there", "new"})
		}
	}
	return all
}

func (e *Entry) byEngine() map[string]Answer {
	all := map[string]Answer{}
	for _, a := range e.Answers {
		for _, engine := range a.Engines {
			all[engine] = a
		}
	}
	return all
}
