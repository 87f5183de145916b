package source

import (
	"cmp"
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Options says what to load. Zero values mean: what is found.
type Options struct {
	Dir  string   // a folder within a module, or an import path; #NAME after it is Type
	Type string   // the type to explore, perhaps with type arguments: Queue[string]; or its constructor
	New  string   // a Go expression of the package that makes the object: New(4), &Ring{N: 4}
	Skip []string // methods that are no operations, in either spelling
	Only []string // if it is not empty, all others are none
	Tags []string // build tags
	Env  []string // more than the environment, e.g. GOFLAGS
	// Overlay has files of the package, by their absolute names, that are read in place
	// of those of the file system.
	Overlay map[string][]byte
	// Callbacks says that parameters that are functions are given some, see Op.Choices.
	Callbacks bool
	// Policy says that the directives of a linearization policy are code.
	Policy bool
}

// Package is a package to explore.
//
// Functions of other packages are built when they are needed: call Build before looking at the
// blocks of one. Of some packages (runtime, reflect, os, ...) only signatures are loaded:
// their functions have no blocks, and they are not in Packages, for their initialisers
// do not run.
type Package struct {
	Path, Name string
	Prog       *ssa.Program
	// Packages are those whose initialisers run, in this order: each comes after those it imports.
	Packages []*ssa.Package
	Type     string        // as in Go: *Set, Queue[int]
	Made     string        // a Go expression that makes the object; "" if there is none
	New      *ssa.Function // has no parameters, one result: the object
	Ops      []Op
	Contexts bool     // the constructor or an operation takes a context, which nobody cancels
	Skipped  []string // exported methods that are no operations
	Notes    []string // why, and how others are called
	Root     string   // the module's folder: positions are told relative to it
	Policy   *Policy  // with Options.Policy

	// What Gate changes.
	fset     *token.FileSet
	files    []*ast.File
	info     *types.Info
	texts    map[string][]byte
	wrappers string
}

// Op is an operation.
type Op struct {
	Method string        // as in a history
	GoName string        // as in Go: (*Set).Insert
	Func   *ssa.Function // takes the object, then the arguments
	Params []types.Type
	// Choices are by parameter what it is a number of, nil if it is a value of its own. A callback's is what it does; how
	// often it ran is one of the first results, of which there are Ran.
	Choices [][]string
	Ran     int
	// Results are those of Func.
	Results []types.Type
}

// Constructors lists the exported functions that make an object of the type without being given anything.
func (p *Package) Constructors() (names []string) {
	if p.New.Signature.Results().Len() == 0 {
		return nil
	}
	made := p.New.Signature.Results().At(0).Type()
	for name, m := range p.Packages[len(p.Packages)-1].Members {
		fn, ok := m.(*ssa.Function)
		if !ok || !token.IsExported(name) {
			continue
		}
		sig := fn.Signature
		if sig.Params().Len() == 0 && sig.TypeParams().Len() == 0 && sig.Results().Len() > 0 && types.Identical(sig.Results().At(0).Type(), made) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Build makes sure that a function has its blocks, if it has any: also functions of
// packages that are imported, and instances of generic ones.
func Build(fn *ssa.Function) {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg != nil {
		fn.Pkg.Build()
	}
}

// Load loads the package in a folder, with what to explore. An *Error says why it
// cannot be explored.
func Load(ctx context.Context, o Options) (*Package, error) {
	l, err := open(ctx, o)
	if err != nil {
		return nil, err
	}
	ch, err := l.choose()
	if err != nil {
		return nil, err
	}
	w, err := l.wrap(ch)
	if err != nil {
		return nil, err
	}
	if !o.Policy {
		return l.program(ch, w, l.files), nil
	}
	original, info := l.files, l.info
	g, err := l.policy(ch, w.file)
	if err != nil {
		return nil, err
	}
	p := l.program(ch, w, l.files[:len(l.files)-1])
	p.files, p.info = original, info
	p.Policy = g.policyOf(p.Packages[len(p.Packages)-1])
	g.lintOf(p)
	return p, nil
}

// Code loads the package in a folder as it is: without a constructor and operations.
func Code(ctx context.Context, o Options) (*Package, error) {
	l, err := open(ctx, o)
	if err != nil {
		return nil, err
	}
	return l.program(&choice{}, &wrappers{}, l.files), nil
}

// open type-checks the package and all that it imports.
func open(ctx context.Context, o Options) (*loader, error) {
	l := &loader{Options: o, fset: cache.fset, byPath: map[string]*checked{}, texts: map[string][]byte{}, runs: map[*checked]bool{}, sizes: types.SizesFor("gc", runtime.GOARCH)}
	err := l.locate()
	if err != nil {
		return nil, err
	}
	if l.listed, err = l.list(ctx); err != nil {
		return nil, err
	}
	if l.order, err = l.checkAll(l.listed); err != nil {
		return nil, err
	}
	return l, l.check()
}

// locate finds the folder: that of the package, or the working directory for an import path.
func (l *loader) locate() error {
	isDir := func(name string) bool {
		fi, err := os.Stat(name)
		return err == nil && fi.IsDir()
	}
	given := l.Dir
	if i := strings.LastIndexByte(given, '#'); i > 0 && !isDir(given) {
		given = l.Dir[:i]
		l.Type = cmp.Or(l.Type, l.Dir[i+1:])
	}
	dir := given
	l.pattern = "."
	if !isDir(given) && given != "" {
		if filepath.IsAbs(given) || strings.HasPrefix(given, ".") || strings.Contains(given, `\`) {
			return fail("%s is no folder", given)
		}
		l.pattern, dir = given, "."
	}
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return fail("%s is no folder", given)
	}
	l.Dir, l.root, l.said = dir, dir, cmp.Or(given, ".")
	return nil
}

// loader carries what the steps of Load share.
type loader struct {
	Options
	fset    *token.FileSet
	overlay map[string][]byte // files in place of others
	sizes   types.Sizes
	root    string // the module's folder
	pattern string // what the go command is asked for
	said    string // the same in the user's words

	listed *listed
	byPath map[string]*checked // by the go command's names
	order  []*checked          // what is imported
	runs   map[*checked]bool   // whose initialisers run

	files []*ast.File // of the package itself
	texts map[string][]byte
	pkg   *types.Package
	info  *types.Info

	prefix string // of the names in our file
}

// check type-checks the package itself.
func (l *loader) check() error {
	var list []Problem
	if l.files, list = l.parseAll(l.listed); len(list) == 0 {
		list = l.usesC(l.files)
	}
	if len(list) == 0 {
		list = l.problemsOf(l.checkRoot())
	}
	if len(list) == 0 {
		list = l.withoutBody()
	}
	if len(list) > 0 {
		return problems(list)
	}
	l.prefix = l.ownPrefix()
	return nil
}

// checkRoot type-checks the package itself, perhaps with a file of ours.
func (l *loader) checkRoot(more ...*ast.File) []types.Error {
	c := &checked{info: newInfo()}
	list := l.types(l.listed, c, append(l.files[:len(l.files):len(l.files)], more...))
	l.pkg, l.info = c.types, c.info
	return list
}

// withoutBody are the functions of the package that are not written in Go.
func (l *loader) withoutBody() (list []Problem) {
	for _, f := range l.files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body == nil && !isLinked(f, fn.Name.Name) {
				list = append(list, l.problem(l.fset.Position(fn.Pos()), "function "+fn.Name.Name+" has no body: "+noAssembly))
			}
		}
	}
	return list
}

// isLinked reports whether a file says that a function is one of another package.
func isLinked(f *ast.File, name string) bool {
	for _, g := range f.Comments {
		for _, c := range g.List {
			if w := strings.Fields(c.Text); len(w) == 3 && w[0] == "//go:linkname" && w[1] == name {
				return true
			}
		}
	}
	return false
}

// contexts reports whether the constructor or an operation takes a context.
func (c *choice) contexts() bool {
	return strings.Contains(c.expr, background) || slices.ContainsFunc(c.ops, func(o operation) bool { return o.context })
}

// made is the expression that makes the object, with what its type does not say by itself.
func (l *loader) made(ch *choice) string {
	if ch.object == nil || ch.expr == "" {
		return ch.expr
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(l.typeName(ch.object), "*"), "[")
	switch {
	case types.IsInterface(ch.object):
		return ch.expr + " (" + name + " is an interface)"
	case !token.IsExported(name[strings.LastIndexByte(name, '.')+1:]) && l.pkg.Name() != "main":
		return ch.expr + " (" + name + " is not exported)"
	}
	return ch.expr
}

// program makes the SSA program, of the package's files and the wrappers.
func (l *loader) program(ch *choice, w *wrappers, files []*ast.File) *Package {
	prog := ssa.NewProgram(l.fset, ssa.InstantiateGenerics)
	p := &Package{Path: l.pkg.Path(), Name: l.pkg.Name(), Prog: prog, Type: l.typeName(ch.object), Made: l.made(ch), Skipped: ch.left, Contexts: ch.contexts(), Notes: ch.notes, Root: l.root}
	for _, c := range l.order {
		pkg := prog.CreatePackage(c.types, c.files, c.info, true)
		if l.runs[c] {
			p.Packages = append(p.Packages, pkg)
		}
	}
	p.fset, p.files, p.info, p.texts, p.wrappers = l.fset, l.files, l.info, l.texts, w.text
	if w.file != nil {
		files = append(files[:len(files):len(files)], w.file)
	}
	root := prog.CreatePackage(l.pkg, files, l.info, true)
	root.Build()
	p.Packages = append(p.Packages, root)
	if w.file == nil {
		return p
	}
	p.New = root.Func(w.newName)
	for i, op := range ch.ops {
		fn := root.Func(w.opNames[i])
		o := Op{Method: op.name, GoName: op.goName, Func: fn, Choices: op.choices}
		for _, c := range op.choices {
			if c != nil {
				o.Ran++
			}
		}
		for i := range fn.Signature.Params().Len() - 1 {
			o.Params = append(o.Params, fn.Signature.Params().At(i+1).Type())
		}
		for i := range fn.Signature.Results().Len() {
			o.Results = append(o.Results, fn.Signature.Results().At(i).Type())
		}
		p.Ops = append(p.Ops, o)
	}
	return p
}
