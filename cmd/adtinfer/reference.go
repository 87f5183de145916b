package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/check/sources"
	"github.com/adtinfer/adtinfer/cmd/internal/terminal"
	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/host/files"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// referenceFlags say which reference is meant and how its operations match.
type referenceFlags struct {
	ref                string
	load               reference.Options
	infer              patterns.Options
	mode               string
	scheme, predicates string
	solver, dump       string
	timeout            time.Duration
	recorder           *solver.Recorder // of the last query, if it is to be dumped
	language, mayFail  []string
}

func (o *referenceFlags) register(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.ref, "ref", "", "the reference, by default the package here: a directory or import path, with #NAME of a type or Spec if it has several")
	f.StringVar(&o.load.Type, "type", "", "the type or Spec to use")
	newFlag(f, &o.load.New, &o.load.AnyError)
	f.StringVar(&o.load.TypeArg, "type-arg", "", "type argument for a generic type (default int)")
	f.StringSliceVar(&o.load.Skip, "skip", nil, "methods to leave out")
	f.DurationVar(&o.load.Timeout, "call-timeout", reference.DefaultTimeout, "time limit for each call of the reference")
	f.DurationVar(&o.timeout, "timeout", 0, "time limit; 0 means none; the exit code is 3 if it is reached")
	f.StringVar(&o.scheme, "scheme", "", "YAML file with the language, predicates and matching to use")
	f.StringVar(&o.predicates, "predicates", "", "YAML file with predicates that a synthesized matching may use")
	f.StringArrayVar(&o.language, "language", nil, "a rule of the language, as a formula; \"all\" for all executions (default: the rules of the reference, or those that are found)")
	f.StringVar(&o.solver, "solver", "", "the SAT solver for the search for a matching scheme: "+strings.Join(solvers().Names(), ", ")+" (default gini)")
	f.StringVar(&o.dump, "dump-query", "", "write the last SAT query to this file (.cnf, .dimacs or .smt2)")
	f.StringVar(&o.mode, "matching", "timeless", "how operations match: timeless, or past (only earlier operations are match targets)")
	f.IntVar(&o.infer.Checks.MinLength, "check-length", 0, "check faithfulness and normality at least up to this length")
	choices(c, "solver", solvers().Names()...)
	choices(c, "matching", "timeless", "past")
	fileNames(c, "yaml", "scheme", "predicates")
	directories(c, "ref")
}

// newFlag makes the flags that go with every --ref.
func newFlag(f *pflag.FlagSet, to *string, anyError *bool) {
	f.BoolVar(anyError, "any-error", false, "take all errors of a method of the reference for one outcome, whichever they are")
	f.StringVar(to, "new", "", "Go expression that creates an object of the reference, such as 'NewRing(4)', for a constructor with parameters")
}

// namesErrors reports whether a theory, if there is one, may have names for errors: one without
// any has all errors of a method as one outcome.
func namesErrors(t *theory.Theory) bool {
	if t == nil {
		return true
	}
	for _, m := range t.Spec.Methods {
		if slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Error != "" }) {
			return true
		}
	}
	return !slices.ContainsFunc(t.Spec.Methods, func(m history.MethodSig) bool {
		return slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Outcome == history.Error })
	})
}

// splits reports whether a theory, if there is one, may have fields of structs as values of
// their own.
func splits(t *theory.Theory) bool {
	return t == nil || slices.ContainsFunc(t.Spec.Methods, func(m history.MethodSig) bool { return m.Structs != nil })
}

// loadFor starts a reference whose answers are those that a theory, if there is one, may have.
func loadFor(ctx context.Context, st streams, t *theory.Theory, ref, expr string, anyError bool) (*reference.Package, error) {
	return reference.Load(ctx, ref, reference.Options{New: expr, AnyError: anyError || !namesErrors(t), OneValue: !splits(t), Stderr: &prefixWriter{w: st.err}})
}

// sameNew refuses a reference that makes its objects otherwise than the one that
// the theory was inferred from. What a file says is not run without being asked.
func sameNew(t *theory.Theory, given string) error {
	if t == nil || t.New == "" || given != "" {
		return nil
	}
	return usagef("theory %s describes the objects that %s creates: also give --new '%[2]s'", t.Name, t.New)
}

// maxLength is the most that flags may ask for: executions of this length are
// beyond counting, and no package is made for longer ones.
const maxLength = 100

