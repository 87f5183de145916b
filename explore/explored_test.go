package explore_test

import (
	"errors"
	"fmt"
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
