package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/adtinfer/adtinfer/cmd/internal/review"
	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/host/files"
	"github.com/adtinfer/adtinfer/internal/host/memory"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// exploreOptions are the flags of explore.
type exploreOptions struct {
	explore.Options
	theory, format, memory, replay string
	out                            string
	aliases                        []string
	timeout                        time.Duration
	mutants, commits, confirms     bool
}

func newExplore(io streams) *cobra.Command {
	o := &exploreOptions{}
	c := &cobra.Command{
		Use:   "explore [--impl DIR] [--theory FILE | --ref DIR | --model NAME]",
		Short: "Explore every interleaving of a Go package",
		Long: `explore runs every interleaving of a few goroutines that call a concurrent type,
using its source as it is, and decides exactly whether all of them are
linearizable. It also finds data races, deadlocks, livelocks, panics of
goroutines and misused locks. For the first problem it prints a shortest
interleaving that leads to it, step by step. So it does if calls that come one
at a time lead to an operation that can return never again, or that does nothing
but panic.

The exported methods of the type are its operations. They are checked against a
theory, a reference or a built-in model; without any of these, against the
type's own sequential behaviour.

--policy checks the linearization policy that the package's directives (//lin:
comments) declare: each operation must take effect where the code announces it.
explore says whether a problem is the fault of the algorithm or of its policy.
-n any proves the policy for any number of goroutines and operations.
docs/policies.md describes the directives.

-n goroutines make -k calls each, with -d different values. Bounds you do not
give are raised step by step until --timeout. Goroutines that the object starts
are part of its state: a pool or an actor with two workers ends within
-n 2 -k 2 -d 2 in a second. Functions that are passed return, count, fail or
panic. Operations that reach code that cannot be explored are left out, which the
verdict says. Ctrl-C and --timeout print the result so far.`,
		Example: `  adtinfer explore --impl ./lazy
  adtinfer explore --impl ./lazy -n 2 -k 2 -d 2
  adtinfer explore --impl ./lazy -n 2 -k 2 -d 2 --theory set.theory.yaml --policy
  adtinfer explore --impl ./lazy -n any -d 2 --ref ./set
  adtinfer explore --impl ./ring --new 'NewRing(2)' --may-fail offer=false
  adtinfer explore --impl ./cache --only Set,Get,Len --loose Len
  adtinfer explore --impl ./stack --theory stack.theory.yaml --alias push=add --alias pop=remove
  adtinfer explore --impl ./lazy --replay x1-AbC...
  adtinfer explore --impl ./lazy -n 2 -k 2 -d 2 --mutants
  adtinfer explore --impl ./multiset --commits`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("explore takes no arguments, but got %q; name the package with --impl", args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return runExplore(c.Context(), io, o) },
	}
	o.register(c)
	return c
}

