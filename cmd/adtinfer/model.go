package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/adtinfer/adtinfer/internal/judge"
	"github.com/adtinfer/adtinfer/internal/origin"
	"github.com/adtinfer/adtinfer/internal/refusal"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// What --as asks for.
const (
	asPatterns = "patterns"
	asModel    = "model"
)

// aboutPatterns are flags that mean nothing where no patterns are looked for: who
// gives one asks for patterns.
var aboutPatterns = []string{"force", "scheme", "predicates", "language", "matching", "strategy", "min-weight", "max-weight", "patience",
	"cross-check", "check-length", "solver", "dump-query"}

// fallsBack reports whether an inference that failed this way ends with a theory of
// the reference itself: unless patterns were asked for, or the reference brings a
// scheme, whose author wants to know what is wrong with it.
func (o *inferOptions) fallsBack(err error, l *loaded) bool {
	if o.as == asPatterns || len(l.info.Target) > 0 {
		return false
	}
	var wrong *patterns.Disagrees
	return isWitness(err) || isJudgement(err) || errors.As(err, new(*refusal.Refusal)) || errors.As(err, &wrong) ||
		errors.Is(err, patterns.ErrNoEnd) || errors.Is(err, patterns.ErrTooMany)
}

// model is the theory that is the reference itself; err says why no patterns were
// found, nil that none were looked for.
func (o *inferOptions) model(ctx context.Context, io streams, l *loaded, err error) (*theory.Theory, error) {
	src, nowhere := o.source(ctx, l)
	if nowhere != nil {
		return nil, nowhere
	}
	o.infer.Progress("looking at what the reference does")
	m := origin.Model{Package: src.Package, Type: l.Choice, TypeArg: o.load.TypeArg, Skip: o.load.Skip, Source: src.Hash, Go: src.Go}
	t, broken := judge.Model(ctx, l.Implementation, l.info, m, brief(err), judge.Options{LongRuns: o.longRuns, Skipped: skipped(l.Notes)})
	if broken != nil {
		return nil, broken
	}
	if err := judge.Relax(t, t.Spec.Methods, l.info.MayFail); err != nil {
		return nil, usageError{err}
	}
	t.New = l.New
	if err != nil {
		fmt.Fprintln(io.err, "note: no pattern description was found:", strings.ReplaceAll(message(err), "\n", "\n  "))
	}
	fmt.Fprintf(io.err, "note: this theory is the reference itself: checking with it runs package %s\n", m.Package)
	return t, nil
}

// source is where the reference comes from. The error says why no theory can name it.
func (o *inferOptions) source(ctx context.Context, l *loaded) (*origin.Source, error) {
	if l.Dir == "" {
		return nil, usagef("the reference %s has no directory, so that no theory can name it", o.ref)
	}
	src, err := origin.Of(ctx, l.Dir)
	switch {
	case err != nil:
		return nil, err
	case src.Module == "":
		return nil, usagef("package %s is in no module of yours, so that no theory can name it: checking would have to fetch it; wrap it in a package of your module", src.Package)
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

// brief is the first line of what an error says.
func brief(err error) string {
	if err == nil {
		return ""
	}
	var blind *judge.Blind
	if errors.As(err, &blind) {
		return fmt.Sprintf("the patterns that were found do not see that: %s: %s", blind.Unseen[0].Name, blind.Unseen[0].Shows)
	}
	first, rest, _ := strings.Cut(message(err), "\n")
	if second, _, _ := strings.Cut(rest, "\n"); strings.HasSuffix(first, ":") {
		first += " " + strings.TrimSpace(second)
	}
	return first
}

// openModel finds and starts the reference that a theory of a model is, in the module
// around the working directory or the theory's file, and says which one it is. What
// the file says is not made use of as Go text beyond the call of a constructor with
// constants.
func openModel(ctx context.Context, st streams, t *theory.Theory, file string) (*reference.Package, error) {
	if !origin.Plain(t.New) {
		return nil, usagef("theory %s describes the objects that %s makes, which is more than a constructor's call with constants, and is not run because a file says so: name the reference with --ref and give --new '%[2]s'", t.Name, t.New)
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	m := t.Spec.Model
	src, err := origin.Find(ctx, m, dir, filepath.Dir(file))
	if err != nil {
		return nil, usageError{fmt.Errorf("theory %s: %w", t.Name, err)}
	}
	fmt.Fprintf(st.err, "note: theory %s runs package %s, in %s\n", t.Name, m.Package, beside(src.Dir))
	if src.Go != m.Go {
		fmt.Fprintf(st.err, "note: it was inferred with %s, and this is %s\n", m.Go, src.Go)
	}
	return loadReference(ctx, src.Dir, reference.Options{
		Type: m.Type, TypeArg: m.TypeArg, New: t.New, Skip: m.Skip,
		Stderr: &prefixWriter{w: st.err}, Env: origin.Offline(os.Environ()),
	})
}
