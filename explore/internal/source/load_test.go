package source

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/internal/testsize"
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
	some := examples
	if !testsize.Long() {
		some = some[:3]
	}
	for _, o := range some {
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
