package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// descriptions are what --as asks for.
var descriptions = []string{string(theory.ByPatterns), string(theory.ByProduct), string(theory.ByAutomaton), string(theory.ByCounters), string(theory.ByModel)}

// maxLocations is the most that --locations may ask for: theory files hold no more.
const maxLocations = 10_000

// aboutPatterns are flags that mean nothing where no patterns are looked for: who
// gives one asks for patterns.
var aboutPatterns = []string{"force", "scheme", "predicates", "language", "matching", "min-weight", "max-weight", "patience",
	"cross-check", "check-length", "solver", "dump-query"}

// describe finds what describes the reference. What does not is explained where
// there is nothing else.
func (o *inferOptions) describe(ctx context.Context, io streams, l *loaded) (*theory.Theory, error) {
	model, nowhere := o.itself(ctx, l)
	if nowhere != nil && o.as == string(theory.ByModel) {
		return nil, nowhere
	}
	var noPatterns error
	t, err := describe.Infer(ctx, l.Implementation, l.info, describe.Options{
		Params:   origin.Params(l.Dir, l.TypeName),
		Patterns: o.infer, As: theory.Description(o.as), Locations: o.locations, Model: model,
		Sizes: sizes(l.New), Sized: o.sized,
		Judge: &describe.Judging{LongRuns: o.longRuns, Skipped: skipped(l.Notes)},
		Explain: func(ctx context.Context, err error) error {
			noPatterns = o.explain(ctx, err, l)
			return noPatterns
		},
	})
	switch {
	case err != nil && nowhere != nil && noPatterns != nil:
		return nil, fmt.Errorf("%w\n%w", err, nowhere)
	case err != nil:
		return nil, err
	}
	t.New = l.New
	if t.Spec.Headline() != theory.ByModel {
		return t, nil
	}
	if laws := t.Spec.Laws; laws != nil && laws.Closed {
		fmt.Fprintf(io.err, "note: the laws are for review; checking with this theory runs package %s, or the laws where it is not at hand\n", model.Package)
		return t, nil
	}
	if noPatterns != nil {
		fmt.Fprintln(io.err, "note: no description was found:", strings.ReplaceAll(message(noPatterns), "\n", "\n  "))
	}
	fmt.Fprintf(io.err, "note: this theory is the reference itself: checking with it runs package %s\n", model.Package)
	return t, nil
}

// itself is the reference as a theory names it. The error says why none can.
func (o *inferOptions) itself(ctx context.Context, l *loaded) (*origin.Model, error) {
	src, err := o.source(ctx, l)
	if err != nil {
		return nil, err
	}
	return &origin.Model{Package: src.Package, Type: l.Choice, TypeArg: o.load.TypeArg, Skip: o.load.Skip, Source: src.Hash, Go: src.Go}, nil
}

// source is where the reference comes from. The error says why no theory can name it.
func (o *inferOptions) source(ctx context.Context, l *loaded) (*origin.Source, error) {
	if l.Dir == "" {
		return nil, usagef("the reference %s has no directory, so no theory can name it", o.ref)
	}
	src, err := o.before, error(nil)
	if src == nil || src.Dir != l.Dir || !src.Unchanged() {
		src, err = origin.Of(ctx, l.Dir)
	}
	switch {
	case err != nil:
		return nil, err
	case src.Module == "":
		return nil, usagef("package %s is in none of your modules, so no theory can name it: check would have to download it; wrap it in a package of your module", src.Package)
	}
	return src, nil
}

// sameGo makes a theory of a model name the version of Go that the file does: with
// another one the file is not stale.
func sameGo(t *theory.Theory, file string) {
	f, err := os.Open(file)
	if err != nil || t.Spec.Model == nil {
		return
	}
	defer f.Close()
	if was, err := theory.Read(f, file); err == nil && was.Spec.Model != nil {
		t.Spec.Model.Go = was.Spec.Model.Go
	}
}

// openModel finds and starts the reference that a theory of a model is, in the module
// around the working directory or the theory's file, and says which one it is. What
// the file says is not made use of as Go text beyond the call of a constructor with
// constants.
func openModel(ctx context.Context, st streams, t *theory.Theory, file string) (*reference.Package, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	m := t.Spec.Model
	src, err := origin.Find(ctx, m, dir, filepath.Dir(file))
	if err != nil {
		return nil, usageError{fmt.Errorf("theory %s: %w", t.Name, err)}
	}
	switch beyond, err := origin.Beyond(ctx, src.Dir, t.New); {
	case err != nil:
		return nil, err
	case beyond != "":
		return nil, usagef("theory %s describes the objects that %s creates; %s is more than constants, so check does not run it just because a file says so: name the reference with --ref, and give --new '%[2]s'", t.Name, t.New, beyond)
	}
	fmt.Fprintf(st.err, "note: theory %s runs package %s, in %s\n", t.Name, m.Package, beside(src.Dir))
	if src.Go != m.Go {
		fmt.Fprintf(st.err, "note: it was inferred with %s, but this is %s\n", m.Go, src.Go)
	}
	return loadReference(ctx, src.Dir, reference.Options{
		Type: m.Type, TypeArg: m.TypeArg, New: t.New, Skip: m.Skip, AnyError: !namesErrors(t), OneValue: !splits(t),
		Stderr: &prefixWriter{w: st.err}, Env: origin.Offline(os.Environ()),
	})
}

// standsIn reports whether laws decide for a reference that cannot be run: there is no such
// package here, or no go command. One that has changed is another one.
func standsIn(t *theory.Theory, err error) bool {
	var lost *origin.Lost
	return t.Spec.Determined() && (errors.As(err, &lost) && !lost.Changed || errors.Is(err, exec.ErrNotFound))
}
