package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/cmd/internal/terminal"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/out/page"
	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/refine"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// commitFlags say how logs are checked along their commits.
type commitFlags struct {
	commit    bool
	ref, make string
	anyError  bool
	observers []string
}

func (o *commitFlags) register(f *pflag.FlagSet) {
	f.BoolVar(&o.commit, "commit", false, "check binary logs in commit order, against --ref or --model; with --theory, also say what is to blame")
	f.StringVar(&o.ref, "ref", "", "the reference: a directory or import path, with #NAME of a type or Spec if it has several; with --theory and without --commit, also say which wrong versions of it these logs would expose")
	newFlag(f, &o.make, &o.anyError)
	f.StringSliceVar(&o.observers, "observer", nil, "with --commit: methods that change nothing and so need no commit")
}

// validateCommit refuses flags that mean nothing together.
func (o *checkOptions) validateCommit() error {
	return cmp.Or(
		refuse(!o.commit && len(o.observers) > 0, "--observer works only with --commit"),
		refuse(o.anyError && o.ref == "", "--any-error needs a reference: name it with --ref"),
		refuse(o.make != "" && o.ref == "", "--new %s needs a reference: name it with --ref", o.make),
		refuse(o.commit && (o.ref == "") == (o.Model == ""), "--commit needs a specification to run: --ref with a directory, such as --ref ./examples/queue, or --model with one of %s",
			strings.Join(wgl.Builtins(), ", ")))
}

// refinement checks one log along its commits.
type refinement func(ctx context.Context, l *record.Log) (refine.Result, error)

// runCommit is check --commit.
func runCommit(ctx context.Context, st streams, o *checkOptions, args []string) error {
	sources, err := o.ownLogs(ctx, st, args)
	if err != nil {
		return err
	}
	p := st.progress()
	defer p.Done()
	one, end, err := o.refinement(ctx, st, p)
	if err != nil {
		return err
	}
	defer end()
	r, err := o.newReporter(st)
	if err != nil {
		return err
	}
	r.page.again(sources, page.Knowing{}, ofRecording, nil)
	for s := range sources.Each {
		p.Step(countOf(r.tally.logs, sources.Len()))
		report := o.refine(ctx, s, one)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		p.Done()
		if err := r.report(report); err != nil {
			return err
		}
	}
	return r.end(ctx)
}

// refinement makes the specification ready. end closes it.
func (o *checkOptions) refinement(ctx context.Context, st streams, p *terminal.Progress) (one refinement, end func(), err error) {
	judge, err := o.judge(ctx)
	if err != nil {
		return nil, nil, err
	}
	aliases, err := parseAliases(o.aliases)
	if err != nil {
		return nil, nil, err
	}
	if o.Model != "" {
		one, err = o.modelRefinement(judge, aliases)
		return one, func() {}, err
	}
	p.Step("building the reference")
	pkg, err := reference.Load(ctx, o.ref, reference.Options{New: o.make, AnyError: true, OneValue: true, Stderr: &prefixWriter{w: st.err}})
	if err != nil {
		return nil, nil, err
	}
	own := map[string]int{}
	for _, m := range pkg.Methods() {
		own[m.Name] = len(m.Args)
	}
	if err := knownMethods(own, aliases); err != nil {
		pkg.Close()
		return nil, nil, err
	}
	if pkg.Info != nil {
		for method, names := range pkg.Info.Aliases {
			aliases[method] = append(aliases[method], names...)
		}
	}
	return func(ctx context.Context, l *record.Log) (refine.Result, error) {
		return refine.CheckReference(ctx, l, pkg.Implementation, aliases, refine.Options{Observers: o.observers, Judge: judge, NoTriage: judge == nil})
	}, func() { pkg.Close() }, nil
}

