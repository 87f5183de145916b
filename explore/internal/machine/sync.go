package machine

import (
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// atomic makes an atomic operation that reads and writes.
func (m *Machine) atomic(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	p := m.val(regs, in.A)
	if p == 0 {
		return m.throw(t, nilDereference, in.Pos)
	}
	o, frozen := m.find(p)
	n := int32(1)
	if in.Op == ir.AtomicSwap || in.Op == ir.AtomicCAS {
		n = in.N
	}
	old := m.at(o, p, n)
	if in.Op == ir.AtomicCAS {
		return m.compareAndSwap(t, in, regs, o, frozen, p, old)
	}
	if c := m.touch(o, frozen, p, n, true, true, in.Pos); c != next {
		return c
	}
	m.acquire(p)
	m.release(p)
	var value [1]ir.Word
	switch in.Op {
	case ir.AtomicSwap:
		words := m.vals(regs, in.B, n)
		m.swapped(old)
		m.put(o, p, in, words)
		copy(regs[in.Dst:], m.held)
		return next
	case ir.AtomicAdd:
		value[0], _ = Binary(ir.Add, in.Num, old[0], m.val(regs, in.B))
		regs[in.Dst] = value[0]
	case ir.AtomicAnd:
		value[0] = old[0] & m.val(regs, in.B)
		regs[in.Dst] = old[0]
	case ir.AtomicOr:
		value[0] = old[0] | m.val(regs, in.B)
		regs[in.Dst] = old[0]
	}
	m.put(o, p, in, value[:])
	return next
}

// swapped remembers words that are about to be overwritten.
func (m *Machine) swapped(words []ir.Word) { m.held = append(m.held[:0], words...) }

// compareAndSwap writes only if it compares equal; else it is a read.
func (m *Machine) compareAndSwap(t *thread, in *ir.Instr, regs []ir.Word, o *object, frozen bool, p ir.Word, old []ir.Word) ctl {
	equal, panics := m.same(int(in.To), old, m.vals(regs, in.B, in.N))
	if panics != "" {
		return m.throw(t, panics, in.Pos)
	}
	if c := m.touch(o, frozen, p, in.N, equal, true, in.Pos); c != next {
		return c
	}
	m.acquire(p)
	regs[in.Dst] = boolWord(equal)
	if equal {
		m.release(p)
		m.put(o, p, in, m.vals(regs, in.C, in.N))
	} else if m.tracer != nil {
		m.tracer.access(in, p, in.N, nil)
	}
	return next
}

// lock makes an operation on a mutex.
func (m *Machine) lock(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	p := m.val(regs, in.A)
	if p == 0 {
		return m.throw(t, nilDereference, in.Pos)
	}
	o, frozen := m.find(p)
	w := m.at(o, p, 1)
	locked := w[0] != 0
	var to [1]ir.Word
	switch {
	case in.Op == ir.Lock && locked:
		return m.waits()
	case in.Op == ir.Unlock && !locked:
		return m.misuse("unlock of an unlocked mutex", in.Pos)
	case in.Op != ir.Unlock:
		to[0] = 1
	}
	if c := m.touch(o, frozen, p, 1, to[0] != w[0], true, in.Pos); c != next {
		return c
	}
	switch {
	case in.Op == ir.Unlock:
		m.release(p)
	case !locked && m.acquire(p) && in.M == 1:
		return m.notCovered("which operations on a sync.Map come before others, where races depend on it", in.Pos)
	case !locked:
	default:
		if c := m.observe(p, in.Pos); c != next {
			return c
		}
	}
	if in.Op == ir.TryLock {
		regs[in.Dst] = boolWord(!locked)
	}
	if m.shared.options.Held {
		if m.view != nil && in.Op == ir.Unlock && !slices.Contains(t.held, p) {
			return m.notCovered("a goroutine unlocks what another one has locked", in.Pos)
		}
		if m.view != nil && in.Op != ir.Unlock && !locked && m.view.stolen(p) {
			return m.notCovered(overwritten, in.Pos)
		}
		m.holds(t, in.Op, p, locked)
	}
	m.put(o, p, in, to[:])
	return next
}

// holds notes that a thread has locked a mutex, or unlocked it.
func (m *Machine) holds(t *thread, op ir.Op, p ir.Word, locked bool) {
	switch {
	case op == ir.Unlock:
		t.held = slices.DeleteFunc(t.held, func(q ir.Word) bool { return q == p })
	case !locked:
		t.held = append(t.held, p)
	}
}

// waits is what becomes of a thread at an instruction that waits.
func (m *Machine) waits() ctl {
	switch {
	case m.ghost.on:
		return block
	case m.synced:
		return pause
	}
	return block
}

// misuse is a fault that the program makes.
func (m *Machine) misuse(text string, pos int32) ctl {
	if m.synced { // it is the next step that goes wrong
		return pause
	}
	m.fault = &Fault{Kind: Misuse, Text: text, Pos: m.place(pos), Threads: []int{int(m.cur)}}
	return stop
}

// rwLock makes an operation on a read-write mutex: a word that counts readers, and one that
// counts the writers that wait.
func (m *Machine) rwLock(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	p := m.val(regs, in.A)
	if p == 0 {
		return m.throw(t, nilDereference, in.Pos)
	}
	o, frozen := m.find(p)
	w := m.at(o, p, 2)
	to, waits := [2]ir.Word{w[0], w[1]}, false
	writer, free := w[0] == ir.RWWriter, w[0] == 0
	ok := false // whether a try succeeds
	switch in.Op {
	case ir.RLock, ir.TryRLock:
		if ok = !writer && w[1] == 0; ok {
			to[0]++
		}
		waits = in.Op == ir.RLock && !ok
	case ir.RUnlock:
		if writer || free {
			return m.misuse("read unlock of a mutex that no reader has locked", in.Pos)
		}
		to[0]--
	case ir.WAnnounce:
		if free && w[1] == 0 && !m.synced {
			return next // to lock it, at once, is all one
		}
		to[1]++
	case ir.WLock:
		if waits = !free; to[1] > 0 {
			to[1]--
		}
		to[0] = ir.RWWriter
	case ir.TryWLock:
		if ok = free && w[1] == 0; ok {
			to[0] = ir.RWWriter
		}
	case ir.WUnlock:
		if !writer {
			return m.misuse("unlock of a mutex that no writer has locked", in.Pos)
		}
		to[0] = 0
	}
	if waits {
		return m.waits()
	}
	if c := m.touch(o, frozen, p, 2, to[0] != w[0] || to[1] != w[1], true, in.Pos); c != next {
		return c
	}
	switch in.Op {
	case ir.TryRLock, ir.TryWLock:
		if regs[in.Dst] = boolWord(ok); !ok {
			if c := m.observe(p, in.Pos); c != next {
				return c
			}
		}
	}
	m.orderRW(in.Op, p, ok)
	m.note(in, p, rwText(in.Op, ok))
	m.store(o, p, to[:])
	return next
}

// orderRW orders threads at a read-write mutex: its first word is where writers leave what they know,
// the second one where readers do, which other readers do not learn.
func (m *Machine) orderRW(op ir.Op, p ir.Word, ok bool) {
	switch op {
	case ir.RLock, ir.TryRLock:
		if ok {
			m.acquire(p)
		}
	case ir.RUnlock:
		m.release(p + 1)
	case ir.WLock, ir.TryWLock:
		if ok || op == ir.WLock {
			m.acquire(p)
			m.acquire(p + 1)
		}
	case ir.WUnlock:
		m.release(p)
	}
}

// rwText is an operation on a read-write mutex in words.
func rwText(op ir.Op, ok bool) string {
	switch op {
	case ir.RLock:
		return "lock for reading"
	case ir.TryRLock, ir.TryWLock:
		if ok {
			return "lock at once"
		}
		return "cannot lock at once"
	case ir.WAnnounce:
		return "ask for"
	case ir.WLock:
		return "lock"
	}
	return "unlock"
}

// waiting makes an operation on a condition variable or a wait group.
func (m *Machine) waiting(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	p := m.val(regs, in.A)
	if p == 0 {
		return m.throw(t, nilDereference, in.Pos)
	}
	if in.Op == ir.CondWait {
		if t.wait != 0 {
			return m.waits()
		}
		return next
	}
	o, frozen := m.find(p)
	switch in.Op {
	case ir.CondEnter:
		if m.synced { // it belongs to the unlock that follows
			return pause
		}
		t.wait = p
		m.note(in, p, "begin to wait at")
	case ir.Signal:
		return m.signal(o, frozen, p, in)
	case ir.WGAdd:
		sum := int64(m.at(o, p, 1)[0] + m.val(regs, in.B))
		if sum < 0 {
			return m.misuse("the counter of a wait group is negative", in.Pos)
		}
		before := len(m.accesses)
		if c := m.touch(o, frozen, p, 1, true, true, in.Pos); c != next {
			return c
		}
		if m.at(o, p, 1)[0] == 0 && sum > 0 {
			m.group(before, adds)
		}
		if int64(m.val(regs, in.B)) < 0 {
			m.release(p)
		}
		m.put(o, p, in, []ir.Word{ir.Word(sum)})
	case ir.WGWait:
		if m.at(o, p, 1)[0] != 0 {
			return m.waits()
		}
		before := len(m.accesses)
		if c := m.touch(o, frozen, p, 1, false, true, in.Pos); c != next {
			return c
		}
		m.acquire(p)
		m.group(before, waits)
		m.note(in, p, "wait for")
	}
	return next
}

// group notes what the accesses from one on do to a wait group: Go wants that the first Add comes before Wait.
func (m *Machine) group(from int, g group) {
	for i := range m.accesses[from:] {
		m.accesses[from+i].group = g
	}
}

// note tells the tracer of an operation, in words.
func (m *Machine) note(in *ir.Instr, p ir.Word, text string) {
	if m.tracer != nil {
		m.tracer.did(in, p, text, nil)
	}
}

// signal wakes threads that wait at a condition variable: any one, or all of them.
func (m *Machine) signal(o *object, frozen bool, p ir.Word, in *ir.Instr) ctl {
	if c := m.touch(o, frozen, p, 1, true, true, in.Pos); c != next {
		return c
	}
	m.note(in, p, "wake those that wait at")
	waiting := 0
	for i := range m.state.threads {
		if m.state.threads[i].wait == p {
			waiting++
		}
	}
	which := -1
	if in.M == 0 {
		which = m.choose(waiting)
	}
	for i := range m.state.threads {
		if th := &m.state.threads[i]; th.wait == p {
			if which <= 0 {
				th.wait = 0
				m.wake(i)
			}
			if which--; which == -1 {
				break
			}
		}
	}
	return next
}
