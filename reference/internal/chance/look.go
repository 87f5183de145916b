// Package chance finds what else than calls the answers of a Go package may depend on,
// by its source: the clock, timers, random numbers, the environment, goroutines, the
// order of a map. Whether they do is for runs to show. For these it has the source read
// another clock.
//
//	r := chance.Look(pkgs)
//	fmt.Println(r.Sources, r.Woken)
//	for file, text := range r.Rewritten("example.com/m/clock") { ... }
package chance

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	base "path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// Kind is a kind of chance.
type Kind int

// The kinds of chance.
const (
	Clock Kind = iota
	Timer
	Random
	Environment
	Goroutine
	Select
	MapOrder
	Unknown // a range over something whose type is not known from here: perhaps a map
)

// verbs say what a package does.
var verbs = [...]string{"reads the clock", "sets a timer", "draws random numbers", "reads the environment",
	"starts goroutines", "selects among channels", "ranges over a map", "ranges over what may be a map"}

func (k Kind) String() string { return verbs[k] }

// Source is a place in the code where chance comes in.
type Source struct {
	Kind Kind
	Name string // what is called: time.Now; "" for a statement
	File string
	Line int

	Fixed bool // its clock stays what it is
}

// Package is the code of a package.
type Package struct {
	Path, Dir string
	Files     []string // without those that use cgo
	Cgo       []string
	Fixed     bool // no file can be replaced
}

// Report is what packages depend on.
type Report struct {
	Sources []Source
	Woken   bool // the clock or the system may wake what waits

	edits map[string][]edit // by file
}

// Has reports whether there is a source of one of the kinds.
func (r *Report) Has(kinds ...Kind) bool {
	return slices.ContainsFunc(r.Sources, func(s Source) bool { return slices.Contains(kinds, s.Kind) })
}

// functions are those that chance comes from, by package; "*": all but those that are
// named as none.
var functions = map[string]map[string]Kind{
	"time":         {"Now": Clock, "Since": Clock, "Until": Clock, "Sleep": Timer, "After": Timer, "AfterFunc": Timer, "NewTimer": Timer, "NewTicker": Timer, "Tick": Timer},
	"context":      {"WithTimeout": Timer, "WithDeadline": Timer, "WithTimeoutCause": Timer, "WithDeadlineCause": Timer},
	"math/rand":    {"*": Random, "New": none, "NewSource": none, "NewZipf": none, "Rand": none, "Source": none, "Source64": none, "Zipf": none},
	"math/rand/v2": {"*": Random, "New": none, "NewPCG": none, "NewChaCha8": none, "NewZipf": none, "Rand": none, "Source": none, "PCG": none, "ChaCha8": none, "Zipf": none},
	"crypto/rand":  {"*": Random}, "hash/maphash": {"MakeSeed": Random, "Hash": Random},
	"os":      environment("Getenv LookupEnv Environ ExpandEnv Getpid Getppid Getuid Geteuid Getgid Getegid Hostname Getwd UserHomeDir UserCacheDir UserConfigDir TempDir Executable Args Open OpenFile ReadFile ReadDir Stat Lstat Create CreateTemp MkdirTemp WriteFile"),
	"os/user": environment("Current Lookup LookupId"), "os/exec": environment("Command CommandContext"),
	"net":                   environment("Dial DialTimeout Listen LookupHost LookupAddr LookupIP Interfaces InterfaceAddrs"),
	"syscall":               environment("Getpid Getenv Gettimeofday Time Getrusage"),
	"runtime":               {"NumGoroutine": Environment, "NumCPU": Environment, "GOMAXPROCS": Environment, "ReadMemStats": Environment},
	"maps":                  {"Keys": MapOrder, "Values": MapOrder, "All": MapOrder},
	"golang.org/x/exp/maps": {"Keys": MapOrder, "Values": MapOrder},
}

const none Kind = -1

// environment are functions through which the environment comes in.
func environment(names string) map[string]Kind {
	all := map[string]Kind{}
	for _, name := range strings.Fields(names) {
		all[name] = Environment
	}
	return all
}

// anyMap are methods of maps that are known by their names alone.
var anyMap = []string{"Range", "MapKeys", "MapRange"}

// outward are packages of the standard library, and what is below them, through
// which the clock or the system may wake a goroutine.
var outward = []string{"C", "net", "os", "database", "syscall", "testing", "log/syslog"}