// modelRefinement is that of a built-in model, which is what judges unless a theory does.
func (o *checkOptions) modelRefinement(judge func(context.Context, *history.Execution) (check.Verdict, error), aliases map[string][]string) (refinement, error) {
	m, err := wgl.Builtin(o.Model)
	if err != nil {
		return nil, usageError{err}
	}
	known, err := modelMethods(o.Model, aliases)
	if err != nil {
		return nil, err
	}
	m = wgl.Renamed(m, aliases)
	spec := modelSpec{m}
	if judge == nil {
		judge = spec.judge
	}
	return func(ctx context.Context, l *record.Log) (refine.Result, error) {
		if e, err := l.Execution(); err == nil {
			if err := unknownCall(e, known, m, "model "+o.Model); err != nil {
				return refine.Result{}, err
			}
		}
		return refine.Check(ctx, l, spec, refine.Options{Observers: o.observers, Judge: judge})
	}, nil
}

// knownMethods checks that aliases are of methods that there are.
func knownMethods[T any](own map[string]T, aliases map[string][]string) error {
	for _, method := range slices.Sorted(maps.Keys(aliases)) {
		if _, ok := own[method]; !ok {
			return usagef("--alias %s=%s: there is no method %q%s", aliases[method][0], method, method, nearMethods(method, own))
		}
	}
	return nil
}

// modelMethods are the methods of a built-in model by the names that logs may use
// for them: the model's, and the aliases, to which it adds those that the model
// brings.
func modelMethods(model string, aliases map[string][]string) (map[string]history.MethodSig, error) {
	own := map[string]history.MethodSig{}
	for _, m := range wgl.Methods(model) {
		own[m.Name] = m
		for _, name := range m.Aliases {
			if more, ok := aliases[name]; ok {
				aliases[m.Name] = append(aliases[m.Name], more...)
				delete(aliases, name)
			}
		}
	}
	if err := knownMethods(own, aliases); err != nil {
		return nil, err
	}
	known := maps.Clone(own)
	for method, names := range aliases {
		for _, name := range names {
			known[name] = own[method]
		}
	}
	for _, m := range own {
		for _, name := range m.Aliases {
			if _, ok := known[name]; !ok {
				known[name], aliases[m.Name] = m, append(aliases[m.Name], name)
			}
		}
	}
	return known, nil
}

// unknownCall is the error of an execution with a call that a model does not know.
func unknownCall(e *history.Execution, known map[string]history.MethodSig, m wgl.Model, what string) error {
	refusing, _ := m.(wgl.Refusing)
	var labels []*history.Label
	for i := range e.Ops {
		o := &e.Ops[i]
		sig, ok := known[o.Method]
		switch n := len(o.Args); {
		case !ok:
			return fmt.Errorf("[%s] %s: %s has no method %q%s; if it is one of them, say which: --alias %s=METHOD",
				o.ID, o.Label, what, o.Method, nearMethods(o.Method, known), o.Method)
		case n > sig.Args || n < sig.Args-sig.Optional:
			most := ""
			if sig.Optional > 0 {
				most = "at most "
			}
			return fmt.Errorf("[%s] %s: %s takes %s%s in %s, not %d", o.ID, o.Label, o.Method, most, wording.Count(sig.Args, "argument"), what, n)
		case refusing != nil:
			if err := refusing.Refuses(&o.Label); err != nil {
				return fmt.Errorf("[%s] %s: %w", o.ID, o.Label, err)
			}
		}
		labels = append(labels, &o.Label)
	}
	if b, ok := m.(wgl.Bounded); ok {
		if at, err := b.Fits(labels); err != nil {
			return fmt.Errorf("[%s] %s: %w", e.Ops[at].ID, e.Ops[at].Label, err)
		}
	}
	return nil
}

// nearMethods says which method was meant, or which there are.
func nearMethods[T any](name string, methods map[string]T) string {
	names := slices.Sorted(maps.Keys(methods))
	return wording.HintOrAll(name, names, "methods")
}

