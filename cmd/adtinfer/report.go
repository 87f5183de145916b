package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/judge"
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
func (o *checkOptions) tells(ctx context.Context, p *progress, c *check.Checker, sources []check.Source) (*judge.Told, error) {
	p.step("trying wrong versions of the reference")
	defer p.done()
	var executions [][]history.Label
	for _, s := range sources {
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
