package machine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// A deferred call is an object: the deferred call before it, where the defer statement
// is, the closure or the interface, the arguments.
const (
	deferBefore = iota
	deferAt
	deferWords
)

// deferSite is where a defer statement is.
type deferSite struct{ fn, pc int32 }

func (s deferSite) word() ir.Word { return ir.Pointer(int(s.fn), int(s.pc)) }

// withDefers is a program with layouts for deferred calls, which are numbered by the place
// of the defer statement.
func withDefers(p *ir.Program) (*ir.Program, map[deferSite]int32) {
	q := *p
	q.Layouts = slices.Clone(p.Layouts)
	sites := map[deferSite]int32{}
	for i, f := range p.Funcs {
		for pc := range f.Code {
			in := &f.Code[pc]
			if in.Mode != ir.Defer || in.Op != ir.Call && in.Op != ir.CallClosure && in.Op != ir.CallMethod {
				continue
			}
			words := []ir.Kind{deferBefore: ir.Ptr, deferAt: ir.Data}
			switch in.Op {
			case ir.CallClosure:
				words = append(words, ir.Ptr)
			case ir.CallMethod:
				words = append(words, ir.Iface, ir.Dynamic)
			}
			for _, a := range in.Args {
				for r := a.At; r < a.At+a.N; r++ {
					if a.At < 0 { // names of constants are not changed
						words = append(words, ir.Data)
					} else {
						words = append(words, f.Kinds[r])
					}
				}
			}
			sites[deferSite{int32(i), int32(pc)}] = int32(len(q.Layouts))
			q.Layouts = append(q.Layouts, &ir.Layout{Name: "deferred call", Words: words})
		}
	}
	return &q, sites
}

// later makes a call of a go or defer statement. If it makes a thread, t is not valid any
// more: it returns moved, with the frame behind the instruction.
func (m *Machine) later(t *thread, in *ir.Instr, fn int32, receiver, captured, regs []ir.Word) ctl {
	f := &t.frames[len(t.frames)-1]
	if in.Mode == ir.Go {
		return m.start(t, in, fn, receiver, captured, regs)
	}
	site := deferSite{f.fn, f.pc}
	id := m.alloc(m.shared.defers[site], 1, m.cur)
	words := m.wordsOf(id)
	list := &regs[m.prog.Funcs[f.fn].Defers]
	words[deferBefore], words[deferAt] = *list, site.word()
	*list = ir.Pointer(id, 0)
	n := deferWords
	switch in.Op {
	case ir.CallClosure:
		n += copy(words[n:], m.vals(regs, in.A, 1))
	case ir.CallMethod:
		n += copy(words[n:], m.vals(regs, in.A, 2))
	}
	for _, a := range in.Args {
		n += copy(words[n:], m.vals(regs, a.At, a.N))
	}
	return next
}

// seed is a goroutine that the set-up starts: it runs when that is done. That it might run before is noted if
// the set-up does anything then that the goroutine could see.
type seed struct {
	fn   int32
	regs []ir.Word
}

// mostThreads is how many goroutines there may be.
const mostThreads = 200

// start makes a thread. To start it is an event that others see: what this one does next is
// another step.
func (m *Machine) start(t *thread, in *ir.Instr, fn int32, receiver, captured, regs []ir.Word) ctl {
	if len(m.state.threads)+len(m.seeds) >= mostThreads {
		return m.beyond(fmt.Sprintf("more than %d goroutines", mostThreads), in.Pos)
	}
	m.held = append(append(m.held[:0], receiver...), captured[:min(len(captured), int(m.prog.Funcs[fn].Captured))]...)
	at := len(receiver)
	for _, a := range in.Args {
		m.held = slices.Insert(m.held, at, m.vals(regs, a.At, a.N)...)
		at += int(a.N)
	}
	t.frames[len(t.frames)-1].pc++
	if m.setup {
		m.seeds = append(m.seeds, seed{fn, slices.Clone(m.held)})
		m.seeded = m.seenBySeeds()
		return moved
	}
	m.synced, m.rounds.outside = true, m.chosen
	if m.shared.ordered {
		if len(m.state.threads) == MostThreads {
			return m.notCovered("so many goroutines, where what they learn from each other does not synchronize", in.Pos)
		}
		m.state.past.Begin(int(m.cur), len(m.state.threads))
	}
	m.state.setThreads(len(m.state.threads) + 1)
	th := &m.state.threads[len(m.state.threads)-1]
	th.reset()
	th.left, th.id = 0, -1
	to := m.push(th, fn)
	copy(to, m.held)
	f := m.prog.Funcs[fn]
	for r := range int32(len(m.held)) {
		if m.kinds.register(f, to, r) == ir.Ptr {
			m.publish(to[r])
		}
	}
	if m.tracer != nil {
		m.tracer.started(th, in.Pos)
	}
	return moved
}