// Look looks into packages, each of which comes after those that it imports. What
// cannot be read may do anything.
func Look(pkgs []Package) *Report {
	r := &Report{edits: map[string][]edit{}}
	known := imported{}
	for _, p := range pkgs {
		fset := token.NewFileSet()
		var files []*ast.File
		for _, name := range slices.Concat(p.Files, p.Cgo) {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution|parser.ParseComments)
			if err != nil {
				r.Woken = true
				return r
			}
			files = append(files, f)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
		config := types.Config{Importer: known, FakeImportC: true, Error: func(error) {}} // the standard library is not looked into
		known[p.Path], _ = config.Check(p.Path, fset, files, info)
		for i, f := range files {
			l := look{Report: r, fset: fset, info: info, fixed: p.Fixed, file: filepath.Join(p.Dir, slices.Concat(p.Files, p.Cgo)[i])}
			l.at(f)
			if i < len(p.Files) && len(l.edits) > 0 && !p.Fixed {
				r.edits[l.file] = l.ending(f)
			}
		}
	}
	slices.SortStableFunc(r.Sources, func(a, b Source) int { return int(a.Kind) - int(b.Kind) })
	return r
}

// major is the last element of the path of a module's later version.
var major = wording.Regexp(`^v[0-9]+$`)

// imported are packages whose types are known; of others it is known what they are called.
type imported map[string]*types.Package

func (i imported) Import(path string) (*types.Package, error) {
	if p := i[path]; p != nil {
		return p, nil
	}
	name := base.Base(path)
	if major().MatchString(name) {
		name = base.Base(base.Dir(path))
	}
	fake := types.NewPackage(path, name)
	fake.MarkComplete()
	return fake, nil
}

// look looks into a file.
type look struct {
	*Report
	fset  *token.FileSet
	info  *types.Info
	file  string
	fixed bool
	edits []edit
}

func (l *look) at(f *ast.File) {
	for _, i := range f.Imports {
		path := strings.Trim(i.Path.Value, "`\"")
		first, _, _ := strings.Cut(path, "/")
		if slices.Contains(outward, first) && path != "os" || slices.Contains(outward, path) && path != "os" {
			l.Woken = true
		}
		if i.Name != nil && i.Name.Name == "." && functions[path] != nil { // its names cannot be told
			l.Woken = l.Woken || path == "time" || path == "context"
			for _, kind := range functions[path] {
				l.add(kind, path, i)
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			l.selector(n)
		case *ast.GoStmt:
			l.add(Goroutine, "", n)
		case *ast.SelectStmt:
			if ready(n) > 1 {
				l.add(Select, "", n)
			}
		case *ast.RangeStmt:
			l.ranges(n)
		}
		return true
	})
}

func (l *look) add(k Kind, name string, at ast.Node) {
	if k != none {
		l.Sources = append(l.Sources, Source{Kind: k, Name: name, File: l.file, Line: l.fset.Position(at.Pos()).Line, Fixed: l.fixed})
	}
}

func (l *look) selector(s *ast.SelectorExpr) {
	x, ok := s.X.(*ast.Ident)
	var pkg *types.PkgName
	if ok {
		pkg, ok = l.info.Uses[x].(*types.PkgName)
	}
	if !ok {
		if slices.Contains(anyMap, s.Sel.Name) && l.info.Uses[s.Sel] == nil {
			l.add(MapOrder, s.Sel.Name, s)
		}
		return
	}
	path := pkg.Imported().Path()
	kind, named := functions[path][s.Sel.Name]
	if !named {
		if kind, ok = functions[path]["*"]; !ok {
			return
		}
	}
	l.add(kind, pkg.Imported().Name()+"."+s.Sel.Name, s)
	l.Woken = l.Woken || kind == Timer && s.Sel.Name != "Sleep" // one that sleeps can be told from one that waits
	if kind != none && replaced[path][s.Sel.Name] {
		l.edits = append(l.edits, edit{l.fset.Position(s.Pos()).Offset, l.fset.Position(s.End()).Offset, local + "." + s.Sel.Name, path, x.Name})
	}
}

// ready counts the cases of a select that may be ready at a time.
func ready(s *ast.SelectStmt) (n int) {
	for _, c := range s.Body.List {
		if c.(*ast.CommClause).Comm != nil {
			n++
		}
	}
	return n
}

func (l *look) ranges(r *ast.RangeStmt) {
	t := l.info.TypeOf(r.X)
	if t == nil {
		l.add(Unknown, "", r)
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		l.add(MapOrder, "", r)
	case *types.Interface: // a type parameter
		l.add(Unknown, "", r)
	case *types.Basic:
		if u.Kind() == types.Invalid {
			l.add(Unknown, "", r)
		}
	}
}
