package source

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlaces puts a directive at the end of each line of many files: it may stand there if and only if a statement
// may stand there in its place, after a semicolon. A label is an exception: it would be the statement's.
func TestPlaces(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../../examples/verified/*/*.go", "../../testdata/programs/*/*.go", "../../testdata/policies/*/*.go", "*.go"} {
		more, err := filepath.Glob(pattern)
		if err != nil || len(more) == 0 {
			t.Fatal(pattern, err)
		}
		files = append(files, more...)
	}
	accepted, refused := 0, 0
	for i, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 4000 && i%7 != 0 { // each line is one more file to parse
			continue
		}
		for end := range text {
			if text[end] != '\n' {
				continue
			}
			line := text[bytes.LastIndexByte(text[:end], '\n')+1 : end]
			if bytes.Contains(line, []byte("//")) || bytes.HasSuffix(bytes.TrimSpace(line), []byte(":")) && !bytes.Contains(line, []byte("case")) && !bytes.Contains(line, []byte("default")) {
				continue
			}
			with := func(s string) (*ast.File, error) {
				changed := append(append(append([]byte{}, text[:end]...), s...), text[end:]...)
				return parser.ParseFile(token.NewFileSet(), name, changed, parser.SkipObjectResolution)
			}
			f, err := with("//lin: x")
			if err != nil {
				continue // within a text of several lines
			}
			at := f.FileStart + token.Pos(end)
			fn := Around(f, at)
			if fn == nil {
				continue
			}
			_, got := Preceding(fn.Body, at)
			_, err = with(";x()")
			if want := err == nil; got != want {
				t.Errorf("%s, behind %s: %v, want %v", name, line, got, want)
			}
			if got {
				accepted++
			} else {
				refused++
			}
		}
	}
	t.Log(accepted, "places,", refused, "are none")
	if accepted < 1000 || refused < 30 {
		t.Error("too few")
	}
}

// TestTerminates compares what ends a list of statements with Go's type checker's idea of it: a function with a result
// that ends so lacks no return.
func TestTerminates(t *testing.T) {
	for _, c := range []struct {
		stmt string
		want bool
	}{
		{"return", true},
		{"goto there", true},
		{"panic(1)", true},
		{"f()", false},
		{"for {}", true},
		{"for { break }", false},
		{"for { for { break } }", true},
		{"for { func() { for { break } }() }", true},
		{"here: for { for { break here } }", false},
		{"for x {}", false},
		{"if x { return } else { return }", true},
		{"if x { return } else if y { return }", false},
		{"if x { return }", false},
		{"{ return }", true},
		{"switch { case x: return; default: panic(1) }", true},
		{"switch { case x: return }", false},
		{"switch { case x: if y { break }; return; default: return }", false},
		{"switch x.(type) { case int: return; default: return }", true},
		{"select { case <-c: return; default: for {} }", true},
		{"select { case <-c: break; default: return }", false},
		{"select {}", true},
		{"for { select { case <-c: break } }", true},
		{"x = 3", false},
	} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "", "package p\nfunc f() int {\n"+c.stmt+"\n}", 0)
		if err != nil {
			t.Fatal(err)
		}
		missing := false
		conf := types.Config{Error: func(err error) { missing = missing || strings.Contains(err.Error(), "missing return") }}
		conf.Check("p", fset, []*ast.File{f}, nil) // the errors are what is asked for
		if got := Terminates(f.Decls[0].(*ast.FuncDecl).Body.List[0]); got != c.want || got == missing {
			t.Errorf("%s: %v, and Go says that a return is missing: %v", c.stmt, got, missing)
		}
	}
}
