package machine

import "github.com/adtinfer/adtinfer/explore/internal/ir"

// Watch follows a round. The zero Watch is off.
type Watch struct {
	on     bool
	at     Place
	base   int32 // of the registers of the function that goes round
	consts []ir.Word
	read   func(p ir.Word) ir.Word // a word of memory
	since  int                     // objects with greater numbers are made in this round

	inputs  []input
	decides set
	regs    []cell
	memory  map[ir.Word]cell
	loaded  map[int]bool // objects whose words were read
	appends []appended
	grew    bool // an append has copied to a new object
	args    []cell
	some    []cell // scratch
}

// Place is where a thread is: the number of calls that run, the function, the instruction; -1 is the begin of a call.
type Place struct {
	Depth  int
	Fn, PC int32
}

// mostInputs is how many inputs a round may have.
const mostInputs = 256

// set is a set of inputs.
type set [mostInputs / 64]uint64

func (s *set) join(t *set) {
	for i := range s {
		s[i] |= t[i]
	}
}

// input is a register, counted from base, or a word of memory that held a value at the begin.
type input struct {
	memory bool
	at     ir.Word
	value  ir.Word
}

// cell is what is known of a value that a round has computed.
type cell struct {
	known bool
	from  set
	// is tells what it is a copy of: input is-1, word (-is-1)%3 of what append (-is-1)/3 has made; 0 if of neither.
	is int32
}

// appended is an append to a slice.
type appended struct {
	from   set // what the slice was computed from
	is     [3]int32
	object int
}

// On reports whether a round is followed.
func (w *Watch) On() bool { return w.on }

// Off stops it: what was met may depend on anything.
func (w *Watch) Off() { w.on = false }

// Begin begins a round. There are so many objects.
func (w *Watch) Begin(at Place, base int32, consts []ir.Word, objects int, read func(ir.Word) ir.Word) {
	*w = Watch{on: true, at: at, base: base, consts: consts, read: read, since: objects, inputs: w.inputs[:0], regs: w.regs[:0], appends: w.appends[:0],
		memory: map[ir.Word]cell{}, loaded: map[int]bool{}, args: w.args, some: w.some}
}

// At reports whether a place is where the round began: of a call, one within it.
func (w *Watch) At(p Place) bool {
	return w.on && p.Fn == w.at.Fn && p.PC == w.at.PC && (p.Depth == w.at.Depth || p.PC < 0 && p.Depth > w.at.Depth)
}

// input is a new input.
func (w *Watch) input(in input) (c cell) {
	n := len(w.inputs)
	if n == mostInputs {
		w.Off()
		return cell{known: true}
	}
	w.inputs = append(w.inputs, in)
	c = cell{known: true, is: int32(n) + 1}
	c.from[n/64] = 1 << (n % 64)
	return c
}

// reg is what is known of a register.
func (w *Watch) reg(regs []ir.Word, r int32) *cell {
	for int(r) >= len(w.regs) {
		w.regs = append(w.regs, cell{})
	}
	c := &w.regs[r]
	if !c.known {
		*c = w.input(input{at: ir.Word(r - w.base), value: regs[r]})
	}
	return c
}

// word is what is known of a word of memory, which is read.
func (w *Watch) word(p ir.Word) cell {
	w.loaded[ir.Object(p)] = true
	c := w.memory[p]
	switch {
	case c.known:
	case ir.Object(p) <= w.since:
		c = w.input(input{memory: true, at: p, value: w.read(p)})
		w.memory[p] = c
	case w.grew: // it may be a copy
		w.Off()
	}
	return c
}

// frameAt is the registers of the newest call.
type frameAt struct {
	w     *Watch
	regs  []ir.Word // of all calls
	base  int32
	kinds []ir.Kind // of its own
}

// value is an operand, i words on.
func (f *frameAt) value(x, i int32) ir.Word {
	if x < 0 {
		return f.w.consts[^x+i]
	}
	return f.regs[f.base+x+i]
}

// cells are what is known of an operand of n words.
func (f *frameAt) cells(to []cell, x, n int32) []cell {
	for i := range n {
		c := cell{known: true}
		if x >= 0 {
			c = *f.w.reg(f.regs, f.base+x+i)
		}
		to = append(to, c)
	}
	return to
}

// decide notes that where control goes depends on an operand.
func (f *frameAt) decide(x, n int32) {
	for i := range n {
		if x >= 0 {
			f.w.decides.join(&f.w.reg(f.regs, f.base+x+i).from)
		}
	}
}

// clear notes that registers hold what depends on nothing, or on what decides.
func (f *frameAt) clear(dst, n int32) {
	for i := range n {
		f.define(dst+i, cell{})
	}
}

// define notes what registers hold from now on.
func (f *frameAt) define(dst int32, cells ...cell) {
	for i, c := range cells {
		r := f.base + dst + int32(i)
		for int(r) >= len(f.w.regs) {
			f.w.regs = append(f.w.regs, cell{})
		}
		c.known = true
		f.w.regs[r] = c
	}
}

