package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/host/files"
	"github.com/adtinfer/adtinfer/internal/semantics/axioms"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// verifyOptions are the flags of verify.
type verifyOptions struct {
	readFlags
	theory, ref, model string
	make               string
	anyError           bool
	aliases, mayFail   []string
	timeout            time.Duration
	object             string // of several
}

func newVerify(io streams) *cobra.Command {
	o := &verifyOptions{}
	c := &cobra.Command{
		Use:   "verify LOG EVIDENCE {--theory FILE | --ref DIR | --model NAME}",
		Short: "Verify the evidence for a verdict",
		Long: `verify accepts or rejects the evidence that check --witness wrote for a log. It
does not search. A linearization must contain each operation that returned
exactly once, respect real time, and be a run of the reference or the built-in
model. Each step of a derivation must follow from earlier steps, real time and
the patterns of the theory, and the theory must cover the log. If the theory has
an automaton, or its axioms amount to one, verify runs it. With --ref or --model
beside a theory, verify first compares the theory with that, on short sequences
of operations and some longer ones. Linearizations need no theory.

If a line of the evidence is wrong, verify says which one. - as LOG is standard
input.`,
		Example: `  adtinfer check --theory queue.theory.yaml --witness run.evidence run.log
  adtinfer verify run.log run.evidence --ref ./queue
  adtinfer verify run.log run.evidence --theory queue.theory.yaml --ref ./queue
  adtinfer verify run.log run.evidence --theory queue.theory.yaml --model queue`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("verify needs two files, the log and the evidence, but got %d", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return o.inTime(c.Context(), io, args[1], func(ctx context.Context) error { return runVerify(ctx, io, o, args[0], args[1]) })
		},
	}
	f := c.Flags()
	f.StringVar(&o.theory, "theory", "", "the theory file")
	f.StringVar(&o.ref, "ref", "", "the reference to compare the theory and a linearization with: a directory or import path, with #NAME of a type or Spec if it has several")
	newFlag(f, &o.make, &o.anyError)
	f.StringArrayVar(&o.mayFail, "may-fail", nil, "METHOD=OUTCOME: allow this answer in every state; it changes nothing; as given to check")
	f.StringVar(&o.model, "model", "", "the built-in model to compare the theory and a linearization with: "+strings.Join(wgl.Builtins(), ", "))
	f.StringArrayVar(&o.aliases, "alias", nil, "NAME=METHOD: the log says NAME where the theory says METHOD")
	f.DurationVar(&o.timeout, "timeout", 0, "time limit; 0 means none; the exit code is 3 if it is reached")
	o.readFlags.register(c, "how far clocks may be from the true time; as given to check")
	f.StringVar(&o.object, "object", "", "the object that the evidence is about, if the log has several")
	choices(c, "model", wgl.Builtins()...)
	fileNames(c, "yaml", "theory")
	directories(c, "ref")
	return c
}

// inTime verifies until the time is over.
func (o *verifyOptions) inTime(ctx context.Context, st streams, file string, run func(context.Context) error) error {
	if o.timeout < 0 {
		return usagef("--timeout must not be negative, but is %v; 0 means no limit", o.timeout)
	}
	limited, cancel := within(ctx, o.timeout)
	defer cancel()
	err := run(limited)
	if err == nil || isSilent(err) || limited.Err() == nil || ctx.Err() != nil {
		return err
	}
	fmt.Fprintf(st.people(), "%s: neither accepted nor rejected within %v\n", file, o.timeout)
	return silent(exitInconclusive)
}

func runVerify(ctx context.Context, st streams, o *verifyOptions, log, file string) error {
	if err := o.readFlags.validate(); err != nil {
		return err
	}
	o.unread = &unreads{}
	t, err := o.readTheory(ctx)
	if err != nil {
		return err
	}
	ref, err := o.load(ctx, st, t)
	if err != nil {
		return err
	}
	if ref != nil {
		defer ref.Close()
	}
	e, err := o.read(ctx, st, t, ref, log)
	if err != nil {
		return swapped(ctx, log, err)
	}
	o.unread.note(st.err, streamName(log, "standard input"))
	ev, err := readEvidence(ctx, file)
	if err != nil {
		return err
	}
	if e.Tail != "" && !ev.Violation {
		fmt.Fprintf(st.people(), "%s: rejected: %s is not known to be linearizable: %s\n", file, streamName(log, "standard input"), e.Tail)
		return silent(exitViolation)
	}
	rest, err := o.relax(t, ref, e)
	if err != nil {
		return err
	}
	spec, err := o.specification(ctx, t, ref, ev)
	if err != nil {
		return err
	}
	if err = o.rename(t, rest, ev); err != nil {
		return err
	}
	return concluding(st, t, e, ev, log, file, verify.Check(ctx, t, rest, ev, spec))
}

