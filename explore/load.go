package explore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/lower"
	"github.com/adtinfer/adtinfer/explore/internal/source"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Refused is the error of a package that cannot be explored: it cannot be loaded, has
// no operations, or has code that the explorer does not know; or of a specification that
// does not fit it.
type Refused struct {
	Package string
	Reasons []string // each with its place, if it has one

	code bool // they are about code that a run reaches
}

// Error lists the reasons.
func (r *Refused) Error() string {
	reasons := r.Reasons
	if r.code {
		reasons = append(reasons[:len(reasons):len(reasons)], instead)
	}
	if len(r.Reasons) == 1 {
		return "explore: " + strings.Join(reasons, "; ")
	}
	return fmt.Sprintf("explore: %s cannot be explored:\n%s", r.Package, strings.Join(reasons, "\n"))
}

func refused(dir string, err error) error {
	return &Refused{Package: dir, Reasons: []string{err.Error()}}
}

// loaded is a package as a program, and what it is held against.
type loaded struct {
	*Options
	pkg     *source.Package
	program *ir.Program // explored; a mutant of the package's, perhaps
	own     *ir.Program // the package's
	ref     *ir.Program // the reference's, or nil
	calmed  bool        // no callback panics: see calm
	left    []string    // operations that are left out: they reach what cannot be explored

	naming bool     // errors are to be those of the reference, by their texts
	other  *unnamed // one that is none, so errors are not told apart

	// What runs for the specification, within some bounds.
	runner *runner
	run    *spec.List
}

// load makes a program of the package, and of the reference.
func load(ctx context.Context, o *Options) (*loaded, error) {
	if err := o.validate(); err != nil {
		return nil, &Refused{Package: o.Dir, Reasons: []string{strings.TrimPrefix(err.Error(), "explore: ")}}
	}
	l := &loaded{Options: o}
	var err error
	if l.pkg, l.own, err = compile(ctx, o.source()); err != nil {
		return nil, err
	}
	if o.Policy && !directed(l.own) {
		return nil, &Refused{Package: l.pkg.Path, Reasons: []string{"the package has no directives (//lin:) of a linearization policy: see docs/policies.md"}}
	}
	if at := l.own.Endless(); at > 0 {
		return nil, &Refused{Package: l.pkg.Path, Reasons: []string{"a directive never terminates, at " + placeOf(l.own, at)}}
	}
	l.program = l.own
	if err := l.methods(o.Loose); err != nil {
		return nil, refused(l.pkg.Path, err)
	}
	if o.Reference != "" {
		_, l.ref, err = compile(ctx, source.Options{Dir: o.Reference, New: o.ReferenceNew, Tags: o.Tags})
	}
	return l, err
}

// source says which package to load.
func (o *Options) source() source.Options {
	return source.Options{Dir: o.Dir, Type: o.Type, New: o.New, Tags: o.Tags, Policy: o.Policy, Skip: o.Skip, Only: o.Only,
		Callbacks: o.Theory == nil && o.Model == "" && o.Reference == "" && !o.recorded && !o.Policy}
}

// refusedBySource makes the problems of a package that cannot be loaded a Refused.
func refusedBySource(dir string, err error) error {
	var wrong *source.Error
	if !errors.As(err, &wrong) {
		return err
	}
	r := &Refused{Package: dir}
	for _, p := range wrong.Problems {
		r.Reasons = append(r.Reasons, p.String())
	}
	return r
}

// portable is the build tag by which packages have Go source in place of assembly.
const portable = "purego"

// compile loads a package and makes a program of it, if it can without assembly.
func compile(ctx context.Context, o source.Options) (*source.Package, *ir.Program, error) {
	pkg, program, assembly, err := compiled(ctx, o)
	if !assembly || slices.Contains(o.Tags, portable) {
		return pkg, program, err
	}
	o.Tags = append(o.Tags[:len(o.Tags):len(o.Tags)], portable)
	other, again, assembly, wrong := compiled(ctx, o)
	if assembly || wrong != nil {
		return pkg, program, err
	}
	again.Notes = append(again.Notes, "it is explored as it is built with the tag "+portable+", without assembly")
	return other, again, nil
}

// compiled is compile with given tags; assembly reports whether there are functions that are not written in Go. What
// else cannot be explored matters if a run gets there.
func compiled(ctx context.Context, o source.Options) (pkg *source.Package, program *ir.Program, assembly bool, err error) {
	if pkg, err = source.Load(ctx, o); err != nil {
		var wrong *source.Error
		assembly = errors.As(err, &wrong) && slices.ContainsFunc(wrong.Problems, source.Problem.Assembly)
		return nil, nil, assembly, refusedBySource(o.Dir, err)
	}
	program, refusals := lower.Compile(pkg)
	return pkg, program, slices.ContainsFunc(refusals, lower.Refusal.Assembly), nil
}

