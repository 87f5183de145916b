package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/schedule"
)

// confirm looks for a counterexample's history in compiled code, under controlled schedules, and notes what came of it.
func (o *exploreOptions) confirm(ctx context.Context, st streams, r *explore.Result) error {
	c := r.Counterexample
	if !o.confirms || c == nil {
		return nil
	}
	if c.Calls == nil {
		r.Notes = append(r.Notes, "not looked for in compiled code: there is no history that is wrong, or no test can make its calls")
		return nil
	}
	p := st.progress()
	defer p.Done()
	p.Step("compiling the calls of the counterexample")
	dir := "."
	for path := range c.Calls {
		dir = filepath.Dir(path)
	}
	tool, err := schedule.NewToolchain(ctx, dir)
	if errors.Is(err, schedule.ErrUnsupported) {
		r.Notes = append(r.Notes, "not looked for in compiled code: "+err.Error())
		return nil
	}
	if err != nil {
		return usageError{err}
	}
	folder, err := os.MkdirTemp("", "adtinfer-confirm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	var args []string
	for _, tag := range o.Tags {
		args = append(args, "-tags", tag)
	}
	programs, err := tool.Build(ctx, dir, []string{"."}, schedule.BuildOptions{Out: folder, Files: c.Calls, Deps: true, Args: args})
	if err != nil && ctx.Err() == nil {
		r.Notes = append(r.Notes, "not looked for in compiled code: "+err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	p.Step("looking for the counterexample in compiled code")
	found, err := programs[0].Run(ctx, "TestHistory", schedule.Budget{Schedules: 50_000, Time: 20 * time.Second})
	if err != nil {
		return err
	}
	r.Notes = append(r.Notes, confirmed(found))
	return nil
}

// confirmed says what came of a counterexample in compiled code.
func confirmed(found *schedule.Result) string {
	switch {
	case found.Verdict == schedule.Failed:
		return fmt.Sprintf("confirmed on compiled code: schedule %s has a history that is wrong in the same way", wording.Number(found.Failure.Number))
	case found.Verdict.Failing():
		return fmt.Sprintf("in compiled code these calls show something else: %s (%s)", found.Failure.Message, found.Verdict)
	case found.Verdict == schedule.Undecided:
		return "not found in compiled code: " + found.Why
	}
	return fmt.Sprintf("not found in compiled code under %s", wording.Count(found.Schedules, "schedule"))
}