// runDefers makes the newest deferred call of the newest frame, if there is one.
func (m *Machine) runDefers(t *thread) ctl {
	f := &t.frames[len(t.frames)-1]
	list := &t.regs[f.base+m.prog.Funcs[f.fn].Defers]
	if *list == 0 {
		return next
	}
	words := m.wordsOf(ir.Object(*list))
	*list = words[deferBefore]
	in := &m.prog.Funcs[ir.Object(words[deferAt])].Code[ir.Slot(words[deferAt])]
	fn, args := in.To, words[deferWords:]
	var receiver, captured []ir.Word
	switch in.Op {
	case ir.CallClosure:
		if args[0] == 0 {
			return m.throw(t, nilDereference, in.Pos)
		}
		closure := m.wordsOf(ir.Object(args[0]))
		fn, captured, args = int32(closure[0]), closure[1:], args[1:]
	case ir.CallMethod:
		receiver = m.dynamicValue(args)
		fn, args = int32(m.prog.Types[args[0]].Methods[int(in.To)]), args[2:]
	}
	if len(t.frames) >= m.shared.options.MostFrames {
		return m.tooDeep(in.Pos)
	}
	to := m.push(t, fn)
	n := copy(to, receiver)
	n += copy(to[n:], args)
	copy(to[n:], captured[:min(len(captured), int(m.prog.Funcs[fn].Captured))])
	return moved
}

// deferred goes on after a deferred call has returned: at RunDefers, which makes the next
// one, or with the panic that made it.
func (m *Machine) deferred(t *thread) ctl {
	p := m.panicOf(t)
	switch {
	case p == nil:
		return moved
	case len(t.frames) == 0: // it was the describer
		return m.die(t, m.prog.Strings.Text(m.held[0]), p.pos)
	case !p.recovered:
		return m.unwind(t)
	}
	if c := m.runDefers(t); c != next {
		return c
	}
	t.panics = t.panics[:len(t.panics)-1]
	f := &t.frames[len(t.frames)-1]
	f.pc = m.prog.Funcs[f.fn].Recovers
	return moved
}

// panicOf is the panic that runs the deferred calls of the newest frame, nil if there is none.
func (m *Machine) panicOf(t *thread) *unwinding {
	if n := len(t.panics); n > 0 && int(t.panics[n-1].depth) == len(t.frames) {
		return &t.panics[n-1]
	}
	return nil
}

// throw begins a panic with a runtime error.
func (m *Machine) throw(t *thread, text string, pos int32) ctl {
	return m.panics(t, [2]ir.Word{ir.Word(m.prog.RuntimeError), m.prog.Strings.Number(text)}, pos)
}

// panics begins a panic. A value of type 0 is the text of a runtime error that code cannot
// recover.
func (m *Machine) panics(t *thread, value [2]ir.Word, pos int32) ctl {
	if m.ghost.on {
		return m.wrong("a directive panics", pos)
	}
	m.rounds.watch.Off()
	t.panics = append(t.panics, unwinding{value: value, pos: pos})
	return m.unwind(t)
}

// unwind goes on with a panic that is not recovered: it makes the next deferred call.
// Older panics end whose deferred calls this one leaves.
func (m *Machine) unwind(t *thread) ctl {
	for len(t.frames) > 0 {
		n, depth := len(t.panics)-1, int32(len(t.frames))
		for n > 0 && t.panics[n-1].depth >= depth {
			t.panics[n-1] = t.panics[n]
			t.panics, n = t.panics[:n], n-1
		}
		t.panics[n].depth = depth
		f := &t.frames[depth-1]
		if m.prog.Funcs[f.fn].Defers >= 0 {
			if c := m.runDefers(t); c != next {
				return c
			}
		}
		m.pop(t)
	}
	p := &t.panics[len(t.panics)-1]
	if fn := m.describer(p.value); fn >= 0 && len(t.panics) == 1 {
		p.depth = 0
		copy(m.push(t, fn), m.dynamicValue(p.value[:]))
		return moved
	}
	return m.die(t, m.panicText(p.value), p.pos)
}

// describer is the method Error of a value that an operation panics with, -1 if it has none.
// It runs when all calls of the operation have ended.
func (m *Machine) describer(value [2]ir.Word) int32 {
	if value[0] == ir.Word(m.prog.RuntimeError) {
		return -1
	}
	for n, fn := range m.prog.Types[value[0]].Methods {
		if _, ok := m.prog.Types[m.prog.RuntimeError].Methods[n]; ok && m.prog.Methods[n] == "Error" && m.prog.Funcs[fn].Code[0].Op != ir.Fail {
			return int32(fn)
		}
	}
	return -1
}

// panicText is a panic's value as text.
func (m *Machine) panicText(value [2]ir.Word) string {
	if value[0] == ir.Word(m.prog.RuntimeError) {
		return m.prog.Strings.Text(value[1])
	}
	var text strings.Builder
	m.drawInterface(&text, value[:], 0)
	return text.String()
}

// die ends an operation that panics.
func (m *Machine) die(t *thread, text string, pos int32) ctl {
	if t.op < 0 {
		m.fault = &Fault{Kind: Crash, Text: "panic: " + text, Pos: pos, Threads: []int{int(m.cur)}}
		return stop
	}
	m.answer = m.shared.results.number(&Result{Op: int(t.op), Panic: text, Pos: pos})
	if m.tracer != nil {
		m.tracer.ended(t)
	}
	m.disown(t)
	t.reset()
	return ended
}

// recovers stops the panic that has made the deferred call that runs, if one has, and gives its
// value.
func (m *Machine) recovers(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	dst := regs[in.Dst:][:2]
	clear(dst)
	n := len(t.panics) - 1
	if n < 0 || t.panics[n].recovered || int(t.panics[n].depth) != len(t.frames)-1 {
		return next
	}
	if t.panics[n].value[0] == 0 {
		return m.notCovered("a recover of: "+m.panicText(t.panics[n].value), in.Pos)
	}
	t.panics[n].recovered = true
	copy(dst, t.panics[n].value[:])
	return next
}

// nilPanic is what a panic with nil panics with.
const nilPanic = "panic called with nil argument"
