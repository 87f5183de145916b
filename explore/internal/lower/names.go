package lower

import (
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
