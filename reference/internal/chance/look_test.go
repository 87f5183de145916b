package chance

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLook: what comes from the clock or from chance is found under whatever name, and
// nothing else is; files that read the clock read another one, line by line.
func TestLook(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("a.go", `package a // of maps

import (
	"context"
	clock "time"
	"math/rand/v2"
	"os"
)

type set map[int]bool

var now = clock.Now

func f(s set, ch chan int, more []int) {
	for range s {
	}
	for range more {
	}
	for range ch {
	}
	go func() { _ = rand.IntN(3) + rand.New(rand.NewPCG(1, 2)).Int() }()
	ctx, _ := context.WithTimeout(nil, clock.Second)
	select {
	case <-ctx.Done():
	case <-ch:
	}
	select {
	case <-ch:
	default:
	}
	_, _ = os.Getenv("A"), os.Stdout
	var time struct{ Now func() int }
	time.Now()
}
`)
	write("b.go", `package b

import "example.com/a"

func g() {
	for range a.All() {
	}
	for range a.Some {
	}
}
`)
	write("c.go", "package a\n\nvar Some map[string]int\n\nfunc All() []int { return nil }\n")
	r := Look([]Package{{Path: "example.com/a", Dir: dir, Files: []string{"a.go", "c.go"}}, {Path: "example.com/b", Dir: dir, Files: []string{"b.go"}}})
	var got []string
	for _, s := range r.Sources {
		got = append(got, fmt.Sprintf("%s:%d %v %s", filepath.Base(s.File), s.Line, s.Kind, s.Name))
	}
	want := []string{
		"a.go:12 reads the clock time.Now", "a.go:22 sets a timer context.WithTimeout", "a.go:21 draws random numbers rand.IntN",
		"a.go:31 reads the environment os.Getenv", "a.go:21 starts goroutines ", "a.go:23 selects among channels ", "a.go:15 ranges over a map ", "b.go:8 ranges over a map ",
	}
	if diff := cmp.Diff(want, got); diff != "" || !r.Woken {
		t.Errorf("woken %v; -want +got:\n%s", r.Woken, diff)
	}
	all := r.Rewritten("example.com/clock")
	text := all[filepath.Join(dir, "a.go")]
	f, err := parser.ParseFile(token.NewFileSet(), "a.go", text, 0)
	if err != nil || len(all) != 1 || len(f.Imports) != 5 {
		t.Fatal(err, all)
	}
	lines := strings.Split(text, "\n")
	for line, want := range map[int]string{1: `package a; import adtinferclock "example.com/clock" // of maps`, 12: "var now = adtinferclock.Now",
		22: "\tctx, _ := adtinferclock.WithTimeout(nil, clock.Second)", 31: "\t_, _ = os.Getenv(\"A\"), os.Stdout"} {
		if lines[line-1] != want {
			t.Errorf("line %d: %q, want %q", line, lines[line-1], want)
		}
	}
	if used := []string{"var _ = clock.Nanosecond", "var _ = context.Background"}; slices.ContainsFunc(used, func(u string) bool { return !slices.Contains(lines, u) }) {
		t.Error(text)
	}
}

// TestUnread: what does not parse may do anything; what cannot be replaced is not.
func TestUnread(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n\nimport \"time\"\n\nvar t = time.Now()\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if r := Look([]Package{{Path: "a", Dir: dir, Files: []string{"a.go"}, Fixed: true}}); len(r.Rewritten("c")) > 0 || !r.Has(Clock) || !r.Sources[0].Fixed || r.Woken {
		t.Errorf("%+v", r)
	}
	if r := Look([]Package{{Path: "a", Dir: dir, Files: []string{"none.go"}}}); !r.Woken {
		t.Errorf("%+v", r)
	}
}
