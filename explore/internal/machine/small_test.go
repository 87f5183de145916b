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

// The words of a small program's object.
const (
	smallVars  = 0 // two
	smallMutex = 2
	smallRW    = 3 // two
	smallAtom  = 5
	smallGroup = 6
	smallChans = 7 // three
	smallWords = 10
)

// The registers: the object, an address, the result, two numbers, a channel, what a select statement yields, what
// it receives.
const (
	rSmall, rAddr, rResult, rSome, rOk = 0, 1, 2, 3, 4
	rChan, rWhich, rReceived           = 5, 6, 8
)

var smallKinds = []ir.Kind{ir.Ptr, ir.Ptr, ir.Data, ir.Data, ir.Data, ir.Ptr, ir.Data, ir.Data, ir.Data}

// number is the operand of a number from -1 to 20.
func number(n int) int32 { return ^int32(n + 1) }

// smallCompiler compiles a small program.
type smallCompiler struct {
	p    *ir.Program
	code []ir.Instr
}

func (c *smallCompiler) emit(in ...ir.Instr) { c.code = append(c.code, in...) }

func (c *smallCompiler) at(word int) {
	c.emit(ir.Instr{Op: ir.FieldAddr, Dst: rAddr, A: rSmall, N: int32(word)})
}

func returns(register int32) ir.Instr {
	return ir.Instr{Op: ir.Return, Args: []ir.Arg{{At: register, N: 1}}}
}

// function adds a function with what was emitted.
func (c *smallCompiler) function(name string, params, results int) int {
	f := &ir.Func{Name: name, Params: params, Results: results, Code: c.code, Defers: -1, Recovers: -1, Kinds: smallKinds}
	f.Finish()
	c.p.Funcs = append(c.p.Funcs, f)
	c.code = nil
	return len(c.p.Funcs) - 1
}

// compile makes the program of a small one: operation i is what thread i does.
func (s *small) compile() *ir.Program {
	p := &ir.Program{Strings: ir.NewStrings(), Positions: make([]ir.Position, 1), Types: []*ir.Type{{Name: "nil"}}, Layouts: []*ir.Layout{
		{Name: "small", Words: make([]ir.Kind, smallWords)},
		{Name: "chan", Words: []ir.Kind{ir.Data}, Special: ir.Chan, Val: 1},
		{Name: "int", Words: []ir.Kind{ir.Data}},
	}}
	for i := -1; i <= 20; i++ {
		p.Consts = append(p.Consts, ir.Word(i))
	}
	c := &smallCompiler{p: p}
	c.emit(ir.Instr{Op: ir.Return})
	p.Init = c.function("init", 0, 0)
	c.emit(ir.Instr{Op: ir.Alloc, Dst: rSmall, To: 0, N: 1})
	for i := range 3 {
		p.Layouts[0].Words[smallChans+i] = ir.Ptr
		c.emit(ir.Instr{Op: ir.MakeChan, Dst: rChan, To: 1, A: number(i)})
		c.at(smallChans + i)
		c.emit(ir.Instr{Op: ir.Store, A: rAddr, B: rChan, N: 1})
	}
	c.at(smallGroup)
	c.emit(ir.Instr{Op: ir.WGAdd, A: rAddr, B: number(s.count)}, returns(rSmall))
	p.New = c.function("New", 0, 1)
	for i, code := range s.threads {
		c.emit(ir.Instr{Op: ir.Move, Dst: rResult, A: number(0), N: 1})
		c.all(code)
		c.emit(returns(rResult))
		name := fmt.Sprint("op", i)
		p.Ops = append(p.Ops, ir.Operation{Method: name, Func: c.function(name, 1, 1), Results: []ir.Form{{Kind: ir.I64}}})
	}
	return p
}

func (c *smallCompiler) all(code []stmt) {
	for _, s := range code {
		c.stmt(s)
	}
}

