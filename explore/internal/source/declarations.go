package source

import (
	"go/ast"
	"go/types"
	"strings"
)

// names are all that Options.Type can name.
func (d *declarations) names() (names []string) {
	for _, t := range d.types {
		names = append(names, t.Name())
	}
	for _, s := range d.specs {
		names = append(names, s.name)
	}
	for _, c := range d.ctors {
		names = append(names, c.fn.Name())
	}
	return names
}

// candidates are the types that have operations.
func (d *declarations) candidates() (names []string) {
	for _, t := range d.types {
		if d.methods(t) > 0 && !types.IsInterface(t.Type()) {
			names = append(names, t.Name())
		}
	}
	return names
}

// declarations is what the package declares, in the order of the source.
type declarations struct {
	types []*types.TypeName
	ctors []ctor
	specs []specDecl
	news  []ctor       // marked //lin:new
	ops   []marked     // marked //lin:op
	top   *types.Scope // the package's
	l     *loader
}

// marked is a function that a comment makes an operation.
type marked struct {
	name string // "" if the comment has none
	fn   *types.Func
	decl *ast.FuncDecl
}

// declarations reads them off the files.
func (l *loader) declarations() *declarations {
	d := &declarations{top: l.pkg.Scope(), l: l}
	for _, f := range l.files {
		for _, decl := range f.Decls {
			switch decl := decl.(type) {
			case *ast.GenDecl:
				d.addGen(decl)
			case *ast.FuncDecl:
				d.addFunc(decl)
			}
		}
	}
	return d
}

func (d *declarations) addGen(decl *ast.GenDecl) {
	for _, s := range decl.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if t, ok := d.top.Lookup(s.Name.Name).(*types.TypeName); ok {
				d.types = append(d.types, t)
			}
		case *ast.ValueSpec:
			for i, n := range s.Names {
				if v, ok := d.top.Lookup(n.Name).(*types.Var); ok && isSpec(v.Type()) {
					s := specDecl{name: n.Name, pos: n.Pos(), literal: specLiteral(s.Values, i)}
					d.specs = append(d.specs, s)
				}
			}
		}
	}
}

func (d *declarations) addFunc(decl *ast.FuncDecl) {
	fn, ok := d.l.info.Defs[decl.Name].(*types.Func)
	if !ok {
		return
	}
	for _, text := range directives(decl.Doc) {
		switch word, name, _ := strings.Cut(text, " "); word {
		case "new":
			d.news = append(d.news, d.ctor(fn, decl))
		case "op":
			d.ops = append(d.ops, marked{strings.TrimSpace(name), fn, decl})
		}
	}
	sig := fn.Signature()
	if sig.Recv() != nil {
		return
	}
	res := sig.Results()
	if sig.Params().Len() == 0 && res.Len() == 1 && isSpec(res.At(0).Type()) {
		d.specs = append(d.specs, specDecl{name: fn.Name(), pos: fn.Pos(), literal: returned(decl)})
		return
	}
	if strings.HasPrefix(strings.ToLower(fn.Name()), "new") && (res.Len() == 1 || res.Len() == 2 && isError(res.At(1).Type())) {
		d.ctors = append(d.ctors, d.ctor(fn, decl))
	}
}

// directives are the //lin: comments of a declaration.
func directives(doc *ast.CommentGroup) (all []string) {
	if doc == nil {
		return nil
	}
	for _, c := range doc.List {
		if text, ok := strings.CutPrefix(c.Text, "//lin:"); ok {
			all = append(all, strings.TrimSpace(text))
		}
	}
	return all
}

func (d *declarations) typeNamed(name string) *types.TypeName {
	t, _ := d.top.Lookup(name).(*types.TypeName)
	return t
}

func (d *declarations) spec(name string) *specDecl {
	for i := range d.specs {
		if d.specs[i].name == name {
			return &d.specs[i]
		}
	}
	return nil
}

func (d *declarations) ctorsOf(t *types.TypeName) (all []ctor) {
	for _, c := range d.ctors {
		if c.of == t {
			all = append(all, c)
		}
	}
	return all
}

// methods counts what could be operations of a type.
func (d *declarations) methods(t *types.TypeName) int { return d.l.countMethods(t.Type()) }

func (l *loader) countMethods(t types.Type) (n int) {
	if _, ok := t.Underlying().(*types.Pointer); !ok && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		if m := set.At(i).Obj(); m.Exported() && !isText(m.(*types.Func)) {
			n++
		}
	}
	return n
}

// objectOf is the type of this package that an operation belongs to, if any.
func (d *declarations) objectOf(op marked) *types.TypeName {
	v := op.fn.Signature().Recv()
	if v == nil && op.fn.Signature().Params().Len() > 0 {
		v = op.fn.Signature().Params().At(0)
	}
	if v == nil {
		return nil
	}
	return d.local(v.Type())
}

// local is the type of this package that t, or what t points to, is.
func (d *declarations) local(t types.Type) *types.TypeName {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Parent() == d.top {
		return n.Obj()
	}
	return nil
}