// swapped says of a log that cannot be read that it is evidence, if it is.
func swapped(ctx context.Context, log string, err error) error {
	if log != "-" {
		if _, not := readEvidence(ctx, log); not == nil {
			return usagef("%s is evidence, but the log comes first: adtinfer verify LOG EVIDENCE", log)
		}
	}
	return err
}

// concluding prints whether evidence is accepted; the error is why not.
func concluding(st streams, t *theory.Theory, e *history.Execution, ev *evidence.Evidence, log, file string, err error) error {
	var wrong *verify.Wrong
	switch {
	case errors.As(err, &wrong):
		at := file
		if wrong.Line > 0 {
			at = fmt.Sprintf("%s:%d", file, wrong.Line)
		}
		fmt.Fprintf(st.people(), "%s: rejected: %s\n", at, wrong.Msg)
		return silent(exitViolation)
	case err != nil:
		return err
	case ev.Violation:
		_, err = fmt.Fprintf(st.people(), "%s: accepted: the first %d of %d events are a violation of %s, by %s\n", file, ev.Prefix, e.Events, t.Name, shown(ev))
	default:
		_, err = fmt.Fprintf(st.people(), "%s: accepted: %s is linearizable, with %d of its %d operations\n", file, log, len(ev.Order), len(e.Ops))
	}
	return err
}

// shown says what shows a violation.
func shown(ev *evidence.Evidence) string {
	how := wording.Count(len(ev.Steps), "step")
	switch w := ev.Window; {
	case w != nil && w.First == 0:
		how = "its automaton"
	case len(ev.Steps) > 0 && ev.Steps[0].Answer:
		how = "an answer that no call has"
	case w != nil:
		how = fmt.Sprintf("its automaton, whatever the first %d events were", w.First)
	}
	for _, k := range ev.Keys {
		how += ", for key " + wording.Line(string(k))
	}
	return how
}

// readTheory reads the theory, which is nil if a reference or a model is enough, and
// checks the flags.
func (o *verifyOptions) readTheory(ctx context.Context) (*theory.Theory, error) {
	switch {
	case o.anyError && o.ref == "":
		return nil, usagef("--any-error needs a reference: name it with --ref")
	case o.make != "" && o.ref == "":
		return nil, usagef("--new %s needs a reference: name it with --ref", o.make)
	case o.ref != "" && o.model != "":
		return nil, usagef("--ref and --model both name a specification; use one of them")
	}
	c := o.checking()
	c.ref, c.Model = o.ref, o.model
	return c.specification(ctx)
}

func (o *verifyOptions) checking() *checkOptions {
	return &checkOptions{theory: o.theory, aliases: o.aliases, engineFlags: engineFlags{Options: check.Options{Engine: "auto", Reader: o.reader(false)}}}
}

// load builds and starts the reference; nil if there is none.
func (o *verifyOptions) load(ctx context.Context, st streams, t *theory.Theory) (*reference.Package, error) {
	if t != nil && t.Spec.Headline() == theory.ByModel && o.ref == "" && o.model == "" {
		return openModel(ctx, st, t, o.theory)
	}
	if o.ref == "" {
		return nil, nil
	}
	if err := sameNew(t, o.make); err != nil {
		return nil, err
	}
	return loadFor(ctx, st, t, o.ref, o.make, o.anyError)
}

// read reads the log.
func (o *verifyOptions) read(ctx context.Context, st streams, t *theory.Theory, ref *reference.Package, log string) (e *history.Execution, err error) {
	c := o.checking()
	if c.Aliases, err = parseAliases(c.aliases); err != nil {
		return nil, err
	}
	c.MayFail = o.mayFail
	switch {
	case ref != nil:
		c.Reference = ref
	case t == nil:
		c.Model = o.model
	}
	b, err := check.New(t, c.Options)
	if err != nil {
		return nil, usageError{err}
	}
	f, err := openLog(ctx, st, log)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	es, err := b.ReadObjects(f, streamName(log, "standard input"))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, usageError{err}
	}
	return o.choose(es, streamName(log, "standard input"))
}

// choose is the execution of the object that the evidence is about.
func (o *verifyOptions) choose(es []*history.Execution, log string) (*history.Execution, error) {
	if o.object == "" && len(es) == 1 {
		return es[0], nil
	}
	var names []string
	for _, e := range es {
		if e.Object == o.object && o.object != "" {
			return e, nil
		}
		names = append(names, strconv.Quote(e.Object))
	}
	if o.object == "" {
		return nil, usagef("%s has several objects; say with --object which one the evidence is about: %s", log, strings.Join(names, ", "))
	}
	return nil, usagef("%s has no object %q%s", log, o.object, wording.HintOrAll(strconv.Quote(o.object), names, "objects"))
}