func (o *exploreOptions) register(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.Dir, "impl", ".", "the package to explore: a directory, or an import path")
	f.StringVar(&o.Type, "type", "", "the type to explore, if the package has several")
	f.StringVar(&o.New, "new", "", "Go expression that creates the object, such as 'NewRing(4)', for a constructor with parameters")
	f.StringSliceVar(&o.Tags, "tags", nil, "build tags")
	f.StringSliceVar(&o.Skip, "skip", nil, "methods that are not explored; the verdict names them")
	f.StringSliceVar(&o.Only, "only", nil, "explore only these methods; the verdict names the others")
	f.StringVar(&o.theory, "theory", "", "the theory file to check against")
	f.StringVar(&o.Reference, "ref", "", "the reference to check against: a directory, or an import path")
	f.StringVar(&o.ReferenceNew, "ref-new", "", "Go expression that creates an object of the reference")
	f.StringVar(&o.Model, "model", "", "the built-in model to check against: "+strings.Join(wgl.Builtins(), ", "))
	f.StringArrayVar(&o.MayFail, "may-fail", nil, "METHOD=OUTCOME: allow this answer in every state; it changes nothing")
	f.StringArrayVar(&o.aliases, "alias", nil, "NAME=METHOD: the package says NAME where the specification says METHOD")
	f.StringSliceVar(&o.Loose, "loose", nil, "methods, such as statistics, whose answers are checked only where no other call overlaps; the verdict names them")
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "threads" {
			name = "goroutines"
		}
		return pflag.NormalizedName(name)
	})
	f.VarP(goroutines{&o.Options}, "goroutines", "n", "number of goroutines (also --threads); 0: raised step by step; any: prove the policy, which --policy checks within bounds, for any number of goroutines and operations")
	f.IntVar(&o.Cap, "cap", 0, "with -n any: consider only states in which a goroutine reaches at most this many objects; 0: all states")
	f.IntVarP(&o.Bounds.Operations, "operations", "k", 0, "number of operations of each goroutine; 0: raised step by step")
	f.IntVarP(&o.Bounds.Values, "values", "d", 0, "number of values; 0: raised step by step")
	f.StringSliceVar(&o.Fresh, "fresh", nil, "operations whose first argument is different in each call, such as enqueue; a theory declares this itself")
	f.DurationVar(&o.timeout, "timeout", -1, "time limit; 0 means none (default 10s if a bound is raised step by step, else none)")
	f.Lookup("timeout").DefValue = "0s" // the help says what -1 means
	f.StringVar(&o.memory, "memory", "", "memory limit for states, such as 4GB (default: half of the machine's memory)")
	f.IntVar(&o.MaxSteps, "max-steps", 1<<26, "limit on instructions between two accesses to what other goroutines see; a loop beyond it is not explored, nor is a recursion beyond a thousandth of it")
	f.IntVarP(&o.Workers, "parallel", "j", runtime.GOMAXPROCS(0), "number of processors to use")
	f.StringVar(&o.replay, "replay", "", "replay a counterexample, or the interleaving of an adttest failure, from its replay string or a file that contains it; explore nothing")
	f.StringVar(&o.Checkpoint, "checkpoint", "", "save the state of the exploration in this file, for --resume")
	f.StringVar(&o.Resume, "resume", "", "continue from this checkpoint")
	f.BoolVar(&o.Policy, "policy", false, "check the linearization policy that the package's directives (//lin:) declare")
	f.BoolVar(&o.Leaks, "leaks", false, "a goroutine that waits forever after its operation has returned is a problem, as is an operation that waits forever without a lock")
	f.BoolVar(&o.mutants, "mutants", false, "also explore wrong versions of the package (mutants): how many are found shows how strong the bounds are")
	f.BoolVar(&o.commits, "commits", false, "explore nothing; check how the package records: report paths without exactly one commit, and writes that are not recorded")
	f.BoolVar(&o.confirms, "confirm", false, "look for the history of a counterexample in compiled code, under controlled schedules (see adtinfer test)")
	f.BoolVar(&o.NoFusion, "no-fusion", false, "make every memory access a step of its own; slow, for comparison")
	f.BoolVar(&o.NoSymmetry, "no-symmetry", false, "do not merge states that differ only in which goroutine is which; slow, for comparison")
	f.BoolVar(&o.All, "all", false, "show all steps of a drawing; without it, reads one after the other are one line, and so are reads and writes in libraries")
	f.StringVarP(&o.format, "format", "f", "text", "what to print: text, json or html (a page that steps through the interleaving)")
	f.StringVarP(&o.out, "output", "o", "", "write a counterexample to this directory: its drawing, its history as a log for check, and a Go test if the interleaving can be forced")
	choices(c, "format", "text", "json", pageFormat)
	choices(c, "model", wgl.Builtins()...)
	fileNames(c, "yaml", "theory")
	directories(c, "impl", "ref", "output")
}

