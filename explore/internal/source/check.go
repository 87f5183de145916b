package source

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// checked is a package with its types. Without info, only the signatures of its
// functions are known.
type checked struct {
	id    int // different for different packages
	types *types.Package
	files []*ast.File
	info  *types.Info
	deps  []*checked // in the order of their paths
}

// cache keeps the packages that are imported for the next load in this process: most of
// the time is spent on them. All positions are in one file set for that reason.
var cache = struct {
	sync.Mutex
	fset *token.FileSet
	by   map[string]*checked
	next int
}{fset: token.NewFileSet(), by: map[string]*checked{}}

// checkAll type-checks everything that the package imports, each package after those
// it imports, and lists them in that order.
func (l *loader) checkAll(root *listed) ([]*checked, error) {
	cache.Lock()
	defer cache.Unlock()
	var order []*checked
	var list []Problem
	reached := map[*listed]bool{}
	reach(root, reached)
	packages.Visit([]*listed{root}, nil, func(p *listed) {
		if p == root {
			return
		}
		c, found := l.checkOne(p, reached[p] || isStandard(p) && !isClosed(p.PkgPath))
		l.byPath[p.ID] = c
		order = append(order, c)
		if reached[p] && p.PkgPath != "unsafe" {
			l.runs[c] = true
		}
		list = append(list, found...)
	})
	if len(list) > 0 {
		return nil, problems(list)
	}
	return order, nil
}

// checkOne type-checks a package that is imported, perhaps without the bodies of its
// functions.
func (l *loader) checkOne(p *listed, bodies bool) (*checked, []Problem) {
	if p.PkgPath == "unsafe" {
		return &checked{types: types.Unsafe}, nil
	}
	deps := l.dependencies(p)
	key := l.key(p, deps, bodies)
	if c := cache.by[key]; c != nil {
		return c, nil
	}
	cache.next++
	c := &checked{id: cache.next, deps: deps}
	if bodies {
		c.info = newInfo()
	}
	files, list := l.parseAll(p)
	if !isStandard(p) {
		list = append(list, l.usesC(files)...)
	}
	if len(list) > 0 {
		return c, list
	}
	list = l.problemsOf(l.types(p, c, files))
	switch {
	case len(list) > 0 && isStandard(p) && c.info == nil:
		list = nil // what is left out may be what other parts need
	case len(list) > 0 && isStandard(p):
		list = []Problem{{What: fmt.Sprintf("the standard library's package %s cannot be read by this program, which was built with %s: %s", p.PkgPath, runtime.Version(), list[0])}}
	}
	if len(list) == 0 {
		cache.by[key] = c
	}
	return c, list
}

// key tells packages apart: by their files and when these were changed, and what they import.
func (l *loader) key(p *listed, deps []*checked, bodies bool) string {
	key := fmt.Sprint(p.PkgPath, bodies)
	if p.Module != nil {
		key += p.Module.GoVersion
	}
	for _, name := range p.GoFiles {
		key += " " + name
		if fi, err := os.Stat(name); err == nil && !isStandard(p) {
			key += fmt.Sprint(fi.Size(), fi.ModTime().UnixNano())
		}
	}
	for _, d := range deps {
		key += fmt.Sprint(" ", d.id)
	}
	return key
}

// dependencies are the packages that p imports.
func (l *loader) dependencies(p *listed) (deps []*checked) {
	var ids []string
	for _, d := range p.Imports {
		ids = append(ids, d.ID)
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		deps = append(deps, l.byPath[id])
	}
	return deps
}

func newInfo() *types.Info {
	return &types.Info{
		Types:        map[ast.Expr]types.TypeAndValue{},
		Defs:         map[*ast.Ident]types.Object{},
		Uses:         map[*ast.Ident]types.Object{},
		Implicits:    map[ast.Node]types.Object{},
		Instances:    map[*ast.Ident]types.Instance{},
		Scopes:       map[ast.Node]*types.Scope{},
		Selections:   map[*ast.SelectorExpr]*types.Selection{},
		FileVersions: map[*ast.File]string{},
	}
}

// types type-checks files as a package.
func (l *loader) types(p *listed, c *checked, files []*ast.File) (list []types.Error) {
	conf := types.Config{
		Sizes:            l.sizes,
		FakeImportC:      true,
		IgnoreFuncBodies: c.info == nil,
		Importer: importer(func(path string) (*types.Package, error) {
			if path == "unsafe" {
				return types.Unsafe, nil
			}
			if d := p.Imports[path]; d != nil {
				return l.byPath[d.ID].types, nil
			}
			for _, d := range l.byPath { // a file of ours may import what others do
				if d.types.Path() == path {
					return d.types, nil
				}
			}
			return nil, fmt.Errorf("package %s is not imported", path)
		}),
		Error: func(err error) {
			var e types.Error
			if errors.As(err, &e) && !strings.HasPrefix(e.Msg, "\t") { // more about the one before
				list = append(list, e)
			}
		},
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	c.types, _ = conf.Check(p.PkgPath, l.fset, files, c.info) // Error has heard of it
	if c.info != nil {
		c.files = files
	}
	return list
}

// problemsOf are what the type checker found.
func (l *loader) problemsOf(errs []types.Error) (list []Problem) {
	for _, e := range errs {
		list = append(list, l.problem(l.fset.Position(e.Pos), e.Msg))
	}
	return list
}

type importer func(path string) (*types.Package, error)

// Import makes it a types.Importer.
func (f importer) Import(path string) (*types.Package, error) { return f(path) }

// parseAll parses a package's files.
func (l *loader) parseAll(p *listed) (files []*ast.File, list []Problem) {
	for _, name := range p.GoFiles {
		f, err := l.parse(name)
		var several scanner.ErrorList
		if errors.As(err, &several) {
			for _, e := range several {
				list = append(list, l.problem(e.Pos, e.Msg))
			}
		} else if err != nil {
			list = append(list, Problem{What: err.Error()})
		}
		files = append(files, f)
	}
	return files, list
}

// parse parses a file, or what is laid over it.
func (l *loader) parse(name string) (*ast.File, error) {
	text, ok := l.overlay[name]
	own := filepath.Dir(name) == l.Dir // a file of the package itself
	if own {
		text, ok = l.Overlay[name]
	}
	if !ok {
		var err error
		if text, err = os.ReadFile(name); err != nil {
			return nil, err
		}
	}
	if own {
		l.texts[name] = text
	}
	return parser.ParseFile(l.fset, name, text, parser.SkipObjectResolution|parser.ParseComments)
}

// usesC are the places where files import "C".
func (l *loader) usesC(files []*ast.File) (list []Problem) {
	for _, f := range files {
		for _, i := range f.Imports {
			if i.Path.Value == `"C"` {
				list = append(list, l.problem(l.fset.Position(i.Pos()), `import "C": what is written in C cannot be explored`))
			}
		}
	}
	return list
}
