package source

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// examples are packages with one thing to explore, as options say.
var examples = []Options{
	{Dir: "treiber", Type: "Tagged", New: "NewTagged(nil)"}, {Dir: "queue"}, {Dir: "multiset", Type: "Multiset"},
	{Dir: "treiber", Type: "Stack"}, {Dir: "msqueue"}, {Dir: "blinktree", Type: "Tree"}, {Dir: "stack"}, {Dir: "set"}, {Dir: "register"}, {Dir: "lock"},
	{Dir: "deque"}, {Dir: "mutex"}, {Dir: "casregister"}, {Dir: "kv"}, {Dir: "semaphore"}, {Dir: "counter"}, {Dir: "boundedqueue"}, {Dir: "worksteal"},
}

// TestExamples loads the examples, here and as references: types, names and notes are the same.
func TestExamples(t *testing.T) {
	testsize.NeedsLong(t)
	for _, o := range examples {
		t.Run(o.Dir+o.Type, func(t *testing.T) {
			dir := "../../../examples/" + o.Dir
			o.Dir = dir
			start := time.Now()
			p, err := Load(context.Background(), o)
			t.Log("loaded in", time.Since(start))
			r, refErr := reference.Load(context.Background(), dir, reference.Options{Type: o.Type, New: o.New})
			if err != nil || refErr != nil {
				if err == nil || refErr == nil || !strings.Contains(refErr.Error(), strings.Split(err.(*Error).Problems[0].What, ";")[0]) {
					t.Fatalf("%v, and as a reference %v", err, refErr)
				}
				return
			}
			defer r.Close()
			same(t, p, r, r.TypeName, r.Notes)
		})
	}
}

// same compares a package with a reference.
func same(t *testing.T, p *Package, r reference.Implementation, typeName string, notes []string) {
	t.Helper()
	if got := strings.TrimPrefix(p.Type, "*"); got != typeName {
		t.Errorf("type %s, as a reference %s", got, typeName)
	}
	var got, want [][]string
	for _, op := range p.Ops {
		names := []string{op.Method, bare(op.GoName)}
		for _, a := range op.Params {
			names = append(names, short(a))
		}
		got = append(got, names)
	}
	for _, m := range r.Methods() {
		want = append(want, append([]string{m.Name, m.GoName}, m.Args...))
	}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("operations\n%v\nas a reference\n%v", got, want)
	}
	if !slices.Equal(p.Notes, notes) {
		t.Errorf("notes\n%q\nas a reference\n%q", p.Notes, notes)
	}
}

// TestBuild asks for the code of functions of other packages, and of instances.
func TestBuild(t *testing.T) {
	p, err := Load(context.Background(), Options{Dir: "testdata/shapes"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	seen := map[*ssa.Function]bool{}
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		if seen[fn] {
			return
		}
		seen[fn] = true
		Build(fn)
		if fn.Blocks == nil {
			names = append(names, fn.String())
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(ssa.CallInstruction); ok && call.Common().StaticCallee() != nil {
					visit(call.Common().StaticCallee())
				}
			}
		}
	}
	visit(p.New)
	for _, op := range p.Ops {
		visit(op.Func)
	}
	if len(seen) < 20 {
		t.Errorf("only %d functions are reached", len(seen))
	}
	if want := []string{"(*sync.Mutex).Lock", "(*sync.Mutex).Unlock"}; !slices.Equal(names, want) {
		t.Errorf("%v have no code, want %v", names, want)
	}
	for i, q := range p.Packages {
		for _, d := range q.Pkg.Imports() {
			if j := slices.IndexFunc(p.Packages, func(r *ssa.Package) bool { return r.Pkg == d }); j > i {
				t.Errorf("%s comes before %s, which it imports", q, d)
			}
		}
	}
}

// TestAgain loads packages at the same time, and the same one again: the standard
// library's are shared.
func TestAgain(t *testing.T) {
	var wg sync.WaitGroup
	loaded := make([]*Package, 4)
	for i := range loaded {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p, err := Load(context.Background(), Options{Dir: "../../../examples/" + []string{"treiber", "msqueue"}[i%2], Type: []string{"Stack", ""}[i%2]})
			if err != nil {
				t.Error(err)
				return
			}
			for _, op := range p.Ops {
				Build(op.Func)
			}
			loaded[i] = p
		}()
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	for _, p := range loaded {
		if got, want := p.Prog.ImportedPackage("sync/atomic").Pkg, loaded[0].Prog.ImportedPackage("sync/atomic").Pkg; got != want {
			t.Error("sync/atomic was loaded twice")
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Load(ctx, Options{Dir: "../../../examples/treiber"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