func (c *smallCompiler) stmt(s stmt) {
	locks := map[string]ir.Op{"lock": ir.Lock, "try": ir.TryLock, "unlock": ir.Unlock}
	rw := map[string]ir.Op{"rlock": ir.RLock, "tryr": ir.TryRLock, "runlock": ir.RUnlock, "wlock": ir.WLock, "tryw": ir.TryWLock, "wunlock": ir.WUnlock}
	atomics := map[string]ir.Instr{
		"load": {Op: ir.AtomicLoad, Dst: rResult, A: rAddr, N: 1}, "store": {Op: ir.AtomicStore, A: rAddr, B: number(s.v), N: 1},
		"add": {Op: ir.AtomicAdd, Dst: rResult, A: rAddr, B: number(s.v)},
		"cas": {Op: ir.AtomicCAS, Dst: rResult, A: rAddr, B: number(0), N: 1, C: number(s.v), To: 2},
	}
	if op, ok := locks[s.op]; ok {
		c.at(smallMutex)
		c.emit(ir.Instr{Op: op, Dst: rResult, A: rAddr})
		return
	}
	if op, ok := rw[s.op]; ok {
		c.at(smallRW)
		if op == ir.WLock {
			c.emit(ir.Instr{Op: ir.WAnnounce, A: rAddr})
		}
		c.emit(ir.Instr{Op: op, Dst: rResult, A: rAddr})
		return
	}
	if in, ok := atomics[s.op]; ok {
		c.at(smallAtom)
		c.emit(in)
		return
	}
	switch s.op {
	case "read":
		c.at(smallVars + s.x)
		c.emit(ir.Instr{Op: ir.Load, Dst: rResult, A: rAddr, N: 1})
	case "write":
		c.at(smallVars + s.x)
		c.emit(ir.Instr{Op: ir.Store, A: rAddr, B: number(s.v), N: 1})
	case "if":
		c.emit(ir.Instr{Op: ir.Eq, Dst: rSome, A: rResult, B: number(s.v)})
		at := len(c.code)
		c.emit(ir.Instr{})
		c.all(s.then)
		c.code[at] = ir.Instr{Op: ir.If, A: rSome, To: int32(at + 1), M: int32(len(c.code))}
	case "go":
		sub := &smallCompiler{p: c.p}
		sub.emit(ir.Instr{Op: ir.Move, Dst: rResult, A: number(0), N: 1})
		sub.all(s.then)
		sub.emit(ir.Instr{Op: ir.Return})
		c.emit(ir.Instr{Op: ir.Call, Mode: ir.Go, To: int32(sub.function("go", 1, 0)), Args: []ir.Arg{{At: rSmall, N: 1}}})
	case "done", "wait":
		c.at(smallGroup)
		op := ir.WGWait
		if s.op == "done" {
			op = ir.WGAdd
		}
		c.emit(ir.Instr{Op: op, A: rAddr, B: number(-1)})
	default:
		c.channel(s)
	}
}

func (c *smallCompiler) channel(s stmt) {
	c.at(smallChans + s.x)
	c.emit(ir.Instr{Op: ir.Load, Dst: rChan, A: rAddr, N: 1})
	add := func(dst, a, b int32) { c.emit(ir.Instr{Op: ir.Add, Dst: dst, A: a, B: b}) }
	switch s.op {
	case "len":
		c.emit(ir.Instr{Op: ir.ChanLen, Dst: rResult, A: rChan})
	case "close":
		c.emit(ir.Instr{Op: ir.Close, A: rChan})
	case "send":
		c.emit(ir.Instr{Op: ir.Send, A: rChan, B: number(s.v), N: 1})
	case "recv":
		c.emit(ir.Instr{Op: ir.Recv, Dst: rSome, A: rChan, N: 1, M: 1})
		add(rResult, rSome, rSome)
		add(rResult, rResult, rOk)
	case "trysend":
		c.emit(ir.Instr{Op: ir.Select, Dst: rWhich, M: 1, Args: []ir.Arg{{At: rChan, N: 1}, {At: number(s.v), N: 1}, {}}})
		add(rResult, rWhich, number(1))
	case "tryrecv":
		c.emit(ir.Instr{Op: ir.Move, Dst: rReceived, A: number(0), N: 1}, ir.Instr{Op: ir.Select, Dst: rWhich, M: 1, Args: []ir.Arg{{At: rChan, N: 1}, {}, {At: rReceived, N: 1}}})
		add(rResult, rWhich, number(1))
		c.emit(ir.Instr{Op: ir.Mul, Dst: rResult, A: rResult, B: number(10)})
		add(rResult, rResult, rReceived)
		add(rResult, rResult, rReceived)
		add(rResult, rResult, rWhich+1)
	}
}

