package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/adtinfer/adtinfer/schedule"
)

// testOptions are the flags of test.
type testOptions struct {
	schedule.Budget
	run, race, format, replay string
	tags                      []string
	parallel                  int
	timeout                   time.Duration
}

func newTest(io streams) *cobra.Command {
	o := &testOptions{}
	c := &cobra.Command{
		Use:   "test [PACKAGES] [-- FLAGS OF THE TEST PROGRAM]",
		Short: "Run a package's own tests under many schedules",
		Long: `test runs the tests of packages as they are, each under many schedules: one
goroutine runs at a time, and which one is decided at each operation on a channel,
lock, atomic or variable that others may see. It finds failing tests, panics,
deadlocks and data races that depend on the order in which goroutines run, shows
the order that fails, and makes it again with --replay.

Go's runtime is changed for this in a copy in the cache folder; your source and
the installed Go are not. Time is virtual: a sleep takes no time. Schedules are
samples: a test that passes may fail in another order. explore decides all orders
of a type's operations.

The names are those of go test, and may have one dash: -run, -race, -tags.`,
		Example: `  adtinfer test
  adtinfer test ./... -run 'Cache|Queue'
  adtinfer test ./pool -run TestClose --schedules 20000
  adtinfer test ./pool --replay 's1+go1.26.0+...'
  adtinfer test ./... -f junit`,
		RunE: func(c *cobra.Command, args []string) error {
			patterns := args
			if n := c.ArgsLenAtDash(); n >= 0 {
				patterns, o.Args = args[:n], args[n:]
			}
			return runTest(c.Context(), io, o, patterns)
		},
	}
	f := c.Flags()
	f.StringVar(&o.run, "run", "", "only tests whose names match this regular expression")
	f.IntVarP(&o.Schedules, "schedules", "n", 1000, "schedules of each test, at most; a quarter as many again run under the race detector")
	f.DurationVarP(&o.Time, "time", "t", 10*time.Second, "time for each test, at most; 0 means no limit: then the result does not depend on the machine")
	f.Uint64Var(&o.Seed, "seed", 0, "other seeds have other schedules")
	f.IntVar(&o.Steps, "steps", 100_000, "steps of one schedule, at most; a schedule that reaches it says nothing")
	f.BoolVar(&o.Leaks, "leaks", false, "goroutines that are blocked for ever at the end of a test are failures")
	f.StringVar(&o.race, "race", "auto", "run under the race detector, too: auto (if there is a C compiler), on, only or off")
	f.Lookup("race").NoOptDefVal = "on"
	f.StringSliceVar(&o.tags, "tags", nil, "build tags")
	f.IntVarP(&o.parallel, "parallel", "j", runtime.GOMAXPROCS(0), "tests that run at the same time")
	f.DurationVar(&o.timeout, "timeout", 0, "time limit of the whole run; 0 means none; the exit code is 3 if it is reached")
	f.StringVar(&o.replay, "replay", "", "make the schedule of a failure again, from its replay string")
	f.StringVarP(&o.format, "format", "f", "text", "what to print: text, json (one object per line), junit or github")
	choices(c, "format", "text", "json", "junit", "github")
	choices(c, "race", "auto", "on", "only", "off")
	return c
}

// goDashes gives flags of go test their second dash: people type adtinfer test -run.
func goDashes(args []string) []string {
	if len(args) == 0 || args[0] != "test" {
		return args
	}
	all := append([]string(nil), args...)
	for i, a := range all {
		if a == "--" {
			break
		}
		for _, name := range []string{"run", "race", "tags", "replay", "timeout", "seed", "schedules", "steps", "leaks", "time"} {
			if a == "-"+name || strings.HasPrefix(a, "-"+name+"=") {
				all[i] = "-" + a
			}
		}
	}
	return all
}

func (o *testOptions) refused() error {
	_, bad := regexp.Compile(o.run)
	return errors.Join(
		refuse(bad != nil, "--run %q is no regular expression: %v", o.run, bad),
		refuse(o.Schedules < 1, "--schedules %d: at least 1 is needed", o.Schedules),
		refuse(o.Steps < 1, "--steps %d: at least 1 is needed", o.Steps),
		refuse(o.Time < 0 || o.timeout < 0, "a time limit is not negative"),
		refuse(o.parallel < 1, "--parallel %d: at least 1 is needed", o.parallel),
		refuse(!slices.Contains([]string{"auto", "on", "only", "off"}, o.race), "unknown --race %q: use auto, on, only or off", o.race),
		refuse(!slices.Contains([]string{"text", "json", "junit", "github"}, o.format), "unknown format %q: use text, json, junit or github", o.format),
	)
}

func runTest(ctx context.Context, io streams, o *testOptions, patterns []string) error {
	if err := o.refused(); err != nil {
		return err
	}
	o.run, o.Sub, _ = strings.Cut(o.run, "/") // as go test does
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	if o.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, o.timeout, timedOut(o.timeout))
		defer cancel()
	}
	tool, err := schedule.NewToolchain(ctx, ".")
	if err != nil {
		return usageError{err}
	}
	folder, err := os.MkdirTemp("", "adtinfer-test-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	t := &tester{io: io, o: o, tool: tool, folder: folder, out: newTestReport(io, o.format)}
	if o.replay != "" {
		return t.replay(ctx)
	}
	return t.all(ctx, patterns)
}

