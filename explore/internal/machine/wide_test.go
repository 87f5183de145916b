package machine

import (
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// TestWideWrite writes a word alone, and then both words of an object at once, while
// another thread reads the other word: that is a race, although the first write
// is known already when the second one comes.
func TestWideWrite(t *testing.T) {
	p := &ir.Program{Strings: ir.NewStrings(), Types: []*ir.Type{{Name: "nil"}}, Positions: make([]ir.Position, 1),
		Layouts: []*ir.Layout{{Name: "pair", Words: []ir.Kind{ir.Data, ir.Data}}}, Consts: []ir.Word{1}}
	p.Funcs = append(p.Funcs, &ir.Func{Name: "init", Code: []ir.Instr{{Op: ir.Return}}},
		&ir.Func{Name: "New", Results: 1, Kinds: []ir.Kind{ir.Ptr},
			Code: []ir.Instr{{Op: ir.Alloc, Dst: 0, To: 0, N: 1}, {Op: ir.Return, Args: []ir.Arg{{At: 0, N: 1}}}}})
	op := func(name string, code ...ir.Instr) {
		p.Ops = append(p.Ops, ir.Operation{Method: name, GoName: name, Func: len(p.Funcs), Results: []ir.Form{{Kind: ir.I64}}})
		p.Funcs = append(p.Funcs, &ir.Func{Name: name, Params: 1, Results: 1, Kinds: []ir.Kind{ir.Ptr, ir.Ptr, ir.Data, ir.Data},
			Code: append(code, ir.Instr{Op: ir.Return, Args: []ir.Arg{{At: 2, N: 1}}})})
	}
	op("one", ir.Instr{Op: ir.Move, Dst: 2, A: -1, N: 1}, ir.Instr{Op: ir.Store, A: 0, B: 2, N: 1})
	op("both", ir.Instr{Op: ir.Move, Dst: 2, A: -1, N: 1}, ir.Instr{Op: ir.Move, Dst: 3, A: -1, N: 1},
		ir.Instr{Op: ir.Store, A: 0, B: 2, N: 2})
	op("read", ir.Instr{Op: ir.FieldAddr, Dst: 1, A: 0, N: 1}, ir.Instr{Op: ir.Load, Dst: 2, A: 1, N: 1})
	for _, f := range p.Funcs {
		f.Defers, f.Recovers = -1, -1
		f.Finish()
	}
	p.New = 1
	calls := []Call{{Op: 0}, {Op: 1}, {Op: 2}}
	for _, c := range []struct {
		plan  []int32
		races bool
	}{{[]int32{0, 1}, true}, {[]int32{1, 0}, true}, {[]int32{0, 0}, false}} {
		_, _, fault := reach(t, p, Bounds{Threads: 2, Calls: calls, Plans: [][]int32{c.plan, {2}}}, Options{})
		if races := fault != nil && fault.Kind == Race; races != c.races {
			t.Errorf("%v: %v", c.plan, fault)
		}
	}
}
