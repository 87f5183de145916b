package machine

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// Shared is what the machines of one exploration have in common: the program, what its
// initialisers and its constructor made, and what is known to be written later.
//
// Of the objects that are there from the start those that nobody writes later are no part
// of a state: they are frozen. Permanent are the others to which a frozen object, the
// code or the caller points.
type Shared struct {
	ctx     context.Context // of the exploration: a step may take long
	prog    *ir.Program
	bounds  Bounds
	options Options
	kinds   *kinds
	defers  map[deferSite]int32 // layouts of deferred calls
	chosen  bool                // the set-up could have gone otherwise
	seeds   []seed              // the goroutines that it starts
	marks   bool                // objects have marks of who owns them; see ownership
	tells   bool                // they tell of the owner's controller
	late    map[[2]int32]bool   // words of layouts that it reads after it has started them
	behind  atomic.Bool         // what it does then may be seen

	base    int32        // the number of objects that are there from the start
	objects []object     // them, by number-1
	words   []ir.Word    // theirs
	self    []ir.Word    // the constructor's result
	known   map[int]bool // numbers that the code or the caller knows

	dirty   []atomic.Bool   // by object-1: it is written later
	written [][]atomic.Bool // by layout and word: it is written once others see it
	mutable [][]bool        // written, when Again was called: until then the machines go by it
	Starts  int             // how often Again was called
	ordered bool            // states know which accesses happened before; see observe
	plain   [][]bool        // words that are read or written without synchronization, too, as far as Again knows

	observed atomic.Int32    // where something was observed first that does not synchronize, 0: nowhere
	plainly  [][]atomic.Bool // as plain, as it is found

	// What follows from dirty.
	place       []int32 // by number: its place among a state's objects, -1-i: frozen
	permanent   []int32 // numbers of the objects that each state has
	frozen      []object
	frozenWords []ir.Word
	start       []byte

	results results

	directives []atomic.Uint32 // by Instr.Pos of GhostBegin: see Directives
}

// New runs a program's initialisers and its constructor. The error is the context's, a
// *Fault, or says what they did.
func New(ctx context.Context, p *ir.Program, bounds Bounds, options Options) (*Shared, error) {
	if options.MostSteps == 0 {
		options.MostSteps = 1 << 26
	}
	if options.MostFrames == 0 {
		options.MostFrames = max(1<<16, options.MostSteps>>10)
	}
	p, defers := withDefers(p)
	s := &Shared{ctx: ctx, prog: p, defers: defers, bounds: bounds, options: options, kinds: newKinds(p), known: map[int]bool{}, late: map[[2]int32]bool{}}
	s.marks = options.Published && owns(p)
	s.tells = s.marks && asksOwner(p)
	s.results.init()
	if p.Policy != nil {
		s.directives = make([]atomic.Uint32, len(p.Positions))
	}
	for _, l := range p.Layouts {
		s.written = append(s.written, make([]atomic.Bool, len(l.Words)+1))
		s.plainly = append(s.plainly, make([]atomic.Bool, len(l.Words)+1))
	}
	if err := s.setUp(ctx); err != nil {
		return nil, err
	}
	s.dirty = make([]atomic.Bool, s.base)
	s.Again()
	return s, nil
}

// setUp makes the objects that are there from the start.
func (s *Shared) setUp(ctx context.Context) error {
	m := &Machine{shared: s, prog: s.prog, kinds: s.kinds, setup: true}
	s.place = []int32{-1}
	for _, g := range s.prog.Globals {
		id := m.alloc(int32(g.Layout), g.Count, 0)
		copy(m.wordsOf(id), g.Init)
	}
	m.state.threads = []thread{{op: -1}}
	for i, fn := range []int{s.prog.Init, s.prog.New} {
		m.state.threads[0].reset()
		m.push(&m.state.threads[0], int32(fn))
		s.self = make([]ir.Word, s.prog.Funcs[fn].Results)
		what := [...]string{"the initialisation", "the constructor"}[i]
		if err := m.toTheEnd(ctx, what, s.self); err != nil {
			return err
		}
	}
	s.keep(m)
	return nil
}

