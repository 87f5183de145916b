package machine

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// The object of random programs whose operations wait. Its slots hold two channels, one
// with room for an element; elements are pointers to cells.
const (
	waitMutex = iota
	waitMeet
	waitRoom
	waitMap
	waitReaders
	waitWriters
	waitCond
	waitPool
	waitGroup
	waitCell
	waitWords
)

// The registers: the object, an address, numbers, cells, a channel or a map, interfaces, what a
// select statement yields, the iterator and what it yields.
const (
	rObject, rAddress        = 0, 1
	rNumber, rCell, rHandle  = 2, 4, 6
	rIface, rSelect, rGot    = 7, 9, 11
	rIter, rEntry, rWaitRegs = 13, 14, 17
)

var waitKinds = []ir.Kind{ir.Ptr, ir.Ptr, ir.Data, ir.Data, ir.Ptr, ir.Ptr, ir.Ptr, ir.Iface, ir.Dynamic, ir.Data, ir.Data, ir.Ptr, ir.Ptr, ir.Ptr, ir.Data, ir.Data, ir.Data}

const (
	layoutWaits = iota
	layoutCell
	layoutChan
	layoutMap
	layoutIter
	layoutPool
	layoutCellPtr
)

func (g *generator) at(word int32) {
	g.emit(ir.Instr{Op: ir.FieldAddr, Dst: rAddress, A: rObject, N: word})
}

func (g *generator) load(to, word int32) {
	g.at(word)
	g.emit(ir.Instr{Op: ir.Load, Dst: to, A: rAddress, N: 1})
}

func (g *generator) sync(op ir.Op, word int32) {
	g.at(word)
	in := ir.Instr{Op: op, Dst: rNumber, A: rAddress, M: int32(g.r.IntN(2))}
	if op == ir.Lock { // there it says that this is a latch
		in.M = 0
	}
	g.emit(in)
}

// locked makes a critical section.
func (g *generator) locked(body func()) {
	g.sync(ir.Lock, waitMutex)
	body()
	g.sync(ir.Unlock, waitMutex)
}

// cell makes a new cell, which holds a number.
func (g *generator) cell(to int32) {
	g.emit(ir.Instr{Op: ir.Alloc, Dst: to, To: layoutCell, N: 1}, ir.Instr{Op: ir.Store, A: to, B: rNumber, N: 1})
}

// read reads a cell if there is one.
func (g *generator) read(cell int32) {
	g.unless(cell, func() { g.emit(ir.Instr{Op: ir.Load, Dst: rNumber, A: cell, N: 1}) })
}

