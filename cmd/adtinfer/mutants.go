package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/adtinfer/adtinfer/cmd/internal/terminal"
	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// runCommits looks at how a package records.
func (o *exploreOptions) runCommits(ctx context.Context, st streams) error {
	r, err := explore.Commits(ctx, o.Options)
	if err != nil {
		return err
	}
	if o.format == "json" {
		e := json.NewEncoder(st.out)
		e.SetIndent("", "  ")
		err = e.Encode(r)
	} else {
		for _, f := range r.Findings {
			fmt.Fprintln(st.people(), wording.Line(f.String()))
		}
		_, err = fmt.Fprintf(st.people(), "%s recorded (%s): %s\n", wording.Count(len(r.Operations), "operation"), strings.Join(r.Operations, ", "),
			wording.Count(len(r.Findings), "finding"))
	}
	if err == nil && len(r.Findings) > 0 {
		err = concluded(exitViolation)
	}
	return err
}

// runMutants explores wrong versions of a package.
func (o *exploreOptions) runMutants(ctx context.Context, st streams, p *terminal.Progress) error {
	r, all, err := explore.Mutants(ctx, o.Options)
	p.Done()
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
		_, err = io.WriteString(st.people(), wording.Text(r.Text()+mutantTable(all)))
	}
	if err == nil && ctx.Err() != nil {
		err = concluded(exitInconclusive)
	}
	return err
}

// mutantTable is a line for each mutant, those that were not found last.
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
			fmt.Fprintf(&survivors, "%s (exploration incomplete)\n", line)
		default:
			seen++
			fmt.Fprintf(&b, "%s: %s at (%d,%d,%d)\n", line, m.Verdict, m.Bounds.Threads, m.Bounds.Operations, m.Bounds.Values)
		}
	}
	head := fmt.Sprintf("\n%d of %s found, at (goroutines, operations, values):\n", seen, wording.Count(len(all), "mutant"))
	if survivors.Len() == 0 {
		return head + b.String()
	}
	return head + b.String() + fmt.Sprintf("\nnot found; either they change nothing that matters, or the bounds are too small:\n%s", survivors.String())
}
