package machine

import (
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// shared is the owner of an object that several threads reach.
const shared int32 = -1

// object is words of the heap.
type object struct {
	layout int32
	off, n int32 // its words: Machine.words[off:][:n]
	owner  int32 // the only thread that reaches it, or shared
	name   int32 // in the canonical form that is being written, if mark is its
	mark   uint32
	sig    int32 // the number that a thread gives it, if sigMark is the thread's
	sigAt  uint32
	// published says that several threads have reached it once.
	published bool
	pooled    bool      // it is in a pool: nobody may touch it
	ownedBy   ownership // with Options.Published
}

// frame is a call that has not returned. That of a caller is at the call.
type frame struct {
	fn, pc, base int32 // base is where its registers start
}

// unwinding is a panic that unwinds a thread's calls.
type unwinding struct {
	value     [2]ir.Word // an interface
	depth     int32      // frames that were there when the deferred calls of the last one started
	recovered bool
	pos       int32
}

// thread is a goroutine. It has no frames if it is idle: it may begin an operation,
// or has ended.
type thread struct {
	frames []frame
	regs   []ir.Word
	panics []unwinding
	left   int32   // operations that it has yet to call
	op     int32   // the operation that it runs, -1: started by one
	wait   ir.Word // the condition variable at which it waits
	id     int32   // its name in a trace

	// With a policy, of the operation that it runs: the call, the state of its controller, what it
	// owns; with Options.Held, the mutexes that it has locked, the last one last.
	call, state int32
	guesses     uint32 // 3 bits each: it was made, it is true, it has turned out
	owned, held []ir.Word
}

// state is the heap and the threads. Objects up to number base are there from the
// start; see Shared.
type state struct {
	objs    []object // the permanent ones first
	words   []ir.Word
	threads []thread
	fresh   int32 // fresh calls that have been made
	past    Past
}

// copyFrom makes s equal to another state, whose first words are the same.
func (s *state) copyFrom(from *state, frozen int) {
	s.objs = append(s.objs[:0], from.objs...)
	s.words = append(s.words[:frozen], from.words[frozen:]...)
	s.fresh = from.fresh
	s.past.CopyFrom(&from.past)
	s.setThreads(len(from.threads))
	for i := range from.threads {
		a, b := &s.threads[i], &from.threads[i]
		a.frames = append(a.frames[:0], b.frames...)
		a.regs = append(a.regs[:0], b.regs...)
		a.panics = append(a.panics[:0], b.panics...)
		a.left, a.op, a.wait, a.id = b.left, b.op, b.wait, b.id
		a.call, a.state, a.guesses = b.call, b.state, b.guesses
		a.owned, a.held = append(a.owned[:0], b.owned...), append(a.held[:0], b.held...)
	}
}

// setThreads changes the number of threads; new ones may have the memory of old
// ones.
func (s *state) setThreads(n int) {
	for len(s.threads) < n {
		if len(s.threads) < cap(s.threads) {
			s.threads = s.threads[:len(s.threads)+1]
		} else {
			s.threads = append(s.threads, thread{})
		}
	}
	s.threads = s.threads[:n]
}

// reset makes a thread idle.
func (t *thread) reset() {
	t.frames, t.regs, t.panics = t.frames[:0], t.regs[:0], t.panics[:0]
	t.op, t.wait, t.call, t.state, t.guesses = -1, 0, 0, 0, 0
	t.owned, t.held = t.owned[:0], t.held[:0]
}

// running reports whether a thread is within an operation, or is a goroutine that
// has not ended.
func (t *thread) running() bool { return len(t.frames) > 0 }

// kinds tells what words of objects and registers are, fast.
type kinds struct {
	p        *ir.Program
	noPtr    []bool    // by layout: no word is a pointer
	unboxed  []ir.Kind // by dynamic type: what its data word is; Ptr if boxed
	liveOver [][][]int32
	pooled   []bool // by layout: it is of what a pool holds
	pools    bool
}

func newKinds(p *ir.Program) *kinds {
	k := &kinds{p: p, noPtr: make([]bool, len(p.Layouts)), unboxed: make([]ir.Kind, len(p.Types))}
	for i, l := range p.Layouts {
		k.noPtr[i] = true
		for _, w := range l.Words {
			k.noPtr[i] = k.noPtr[i] && w == ir.Data
		}
	}
	for i, t := range p.Types {
		if i == 0 {
			continue
		}
		switch words := p.Layouts[t.Layout].Words; {
		case len(words) != 1:
			k.unboxed[i] = ir.Ptr
		default:
			k.unboxed[i] = words[0]
		}
	}
	k.liveOver = make([][][]int32, len(p.Funcs))
	k.pooled = make([]bool, len(p.Layouts))
	for i, f := range p.Funcs {
		k.liveOver[i] = make([][]int32, len(f.Code))
		for pc := range f.Code {
			if in := &f.Code[pc]; in.Op == ir.PoolPut {
				k.pooled[in.To], k.pools = true, true
			}
			k.liveOver[i][pc] = liveOver(f, pc)
		}
	}
	return k
}

// liveOver lists the registers of a caller that matter while the call at pc runs.
func liveOver(f *ir.Func, pc int) []int32 {
	in := &f.Code[pc]
	switch in.Op {
	case ir.RunDefers, ir.Panic:
		return f.Live[pc]
	case ir.Call, ir.CallClosure, ir.CallMethod:
	default: // it panics, and deferred calls run
		return f.Live[pc]
	}
	written := map[int32]bool{}
	in.Defs(func(reg, n int32) {
		for r := reg; r < reg+n; r++ {
			written[r] = true
		}
	})
	var live []int32
	for _, r := range f.Live[pc+1] {
		if !written[r] {
			live = append(live, r)
		}
	}
	if f.Recovers < 0 {
		return live
	}
	live = append(live, f.Live[f.Recovers]...) // if the call panics
	slices.Sort(live)
	return slices.Compact(live)
}

// live lists the registers of a thread's frame that matter.
func (k *kinds) live(t *thread, i int) []int32 {
	f := &t.frames[i]
	if i+1 < len(t.frames) {
		return k.liveOver[f.fn][f.pc]
	}
	return k.p.Funcs[f.fn].Live[f.pc]
}

// at is the kind of word i of an object with a layout, whose type word, if it is
// Dynamic, is before.
func (k *kinds) at(l *ir.Layout, i int, before ir.Word) ir.Kind {
	if l.Special == ir.Chan {
		if i -= ir.ChanHeader; i < 0 {
			return ir.Data
		}
	}
	kind := l.Words[i%len(l.Words)]
	if kind == ir.Dynamic {
		return k.unboxed[before]
	}
	return kind
}

// register is the kind of register r of a frame.
func (k *kinds) register(f *ir.Func, regs []ir.Word, r int32) ir.Kind {
	kind := f.Kinds[r]
	if kind == ir.Dynamic {
		return k.unboxed[regs[r-1]]
	}
	return kind
}

// reader reads a canonical form.
type reader struct {
	b  []byte
	at int
	// first is the last number of an object before those that the thread alone
	// reaches.
	first ir.Word
}

func (r *reader) number() ir.Word {
	n := ir.Word(r.b[r.at])
	r.at++
	if n < 0x80 {
		return n
	}
	n &= 0x7f
	for shift := 7; ; shift += 7 {
		c := ir.Word(r.b[r.at])
		r.at++
		n |= c & 0x7f << shift
		if c < 0x80 {
			return n
		}
	}
}

func (r *reader) pointer() ir.Word {
	name := r.number()
	if name == 0 {
		return 0
	}
	id := name >> 1
	if name&1 != 0 {
		id += r.first
	}
	return id<<32 | r.number()
}

func (r *reader) list(to []ir.Word) []ir.Word {
	for n := r.number(); n > 0; n-- {
		to = append(to, r.pointer())
	}
	return to
}

func (r *reader) word(kind ir.Kind) ir.Word {
	if kind == ir.Ptr {
		return r.pointer()
	}
	return unzigzag(r.number())
}

// decode makes s the state of a canonical form.
func (m *Machine) decode(s *state, form []byte) {
	r := &reader{b: form}
	s.objs, s.words = s.objs[:0], s.words[:len(m.shared.frozenWords)]
	s.fresh = int32(r.number())
	for n := r.number(); n > 0; n-- {
		m.readObject(s, r, r.number(), shared)
	}
	for n := r.number(); n > 0; n-- {
		m.readObject(s, r, r.number(), shared)
	}
	s.setThreads(int(r.number()))
	for t := range s.threads {
		r.first = ir.Word(int(m.shared.base) + len(s.objs) - len(m.shared.permanent))
		m.readThread(s, r, int32(t))
	}
	if m.shared.ordered {
		s.past.Read(r.number)
	}
	if m.kinds.pools {
		m.markPooled(s)
	}
}

func (m *Machine) readObject(s *state, r *reader, layout ir.Word, owner int32) {
	n, published := int(r.number()), true
	if owner != shared {
		n, published = n>>1, n&1 != 0
		if published && m.shared.options.Published {
			owner = shared
		}
	}
	var ownedBy ownership
	if m.shared.marks {
		ownedBy = m.readOwnership(r)
	}
	off := len(s.words)
	s.objs = append(s.objs, object{layout: int32(layout), off: int32(off), n: int32(n), owner: owner, published: published, ownedBy: ownedBy})
	if m.kinds.noPtr[layout] {
		for range n {
			s.words = append(s.words, unzigzag(r.number()))
		}
		return
	}
	l := m.prog.Layouts[layout]
	before := ir.Word(0)
	for i := range n {
		before = r.word(m.kinds.at(l, i, before))
		s.words = append(s.words, before)
	}
}

func (m *Machine) readThread(s *state, r *reader, t int32) {
	th := &s.threads[t]
	th.reset()
	th.left = int32(r.number())
	th.op = int32(r.number()) - 1
	th.wait = r.pointer()
	if m.prog.Policy != nil {
		th.call, th.state, th.guesses = int32(r.number()), int32(r.number()), uint32(r.number())
		th.owned = r.list(th.owned)
	}
	if m.shared.options.Held {
		th.held = r.list(th.held)
	}
	n := int(r.number())
	for i := range n {
		fn, pc := int32(r.number()), int32(r.number())
		f := m.prog.Funcs[fn]
		base := len(th.regs)
		th.frames = append(th.frames, frame{fn: fn, pc: pc, base: int32(base)})
		th.regs = appendZero(th.regs, len(f.Kinds))
		regs := th.regs[base:]
		live := f.Live[pc]
		if i+1 < n {
			live = m.kinds.liveOver[fn][pc]
		}
		for _, reg := range live {
			regs[reg] = r.word(m.kinds.register(f, regs, reg))
		}
	}
	for n := r.number(); n > 0; n-- {
		var p unwinding
		d := r.number()
		p.depth, p.recovered, p.pos = int32(d>>1), d&1 != 0, int32(r.number())
		p.value[0] = r.number()
		p.value[1] = r.word(m.kinds.unboxed[p.value[0]])
		th.panics = append(th.panics, p)
	}
	for layout := r.number(); layout > 0; layout = r.number() {
		m.readObject(s, r, layout-1, t)
	}
}

func appendZero(words []ir.Word, n int) []ir.Word {
	for range n {
		words = append(words, 0)
	}
	return words
}
