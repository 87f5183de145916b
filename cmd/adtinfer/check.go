package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/check/sources"
	"github.com/adtinfer/adtinfer/cmd/internal/terminal"
	"github.com/adtinfer/adtinfer/history/foreign"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/host/files"
	"github.com/adtinfer/adtinfer/out/page"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// checkOptions are the flags of check.
type checkOptions struct {
	engineFlags
	commitFlags
	readFlags
	manyFlags
	theory, format string
	output         string // the file of html
	aliases        []string
	parallel       int
	explainUnasked bool           // --explain is not given
	summary        string         // a file for it
	against        *theory.Theory // once it has been read; nil if there is none
	follow         bool
	witness        string
}

const checkLong = `check decides whether recorded concurrent executions are linearizable with
respect to a theory, a reference or a built-in model.

A LOG is a file; a directory, whose .log, .jsonl, .json, .bin, .edn and .hist
files are read, also those in subdirectories and compressed ones (.log.gz,
.bin.zst); an archive (.tar, .tar.gz, .tgz, .tar.zst, .zip), whose entries with
those extensions are read; or - for standard input. --files-from reads the
names of logs from a file. gzip and zstd files are decompressed whatever their
name.

For a violation, check prints the length of the shortest violating prefix, in
events (calls and returns), and the patterns that rule out every linearization
of it. With --explain, and by default for a single log, it also prints a small
set of operations that is a violation by itself.

Standard input, if it is the only log, and a file with --follow are checked
event by event if the engine supports that: check reports the first violation
as soon as it occurs and reads nothing after it, and memory hardly grows with
the log. Ctrl-C stops and prints the result so far.

A log with several objects (its JSON Lines events have an "object") is checked
object by object. --clock-skew 5ms is for logs with times from several
machines: one operation precedes another only if it does so whatever the errors
of the clocks, up to 5 ms each.

Histories of other tools, such as Jepsen and Porcupine, are recognized by their
content, or named with --from.

--split-by key checks each key of a log separately, on -j processors, without
holding the log in memory. --shard 2/8 checks the second of eight parts of the
logs, or of the keys of each log; adtinfer merge combines the results. A log
that exceeds --timeout or --memory is inconclusive, and check goes on with the
others.

Without a theory, the reference or the model decides: a search tries the orders
in which the operations may have taken effect. A reference given with a theory
decides what the theory does not cover, and confirms violations. If the theory
names its reference, check starts it for logs that nothing else in the theory
covers.

With --commit, binary logs written by package record are checked along their
commits: a reference or a built-in model runs the operations in commit order
and must return what they returned.`

const checkExample = `  adtinfer check --theory examples/queue/queue.theory.yaml examples/logs
  adtinfer check --theory queue.theory.yaml --alias send=add --alias receive=remove run.log
  adtinfer check --ref ./bank run.log
  find . -name '*.log.gz' -print0 | adtinfer check --theory queue.theory.yaml --files-from -
  adtinfer check --theory queue.theory.yaml --shard 1/4 -f json nightly.tar.zst > 1.json
  adtinfer check --theory queue.theory.yaml --clock-skew 5ms clients.jsonl
  adtinfer check --theory register.theory.yaml --from porcupine etcd_000.log
  mytest | adtinfer check --theory queue.theory.yaml -f json -
  adtinfer check --theory queue.theory.yaml -f github --summary summary.md testdata/logs
  adtinfer check --theory queue.theory.yaml -f html -o run.html run.log
  adtinfer check --commit --ref ./examples/queue --theory examples/queue/queue.theory.yaml run.bin`