// refused is what flags may not be. Some bound grows if it is not given.
func (o *exploreOptions) refused(grows bool) error {
	b, resumes := o.Bounds, given(o.Checkpoint, o.Resume)
	return cmp.Or(
		refuse(!slices.Contains([]string{"text", "json", pageFormat}, o.format), "unknown format %q: use text, json or html", o.format),
		refuse(o.format == pageFormat && given(o.mutants, o.commits), "-f html shows one interleaving, so it cannot be used with --mutants or --commits"),
		refuse(min(b.Threads, b.Operations, b.Values) < 0, "-n, -k and -d must not be negative; 0 means raised step by step"),
		refuse(o.AnyThreads && given(b.Operations, o.mutants, o.replay, resumes), "-n any proves a policy for any number of operations, so it cannot be used with -k, --mutants, --replay, --checkpoint or --resume"),
		refuse(o.Cap < 0 || o.Cap > 0 && !o.AnyThreads, "--cap needs -n any, and must not be negative"),
		refuse(o.timeout < -1, "--timeout must not be negative, but got %v", o.timeout),
		refuse(o.Workers < 1, "-j must be at least 1, but got %d", o.Workers),
		refuse(o.replay != "" && given(o.mutants, resumes), "--replay repeats one run, so it cannot be used with --mutants, --checkpoint or --resume"),
		refuse(o.commits && given(o.mutants, o.replay, o.Policy, o.theory, o.Reference, o.Model), "--commits runs nothing, so it can be used only with --impl, --type, --new and --tags"),
		refuse(resumes && given(grows, o.mutants), "a checkpoint belongs to one exploration: give -n, -k and -d, and leave out --mutants"))
}

func runExplore(ctx context.Context, st streams, o *exploreOptions) error {
	if err := o.validate(ctx); err != nil {
		return err
	}
	if o.commits {
		return o.runCommits(ctx, st)
	}
	p := st.progress()
	defer p.Done()
	o.Progress = func(x explore.Progress) {
		line := x.Doing
		if x.States > 0 {
			line += fmt.Sprintf(": %s, %s a second", wording.Count(int(x.States), "state"), wording.Number(int(x.Rate)))
		}
		p.Step(line)
	}
	limited := ctx
	if o.timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(ctx, o.timeout, fmt.Errorf("the time limit of %v was reached", o.timeout))
		defer cancel()
	}
	if o.mutants {
		return o.runMutants(limited, st, p)
	}
	var r *explore.Result
	var err error
	if o.replay != "" {
		r, err = explore.Replay(limited, o.Options, o.replay)
	} else {
		r, err = explore.Run(limited, o.Options)
	}
	p.Done()
	if err != nil {
		return o.failed(ctx, limited, err)
	}
	if err := o.confirm(ctx, st, r); err != nil {
		return err
	}
	return o.print(ctx, st, r)
}

// failed is the error of a run without a result.
func (o *exploreOptions) failed(ctx, limited context.Context, err error) error {
	if ctx.Err() == nil && limited.Err() != nil {
		return timedOut(o.timeout)
	}
	return err
}

// validate checks the flags before anything is loaded, and completes them.
func (o *exploreOptions) validate(ctx context.Context) (err error) {
	grows := !given(o.Bounds.Threads) || !given(o.Bounds.Operations) || !given(o.Bounds.Values)
	if err = o.refused(grows); err != nil {
		return err
	}
	if o.timeout == -1 {
		o.timeout = 0
		if grows && o.replay == "" && !o.AnyThreads {
			o.timeout = growFor
		}
	}
	if o.replay != "" {
		o.replay = replayString(o.replay)
	}
	if o.Memory, err = bytesOf("--memory", o.memory); o.Memory > 0 {
		debug.SetMemoryLimit(o.Memory / 4 * 5) // the collector's slack
	}
	if err != nil {
		return err
	}
	if o.Aliases, err = parseAliases(o.aliases); err != nil {
		return err
	}
	if o.theory != "" {
		c := &checkOptions{theory: o.theory}
		c.Engine = "auto"
		o.Theory, err = c.readTheory(ctx)
	}
	return err
}

