package views

import (
	"context"
	"errors"
	"path"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/lower"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/source"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// compile makes a program of a package.
func compile(t testing.TB, dir, object string) *ir.Program {
	t.Helper()
	pkg, err := source.Load(context.Background(), source.Options{Dir: dir, New: object, Policy: true})
	if err != nil {
		t.Fatal(err)
	}
	program, refusals := lower.Compile(pkg)
	if len(refusals) > 0 {
		t.Fatal(refusals)
	}
	return program
}

func callsOf(t testing.TB, p *ir.Program, values int) *spec.List {
	t.Helper()
	list, err := spec.New(p, spec.Options{Values: values, Most: values})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// algorithms are programs with policies: of a type, and with a cap if there are infinitely many views.
// With so many values there are so many views.
var algorithms = []struct {
	dir, kind string
	cap       int
	views     [2]int
}{
	{"verified/lazy", "set", 0, [2]int{376, 12284}},
	{"verified/handoverhand", "set", 0, [2]int{69, 528}},
	{"verified/optimistic", "set", 0, [2]int{365, 11778}},
	{"verified/harris", "set", 0, [2]int{83, 3358}},
	{"verified/michael", "set", 0, [2]int{222, 6335}},
	{"verified/vechevcas", "set", 0, [2]int{62, 1155}},
	{"verified/hindsight", "set", 0, [2]int{89, 3349}},
	{"verified/lockfree", "set", 0, [2]int{93, 2544}},
	{"treiber", "stack", 7, [2]int{202, 6970}},
	{"verified/twolock", "queue", 7, [2]int{170, 1020}},
	{"msqueue", "queue", 7, [2]int{1830, 41600}},
	{"../explore/internal/views/testdata/tally", "tally", 0, [2]int{48, 48}},
	{"../explore/internal/views/testdata/seat", "tally", 0, [2]int{1216, 1216}},
	{"verified/dglm", "queue", 7, [2]int{1190, 22332}},
	{"verified/hsy", "stack", 4, [2]int{810, 1635}},
	{"verified/vechevdcas", "set", 0, [2]int{60, 597}},
	{"verified/unordered", "set", 4, [2]int{1924, 20985}},
	{"verified/ccas", "flagged", 0, [2]int{286, 6446}},
	{"verified/rdcss", "controlled", 0, [2]int{170, 93492}},
}

// makes is how objects of a kind are made, if not by New().
var makes = map[string]string{"flagged": "New(1)", "controlled": "New(1, 1)"}

func proof(t testing.TB, program *ir.Program, list *spec.List, kind string, most int) *Proof {
	t.Helper()
	shared, err := machine.ForViews(context.Background(), program, list.Calls)
	if err != nil {
		t.Fatal(err)
	}
	problem := Problem{Shared: shared, Answer: func(raw int32) (int32, error) { return raw, nil }}
	if kind != "" {
		problem.Observer = &toy{kind: kind, shared: shared, list: list, numbers: map[string]int32{}}
	}
	p, err := New(problem, Options{Cap: most})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestUnproved has reasons why proofs fail.
func TestUnproved(t *testing.T) {
	testsize.NeedsLong(t)
	for _, c := range []struct{ dir, kind, want string }{
		{"testdata/tally", "endless", "in too many ways"},
		{"../../../examples/verified/lazy", "stack", "contradicts the specification"},
	} {
		program := compile(t, c.dir, "")
		r, err := proof(t, program, callsOf(t, program, 1), c.kind, 0).Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if r.Proved || !strings.Contains(r.Finding.Text, c.want) || r.Finding.Pos == 0 || r.Finding.View == "" {
			t.Errorf("%s as %s: %+v", c.dir, c.kind, r.Finding)
		}
	}
}

// TestCanceled ends a proof.
func TestCanceled(t *testing.T) {
	program := compile(t, "../../../examples/verified/lazy", "")
	ctx, cancel := context.WithCancel(context.Background())
	p := proof(t, program, callsOf(t, program, 2), "set", 0)
	p.options.Progress = func(Stats) { cancel() }
	if r, err := p.Run(ctx); !errors.Is(err, context.Canceled) || r.Proved || r.Stats.Views == 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestContained proves algorithms, and looks for the views of all states of bounded runs.
func TestContained(t *testing.T) {
	testsize.NeedsLong(t)
	for _, a := range algorithms {
		t.Run(path.Base(a.dir), func(t *testing.T) {
			program := compile(t, "../../../examples/"+a.dir, makes[a.kind])
			for values := 1; values <= 2; values++ {
				list := callsOf(t, program, values)
				p := proof(t, program, list, a.kind, a.cap)
				r, err := p.Run(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				if !r.Proved {
					f := r.Finding
					t.Fatal(f, program.Positions[f.Pos], f.View)
				}
				t.Log(r.Stats)
				if r.Stats.Views != a.views[values-1] {
					t.Errorf("%d views with %d values, not %d", r.Stats.Views, values, a.views[values-1])
				}
				if r.Stats.Views > 7_000 && !testsize.Nightly() {
					continue
				}
				contained(t, program, p, 2, 2)
				contained(t, program, p, 3, 1)
				if values == 1 && (r.Stats.Views < 300 || a.kind == "tally" || testsize.Nightly()) {
					contained(t, program, p, 3, 2)
				}
			}
		})
	}
}

// TestRefused has programs whose threads do more than change memory.
func TestRefused(t *testing.T) {
	for typ, want := range map[string]string{"Room": "channels", "Workers": "go statements", "Buffer": "sync.Cond", "Pool": "sync.Pool"} {
		pkg, err := source.Load(context.Background(), source.Options{Dir: "../machine/testdata/concurrent", Type: typ})
		if err != nil {
			t.Fatal(err)
		}
		program, refusals := lower.Compile(pkg)
		if len(refusals) > 0 {
			t.Fatal(refusals)
		}
		shared, err := machine.ForViews(context.Background(), program, callsOf(t, program, 1).Calls)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = New(Problem{Shared: shared}, Options{}); !errors.Is(err, machine.ErrViews) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, not %s", typ, err, want)
		}
	}
}
