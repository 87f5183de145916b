package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/check/sources"
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/history/foreign"
	"github.com/adtinfer/adtinfer/internal/host/files"
	"github.com/adtinfer/adtinfer/internal/host/memory"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/out/page"
)

// pageFormat is the format that makes a file.
const pageFormat = "html"

// registerOutput adds the flag for the file that html makes.
func (o *checkOptions) registerOutput(c *cobra.Command) {
	c.Flags().StringVarP(&o.output, "output", "o", "", "the file that -f html writes")
	choices(c, "format", verdictFormatNames()...)
	fileNames(c, "html", "output")
}

// validateOutput checks the name of the file that html makes.
func (o *checkOptions) validateOutput() error {
	switch {
	case o.format == pageFormat && o.output == "":
		return usagef("-f html writes a file: name it with -o, such as -o run.html")
	case o.format == pageFormat && o.output == "-":
		return usagef("-o needs a file, because standard output holds the summary of the run")
	case o.format == pageFormat && files.IsDir(o.output):
		return usagef("-o needs a file, but %s is a directory", o.output)
	case o.format != pageFormat && o.output != "":
		return usagef("-o is for -f html only; -f %s is printed, so redirect it: > %s", o.format, wording.Word(o.output))
	}
	return nil
}

// probeOutput refuses a file that cannot be written, before hours of work.
func (o *checkOptions) probeOutput(ctx context.Context) error {
	if o.output == "" {
		return nil
	}
	return files.Probe(ctx, o.output)
}

// ownLogs are what arguments and --files-from name, if the page that is asked for can be made of them.
func (o *checkOptions) ownLogs(ctx context.Context, st streams, args []string) (*sources.List, error) {
	l, err := o.logs(ctx, st, args)
	if err == nil {
		err = o.validatePage(l)
	}
	return l, err
}

// validatePage refuses a log that cannot be read again for its page, or that the page would
// replace.
func (o *checkOptions) validatePage(logs *sources.List) error {
	log, single := logs.Single()
	if o.format != pageFormat || !single {
		return nil
	}
	if sameFile(o.output, log) {
		return usagef("-o: %s is the log, and the page would overwrite it", o.output)
	}
	if info, err := os.Stat(log); o.follow || !logs.Twice() || err == nil && !info.Mode().IsRegular() {
		return usagef("-f html reads the log twice, so it cannot be used with standard input, pipes or --follow; write the log to a file first, for example with tee run.log")
	}
	return nil
}

// pageFile is the file of html.
type pageFile struct {
	path  string
	run   page.Run
	log   func(memory.Reader) (*page.Log, error) // reads the only log again, in those limits; nil if there may be several
	prove prover                                 // nil: no order is shown

	most    int64         // memory; 0: no limit
	timeout time.Duration // for check and page; 0: no limit

	page.Knowing // states of the object
}

// prover finds the order that explains a log.
type prover func(context.Context, *history.Execution, check.Result) (*evidence.Evidence, error)

// again has the page of a single log show all of that, with the order that explains it if
// there is a prover.
func (p *pageFile) again(logs *sources.List, known page.Knowing, read func(io.Reader, string) ([]*history.Execution, []page.Annotation, error), prove prover) {
	if _, single := logs.Single(); p == nil || !single {
		return
	}
	p.prove, p.Knowing = prove, known
	p.log = func(limits memory.Reader) (*page.Log, error) {
		for s := range logs.Each {
			f, err := s.Open()
			if err != nil {
				return nil, err
			}
			defer f.Close()
			return page.ReadLog(limits, f, s.Name, known.Theory, read)
		}
		return nil, nil
	}
}

// annotated reads a log with its annotations.
func (o *checkOptions) annotated(c *check.Checker) func(io.Reader, string) ([]*history.Execution, []page.Annotation, error) {
	return func(r io.Reader, name string) (es []*history.Execution, notes []page.Annotation, err error) {
		o.annotate = func(a foreign.Annotation) {
			notes = append(notes, page.Annotation{At: a.At, By: a.By, Text: a.Text, Line: a.Pos.Line})
		}
		defer func() { o.annotate = nil }()
		es, err = c.ReadObjects(r, name)
		return es, notes, err
	}
}

// write makes the file.
func (p *pageFile) write(ctx context.Context, r *reporter) error {
	if p == nil {
		return nil
	}
	if p.log == nil || len(r.reports) != 1 {
		return files.Write(ctx, p.path, func(w io.Writer) error { return page.WriteVerdicts(w, p.run, r.headline(), r.reports) })
	}
	v := page.Verdict{Run: p.run, Report: r.reports[0]}
	limits, done := p.limits(ctx, v.Report.Took)
	defer done()
	v.Limits = limits
	if err := v.Read(func() (*page.Log, error) { return p.log(*limits) }); err != nil {
		return usageError{err}
	}
	if v.Log != nil && p.prove != nil && v.Report.Evidence == nil && v.Report.Result.Verdict == check.Linearizable {
		wait := unaskedTime
		if end, ok := limits.Ctx.Deadline(); ok {
			wait = min(wait, time.Until(end)/2)
		}
		limited, cancel := context.WithTimeout(limits.Ctx, wait)
		v.Report.Evidence, _ = p.prove(limited, v.Log.Execution, v.Report.Result) // else the page has no order
		cancel()
	}
	v.States = func(order []history.Label) []string { return p.After(limits.Ctx, order) }
	err := files.Write(ctx, p.path, func(w io.Writer) error { return page.WriteVerdict(w, &v) })
	if err == nil && v.Left {
		fmt.Fprintf(r.st.err, "note: %s: %s\n", p.path, v.NoLog)
	}
	return err
}

// limits are those of a page: its memory, and the time that the check has left, or a quarter.
func (p *pageFile) limits(ctx context.Context, took time.Duration) (limits *memory.Reader, done func()) {
	guard := memory.Watch(p.most)
	ctx, use := guard.Enter(ctx)
	cancel := context.CancelFunc(func() {})
	if p.timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, max(p.timeout-took, p.timeout/4))
	}
	return &memory.Reader{Ctx: ctx, Use: use}, func() { cancel(); use.Leave(); guard.Close() }
}

// specified is what logs are checked against, in words.
func (o *checkOptions) specified() string {
	var parts []string
	for _, x := range []struct{ what, name string }{{"theory", o.theory}, {"reference", o.ref}, {"model", o.Model}} {
		if x.name != "" {
			parts = append(parts, x.what+" "+x.name)
		}
	}
	return strings.Join(parts, ", ")
}

// commandLine is what the program was called with, for a shell.
func commandLine() string {
	words := []string{"adtinfer"}
	for _, w := range os.Args[1:] {
		words = append(words, wording.Word(w))
	}
	return strings.Join(words, " ")
}
