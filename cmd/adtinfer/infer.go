package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	goio "io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/adtinfer/adtinfer/cmd/internal/review"
	"github.com/adtinfer/adtinfer/cmd/internal/terminal"
	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/host/files"
	"github.com/adtinfer/adtinfer/out"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// inferOptions are the flags of infer.
type inferOptions struct {
	referenceFlags
	dir, format string
	as          string
	check       bool
	longRuns    int
	locations   int
	flags       *pflag.FlagSet // as they were given
	before      *origin.Source // of the reference, before it was built; nil: nobody looked
}

const inferLong = `infer runs a Go reference implementation on sequential histories and describes
what it does: by patterns, the minimal ways in which a history can be wrong; by
a product, if its keys are independent; by an automaton, if it holds few values;
or by counters. It writes every description that fits, and prints the one that
says most.

Each description is tested on long runs of the reference, on values that a
reference may look into (empty texts, paths, negative numbers), and against wrong
versions of the reference. A description is left out if it is wrong about a run,
or if it does not detect a wrong version that differs from the reference within
five calls. If no description is left, the specification is the reference
itself, which adtinfer check then runs.

infer writes NAME.patterns.md, for people to review, and NAME.theory.yaml, for
adtinfer check, into the directory of the reference. It does not change the
package. What was inferred is kept in the user's cache directory, by the hash of
the source, so that an unchanged package is not inferred again: ADTINFER_CACHE
names another directory, or is "off".`

func newInfer(io streams) *cobra.Command {
	o := &inferOptions{}
	c := &cobra.Command{
		Use:   "infer --ref PACKAGE",
		Short: "Infer the specification of a reference implementation",
		Long:  inferLong,
		Example: `  adtinfer infer --ref ./examples/queue
  adtinfer infer --ref ./mystack -o specs          write the files into specs
  adtinfer infer --ref ./mystack --check           fail if the files are stale
  adtinfer infer --ref ./mystack -o - -f json      JSON only, no files
  adtinfer infer --ref ./mystack -f html > spec.html   a page to review and sign off`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("max-weight") && o.infer.MaxWeight == 0 {
				return usagef("--max-weight 0: weights start at 1; leave out the flag for the default")
			}
			if i := slices.IndexFunc(aboutPatterns, c.Flags().Changed); i >= 0 && o.as != "" && o.as != string(theory.ByPatterns) {
				return usagef("--as %s does not look for patterns, so --%s has no effect", o.as, aboutPatterns[i])
			} else if i >= 0 {
				o.as = string(theory.ByPatterns)
			}
			o.flags = c.Flags()
			return runInfer(c.Context(), io, o)
		},
	}
	f := c.Flags()
	o.register(c)
	f.StringVarP(&o.dir, "out", "o", "", "directory for the generated files, created if missing (default: the directory of the reference); - writes no files")
	f.StringVarP(&o.format, "format", "f", "text", "what to print: text, json, markdown, theory or html (a page to review and sign off)")
	f.StringArrayVar(&o.mayFail, "may-fail", nil, "METHOD=OUTCOME, such as tryLock=false: allow this answer in every state; it changes nothing")
	f.StringVar(&o.as, "as", "", "the description to look for: "+strings.Join(descriptions, ", ")+", which is the reference itself (default: all that fit)")
	f.IntVar(&o.locations, "locations", 0, "give up on an automaton that needs more locations than this (default 40)")
	f.BoolVar(&o.check, "check", false, "write nothing; exit 1 with a diff if the generated files are missing or stale")
	f.BoolVar(&o.infer.Force, "force", false, "write a theory even if its matching is not faithful, the type is not normal, or the theory is wrong about long runs or misses a mutant; if no matching is found, use the closest one; the file says so")
	f.IntVar(&o.infer.MinWeight, "min-weight", 1, "search up to at least this weight")
	f.IntVar(&o.infer.MaxWeight, "max-weight", 0, "stop after this weight even if it gave new patterns (default: give up above 6)")
	f.IntVar(&o.infer.Patience, "patience", 1, "stop after this many weights without a new pattern")
	f.IntVar(&o.infer.CrossLength, "cross-check", 0, "compare with the reference on all histories up to this length (default: longest pattern + 2, within a budget)")
	f.IntVar(&o.longRuns, "soak", describe.DefaultLongRuns, "test the theory on this many long runs of the reference; 0 means none")
	choices(c, "format", "text", "json", "markdown", "theory", pageFormat)
	choices(c, "as", descriptions...)
	directories(c, "out")
	return c
}

