package views

import (
	"context"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/calls"
	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/lower"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/source"
)

// compile makes a program of a package.
func compile(t testing.TB, dir string) *ir.Program {
	t.Helper()
	pkg, err := source.Load(context.Background(), source.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	program, refusals := lower.Compile(pkg)
	if len(refusals) > 0 {
		t.Fatal(refusals)
	}
	return program
}

func callsOf(t testing.TB, p *ir.Program, values int) *calls.List {
	t.Helper()
	list, err := calls.New(p, calls.Options{Values: values, Most: values})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestSafety(t *testing.T) {
	for _, dir := range []string{"lazy", "handoverhand", "harris", "optimistic"} {
		t.Run(dir, func(t *testing.T) {
			program := compile(t, "../../../examples/verified/"+dir)
			for values := 1; values <= 2; values++ {
				list := callsOf(t, program, values)
				shared, err := machine.ForViews(context.Background(), program, list.Calls)
				if err != nil {
					t.Fatal(err)
				}
				p, err := New(Problem{Shared: shared}, Options{Cap: 8, Progress: func(s Stats) {
					if s.Views > 2000000 {
						panic("many")
					}
				}})
				if err != nil {
					t.Fatal(err)
				}
				r, err := p.Run(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				for _, b := range [][2]int{{2, 2}, {3, 1}, {3, 2}} {
					if b[0]*b[1] < 6 || values == 1 {
						contained(t, program, p, b[0], b[1])
					}
				}
				t.Log(values, r.Proved, r.Finding, r.Stats)
				if r.Finding != nil {
					t.Log(r.Finding.View, program.Positions[r.Finding.Pos], program.Positions[r.Finding.Also])
				}
			}
		})
	}
}