// keep keeps the objects that the program and the object under test reach, and numbers
// them: the globals have their numbers already.
func (s *Shared) keep(m *Machine) {
	all := &m.state
	number := make([]int32, len(all.objs)+1) // by the number during the set-up
	var order []int
	visit := func(p ir.Word) {
		if id := ir.Object(p); p != 0 && number[id] == 0 {
			order = append(order, id)
			number[id] = int32(len(order))
		}
	}
	for i := range s.prog.Globals {
		visit(ir.Pointer(i+1, 0))
		s.known[i+1] = true
	}
	form := s.prog.Funcs[s.prog.New]
	selfKinds := resultKinds(form, len(s.self))
	before := ir.Word(0)
	isPointer := func(i int) bool {
		kind := selfKinds[i]
		if kind == ir.Dynamic {
			kind = s.kinds.unboxed[before]
		}
		before = s.self[i]
		return kind == ir.Ptr
	}
	pointers := make([]bool, len(s.self))
	for i, w := range s.self {
		if pointers[i] = isPointer(i); pointers[i] {
			visit(w)
		}
	}
	s.seeds = m.seeds
	s.eachSeed(s.seeds, func(_, _ int, p ir.Word) { visit(p) })
	for i := 0; i < len(order); i++ {
		m.pointers(&all.objs[order[i]-1], visit)
	}
	rename := func(p ir.Word) ir.Word { return ir.Pointer(int(number[ir.Object(p)]), ir.Slot(p)) }
	s.eachSeed(s.seeds, func(i, r int, p ir.Word) { s.seeds[i].regs[r] = rename(p) })
	for _, id := range order {
		o := all.objs[id-1]
		off := int32(len(s.words))
		l, before := s.prog.Layouts[o.layout], ir.Word(0)
		for i, w := range all.words[o.off:][:o.n] {
			old := w
			if w != 0 && s.kinds.at(l, i, before) == ir.Ptr {
				w = rename(w)
			}
			before = old
			s.words = append(s.words, w)
		}
		s.objects = append(s.objects, object{layout: o.layout, off: off, n: o.n, owner: shared})
	}
	for i, w := range s.self {
		if pointers[i] && w != 0 {
			s.self[i] = rename(w)
			s.known[ir.Object(s.self[i])] = true
		}
	}
	s.base = int32(len(order))
}

// eachSeed yields the pointers that goroutines have which the set-up starts.
func (s *Shared) eachSeed(seeds []seed, yield func(i, r int, p ir.Word)) {
	for i, g := range seeds {
		before := ir.Word(0)
		for r := range g.regs {
			kind := s.prog.Funcs[g.fn].Kinds[r]
			if kind == ir.Dynamic {
				kind = s.kinds.unboxed[before]
			}
			if before = g.regs[r]; before != 0 && kind == ir.Ptr {
				yield(i, r, before)
			}
		}
	}
}

// resultKinds tells what the words of a function's results are, from any of its
// returns.
func resultKinds(f *ir.Func, n int) []ir.Kind {
	kinds := make([]ir.Kind, 0, n)
	for i := range f.Code {
		in := &f.Code[i]
		if in.Op != ir.Return {
			continue
		}
		kinds = kinds[:0]
		for _, a := range in.Args {
			for w := range a.N {
				if a.At < 0 {
					kinds = append(kinds, ir.Data) // a constant is not moved
				} else {
					kinds = append(kinds, f.Kinds[a.At+w])
				}
			}
		}
		return kinds
	}
	for len(kinds) < n {
		kinds = append(kinds, ir.Data)
	}
	return kinds
}

// loaded is what flags are at the moment.
func loaded(flags [][]atomic.Bool) [][]bool {
	all := make([][]bool, len(flags))
	for i := range flags {
		all[i] = make([]bool, len(flags[i]))
		for j := range flags[i] {
			all[i][j] = flags[i][j].Load()
		}
	}
	return all
}

// Again makes the start anew from what is known to be written. No machine made
// before it may be used after it.
func (s *Shared) Again() {
	s.Starts++
	s.ordered = s.observed.Load() != 0 && s.bounds.Ops >= 0
	s.mutable, s.plain = loaded(s.written), loaded(s.plainly)
	s.place = make([]int32, s.base+1)
	s.permanent, s.frozen, s.frozenWords = nil, nil, nil
	permanent := make([]bool, s.base+1)
	for id := range s.known {
		permanent[id] = true
	}
	m := &Machine{shared: s, prog: s.prog, kinds: s.kinds}
	m.state = state{objs: s.objects, words: s.words}
	for i := range s.objects {
		if !s.dirty[i].Load() {
			m.pointers(&s.objects[i], func(p ir.Word) { permanent[ir.Object(p)] = true })
		}
	}
	s.place[0] = -1
	for i, o := range s.objects {
		if s.dirty[i].Load() {
			continue
		}
		s.place[i+1] = -1 - int32(len(s.frozen))
		off := int32(len(s.frozenWords))
		s.frozenWords = append(s.frozenWords, s.words[o.off:][:o.n]...)
		o.off = off
		s.frozen = append(s.frozen, o)
	}
	if len(s.frozen) == 0 {
		s.frozen = append(s.frozen, object{})
	}
	// The permanent ones first, then the others: these get names of new objects.
	rest := s.base
	renamed := make([]int32, s.base+1)
	first := state{words: append([]ir.Word(nil), s.frozenWords...)}
	add := func(i int) {
		o := s.objects[i]
		off := int32(len(first.words))
		first.words = append(first.words, s.words[o.off:][:o.n]...)
		o.off = off
		first.objs = append(first.objs, o)
	}
	for i := range s.objects {
		if id := int32(i + 1); s.dirty[i].Load() && permanent[id] {
			s.place[id] = int32(len(s.permanent))
			s.permanent = append(s.permanent, id)
			add(i)
		}
	}
	for i := range s.objects {
		if id := int32(i + 1); s.dirty[i].Load() && !permanent[id] {
			rest++
			renamed[id] = rest
			add(i)
		}
	}
	s.writeStart(&first, renamed)
}

