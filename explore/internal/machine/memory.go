package machine

import (
	"cmp"
	"fmt"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// alloc makes a zero object, n times its layout's words, at least one word.
func (m *Machine) alloc(layout int32, n int, owner int32) int {
	words := n * len(m.prog.Layouts[layout].Words)
	off := len(m.state.words)
	m.state.words = appendZero(m.state.words, words)
	m.state.objs = append(m.state.objs, object{layout: layout, off: int32(off), n: int32(words), owner: owner})
	if m.tracer != nil {
		m.tracer.made(layout)
	}
	return m.objects()
}

// objects is the number of the newest object.
func (m *Machine) objects() int {
	return int(m.shared.base) + len(m.state.objs) - len(m.shared.permanent)
}

// find is the object of a pointer; frozen, if it is no part of the state since
// nobody writes it.
func (m *Machine) find(p ir.Word) (o *object, frozen bool) {
	id := int32(p >> 32)
	if id > m.shared.base {
		return &m.state.objs[int(id-m.shared.base-1)+len(m.shared.permanent)], false
	}
	if k := m.shared.place[id]; k >= 0 {
		return &m.state.objs[k], false
	}
	return &m.shared.frozen[-1-m.shared.place[id]], true
}

// wordsOf are an object's words.
func (m *Machine) wordsOf(id int) []ir.Word {
	o, _ := m.find(ir.Pointer(id, 0))
	return m.state.words[o.off:][:o.n:o.n]
}

// at are n words that p points to.
func (m *Machine) at(o *object, p ir.Word, n int32) []ir.Word {
	return m.state.words[o.off+int32(ir.Slot(p)):][:n:n]
}

// fixed reports whether nobody writes words of an object that others see.
func (m *Machine) fixed(o *object, slot, n int32) bool {
	w := m.shared.mutable[o.layout]
	size := int32(len(w) - 1)
	for i := slot; i < slot+n; i++ {
		if w[i%size] {
			return false
		}
	}
	return true
}

// mutable reports whether it is known of each of an object's words that it is written.
func (m *Machine) mutable(o *object, slot, n int32) bool {
	w := m.shared.mutable[o.layout]
	size := int32(len(w) - 1)
	for i := slot; i < slot+n; i++ {
		if !w[i%size] {
			return false
		}
	}
	return true
}

// touch is called before an access to n words that p points to. It goes on with next, or
// the thread pauses, or exploration starts again. Accesses to what others do not see are
// none; a write to what others have seen shows that the word is written once they see it, as
// they may have read it only now. An atomic one is the step's synchronization.
func (m *Machine) touch(o *object, frozen bool, p ir.Word, n int32, write, atomic bool, pos int32) ctl {
	if m.ghost.on {
		return m.ghostTouch(o, p, n, write, frozen, pos)
	}
	if m.shared.ordered && o.owner != shared && o.published && !frozen && !m.setup {
		if c := m.inOrder(Access{At: p, N: n, Write: write, Atomic: atomic, Pos: pos}); c != next {
			return c
		}
	}
	strict := m.shared.options.NoFusion
	if m.setup {
		if i := ir.Object(p) - 1; i < len(m.seeded) && m.seeded[i] {
			m.late(o, p, n, write || atomic)
		}
		return next
	}
	if o.owner != shared && !strict && !(write && o.published) {
		return next
	}
	slot := int32(ir.Slot(p))
	switch {
	case m.synced && strict:
		return pause
	case o.owner != shared && (!write || !o.published || m.mutable(o, slot, n)):
		m.synced = m.synced || strict
		return next
	case o.pooled:
		return m.misuse("use of what has been put into a pool", pos)
	case !write && (frozen || m.fixed(o, slot, n)) && !(atomic && m.spins()):
		m.synced = m.synced || strict
		return next
	case frozen && m.argument(p):
		return m.notCovered("a write to a slice that an operation was called with, which no answer shows (write a harness that returns what is written)", pos)
	case frozen:
		m.shared.dirty[ir.Object(p)-1].Store(true)
		m.again = true
		return stop
	case (write || atomic && m.spins()) && !m.mutable(o, slot, n):
		w := m.shared.written[o.layout]
		for i := slot; i < slot+n; i++ {
			if write && m.shared.late[[2]int32{o.layout, i % int32(len(w)-1)}] {
				m.shared.behind.Store(true)
			}
			w[int(i)%(len(w)-1)].Store(true)
		}
		m.again = true
		return stop
	case m.synced:
		return pause
	}
	m.access(access{thread: m.cur, object: int32(ir.Object(p)), slot: slot, n: n, write: write, atomic: atomic, pos: m.place(pos)})
	if m.shared.ordered {
		if c := m.remember(o, Access{At: p, N: n, Write: write, Atomic: atomic, Pos: m.place(pos)}); c != next {
			return c
		}
	}
	if atomic || strict {
		m.synced = true
	}
	return next
}

// remember keeps an access to what others see, if another one may race with it later.
func (m *Machine) remember(o *object, a Access) ctl {
	if c := m.inOrder(a); c != next {
		return c
	}
	known := m.shared.plain[o.layout]
	size := len(known) - 1
	for i := range int(a.N) {
		w := (ir.Slot(a.At) + i) % size
		switch {
		case a.Atomic && known[w]:
			m.state.past.Add(int(m.cur), a)
			return next
		case !a.Atomic && !known[w]: // atomic accesses before were not kept
			m.shared.plainly[o.layout][w].Store(true)
			m.again = true
		}
	}
	switch {
	case m.again:
		return stop
	case !a.Atomic:
		m.state.past.Add(int(m.cur), a)
	}
	return next
}

// inOrder finds an access before this one that nothing orders before it.
func (m *Machine) inOrder(a Access) ctl {
	b := m.state.past.Conflict(int(m.cur), a)
	if b == nil {
		return next
	}
	x := access{object: int32(ir.Object(b.At)), slot: int32(ir.Slot(b.At)), write: a.Write, atomic: a.Atomic}
	y := access{write: b.Write, atomic: b.Atomic}
	m.fault = &Fault{Kind: Race, Pos: b.Pos, Also: m.place(a.Pos), Threads: []int{int(m.cur)}, Past: true,
		Text: fmt.Sprintf("%s is %s, and nothing orders this after it was %s", m.field(&x), x.verb(), y.verb())}
	return stop
}

// observe is called when a thread has learnt what others have done without being ordered after it: that a
// lock is taken, how much there is in a channel. Then races of what follows need not show in two next steps, and
// states have to know what happened before what.
func (m *Machine) observe(p ir.Word, pos int32) ctl {
	switch o, _ := m.find(p); {
	case m.setup || m.ghost.on || o.owner != shared && !o.published:
	case m.shared.bounds.Ops >= 0 && !m.shared.ordered:
		m.again = true
		fallthrough
	default:
		m.shared.observed.CompareAndSwap(0, max(m.place(pos), 1))
	}
	if m.again {
		return stop
	}
	return next
}

// orders reports whether states know what happened before what.
func (m *Machine) orders() bool { return m.shared.ordered && !m.setup }

// acquire orders what the thread does from now on after what was left in a word, and reports whether that was
// not so before.
func (m *Machine) acquire(p ir.Word) (learns bool) {
	return m.orders() && m.state.past.Acquire(int(m.cur), p)
}

// release leaves in a word what the thread has done and knows.
func (m *Machine) release(p ir.Word) {
	if m.orders() {
		m.state.past.Release(int(m.cur), p)
	}
}

// wake orders another thread, which waits, after what this one has done and knows.
func (m *Machine) wake(to int) {
	if m.orders() {
		m.state.past.Pass(int(m.cur), to)
	}
}

// argument reports whether a pointer is to what operations are called with.
func (m *Machine) argument(p ir.Word) bool {
	i := ir.Object(p) - 1
	return i < len(m.prog.Globals) && m.prog.Globals[i].Argument
}

// spins reports whether the step is so long that it seems to wait, in a loop, for what
// others write: they may not have been explored yet.
func (m *Machine) spins() bool {
	return m.rounds.again || m.steps > min(manySteps, m.shared.options.MostSteps/2)
}

// manySteps is how long a step may be before it seems to wait.
const manySteps = 1 << 19

// late is an access of the set-up to what a goroutine may reach that it has started, and that begins when the set-up is
// done: that is noted, unless it reads what is never written.
func (m *Machine) late(o *object, p ir.Word, n int32, more bool) {
	if more {
		m.shared.behind.Store(true)
	}
	size := int32(len(m.prog.Layouts[o.layout].Words))
	for i := range min(n, size) {
		m.shared.late[[2]int32{o.layout, (int32(ir.Slot(p)) + i) % size}] = true
	}
}

// seenBySeeds tells by object which ones the goroutines reach that the set-up has started.
func (m *Machine) seenBySeeds() []bool {
	seen := make([]bool, len(m.state.objs))
	var visit func(p ir.Word)
	visit = func(p ir.Word) {
		if i := ir.Object(p) - 1; p != 0 && !seen[i] {
			seen[i] = true
			m.pointers(&m.state.objs[i], visit)
		}
	}
	for i := range m.prog.Globals {
		visit(ir.Pointer(i+1, 0))
	}
	m.shared.eachSeed(m.seeds, func(_, _ int, p ir.Word) { visit(p) })
	return seen
}

// store writes words to where p points, and publishes what they point to if others
// see them.
func (m *Machine) store(o *object, p ir.Word, words []ir.Word) {
	to := m.at(o, p, int32(len(words)))
	copy(to, words)
	if m.setup || o.owner != shared || m.kinds.noPtr[o.layout] {
		return
	}
	l, slot := m.prog.Layouts[o.layout], ir.Slot(p)
	before := ir.Word(0)
	for i, w := range words {
		if w != 0 && m.kinds.at(l, slot+i, before) == ir.Ptr {
			m.publish(w)
		}
		before = w
	}
}

// publish notes that others may reach what p points to.
func (m *Machine) publish(p ir.Word) {
	if p == 0 {
		return
	}
	o, frozen := m.find(p)
	if frozen || o.owner == shared {
		return
	}
	o.owner, o.published = shared, true
	m.pointers(o, m.publish)
}

// load makes the thread's registers what r[A] points to.
func (m *Machine) load(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	p := m.val(regs, in.A)
	if p == 0 {
		return m.throw(t, nilDereference, in.Pos)
	}
	o, frozen := m.find(p)
	if c := m.touch(o, frozen, p, in.N, false, in.Op == ir.AtomicLoad, in.Pos); c != next {
		return c
	}
	if in.Op == ir.AtomicLoad {
		m.acquire(p)
	}
	copy(regs[in.Dst:], m.at(o, p, in.N))
	if m.tracer != nil {
		m.tracer.access(in, p, in.N, nil)
	}
	return next
}

// write stores r[B:N], at a Store or AtomicStore.
func (m *Machine) write(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	p := m.val(regs, in.A)
	if p == 0 {
		return m.throw(t, nilDereference, in.Pos)
	}
	o, frozen := m.find(p)
	if c := m.touch(o, frozen, p, in.N, true, in.Op == ir.AtomicStore, in.Pos); c != next {
		return c
	}
	if in.Op == ir.AtomicStore && m.orders() {
		m.state.past.Replace(int(m.cur), p)
	}
	m.put(o, p, in, m.vals(regs, in.B, in.N))
	return next
}

// put is store, and tells the tracer.
func (m *Machine) put(o *object, p ir.Word, in *ir.Instr, words []ir.Word) {
	if m.tracer != nil {
		m.tracer.access(in, p, int32(len(words)), words)
	}
	m.store(o, p, words)
}

const nilDereference = "runtime error: invalid memory address or nil pointer dereference"

// arrayOf reports whether the object that p points into has nothing but values of a layout.
func (m *Machine) arrayOf(p ir.Word, of *ir.Layout) bool {
	o, _ := m.find(p)
	return len(m.prog.Layouts[o.layout].Words) == len(of.Words)
}

// castable reports whether the words that p points to are those of a layout.
func (m *Machine) castable(p ir.Word, to *ir.Layout) bool {
	o, _ := m.find(p)
	l := m.prog.Layouts[o.layout]
	slot := ir.Slot(p)
	if l == to && slot == 0 {
		return true
	}
	if l.Special != to.Special || slot+len(to.Words) > int(o.n) {
		return false
	}
	num := func(l *ir.Layout, i int) ir.Num {
		if l.Nums == nil {
			return ir.I64
		}
		return l.Nums[i]
	}
	for i, k := range to.Words {
		j := (slot + i) % len(l.Words)
		if l.Words[j] != k || k == ir.Data && !ir.SameWord(num(l, j), num(to, i)) {
			return false
		}
	}
	return true
}

// access is one to words that others see.
type access struct {
	thread, object, slot, n int32
	write, atomic           bool
	group                   group
	pos                     int32
}

// group is what an access does to a wait group.
type group uint8

const (
	adds  group = 1 + iota // to a counter that is zero
	waits                  // for it, and need not
)

// fewAccesses is up to how many accesses it is all one whether some are the same.
const fewAccesses = 64

// access notes an access, in long steps once.
func (m *Machine) access(a access) {
	m.rounds.outside = m.chosen
	if len(m.accesses) >= fewAccesses {
		if len(m.accesses) == fewAccesses {
			m.many = map[access]bool{}
		}
		if m.many[a] {
			return
		}
		m.many[a] = true
	}
	m.accesses = append(m.accesses, a)
}

// race finds two accesses of different threads that could be next at the same
// time, one of which writes and one of which is plain. Threads in twins stand for several.
func (m *Machine) race(twins uint64) *Fault {
	plain := false
	for i := range m.accesses {
		plain = plain || !m.accesses[i].atomic || m.accesses[i].group != 0
	}
	if !plain {
		return nil
	}
	there := m.shared.base + int32(len(m.base.objs)-len(m.shared.permanent)) // others are new, and of one step alone
	for i := range m.accesses {
		a := &m.accesses[i]
		for j := 0; j <= i; j++ {
			b := &m.accesses[j]
			misused := a.group+b.group == adds+waits && a.group != b.group
			if a.object != b.object || a.object > there || (a.atomic && b.atomic || !a.write && !b.write) && !misused ||
				a.slot >= b.slot+b.n || b.slot >= a.slot+a.n || a.thread == b.thread && twins>>a.thread&1 == 0 {
				continue
			}
			first, second := b, a
			if !first.write && second.write {
				first, second = second, first
			}
			text := ""
			if misused {
				text = m.field(first) + " is a wait group to which the first is added while another goroutine waits for it"
			}
			return &Fault{Kind: Race, Pos: first.pos, Also: second.pos, Threads: []int{int(first.thread), int(second.thread)},
				Text: cmp.Or(text, fmt.Sprintf("%s is %s while it is %s", m.field(first), first.verb(), second.verb()))}
		}
	}
	return nil
}

func (a *access) verb() string {
	how := "read"
	if a.write {
		how = "written"
	}
	if a.atomic {
		how += " atomically"
	}
	return how
}

// field names the word of an access.
func (m *Machine) field(a *access) string {
	o, _ := m.find(ir.Pointer(int(a.object), 0))
	return m.fieldName(o, int(a.slot))
}

// fieldName names a word of an object by its type and field.
func (m *Machine) fieldName(o *object, slot int) string {
	l := m.prog.Layouts[o.layout]
	i := slot % max(len(l.Words), 1)
	if l.Special == ir.Map {
		return "the " + l.Name
	}
	if i < len(l.Fields) && l.Fields[i] != "" {
		return l.Name + "." + l.Fields[i]
	}
	return l.Name
}
