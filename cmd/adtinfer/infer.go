package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/out"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// inferOptions are the flags of infer.
type inferOptions struct {
	ref, dir, format string
	check            bool
	load             reference.Options
	infer            patterns.Options
	mode             string
}

func newInfer(io streams) *cobra.Command {
	o := &inferOptions{}
	c := &cobra.Command{
		Use:   "infer --ref PACKAGE",
		Short: "Infer the specification of a reference implementation",
		Long: `infer runs a Go reference implementation on small sequential histories and
prints the minimal ways in which a history can be wrong. It writes
NAME.patterns.md, for people to review, and NAME.theory.yaml, for adtinfer
check, beside the reference. It reads the package without changing it.`,
		Example: `  adtinfer infer --ref ./examples/queue
  adtinfer infer --ref ./mystack -o specs          write the files into specs
  adtinfer infer --ref ./mystack --check           fail if the files are stale
  adtinfer infer --ref ./mystack -o - -f json      JSON only, no files`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runInfer(c.Context(), io, o) },
	}
	f := c.Flags()
	f.StringVar(&o.ref, "ref", "", "the reference: a directory or import path, with #NAME of a type or Spec if there are several")
	f.StringVarP(&o.dir, "out", "o", "", "directory for the generated files (default: beside the reference); - writes none")
	f.StringVarP(&o.format, "format", "f", "text", "what to print: text, json, markdown or theory")
	f.BoolVar(&o.check, "check", false, "write nothing; exit 1 with a diff if the generated files are missing or stale")
	f.BoolVar(&o.infer.Force, "force", false, "write a theory although the matching is not faithful or the type not normal; it is marked")
	f.StringVar(&o.load.Type, "type", "", "the type or Spec to use")
	f.StringVar(&o.load.TypeArg, "type-arg", "", "type argument for a generic type (default int)")
	f.StringSliceVar(&o.load.Skip, "skip", nil, "methods that are no operations")
	f.DurationVar(&o.load.Timeout, "call-timeout", reference.DefaultTimeout, "how long one call of the reference may take")
	f.StringVar(&o.mode, "matching", string(theory.Timeless), "timeless, or past: only earlier operations are match targets")
	f.StringVar(&o.infer.Strategy, "strategy", patterns.Frontier, "frontier, or literal: look at every history of a weight")
	f.IntVar(&o.infer.MinWeight, "min-weight", 1, "do not stop below this weight")
	f.IntVar(&o.infer.MaxWeight, "max-weight", 6, "give up above this weight")
	f.IntVar(&o.infer.Patience, "patience", 1, "stop after so many weights without a new pattern")
	f.IntVar(&o.infer.CrossLength, "cross-check", 0, "compare with the reference on all histories up to this length (default: longest pattern + 2, if affordable)")
	f.IntVar(&o.infer.Checks.MinLength, "check-length", 0, "check faithfulness and normality at least up to this length")
	return c
}

func runInfer(ctx context.Context, io streams, o *inferOptions) error {
	print, err := o.validate()
	if err != nil {
		return err
	}
	t, dir, err := o.theory(ctx, io)
	if ctx.Err() != nil {
		return fmt.Errorf("%w; nothing was written", context.Canceled)
	}
	if err != nil {
		return err
	}
	files, err := generate(t)
	if err != nil {
		return err
	}
	if o.check {
		return reportStale(io, dir, files)
	}
	if err := print(io.out, t, io.style()); err != nil || dir == noFiles {
		return err
	}
	if err := writeFiles(dir, files); err != nil {
		return err
	}
	for _, f := range files {
		fmt.Fprintln(io.err, "wrote", filepath.Join(dir, f.name))
	}
	return nil
}

// theory runs the reference and infers its theory; dir is where the files go.
func (o *inferOptions) theory(ctx context.Context, io streams) (t *theory.Theory, dir string, err error) {
	p := newProgress(io.err)
	defer p.done()
	p.step("building the reference")
	prints := &prefixWriter{w: io.err}
	o.load.Stderr = prints
	pkg, err := reference.Load(ctx, o.ref, o.load)
	if err != nil {
		return nil, "", err
	}
	defer pkg.Close()
	for _, n := range pkg.Notes {
		p.done()
		fmt.Fprintln(io.err, "note:", n)
	}
	if dir, err = o.directory(pkg.Dir); err != nil {
		return nil, "", err
	}
	var info reference.Info
	if pkg.Info != nil {
		info = *pkg.Info
	}
	if _, err := patterns.Declare(pkg.Implementation, info); err != nil {
		return nil, "", usageError{err}
	}
	o.infer.Progress = p.step
	if t, err = patterns.Infer(ctx, pkg.Implementation, info, o.infer); err != nil {
		return nil, "", advise(err, len(info.Target) > 0)
	}
	return t, dir, nil
}

