package machine

import "github.com/adtinfer/adtinfer/explore/internal/ir"

// The words that come first in a channel.
const (
	chanSize = iota
	chanClosed
	chanCount
)

// A thread that sends to, or receives from, a channel without a buffer, and finds nobody who does
// the opposite, parks: this is a step, after which it is at the same instruction
// and thread.wait is set. Whoever comes later passes it by, in one step, with the
// value; the thread that parked goes on in a step of its own.

// offer is one case of what a thread may do with a channel.
type offer struct {
	ch   ir.Word
	send bool
	at   int32 // the operand that is sent, or the registers that receive
	n    int32
}

// channel makes an operation on a channel.
func (m *Machine) channel(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	p := m.val(regs, in.A)
	switch in.Op {
	case ir.MakeChan:
		return m.makeChan(t, in, p, regs)
	case ir.Close:
		return m.closeChan(t, in, p)
	case ir.ChanLen:
		return m.chanLen(in, p, regs)
	}
	f := offerOf(in, p)
	switch {
	case p == 0:
		return m.waits()
	case m.ready(t, f):
		if c := m.touchChan(p, in); c != next {
			return c
		}
		return m.accept(t, in, f, 0, regs)
	}
	return m.park(t, in, f)
}

// offerOf is what a Send or Recv offers.
func offerOf(in *ir.Instr, ch ir.Word) offer {
	if in.Op == ir.Send {
		return offer{ch: ch, send: true, at: in.B, n: in.N}
	}
	return offer{ch: ch, at: in.Dst, n: in.N}
}

func (m *Machine) makeChan(t *thread, in *ir.Instr, size ir.Word, regs []ir.Word) ctl {
	width := ir.Word(len(m.prog.Layouts[in.To].Words))
	switch {
	case int64(size) < 0:
		return m.throw(t, "makechan: size out of range", in.Pos)
	case size > mostWords || size*width > mostWords:
		return m.notCovered("a channel that is too large", in.Pos)
	}
	id := m.alloc(in.To, 0, m.cur)
	o, _ := m.find(ir.Pointer(id, 0))
	m.open(o, 0, ir.ChanHeader+int(size*width))
	m.wordsOf(id)[chanSize] = size
	regs[in.Dst] = ir.Pointer(id, 0)
	return next
}

func (m *Machine) closeChan(t *thread, in *ir.Instr, p ir.Word) ctl {
	if p == 0 {
		return m.throw(t, "close of nil channel", in.Pos)
	}
	if c := m.touchChan(p, in); c != next {
		return c
	}
	words := m.wordsOf(ir.Object(p))
	if words[chanClosed] != 0 {
		if c := m.observe(p, in.Pos); c != next {
			return c
		}
		return m.throw(t, "close of closed channel", in.Pos)
	}
	words[chanClosed] = 1
	m.release(p + words[chanSize])
	m.note(in, p, "close")
	return next
}

func (m *Machine) chanLen(in *ir.Instr, p ir.Word, regs []ir.Word) ctl {
	if p == 0 {
		regs[in.Dst] = 0
		return next
	}
	words := m.wordsOf(ir.Object(p))
	if in.M == 1 {
		regs[in.Dst] = words[chanSize]
		return next
	}
	o, frozen := m.find(p)
	if c := m.touch(o, frozen, p, 1, false, true, in.Pos); c != next {
		return c
	}
	if words[chanSize] > 0 {
		if c := m.observe(p, in.Pos); c != next {
			return c
		}
	}
	m.note(in, p, "ask for the length of")
	regs[in.Dst] = words[chanCount]
	return next
}

// A channel with room for C elements has C tokens, those of its elements first, the oldest one first, then
// those of free places, the longest free first: the k-th send comes before the k-th receive, and that
// before send k+C. Token C is of its close.

// give orders the thread, which puts an element into a free place, after the receive that has freed it.
func (m *Machine) give(token ir.Word) {
	if m.orders() {
		m.state.past.Acquire(int(m.cur), token)
		m.state.past.Replace(int(m.cur), token)
	}
}

// take orders the thread, which takes the oldest element, after the send that put it there. If there are several
// receivers, it learns that others have taken older ones.
func (m *Machine) take(f offer, size ir.Word, in *ir.Instr) ctl {
	if size > 1 && f.n > 0 {
		if c := m.observe(f.ch, in.Pos); c != next {
			return c
		}
	}
	if !m.orders() {
		return next
	}
	past := &m.state.past
	past.Acquire(int(m.cur), f.ch)
	past.Move(func(p ir.Word) ir.Word {
		switch {
		case ir.Object(p) != ir.Object(f.ch) || ir.Slot(p) >= int(size):
			return p
		case ir.Slot(p) == 0:
			return 0
		}
		return p - 1
	})
	past.Replace(int(m.cur), f.ch+size-1)
	return next
}