// explored are the outcomes of a small program by exploring, and how often that started again.
func (s *small) explored(t *testing.T, o Options) (map[string]bool, *Shared) {
	t.Helper()
	p := s.compile()
	b := Bounds{Threads: len(s.threads), Ops: 1}
	for i := range s.threads {
		b.Calls = append(b.Calls, Call{Op: i})
		b.Plans = append(b.Plans, []int32{int32(i)})
	}
	shared, err := New(context.Background(), p, b, o)
	if err != nil {
		t.Fatal(err)
	}
	for {
		out, err := shared.ends(len(s.threads))
		if err == nil {
			if out["data race"] {
				out = map[string]bool{"data race": true}
			}
			return out, shared
		}
		if err != ErrAgain {
			t.Fatal(err)
		}
		shared.Again()
	}
}

// ends are what operations answer, by the thread that makes them, wherever there is no step.
func (s *Shared) ends(threads int) (map[string]bool, error) {
	type node struct{ form, said string }
	m, out := s.Machine(), map[string]bool{}
	first := node{form: string(s.Start()), said: strings.Repeat("|", threads)}
	seen, queue := map[node]bool{first: true}, []node{first}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		ends := true
		err := m.Expand([]byte(n.form), func(st *Step) error {
			ends = false
			if st.Fault != nil {
				out[st.Fault.Kind.String()] = true
				return nil
			}
			next := node{form: string(st.Next), said: n.said}
			if st.Answer >= 0 {
				r := s.Result(st.Answer)
				said := strings.Split(next.said, "|")
				said[r.Op] = fmt.Sprint(r.Op, "=", "panic")
				if r.Panic == "" {
					said[r.Op] = fmt.Sprint(r.Op, "=", r.Values[0])
				}
				next.said = strings.Join(said, "|")
			}
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if ends {
			out[strings.Join(strings.FieldsFunc(n.said, func(r rune) bool { return r == '|' }), " ")] = true
		}
	}
	return out, nil
}

// smaller makes random small programs: some of statements at random, most of a write, something that others can
// observe, and a read by who has observed it.
type smaller struct{ r *rand.Rand }

func (g smaller) one(of ...string) string { return of[g.r.IntN(len(of))] }

// noise are statements that make nothing of variables.
func (g smaller) noise() []stmt {
	v := 1 + g.r.IntN(2)
	x := g.r.IntN(3)
	switch g.r.IntN(12) {
	case 0:
		return []stmt{{op: "lock"}, {op: "unlock"}}
	case 1:
		return []stmt{{op: "rlock"}, {op: "runlock"}}
	case 2:
		return []stmt{{op: "wlock"}, {op: "wunlock"}}
	case 3:
		return []stmt{{op: "try"}, {op: "if", v: 1, then: []stmt{{op: "unlock"}}}}
	case 4:
		return []stmt{{op: g.one("load", "store", "add", "cas"), v: v}}
	case 5:
		return []stmt{{op: g.one("trysend", "tryrecv"), x: x, v: v}}
	case 6:
		return []stmt{{op: g.one("send", "recv", "len"), x: 1 + g.r.IntN(2), v: v}}
	}
	return nil
}

// told are statements that others can observe, and those that observe them, with what they answer then.
func (g smaller) told() (tell, observe []stmt, v int) {
	x := g.r.IntN(3)
	buffered := 1 + g.r.IntN(2)
	switch g.r.IntN(16) {
	case 0:
		return []stmt{{op: "lock"}}, []stmt{{op: "try"}}, 0
	case 1:
		return []stmt{{op: "wlock"}}, []stmt{{op: g.one("tryr", "tryw")}}, 0
	case 2:
		return []stmt{{op: "rlock"}}, []stmt{{op: "tryw"}}, 0
	case 3:
		return []stmt{{op: "send", x: buffered, v: 1}}, []stmt{{op: "len", x: buffered}}, 1
	case 4:
		return []stmt{{op: "recv", x: buffered}}, []stmt{{op: "send", x: buffered, v: 1}, {op: "len", x: buffered}}, 0
	case 5:
		return []stmt{{op: "send", x: 1, v: 1}}, []stmt{{op: "trysend", x: 1, v: 2}}, 0
	case 6:
		return []stmt{{op: "recv", x: buffered}}, []stmt{{op: "send", x: buffered, v: 1}, {op: "tryrecv", x: buffered}}, 0
	case 7:
		return []stmt{{op: "recv", x: 2}}, []stmt{{op: "send", x: 2, v: 1}, {op: "send", x: 2, v: 2}, {op: "recv", x: 2}}, 5
	case 8:
		return []stmt{{op: "recv", x: buffered}}, []stmt{{op: "send", x: buffered, v: 1}, {op: "close", x: buffered}, {op: "recv", x: buffered}}, 0
	case 9:
		return []stmt{{op: g.one("store", "add", "cas"), v: 1}}, []stmt{{op: g.one("load", "cas"), v: 2}}, g.r.IntN(2)
	case 10:
		return []stmt{{op: "send", x: x, v: 1}}, []stmt{{op: g.one("recv", "tryrecv"), x: x}}, []int{3, 13}[g.r.IntN(2)]
	case 11:
		return []stmt{{op: "close", x: x}}, []stmt{{op: g.one("recv", "tryrecv"), x: x}}, []int{0, 10}[g.r.IntN(2)]
	case 12:
		return []stmt{{op: "done"}}, []stmt{{op: "wait"}}, 0
	case 13:
		return []stmt{{op: "recv", x: 1}}, []stmt{{op: "send", x: 1, v: 1}, {op: "send", x: 1, v: 2}}, 0
	case 14:
		return []stmt{{op: "recv", x: 0}}, []stmt{{op: g.one("send", "trysend"), x: 0, v: 1}}, g.r.IntN(2)
	}
	return []stmt{{op: "unlock"}}, []stmt{{op: "lock"}}, 0
}

func (g smaller) program() *small {
	s := &small{}
	tell, observe, v := g.told()
	writer := append(g.noise(), stmt{op: g.one("write", "write", "read"), x: 0, v: 1})
	if tell[0].op == "unlock" {
		writer = append([]stmt{{op: "lock"}}, writer...)
	}
	writer = slices.Concat(writer, g.noise(), tell, g.noise())
	after := stmt{op: g.one("read", "read", "write"), x: 0, v: 2}
	reader := slices.Concat(g.noise(), observe, []stmt{{op: "if", v: v, then: append(g.noise(), after)}}, g.noise())
	s.threads = [][]stmt{writer, reader}
	switch g.r.IntN(5) {
	case 0:
		s.threads = append(s.threads, append(g.noise(), g.noise()...))
	case 1:
		s.threads[1] = append([]stmt{{op: "go", then: g.noise()}}, s.threads[1]...)
	case 2: // at random
		i := g.r.IntN(2)
		at := g.r.IntN(len(s.threads[i]) + 1)
		s.threads[i] = slices.Insert(slices.Clone(s.threads[i]), at, stmt{op: g.one("read", "write"), x: g.r.IntN(2), v: 3})
	case 3:
		i := g.r.IntN(2)
		at := g.r.IntN(len(s.threads[i]))
		if op := s.threads[i][at].op; op != "lock" && op != "rlock" && op != "wlock" && op != "try" {
			s.threads[i] = slices.Delete(slices.Clone(s.threads[i]), at, at+1)
		}
	}
	for _, code := range s.threads {
		s.count += dones(code)
	}
	return s
}

func dones(code []stmt) (n int) {
	for _, s := range code {
		if n += dones(s.then); s.op == "done" {
			n++
		}
	}
	return n
}

// TestSmall compares explored outcomes, and whether there is a race, with those of all runs, with vector clocks.
func TestSmall(t *testing.T) {
	races, behind, tried := 0, 0, 0
	for seed := range uint64(testsize.Samples(1000)) {
		s := smaller{rand.New(rand.NewPCG(seed, 17))}.program()
		want := s.outcomes(10_000)
		if want == nil {
			continue
		}
		tried++
		for _, o := range []Options{{}, {NoFusion: true}} {
			got, shared := s.explored(t, o)
			if !maps.Equal(got, want) {
				t.Errorf("seed %d, %+v: %v\ngot  %v\nwant %v", seed, o, s.threads, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
			}
			if got["data race"] && shared.ordered {
				behind++
			}
		}
		if want["data race"] {
			races++
		}
	}
	t.Logf("%d programs, %d with a race, %d behind what does not synchronize", tried, races, behind)
	if races == 0 || behind == 0 {
		t.Error("the generator makes no races")
	}
}
