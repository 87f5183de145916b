package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/coverage"
)

// tally counts the verdicts of many logs.
type tally struct {
	logs, violations, inconclusive int
	failed                         []check.Report // those that could not be read
	procedures                     []string       // near-linear procedures that decided, and why they were chosen
	by                             []string       // who else decided

	// coverage is how much all logs together could have shown of the kinds that
	// the data type has.
	coverage coverage.Coverage
	kinds    []history.Kind
}

// add counts one log.
func (s *tally) add(r check.Report) {
	s.logs++
	if r.Err == nil {
		s.coverage.Add(r.Coverage)
	}
	if r.Kinds != nil {
		s.kinds = r.Kinds
	}
	if p := r.Result.Procedure; p != "" && !slices.Contains(s.procedures, p) {
		s.procedures = append(s.procedures, p)
	}
	if by := r.Result.By; by != "" && !slices.Contains(s.by, by) {
		s.by = append(s.by, by)
	}
	switch {
	case r.Err != nil:
		s.failed = append(s.failed, r)
	case r.Result.Verdict == check.Violation:
		s.violations++
	case r.Result.Verdict == check.Inconclusive:
		s.inconclusive++
	}
}

// sequential reports whether no two operations of the logs overlap, so that
// the verdicts say nothing about concurrency.
func (s *tally) sequential() bool { return s.coverage.Operations > 0 && s.coverage.Overlaps == 0 }

// String is the summary in one line, one on what the logs could have shown, and
// one for each procedure, reference or model that decided.
func (s *tally) String() string {
	parts := []string{fmt.Sprintf("%d logs: %d violations", s.logs, s.violations)}
	if s.logs == 1 {
		parts[0] = strings.Replace(parts[0], "logs", "log", 1)
	}
	if s.violations == 1 {
		parts[0] = strings.Replace(parts[0], "violations", "violation", 1)
	}
	if s.inconclusive > 0 {
		parts = append(parts, fmt.Sprintf("%d inconclusive", s.inconclusive))
	}
	if len(s.failed) > 0 {
		parts = append(parts, fmt.Sprintf("%d could not be read", len(s.failed)))
	}
	lines := []string{strings.Join(parts, ", ")}
	if s.coverage.Operations > 0 {
		lines = append(lines, s.coverage.Text(s.kinds))
	}
	for _, p := range s.procedures {
		lines = append(lines, "by the procedure for its shape: "+p)
	}
	for _, by := range s.by {
		lines = append(lines, "decided by "+by)
	}
	return strings.Join(lines, "\n")
}