func newCheck(io streams) *cobra.Command {
	o := &checkOptions{}
	c := &cobra.Command{
		Use:     "check {--theory FILE | --ref DIR | --model NAME} {LOG... | --files-from FILE}",
		Short:   "Check recorded executions against a theory or a reference",
		Long:    checkLong,
		Example: checkExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && o.filesFrom == "" {
				return usagef("no logs given: name files, directories, or - for standard input, or give a list of names with --files-from")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			o.explainUnasked = !c.Flags().Changed("explain") && !o.Order
			o.Explain = o.Explain || o.Order
			return runCheck(c.Context(), io, o, args)
		},
	}
	f := c.Flags()
	f.StringVar(&o.theory, "theory", "", "the theory file")
	o.registerFormat(c)
	f.StringArrayVar(&o.aliases, "alias", nil, "NAME=METHOD: logs say NAME where the theory says METHOD")
	f.DurationVar(&o.Timeout, "timeout", 60*time.Second, "time limit per log (with --follow: after end of input); 0 means none. A log that hits it is inconclusive.")
	f.BoolVar(&o.Explain, "explain", false, "explain each violation by a minimal set of operations that already violates the theory (default for one log as text, with derivations of a few steps only, and for junit, github, html and sarif)")
	f.BoolVar(&o.Order, "order", false, "with each explanation, show an order of the operations that explains everything before the violation, and the derivation if there is one")
	f.BoolVar(&o.follow, "follow", false, "check one log as it grows, waiting for more at its end; stop at the first violation")
	o.readFlags.register(c, skewHelp)
	f.StringVar(&o.witness, "witness", "", "write evidence for each verdict, for adtinfer verify: to this file for a single log, else to files in this directory")
	f.IntVarP(&o.parallel, "parallel", "j", runtime.GOMAXPROCS(0), "number of logs (with --split-by, of keys) to check in parallel")
	o.manyFlags.register(f)
	o.engineFlags.register(c)
	o.commitFlags.register(f)
	fileNames(c, "yaml", "theory")
	directories(c, "ref")
	return c
}

func runCheck(ctx context.Context, st streams, o *checkOptions, args []string) error {
	if err := cmp.Or(o.nearbyTheory(st, args), o.validate(), o.probeOutput(ctx)); err != nil {
		return err
	}
	follow, err := o.follows(args)
	switch {
	case err != nil:
		return err
	case o.commit:
		return runCommit(ctx, st, o, args)
	}
	sources, w, err := o.inputs(ctx, st, args)
	if err != nil {
		return err
	}
	p := st.progress()
	defer p.Done()
	l := &lateReference{open: func() (*reference.Package, error) { return o.load(ctx, st, o.against, p) }}
	defer l.close()
	c, err := o.ready(ctx, st, l)
	p.Done()
	if err != nil {
		return err
	}
	if _, single := sources.Single(); !single {
		st.log.Info("found logs", "logs", sources.Len(), "at a time", o.parallel)
	}
	told := o.ref != "" && !o.alone()
	switch {
	case told && (follow || !sources.Twice()):
		return usagef("--ref beside --theory reads the logs twice, so it cannot be used with standard input, --files-from or --follow")
	case follow && w == nil && (!o.alone() || o.follow):
		return runFollow(ctx, st, o, c, args[0])
	}
	return o.run(ctx, st, p, c, sources, w, told)
}

// inputs are the logs, the theory (in o.against), and where evidence goes: what can be refused before a reference is built.
func (o *checkOptions) inputs(ctx context.Context, st streams, args []string) (l *sources.List, w *witnesses, err error) {
	if o.against, err = o.splits(o.specification(ctx)); err != nil {
		return nil, nil, err
	}
	o.wait = o.Timeout
	if l, err = o.ownLogs(ctx, st, args); err == nil {
		err = o.consistent(ctx, st)
	}
	if err != nil {
		return nil, nil, err
	}
	log, single := l.Single()
	w, err = newWitnesses(st, o.witness, log, single)
	o.Witness = w != nil
	o.explains(single)
	o.Order = o.Order || single && o.format == pageFormat // which the page shows
	return l, w, err
}

// alone reports whether the reference or the model decides alone.
func (o *checkOptions) alone() bool {
	return o.against == nil || o.against.Spec.Headline() == theory.ByModel
}

// ready is the checker with its reference, which starts now if that decides alone or is asked for.
func (o *checkOptions) ready(ctx context.Context, st streams, l *lateReference) (c *check.Checker, err error) {
	t := o.against
	switch {
	case o.ref != "" || t != nil && o.alone():
		if o.Reference, err = l.get(ctx); o.ref == "" && err != nil && standsIn(t, err) {
			fmt.Fprintf(st.err, "note: %v; the theory's laws decide instead\n", err)
			o.Reference, err = nil, nil
		}
		if err != nil {
			return nil, err
		}
	case t != nil && t.Spec.Model != nil:
		o.Open = l.get
	}
	o.unread = &unreads{}
	o.Reader = o.reader(o.follow)
	return o.checker(ctx, t)
}

// lateReference is a reference that is started when it is needed.
type lateReference struct {
	open func() (*reference.Package, error)

	mu  sync.Mutex
	pkg *reference.Package
}

