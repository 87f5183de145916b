package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// typeName is a type for readers: as the package that is explored would write it.
func (c *compiler) typeName(t types.Type) string { return types.TypeString(t, c.qualify) }

func (c *compiler) qualify(p *types.Package) string {
	if p.Path() == c.src.Path {
		return ""
	}
	return p.Name()
}

// funcName is a function for readers: (*Set).Insert, sort.Ints, New$1.
func (c *compiler) funcName(fn *ssa.Function) string {
	for i := range c.src.Ops { // the functions that make the calls go by the name of what they call
		if c.src.Ops[i].Func == fn {
			return c.src.Ops[i].GoName
		}
	}
	if fn == c.src.New {
		return "New"
	}
	if fn.Pkg != nil {
		return fn.RelString(c.packageOf(c.src.Path))
	}
	return strings.ReplaceAll(fn.RelString(c.packageOf(c.src.Path)), c.src.Path+".", "")
}

// packageOf is a package by its path, nil if it is none.
func (c *compiler) packageOf(path string) *types.Package {
	for _, p := range c.src.Packages {
		if p.Pkg.Path() == path {
			return p.Pkg
		}
	}
	return nil
}

// position is the number of a place; 0 is an unknown one.
func (c *compiler) position(pos token.Pos) int32 {
	if !pos.IsValid() {
		return 0
	}
	p := c.place(pos)
	n, ok := c.positions[p]
	if !ok {
		n = int32(len(c.prog.Positions))
		c.positions[p] = n
		c.prog.Positions = append(c.prog.Positions, p)
	}
	return n
}

// place is a place for readers: relative to the module, or to the standard library.
func (c *compiler) place(pos token.Pos) ir.Position {
	p := c.src.Prog.Fset.Position(pos)
	file := filepath.ToSlash(p.Filename)
	root := filepath.ToSlash(c.src.Root)
	switch {
	case root != "" && strings.HasPrefix(file, strings.TrimSuffix(root, "/")+"/"):
		file = file[len(strings.TrimSuffix(root, "/"))+1:]
	case inLibrary(file):
		file = file[strings.Index(file, "/src/")+len("/src/"):]
	case strings.Contains(file, "/mod/"):
		file = file[strings.Index(file, "/mod/")+len("/mod/"):]
	}
	return ir.Position{File: file, Line: p.Line, Col: p.Column}
}

// inLibrary reports whether a file belongs to the standard library: its folder after src has
// no dot in its first name, as every module has that go get can find.
func inLibrary(file string) bool {
	i := strings.Index(file, "/src/")
	if i < 0 {
		return false
	}
	first, _, nested := strings.Cut(file[i+len("/src/"):], "/")
	return nested && !strings.Contains(first, ".")
}

// standard reports whether a function is part of the standard library.
func (c *compiler) standard(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	pos := fn.Pos()
	if pos.IsValid() {
		file := filepath.ToSlash(c.src.Prog.Fset.Position(pos).Filename)
		inRoot := c.src.Root != "" && strings.HasPrefix(file, filepath.ToSlash(c.src.Root)+"/")
		return !inRoot && inLibrary(file)
	}
	if fn.Pkg == nil { // a wrapper of a method
		return false
	}
	return c.standardPackage(fn.Pkg)
}

// standardPackage reports whether a package is part of the standard library.
func (c *compiler) standardPackage(p *ssa.Package) bool {
	for _, m := range p.Members {
		if pos := m.Pos(); pos.IsValid() {
			file := filepath.ToSlash(c.src.Prog.Fset.Position(pos).Filename)
			return inLibrary(file) && strings.HasSuffix(path.Dir(file), "/src/"+p.Pkg.Path())
		}
	}
	return false
}

// docOf is a function's comment.
func docOf(fn *ssa.Function) string {
	if d, ok := fn.Syntax().(*ast.FuncDecl); ok && d.Doc != nil {
		return strings.TrimSpace(d.Doc.Text())
	}
	return ""
}

// resultTypes are the types of a function's results.
func resultTypes(s *types.Signature) []types.Type {
	var list []types.Type
	for i := range s.Results().Len() {
		list = append(list, s.Results().At(i).Type())
	}
	return list
}

// goName is a type's name as a running program prints it: %T, and panics.
func goName(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return namedName(t, (*types.Package).Name)
	case *types.Pointer:
		return "*" + goName(t.Elem())
	case *types.Slice:
		return "[]" + goName(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), goName(t.Elem()))
	case *types.Map:
		return "map[" + goName(t.Key()) + "]" + goName(t.Elem())
	case *types.Chan:
		return [...]string{types.SendRecv: "chan ", types.SendOnly: "chan<- ", types.RecvOnly: "<-chan "}[t.Dir()] + goName(t.Elem())
	case *types.Signature:
		return "func" + signatureName(t)
	case *types.Struct:
		var fields []string
		for i := range t.NumFields() {
			f := t.Field(i)
			text := f.Name() + " " + goName(f.Type())
			if f.Embedded() {
				text = goName(f.Type())
			}
			if tag := t.Tag(i); tag != "" {
				text += fmt.Sprintf(" %q", tag)
			}
			fields = append(fields, text)
		}
		return braces("struct", fields)
	case *types.Interface:
		var methods []string
		for i := range t.NumMethods() {
			m := t.Method(i)
			methods = append(methods, m.Name()+signatureName(m.Type().(*types.Signature)))
		}
		return braces("interface", methods)
	}
	return t.String()
}

func braces(word string, parts []string) string {
	if len(parts) == 0 {
		return word + " {}"
	}
	return word + " { " + strings.Join(parts, "; ") + " }"
}

// namedName is the name of a named type; its arguments tell packages by their paths.
func namedName(t *types.Named, qualify types.Qualifier) string {
	obj := t.Obj()
	name := obj.Name()
	if obj.Pkg() != nil {
		name = qualify(obj.Pkg()) + "." + name
	}
	if t.TypeArgs().Len() == 0 {
		return name
	}
	var args []string
	for i := range t.TypeArgs().Len() {
		a := types.Unalias(t.TypeArgs().At(i))
		if n, ok := a.(*types.Named); ok {
			args = append(args, namedName(n, (*types.Package).Path))
		} else {
			args = append(args, goName(a))
		}
	}
	return name + "[" + strings.Join(args, ",") + "]"
}

// signatureName is the parameters and results of a func type.
func signatureName(s *types.Signature) string {
	list := func(t *types.Tuple, variadic bool) string {
		var parts []string
		for i := range t.Len() {
			text := goName(t.At(i).Type())
			if variadic && i == t.Len()-1 {
				text = "..." + strings.TrimPrefix(text, "[]")
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, ", ")
	}
	text := "(" + list(s.Params(), s.Variadic()) + ")"
	switch s.Results().Len() {
	case 0:
		return text
	case 1:
		return text + " " + list(s.Results(), false)
	}
	return text + " (" + list(s.Results(), false) + ")"
}
