package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/coverage"
	"github.com/adtinfer/adtinfer/internal/judge"
	"github.com/adtinfer/adtinfer/internal/sources"
	"github.com/adtinfer/adtinfer/internal/terminal"
	"github.com/adtinfer/adtinfer/out"
	"github.com/adtinfer/adtinfer/reference"
)

// reporter prints what came of logs, in the format that was asked for.
type reporter struct {
	st      streams
	format  string
	reports []check.Report // for junit, which is one document
	tally   tally
	told    *judge.Told // if there is a reference
}

// report prints one report; one in text about a log that could not be read
// waits for the end.
func (p *reporter) report(r check.Report) error {
	if r.Err != nil {
		r.Err = errors.New(message(r.Err))
	}
	p.tally.add(r)
	switch {
	case p.format == "junit":
		p.reports = append(p.reports, r)
		return nil
	case p.format == "json":
		return out.VerdictJSON(p.st.out, r, p.st.style())
	case r.Err == nil:
		return out.VerdictText(p.st.out, r, p.st.style())
	}
	return nil
}

// end prints what comes last. Its error is the exit code.
func (p *reporter) end() error {
	for _, r := range p.tally.failed {
		fmt.Fprintln(p.st.err, "adtinfer:", r.Err)
	}
	if p.tally.sequential() {
		fmt.Fprintln(p.st.err, "warning: no two operations overlap, so these logs say nothing about concurrency")
	}
	var err error
	switch p.format {
	case "text":
		text := p.tally.String() + "\n"
		if p.told != nil {
			text += p.told.Text() + "\n"
		}
		_, err = io.WriteString(p.st.out, text)
	case "json":
		if p.told != nil {
			err = json.NewEncoder(p.st.out).Encode(struct {
				Mutants int      `json:"mutants"`
				Told    int      `json:"told"`
				Missed  []string `json:"missed,omitempty"`
			}{p.told.Mutants, p.told.Mutants - len(p.told.Missed), p.told.Missed})
		}
	case "junit":
		err = out.JUnit(p.st.out, p.reports)
	}
	if err != nil {
		return err
	}
	return verdictCode(p.tally)
}

// tells says which wrong versions of the reference the calls of the logs tell from
// it; nil if there are none. Logs that cannot be read have been reported.
func (o *checkOptions) tells(ctx context.Context, p *terminal.Progress, c *check.Checker, sources *sources.List) (*judge.Told, error) {
	p.Step("trying wrong versions of the reference")
	defer p.Done()
	var executions [][]history.Label
	for s := range sources.Each {
		f, err := s.Open()
		if err != nil {
			continue
		}
		e, err := c.ReadLog(f, s.Name)
		f.Close()
		if err != nil {
			continue
		}
		var labels []history.Label
		for i := range e.Ops {
			labels = append(labels, e.Ops[i].Label)
		}
		executions = append(executions, labels)
	}
	if len(executions) == 0 {
		return nil, nil
	}
	return judge.Tells(ctx, o.Reference.(*reference.Package).Implementation, executions)
}

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
