package machine

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// The object of random programs: a mutex, two words for atomic operations, one that
// mostly is accessed under the mutex, a pointer to a node.
const (
	mutexWord = iota
	atomicA
	atomicB
	guarded
	nodeWord
)

// generator makes random functions. Register 0 is the object, 1 an address, 2 to 4 are numbers,
// 5 and 6 nodes, 7 an address in one.
type generator struct {
	r    *rand.Rand
	code []ir.Instr
	node int32 // the layout of nodes
}

func (g *generator) emit(in ...ir.Instr) { g.code = append(g.code, in...) }

func (g *generator) address(word int32) {
	g.emit(ir.Instr{Op: ir.FieldAddr, Dst: 1, A: 0, N: word})
}

func (g *generator) number() int32 { return 2 + int32(g.r.IntN(3)) }

// unless makes instructions that run only if a register is not zero.
func (g *generator) unless(register int32, body func()) {
	at := len(g.code)
	g.emit(ir.Instr{})
	body()
	g.code[at] = ir.Instr{Op: ir.If, A: register, To: int32(at + 1), M: int32(len(g.code))}
}

func (g *generator) statement() {
	x, y := g.number(), g.number()
	switch g.r.IntN(9) {
	case 0:
		g.address(atomicA + int32(g.r.IntN(2)))
		g.emit(ir.Instr{Op: ir.AtomicLoad, Dst: x, A: 1, N: 1})
	case 1:
		g.address(atomicA + int32(g.r.IntN(2)))
		g.emit(ir.Instr{Op: ir.AtomicStore, A: 1, B: x, N: 1})
	case 2:
		g.address(atomicA + int32(g.r.IntN(2)))
		g.emit(ir.Instr{Op: ir.AtomicAdd, Dst: x, A: 1, B: -2})
	case 3:
		g.address(atomicA + int32(g.r.IntN(2)))
		g.emit(ir.Instr{Op: ir.AtomicCAS, Dst: x, A: 1, B: y, C: -2, N: 1})
	case 4: // a critical section, now and then without its mutex
		locks := g.r.IntN(12) > 0
		if locks {
			g.emit(ir.Instr{Op: ir.Lock, A: 0})
		}
		g.address(guarded)
		g.emit(ir.Instr{Op: ir.Load, Dst: x, A: 1, N: 1})
		if g.r.IntN(2) == 0 {
			g.emit(ir.Instr{Op: ir.Add, Dst: x, A: x, B: -2}, ir.Instr{Op: ir.Store, A: 1, B: x, N: 1})
		}
		if locks {
			g.emit(ir.Instr{Op: ir.Unlock, A: 0})
		}
	case 5: // a new node, published
		g.emit(ir.Instr{Op: ir.Alloc, Dst: 5, To: g.node, N: 1}, ir.Instr{Op: ir.Store, A: 5, B: x, N: 1})
		g.address(nodeWord)
		g.emit(ir.Instr{Op: ir.AtomicStore, A: 1, B: 5, N: 1})
	case 6: // read what a node holds
		g.address(nodeWord)
		g.emit(ir.Instr{Op: ir.AtomicLoad, Dst: 6, A: 1, N: 1})
		g.unless(6, func() {
			g.emit(ir.Instr{Op: ir.Load, Dst: x, A: 6, N: 1})
			if g.r.IntN(3) == 0 {
				g.emit(ir.Instr{Op: ir.FieldAddr, Dst: 7, A: 6, N: 1}, ir.Instr{Op: ir.AtomicAdd, Dst: x, A: 7, B: -2})
			}
			if g.r.IntN(12) == 0 {
				g.emit(ir.Instr{Op: ir.Store, A: 6, B: x, N: 1})
			}
		})
	case 7: // take the node out, change it, put it back
		g.address(nodeWord)
		g.emit(ir.Instr{Op: ir.AtomicSwap, Dst: 6, A: 1, B: -3, N: 1})
		g.unless(6, func() {
			g.emit(ir.Instr{Op: ir.FieldAddr, Dst: 7, A: 6, N: 1}, ir.Instr{Op: ir.Load, Dst: y, A: 7, N: 1})
			g.address(nodeWord)
			g.emit(ir.Instr{Op: ir.AtomicStore, A: 1, B: 6, N: 1})
		})
	case 8:
		g.unless(x, func() { g.emit(ir.Instr{Op: ir.Move, Dst: y, A: -2, N: 1}) })
	}
}