// get starts the reference. It goes on when the context ends, which is about one log.
func (l *lateReference) get(context.Context) (reference.Implementation, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	pkg, err := l.open()
	if err != nil {
		return nil, err
	}
	l.pkg = pkg
	return pkg, nil
}

func (l *lateReference) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pkg != nil {
		l.pkg.Close()
	}
}

// specification is the theory, or nil if a reference or a model decides alone.
func (o *checkOptions) specification(ctx context.Context) (t *theory.Theory, err error) {
	if o.theory != "" || o.ref == "" && o.Model == "" {
		return o.readTheory(ctx)
	}
	if o.ref != "" && o.Model != "" {
		return nil, usagef("--ref and --model both name a specification; use one of them")
	}
	if err = o.validateEngine(); err == nil {
		o.Aliases, err = parseAliases(o.aliases)
	}
	return nil, err
}

// keysOf is which keys of the logs are checked, and against what.
func (o *checkOptions) keysOf() check.Shard {
	s := o.part
	if o.splitBy == "" || s.N == 0 {
		return check.Shard{}
	}
	sum := sha256.New()
	theory.Write(sum, o.against) // which does not fail
	s.Against = fmt.Sprintf("theory %s (%x), adtinfer %s", o.against.Name, sum.Sum(nil)[:8], ownVersion())
	return s
}

// splits refuses a specification that --split-by cannot use.
func (o *checkOptions) splits(t *theory.Theory, err error) (*theory.Theory, error) {
	if err != nil || o.splitBy == "" {
		return t, err
	}
	_, err = check.Split(t)
	switch {
	case err != nil:
		return nil, usageError{err}
	case o.ref != "" || o.Model != "":
		return nil, usagef("--split-by uses the theory alone; leave out --ref and --model")
	}
	return t, nil
}

// load builds and starts the reference: the one that the flags name, or the theory.
func (o *checkOptions) load(ctx context.Context, st streams, t *theory.Theory, p *terminal.Progress) (pkg *reference.Package, err error) {
	p.Step("building the reference")
	if o.ref == "" {
		p.Done()
		pkg, err = openModel(ctx, st, t, o.theory)
	} else if err = sameNew(t, o.make); err == nil {
		pkg, err = loadFor(ctx, st, t, o.ref, o.make, o.anyError)
	}
	if err != nil {
		return nil, err
	}
	for _, n := range pkg.Notes {
		p.Done()
		fmt.Fprintln(st.err, "note:", n)
	}
	return pkg, nil
}

// run checks logs and prints what came of them, and which wrong versions of the
// reference they would tell, if that is asked for.
func (o *checkOptions) run(ctx context.Context, st streams, p *terminal.Progress, c *check.Checker, logs *sources.List, w *witnesses, told bool) error {
	r, err := o.newReporter(st)
	if err != nil {
		return err
	}
	r.page.again(logs, page.Knowing{Theory: o.against, Reference: o.Reference, Model: o.Model}, o.annotated(c), c.Witness)
	var unprinted error
	err = (&check.Batch{Checker: c, Parallel: o.parallel, Memory: o.most, ByKey: o.splitBy != "", Shard: o.keysOf()}).Run(ctx, logs.Each, func(report check.Report) {
		p.Done()
		unprinted = errors.Join(unprinted, r.report(report), w.write(ctx, report))
		p.Step(countOf(r.tally.logs, logs.Len()))
	})
	p.Done()
	if err = errors.Join(err, unprinted); err == nil && told {
		r.told, err = o.tells(ctx, p, c, logs)
	}
	if err != nil {
		return err
	}
	return r.end(ctx)
}

// unaskedTime is how long an explanation may take that nobody asked for.
const unaskedTime = 3 * time.Second

// explains says whether violations are explained: if that is asked for, and by default
// where there is one log, or people read the explanations elsewhere.
func (o *checkOptions) explains(single bool) {
	f, _ := verdictFormatOf(o.format)
	if o.explainUnasked && (f.explains || o.format == "text" && single) {
		o.Explain, o.Brief = true, !f.explains
		if f.explains && !o.Witness && !(single && o.format == pageFormat) {
			o.ExplainTime = unaskedTime
		}
	}
}