// noFiles is the directory of those who want no files.
const noFiles = "-"

// directory is where the generated files go or are; it must exist.
func (o *inferOptions) directory(ref string) (string, error) {
	switch o.dir {
	case "":
		return beside(ref), nil
	case noFiles:
		return noFiles, nil
	}
	info, err := os.Stat(o.dir)
	if err != nil {
		return "", usagef("cannot write into %s: %w; create it, or choose another directory with -o", o.dir, cause(err))
	}
	if !info.IsDir() {
		return "", usagef("cannot write into %s: it is no directory; choose another one with -o", o.dir)
	}
	return o.dir, nil
}

// printer prints a theory.
type printer func(w io.Writer, t *theory.Theory, style out.Style) error

var printers = map[string]printer{
	"text":     out.Text,
	"json":     func(w io.Writer, t *theory.Theory, _ out.Style) error { return out.JSON(w, t) },
	"markdown": func(w io.Writer, t *theory.Theory, _ out.Style) error { return out.Markdown(w, t) },
	"theory":   func(w io.Writer, t *theory.Theory, _ out.Style) error { return theory.Write(w, t) },
}

// validate checks the flags before anything is run.
func (o *inferOptions) validate() (printer, error) {
	if o.ref == "" {
		return nil, usagef("which reference? give --ref a directory, such as --ref ./examples/queue")
	}
	print, ok := printers[o.format]
	if !ok {
		return nil, usagef("unknown format %q: use text, json, markdown or theory", o.format)
	}
	if o.check && o.dir == noFiles {
		return nil, usagef("--check compares files, so -o - makes no sense with it")
	}
	switch m := theory.Mode(o.mode); m {
	case theory.Timeless, theory.Past:
		o.infer.Mode = m
	default:
		return nil, usagef("unknown matching %q: use timeless or past", o.mode)
	}
	if o.infer.Strategy != patterns.Frontier && o.infer.Strategy != patterns.Literal {
		return nil, usagef("unknown strategy %q: use frontier or literal", o.infer.Strategy)
	}
	if o.infer.MinWeight < 1 || o.infer.MaxWeight < o.infer.MinWeight || o.infer.Patience < 1 {
		return nil, usagef("--min-weight and --patience start at 1, and --max-weight at --min-weight")
	}
	if n := o.infer.Checks.MinLength; n > 0 {
		o.infer.Checks = matching.Budget{Executions: matching.DefaultBudget.Executions, MinLength: n, MaxLength: max(n, matching.DefaultBudget.MaxLength)}
	}
	return print, nil
}

// generate renders the files that infer writes.
func generate(t *theory.Theory) ([]file, error) {
	var md, yaml bytes.Buffer
	if err := out.Markdown(&md, t); err != nil {
		return nil, err
	}
	if err := theory.Write(&yaml, t); err != nil {
		return nil, err
	}
	return []file{{t.Name + ".patterns.md", md.Bytes()}, {t.Name + ".theory.yaml", yaml.Bytes()}}, nil
}

func reportStale(io streams, dir string, files []file) error {
	d, err := stale(dir, files)
	if err != nil {
		return err
	}
	if len(d) == 0 {
		fmt.Fprintf(io.err, "%s and %s in %s are up to date\n", files[0].name, files[1].name, dir)
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

// advise adds what to do to errors that libraries cannot advise on. Whether the
// reference brings a scheme of its own makes a difference.
func advise(err error, ownScheme bool) error {
	advice := ""
	switch {
	case isForceable(err) && ownScheme:
		advice = "\nno theory was written; mend the matching scheme or the language, or see what --force gives"
	case isWitness(err) && ownScheme:
		advice = "\nno theory was written; mend the matching scheme or the language"
	case isWitness(err):
		advice = "\nno theory was written"
	case errors.Is(err, patterns.ErrNoEnd):
		advice = "; no theory was written: --max-weight allows more"
	}
	return fmt.Errorf("%w%s", err, advice)
}