// validate checks the flags before anything is run.
func (o *referenceFlags) validate() error {
	if o.ref = cmp.Or(o.ref, nearbyReference()); o.ref == "" {
		return usagef("no reference given, and no Go files are here: use --ref with a directory, such as --ref ./examples/queue")
	}
	o.infer.Past = o.mode == "past"
	if o.mode != "timeless" && o.mode != "past" {
		return usagef("unknown matching %q: use timeless or past", o.mode)
	}
	if o.load.Timeout < 0 {
		return usagef("--call-timeout must not be negative, but is %v", o.load.Timeout)
	}
	if o.timeout < 0 {
		return usagef("--timeout must not be negative, but is %v; 0 means no limit", o.timeout)
	}
	if n := o.infer.Checks.MinLength; n < 0 || n > maxLength {
		return usagef("--check-length %d: give a length from 1 to %d", n, maxLength)
	}
	if n := o.infer.Checks.MinLength; n > 0 {
		o.infer.Checks = matching.Budget{Executions: matching.DefaultBudget.Executions, MinLength: n, MaxLength: max(n, matching.DefaultBudget.MaxLength)}
	}
	o.infer.Amend = o.amend
	newSolver, err := solvers().ByName(o.solver)
	if err != nil {
		return usageError{err}
	}
	o.infer.Synthesis.Solver = newSolver
	if o.dump == "" {
		return nil
	}
	o.infer.Synthesis.Solver = func() solver.Solver {
		o.recorder = solver.NewRecorder(newSolver())
		return o.recorder
	}
	if _, err := solver.FormatOf(o.dump); err != nil {
		return usageError{err}
	}
	return nil
}

// amend puts what the flags say in place of what the reference declares.
func (o *referenceFlags) amend(s theory.Spec) (theory.Spec, error) {
	var err error
	for _, file := range []string{o.predicates, o.scheme} {
		if file == "" {
			continue
		}
		if s, err = amendFrom(file, s); err != nil {
			return s, usageError{err}
		}
		if file == o.predicates {
			if err := usable(file, s.Predicates); err != nil {
				return s, err
			}
		}
	}
	if len(o.language) == 0 {
		return s, nil
	}
	s.Language = []theory.Rule{}
	t := theory.Theory{Spec: s}
	for i, src := range o.language {
		if src == "all" {
			continue
		}
		f, err := formula.Parse(src, t.Vocabulary())
		if err != nil {
			return s, usagef("--language: %w in %q", err, src)
		}
		s.Language = append(s.Language, theory.Rule{Name: fmt.Sprintf("rule-%d", i+1), Formula: f, Reading: formula.String(f)})
	}
	return s, nil
}

// usable refuses predicates that no matching could use.
func usable(file string, ps []formula.Predicate) error {
	for _, p := range ps {
		if n := len(p.Params); n == 0 || n > 2 {
			return usagef("%s: predicate %s has %d parameters; a matching relates two operations, so it takes one or two", file, p.Name, n)
		}
		if c, ok := formula.Simplify(p.Body).(formula.Const); ok {
			return usagef("%s: predicate %s is always %v, so it distinguishes nothing", file, p.Name, bool(c))
		}
	}
	return nil
}

func amendFrom(file string, s theory.Spec) (theory.Spec, error) {
	f, err := os.Open(file)
	if err != nil {
		return s, err
	}
	defer f.Close()
	return theory.ReadScheme(f, file, s)
}

// dumpQuery writes the last query where the flags ask for it.
func (o *referenceFlags) dumpQuery(ctx context.Context) error {
	if o.dump == "" {
		return nil
	}
	if o.recorder == nil {
		return usagef("no query to write to %s: the matching scheme was given, so there was no search", o.dump)
	}
	format, err := solver.FormatOf(o.dump)
	if err != nil {
		return err
	}
	return files.Write(ctx, o.dump, func(w io.Writer) error { return o.recorder.Dump(w, format) })
}

// within is the context within a time limit; 0: none.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, limit)
}

// stopped says why a context has ended, and what was being done.
func (o *referenceFlags) stopped(ctx context.Context, p *terminal.Progress) error {
	err := context.Canceled
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = timedOut(o.timeout)
	}
	return fmt.Errorf("%w while %s", err, p.Last())
}

// loaded is a reference that runs, with what it declares.
type loaded struct {
	*reference.Package
	info reference.Info
}

