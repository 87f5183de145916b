package explore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// run explores, and expects a verdict.
func run(t *testing.T, o explore.Options, want explore.Verdict, text string) *explore.Result {
	t.Helper()
	r, err := explore.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != want || !strings.Contains(r.Text(), text) {
		t.Errorf("%s, want %s, and a text with %q:\n%s", r.Verdict, want, text, r.Text())
	}
	if r.Verdict == explore.Violated && o.Theory != nil {
		rejected(t, o.Theory, r.Counterexample)
	}
	return r
}

// rejected sees to it that the history of a violation is one for check.
func rejected(t *testing.T, th *theory.Theory, c *explore.Counterexample) {
	t.Helper()
	checker, err := check.New(th, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := checker.Check(t.Context(), c.History)
	if err != nil {
		t.Fatal(err)
	}
	if v.Verdict != check.Violation {
		t.Errorf("the history is %s for check:\n%s", v.Verdict, c.Text())
	}
}

// ways change what is explored, but no verdict.
var ways = map[string]func(*explore.Options){
	"":            func(*explore.Options) {},
	"no fusion":   func(o *explore.Options) { o.NoFusion = true },
	"no symmetry": func(o *explore.Options) { o.NoSymmetry = true },
}

// inAllWays runs a test in the usual way, and if it may take long in others, too.
func inAllWays(t *testing.T, name string, o explore.Options, want explore.Verdict, text string) {
	for way, change := range ways {
		if way != "" && !testsize.Long() {
			continue
		}
		t.Run(strings.TrimSuffix(name+", "+way, ", "), func(t *testing.T) {
			t.Parallel()
			o := o
			change(&o)
			run(t, o, want, text)
		})
	}
}

func TestPrograms(t *testing.T) {
	t.Parallel()
	for _, p := range testsize.Some(programs, 10) {
		o := explore.Options{Dir: folder(p.name), New: p.new, Bounds: p.at, MayFail: p.mayFail, Workers: 1}
		inAllWays(t, fmt.Sprintf("%s %d-%d-%d", p.name, p.at.Threads, p.at.Operations, p.at.Values), o, p.want, p.text)
	}
}

func TestMutants(t *testing.T) {
	t.Parallel()
	for _, m := range testsize.Some(mutants, 24) {
		o := explore.Options{Dir: m.write(t), Theory: theoryOf(t, m.of), Bounds: bounds(2, 2, 2), Workers: 1}
		o.Type, o.New = constructor(m.of)
		inAllWays(t, m.of+" "+m.name, o, m.want, "")
	}
}

// TestRefused sees to it that nothing is made up.
func TestRefused(t *testing.T) {
	t.Parallel()
	const text = "osvariable.go:11:40: variable os.ErrNotExist: package os is not initialised; `adtinfer test` runs"
	_, err := explore.Run(t.Context(), explore.Options{Dir: "testdata/refused/osvariable", Bounds: bounds(2, 1, 1)})
	var refused *explore.Refused
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), text) {
		t.Errorf("%v, want %s", err, text)
	}
}

// TestPortable explores packages as they are without assembly, where they have a build tag for that.
func TestPortable(t *testing.T) {
	t.Parallel()
	const (
		assembly = "//go:build !purego\n\npackage NAME\n\nfunc Next(n int64) int64\n"
		plain    = "//go:build purego\n\npackage NAME\n\nfunc Next(n int64) int64 { return n + 1 }\n"
		counter  = "package k\n\nimport (\n\t\"sync/atomic\"\n\n\t\"example.com/k/sum\"\n)\n\ntype T struct{ n atomic.Int64 }\n\nfunc (t *T) Inc() int64 {\n\tfor {\n\t\tn := t.n.Load()\n\t\tif t.n.CompareAndSwap(n, sum.Next(n)) {\n\t\t\treturn n\n\t\t}\n\t}\n}\n"
	)
	write := func(portable bool, own bool) string {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "go.mod"), "module example.com/k\n\ngo 1.24.0\n")
		at, name, text := filepath.Join(dir, "sum"), "sum", counter
		if own {
			at, name, text = dir, "k", strings.NewReplacer("\n\t\"example.com/k/sum\"\n", "", "sum.", "").Replace(counter)
		}
		put(t, filepath.Join(dir, "k.go"), text)
		if err := os.MkdirAll(at, 0o777); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(at, "fast.go"), strings.ReplaceAll(assembly, "NAME", name))
		put(t, filepath.Join(at, "fast.s"), "")
		if portable {
			put(t, filepath.Join(at, "slow.go"), strings.ReplaceAll(plain, "NAME", name))
		}
		return dir
	}
	for _, own := range []bool{false, true} {
		run(t, explore.Options{Dir: write(true, own), Bounds: bounds(2, 1, 1)}, explore.Holds, "built with the tag purego, without assembly")
		_, err := explore.Run(t.Context(), explore.Options{Dir: write(false, own), Bounds: bounds(2, 1, 1)})
		var refused *explore.Refused
		if !errors.As(err, &refused) {
			t.Errorf("own %v: %v", own, err)
		}
	}
}
