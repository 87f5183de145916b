// Package skeleton writes what infer needs: a commented Spec for a package that has none, and plain references to start
// from.
//
//	file, err := skeleton.Spec(pkg) // of a *reference.Package
//	file, err := skeleton.FromTemplate("lock", "mylock")
//
// Both are gofmted Go files that compile and that infer takes as they are.
package skeleton

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/reference"
)

// FileName is what the file with a Spec is called.
const FileName = "adtinfer_spec.go"

// Spec is a file of the package with a Spec that says what is so by default, and
// in comments what else can be said. The package was loaded without a Spec.
func Spec(pkg *reference.Package) ([]byte, error) {
	if pkg.Info != nil {
		return nil, fmt.Errorf("it has a Spec already: %s", pkg.Choice)
	}
	s, err := scan(pkg.Dir)
	if err != nil {
		return nil, err
	}
	d := &data{Package: s.name, Name: pkg.Name(), Var: "Spec", New: pkg.Maker}
	if s.names["Spec"] {
		d.Var = pkg.TypeName + "Spec"
		if i := strings.IndexByte(pkg.TypeName, '['); i >= 0 {
			d.Var = pkg.TypeName[:i] + "Spec"
		}
	}
	d.Type = strings.ReplaceAll(pkg.GoType, s.name+".", "")
	base := strings.TrimPrefix(d.Type, "*")
	if pkg.New != "" {
		d.New = s.maker(d.Type, pkg.New)
	}
	if generic, _, _ := strings.Cut(base, "["); strings.Contains(generic, ".") {
		d.Foreign = true // its methods are another package's
	} else if !s.interfaces[generic] {
		base = "(*" + base + ")"
	}
	for _, m := range pkg.Methods() {
		d.Operations = append(d.Operations, operation{m.Name, base + "." + m.GoName, signature(m)})
	}
	for _, n := range pkg.Notes {
		if name, why, ok := strings.Cut(strings.TrimPrefix(n, "method "), " is skipped: "); ok && strings.HasPrefix(n, "method ") {
			d.Skipped = append(d.Skipped, skipped{name, driver.LowerCamel(name), why})
		}
	}
	d.suggest(pkg.Methods())
	var b bytes.Buffer
	if err := layout.Execute(&b, d); err != nil {
		return nil, err
	}
	return format.Source(b.Bytes())
}

// data is what the layout is filled with.
type data struct {
	Package, Name, Var, Type, New string
	Foreign                       bool // Operations cannot name the methods
	Operations                    []operation
	Skipped                       []skipped

	// For the comments: methods that pass values in and give them back, an answer
	// that may mean giving up.
	In, Out, MayFail string
	Empty            bool // Out may answer nil
}

type operation struct{ Name, Func, Signature string }

type skipped struct{ GoName, Name, Why string }

// signature is a method with the answers that it may give: offer(int) => true, false.
func signature(m reference.Method) string {
	s := m.Name
	if len(m.Args) > 0 {
		s += "(" + strings.Join(m.Args, ", ") + ")"
	}
	var answers []string
	for _, o := range m.Outcomes {
		switch {
		case o.Unseen:
		case o.Outcome == history.Some:
			answers = append(answers, strings.Join(m.Rets, ", "))
		case o.Outcome != history.None:
			answers = append(answers, string(o.Outcome))
		}
	}
	if len(answers) > 0 {
		s += " => " + strings.Join(answers, " or ")
	}
	return s
}

// suggest chooses what the comments speak of.
func (d *data) suggest(ms []reference.Method) {
	for _, m := range ms {
		if d.In == "" && len(m.Args) > 0 {
			d.In = m.Name
		}
		for _, o := range m.Outcomes {
			if d.Out == "" && o.Outcome == history.Some && len(m.Args) == 0 {
				d.Out = m.Name
			}
			if d.Out == m.Name && o.Outcome == history.Nil {
				d.Empty = true
			}
			if d.MayFail == "" && (o.Outcome == history.False || o.Outcome == history.Nil) {
				d.MayFail = m.Name + "=" + string(o.Outcome)
			}
		}
	}
}

// scanned is what a package's files declare, as far as it matters here.
type scanned struct {
	name       string
	names      map[string]bool // of the package's scope
	interfaces map[string]bool // types
	fails      map[string]bool // functions with two results
}

// scan reads a package's files, but for the one that is to be written.
func scan(dir string) (*scanned, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	s := &scanned{names: map[string]bool{}, interfaces: map[string]bool{}, fails: map[string]bool{}}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") || filepath.Base(path) == FileName {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, src, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.name = f.Name.Name
		for _, d := range f.Decls {
			s.add(d)
		}
	}
	return s, nil
}

func (s *scanned) add(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			s.names[d.Name.Name] = true
			s.fails[d.Name.Name] = d.Type.Results.NumFields() == 2
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.names[spec.Name.Name] = true
				_, s.interfaces[spec.Name.Name] = spec.Type.(*ast.InterfaceType)
			case *ast.ValueSpec:
				for _, n := range spec.Names {
					s.names[n.Name] = true
				}
			}
		}
	}
}

// maker is a function that makes an object by an expression.
func (s *scanned) maker(typ, expression string) string {
	called, _, _ := strings.Cut(expression, "(")
	called, _, _ = strings.Cut(called, "[")
	if s.fails[strings.TrimSpace(called)] {
		typ = "(" + typ + ", error)"
	}
	return fmt.Sprintf("func() %s { return %s }", typ, expression)
}

// Templates are the names of the references that there are to start from.
func Templates() (names []string) {
	entries, _ := templates.ReadDir("templates") // embedded: there is one
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".go.txt"))
	}
	slices.Sort(names)
	return names
}

// FromTemplate is a plain reference with a Spec, as a file of a package.
func FromTemplate(name, pkg string) ([]byte, error) {
	src, err := templates.ReadFile("templates/" + name + ".go.txt")
	if err != nil {
		return nil, fmt.Errorf("there is no template %s", name)
	}
	t, err := template.New(name).Parse(string(src))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, struct{ Package string }{pkg}); err != nil {
		return nil, err
	}
	return format.Source(b.Bytes())
}
