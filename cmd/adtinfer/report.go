package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/judge"
	"github.com/adtinfer/adtinfer/out"
)

// reporter prints what came of logs, in the format that was asked for.
type reporter struct {
	st      streams
	format  string
	junit   out.JUnit
	summary out.Summary
	told    *judge.Told // if there is a reference
}

// report prints one report; one in text about a log that could not be read
// waits for the end.
func (p *reporter) report(r check.Report) error {
	if r.Err != nil {
		r.Err = errors.New(message(r.Err))
	}
	p.summary.Add(r)
	switch {
	case p.format == "junit":
		p.junit.Add(r)
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
	for _, r := range p.summary.Failed {
		fmt.Fprintln(p.st.err, "adtinfer:", r.Err)
	}
	if p.summary.Sequential() {
		fmt.Fprintln(p.st.err, "warning: no two operations overlap, so these logs say nothing about concurrency")
	}
	var err error
	switch p.format {
	case "text":
		text := p.summary.String() + "\n"
		if p.told != nil {
			text += p.told.Text() + "\n"
		}
		_, err = io.WriteString(p.st.out, text)
	case "json":
		if p.told != nil {
			err = out.ToldJSON(p.st.out, p.told.Mutants, p.told.Missed)
		}
	case "junit":
		err = p.junit.Write(p.st.out)
	}
	if err != nil {
		return err
	}
	return verdictCode(p.summary)
}