// touchChan is touch of a channel as a whole. That a thread takes or gives a value,
// parks, or finds that nothing is ready, is seen by others even if no word changes.
func (m *Machine) touchChan(p ir.Word, in *ir.Instr) ctl {
	o, frozen := m.find(p)
	return m.touch(o, frozen, p, 1, true, true, in.Pos)
}

// readyAlone reports whether an offer can be met without a partner, though it may be by a panic.
func (m *Machine) readyAlone(f offer) bool {
	words := m.wordsOf(ir.Object(f.ch))
	if f.send {
		return words[chanClosed] != 0 || words[chanCount] < words[chanSize]
	}
	return words[chanClosed] != 0 || words[chanCount] > 0
}

// ready reports whether an offer can be met.
func (m *Machine) ready(t *thread, f offer) bool {
	return f.ch != 0 && (m.readyAlone(f) || m.partner(t, f, nil) > 0)
}

// partner counts the cases of threads that have parked that meet an offer. It calls
// meet, if it is not nil, with each of them until that returns false.
func (m *Machine) partner(t *thread, f offer, meet func(u *thread, other offer, i int32) bool) int {
	if m.wordsOf(ir.Object(f.ch))[chanSize] != 0 {
		return 0
	}
	n := 0
	for i := range m.state.threads {
		u := &m.state.threads[i]
		if u == t || !m.parked(u) {
			continue
		}
		fr := &u.frames[len(u.frames)-1]
		in := &m.prog.Funcs[fr.fn].Code[fr.pc]
		regs := u.regs[fr.base:]
		switch in.Op {
		case ir.Send, ir.Recv:
			if other := offerOf(in, m.val(regs, in.A)); other.ch == f.ch && other.send != f.send {
				if n++; meet != nil && !meet(u, other, 0) {
					return n
				}
			}
		case ir.Select:
			if m.anyAlone(in, regs) {
				continue // it need not wait, so it is as if it had not come yet
			}
			for c := range int32(len(in.Args) / 3) {
				if other := m.caseOf(in, regs, c); other.ch == f.ch && other.send != f.send {
					if n++; meet != nil && !meet(u, other, c) {
						return n
					}
				}
			}
		}
	}
	return n
}

// parked reports whether a thread has parked: it does not wait at a condition variable.
func (m *Machine) parked(t *thread) bool {
	if t.wait == 0 {
		return false
	}
	o, _ := m.find(t.wait)
	return m.prog.Layouts[o.layout].Special == ir.Chan
}

// accept meets an offer that is ready, which is case i of a select statement or the only one.
func (m *Machine) accept(t *thread, in *ir.Instr, f offer, i int32, regs []ir.Word) ctl {
	o, _ := m.find(f.ch)
	words := m.state.words[o.off:][:o.n]
	if m.parked(t) {
		t.wait = 0
	}
	switch {
	case f.send && words[chanClosed] != 0:
		if c := m.observe(f.ch, in.Pos); c != next {
			return c
		}
		return m.throw(t, "send on closed channel", in.Pos)
	case f.send && words[chanCount] < words[chanSize]:
		m.give(f.ch + words[chanCount])
		at := ir.ChanHeader + int(words[chanCount])*int(f.n)
		words[chanCount]++
		m.store(o, f.ch+ir.Word(at), m.vals(regs, f.at, f.n))
	case !f.send && words[chanCount] > 0:
		if c := m.take(f, words[chanSize], in); c != next {
			return c
		}
		elements := words[ir.ChanHeader:][:words[chanCount]*ir.Word(f.n)]
		copy(regs[f.at:][:f.n], elements)
		copy(elements, elements[f.n:])
		clear(elements[len(elements)-int(f.n):])
		words[chanCount]--
		received(in, regs, true)
	case !f.send && words[chanClosed] != 0:
		if words[chanSize] > 0 { // others may have taken what there was
			if c := m.observe(f.ch, in.Pos); c != next {
				return c
			}
		}
		m.acquire(f.ch + words[chanSize])
		clear(regs[f.at:][:f.n])
		received(in, regs, false)
	default:
		m.pass(t, in, f, regs)
	}
	if in.Op == ir.Select {
		regs[in.Dst] = ir.Word(i)
	}
	if m.tracer == nil {
		return next
	}
	if f.send {
		m.tracer.did(in, f.ch, "send to", m.vals(regs, f.at, f.n))
	} else {
		m.tracer.did(in, f.ch, "receive from", regs[f.at:][:f.n])
	}
	return next
}

// received notes whether what a thread has received was sent.
func received(in *ir.Instr, regs []ir.Word, sent bool) {
	switch {
	case in.Op == ir.Select:
		regs[in.Dst+1] = boolWord(sent)
	case in.M == 1:
		regs[in.Dst+in.N] = boolWord(sent)
	}
}