func runInfer(ctx context.Context, io streams, o *inferOptions) error {
	print, err := o.validate()
	if err != nil {
		return err
	}
	ctx, cancel := within(ctx, o.timeout)
	defer cancel()
	defer collectLess(800, 200<<20)()
	p := io.progress()
	t, dir, err := o.theory(ctx, io, p)
	p.Done()
	if ctx.Err() != nil {
		return fmt.Errorf("%w; nothing was written", o.stopped(ctx, p))
	}
	if err != nil {
		return err
	}
	if o.check {
		sameGo(t, filepath.Join(dir, t.Name+suffixes[1]))
	}
	made, err := generate(t)
	if err != nil {
		return err
	}
	old := o.former(dir, t.Name)
	if o.check {
		return reportStale(io, dir, made, old)
	}
	if dir == noFiles {
		warn(io, t)
		return print(io.to(o.format), t, io.style())
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return usagef("cannot write into %s: %w; choose another directory with -o", dir, files.Cause(err))
	}
	if err := files.WriteAll(ctx, dir, made); err != nil {
		return err
	}
	if err := print(io.to(o.format), t, io.style()); err != nil {
		return err
	}
	warn(io, t)
	for _, f := range made {
		fmt.Fprintln(io.err, "wrote", filepath.Join(dir, f.Name))
	}
	for _, path := range old {
		fmt.Fprintf(io.err, "note: %s has another name; if the type was renamed, remove it\n", path)
	}
	return nil
}

// warn says which wrong versions of the reference the theory does not reject.
func warn(io streams, t *theory.Theory) {
	m := t.Status.Mutants
	if m == nil {
		return
	}
	for _, u := range m.Unseen {
		fmt.Fprintf(io.err, "warning: this specification does not notice that: %s: %s\n", u.Name, u.Shows)
	}
}

// skipped are the notes about methods to leave out.
func skipped(notes []string) []string {
	var about []string
	for _, n := range notes {
		if strings.HasPrefix(n, "method ") {
			about = append(about, n)
		}
	}
	return about
}

// theory runs the reference and infers its theory; dir is where the files go. It begins anew
// when a method turns out to answer with more than a trial of the reference showed.
func (o *inferOptions) theory(ctx context.Context, io streams, p *terminal.Progress) (t *theory.Theory, dir string, err error) {
	k := o.known(ctx)
	if t, ok := k.recall(io); ok {
		dir, err = o.directory(k.src.Dir)
		return t, dir, err
	}
	var notes strings.Builder
	io.err = goio.MultiWriter(io.err, &notes)
	for {
		t, dir, err = o.attempt(ctx, io, p)
		if err == nil {
			if o.timeout > 0 {
				k = nil // more time may find more
			}
			t = k.keep(t, notes.String())
		}
		var fault *reference.Fault
		if !errors.As(err, &fault) || fault.Method == "" || slices.Contains(o.load.Whole, fault.Method) {
			return t, dir, err
		}
		o.load.Whole = append(o.load.Whole, fault.Method)
	}
}

func (o *inferOptions) attempt(ctx context.Context, io streams, p *terminal.Progress) (t *theory.Theory, dir string, err error) {
	l, err := o.open(ctx, io, p)
	if err != nil {
		return nil, "", err
	}
	defer l.Close()
	if dir, err = o.directory(l.Dir); err != nil {
		return nil, "", err
	}
	if err := usableName(l.info.Name); err != nil {
		return nil, "", err
	}
	if err := foretell(ctx, io, l); err != nil {
		return nil, "", err
	}
	t, err = o.describe(ctx, io, l)
	if dumped := o.dumpQuery(ctx); dumped != nil {
		return nil, "", dumped
	}
	if err != nil {
		return nil, "", o.advise(err)
	}
	return t, dir, nil
}

