package standard

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// world type-checks packages of the standard library, as they are or as they are
// explored.
type world struct {
	fset  *token.FileSet
	files map[string][]byte // nil: as they are
	done  map[string]*types.Package
	errs  []error
	// bodyless lists the functions without a body of each package.
	bodyless map[string][]string
}

// nameOf is a function's name as of Lookup.
func nameOf(path string, fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return path + "." + fn.Name.Name
	}
	t := types.ExprString(fn.Recv.List[0].Type)
	if rest, ok := strings.CutPrefix(t, "*"); ok {
		return "(*" + path + "." + rest + ")." + fn.Name.Name
	}
	return "(" + path + "." + t + ")." + fn.Name.Name
}

func newWorld(files map[string][]byte) *world {
	return &world{fset: token.NewFileSet(), files: files, done: map[string]*types.Package{"unsafe": types.Unsafe}, bodyless: map[string][]string{}}
}

func (w *world) Import(path string) (*types.Package, error) {
	if p := w.done[path]; p != nil {
		return p, nil
	}
	dir := filepath.Join(build.Default.GOROOT, "src", path)
	var parsed []*ast.File
	there, _ := build.ImportDir(dir, 0)
	var names []string
	if there != nil {
		names = there.GoFiles
	}
	for name := range w.files {
		if filepath.Dir(name) == dir && strings.HasPrefix(filepath.Base(name), added) {
			names = append(names, filepath.Base(name))
		}
	}
	slices.Sort(names)
	for _, name := range names {
		name = filepath.Join(dir, name)
		var text any
		if t, ok := w.files[name]; ok {
			if string(t) == ignored {
				continue
			}
			text = t
		}
		f, err := parser.ParseFile(w.fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body == nil {
				w.bodyless[path] = append(w.bodyless[path], nameOf(path, fn))
			}
		}
	}
	c := types.Config{Importer: w, Sizes: types.SizesFor("gc", "amd64"), FakeImportC: true, Error: func(err error) { w.errs = append(w.errs, err) }}
	p, _ := c.Check(path, w.fset, parsed, nil)
	w.done[path] = p
	return p, nil
}

// overlay is the files of this installation.
func overlay(t *testing.T) map[string][]byte {
	files, err := Overlay(build.Default.GOROOT)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// replacedPackages lists the packages in a folder.
func replacedPackages(t *testing.T, folder string) (paths []string) {
	err := fs.WalkDir(replaced, folder, func(name string, d fs.DirEntry, err error) error {
		if p := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(name)), folder+"/"); err == nil && !d.IsDir() && !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// TestReplaced holds the packages of _std against those they stand for: they are type-correct and have
// at least their exported names, with the same types.
func TestReplaced(t *testing.T) {
	ours, theirs := newWorld(overlay(t)), newWorld(nil)
	for _, path := range replacedPackages(t, "_std") {
		p, err := ours.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		q, err := theirs.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		got, want := exported(p), exported(q)
		for name, typ := range want {
			if got[name] != typ {
				t.Errorf("%s.%s is\n%s, want\n%s", path, name, got[name], typ)
			}
		}
	}
	for _, err := range ours.errs {
		t.Error(err)
	}
}

// exported maps the exported names of a package, and the methods and fields of its types, to
// their types.
func exported(p *types.Package) map[string]string {
	all := map[string]string{}
	text := func(t types.Type) string { return types.TypeString(t, types.RelativeTo(p)) }
	for _, name := range p.Scope().Names() {
		o := p.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		tn, ok := o.(*types.TypeName)
		if !ok {
			all[name] = text(o.Type())
			continue
		}
		set := types.NewMethodSet(types.NewPointer(o.Type()))
		for m := range set.Methods() {
			if m.Obj().Exported() {
				all[name+"."+m.Obj().Name()] = text(m.Type())
			}
		}
		switch u := tn.Type().Underlying().(type) {
		case *types.Struct:
			all[name] = "struct"
			for f := range u.Fields() {
				if f.Exported() {
					all[name+"."+f.Name()] = text(f.Type())
				}
			}
		case *types.Interface:
			for m := range u.Methods() {
				if m.Exported() {
					all[name+"."+m.Name()] = text(m.Type())
				}
			}
		default:
			all[name] = text(u)
		}
	}
	return all
}

// TestFunctions holds the list against the library: each function is there, and each
// function without a body of a package that is replaced is in the list.
func TestFunctions(t *testing.T) {
	w := newWorld(overlay(t))
	listed := map[string]bool{}
	for _, path := range slices.Concat(replacedPackages(t, "_std"), replacedPackages(t, "_files"), replacedPackages(t, "_funcs")) {
		if _, err := w.Import(path); err != nil {
			t.Fatal(err)
		}
		for _, name := range w.bodyless[path] {
			listed[name] = true
			if f, ok := Lookup(name); !ok || f.Source() {
				t.Errorf("%s has no body and is not in the list", name)
			}
		}
	}
	for name, f := range functions() {
		if linked[name] || listed[name] && !f.Source() {
			continue
		}
		if w.find(t, name) == nil {
			t.Errorf("the list has %s, the library has not", name)
		}
	}
}

// find is a function with a name as of Lookup, or nil.
func (w *world) find(t *testing.T, name string) *types.Func {
	path := packageOf(name)
	p, err := w.Import(path)
	if err != nil {
		t.Fatal(err)
	}
	recv, isMethod := strings.CutPrefix(name, "(*"+path+".")
	if !isMethod {
		fn, _ := p.Scope().Lookup(strings.TrimPrefix(name, path+".")).(*types.Func)
		return fn
	}
	typ, method, _ := strings.Cut(recv, ").")
	typ, _, _ = strings.Cut(typ, "[")
	tn, ok := p.Scope().Lookup(typ).(*types.TypeName)
	if !ok {
		return nil
	}
	o, _, _ := types.LookupFieldOrMethod(types.NewPointer(tn.Type()), true, p, method)
	fn, _ := o.(*types.Func)
	return fn
}

// TestNatives holds the types of natives against those of the functions they stand for.
func TestNatives(t *testing.T) {
	w, n := newWorld(overlay(t)), 0
	for name, f := range functions() {
		if f.like == nil {
			continue
		}
		fn := w.find(t, name)
		if fn == nil {
			continue // TestFunctions says so
		}
		n++
		var got, want []string
		for i := range f.like.NumIn() {
			got = append(got, f.like.In(i).String())
		}
		for i := range f.like.NumOut() {
			got = append(got, f.like.Out(i).String())
		}
		sig := fn.Signature()
		for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
			for v := range tuple.Variables() {
				b, ok := v.Type().Underlying().(*types.Basic)
				if !ok {
					t.Fatalf("%s has a parameter of type %s", name, v.Type())
				}
				want = append(want, types.Typ[b.Kind()].Name())
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is a native of %v, but has %v", name, got, want)
		}
	}
	if n < 200 {
		t.Errorf("%d natives have a type", n)
	}
}
