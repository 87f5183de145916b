package reference

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/reference/internal/chance"
)

// selection is the reference that was chosen, as Go names.
type selection struct {
	name     string // of the Spec, type or constructor
	isSpec   bool
	isFunc   bool   // the Spec is a function; the object has a constructor
	typeName string // of the objects
	ctor     string // constructor; "" for the zero value
	typeArgs string // "int, string"
	inside   bool   // only the package itself can name it
	locals   []string
	errors   []string // variables that hold errors
	plain    []string // types that are no interfaces and have no parameters
	notes    []string

	chance *chance.Report // what else than calls answers may depend on

	made *construction // the expression that makes the objects, if the user gave one
	hint string        // about it
}

// expression is the Spec, or the constructor as a function.
func (s *selection) expression(qualifier string) string {
	args := ""
	if s.typeArgs != "" {
		args = "[" + s.qualifyArgs(qualifier) + "]"
	}
	switch {
	case s.made != nil:
		return madeFunc
	case s.isSpec && s.isFunc:
		return qualifier + s.name + "()"
	case s.isSpec:
		return qualifier + s.name
	case s.ctor != "":
		return qualifier + s.ctor + args
	}
	t := qualifier + s.typeName + args
	return fmt.Sprintf("func() *%s { return new(%s) }", t, t)
}

// call is what makes an object, in the user's words.
func (s *selection) call() string {
	switch {
	case s.made != nil:
		return s.name
	case s.isSpec:
		return "New()"
	case s.ctor != "":
		return s.ctor + "()"
	}
	return "new(" + s.typeName + ")"
}

// qualifyArgs writes the type arguments; those the package declares are its own.
func (s *selection) qualifyArgs(qualifier string) string {
	args := strings.Split(s.typeArgs, ", ")
	for i, a := range args {
		if slices.Contains(s.locals, a) {
			args[i] = qualifier + a
		}
	}
	return strings.Join(args, ", ")
}

// dataType is the name of the data type unless a Spec has another: the
// package's, which says nothing if that is main.
func (s *selection) dataType(p *listed) string {
	if p.Name != "main" {
		return p.Name
	}
	if s.typeName != "" {
		return strings.ToLower(s.typeName[:1]) + s.typeName[1:]
	}
	return "reference"
}

// discover chooses what to run. A package whose files do not parse is built to
// get the compiler's words for it.
func (l *loader) discover(ctx context.Context, p *listed) (*selection, error) {
	d, err := parse(p)
	if err != nil {
		if _, goErr := l.goCommand(ctx, p.Dir, "build", "-buildvcs=false", "."); goErr != nil {
			return nil, l.buildError(goErr, &selection{})
		}
		return nil, l.fail("%v", err)
	}
	var s *selection
	switch {
	case l.New != "":
		s, err = l.madeBy(d, p)
	case l.Type != "":
		s, err = l.named(d, l.Type)
	default:
		s, err = l.unnamed(d, p)
	}
	if err != nil {
		return nil, err
	}
	s.locals, s.plain, s.errors = d.order, d.plain(), d.errors
	s.chance = l.sources(ctx, p, d)
	s.inside = p.Name == "main" || !s.exported()
	if s.inside && (p.host != p.Dir || p.Standard) {
		return nil, l.fail("%s is not exported, and its package is not in your module", s.name)
	}
	return s, nil
}

// exported reports whether another package can name the choice.
func (s *selection) exported() bool {
	if s.made != nil {
		return !s.made.inside
	}
	if s.isSpec {
		return token.IsExported(s.name)
	}
	if s.ctor != "" {
		return token.IsExported(s.ctor)
	}
	return token.IsExported(s.typeName)
}