// random is a program of two random operations.
func random(r *rand.Rand) *ir.Program {
	p := &ir.Program{Strings: ir.NewStrings(), Types: []*ir.Type{{Name: "nil"}}, Positions: make([]ir.Position, 1), Consts: []ir.Word{0, 1, 0, 0},
		Layouts: []*ir.Layout{
			{Name: "object", Words: []ir.Kind{ir.Data, ir.Data, ir.Data, ir.Data, ir.Ptr}, Fields: []string{"mu", "a", "b", "guarded", "node"}},
			{Name: "node", Words: []ir.Kind{ir.Data, ir.Data}, Fields: []string{"val", "count"}},
		}}
	p.Funcs = append(p.Funcs, &ir.Func{Name: "init", Defers: -1, Recovers: -1, Code: []ir.Instr{{Op: ir.Return}}},
		&ir.Func{Name: "New", Defers: -1, Recovers: -1, Results: 1, Kinds: []ir.Kind{ir.Ptr},
			Code: []ir.Instr{{Op: ir.Alloc, Dst: 0, To: 0, N: 1}, {Op: ir.Return, Args: []ir.Arg{{At: 0, N: 1}}}}})
	kinds := []ir.Kind{ir.Ptr, ir.Ptr, ir.Data, ir.Data, ir.Data, ir.Ptr, ir.Ptr, ir.Ptr}
	for i := range 2 {
		g := &generator{r: r, node: 1}
		for n := range int32(3) {
			g.emit(ir.Instr{Op: ir.Move, Dst: 2 + n, A: -1, N: 1})
		}
		for range 1 + r.IntN(4) {
			g.statement()
		}
		g.emit(ir.Instr{Op: ir.Return, Args: []ir.Arg{{At: g.number(), N: 1}}})
		f := &ir.Func{Name: fmt.Sprint("op", i), Defers: -1, Recovers: -1, Params: 1, Results: 1, Kinds: kinds, Code: g.code}
		p.Funcs = append(p.Funcs, f)
		p.Ops = append(p.Ops, ir.Operation{Method: f.Name, Func: 2 + i, Results: []ir.Form{{Kind: ir.I64}}})
	}
	for _, f := range p.Funcs {
		f.Finish()
	}
	p.New = 1
	return p
}

// outcomes explores a program and collects what the operations answered in each run
// to the end, whoever made them, and the kinds of faults.
func outcomes(t *testing.T, p *ir.Program, b Bounds, o Options) (map[string]bool, int) {
	t.Helper()
	s, err := New(context.Background(), p, b, o)
	if err != nil {
		t.Fatal(err)
	}
	type node struct {
		form string
		said string // sorted
	}
	for {
		m, out := s.Machine(), map[string]bool{}
		first := node{form: string(s.Start())}
		seen, queue := map[node]bool{first: true}, []node{first}
		var err error
		for len(queue) > 0 && err == nil {
			n := queue[0]
			queue = queue[1:]
			ends := true
			err = m.Expand([]byte(n.form), func(st *Step) error {
				ends = false
				if st.Fault != nil {
					out[st.Fault.Kind.String()] = true
					return nil
				}
				next := node{form: string(st.Next), said: n.said}
				if st.Answer >= 0 {
					r := s.Result(st.Answer)
					said := append(strings.Fields(n.said), fmt.Sprint(r.Op, "=", r.Values[0]))
					slices.Sort(said)
					next.said = strings.Join(said, " ")
				}
				if !seen[next] {
					seen[next] = true
					queue = append(queue, next)
				}
				return nil
			})
			if ends {
				out[n.said] = true
			}
		}
		if err == nil {
			return out, len(seen)
		}
		if err != ErrAgain {
			t.Fatal(err)
		}
		s.Again()
	}
}

// TestRandomPrograms compares what can happen with all accesses as steps of their own
// and named threads, and without. Programs with a race have but to be found out.
func TestRandomPrograms(t *testing.T) {
	races, states, all := 0, 0, 0
	for seed := range uint64(testsize.Samples(400)) {
		p := random(rand.New(rand.NewPCG(seed, 14)))
		b := Bounds{Threads: 2, Ops: 2, Calls: []Call{{Op: 0}, {Op: 1}}}
		if seed%5 == 0 {
			b.Threads, b.Ops = 3, 1
		}
		want, n := outcomes(t, p, b, Options{NoFusion: true, NoSymmetry: true})
		all += n
		for _, o := range []Options{{}, {NoFusion: true}, {NoSymmetry: true}} {
			got, n := outcomes(t, p, b, o)
			if o == (Options{}) {
				states += n
			}
			if want["data race"] || got["data race"] {
				if want["data race"] != got["data race"] {
					t.Errorf("seed %d %+v: race: %v, want %v", seed, o, got["data race"], want["data race"])
				}
				races++
				continue
			}
			if !maps.Equal(got, want) {
				t.Errorf("seed %d %+v: got %d outcomes, want %d", seed, o, len(got), len(want))
			}
		}
	}
	if races == 0 {
		t.Error("no program has a race")
	}
	t.Logf("%d states, %d without fusion and symmetry", states, all)
}