func (g *generator) waits() {
	ch := int32(waitMeet + g.r.IntN(2))
	switch g.r.IntN(13) {
	case 0:
		g.cell(rCell)
		g.load(rHandle, ch)
		g.emit(ir.Instr{Op: ir.Send, A: rHandle, B: rCell, N: 1})
		if g.r.IntN(8) == 0 { // a race, if it is received
			g.emit(ir.Instr{Op: ir.Store, A: rCell, B: -2, N: 1})
		}
	case 1:
		g.load(rHandle, ch)
		g.emit(ir.Instr{Op: ir.Recv, Dst: rCell, A: rHandle, N: 1})
		g.read(rCell)
	case 2:
		g.cell(rCell)
		g.load(rHandle, waitMeet)
		g.load(rCell+1, waitRoom)
		receive := func(ch int32) []ir.Arg { return []ir.Arg{{At: ch, N: 1}, {}, {At: rGot, N: 1}} }
		send := func(ch int32) []ir.Arg { return []ir.Arg{{At: ch, N: 1}, {At: rCell, N: 1}, {}} }
		in := ir.Instr{Op: ir.Select, Dst: rSelect, M: int32(g.r.IntN(2))}
		for range 1 + g.r.IntN(2) {
			handle := int32(rHandle)
			if g.r.IntN(2) == 0 {
				handle = rCell + 1
			}
			if g.r.IntN(2) == 0 {
				in.Args = append(in.Args, send(handle)...)
			} else {
				in.Args = append(in.Args, receive(handle)...)
			}
		}
		g.emit(ir.Instr{Op: ir.Move, Dst: rGot, A: -1, N: 1}, in)
		g.read(rGot)
		g.emit(ir.Instr{Op: ir.Add, Dst: rNumber, A: rNumber, B: rSelect})
	case 3:
		section := func() {
			g.load(rHandle, waitMap)
			g.emit(ir.Instr{Op: ir.MapSet, A: rHandle, B: rNumber, C: rNumber, N: 1, M: 1}, ir.Instr{Op: ir.MapLen, Dst: rNumber, A: rHandle})
		}
		if g.r.IntN(10) == 0 {
			section()
		} else {
			g.locked(section)
		}
	case 4:
		g.locked(func() {
			g.load(rHandle, waitMap)
			g.emit(ir.Instr{Op: ir.MapIter, Dst: rIter, A: rHandle, To: layoutIter}, ir.Instr{Op: ir.MapNext, Dst: rEntry, A: rIter, B: rHandle, N: 1, M: 1},
				ir.Instr{Op: ir.Add, Dst: rNumber, A: rEntry, B: rEntry + 2})
		})
	case 5:
		g.sync(ir.RLock, waitReaders)
		g.load(rCell, waitCell)
		g.read(rCell)
		g.sync(ir.RUnlock, waitReaders)
	case 6:
		g.sync(ir.WAnnounce, waitReaders)
		g.sync(ir.WLock, waitReaders)
		g.cell(rCell)
		g.at(waitCell)
		g.emit(ir.Instr{Op: ir.Store, A: rAddress, B: rCell, N: 1})
		g.sync(ir.WUnlock, waitReaders)
	case 7: // wait, unless somebody has been here
		g.sync(ir.Lock, waitMutex)
		g.load(rHandle, waitMap)
		g.emit(ir.Instr{Op: ir.MapGet, Dst: rNumber + 1, A: rHandle, B: -3, N: 1, M: 1})
		at := len(g.code)
		g.emit(ir.Instr{})
		g.sync(ir.CondEnter, waitCond)
		g.sync(ir.Unlock, waitMutex)
		g.sync(ir.CondWait, waitCond)
		g.sync(ir.Lock, waitMutex)
		g.code[at] = ir.Instr{Op: ir.If, A: rNumber + 1, To: int32(len(g.code)), M: int32(at + 1)}
		g.sync(ir.Unlock, waitMutex)
	case 8:
		g.locked(func() {
			g.load(rHandle, waitMap)
			g.emit(ir.Instr{Op: ir.MapSet, A: rHandle, B: -3, C: -2, N: 1, M: 1})
		})
		g.sync(ir.Signal, waitCond)
	case 9: // take a cell from the pool or make one, count in it, put it back
		g.at(waitPool)
		g.emit(ir.Instr{Op: ir.PoolGet, Dst: rIface, A: rAddress})
		at := len(g.code)
		g.emit(ir.Instr{})
		g.cell(rCell)
		g.emit(ir.Instr{Op: ir.MakeIface, Dst: rIface, A: rCell, N: 1, To: 1})
		g.code[at] = ir.Instr{Op: ir.If, A: rIface, To: int32(len(g.code)), M: int32(at + 1)}
		g.emit(ir.Instr{Op: ir.Assert, Dst: rCell, A: rIface, N: 1, To: 1}, ir.Instr{Op: ir.Load, Dst: rNumber, A: rCell, N: 1},
			ir.Instr{Op: ir.Add, Dst: rNumber + 1, A: rNumber, B: -2}, ir.Instr{Op: ir.Store, A: rCell, B: rNumber + 1, N: 1})
		g.at(waitPool)
		g.emit(ir.Instr{Op: ir.PoolPut, A: rAddress, B: rIface, To: layoutPool})
		if g.r.IntN(8) == 0 {
			g.read(rCell)
		}
	case 10: // a goroutine, and wait for it
		g.at(waitGroup)
		g.emit(ir.Instr{Op: ir.WGAdd, A: rAddress, B: -2}, ir.Instr{Op: ir.Call, Mode: ir.Go, To: 2, Args: []ir.Arg{{At: rObject, N: 1}}})
		if g.r.IntN(2) == 0 {
			g.sync(ir.WGWait, waitGroup)
		}
	case 11:
		g.sync(ir.TryRLock, waitReaders)
		g.unless(rNumber, func() {
			g.load(rCell, waitCell)
			g.read(rCell)
			g.sync(ir.RUnlock, waitReaders)
		})
	case 12:
		g.sync(ir.TryWLock, waitReaders)
		g.unless(rNumber, func() {
			g.cell(rCell)
			g.at(waitCell)
			g.emit(ir.Instr{Op: ir.Store, A: rAddress, B: rCell, N: 1})
			g.sync(ir.WUnlock, waitReaders)
		})
	}
}

