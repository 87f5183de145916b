package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// public are the packages that users import, each with how many names it may export:
// functions, types, constants, variables and methods. What serves one package only
// belongs below an internal folder of it.
var public = map[string]int{
	"adttest": 17, "automata": 35, "check": 42, "check/sources": 16, "describe": 20, "enumerate": 37, "evidence": 14, "evidence/verify": 6, "explore": 33,
	"formula": 35, "history": 87, "history/foreign": 14, "history/foreign/table": 4, "matching": 61, "out": 16, "out/page": 19, "patterns": 11,
	"record": 42, "record/refine": 29, "reference": 28, "schedule": 37, "theories": 2, "theory": 50,
}

// What a reader can hold in mind.
const (
	maxDoors = 8  // rooms of internal
	maxLines = 70 // of a function
	maxShort = 50 // of one below cmd and check
	maxPaths = 15 // cyclomatic complexity of one there
)

// TestHouse holds the code against the limits above.
func TestHouse(t *testing.T) {
	exported, doors := map[string]int{}, map[string]bool{}
	for path, f := range code(t) {
		dir := filepath.Dir(path)
		if rest, ok := strings.CutPrefix(dir, "internal/"); ok {
			room, _, _ := strings.Cut(rest, "/")
			doors[room] = true
		}
		internal := strings.Contains(dir, "internal") || strings.HasPrefix(dir, "cmd") || strings.HasPrefix(dir, "examples")
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				most := maxLines
				if room, _, _ := strings.Cut(dir, "/"); room == "cmd" || room == "check" {
					most = maxShort
					if n := paths(fn); n > maxPaths {
						t.Errorf("%s: %s has cyclomatic complexity %d, more than %d", path, fn.Name, n, maxPaths)
					}
				}
				if n := lines(fn); n > most {
					t.Errorf("%s: %s has %d lines, more than %d", path, fn.Name, n, most)
				}
			}
			if !internal {
				exported[dir] += len(exports(d))
			}
		}
	}
	for dir, n := range exported {
		if most, ok := public[dir]; !ok || n > most {
			t.Errorf("%s exports %d names, and may export %d", dir, n, most)
		}
	}
	for dir := range public {
		if exported[dir] == 0 {
			t.Errorf("there is no package %s", dir)
		}
	}
	if len(doors) > maxDoors {
		t.Errorf("internal has %d rooms, more than %d", len(doors), maxDoors)
	}
}

// TestLedger holds the lines of each room against docs/packages.md, so that who reviews a
// change sees what grows.
func TestLedger(t *testing.T) {
	const head = "| room | hundreds of lines |\n|---|--:|\n"
	counted := map[string]int{}
	for path, f := range code(t) {
		room, rest, _ := strings.Cut(path, "/")
		if next, _, ok := strings.Cut(rest, "/"); ok && (room == "internal" || room == "cmd") {
			room += "/" + next
		}
		counted[room] += fset.File(f.Pos()).LineCount()
	}
	want, sum := head, 0
	for _, room := range slices.Sorted(maps.Keys(counted)) {
		want += fmt.Sprintf("| `%s` | %d |\n", room, (counted[room]+50)/100)
		sum += counted[room]
	}
	want += fmt.Sprintf("| all | %d |\n", (sum+500)/1000*10)
	file := filepath.Join(projectRoot(t), "docs/packages.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, after, ok := strings.Cut(string(text), head)
	if !ok {
		t.Fatalf("%s has no ledger", file)
	}
	_, after, _ = strings.Cut(after, "\n\n") // behind the table
	if fresh := before + want + "\n" + after; fresh != string(text) {
		if !*update {
			t.Fatalf("the ledger of docs/packages.md is old: go test ./cmd/adtinfer -run TestLedger -update\n%s", want)
		}
		if err := os.WriteFile(file, []byte(fresh), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

var fset = token.NewFileSet()

func lines(n ast.Node) int { return fset.Position(n.End()).Line - fset.Position(n.Pos()).Line + 1 }

// paths is the cyclomatic complexity of a function, with those in it: 1, and 1 more for each
// condition, loop and case.
func paths(fn *ast.FuncDecl) int {
	n := 1
	ast.Inspect(fn, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			n += min(1, len(x.List))
		case *ast.CommClause:
			if x.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// code parses that of the main module, without tests.
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
