// Package results reads what check -f json wrote, and makes one result of several.
//
//	var all results.Set
//	err := all.Read(f, "shard-1.json")
//	for r := range all.Sorted() { ... }
//
//	Set     results of logs, one a log
//	Result  what came of a log
package results

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/coverage"
)

// Result is what came of a log, or of an object of one.
type Result struct {
	Report check.Report
	Line   string // as it was written
	Where  string // file:line, where it is first
	Again  []Again
}

// Again is a further result of the same log.
type Again struct {
	Where  string
	Differ bool
}

// Mutants is which wrong versions of a reference the logs do not tell from it.
type Mutants struct {
	Mutants int      `json:"mutants"`
	Told    int      `json:"told"`
	Missed  []string `json:"missed,omitempty"`
}

// Set is results of logs. Of several of one log the worst counts; of equally bad ones the
// one whose line is last in lexical order, so that the order in which they come does not matter.
// The zero Set is empty.
type Set struct {
	logs    map[key]*Result
	Mutants *Mutants // nil if nobody asked
}

type key struct{ file, object string }

// maxLine is how long a result may be.
const maxLine = 64 << 20

// Read adds the results in a file, one a line.
func (s *Set) Read(r io.Reader, file string) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	n := 0
	for in.Scan() {
		n++
		line := bytes.TrimSpace(in.Bytes())
		if len(line) == 0 {
			continue
		}
		if err := s.add(line, fmt.Sprintf("%s:%d", file, n)); err != nil {
			return fmt.Errorf("%s:%d: %w", file, n, err)
		}
	}
	if errors.Is(in.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("%s:%d: the line is longer than %d bytes; results have one line each, as check -f json writes them", file, n+1, maxLine)
	}
	return in.Err()
}

// record is a line.
type record struct {
	File     *string       `json:"file"`
	Object   string        `json:"object"`
	Error    *string       `json:"error"`
	Verdict  check.Verdict `json:"verdict"`
	Engine   string        `json:"engine"`
	Events   int           `json:"events"`
	Prefix   int           `json:"prefix"`
	Patterns []string      `json:"patterns"`
	Detail   string        `json:"detail"`

	Procedure string `json:"procedure"`
	By        string `json:"by"`

	Operations int64    `json:"operations"`
	Width      int      `json:"width"`
	Overlaps   int64    `json:"overlaps"`
	Unseen     []string `json:"unseen"`

	Mutants *int     `json:"mutants"`
	Missed  []string `json:"missed"`
}

const noResult = "is no result; give files that check -f json wrote"

func (s *Set) add(line []byte, where string) error {
	var j record
	if err := json.Unmarshal(line, &j); err != nil {
		return fmt.Errorf("%s (%w)", noResult, err)
	}
	known := []check.Verdict{check.Violation, check.Linearizable, check.NoViolationFound, check.Inconclusive}
	switch {
	case j.Mutants != nil && j.File == nil:
		return s.mutants(*j.Mutants, j.Missed)
	case j.File == nil:
		return fmt.Errorf("%s: it has no field \"file\"", noResult)
	case j.Error == nil && !slices.Contains(known, j.Verdict):
		return fmt.Errorf("%s: %q is no verdict", noResult, j.Verdict)
	case j.Events < 0, j.Prefix < 0, j.Prefix > j.Events, j.Operations < 0, j.Overlaps < 0, j.Width < 0:
		return fmt.Errorf("%s: its counts cannot be", noResult)
	}
	if s.logs == nil {
		s.logs = map[key]*Result{}
	}
	r := &Result{Report: j.report(), Line: string(line), Where: where}
	k := key{*j.File, j.Object}
	old := s.logs[k]
	if old == nil {
		s.logs[k] = r
		return nil
	}
	old.Again = append(old.Again, Again{where, old.Line != r.Line})
	if compare(r, old) > 0 {
		old.Report, old.Line = r.Report, r.Line
	}
	return nil
}

// report is a line as a report; the explanation stays in the line.
func (j *record) report() check.Report {
	r := check.Report{Name: *j.File, Object: j.Object}
	if j.Error != nil {
		r.Err = errors.New(*j.Error)
		return r
	}
	r.Result = check.Result{Verdict: j.Verdict, Engine: j.Engine, Events: j.Events, Prefix: j.Prefix, Patterns: j.Patterns,
		Detail: j.Detail, Procedure: j.Procedure, By: j.By}
	r.Ops = int(j.Operations)
	r.Coverage = coverage.Coverage{Operations: j.Operations, Overlaps: j.Overlaps, Width: j.Width}
	for _, text := range j.Unseen {
		method, outcome, ok := strings.Cut(text, " => ")
		if !ok {
			outcome = string(history.None)
		}
		r.Kinds = append(r.Kinds, history.Kind{Method: method, Outcome: history.Outcome(outcome)})
	}
	return r
}

// compare orders results of one log by how bad they are, and then by their lines.
func compare(a, b *Result) int {
	rank := func(r *Result) int {
		if r.Report.Err != nil {
			return 3
		}
		return map[check.Verdict]int{check.Violation: 4, check.Inconclusive: 2, check.NoViolationFound: 1}[r.Report.Result.Verdict]
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Line, b.Line))
}

// mutants adds which wrong versions some of the logs miss: all miss what each of them misses.
func (s *Set) mutants(made int, missed []string) error {
	if s.Mutants == nil {
		s.Mutants = &Mutants{Mutants: made, Missed: missed}
	} else if s.Mutants.Mutants != made {
		return fmt.Errorf("the reference has %d wrong versions here, and %d in another result; were the references the same?", made, s.Mutants.Mutants)
	}
	m := s.Mutants
	m.Missed = slices.DeleteFunc(slices.Clone(m.Missed), func(name string) bool { return !slices.Contains(missed, name) })
	slices.Sort(m.Missed)
	m.Told = m.Mutants - len(m.Missed)
	return nil
}

// Sorted is the results in the order of the logs' names. The kinds that all logs together
// never show are the Kinds of each.
func (s *Set) Sorted() []*Result {
	keys := slices.SortedFunc(maps.Keys(s.logs), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.object, b.object))
	})
	var all []*Result
	var unseen []history.Kind
	first := true
	for _, k := range keys {
		r := s.logs[k]
		all = append(all, r)
		if r.Report.Err != nil {
			continue
		}
		if first {
			unseen, first = slices.Clone(r.Report.Kinds), false
		}
		unseen = slices.DeleteFunc(unseen, func(k history.Kind) bool { return !slices.Contains(r.Report.Kinds, k) })
	}
	for _, r := range all {
		r.Report.Kinds = unseen
	}
	return all
}