// named finds a Spec, type or constructor by name.
func (l *loader) named(d *declarations, name string) (*selection, error) {
	for _, s := range d.specs {
		if s.name == name {
			return &selection{name: name, isSpec: true, isFunc: s.isFunc}, nil
		}
	}
	if t := d.types[name]; t != nil {
		return l.ofType(d, t)
	}
	for i := range d.ctors {
		if c := &d.ctors[i]; c.name == name {
			if !d.usable(c) {
				return nil, l.needsNew(d, nil, d.ctors[i:i+1])
			}
			return l.withCtor(d, c)
		}
	}
	e := l.fail("the package has no type, constructor or Spec %s%s", name, driver.DidYouMean(name, d.names()))
	e.Hint = candidatesHint(d.candidates())
	return nil, e
}

// unnamed finds what the package has only one of.
func (l *loader) unnamed(d *declarations, p *listed) (*selection, error) {
	var specs []string
	for _, s := range d.specs {
		if token.IsExported(s.name) || p.Name == "main" {
			specs = append(specs, s.name)
		}
	}
	constructed, others := d.typesByNeed(p.Name == "main")
	for _, names := range [][]string{specs, constructed, others} {
		switch {
		case len(names) == 1:
			return l.choose(d, names[0])
		case len(names) > 1:
			e := l.fail("several could be meant: %s", strings.Join(names, ", "))
			e.Hint = candidatesHint(names)
			return nil, e
		}
	}
	e := l.fail("no exported type with methods, and no Spec")
	if e.Hint = candidatesHint(d.candidates()); e.Hint == "" || p.Module == nil || !p.Module.Main {
		e.Hint = "a reference is a data type: a type with methods, and a function that makes one, as in ./queue; name a package that has one, or write a Spec"
	}
	return nil, e
}

// choose takes a Spec, a type, or a constructor of another package's type.
func (l *loader) choose(d *declarations, name string) (*selection, error) {
	if t := d.types[name]; t != nil {
		return l.ofType(d, t)
	}
	return l.named(d, name)
}

// typesByNeed lists the exported types (all, in package main) that have a usable
// constructor, and the others that have methods: some without any constructor,
// some with those that take parameters. A constructor of a type of another
// package stands for itself.
func (d *declarations) typesByNeed(all bool) (constructed, others []string) {
	for _, name := range d.order {
		t := d.types[name]
		if !all && !token.IsExported(name) && !d.exportedCtor(name) {
			continue
		}
		ctors := d.ctorsOf(name)
		switch {
		case t.methods == 0 && !t.embeds && !t.isInterface:
		case slices.ContainsFunc(ctors, func(c ctorDecl) bool { return d.usable(&c) }):
			constructed = append(constructed, name)
		case len(ctors) > 0 || t.methods > 0:
			others = append(others, name)
		}
	}
	for i := range d.ctors {
		switch c := &d.ctors[i]; {
		case c.of != "" || !token.IsExported(c.name) || len(constructed) > 0:
		case d.usable(c):
			constructed = append(constructed, c.name)
		case len(others) == 0:
			others = append(others, c.name)
		}
	}
	return constructed, others
}

func (d *declarations) exportedCtor(typeName string) bool {
	return slices.ContainsFunc(d.ctorsOf(typeName), func(c ctorDecl) bool { return token.IsExported(c.name) })
}

func (d *declarations) ctorsOf(typeName string) (cs []ctorDecl) {
	for _, c := range d.ctors {
		if c.of == typeName {
			cs = append(cs, c)
		}
	}
	return cs
}

// ofType makes a selection of a type: with its constructor New, NewType or the
// only other one, or else, if it has none, with its zero value.
func (l *loader) ofType(d *declarations, t *typeDecl) (*selection, error) {
	all := d.ctorsOf(t.name)
	var usable []*ctorDecl
	for i := range all {
		if d.usable(&all[i]) {
			usable = append(usable, &all[i])
		}
	}
	rank := func(c *ctorDecl) int {
		return slices.Index([]string{"New", "New" + t.name, "new", "new" + t.name}, c.name)
	}
	slices.SortStableFunc(usable, func(a, b *ctorDecl) int { return int(uint8(rank(a))) - int(uint8(rank(b))) })
	if len(usable) > 1 && rank(usable[0]) < 0 {
		var names []string
		for _, c := range usable {
			names = append(names, c.name)
		}
		e := l.fail("type %s has several constructors: %s", t.name, strings.Join(names, ", "))
		e.Hint = candidatesHint(names)
		return nil, e
	}
	if len(usable) > 0 {
		return l.withCtor(d, usable[0])
	}
	if len(all) > 0 {
		return nil, l.needsNew(d, t, all)
	}
	return l.zeroValue(d, t)
}

