package skeleton_test

import (
	"context"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/cmd/internal/skeleton"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

type bag struct{ values []int }

func (b *bag) Put(v int) { b.values = append(b.values, v) }

func (b *bag) Take() (int, bool) { return 0, len(b.values) > 0 }

// loaded is a package as the loader would give it.
func loaded(t *testing.T, source string) *reference.Package {
	t.Helper()
	impl, err := reference.Of(func() *bag { return &bag{} })
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"bag.go": source, "bag_test.go": "package bag_test\n", skeleton.FileName: "no Go"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return &reference.Package{Implementation: impl, Dir: dir, TypeName: "Bag", GoType: "*bag.Bag", Maker: "New",
		Notes: []string{"objects are made by X", "method Each is skipped: it has a func"}}
}

// TestSpec: the declarations of the file that is written.
func TestSpec(t *testing.T) {
	for _, tt := range []struct {
		name, source string
		change       func(*reference.Package)
		want         []string
	}{
		{"plain", "package bag\ntype Bag struct{}", nil, []string{
			"var Spec = ", "New: New,", `{Name: "put", Func: (*Bag).Put},`, `{Name: "take", Func: (*Bag).Take}, // take => int or nil`, "//   - Each: it has a func\n"}},
		{"interface", "package bag\ntype Bag interface{}", func(p *reference.Package) { p.GoType = "bag.Bag" }, []string{"Func: Bag.Put}"}},
		{"value", "package bag\ntype Bag struct{}", func(p *reference.Package) { p.GoType = "bag.Bag" }, []string{"Func: (*Bag).Put}"}},
		{"generic", "package bag\ntype Bag[T any] struct{}\nvar Spec int", func(p *reference.Package) { p.TypeName, p.GoType = "Bag[int]", "*bag.Bag[int]" },
			[]string{"var BagSpec = ", "Func: (*Bag[int]).Put}"}},
		{"foreign", "package bag\n", func(p *reference.Package) { p.GoType = "*list.List" }, []string{"//\tput(int)\n"}},
		{"made", "package bag\ntype Bag struct{}\nfunc Make(n int) *Bag", func(p *reference.Package) { p.New = "Make(3)" }, []string{"New: func() *Bag { return Make(3) },"}},
		{"failing", "package bag\ntype Bag struct{}\nfunc Make(n int) (*Bag, error)", func(p *reference.Package) { p.New = "Make(3)" },
			[]string{"New: func() (*Bag, error) { return Make(3) },"}},
	} {
		p := loaded(t, tt.source)
		if tt.change != nil {
			tt.change(p)
		}
		got, err := skeleton.Spec(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range tt.want {
			if !strings.Contains(string(got), w) {
				t.Errorf("%s: no %q in\n%s", tt.name, w, got)
			}
		}
		wellFormed(t, tt.name, got)
		wellFormed(t, tt.name+" without comments", uncomment(got))
	}
}

// uncomment makes code of the fields in comments.
func uncomment(src []byte) []byte {
	lines, field := strings.Split(string(src), "\n"), false
	for i, line := range lines {
		field = strings.HasPrefix(line, "\t// ") && (field || regexp.MustCompile(`^\t// [A-Z]\w+: *(\[|"|map)`).MatchString(line))
		if field {
			lines[i] = strings.Replace(line, "\t// ", "\t", 1)
		}
	}
	return []byte(strings.Join(lines, "\n"))
}

// wellFormed checks that a file is gofmted Go, and that its formulas are formulas.
func wellFormed(t *testing.T, name string, src []byte) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	if pretty, err := format.Source(src); err != nil || !strings.HasSuffix(name, "comments") && string(pretty) != string(src) {
		t.Errorf("%s is not gofmted: %v\n%s", name, err, cmp.Diff(string(src), string(pretty)))
	}
	if !strings.HasSuffix(name, "comments") {
		return
	}
	fields := 0
	ast.Inspect(f, func(n ast.Node) bool {
		if kv, ok := n.(*ast.KeyValueExpr); ok {
			key, isName := kv.Key.(*ast.Ident)
			if isName && slices.Contains([]string{"Language", "Target", "ReadOnly", "MayFail", "Aliases"}, key.Name) {
				fields++
			}
		}
		return true
	})
	if fields != 5 {
		t.Errorf("%s: %d of 5 fields in comments\n%s", name, fields, src)
	}
}

// TestFormulas: what the comments suggest is in the formulas' language.
func TestFormulas(t *testing.T) {
	p := loaded(t, "package bag\ntype Bag struct{}")
	src, err := skeleton.Spec(p)
	if err != nil {
		t.Fatal(err)
	}
	declared, err := patterns.Declare(p.Implementation, reference.Info{Name: "bag"})
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`"([^"]*method\([^"]*)"`).FindAllStringSubmatch(string(src), -1)
	if len(found) != 3 {
		t.Fatalf("%d formulas in\n%s", len(found), src)
	}
	th := theory.Theory{Spec: declared.Spec}
	for _, m := range found {
		text := m[1]
		if !strings.HasPrefix(text, "forall") {
			text = "forall x:Op, y:Op. " + text
		}
		if _, err := formula.Parse(text, th.Vocabulary()); err != nil {
			t.Errorf("%s: %v", m[1], err)
		}
	}
}

// TestSpecErrors: what a skeleton cannot be made of.
func TestSpecErrors(t *testing.T) {
	p := loaded(t, "package bag\ntype")
	if _, err := skeleton.Spec(p); err == nil {
		t.Error("a package that does not parse")
	}
	p = loaded(t, "package bag")
	p.Info, p.Choice = &reference.Info{}, "Spec"
	if _, err := skeleton.Spec(p); err == nil || !strings.Contains(err.Error(), "has a Spec already: Spec") {
		t.Errorf("a package with a Spec: %v", err)
	}
	if _, err := skeleton.FromTemplate("no", "x"); err == nil {
		t.Error("a template that there is not")
	}
}

// TestTemplates: each is gofmted Go with a Spec, and in long runs is loaded and
// patterns are declared of it.
func TestTemplates(t *testing.T) {
	if got := strings.Join(skeleton.Templates(), " "); got != "bounded-queue lock map pool" {
		t.Errorf("templates: %s", got)
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range skeleton.Templates() {
		src, err := skeleton.FromTemplate(name, "mine")
		if err != nil {
			t.Fatal(err)
		}
		wellFormed(t, name, src)
		if !strings.Contains(string(src), "\npackage mine\n") || !strings.Contains(string(src), "\nvar Spec = reference.Spec{") {
			t.Errorf("%s is no reference:\n%s", name, src)
		}
		if testsize.Long() {
			load(t, root, src)
		}
	}
}

func load(t *testing.T, root string, src []byte) {
	dir := t.TempDir()
	mod := "module example.com/mine\n\ngo 1.24.0\n\nrequire github.com/adtinfer/adtinfer v0.0.0\n\nreplace github.com/adtinfer/adtinfer => " + root + "\n"
	for name, text := range map[string]string{"go.mod": mod, "mine.go": string(src)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	pkg, err := reference.Load(context.Background(), dir, reference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer pkg.Close()
	if len(pkg.Notes) > 0 || pkg.Info == nil {
		t.Errorf("%s: notes %q", pkg.Name(), pkg.Notes)
	}
	if _, err := patterns.Declare(pkg.Implementation, *pkg.Info); err != nil {
		t.Error(err)
	}
}