// validate checks the flags before anything is read.
func (o *checkOptions) validate() error {
	_, wrong := verdictFormatOf(o.format)
	alone, takes := o.commit || o.theory == "", []string{"wgl", "monitor"}
	return cmp.Or(
		wrong,
		o.validateOutput(),
		refuse(o.summary == "-", "--summary needs a file, because standard output holds the results; in a shell, --summary /dev/stderr also shows it"),
		refuse(o.Timeout < 0, "--timeout must not be negative, but got %v", o.Timeout),
		refuse(o.parallel < 1, "-j must be at least 1, but got %d", o.parallel),
		refuse(o.splitBy != "" && given(o.witness, o.follow, o.commit), "--split-by gives verdicts on whole logs only, so it cannot be used with --witness, --follow or --commit"),
		refuse(o.witness != "" && given(o.follow, o.commit), "--witness writes evidence for an engine's verdict on a whole log, so it cannot be used with --follow or --commit"),
		o.readFlags.validate(),
		refuse(o.skew > 0 && given(o.commit, o.follow), "--clock-skew needs the times of the whole log, so it cannot be used with --follow or --commit"),
		refuse(o.isForeign() && (o.commit || o.follow && o.from != string(foreign.Violin)), "histories of other tools are read as a whole and have no commits: leave out --follow and --commit, or --from, --by-key, --failed, --nil, --answers and --outcome"),
		refuse(o.Model != "" && !alone && !slices.Contains(takes, o.Engine), "--model %s needs --engine %s or --commit; engine %s uses the theory alone", o.Model, strings.Join(takes, " or "), o.Engine),
		refuse(o.Engine == "wgl" && !given(o.Model, o.ref, o.theory, o.commit), "--engine wgl needs the automaton of a theory, or a model: use --theory, or --model with one of %s", strings.Join(wgl.Builtins(), ", ")),
		o.manyFlags.validate(max(o.parallel, 1)),
		o.validateCommit())
}

// readTheory reads the theory and checks the flags about it.
func (o *checkOptions) readTheory(ctx context.Context) (*theory.Theory, error) {
	if o.theory == "" {
		return nil, usagef("no specification given: use --theory with a file, such as --theory queue.theory.yaml, --ref with a reference, such as --ref ./examples/queue, or --model with one of %s",
			strings.Join(wgl.Builtins(), ", "))
	}
	if files.IsDir(o.theory) {
		return nil, usagef("--theory needs a file, but %s is a directory", o.theory)
	}
	f, err := files.Open(ctx, o.theory)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := theory.Read(f, o.theory)
	if err != nil {
		return nil, usagef("%w%s", err, documentHint(o.theory))
	}
	if err := o.validateEngine(); err != nil {
		return nil, err
	}
	o.Aliases, err = parseAliases(o.aliases)
	return t, err
}

// consistent refuses axioms that exclude every short execution: all logs would
// be violations.
func (o *checkOptions) consistent(ctx context.Context, st streams) error {
	t := o.against
	if t == nil {
		return nil
	}
	if len(t.Spec.Axioms) > 0 {
		limited, cancel := within(ctx, o.Timeout)
		defer cancel()
		length := max(2, t.Spec.Width)
		admitted, err := check.Consistent(limited, t, length)
		switch {
		case errors.Is(err, check.ErrUndecided), errors.Is(err, context.DeadlineExceeded): // the engines will see
		case err != nil:
			return err
		case admitted == nil:
			return usagef("theory %s admits no execution of at most %d operations, so every log would be a violation; check its axioms", t.Name, length)
		}
	}
	st.log.Info("read the theory", "file", o.theory, "theory", t.Name, "by", t.Spec.Headline(), "patterns", len(t.Spec.Patterns), "axioms", len(t.Spec.Axioms))
	return nil
}

func parseAliases(args []string) (map[string][]string, error) {
	aliases := map[string][]string{}
	for _, a := range args {
		name, method, ok := strings.Cut(a, "=")
		if !ok || name == "" || method == "" {
			return nil, usagef("--alias needs NAME=METHOD, such as send=add, not %q", a)
		}
		aliases[method] = append(aliases[method], name)
	}
	return aliases, nil
}

// verdictCode is the exit code of a batch: a violation outweighs a log that
// could not be read, which outweighs an inconclusive one.
func verdictCode(s tally) error {
	switch {
	case s.violations > 0:
		return silent(exitViolation)
	case len(s.failed) > 0:
		return silent(exitUsage)
	case s.inconclusive > 0:
		return silent(exitInconclusive)
	}
	return nil
}
