package machine

import (
	"fmt"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// val is an operand: a register, or a constant if it is negative.
func (m *Machine) val(regs []ir.Word, x int32) ir.Word {
	if x < 0 {
		return m.prog.Consts[^x]
	}
	return regs[x]
}

// vals are n words of an operand.
func (m *Machine) vals(regs []ir.Word, x, n int32) []ir.Word {
	if x < 0 {
		return m.prog.Consts[^x:][:n]
	}
	return regs[x:][:n]
}

// run runs a thread to the end of its step.
func (m *Machine) run(t int) ctl {
	for {
		// The thread may have moved: go statements make new ones.
		if c := m.runFrame(&m.state.threads[t]); c != moved {
			return c
		}
	}
}

// runFrame runs the newest call of a thread, until control leaves it.
func (m *Machine) runFrame(t *thread) ctl {
	f := &t.frames[len(t.frames)-1]
	code := m.prog.Funcs[f.fn].Code
	regs := t.regs[f.base:]
	for pc := f.pc; ; pc++ {
		in := &code[pc]
		f.pc = pc
		if m.steps++; m.steps > m.alarm || len(m.state.words) > mostStepWords {
			if c := m.alarmed(t, in); c != next {
				return c
			}
		}
		switch in.Op {
		case ir.Move:
			if in.N == 1 {
				regs[in.Dst] = m.val(regs, in.A)
			} else {
				copy(regs[in.Dst:], m.vals(regs, in.A, in.N))
			}
			continue
		case ir.Jump, ir.If:
			to := in.To
			if in.Op == ir.If && m.val(regs, in.A) == 0 {
				to = in.M
			}
			if to <= pc && (m.steps > unseen || m.rounds.chose) {
				if c := m.round(t, to, in.Pos); c != next {
					return c
				}
			}
			pc = to - 1
			continue
		case ir.Eq, ir.Ne:
			if in.Num != ir.F32 && in.Num != ir.F64 { // the same number, the same word
				regs[in.Dst] = boolWord((m.val(regs, in.A) == m.val(regs, in.B)) == (in.Op == ir.Eq))
				continue
			}
		case ir.FieldAddr:
			if p := m.val(regs, in.A); p != 0 {
				regs[in.Dst] = p + ir.Word(in.N)
				continue
			}
		}
		if c := m.instr(t, in, regs); c != next {
			return c
		}
	}
}

// instr makes an instruction, other than a jump; the frame is at it.
func (m *Machine) instr(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	switch in.Op {
	case ir.FieldAddr:
		return m.throw(t, nilDereference, in.Pos)
	case ir.Alloc:
		regs[in.Dst] = ir.Pointer(m.alloc(in.To, int(in.N), m.cur), 0)
		return next
	case ir.Load, ir.AtomicLoad:
		return m.load(t, in, regs)
	case ir.Store, ir.AtomicStore:
		return m.write(t, in, regs)
	case ir.AtomicSwap, ir.AtomicCAS, ir.AtomicAdd, ir.AtomicAnd, ir.AtomicOr:
		return m.atomic(t, in, regs)
	case ir.Lock, ir.TryLock, ir.Unlock:
		return m.lock(t, in, regs)
	case ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem, ir.And, ir.Or, ir.Xor, ir.AndNot, ir.Shl, ir.Shr, ir.Eq, ir.Ne, ir.Lt, ir.Le,
		ir.Neg, ir.Com, ir.Not, ir.Convert:
		return m.number(t, in, regs)
	case ir.Call, ir.CallClosure:
		return m.call(t, in, regs)
	case ir.Return:
		return m.leave(t, in, regs)
	case ir.Fail:
		return m.notCovered(m.prog.Strings.Text(ir.Word(in.To)), in.Pos)
	}
	return m.special(t, in, regs)
}

// mostStepWords bounds the memory that one step takes.
const mostStepWords = 1 << 26

// untilAlarm is after how many instructions of a step somebody looks whether there is time left.
const untilAlarm = 1 << 14

// alarmed is called before an instruction if much was done in a step, or if a round is followed.
func (m *Machine) alarmed(t *thread, in *ir.Instr) ctl {
	switch w := &m.rounds.watch; {
	case m.steps > m.shared.options.MostSteps:
		return m.beyond(fmt.Sprintf("a step of more than %s", wording.Count(m.shared.options.MostSteps, "instruction")), in.Pos)
	case len(m.state.words) > mostStepWords:
		return m.beyond(fmt.Sprintf("a step that makes more than %s of memory", wording.Count(mostStepWords, "word")), in.Pos)
	case w.On() && m.steps < m.rounds.until:
		f := &t.frames[len(t.frames)-1]
		w.Does(in, m.prog.Funcs[f.fn], len(t.frames), t.regs, f.base)
	default:
		w.Off()
		m.alarm = min(m.steps+untilAlarm, m.shared.options.MostSteps)
		if !m.ghost.on {
			m.expired = m.shared.ctx.Err()
		}
		if m.expired != nil {
			return stop
		}
	}
	return next
}

// begins is called when a step begins, or what belongs to none.
func (m *Machine) begins() {
	m.steps, m.alarm, m.expired = 0, min(untilAlarm, m.shared.options.MostSteps), nil
	m.rounds.reset()
}

// watch follows a round from a place where a step is, after ever more instructions.
func (m *Machine) watch(at Place, base int32) {
	if r := &m.rounds; !r.watch.On() && m.steps > r.after {
		r.until = m.steps + m.steps/128 + unseen/4
		r.after, m.alarm = 2*r.until, 0
		r.watch.Begin(at, base, m.prog.Consts, m.objects(), func(p ir.Word) ir.Word { o, _ := m.find(p); return m.at(o, p, 1)[0] })
	}
}

// number computes with numbers and strings.
func (m *Machine) number(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	var panics string
	a := m.val(regs, in.A)
	switch in.Op {
	case ir.Neg, ir.Com, ir.Not:
		regs[in.Dst] = Unary(in.Op, in.Num, a)
	case ir.Convert:
		regs[in.Dst] = Convert(m.prog.Strings, in.Num, in.From, a)
	case ir.Shl, ir.Shr:
		regs[in.Dst], panics = Shift(in.Op, in.Num, in.From, a, m.val(regs, in.B))
	default:
		if in.Num == ir.Str {
			regs[in.Dst] = Strings(m.prog.Strings, in.Op, a, m.val(regs, in.B))
			break
		}
		regs[in.Dst], panics = Binary(in.Op, in.Num, a, m.val(regs, in.B))
	}
	if panics != "" {
		return m.throw(t, panics, in.Pos)
	}
	return next
}

// push makes a frame of a function, with zero registers.
func (m *Machine) push(t *thread, fn int32) (regs []ir.Word) {
	base := len(t.regs)
	t.regs = appendZero(t.regs, len(m.prog.Funcs[fn].Kinds))
	t.frames = append(t.frames, frame{fn: fn, base: int32(base)})
	return t.regs[base:]
}

// call makes a call of a function or closure.
func (m *Machine) call(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	fn := in.To
	var captured []ir.Word
	if in.Op == ir.CallClosure {
		p := m.val(regs, in.A)
		if p == 0 {
			return m.throw(t, nilDereference, in.Pos)
		}
		o, _ := m.find(p) // a closure is never written
		words := m.state.words[o.off:][:o.n]
		fn, captured = int32(words[0]), words[1:]
	}
	if in.Mode != ir.Now {
		return m.later(t, in, fn, nil, captured, regs)
	}
	return m.enter(t, in, fn, nil, captured, regs)
}

// enter makes a frame and its parameters: the receiver's words, the arguments, what the
// closure has captured.
func (m *Machine) enter(t *thread, in *ir.Instr, fn int32, receiver, captured, regs []ir.Word) ctl {
	to := m.push(t, fn)
	n := copy(to, receiver)
	for _, a := range in.Args {
		n += copy(to[n:], m.vals(regs, a.At, a.N))
	}
	n += copy(to[n:], captured[:min(len(captured), int(m.prog.Funcs[fn].Captured))])
	if m.rounds.watch.On() {
		m.rounds.watch.Enter(t.frames[len(t.frames)-1].base, len(to), len(receiver))
	}
	if len(t.frames) > m.shared.options.MostFrames/2 {
		return m.deeper(t, fn, to[:n], in.Pos)
	}
	return moved
}

// leave returns from the newest call.
func (m *Machine) leave(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	if m.synced && len(t.frames) == 1 && m.shared.options.NoFusion && !m.setup && t != &m.ghost.scratch {
		return pause
	}
	m.held = m.held[:0]
	for _, a := range in.Args {
		m.held = append(m.held, m.vals(regs, a.At, a.N)...)
	}
	if len(t.frames) == 1 && t.op >= 0 && len(t.panics) == 0 && !m.setup && t != &m.ghost.scratch {
		if c := m.readAnswer(m.prog.Ops[t.op].Results, m.held, in.Pos); c != next {
			return c
		}
	}
	m.pop(t)
	if m.panicOf(t) != nil {
		return m.deferred(t)
	}
	if len(t.frames) == 0 {
		m.end(t, m.held)
		return ended
	}
	f := &t.frames[len(t.frames)-1]
	at := &m.prog.Funcs[f.fn].Code[f.pc]
	switch at.Op {
	case ir.Call, ir.CallClosure, ir.CallMethod:
		copy(t.regs[f.base+at.Dst:], m.held)
		if m.rounds.watch.On() {
			m.rounds.watch.Returned(f.base + at.Dst)
		}
		f.pc++
		return moved
	}
	return m.deferred(t) // of a deferred call
}

// pop drops the newest frame.
func (m *Machine) pop(t *thread) {
	n := len(t.frames) - 1
	t.regs = t.regs[:t.frames[n].base]
	t.frames = t.frames[:n]
}

// end ends an operation, or a goroutine that one started.
func (m *Machine) end(t *thread, values []ir.Word) {
	switch {
	case t == &m.ghost.scratch:
		if m.ghost.result = 0; len(values) > 0 {
			m.ghost.result = values[0]
		}
		t.reset()
		return
	case m.setup:
		copy(m.results, values)
	case t.op >= 0:
		m.answer = m.answered(int(t.op), values)
	}
	if m.tracer != nil {
		m.tracer.ended(t)
	}
	m.disown(t)
	t.reset()
}

// special makes an instruction that is none of the common ones.
func (m *Machine) special(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	switch in.Op {
	case ir.Len, ir.CharAt, ir.Substring, ir.NextRune:
		return m.text(t, in, regs)
	case ir.IndexAddr, ir.Index, ir.MakeSlice, ir.Slice, ir.Append, ir.AppendStr, ir.Copy, ir.CopyStr, ir.Clear, ir.Bytes, ir.Text:
		return m.slices(t, in, regs)
	case ir.MakeMap, ir.MapGet, ir.MapSet, ir.MapDelete, ir.MapLen, ir.MapClear, ir.MapIter, ir.MapNext:
		return m.maps(t, in, regs)
	case ir.Same, ir.MakeIface, ir.Assert, ir.AssertTo:
		return m.interfaces(t, in, regs)
	case ir.CallMethod:
		return m.method(t, in, regs)
	case ir.MakeClosure:
		m.makeClosure(in, regs)
		return next
	case ir.CallNative:
		return m.native(t, in, regs)
	case ir.Choose:
		n := m.val(regs, in.A)
		if n == 0 || n > mostChoices {
			return m.notCovered("a choice among too many values", in.Pos)
		}
		regs[in.Dst] = ir.Word(m.chooseAlone(int(n)))
		return next
	case ir.Cast:
		p := m.val(regs, in.A)
		if to := m.prog.Layouts[in.To]; p != 0 && (!m.castable(p, to) || in.M == 1 && !m.arrayOf(p, to)) {
			return m.notCovered("an unsafe conversion to *"+m.prog.Layouts[in.To].Name+" of a pointer to something else", in.Pos)
		}
		regs[in.Dst] = p
		return next
	case ir.RunDefers:
		return m.runDefers(t)
	case ir.Panic:
		x := m.vals(regs, in.A, 2)
		if x[0] == 0 {
			return m.throw(t, nilPanic, in.Pos)
		}
		return m.panics(t, [2]ir.Word(x), in.Pos)
	case ir.Recover:
		return m.recovers(t, in, regs)
	case ir.RLock, ir.TryRLock, ir.RUnlock, ir.WAnnounce, ir.WLock, ir.TryWLock, ir.WUnlock:
		return m.rwLock(t, in, regs)
	case ir.CondEnter, ir.CondWait, ir.Signal, ir.WGAdd, ir.WGWait:
		return m.waiting(t, in, regs)
	case ir.PoolPut, ir.PoolGet:
		return m.pool(t, in, regs)
	case ir.MakeChan, ir.Send, ir.Recv, ir.Close, ir.ChanLen:
		return m.channel(t, in, regs)
	case ir.Select:
		return m.selects(t, in, regs)
	case ir.Ghost:
		return m.ghostly(in, regs)
	}
	return m.notCovered("an instruction that is not known", in.Pos)
}

// mostChoices is how many ways there may be to go on at one place.
const mostChoices = 1 << 16

// text makes an instruction that works on strings.
func (m *Machine) text(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	var panics string
	a := m.val(regs, in.A)
	text := m.prog.Strings.Text(a)
	switch in.Op {
	case ir.Len:
		regs[in.Dst] = ir.Word(len(text))
	case ir.CharAt:
		regs[in.Dst], panics = CharAt(text, in.Num, m.val(regs, in.B))
	case ir.Substring:
		regs[in.Dst], panics = Substring(m.prog.Strings, a, m.val(regs, in.B), m.val(regs, in.C))
	case ir.NextRune:
		ok, index, char, after := NextRune(text, m.val(regs, in.B))
		regs[in.C] = after
		regs[in.Dst], regs[in.Dst+1], regs[in.Dst+2] = ok, index, char
	}
	if panics != "" {
		return m.throw(t, panics, in.Pos)
	}
	return next
}

func (m *Machine) makeClosure(in *ir.Instr, regs []ir.Word) {
	id := m.alloc(in.N, 1, m.cur)
	words := m.wordsOf(id)
	words[0] = ir.Word(in.To)
	n := 1
	for _, a := range in.Args {
		n += copy(words[n:], m.vals(regs, a.At, a.N))
	}
	regs[in.Dst] = ir.Pointer(id, 0)
}

func (m *Machine) native(t *thread, in *ir.Instr, regs []ir.Word) ctl {
	m.held = m.held[:0]
	for _, a := range in.Args {
		m.held = append(m.held, m.vals(regs, a.At, a.N)...)
	}
	if panics := m.prog.Natives[in.To].Call(m.prog, m.held, regs[in.Dst:][:in.N]); panics != "" {
		return m.throw(t, panics, in.Pos)
	}
	return next
}