// judge asks the engines about a theory, if there is one.
func (o *checkOptions) judge(ctx context.Context) (func(context.Context, *history.Execution) (check.Verdict, error), error) {
	if o.theory == "" {
		return nil, nil
	}
	t, err := o.readTheory(ctx)
	if err != nil {
		return nil, err
	}
	if t.Spec.Headline() == theory.ByModel {
		return nil, usagef("theory %s is the reference %s itself, so it cannot say what is to blame for a difference from the reference; leave out --theory", t.Name, t.Spec.Model.Package)
	}
	c, err := o.checker(ctx, t)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, e *history.Execution) (check.Verdict, error) {
		r, err := c.Check(ctx, e)
		return r.Verdict, err
	}, nil
}

// refine reads and checks one log.
func (o *checkOptions) refine(ctx context.Context, s check.Source, one refinement) check.Report {
	r := check.Report{Name: s.Name}
	l, err := readRecorded(s)
	if err != nil {
		r.Err = err
		return r
	}
	ctx, cancel := within(ctx, o.Timeout)
	defer cancel()
	res, err := one(ctx, l)
	switch {
	case err != nil && ctx.Err() == context.DeadlineExceeded:
		r.Result = check.Result{Verdict: check.Inconclusive, Detail: fmt.Sprintf("time ran out after %v", o.Timeout.Round(time.Millisecond))}
	case err != nil:
		r.Err = fmt.Errorf("%s: %s", s.Name, message(err))
	default:
		r.Result = check.Result{Verdict: res.Verdict, Engine: "commit", Detail: found(res)}
		if e, err := l.Execution(); err == nil { // not so if somebody recorded wrongly after a violation
			r.Ops, r.Coverage, r.Result.Events = len(e.Ops), history.Of(e), e.Events
		}
	}
	return r
}

// found is what the result says beyond the verdict.
func found(r refine.Result) string {
	s := ""
	if r.Op != nil {
		s = wording.Line(fmt.Sprintf("at %s, after %d commits: %s", r.Op, r.Commits, r.Reason))
	}
	switch r.Blame {
	case "":
	case refine.Unknown:
		s += " (unknown: give --theory to learn what is to blame)"
	default:
		s += " (" + string(r.Blame) + ")"
	}
	if s != "" && r.Detail != "" {
		s += "; "
	}
	return s + r.Detail
}

// readRecorded reads a binary log; others have no commits.
func readRecorded(s check.Source) (*record.Log, error) {
	f, err := s.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	if start, _ := in.Peek(len(binlog.Prefix)); string(start) != binlog.Prefix {
		return nil, usagef("%s: not a binary log, and only binary logs have commits; Stream and WriteBinary of package record write them", s.Name)
	}
	return record.ReadBinary(in, s.Name)
}

// ofRecording is the execution in a binary log that was recorded.
func ofRecording(r io.Reader, name string) ([]*history.Execution, []page.Annotation, error) {
	l, err := record.ReadBinary(r, name)
	if err != nil {
		return nil, nil, err
	}
	e, err := l.Execution()
	return []*history.Execution{e}, nil, err
}

// modelSpec is a built-in model as the specification that logs are checked against
// along their commits. The states of models are persistent.
type modelSpec struct{ wgl.Model }

func (m modelSpec) New() wgl.State              { return m.Init() }
func (m modelSpec) Clone(s wgl.State) wgl.State { return s }
func (m modelSpec) Step(s wgl.State, op *refine.Op) (wgl.State, bool) {
	l := op.Label()
	next, ok := m.Model.Step(s, &l)
	if !ok {
		return s, false
	}
	return next, true
}

// judge searches for a linearization over the model.
func (m modelSpec) judge(ctx context.Context, e *history.Execution) (check.Verdict, error) {
	r, err := wgl.Check(ctx, m.Model, e, wgl.Options{Partition: true})
	switch {
	case err != nil:
		return check.Inconclusive, nil
	case r.Linearizable:
		return check.Linearizable, nil
	}
	return check.Violation, nil
}