func (l *loader) withCtor(d *declarations, c *ctorDecl) (*selection, error) {
	s := &selection{name: c.name, ctor: c.name, isFunc: true, typeName: c.of}
	args, err := l.typeArguments(d, c.name, c.tparam)
	s.typeArgs = args
	return s, err
}

func (l *loader) zeroValue(d *declarations, t *typeDecl) (*selection, error) {
	s := &selection{name: t.name, typeName: t.name}
	if t.isInterface {
		e := l.fail("%s is an interface and has no constructor", t.name)
		e.Hint = "write a func New() " + t.name + ", or name the type behind it"
		return nil, e
	}
	makers := d.makersOf(t.name)
	if len(makers) > 0 && !slices.ContainsFunc(makers, func(c ctorDecl) bool { return d.usable(&c) }) {
		e := l.needsNew(d, t, makers)
		if len(t.params) == 0 {
			e.Hint += "; --new 'new(" + t.name + ")' is its zero value"
		}
		return nil, e
	}
	args, err := l.typeArguments(d, t.name, t.params)
	s.typeArgs = args
	s.notes = d.makersNote(t.name, makers)
	return s, err
}

// makersOf are the exported functions that return objects of a type, but for those whose
// names begin with New, and those that make one of others.
func (d *declarations) makersOf(typeName string) []ctorDecl {
	return slices.DeleteFunc(slices.Clone(d.more), func(c ctorDecl) bool { return c.of != typeName || c.takes(typeName) })
}

// takes reports whether a parameter is an object of the type, or several are.
func (c *ctorDecl) takes(typeName string) bool {
	return slices.ContainsFunc(c.fn.Type.Params.List, func(f *ast.Field) bool {
		t := f.Type
		if v, ok := t.(*ast.Ellipsis); ok {
			t = v.Elt
		}
		if v, ok := t.(*ast.ArrayType); ok {
			t = v.Elt
		}
		return origin.LocalType(t) == typeName
	})
}

// makersNote says which functions return objects of a type that has no constructor.
func (d *declarations) makersNote(of string, makers []ctorDecl) []string {
	if len(makers) == 0 {
		return nil
	}
	var names []string
	for _, c := range makers {
		names = append(names, c.name)
	}
	note := fmt.Sprintf("%s is used by its zero value, new(%[1]s), for it has no function New; objects are returned by %s", of, strings.Join(names, ", "))
	if examples := d.examples(makers); len(examples) > 0 {
		note += "; to use that, give " + strings.Join(examples, " or ")
	}
	return []string{note}
}

// names lists everything that "#Name" can name.
func (d *declarations) names() []string {
	names := slices.Clone(d.order)
	for _, s := range d.specs {
		names = append(names, s.name)
	}
	for _, c := range d.ctors {
		names = append(names, c.name)
	}
	return names
}

// candidates lists what "#Name" can sensibly name.
func (d *declarations) candidates() []string {
	var names []string
	for _, s := range d.specs {
		names = append(names, s.name)
	}
	for _, name := range d.order {
		if t := d.types[name]; t.methods > 0 && !t.isInterface {
			names = append(names, name)
		}
	}
	return names
}

// candidatesHint says how to choose one of several.
func candidatesHint(names []string) string {
	if len(names) == 0 {
		return ""
	}
	parts := make([]string, len(names))
	for i, n := range names {
		parts[i] = "#" + n
	}
	return "name one after the path: " + strings.Join(parts, ", ")
}