// randomWaits is a program of two random operations that may wait.
func randomWaits(r *rand.Rand) *ir.Program {
	num := []ir.Kind{ir.Data}
	p := &ir.Program{Strings: ir.NewStrings(), Positions: make([]ir.Position, 1), Consts: []ir.Word{0, 1, 77, ^ir.Word(0)},
		Types: []*ir.Type{{Name: "nil"}, {Name: "*cell", Layout: layoutCellPtr, Form: ir.Form{Of: ir.PointerTo, Layout: layoutCell}}},
		Layouts: []*ir.Layout{
			layoutWaits:   {Name: "waits", Words: make([]ir.Kind, waitWords)},
			layoutCell:    {Name: "cell", Words: num},
			layoutChan:    {Name: "chan", Words: []ir.Kind{ir.Ptr}, Special: ir.Chan, Val: 1},
			layoutMap:     {Name: "map", Words: []ir.Kind{ir.Data, ir.Data}, Special: ir.Map, Key: 1, Val: 1},
			layoutIter:    {Name: "range", Words: num},
			layoutPool:    {Name: "pool", Words: []ir.Kind{ir.Iface, ir.Dynamic}},
			layoutCellPtr: {Name: "*cell", Words: []ir.Kind{ir.Ptr}},
		}}
	for _, word := range []int{waitMeet, waitRoom, waitMap, waitPool, waitCell} {
		p.Layouts[layoutWaits].Words[word] = ir.Ptr
	}
	ret := func(reg int32) ir.Instr { return ir.Instr{Op: ir.Return, Args: []ir.Arg{{At: reg, N: 1}}} }
	make := &generator{r: r}
	make.emit(ir.Instr{Op: ir.Alloc, Dst: rObject, To: layoutWaits, N: 1})
	for word, in := range map[int32]ir.Instr{waitMeet: {Op: ir.MakeChan, A: -1, To: layoutChan}, waitRoom: {Op: ir.MakeChan, A: -2, To: layoutChan}, waitMap: {Op: ir.MakeMap, To: layoutMap}} {
		in.Dst = rHandle
		make.emit(in)
		make.at(word)
		make.emit(ir.Instr{Op: ir.Store, A: rAddress, B: rHandle, N: 1})
	}
	make.emit(ret(rObject))
	worker := &generator{r: r}
	worker.emit(ir.Instr{Op: ir.Move, Dst: rNumber, A: -3, N: 1})
	if r.IntN(2) == 0 {
		worker.locked(func() {
			worker.load(rHandle, waitMap)
			worker.emit(ir.Instr{Op: ir.MapSet, A: rHandle, B: rNumber, C: rNumber, N: 1, M: 1})
		})
	}
	worker.at(waitGroup)
	worker.emit(ir.Instr{Op: ir.WGAdd, A: rAddress, B: -4}, ir.Instr{Op: ir.Return})
	p.Funcs = []*ir.Func{{Name: "init", Code: []ir.Instr{{Op: ir.Return}}}, {Name: "New", Results: 1, Code: make.code}, {Name: "worker", Params: 1, Code: worker.code}}
	for i := range 2 {
		g := &generator{r: r}
		g.emit(ir.Instr{Op: ir.Move, Dst: rNumber, A: -1, N: 1})
		for range 1 + r.IntN(2) {
			g.waits()
		}
		g.emit(ret(rNumber))
		p.Funcs = append(p.Funcs, &ir.Func{Name: fmt.Sprint("op", i), Params: 1, Results: 1, Code: g.code})
		p.Ops = append(p.Ops, ir.Operation{Method: fmt.Sprint("op", i), Func: 3 + i, Results: []ir.Form{{Kind: ir.I64}}})
	}
	for _, f := range p.Funcs {
		f.Defers, f.Recovers, f.Kinds = -1, -1, waitKinds
		f.Finish()
	}
	p.New = 1
	return p
}

// TestRandomWaits compares what can happen with all accesses as steps of their own and named
// threads, and without, in programs whose operations wait for each other.
func TestRandomWaits(t *testing.T) {
	states, all := 0, 0
	seen := map[string]int{}
	for seed := range uint64(testsize.Samples(2000)) {
		r := rand.New(rand.NewPCG(seed, 15))
		p := randomWaits(r)
		b := Bounds{Threads: 2, Ops: 1 + r.IntN(2), Calls: []Call{{Op: 0}, {Op: 1}}}
		if seed%4 == 0 {
			b.Threads, b.Ops = 3, 1
		}
		for range b.Threads { // what is called does not depend on what waits
			plan := []int32{int32(r.IntN(2)), int32(r.IntN(2))}
			b.Plans = append(b.Plans, plan[:b.Ops])
		}
		want, n := outcomes(t, p, b, Options{NoFusion: true, NoSymmetry: true})
		all += n
		for o := range want {
			seen[o]++
		}
		for _, o := range []Options{{}, {NoFusion: true}, {NoSymmetry: true}} {
			got, n := outcomes(t, p, b, o)
			if o == (Options{}) {
				states += n
			}
			if want["data race"] || got["data race"] {
				if want["data race"] != got["data race"] {
					t.Errorf("seed %d %+v: race: %v, want %v", seed, o, got["data race"], want["data race"])
				}
				continue
			}
			if !maps.Equal(got, want) {
				t.Errorf("seed %d %+v: got %v, want %v", seed, o, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
			}
		}
	}
	if seen["data race"] == 0 || seen["misuse"] == 0 || seen[""] == 0 || seen["not covered"]+seen["endless"]+seen["crash"] > 0 {
		t.Errorf("races, misuse, all waiting, others: %d %d %d %d", seen["data race"], seen["misuse"], seen[""], seen["not covered"]+seen["endless"]+seen["crash"])
	}
	t.Logf("%d states, %d without fusion and symmetry, %d outcomes", states, all, len(seen))
}