// loadReference builds and starts a reference; tests run theirs in this process.
var loadReference = reference.Load

// open builds and starts the reference. Close it.
func (o *referenceFlags) open(ctx context.Context, io streams, p *terminal.Progress) (*loaded, error) {
	p.Step("building the reference")
	prints := &prefixWriter{w: io.err}
	o.load.Stderr = prints
	o.load.Warn = func(note string) {
		p.Done()
		fmt.Fprintln(io.err, "note:", note)
	}
	pkg, err := loadReference(ctx, o.ref, o.load)
	if err != nil {
		return nil, err
	}
	if left := leftOut(pkg.Notes); 2*len(left) > len(left)+len(pkg.Methods()) {
		p.Done()
		fmt.Fprintf(io.err, "warning: %d of the %d methods of %s are left out, so what follows describes only part of it; %s\n",
			len(left), len(left)+len(pkg.Methods()), pkg.TypeName, driver.Advice)
	}
	for _, n := range pkg.Notes {
		p.Done()
		fmt.Fprintln(io.err, "note:", n)
	}
	l := &loaded{Package: pkg}
	if pkg.Info != nil {
		l.info = *pkg.Info
	}
	l.info.MayFail = append(l.info.MayFail, o.mayFail...)
	t, err := patterns.Declare(pkg.Implementation, l.info)
	if err == nil {
		_, err = o.amend(t.Spec)
	}
	if err != nil {
		pkg.Close()
		return nil, usageError{err}
	}
	o.infer.Progress = p.Step
	return l, nil
}

// leftOut are the notes about methods that cannot be operations.
func leftOut(notes []string) (left []string) {
	for _, n := range notes {
		if strings.HasPrefix(n, "method ") && strings.Contains(n, " is skipped: ") && !strings.HasSuffix(n, ": as asked") && !strings.HasSuffix(n, ": it describes the object") {
			left = append(left, n)
		}
	}
	return left
}

// explain puts in words why a reference without a scheme of its own has no
// theory.
func (o *referenceFlags) explain(ctx context.Context, err error, l *loaded) error {
	if len(l.info.Target) > 0 || o.scheme != "" {
		return err
	}
	return describe.Explain(ctx, l.Implementation, l.info, describe.ExplainOptions{
		Options: o.infer,
		Useful: func(ctx context.Context, less reference.Implementation, t *theory.Theory) bool {
			return describe.Stands(ctx, less, l.info, t, describe.Judging{LongRuns: describe.DefaultLongRuns})
		},
		GivenLanguage: len(o.language) > 0,
	}, err)
}

// prefixWriter marks what the reference prints, so that it is not taken for
// ours, and passes on the first lines only: a reference is run many times.
type prefixWriter struct {
	w io.Writer

	mu    sync.Mutex
	rest  []byte // a line without its end
	lines int
}

// prefixLines is how many lines are passed on.
const prefixLines = 10

func (p *prefixWriter) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lines > prefixLines {
		return len(b), nil
	}
	p.rest = append(p.rest, b...)
	for {
		line, rest, ok := bytes.Cut(p.rest, []byte{'\n'})
		if !ok {
			return len(b), nil
		}
		p.rest = rest
		if p.lines++; p.lines > prefixLines {
			fmt.Fprintln(p.w, "reference: ... (more output left out)")
			return len(b), nil
		}
		fmt.Fprintf(p.w, "reference: %s\n", line)
	}
}

// tells says which wrong versions of the reference the calls of the logs tell from
// it; nil if there are none. Logs that cannot be read have been reported.
func (o *checkOptions) tells(ctx context.Context, p *terminal.Progress, c *check.Checker, sources *sources.List) (*describe.Told, error) {
	p.Step("trying wrong versions of the reference")
	defer p.Done()
	var executions [][]history.Label
	for s := range sources.Each {
		f, err := s.Open()
		if err != nil {
			continue
		}
		objects, err := c.ReadObjects(f, s.Name)
		f.Close()
		if err != nil {
			continue
		}
		for _, e := range objects {
			var labels []history.Label
			for i := range e.Ops {
				labels = append(labels, e.Ops[i].Label)
			}
			executions = append(executions, labels)
		}
	}
	if len(executions) == 0 {
		return nil, nil
	}
	return describe.Tells(ctx, o.Reference.(*reference.Package).Implementation, executions)
}