// foretell says that check will not make the objects as they are made here just because
// the theory says so.
func foretell(ctx context.Context, io streams, l *loaded) error {
	if l.New == "" || l.Dir == "" {
		return nil
	}
	beyond, err := origin.Beyond(ctx, l.Dir, l.New)
	if err == nil && beyond != "" {
		fmt.Fprintf(io.err, "note: where check runs this reference, give it --ref and --new '%s': it does not run that just because a theory says so, for %s is more than constants\n", l.New, beyond)
	}
	return err
}

// advise says why an inference failed, and what to do.
func (o *inferOptions) advise(err error) error {
	var wrong *patterns.Disagrees
	var refused *describe.Refusal
	advice := ""
	switch {
	case describe.Witness(err) && o.infer.Force:
		advice = "\nno theory was written: --force cannot help, because there is no matching scheme to go on with"
	case errors.As(err, &refused):
		advice = "\nno theory was written"
	case errors.As(err, &wrong) && wrong.FalseAlarms > 0:
		advice = "\nno theory was written: in longer executions the matching is not faithful or the type is not normal; --check-length checks longer executions, --force writes the theory anyway"
	case wrong != nil:
		advice = "\nno theory was written: --max-weight raises the limit, --force writes the theory anyway"
	case isForceable(err):
		advice = "\nno theory was written; fix the matching scheme or the language, or try --force"
	case describe.Witness(err):
		advice = "\nno theory was written; fix the matching scheme or the language"
	case is[*describe.Empty](err):
		advice = "\nno theory was written: make what is left out an operation of a reference.Spec, or create the objects otherwise (--new), so that answers depend on what was called"
	case isJudgement(err):
		advice = "\nno theory was written: check against the reference itself (check --commit --ref, or adttest with a Reference), change the reference, or try --force"
	case errors.Is(err, patterns.ErrNoEnd):
		advice = "; no theory was written: --max-weight raises the limit"
	}
	return fmt.Errorf("%w%s", err, advice)
}

// former lists generated files beside a reference that have another name than it
// has now. Where files have a directory of their own, or a package has several
// references, others are no surprise.
func (o *inferOptions) former(dir, name string) []string {
	if o.dir != "" || o.load.Type != "" || strings.Contains(o.ref, "#") {
		return nil
	}
	return generated(dir, name)
}

// noFiles is the directory of those who want no files.
const noFiles = "-"

// directory is where the generated files are, or go: it is made if need be.
func (o *inferOptions) directory(ref string) (string, error) {
	switch o.dir {
	case "":
		return beside(ref), nil
	case noFiles:
		return noFiles, nil
	}
	info, err := os.Stat(o.dir)
	if err != nil && !os.IsNotExist(err) {
		return "", usagef("cannot write into %s: %w; choose another directory with -o", o.dir, files.Cause(err))
	}
	if err == nil && !info.IsDir() {
		return "", usagef("cannot write into %s: it is not a directory; choose another one with -o", o.dir)
	}
	return o.dir, nil
}

// printer prints a theory.
type printer func(w goio.Writer, t *theory.Theory, style out.Style) error

var printers = map[string]printer{
	"text":     out.Text,
	"json":     func(w goio.Writer, t *theory.Theory, _ out.Style) error { return out.JSON(w, t) },
	"markdown": func(w goio.Writer, t *theory.Theory, _ out.Style) error { return out.Markdown(w, t) },
	"theory":   func(w goio.Writer, t *theory.Theory, _ out.Style) error { return theory.Write(w, t) },
	pageFormat: func(w goio.Writer, t *theory.Theory, _ out.Style) error { return review.Theory(w, t) },
}