// relax has the theory say what may fail. Without one, what is left of the log is
// verified.
func (o *verifyOptions) relax(t *theory.Theory, ref *reference.Package, e *history.Execution) (*history.Execution, error) {
	methods := wgl.Methods(o.model)
	switch {
	case len(o.mayFail) == 0:
		return e, nil
	case t != nil:
		methods = t.Spec.Methods
	case ref != nil:
		methods = nil
		for _, m := range ref.Methods() {
			sig := history.MethodSig{Name: m.Name}
			for _, out := range m.Outcomes {
				sig.Outcomes = append(sig.Outcomes, out.OutcomeSig)
			}
			methods = append(methods, sig)
		}
	}
	methods, err := o.known(methods)
	if err != nil {
		return nil, err
	}
	ks, err := history.Parse(methods, o.mayFail)
	if err != nil {
		return nil, usageError{err}
	}
	if t == nil {
		return ks.Without(e), nil
	}
	t.Spec.MayFail = append(t.Spec.MayFail, ks...)
	return e, nil
}

// known is methods with the other names that --alias says.
func (o *verifyOptions) known(methods []history.MethodSig) ([]history.MethodSig, error) {
	names, err := parseAliases(o.aliases)
	if err != nil {
		return nil, err
	}
	return history.Add(methods, names)
}

// mostHashed bounds the operations that are hashed again by other names.
const mostHashed = 20_000_000

// rename has evidence be for a log by the names of a model, if it is for the same log by other names of the model's methods: a
// theory with which it was made may have those.
func (o *verifyOptions) rename(t *theory.Theory, e *history.Execution, ev *evidence.Evidence) error {
	own := evidence.Digest(e)
	if o.model == "" || t != nil || ev.Log == own {
		return nil
	}
	methods, err := o.known(wgl.Methods(o.model))
	if err != nil {
		return err
	}
	left := mostHashed
	for other := range history.Renamed(methods, e) {
		if evidence.Digest(other) == ev.Log {
			ev.Log = own
			break
		}
		if left -= len(e.Ops) + 1; left < 0 {
			break
		}
	}
	return nil
}

// strictly is a theory without what may fail: a reference may not fail so.
func strictly(t *theory.Theory) *theory.Theory {
	strict := *t
	strict.Spec.Methods, strict.Spec.MayFail = history.Kinds(t.Spec.MayFail).Methods(t.Spec.Methods), nil
	return &strict
}

func readEvidence(ctx context.Context, file string) (*evidence.Evidence, error) {
	f, err := files.Open(ctx, file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	ev, err := evidence.Read(f, file)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, usageError{err}
	}
	return ev, nil
}

// specification counts the operations, from the first on, that a data type allows.
type specification func(ctx context.Context, labels []history.Label) (int, error)

// differs says what a theory that does not describe the reference is worth.
func differs(ctx context.Context, err error, name string) error {
	if ctx.Err() != nil {
		return err
	}
	if errors.As(err, new(*verify.Difference)) {
		err = fmt.Errorf("theory %s does not describe the reference: %w", name, err)
	}
	return usageError{err}
}

// runs reports whether a theory has an automaton that linearizations are compared with,
// or a product of such, or axioms that mean one.
func runs(ctx context.Context, t *theory.Theory) bool {
	if t == nil {
		return false
	}
	s := axioms.Meaning(ctx, t)
	if s == nil {
		return false
	}
	_, err := configurations.Of(s)
	return err == nil
}

// specification is what a linearization is compared with, after it was compared
// with the theory, if there is one; derivations need none.
func (o *verifyOptions) specification(ctx context.Context, t *theory.Theory, ref *reference.Package, ev *evidence.Evidence) (specification, error) {
	switch {
	case o.model != "" && t == nil:
		m, _ := wgl.Builtin(o.model)
		return wgl.Admits(m), nil
	case o.model != "":
		m, err := wgl.ForTheory(ctx, strictly(t), o.model)
		if err != nil {
			return nil, modelError(err)
		}
		return wgl.Admits(m), nil
	case ref == nil && (ev.Violation || runs(ctx, t)):
		return nil, nil
	case ref == nil:
		return nil, usagef("a linearization is compared with a specification: use --ref with a directory, such as --ref ./examples/queue, or --model with one of %s", strings.Join(wgl.Builtins(), ", "))
	}
	if t != nil && t.Spec.Headline() != theory.ByModel {
		if err := verify.Compare(ctx, strictly(t), ref); err != nil {
			return nil, differs(ctx, err, t.Name)
		}
	}
	return func(ctx context.Context, labels []history.Label) (int, error) {
		n, err := live.Admits(ctx, ref, labels)
		if err != nil {
			err = usageError{err}
		}
		return n, err
	}, nil
}