// writeStart makes the canonical form of the first state.
func (s *Shared) writeStart(first *state, renamed []int32) {
	for i := range first.objs {
		o := &first.objs[i]
		l, before := s.prog.Layouts[o.layout], ir.Word(0)
		words := first.words[o.off:][:o.n]
		for j, w := range words {
			if w != 0 && s.kinds.at(l, j, before) == ir.Ptr && renamed[ir.Object(w)] != 0 {
				words[j] = ir.Pointer(int(renamed[ir.Object(w)]), ir.Slot(w))
			}
			before = w
		}
	}
	m := s.Machine()
	n := s.bounds.Threads
	first.setThreads(n + len(s.seeds))
	for i, g := range s.seeds {
		t := &first.threads[n+i]
		t.reset()
		copy(m.push(t, g.fn), g.regs)
	}
	s.eachSeed(s.seeds, func(i, r int, p ir.Word) {
		if id := renamed[ir.Object(p)]; id != 0 {
			first.threads[n+i].regs[r] = ir.Pointer(int(id), ir.Slot(p))
		}
	})
	for i := range first.threads[:n] {
		t := &first.threads[i]
		t.reset()
		if t.left = int32(s.bounds.Ops); s.bounds.Ops < 0 {
			t.left = 1
		}
		if s.bounds.Plans != nil {
			t.left = int32(len(s.bounds.Plans[i]))
		}
	}
	m.state = *first
	s.start, _ = m.encode(nil)
}

// Start is the canonical form of the first state.
func (s *Shared) Start() []byte { return s.start }

// Machine makes a machine, for one goroutine.
func (s *Shared) Machine() *Machine {
	m := &Machine{shared: s, prog: s.prog, kinds: s.kinds}
	m.canon.m = m
	m.base.words = append(m.base.words, s.frozenWords...)
	m.state.words = append(m.state.words, s.frozenWords...)
	return m
}

// Program is what is run.
func (s *Shared) Program() *ir.Program { return s.prog }

// Notes says what is not explored.
func (s *Shared) Notes() (notes []string) {
	if s.chosen {
		notes = append(notes, "initialisers and the constructor take the first of the ways that they may go (the order of maps, random numbers)")
	}
	if s.behind.Load() {
		notes = append(notes, "goroutines that the constructor starts begin when it has returned")
	}
	return notes
}

// Bounds is how much is explored.
func (s *Shared) Bounds() Bounds { return s.bounds }

// results numbers what operations answer.
type results struct {
	mu      sync.RWMutex
	numbers map[string]int32
	all     []Result
}

func (r *results) init() { r.numbers = map[string]int32{} }

func (r *results) number(x *Result) int32 {
	key := fmt.Sprintf("%d %q %q %x %q", x.Op, x.Values, x.Dynamics, x.Texts, x.Panic)
	r.mu.Lock()
	defer r.mu.Unlock()
	n, ok := r.numbers[key]
	if !ok {
		n = int32(len(r.all))
		r.numbers[key] = n
		r.all = append(r.all, *x)
	}
	return n
}

// Answered reports whether an operation of the program has returned in some step.
func (s *Shared) Answered(op int) bool {
	s.results.mu.RLock()
	defer s.results.mu.RUnlock()
	return slices.ContainsFunc(s.results.all, func(r Result) bool { return r.Op == op })
}

// Result is what an answer of a Step is.
func (s *Shared) Result(answer int32) Result {
	s.results.mu.RLock()
	defer s.results.mu.RUnlock()
	return s.results.all[answer]
}