// validate checks the flags and finds the printer.
func (o *inferOptions) validate() (printer, error) {
	if err := o.referenceFlags.validate(); err != nil {
		return nil, err
	}
	print, known := printers[o.format]
	i := &o.infer
	return print, cmp.Or(
		refuse(!known, "unknown format %q: use text, json, markdown, theory or html", o.format),
		refuse(o.as != "" && !slices.Contains(descriptions, o.as), "unknown description %q for --as: use one of %s", o.as, strings.Join(descriptions, ", ")),
		refuse(o.locations < 0 || o.locations > maxLocations, "--locations %d: give a number from 1 to %d", o.locations, maxLocations),
		refuse(o.check && o.dir == noFiles, "--check compares files, so it cannot be used with -o -"),
		refuse(i.CrossLength < 0 || i.CrossLength > maxLength, "--cross-check %d: give a length from 1 to %d", i.CrossLength, maxLength),
		refuse(o.longRuns < 0, "--soak must not be negative, but is %d; 0 means none", o.longRuns),
		refuse(i.MinWeight < 1 || i.MaxWeight != 0 && i.MaxWeight < i.MinWeight || i.Patience < 1, "--min-weight and --patience must be at least 1, and --max-weight at least --min-weight"))
}

// generate renders the files that infer writes.
func generate(t *theory.Theory) ([]files.File, error) {
	var md, yaml bytes.Buffer
	if err := out.Markdown(&md, t); err != nil {
		return nil, err
	}
	if err := theory.Write(&yaml, t); err != nil {
		return nil, err
	}
	return []files.File{{Name: t.Name + suffixes[0], Data: md.Bytes()}, {Name: t.Name + suffixes[1], Data: yaml.Bytes()}}, nil
}

func reportStale(io streams, dir string, made []files.File, old []string) error {
	d, err := files.Stale(dir, made)
	if err != nil {
		return err
	}
	for _, path := range old {
		d = fmt.Appendf(d, "%s has another name; remove it\n", path)
	}
	if len(d) == 0 {
		fmt.Fprintf(io.err, "%s and %s in %s are up to date\n", made[0].Name, made[1].Name, dir)
		return nil
	}
	if _, err := io.out.Write(d); err != nil {
		return err
	}
	fmt.Fprintln(io.err, "adtinfer: the generated files are stale; run infer again without --check")
	return silent(exitViolation)
}

// beside is the reference's directory as the user would write it.
func beside(dir string) string {
	wd, err := os.Getwd()
	if err != nil {
		return dir
	}
	if rel, err := filepath.Rel(wd, dir); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return dir
}

// suffixes are how the names of generated files end.
var suffixes = []string{".patterns.md", ".theory.yaml"}

// generated lists the files in a directory that infer writes, but for those of
// the given name. One without the other is something else.
func generated(dir, but string) (found []string) {
	entries, _ := os.ReadDir(dir) // if that fails, writing will, too
	for _, e := range entries {
		for _, suffix := range suffixes {
			name, ok := strings.CutSuffix(e.Name(), suffix)
			if ok && name != but && !slices.ContainsFunc(suffixes, func(s string) bool { return !files.Exists(filepath.Join(dir, name+s)) }) {
				found = append(found, filepath.Join(dir, e.Name()))
			}
		}
	}
	return found
}

// usableName refuses names of references that would be no names of files.
func usableName(name string) error {
	if strings.ContainsAny(name, `/\:`) || strings.HasPrefix(name, ".") || strings.ContainsFunc(name, unicode.IsControl) {
		return usagef("cannot name files after the reference %q: a name must not contain slashes, colons or control characters, or start with a dot; change Spec.Name", name)
	}
	return nil
}

// collectLess has garbage collected less often, unless the environment says how often, and returns what undoes
// it: beside little that stays there is much garbage, and collecting it takes a sixth of the time. From so many bytes
// on it is collected more often again.
func collectLess(percent int, bytes int64) (undo func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	old, limit := debug.SetGCPercent(percent), debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(limit, bytes))
	return func() {
		debug.SetGCPercent(old)
		debug.SetMemoryLimit(limit)
	}
}