// pass passes a value from one thread to another, any of those that have parked.
func (m *Machine) pass(t *thread, in *ir.Instr, f offer, regs []ir.Word) {
	o, _ := m.find(f.ch)
	layout := o.layout
	left := m.choose(m.partner(t, f, nil))
	m.partner(t, f, func(u *thread, other offer, i int32) bool {
		if left--; left >= 0 {
			return true
		}
		fr := &u.frames[len(u.frames)-1]
		at := &m.prog.Funcs[fr.fn].Code[fr.pc]
		theirs := u.regs[fr.base:]
		if f.send {
			copy(theirs[other.at:][:f.n], m.vals(regs, f.at, f.n))
			m.publishWords(layout, theirs[other.at:][:f.n])
			received(at, theirs, true)
		} else {
			copy(regs[f.at:][:f.n], m.vals(theirs, other.at, f.n))
			m.publishWords(layout, regs[f.at:][:f.n])
			received(in, regs, true)
		}
		if at.Op == ir.Select {
			theirs[at.Dst] = ir.Word(i)
		}
		u.wait = 0
		fr.pc++
		m.meet(u)
		return false
	})
}

// meet orders both threads at a channel without a buffer after what the other one has done before.
func (m *Machine) meet(u *thread) {
	if !m.orders() {
		return
	}
	for i := range m.state.threads {
		if &m.state.threads[i] == u {
			m.state.past.Pass(i, int(m.cur))
			m.state.past.Pass(int(m.cur), i)
		}
	}
}

// park makes a thread wait at a channel without a buffer, where others find it. At one
// with a buffer there is nothing to find.
func (m *Machine) park(t *thread, in *ir.Instr, f offer) ctl {
	o, _ := m.find(f.ch)
	if t.wait != 0 && !m.parked(t) {
		return m.notCovered("a channel that a thread uses while it waits at a condition variable", in.Pos)
	}
	if m.synced || t.wait != 0 || m.setup || o.owner != shared || m.wordsOf(ir.Object(f.ch))[chanSize] != 0 {
		return m.waits()
	}
	if c := m.touchChan(f.ch, in); c != next {
		return c
	}
	t.wait = f.ch
	if f.send {
		m.note(in, f.ch, "wait to send to")
	} else {
		m.note(in, f.ch, "wait to receive from")
	}
	return pause
}

// caseOf is what case i of a select statement offers.
func (m *Machine) caseOf(in *ir.Instr, regs []ir.Word, i int32) offer {
	a := in.Args[3*i:][:3]
	f := offer{ch: m.val(regs, a[0].At), send: a[1].N > 0, at: a[2].At, n: a[2].N}
	if f.send {
		f.at, f.n = a[1].At, a[1].N
	}
	return f
}

// anyAlone reports whether a case of a select statement is ready without a partner.
func (m *Machine) anyAlone(in *ir.Instr, regs []ir.Word) bool {
	for i := range int32(len(in.Args) / 3) {
		if f := m.caseOf(in, regs, i); f.ch != 0 && m.readyAlone(f) {
			return true
		}
	}
	return false
}

// selects makes a select statement: any case that is ready, else the default, else it waits.
func (m *Machine) selects(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	n := int32(len(in.Args) / 3)
	ready := 0
	var first offer // to park at
	for i := range n {
		f := m.caseOf(in, regs, i)
		if m.ready(t, f) {
			ready++
		} else if o, _ := m.find(f.ch); f.ch != 0 && first.ch == 0 && o.owner == shared && m.wordsOf(ir.Object(f.ch))[chanSize] == 0 {
			first = f
		}
	}
	if ready == 0 && in.M == 0 {
		if first.ch == 0 {
			return m.waits()
		}
		return m.park(t, in, first)
	}
	before := m.synced
	for i := range n {
		if f := m.caseOf(in, regs, i); f.ch != 0 {
			after := m.synced
			m.synced = before
			if c := m.touchChan(f.ch, in); c != next {
				return c
			}
			m.synced = m.synced || after
		}
	}
	regs[in.Dst+1] = 0
	if ready == 0 {
		for i := range n {
			f := m.caseOf(in, regs, i)
			if f.ch == 0 {
				continue
			}
			if m.wordsOf(ir.Object(f.ch))[chanSize] > 0 {
				if c := m.observe(f.ch, in.Pos); c != next {
					return c
				}
			}
			m.note(in, f.ch, "need not wait for")
		}
		regs[in.Dst] = ^ir.Word(0)
		return next
	}
	which := m.choose(ready)
	for i := range n {
		if f := m.caseOf(in, regs, i); m.ready(t, f) {
			if which--; which < 0 {
				return m.accept(t, in, f, i, regs)
			}
		}
	}
	return next
}
