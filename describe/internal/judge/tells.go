package judge

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

// Told says which mutants of a reference the calls of some executions expose.
type Told struct {
	Mutants int      // that differ from the reference within a few calls
	Missed  []string // those that the calls do not expose
	Cut     bool     // there were too many executions or calls to run them all
}

// Bounds of what Tells runs.
const (
	mostTold  = 200 // executions, and calls of each
	mostNamed = 3   // mutants that Text names
)

// Tells runs the calls of executions one after the other, in the order of their
// labels, on the reference and on its mutants: tests whose calls do not expose a
// wrong version one after the other will not find it concurrently either.
// Values count by which are equal, and integers by their order. Of very many
// executions, or calls in one, the first are run.
//
// It is an error if the reference does not have the methods, or breaks down, or
// is nondeterministic.
func Tells(ctx context.Context, impl reference.Implementation, executions [][]history.Label) (*Told, error) {
	if _, nondeterministic := impl.(reference.Acceptor); nondeterministic {
		return nil, fmt.Errorf("judge: %s is nondeterministic, so it has no wrong versions", impl.Name())
	}
	told, err := wordsOf(impl.Methods(), executions[:min(len(executions), mostTold)], mostTold)
	if err != nil {
		return nil, err
	}
	batches := [][]word{told}
	for n := 1; n < shortCalls; n++ {
		batches = append(batches, teacher.Short(impl.Methods(), n))
	}
	right := make([][][]reference.Answer, len(batches))
	for i, b := range batches {
		if right[i], err = impl.Replay(ctx, b); err != nil {
			return nil, inLongRun(err)
		}
	}
	t := &Told{Cut: len(executions) > mostTold || slices.ContainsFunc(executions, func(ls []history.Label) bool { return len(ls) > mostTold })}
	for _, m := range All(impl.Methods()) {
		switch at, err := firstDifference(ctx, impl, &m, batches, right); {
		case err != nil && !brokeDown(err):
			return nil, err
		case err != nil || at < 0:
			continue // nothing to expose
		case at > 0:
			t.Missed = append(t.Missed, m.Name)
		}
		t.Mutants++
	}
	return t, nil
}

// firstDifference is the first batch with a word to which the mutant answers
// something else than the reference, or -1.
func firstDifference(ctx context.Context, impl reference.Implementation, m *Mutant, batches [][]word, right [][][]reference.Answer) (int, error) {
	for i, b := range batches {
		wrong, err := m.Replay(ctx, impl, b)
		if err != nil {
			return -1, err
		}
		for k := range wrong {
			if _, differs := Differs(right[i][k], wrong[k]); differs {
				return i, nil
			}
		}
	}
	return -1, nil
}

// wordsOf are the calls of executions, so many of each, their values numbered by type.
func wordsOf(methods []reference.Method, executions [][]history.Label, most int) ([]word, error) {
	values := map[string][]history.Value{} // by type
	var words []word
	for _, labels := range executions {
		var w word
		for _, l := range labels[:min(len(labels), most)] {
			m := slices.IndexFunc(methods, func(m reference.Method) bool { return m.Name == l.Method && len(m.Args) == len(l.Args) })
			if m < 0 {
				return nil, fmt.Errorf("judge: the reference has no method %q with %d arguments", l.Method, len(l.Args))
			}
			for p, v := range l.Args {
				values[methods[m].Args[p]] = append(values[methods[m].Args[p]], v)
			}
			w = append(w, reference.Call{Method: m, Values: l.Args})
		}
		words = append(words, w)
	}
	for typ := range values {
		slices.SortFunc(values[typ], compareValues)
		values[typ] = slices.Compact(values[typ])
	}
	for _, w := range words {
		for i, c := range w {
			w[i].Values = nil
			for p, v := range c.Values {
				k, _ := slices.BinarySearchFunc(values[methods[c.Method].Args[p]], v, compareValues)
				if domain := methods[c.Method].ArgDomain[p]; domain > 0 {
					k %= domain
				}
				w[i].Args = append(w[i].Args, k+1)
			}
		}
	}
	return words, nil
}

// compareValues orders integers by size, before other texts.
func compareValues(a, b history.Value) int {
	m, wrongA := strconv.ParseInt(string(a), 10, 64)
	n, wrongB := strconv.ParseInt(string(b), 10, 64)
	switch {
	case wrongA == nil && wrongB == nil && m != n:
		if m < n {
			return -1
		}
		return 1
	case (wrongA == nil) != (wrongB == nil):
		if wrongA == nil {
			return -1
		}
		return 1
	}
	return strings.Compare(string(a), string(b))
}

// Text is one sentence about what was told.
func (t *Told) Text() string {
	calls := "these calls"
	if t.Cut {
		calls = fmt.Sprintf("the first %d calls of each of the first %d executions", mostTold, mostTold)
	}
	s := fmt.Sprintf("run sequentially, %s expose %d of %d wrong versions of the reference", calls, t.Mutants-len(t.Missed), t.Mutants)
	if len(t.Missed) == 0 {
		return s
	}
	s += "; missed: " + strings.Join(t.Missed[:min(len(t.Missed), mostNamed)], ", ")
	if more := len(t.Missed) - mostNamed; more > 0 {
		s += fmt.Sprintf(", and %d more", more)
	}
	return s
}