// replayString is the string that a file with a counterexample has, or the word itself.
func replayString(word string) string {
	text, err := os.ReadFile(word)
	if err != nil {
		return word
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "replay "); ok {
			return strings.TrimSpace(rest)
		}
	}
	return strings.TrimSpace(string(text))
}

// goroutines is how many there are: a number, or any.
type goroutines struct{ *explore.Options }

func (g goroutines) String() string {
	switch {
	case g.Options == nil:
		return "0"
	case g.AnyThreads:
		return "any"
	}
	return strconv.Itoa(g.Bounds.Threads)
}

func (goroutines) Type() string { return "number" }

// Set reads a number, or any.
func (g goroutines) Set(text string) (err error) {
	if g.AnyThreads = text == "any"; g.AnyThreads {
		g.Policy = true
		return nil
	}
	if g.Bounds.Threads, err = strconv.Atoi(text); err != nil {
		return errors.New("must be a number, or any")
	}
	return nil
}

// growFor is how long bounds grow.
const growFor = 10 * time.Second

// bytesOf reads a number of bytes for a flag: 512MB, 4GB, 1000000; nothing is 0.
func bytesOf(flag, text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := memory.Parse(text)
	if err != nil {
		return 0, usagef("%s %w", flag, err)
	}
	return n, nil
}

// exploreCode is the exit code of a verdict.
func exploreCode(v explore.Verdict) error {
	switch v {
	case explore.Holds, explore.Proved:
		return nil
	case explore.Incomplete, explore.Unproved:
		return concluded(exitInconclusive)
	}
	return concluded(exitViolation)
}

// print prints a result, and writes its counterexample to files. The error is the exit
// code.
func (o *exploreOptions) print(ctx context.Context, st streams, r *explore.Result) error {
	for _, n := range r.Notes {
		fmt.Fprintln(st.err, "note:", wording.Line(n))
	}
	var err error
	switch o.format {
	case "json":
		err = r.JSON(st.out)
	case pageFormat:
		err = review.Run(st.out, r)
	default:
		_, err = io.WriteString(st.people(), wording.Text(r.Text()))
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
		return usagef("cannot create the directory for the counterexample: %w", files.Cause(err))
	}
	var log bytes.Buffer
	if err := history.WriteText(&log, c.History); err != nil {
		return err
	}
	all := []files.File{{Name: "counterexample.txt", Data: []byte(r.Text())}, {Name: "counterexample.log", Data: log.Bytes()}}
	test, err := o.overlay(c)
	if err != nil {
		return err
	}
	all = append(all, test...)
	if err := files.WriteAll(ctx, o.out, all); err != nil {
		return err
	}
	for _, f := range all {
		fmt.Fprintf(st.err, "wrote %s\n", wording.Line(o.out+"/"+f.Name))
	}
	if c.Test == nil {
		fmt.Fprintf(st.err, "note: no Go test was written: %s\n", wording.Line(c.NoTest))
		return nil
	}
	_, err = fmt.Fprintf(st.err, "to force the interleaving: go test -vet=off -overlay %s -run '^TestInterleaving$' %s\n", filepath.Join(o.out, "overlay.json"), r.Package)
	return err
}

// overlay is the files of a counterexample's Go test, and the list of what they replace.
func (o *exploreOptions) overlay(c *explore.Counterexample) (all []files.File, err error) {
	replace := map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(c.Test)) {
		name := filepath.Base(path) + ".txt"
		if replace[path], err = filepath.Abs(filepath.Join(o.out, name)); err != nil {
			return nil, err
		}
		all = append(all, files.File{Name: name, Data: []byte(c.Test[path])})
	}
	if len(all) == 0 {
		return nil, nil
	}
	list, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "  ")
	return append(all, files.File{Name: "overlay.json", Data: append(list, '\n')}), err
}
