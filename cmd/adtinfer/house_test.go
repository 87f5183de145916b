package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// public are the packages that users import, each with how many names it may export:
// functions, types, constants, variables and methods. A package that is not for users
// belongs below internal/.
var public = map[string]int{
	"adttest": 16, "check": 36, "enumerate": 13, "evidence": 14, "evidence/verify": 6, "formula": 35, "history": 63, "matching": 16, "out": 12,
	"patterns": 11, "record": 42, "record/refine": 29, "reference": 28, "theories": 2, "theory": 27,

	"automata": 35, "explore": 33, // rooms that came later
}

const maxExported = 350 // of all of them, without the later rooms

// later are names that came with products, automata, counters and models in theories,
// logs of other tools and of several objects, logs in parts, reports for build servers,
// and fuzzing. They count beside the above.
var later = map[string]string{
	"adttest": "Fuzz",
	"check":   "Checker.ReadObjects Merge Report.Incomplete Shard Shard.Has Split",
	"history": "Event NewImported Reader.Events Reader.Executions Reader.Fill",
	"out":     "GitHub SARIF SVG Summary",
	"theory": "ByAutomaton ByCounters ByKey ByModel ByPatterns ByProduct Control Description Extent InAll Key Key.Lift Key.Project KeyRole Mutant" +
		" Part Product Product.Of Product.Parts ProductStatus Spec.Headline Spec.IsLocal SumOfAll",
}

// What a reader can hold in mind.
const (
	maxFiles = 20 // of code in a folder
	maxLines = 70 // of a function
)

// TestHouse holds the code against the limits above.
func TestHouse(t *testing.T) {
	files, exported, gone := map[string]int{}, map[string]int{}, map[string]bool{}
	for dir, names := range later {
		for _, name := range strings.Fields(names) {
			gone[dir+" "+name] = true
		}
	}
	all := -public["automata"] - public["explore"]
	for _, n := range public {
		all += n
	}
	if all > maxExported {
		t.Errorf("the limits come to %d exported names, more than %d", all, maxExported)
	}
	for path, f := range code(t) {
		dir := filepath.Dir(path)
		files[dir]++
		internal := strings.Contains(dir, "internal") || strings.HasPrefix(dir, "cmd") || strings.HasPrefix(dir, "examples")
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				if n := lines(fn); n > maxLines {
					t.Errorf("%s: %s has %d lines, more than %d", path, fn.Name, n, maxLines)
				}
			}
			if !internal {
				for _, name := range exports(d) {
					if slices.Contains(strings.Fields(later[dir]), name) {
						delete(gone, dir+" "+name)
						continue
					}
					exported[dir]++
				}
			}
		}
	}
	for dir, n := range files {
		if n > maxFiles {
			t.Errorf("%s has %d files of code, more than %d", dir, n, maxFiles)
		}
	}
	for dir, n := range exported {
		if most, ok := public[dir]; !ok || n > most {
			t.Errorf("%s exports %d names, and may export %d", dir, n, most)
		}
	}
	for name := range gone {
		t.Errorf("%s is gone", name)
	}
	for dir := range public {
		if exported[dir] == 0 {
			t.Errorf("there is no package %s", dir)
		}
	}
}

var fset = token.NewFileSet()

func lines(n ast.Node) int { return fset.Position(n.End()).Line - fset.Position(n.Pos()).Line + 1 }

// sources parses the code of the main module, without tests.
func code(t *testing.T) map[string]*ast.File {
	root, all := projectRoot(t), map[string]*ast.File{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			_, err := os.Stat(filepath.Join(path, "go.mod")) // a module of its own
			if path != root && (err == nil || name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if rel, _ := filepath.Rel(root, path); err == nil {
			all[filepath.ToSlash(rel)] = f
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// exports lists the exported names that a declaration brings; methods count where
// their type is exported, fields do not.
func exports(d ast.Decl) (names []string) {
	of := ""
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			if id.IsExported() {
				names = append(names, of+id.Name)
			}
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil {
			r := receiver(d.Recv.List[0].Type)
			if !r.IsExported() {
				return nil
			}
			of = r.Name + "."
		}
		add(d.Name)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				add(s.Name)
			case *ast.ValueSpec:
				add(s.Names...)
			}
		}
	}
	return names
}

func receiver(t ast.Expr) *ast.Ident {
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x
		}
	}
}
