package main

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
	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/out"
)

// partResult is what came of a log, or of an object of one.
type partResult struct {
	Report check.Report
	Line   string // as it was written, or as it would have been for all keys at once
	Where  string // file:line, where it is first
	Again  []twice

	shards map[int]*partResult // of the log's keys, by number; nil if the result is about all
}

// twice is a further result of the same log, or of the same shard of its keys.
type twice struct {
	First, Where string
	Differ       bool
}

// resultSet is results of logs. Of several of one log the worst counts; of equally bad ones the
// one whose line is last in lexical order, so that the order in which they come does not matter.
// The zero resultSet is empty.
type resultSet struct {
	logs map[key]*partResult
	Told *describe.Told // which wrong versions of a reference the logs tell from it; nil if nobody asked
}

type key struct{ file, object string }

// maxLine is how long a result may be.
const maxLine = 64 << 20

// Read adds the results in a file, one a line.
func (s *resultSet) Read(r io.Reader, file string) error {
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

// resultLine is a line.
type resultLine struct {
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
	Uncompared []string `json:"uncompared"`

	Keys *keys `json:"keys"`

	Mutants *int     `json:"mutants"`
	Missed  []string `json:"missed"`
}

// keys is which keys of a log a result is about.
type keys struct {
	Shard   int    `json:"shard"`
	Of      int    `json:"of"`
	Against string `json:"against"`
}

const noResult = "is not a result; give files that check -f json wrote"

func (s *resultSet) add(line []byte, where string) error {
	var j resultLine
	if err := json.Unmarshal(line, &j); err != nil {
		return fmt.Errorf("%s (%w)", noResult, err)
	}
	if j.Mutants != nil && j.File == nil {
		return s.mutants(*j.Mutants, j.Missed)
	}
	if err := j.refused(); err != nil {
		return err
	}
	if s.logs == nil {
		s.logs = map[key]*partResult{}
	}
	r := &partResult{Report: j.report(), Line: string(line), Where: where}
	k := key{*j.File, j.Object}
	old := s.logs[k]
	switch {
	case old != nil && (old.shards != nil) != (j.Keys != nil):
		return fmt.Errorf("%s has a result for all its keys and one for a shard of them (%s); give only one kind", *j.File, old.Where)
	case j.Keys != nil:
		return s.addShard(k, r)
	case old == nil:
		s.logs[k] = r
		return nil
	}
	old.Again = append(old.Again, twice{old.Where, where, old.Line != r.Line})
	if compare(r, old) > 0 {
		old.Report, old.Line = r.Report, r.Line
	}
	return nil
}

// refused is why a line is no result of a log.
func (j *resultLine) refused() error {
	known := []check.Verdict{check.Violation, check.Linearizable, check.NoViolationFound, check.Inconclusive}
	switch {
	case j.File == nil:
		return fmt.Errorf("%s: it has no field \"file\"", noResult)
	case j.Error == nil && !slices.Contains(known, j.Verdict):
		return fmt.Errorf("%s: %q is not a verdict", noResult, j.Verdict)
	case j.Events < 0, j.Prefix < 0, j.Prefix > j.Events, j.Operations < 0, j.Overlaps < 0, j.Width < 0:
		return fmt.Errorf("%s: its counts are impossible", noResult)
	case j.Keys != nil && (j.Keys.Shard < 1 || j.Keys.Shard > j.Keys.Of):
		return fmt.Errorf("%s: there is no shard %d of %d", noResult, j.Keys.Shard, j.Keys.Of)
	}
	return nil
}

// addShard adds a result about some keys of a log.
func (s *resultSet) addShard(k key, r *partResult) error {
	all := s.logs[k]
	if all == nil {
		all = &partResult{Where: r.Where, shards: map[int]*partResult{}}
		s.logs[k] = all
	}
	own := r.Report.Shard
	for _, old := range all.shards {
		switch of := old.Report.Shard; {
		case of.N != own.N:
			return fmt.Errorf("%s: its keys are split into %d shards here, but into %d in %s; use one number of shards", k.file, own.N, of.N, old.Where)
		case of.Against != own.Against:
			return fmt.Errorf("%s: its keys are checked against %q here, but against %q in %s; use one theory and one version for all shards", k.file, own.Against, of.Against, old.Where)
		}
	}
	if old := all.shards[own.I]; old != nil {
		all.Again = append(all.Again, twice{old.Where, r.Where, old.Line != r.Line})
		if compare(r, old) <= 0 {
			return nil
		}
	}
	all.shards[own.I] = r
	return nil
}

// Complete makes one result of the shards of each log. The error says which are missing.
func (s *resultSet) Complete() error {
	for _, k := range s.sorted() {
		var missing []string
		n := 0
		for _, r := range s.logs[k].shards {
			n = r.Report.Shard.N
		}
		for i := 1; i <= n; i++ {
			if s.logs[k].shards[i] == nil {
				missing = append(missing, fmt.Sprintf("%d/%d", i, n))
			}
		}
		if len(missing) > 0 {
			return fmt.Errorf("%s: there is no result for the keys of shard %s; check them with --split-by key --shard", k.file, strings.Join(missing, ", "))
		}
		if n > 0 {
			if err := s.logs[k].merge(); err != nil {
				return err
			}
		}
	}
	return nil
}

// merge makes one result of those of the shards, with the explanation of the worst.
func (r *partResult) merge() error {
	var worst *partResult
	for _, i := range slices.Sorted(maps.Keys(r.shards)) {
		own := r.shards[i]
		if worst == nil {
			worst, r.Report = own, own.Report
			continue
		}
		kinds := together(r.Report, own.Report)
		if r.Report = check.Merge(r.Report, own.Report); rank(own) > rank(worst) || rank(own) == rank(worst) && own.Report.Result.Prefix < worst.Report.Result.Prefix {
			worst = own
		}
		r.Report.Kinds = kinds
	}
	r.Report.Shard = check.Shard{}
	var line strings.Builder
	if err := out.VerdictJSON(&line, r.Report, out.Plain); err != nil {
		return err
	}
	r.Line = strings.TrimSpace(line.String())
	var why struct {
		Explanation json.RawMessage `json:"explanation"`
	}
	err := json.Unmarshal([]byte(worst.Line), &why)
	if len(why.Explanation) > 0 {
		r.Line = strings.TrimSuffix(r.Line, "}") + `,"explanation":` + string(why.Explanation) + "}"
	}
	return err
}

// report is a line as a report; the explanation stays in the line.
func (j *resultLine) report() check.Report {
	r := check.Report{Name: *j.File, Object: j.Object}
	if j.Keys != nil {
		r.Shard = check.Shard{I: j.Keys.Shard, N: j.Keys.Of, Against: j.Keys.Against}
	}
	if j.Error != nil {
		r.Err = errors.New(*j.Error)
		return r
	}
	r.Result = check.Result{Verdict: j.Verdict, Engine: j.Engine, Events: j.Events, Prefix: j.Prefix, Patterns: j.Patterns,
		Detail: j.Detail, Procedure: j.Procedure, By: j.By}
	r.Ops = int(j.Operations)
	r.Coverage = history.Coverage{Operations: j.Operations, Overlaps: j.Overlaps, Width: j.Width}
	for _, text := range j.Unseen {
		method, outcome, ok := strings.Cut(text, " => ")
		if !ok {
			outcome = string(history.None)
		}
		r.Kinds = append(r.Kinds, history.Kind{Method: method, Outcome: history.Outcome(outcome)})
	}
	for _, method := range j.Uncompared {
		r.Kinds = append(r.Kinds, history.Kind{Method: method, Outcome: history.Error})
		r.Coverage.Return(method, history.Error)
	}
	r.Coverage.End()
	return r
}

// together are the kinds that neither report has seen, and those that one is known to have seen.
func together(a, b check.Report) (kinds []history.Kind) {
	for _, k := range slices.Concat(a.Kinds, b.Kinds) {
		seen := a.Coverage.Count(k)+b.Coverage.Count(k) > 0
		if !slices.Contains(kinds, k) && (seen || slices.Contains(a.Kinds, k) && slices.Contains(b.Kinds, k)) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// compare orders results of one log by how bad they are, and then by their lines.
func compare(a, b *partResult) int {
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Line, b.Line))
}

// rank is how bad a result is.
func rank(r *partResult) int {
	if r.Report.Err != nil {
		return 3
	}
	return map[check.Verdict]int{check.Violation: 4, check.Inconclusive: 2, check.NoViolationFound: 1}[r.Report.Result.Verdict]
}

// mutants adds which wrong versions some of the logs miss: all miss what each of them misses.
func (s *resultSet) mutants(made int, missed []string) error {
	if s.Told == nil {
		s.Told = &describe.Told{Mutants: made, Missed: missed}
	} else if s.Told.Mutants != made {
		return fmt.Errorf("the reference has %d wrong versions here, but %d in another result; was it the same reference?", made, s.Told.Mutants)
	}
	s.Told.Missed = slices.DeleteFunc(s.Told.Missed, func(name string) bool { return !slices.Contains(missed, name) })
	slices.Sort(s.Told.Missed)
	return nil
}

// Sorted is the results in the order of the logs' names; ask Complete first. The kinds that all logs together
// never show are the Kinds of each.
func (s *resultSet) Sorted() []*partResult {
	var all []*partResult
	var sum check.Report
	first := true
	for _, k := range s.sorted() {
		r := s.logs[k]
		all = append(all, r)
		if r.Report.Err != nil {
			continue
		}
		if first {
			sum.Kinds, first = r.Report.Kinds, false
		}
		sum.Kinds = together(sum, r.Report)
		sum.Coverage.Add(r.Report.Coverage)
	}
	for _, r := range all {
		r.Report.Kinds = sum.Kinds
	}
	return all
}

// sorted is the logs in order.
func (s *resultSet) sorted() []key {
	return slices.SortedFunc(maps.Keys(s.logs), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.object, b.object))
	})
}