// Does is called before an instruction of a function, with the number of calls, the registers of all, and where those of the newest start.
func (w *Watch) Does(in *ir.Instr, fn *ir.Func, depth int, regs []ir.Word, base int32) {
	f := frameAt{w: w, regs: regs, base: base, kinds: fn.Kinds}
	switch in.Op {
	case ir.Jump:
	case ir.Move:
		w.some = f.cells(w.some[:0], in.A, in.N)
		f.define(in.Dst, w.some...)
	case ir.If:
		f.decide(in.A, 1)
	case ir.Add, ir.Sub, ir.Mul, ir.And, ir.Or, ir.Xor, ir.AndNot, ir.Neg, ir.Com, ir.Not, ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Convert, ir.Len:
		var c cell
		in.Uses(func(reg, n int32) {
			for i := range n {
				c.from.join(&w.reg(regs, base+reg+i).from)
			}
		})
		f.define(in.Dst, c)
	case ir.Load:
		f.load(in)
	case ir.Store:
		f.store(in)
	case ir.Append:
		f.append(in)
	case ir.Copy:
		f.copy(in)
	case ir.MapSet:
		f.put(in)
	case ir.Call, ir.CallClosure, ir.CallMethod:
		f.call(in)
	case ir.Return:
		if depth <= w.at.Depth {
			w.Off()
		}
		w.args = w.args[:0]
		for _, a := range in.Args {
			w.args = f.cells(w.args, a.At, a.N)
		}
	case ir.Div, ir.Rem, ir.Shl, ir.Shr, ir.CharAt, ir.Substring, ir.NextRune, ir.FieldAddr, ir.Cast, ir.IndexAddr, ir.Index, ir.Alloc, ir.MakeSlice,
		ir.Slice, ir.MakeIface, ir.Assert, ir.AssertTo, ir.MakeClosure, ir.CallNative, ir.Same, ir.MakeMap, ir.Bytes:
		f.strict(in)
	default:
		w.Off()
	}
}

// strict is an instruction all of whose operands decide.
func (f *frameAt) strict(in *ir.Instr) {
	in.Uses(f.decide)
	in.Defs(func(reg, n int32) { f.clear(reg, n) })
}

func (f *frameAt) load(in *ir.Instr) {
	f.decide(in.A, 1)
	p := f.value(in.A, 0)
	if p == 0 {
		f.w.Off()
		return
	}
	cells := make([]cell, in.N)
	for i := range cells {
		cells[i] = f.w.word(p + ir.Word(i))
	}
	f.define(in.Dst, cells...)
}

func (f *frameAt) store(in *ir.Instr) {
	f.decide(in.A, 1)
	p := f.value(in.A, 0)
	f.w.some = f.cells(f.w.some[:0], in.B, in.N)
	for i, c := range f.w.some {
		f.w.memory[p+ir.Word(i)] = c
	}
}

// mostCopied is how many words a copy may have.
const mostCopied = 1 << 10

func (f *frameAt) copy(in *ir.Instr) {
	f.decide(in.A, 3)
	f.decide(in.B, 3)
	n := min(f.value(in.A, 1), f.value(in.B, 1)) * ir.Word(in.N)
	if n > mostCopied {
		f.w.Off()
		return
	}
	cells := make([]cell, n)
	for i := range cells {
		cells[i] = f.w.word(f.value(in.B, 0) + ir.Word(i))
	}
	for i, c := range cells {
		f.w.memory[f.value(in.A, 0)+ir.Word(i)] = c
	}
	f.define(in.Dst, cell{})
}

// put is an entry of a map, which nothing that is followed reads.
func (f *frameAt) put(in *ir.Instr) {
	f.decide(in.A, 1)
	for i := range in.M {
		if in.B >= 0 && f.kinds[in.B+i] == ir.Iface { // what cannot be compared panics
			f.decide(in.B, in.M)
		}
	}
	if f.value(in.A, 0) == 0 {
		f.w.Off()
	}
}

// call keeps the arguments for Enter. What a closure has captured, and what an interface holds, is
// never written, and decides where it is made.
func (f *frameAt) call(in *ir.Instr) {
	switch {
	case in.Mode != ir.Now:
		f.w.Off()
	case in.Op == ir.CallClosure:
		f.decide(in.A, 1)
	case in.Op == ir.CallMethod:
		f.decide(in.A, 2)
	}
	f.w.args = f.w.args[:0]
	for _, a := range in.Args {
		f.w.args = f.cells(f.w.args, a.At, a.N)
	}
}

// Enter is called when a call has made its n registers; the arguments come behind the receiver.
func (w *Watch) Enter(base int32, n, receiver int) {
	f := &frameAt{w: w, base: base}
	f.clear(0, int32(n))
	f.define(int32(receiver), w.args...)
}

// Returned is called when the results of a call are in registers from dst on.
func (w *Watch) Returned(dst int32) {
	f := &frameAt{w: w}
	f.define(dst, w.args...)
}
