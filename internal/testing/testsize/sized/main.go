// Sized prints which tests do more under ADTINFER_LONG: a pattern for go test -run, and
// in a line each the folders that have some. All others do in the long way what they do
// in plain runs, so that CI need not run them twice.
//
//	go run ./internal/testing/testsize/sized .
//
// A test is meant if it, or a function of its package that it may call, asks package
// testsize how long it may take. What may be called is told by names alone, and a
// pattern is one for all packages, so that some more tests are named; none is missed.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// asks are what tests ask of testsize. Check is not among them: under ADTINFER_LONG it
// does the same.
var asks = []string{"Long", "Nightly", "NeedsLong", "NeedsNightly", "Samples", "Some"}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: sized FOLDER")
	}
	var names, dirs []string
	err := filepath.WalkDir(os.Args[1], func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if path != os.Args[1] && apart(path) {
			return fs.SkipDir
		}
		tests, err := sized(path)
		if len(tests) > 0 {
			names, dirs = append(names, tests...), append(dirs, "./"+filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	slices.Sort(names)
	fmt.Printf("^(%s)$\n%s\n", strings.Join(slices.Compact(names), "|"), strings.Join(dirs, "\n"))
}

// apart reports whether a folder holds no package of the module.
func apart(path string) bool {
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	name := filepath.Base(path)
	return err == nil || name == "testdata" || name[0] == '.' || name[0] == '_'
}

// sized are the tests of a folder that do more under ADTINFER_LONG.
func sized(dir string) (tests []string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	mentions := map[string][]string{} // by declared names, of a method its own
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			said := mentioned(d)
			if slices.Contains(said, asking) && !strings.HasSuffix(path, "_test.go") {
				return nil, fmt.Errorf("%s asks package testsize: only tests may, or nobody knows which do more", path)
			}
			for _, name := range declared(d) {
				mentions[name] = append(mentions[name], said...)
			}
		}
	}
	return growing(mentions), nil
}

// growing are the tests that reach a question, in any number of steps.
func growing(mentions map[string][]string) (tests []string) {
	grows := map[string]bool{}
	for found := true; found; {
		found = false
		for name, said := range mentions {
			if !grows[name] && slices.ContainsFunc(said, func(s string) bool { return s == asking || grows[s] }) {
				grows[name], found = true, true
			}
		}
	}
	for name := range grows {
		if strings.HasPrefix(name, "Test") && name != "TestMain" {
			tests = append(tests, name)
		}
	}
	return tests
}

// asking stands for one of the functions asks.
const asking = "testsize?"

// mentioned are the names in a declaration.
func mentioned(d ast.Decl) (names []string) {
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			names = append(names, n.Name)
		case *ast.SelectorExpr:
			if of, ok := n.X.(*ast.Ident); ok && of.Name == "testsize" && slices.Contains(asks, n.Sel.Name) {
				names = append(names, asking)
			}
		}
		return true
	})
	return names
}

// declared are the names that a declaration makes.
func declared(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []string{d.Name.Name}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if v, ok := s.(*ast.ValueSpec); ok {
				for _, n := range v.Names {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}