// mine reports whether a position is in a file of the user's module.
func mine(p ir.Position) bool {
	return strings.HasSuffix(p.File, ".go") && !filepath.IsAbs(p.File) && !strings.HasPrefix(p.File, "$")
}

// against is what the operations are held against, in words.
func (l *loaded) against() string {
	switch {
	case l.Theory != nil:
		return "theory " + l.Theory.Name
	case l.ref != nil:
		return "reference " + l.Reference
	case l.Model != "":
		return "the built-in model " + l.Model
	}
	return "its own sequential runs"
}

// copied is a program to which calls may add objects and texts. What another exploration of it
// adds does not change how it runs.
func copied(p *ir.Program) *ir.Program {
	q := *p
	q.Globals, q.Layouts, q.Types = slices.Clip(p.Globals), slices.Clip(p.Layouts), slices.Clip(p.Types)
	q.Strings = p.Strings.Clone()
	return &q
}

// itself reports whether the operations are held against the package's own sequential runs.
func (l *loaded) itself() bool { return l.Theory == nil && l.Model == "" && l.ref == nil }

// specification makes the data type for a list of calls.
func (l *loaded) specification(ctx context.Context, list *spec.List, answers *spec.Answers) (s spec.Spec, err error) {
	switch {
	case l.Theory != nil:
		s, err = spec.Of(ctx, l.Theory, l.renamed(list), answers)
	case l.Model != "":
		s, err = spec.Model(l.Model, l.renamed(list), answers)
	default:
		s, err = l.sequential(ctx, list, answers)
	}
	if err == nil && len(l.MayFail) > 0 {
		s, err = spec.MayFail(s, list, answers, l.MayFail)
	}
	return s, err
}

// sequential is the reference, or the package itself, one operation after the other.
func (l *loaded) sequential(ctx context.Context, list *spec.List, answers *spec.Answers) (spec.Spec, error) {
	if l.runner == nil {
		program, strict := copied(l.own.WithoutPolicy()), ""
		if l.ref != nil {
			program, strict = copied(l.ref), "the reference "+l.Reference
		}
		var err error
		if l.run, err = spec.New(program, spec.Options{Values: l.Bounds.Values, Most: list.Most, Fresh: list.Fresh, Nil: l.nils()}); err != nil {
			return nil, err
		}
		l.run.Whole, l.run.Errors = true, l.itself()
		if l.runner, err = newRunner(ctx, program, l.run, strict, l.MaxSteps); err != nil {
			return nil, err
		}
		l.nameErrors()
	}
	return spec.Sequential(l.runner, l.run, l.renamed(list), answers)
}

// methods makes names of operations, as they are in Go or in a log, those of a log.
func (l *loaded) methods(names []string) error {
	for i, name := range names {
		at := slices.IndexFunc(l.own.Ops, func(op ir.Operation) bool { return name == op.Method || name == bare(op.GoName) })
		if at < 0 {
			var all []string
			for _, op := range l.own.Ops {
				all = append(all, op.Method)
			}
			return fmt.Errorf("there is no operation %s%s", name, wording.HintOrAll(name, all, "operations"))
		}
		names[i] = l.own.Ops[at].Method
	}
	return nil
}

// renamed is a list whose methods have the specification's names.
func (l *loaded) renamed(list *spec.List) *spec.List {
	names := map[string]string{}
	for method, aliases := range l.Aliases {
		for _, a := range aliases {
			names[a] = method
		}
	}
	return list.Renamed(names)
}

// fresh says which argument of an operation no other call may have: as the options say,
// and for the theory to say something of it.
func (l *loaded) fresh() (map[string]int, error) {
	given := map[string]int{}
	for _, name := range l.Fresh {
		i := slices.IndexFunc(l.own.Ops, func(op ir.Operation) bool { return op.Method == name })
		if i < 0 || len(l.own.Ops[i].Params) == 0 {
			return nil, fmt.Errorf("%s cannot have fresh values: it is not an operation with arguments", name)
		}
		given[name] = 0
	}
	if l.Theory == nil {
		return given, nil
	}
	var names []string
	for i := range l.own.Ops {
		names = append(names, l.own.Ops[i].Method)
	}
	found, err := spec.Fresh(l.Theory, l.Aliases, names)
	maps.Copy(given, found)
	return given, err
}
