package source

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// choice is what is explored.
type choice struct {
	maker
	object types.Type // what the operations take first; nil if their state is in variables of the package
	spec   *specDecl  // that it is the type of; nil without one
	ops    []operation
	skip   []string // methods that are no operations
	left   []string // exported methods that are none
	notes  []string
}

// maker is what makes an object.
type maker struct {
	expr   string // a Go expression; "" if there is nothing to do
	at     token.Position
	result types.Type // the object; nil if it makes none
	fails  bool       // it gives an error, too
}

// typeName is a type as the package writes it; its name without one.
func (l *loader) typeName(t types.Type) string {
	if t == nil {
		return l.pkg.Name()
	}
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == l.pkg.Path() {
			return ""
		}
		return p.Name()
	})
}

// choose finds the constructor and the operations.
func (l *loader) choose() (*choice, error) {
	var made maker
	var err error
	if l.New != "" { // the types of the package are new ones afterwards
		if made, err = l.given(); err != nil {
			return nil, err
		}
	}
	d := l.declarations()
	var c *choice
	switch {
	case l.New != "":
		c, err = l.madeBy(d, made)
	case l.Type != "":
		c, err = l.named(d, l.Type)
	default:
		c, err = l.unnamed(d)
	}
	if err != nil {
		return nil, err
	}
	if c.result != nil {
		c.object = c.result
		switch c.result.Underlying().(type) {
		case *types.Pointer, *types.Interface:
		default:
			c.object = types.NewPointer(c.result)
		}
	}
	return c, l.operations(d, c)
}

// named is the choice of a type or constructor by name, or of a Spec.
func (l *loader) named(d *declarations, text string) (*choice, error) {
	name, args, err := l.splitType(text)
	if err != nil {
		return nil, err
	}
	if s := d.spec(name); s != nil {
		return l.bySpec(s)
	}
	if t := d.typeNamed(name); t != nil {
		return l.ofType(d, t, args)
	}
	for _, c := range d.ctors {
		if c.fn.Name() == name {
			return l.withCtor(c, args)
		}
	}
	what := "has no types with methods"
	if names := d.candidates(); len(names) > 0 {
		what = "has " + strings.Join(names, ", ")
	}
	return nil, fail("package %s has no type, constructor or Spec %s%s (it %s)", l.pkg.Name(), name, wording.Hint(name, d.names()), what)
}

// unnamed finds what the package has only one of.
func (l *loader) unnamed(d *declarations) (*choice, error) {
	if c, err := l.directed(d); c != nil || err != nil {
		return c, err
	}
	var specs []string
	for _, s := range d.specs {
		if token.IsExported(s.name) || l.pkg.Name() == "main" {
			specs = append(specs, s.name)
		}
	}
	constructed, others := l.typesByNeed(d)
	for _, names := range [][]string{specs, constructed, others} {
		switch {
		case len(names) == 1:
			if other := d.instead(names[0]); len(other) > 0 {
				return nil, severalTypes(append(other, names[0]))
			}
			return l.named(d, names[0])
		case len(names) > 1:
			return nil, severalTypes(names)
		}
	}
	return nil, fail("package %s has no exported type with methods, so there are zero operations; mark functions with //lin:op NAME", l.pkg.Name())
}

// instead are the exported types that may be meant rather than one that is an interface which they do not have, or that
// is not exported.
func (d *declarations) instead(name string) (names []string) {
	t := d.typeNamed(name)
	if t == nil || d.l.pkg.Name() == "main" || t.Exported() && !types.IsInterface(t.Type()) {
		return nil
	}
	for _, other := range d.types {
		if other.Exported() && !types.IsInterface(other.Type()) && d.methods(other) > 0 && !(types.IsInterface(t.Type()) && d.has(other, t)) {
			names = append(names, other.Name())
		}
	}
	return names
}

// has reports whether a type has methods with the names of an interface's.
func (d *declarations) has(t, of *types.TypeName) bool {
	own, all := types.NewMethodSet(types.NewPointer(t.Type())), types.NewMethodSet(of.Type())
	for i := range all.Len() {
		if own.Lookup(d.l.pkg, all.At(i).Obj().Name()) == nil {
			return false
		}
	}
	return true
}

func severalTypes(names []string) error {
	return fail("several could be meant: %s; name one, as in --type %s", strings.Join(names, ", "), names[0])
}

// directed is the choice that //lin: comments make; nil if there are none.
func (l *loader) directed(d *declarations) (*choice, error) {
	if len(d.news) > 1 {
		return nil, l.failAt(d.news[1].decl.Pos(), "//lin:new is there twice, on %s and %s", d.news[0].fn.Name(), d.news[1].fn.Name())
	}
	if len(d.news) == 1 {
		c := d.news[0]
		if c.fn.Signature().Results().Len() > 0 {
			return l.withCtor(c, nil)
		}
		if params := c.fn.Signature().Params(); params.Len() > 0 {
			return nil, l.failAt(c.decl.Pos(), "%s is marked //lin:new and must have no parameters, or return the object", c.fn.Name())
		}
		return &choice{maker: maker{expr: c.fn.Name() + "()"}}, nil
	}
	var names []string
	for _, op := range d.ops {
		if t := d.objectOf(op); t != nil && !slices.Contains(names, t.Name()) {
			names = append(names, t.Name())
		}
	}
	switch {
	case len(d.ops) == 0:
		return nil, nil
	case len(names) == 0:
		return &choice{}, nil
	case len(names) == 1:
		return l.named(d, names[0])
	}
	return nil, severalTypes(names)
}

