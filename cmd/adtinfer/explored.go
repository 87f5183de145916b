package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/printable"
)

// print prints a result, and writes its counterexample to files. The error is the exit
// code.
func (o *exploreOptions) print(ctx context.Context, st streams, r *explore.Result) error {
	for _, n := range r.Notes {
		fmt.Fprintln(st.err, "note:", printable.Line(n))
	}
	var err error
	if o.format == "json" {
		err = r.JSON(st.out)
	} else {
		_, err = io.WriteString(st.out, printable.Text(r.Text()))
	}
	if err != nil {
		return err
	}
	if err := o.write(context.WithoutCancel(ctx), st, r); err != nil {
		return err
	}
	return exploreCode(r.Verdict)
}

// write writes a counterexample to files.
func (o *exploreOptions) write(ctx context.Context, st streams, r *explore.Result) error {
	c := r.Counterexample
	if c == nil || o.out == "" {
		return nil
	}
	if err := os.MkdirAll(o.out, 0o777); err != nil {
		return usagef("cannot make the directory for the counterexample: %w", cause(err))
	}
	var log bytes.Buffer
	if err := history.WriteText(&log, c.History); err != nil {
		return err
	}
	all := []file{{"counterexample.txt", []byte(r.Text())}, {"counterexample.log", log.Bytes()}}
	if err := writeFiles(ctx, o.out, all); err != nil {
		return err
	}
	for _, f := range all {
		fmt.Fprintf(st.err, "wrote %s\n", printable.Line(o.out+"/"+f.name))
	}
	return nil
}

// runMutants explores wrong versions of a package.
func (o *exploreOptions) runMutants(ctx context.Context, st streams, p *progress) error {
	r, all, err := explore.Mutants(ctx, o.Options)
	p.done()
	if err != nil {
		return o.failed(ctx, ctx, err)
	}
	if r.Verdict != explore.Holds {
		return o.print(ctx, st, r)
	}
	if o.format == "json" {
		e := json.NewEncoder(st.out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		err = e.Encode(all)
	} else {
		_, err = io.WriteString(st.out, printable.Text(r.Text()+mutantTable(all)))
	}
	if err == nil && ctx.Err() != nil {
		err = concluded(exitInconclusive)
	}
	return err
}

// mutantTable is a line for each mutant, those that nothing saw last.
func mutantTable(all []explore.Mutant) string {
	var b, survivors strings.Builder
	seen, left := 0, 0
	place := 0
	for _, m := range all {
		place = max(place, len(m.Place()))
	}
	for _, m := range all {
		line := fmt.Sprintf("  %-*s  %s", place, m.Place(), m.What)
		switch {
		case m.Verdict == explore.Holds:
			fmt.Fprintln(&survivors, line)
		case m.Verdict == explore.Incomplete:
			left++
			fmt.Fprintf(&survivors, "%s (not explored to the end)\n", line)
		default:
			seen++
			fmt.Fprintf(&b, "%s: %s at (%d,%d,%d)\n", line, m.Verdict, m.Bounds.Threads, m.Bounds.Operations, m.Bounds.Values)
		}
	}
	head := fmt.Sprintf("\n%d of %s seen, at (goroutines, operations, values):\n", seen, printable.Count(len(all), "mutant"))
	if survivors.Len() == 0 {
		return head + b.String()
	}
	return head + b.String() + fmt.Sprintf("\nnot seen, so they change nothing that matters, or the bounds are too small:\n%s", survivors.String())
}
