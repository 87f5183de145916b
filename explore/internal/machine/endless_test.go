package machine

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// rounder is a random function that goes round: registers 1 to 4 are numbers, 5 is an address of one of the object's
// four words, of which the last points to the object.
type rounder struct {
	r    *rand.Rand
	code []ir.Instr
}

func (g *rounder) emit(in ...ir.Instr) { g.code = append(g.code, in...) }

func (g *rounder) number() int32 { return 1 + g.r.Int32N(4) }

func (g *rounder) operand() int32 {
	if g.r.IntN(3) == 0 {
		return number(g.r.IntN(4))
	}
	return g.number()
}

func (g *rounder) address() {
	object := int32(0)
	if g.r.IntN(4) == 0 {
		g.emit(ir.Instr{Op: ir.FieldAddr, Dst: 5, A: 0, N: 3}, ir.Instr{Op: ir.Load, Dst: 6, A: 5, N: 1})
		object = 6
	}
	g.emit(ir.Instr{Op: ir.FieldAddr, Dst: 5, A: object, N: g.r.Int32N(3)})
}

// instr emits an instruction that computes something.
func (g *rounder) instr() {
	switch g.r.IntN(7) {
	case 0:
		g.emit(ir.Instr{Op: ir.Move, Dst: g.number(), A: g.operand(), N: 1})
	case 1, 2:
		op := []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Mul, ir.And, ir.Xor, ir.Lt}[g.r.IntN(7)]
		g.emit(ir.Instr{Op: op, Dst: g.number(), A: g.operand(), B: g.operand()})
	case 3:
		g.emit(ir.Instr{Op: ir.And, Dst: g.number(), A: g.operand(), B: number([]int{1, 3, 7, 15}[g.r.IntN(4)])})
	case 4:
		g.address()
		g.emit(ir.Instr{Op: ir.Load, Dst: g.number(), A: 5, N: 1})
	case 5:
		g.address()
		g.emit(ir.Instr{Op: ir.Store, A: 5, B: g.operand(), N: 1})
	case 6:
		at := len(g.code)
		g.emit(ir.Instr{})
		g.instr()
		g.code[at] = ir.Instr{Op: ir.If, A: g.number(), To: int32(at) + 1, M: int32(len(g.code))}
	}
}

// program is one operation that goes round, once or in two loops, until a number is what it has to be.
func (g *rounder) program() *ir.Program {
	p := &ir.Program{Strings: ir.NewStrings(), Positions: make([]ir.Position, 1), Types: []*ir.Type{{Name: "nil"}}, Layouts: []*ir.Layout{
		{Name: "object", Words: []ir.Kind{ir.Data, ir.Data, ir.Data, ir.Ptr}}}}
	for i := -1; i <= 20; i++ {
		p.Consts = append(p.Consts, ir.Word(i))
	}
	p.Consts = append(p.Consts, 6000, 30_000)
	function := func(params, results int) int {
		f := &ir.Func{Params: params, Results: results, Code: g.code, Defers: -1, Recovers: -1, Kinds: []ir.Kind{ir.Ptr, ir.Data, ir.Data, ir.Data, ir.Data, ir.Ptr, ir.Ptr}}
		f.Finish()
		p.Funcs, g.code = append(p.Funcs, f), nil
		return len(p.Funcs) - 1
	}
	g.emit(ir.Instr{Op: ir.Return})
	p.Init = function(0, 0)
	g.emit(ir.Instr{Op: ir.Alloc, Dst: 0, To: 0, N: 1}, ir.Instr{Op: ir.FieldAddr, Dst: 5, A: 0, N: 3}, ir.Instr{Op: ir.Store, A: 5, B: 0, N: 1}, returns(0))
	p.New = function(0, 1)
	for i := range int32(4) {
		g.emit(ir.Instr{Op: ir.Move, Dst: 1 + i, A: number(g.r.IntN(3)), N: 1})
	}
	outer := int32(len(g.code))
	for range 1 + g.r.IntN(2) {
		head := int32(len(g.code))
		for range 1 + g.r.IntN(5) {
			g.instr()
		}
		limit := []int32{number(21), number(22), number(0), number(8)}[g.r.IntN(4)]
		g.emit(ir.Instr{Op: []ir.Op{ir.Eq, ir.Lt}[g.r.IntN(2)], Dst: 6, A: g.number(), B: limit})
		at := int32(len(g.code))
		to := []int32{at + 1, head}
		if g.r.IntN(2) == 0 {
			to[0], to[1] = to[1], to[0]
		}
		g.emit(ir.Instr{Op: ir.If, A: 6, To: to[0], M: to[1]})
	}
	if g.r.IntN(2) == 0 {
		g.emit(ir.Instr{Op: ir.Eq, Dst: 6, A: g.number(), B: g.operand()})
		at := int32(len(g.code))
		g.emit(ir.Instr{Op: ir.If, A: 6, To: outer, M: at + 1})
	}
	g.emit(returns(1))
	p.Ops = []ir.Operation{{Method: "run", Func: function(1, 1), Results: []ir.Form{{Kind: ir.I64}}}}
	return p
}

// ends runs the operation of such a program, and reports whether it ends within so many instructions.
func ends(p *ir.Program, most int) bool {
	code, object := p.Funcs[p.Ops[0].Func].Code, [4]ir.Word{}
	var regs [7]ir.Word
	val := func(x int32) ir.Word {
		if x < 0 {
			return p.Consts[^x]
		}
		return regs[x]
	}
	for pc := int32(0); most > 0; most-- {
		in := &code[pc]
		pc++
		switch in.Op {
		case ir.Return:
			return true
		case ir.Move:
			regs[in.Dst] = val(in.A)
		case ir.FieldAddr: // there is one object
			regs[in.Dst] = ir.Word(in.N)
		case ir.Load:
			regs[in.Dst] = object[regs[in.A]]
		case ir.Store:
			object[regs[in.A]] = val(in.B)
		case ir.If:
			if pc = in.M; regs[in.A] != 0 {
				pc = in.To
			}
		default:
			regs[in.Dst], _ = Binary(in.Op, in.Num, val(in.A), val(in.B))
		}
	}
	return false
}

// TestRounds runs random loops: those that are said not to end do not, for long, and those that end do.
func TestRounds(t *testing.T) {
	said, end, limits := 0, 0, 0
	for seed := range testsize.Samples(500) {
		p := (&rounder{r: rand.New(rand.NewPCG(seed, 23))}).program()
		shared, err := New(context.Background(), p, Bounds{Threads: 1, Ops: 1, Calls: []Call{{}}}, Options{MostSteps: 400_000})
		if err != nil {
			t.Fatal(err)
		}
		verdict := ""
		for again := true; again; {
			err := shared.Machine().Expand(shared.Start(), func(s *Step) error {
				if verdict = "ends"; s.Fault != nil {
					verdict = s.Fault.Kind.String()
				}
				return nil
			})
			if again = err == ErrAgain; again {
				shared.Again()
			} else if err != nil {
				t.Fatal(err)
			}
		}
		switch is := ends(p, 1_000_000); {
		case verdict == "endless" && !is:
			said++
		case verdict == "ends" && is:
			end++
		case verdict == "not covered":
			limits++
		default:
			t.Fatalf("seed %d: %s, ends: %v\n%s", seed, verdict, is, p)
		}
	}
	t.Logf("%d loops that are said not to end, %d that end, %d beyond the limit", said, end, limits)
	if said == 0 || end == 0 || limits > said {
		t.Error("the generator makes no such loops, or few are decided")
	}
}