// typesByNeed lists the types that have a constructor that can be called as it is, and the
// others that have methods. A constructor of another package's type stands for itself.
func (l *loader) typesByNeed(d *declarations) (constructed, others []string) {
	all := l.pkg.Name() == "main"
	for _, t := range d.types {
		ctors := d.ctorsOf(t)
		exported := func(c ctor) bool { return c.fn.Exported() }
		if !all && !t.Exported() && !slices.ContainsFunc(ctors, exported) {
			continue
		}
		switch {
		case d.methods(t) == 0:
		case slices.ContainsFunc(ctors, ctor.usable):
			constructed = append(constructed, t.Name())
		case len(ctors) > 0 || !types.IsInterface(t.Type()):
			others = append(others, t.Name())
		}
	}
	for _, c := range d.ctors {
		switch {
		case c.of != nil || !c.fn.Exported() || len(constructed) > 0 || l.countMethods(c.result()) == 0:
		case c.usable():
			constructed = append(constructed, c.fn.Name())
		case len(others) == 0:
			others = append(others, c.fn.Name())
		}
	}
	return constructed, others
}

// ofType chooses a type with its constructor New, NewType or the only other one, or
// else, if it has none, with its zero value.
func (l *loader) ofType(d *declarations, t *types.TypeName, args []types.Type) (*choice, error) {
	all := d.ctorsOf(t)
	var usable []ctor
	for _, c := range all {
		if c.usable() {
			usable = append(usable, c)
		}
	}
	rank := func(c ctor) int {
		return int(uint8(slices.Index([]string{"New", "New" + t.Name(), "new", "new" + t.Name()}, c.fn.Name())))
	}
	slices.SortStableFunc(usable, func(a, b ctor) int { return rank(a) - rank(b) })
	for _, c := range d.news {
		if c.of == t {
			return l.withCtor(c, args)
		}
	}
	switch {
	case len(usable) > 1 && rank(usable[0]) == 255:
		var names []string
		for _, c := range usable {
			names = append(names, c.fn.Name())
		}
		return nil, l.failAt(t.Pos(), "type %s has several constructors: %s; choose one, as in --new '%s()'", t.Name(), strings.Join(names, ", "), names[0])
	case len(usable) > 0:
		return l.withCtor(usable[0], args)
	case len(all) > 0:
		return nil, l.needsNew(all)
	case types.IsInterface(t.Type()):
		return nil, l.failAt(t.Pos(), "%s is an interface and has no constructor; write a func New() %s, or name the type behind it", t.Name(), t.Name())
	}
	return l.zeroValue(t, args)
}

func (l *loader) zeroValue(t *types.TypeName, args []types.Type) (*choice, error) {
	typ, text := t.Type(), t.Name()
	if n, ok := types.Unalias(typ).(*types.Named); ok && n.TypeParams().Len() > 0 {
		args, err := l.fill(t, n.TypeParams(), args)
		if err == nil {
			typ, err = l.instantiate(t, n, args)
		}
		if err != nil {
			return nil, err
		}
		text += "[" + l.names(args) + "]"
	} else if len(args) > 0 {
		return nil, l.failAt(t.Pos(), "type %s has no type parameters", t.Name())
	}
	return &choice{maker: maker{expr: "new(" + text + ")", at: l.fset.Position(t.Pos()), result: types.NewPointer(typ)}}, nil
}

// withCtor chooses what a constructor makes.
func (l *loader) withCtor(c ctor, args []types.Type) (*choice, error) {
	if !c.usable() {
		return nil, l.needsNew([]ctor{c})
	}
	sig, text := c.fn.Signature(), c.fn.Name()
	if tps := sig.TypeParams(); tps.Len() > 0 {
		args, err := l.fill(c.fn, tps, c.own(args))
		if err != nil {
			return nil, err
		}
		inst, err := l.instantiate(c.fn, sig, args)
		if err != nil {
			return nil, err
		}
		sig = inst.(*types.Signature)
		text += "[" + l.names(args) + "]"
	} else if len(args) > 0 {
		return nil, l.failAt(c.fn.Pos(), "%s has no type parameters", c.fn.Name())
	}
	var in []string
	for i := range sig.Params().Len() {
		if isContext(sig.Params().At(i).Type()) {
			in = append(in, background)
		}
	}
	return &choice{maker: maker{
		expr: text + "(" + strings.Join(in, ", ") + ")", at: l.fset.Position(c.fn.Pos()), result: sig.Results().At(0).Type(), fails: sig.Results().Len() == 2,
	}}, nil
}