// tester runs tests and reports.
type tester struct {
	io     streams
	o      *testOptions
	tool   *schedule.Toolchain
	folder string
	out    *testReport
}

// build compiles test programs.
func (t *tester) build(ctx context.Context, patterns []string, race bool) (programs []*schedule.Program, err error) {
	err = t.compile(ctx, race, func(b schedule.BuildOptions) (err error) {
		programs, err = t.tool.Build(ctx, ".", patterns, b)
		return err
	})
	return programs, err
}

// compile calls what compiles test programs with the options for them.
func (t *tester) compile(ctx context.Context, race bool, f func(schedule.BuildOptions) error) error {
	b := schedule.BuildOptions{Race: race, Out: filepath.Join(t.folder, "plain")}
	if race {
		b.Out = filepath.Join(t.folder, "race")
	}
	if len(t.o.tags) > 0 {
		b.Args = []string{"-tags", strings.Join(t.o.tags, ",")}
	}
	if err := os.MkdirAll(b.Out, 0o700); err != nil {
		return err
	}
	p := t.io.progress()
	defer p.Done()
	p.Step("compiling the tests" + map[bool]string{true: " with the race detector"}[race] + " (the first time takes half a minute)")
	err := f(b)
	if err != nil && ctx.Err() == nil {
		return usageError{err}
	}
	return err
}

// withRace reports whether tests run under the race detector.
func (t *tester) withRace() (bool, error) {
	_, err := exec.LookPath(cCompiler())
	none := err != nil || os.Getenv("CGO_ENABLED") == "0"
	switch t.o.race {
	case "auto":
		return !none, nil
	case "off":
		return false, nil
	}
	why := fmt.Sprintf("there is no C compiler (%s): install one", cCompiler())
	if os.Getenv("CGO_ENABLED") == "0" {
		why = "CGO_ENABLED is 0: set it to 1"
	}
	return true, refuse(none, "--race needs cgo, and %s, or use --race=off", why)
}

func cCompiler() string {
	if cc := strings.Fields(os.Getenv("CC")); len(cc) > 0 {
		return cc[0]
	}
	return "gcc"
}

func (t *tester) replay(ctx context.Context) error {
	r, err := schedule.ParseReplay(t.o.replay)
	if err != nil {
		return usageError{err}
	}
	var program *schedule.Program
	err = t.compile(ctx, r.Race, func(b schedule.BuildOptions) (err error) {
		program, err = t.tool.BuildFor(ctx, ".", r, b)
		return err
	})
	if err != nil {
		return err
	}
	result, err := program.Replay(ctx, r, t.o.Args)
	if err != nil {
		return usageError{err}
	}
	t.out.add(result)
	return t.out.end()
}

// all runs the tests of all packages: first without the race detector, then what passed with it.
func (t *tester) all(ctx context.Context, patterns []string) error {
	race, err := t.withRace()
	if err != nil {
		return err
	}
	plain, err := t.build(ctx, patterns, false)
	if err != nil {
		return err
	}
	var raced []*schedule.Program
	if race {
		if raced, err = t.build(ctx, patterns, true); err != nil {
			return err
		}
	}
	for i, p := range plain {
		tests, err := p.Tests(ctx, t.o.run)
		if err != nil {
			return usageError{err}
		}
		both := []*schedule.Program{p}
		if race {
			both = append(both, raced[i])
		}
		if t.o.race == "only" {
			both = both[1:]
		}
		if err := t.tests(ctx, both, tests); err != nil {
			if ctx.Err() != nil && len(t.out.results) > 0 {
				_ = t.out.end() // what is known; the exit code is that of the end
			}
			return err
		}
	}
	return t.out.end()
}

// tests runs tests of one package, some at the same time, and reports them in their order.
func (t *tester) tests(ctx context.Context, programs []*schedule.Program, tests []string) error {
	type outcome struct {
		result *schedule.Result
		err    error
	}
	free := make(chan struct{}, t.o.parallel)
	outcomes := make([]chan outcome, len(tests))
	for i, name := range tests {
		outcomes[i] = make(chan outcome, 1)
		go func() {
			free <- struct{}{}
			defer func() { <-free }()
			r, err := schedule.RunAll(ctx, programs, name, t.o.Budget)
			outcomes[i] <- outcome{r, err}
		}()
	}
	p := t.io.progress()
	defer p.Done()
	for i, name := range tests {
		p.Step(name)
		o := <-outcomes[i]
		if o.err != nil {
			return o.err
		}
		if o.result.Failure != nil {
			p.Step("exploring the interleavings of " + name)
			t.handed(ctx, o.result.Failure, programs[0].Dir)
		}
		p.Done()
		t.out.add(o.result)
	}
	return nil
}
