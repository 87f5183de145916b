package machine

import (
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// ghosts is what a step does for the directives of a policy.
type ghosts struct {
	on        bool   // a directive runs: what it reads nobody sees, and it writes nothing
	inside    bool   // and what runs is an expression of it, which has no directives itself
	made      int    // objects from there on are the directive's own
	receiver  int32  // the thread whose receiving rule runs; -1: the thread that makes the step
	rule      bool   // a receiving rule runs, or a condition of one
	scratch   thread // runs functions of directives
	result    ir.Word
	message   []ir.Word
	words     []ir.Word
	enabled   []receiving
	announced []Announced
	dropped   bool // the step follows from a wrong guess
	guessed   bool // such a step was left out from the state that is expanded
	accesses  int  // Machine.accesses before the step
}

// receiving is a rule that is enabled in a thread.
type receiving struct {
	thread int32
	rule   int
}

// directed is the thread of whose operation a directive speaks.
func (m *Machine) directed() int32 {
	if m.ghost.receiver >= 0 {
		return m.ghost.receiver
	}
	return m.cur
}

// ghostly makes a part of a directive.
func (m *Machine) ghostly(in *ir.Instr, regs []ir.Word) ctl {
	g := &m.ghost
	m.rounds.outside = m.chosen
	if m.setup && in.M != ir.GhostBegin && in.M != ir.GhostEnd {
		if kind := in.M; kind == ir.GhostRuns || kind == ir.GhostIn || kind == ir.GhostOwns || kind == ir.GhostGuessed {
			regs[in.Dst] = 0
		}
		return next
	}
	var th *thread
	if !m.setup {
		th = &m.state.threads[m.directed()]
	}
	switch in.M {
	case ir.GhostBegin:
		if g.inside {
			return m.wrong("a directive calls a function that has directives", in.Pos)
		}
		if !g.on {
			g.made = len(m.state.objs)
		}
		g.on, g.inside = true, true
		if !m.setup {
			m.shared.met(in.Pos, m.synced || len(m.accesses) > g.accesses || g.receiver >= 0)
		}
	case ir.GhostEnd:
		g.on, g.inside = false, false
	case ir.GhostRuns:
		regs[in.Dst] = boolWord(th.op == in.To)
	case ir.GhostIn:
		regs[in.Dst] = boolWord(th.state == in.To)
	case ir.GhostGoto:
		if th.op >= 0 {
			th.state = in.To
		}
	case ir.GhostOwn:
		if p := m.val(regs, in.A); th.op >= 0 && p != 0 && !slices.Contains(th.owned, p) {
			th.owned = append(th.owned, p)
			if m.shared.options.Published {
				return m.mark(th, p, in)
			}
		}
	case ir.GhostOwns:
		regs[in.Dst] = boolWord(slices.Contains(th.owned, m.val(regs, in.A)))
	case ir.GhostGuess, ir.GhostGuessed, ir.GhostAssume:
		return m.guess(th, in, regs)
	case ir.GhostAnnounce:
		return m.announce(in, regs)
	case ir.GhostBroadcast:
		return m.broadcast(in, regs)
	}
	return next
}

// The bits of a guess.
const (
	guessMade uint32 = 1 << iota
	guessTrue
	guessOut
	guessBits = iota
)

// guess makes a guess, looks at it, or drops the step if it was wrong. A guess turns out once, by
// what does not depend on guesses: so each execution has a run in which all of them are right.
func (m *Machine) guess(th *thread, in *ir.Instr, regs []ir.Word) ctl {
	shift := guessBits * in.To
	is := th.guesses >> shift
	switch {
	case in.M == ir.GhostGuessed:
		regs[in.Dst] = boolWord(is&guessTrue != 0)
	case th.op < 0 || in.M == ir.GhostAssume && is&guessMade == 0:
	case in.M == ir.GhostGuess && is&guessMade != 0:
		return m.wrong(m.prog.Policy.Guesses[in.To]+" is guessed twice by one operation", in.Pos)
	case in.M == ir.GhostGuess:
		th.guesses |= (guessMade | guessTrue*uint32(m.choose(2))) << shift
	case is&guessOut != 0:
		return m.wrong("the guess "+m.prog.Policy.Guesses[in.To]+" turns out twice in one operation", in.Pos)
	case boolWord(is&guessTrue != 0) != m.val(regs, in.A):
		m.ghost.guessed, m.ghost.dropped = true, true
		return block
	default:
		th.guesses |= guessOut << shift
	}
	return next
}

// open reports whether the thread's operation has a guess that is yet to turn out.
func (th *thread) open() bool {
	for is := th.guesses; is != 0; is >>= guessBits {
		if is&(guessMade|guessOut) == guessMade {
			return true
		}
	}
	return false
}

// met notes that a directive was executed: bound, if others may see what the step did before it.
func (s *Shared) met(pos int32, bound bool) {
	was := s.directives[pos].Load()
	if is := was | 1 | uint32(boolWord(bound))<<1; is != was {
		s.directives[pos].Or(is)
	}
}

// Directives lists the places of directives that no step has executed, and of those that no step
// has executed behind anything that others see: they take effect at the call, or at a read of what
// is never written.
func (s *Shared) Directives() (never, loose []int32) {
	if s.prog.Policy == nil {
		return nil, nil
	}
	seen, own := map[int32]bool{}, map[int]bool{}
	for _, r := range s.prog.Policy.Rules {
		own[r.If], own[r.Do] = true, true
		if s.directives[r.Pos].Load() == 0 {
			never = append(never, r.Pos)
		}
	}
	for _, i := range s.prog.Policy.Invariants {
		own[i.Func] = true
	}
	for n, f := range s.prog.Funcs {
		for i := 0; i < len(f.Code) && !own[n]; i++ {
			in := &f.Code[i]
			if in.Op != ir.Ghost || in.M != ir.GhostBegin || in.Pos == 0 || seen[in.Pos] {
				continue
			}
			seen[in.Pos] = true
			switch s.directives[in.Pos].Load() {
			case 0:
				never = append(never, in.Pos)
			case 1:
				if !onlyOwns(f.Code[i+1:]) {
					loose = append(loose, in.Pos)
				}
			}
		}
	}
	slices.Sort(never)
	slices.Sort(loose)
	return never, loose
}

// onlyOwns reports whether a directive, from after its begin, does nothing but own objects: then it
// does not matter when.
func onlyOwns(code []ir.Instr) bool {
	for i := range code {
		if in := &code[i]; in.Op == ir.Ghost && in.M != ir.GhostOwn {
			return in.M == ir.GhostEnd
		}
	}
	return true
}

// wrong is the fault of a directive.
func (m *Machine) wrong(text string, pos int32) ctl {
	m.fault = &Fault{Kind: Unsound, Text: text, Pos: m.place(pos), Threads: []int{int(m.directed())}}
	return stop
}

// announce announces an operation of the thread, or of a partner.
func (m *Machine) announce(in *ir.Instr, regs []ir.Word) ctl {
	t := m.directed()
	if in.C == 1 {
		if m.view != nil && t == standIn {
			return m.view.tooMuch(in)
		}
		p := m.val(regs, in.A)
		if t = m.owner(p); t < 0 && m.view != nil {
			return m.view.announce(in, regs, p)
		}
		if t < 0 {
			return m.wrong("an operation is announced for the owner of what nobody owns", in.Pos)
		}
	}
	th := &m.state.threads[t]
	switch {
	case th.op == in.To:
	case in.C == 0:
		return next
	default:
		return m.wrong(m.nameOf(in.To)+" is announced for a goroutine that runs "+m.nameOf(th.op), in.Pos)
	}
	words := m.ghost.words[:0]
	for _, a := range in.Args {
		words = append(words, m.vals(regs, a.At, a.N)...)
	}
	m.ghost.words = words
	if args := words[:in.N]; !slices.Equal(args, m.shared.bounds.Calls[th.call].Args) {
		return m.wrong(m.nameOf(in.To)+" is announced with other arguments than those it was called with", in.Pos)
	}
	a := Announced{Thread: int(t), Answer: m.answered(int(in.To), words[in.N:]), Pos: m.place(in.Pos)}
	m.ghost.announced = append(m.ghost.announced, a)
	if m.view != nil {
		e := Sent{Call: th.call, Answer: a.Answer, Pos: a.Pos}
		if t == standIn {
			e.Partner, e.Reply, e.owns = true, true, th.owned[0]
		}
		m.view.sent = append(m.view.sent, e)
	}
	if m.tracer != nil {
		m.tracer.announced(a)
	}
	return next
}

func (m *Machine) nameOf(op int32) string { return m.prog.Ops[op].Method }

// owner is the thread that owns what p points to, -1 if there is none.
func (m *Machine) owner(p ir.Word) int32 {
	for t := range m.state.threads {
		if slices.Contains(m.state.threads[t].owned, p) {
			return int32(t)
		}
	}
	return -1
}

// broadcast lets all other threads receive a message, in any order: those whose rules are
// enabled when it is sent.
func (m *Machine) broadcast(in *ir.Instr, regs []ir.Word) ctl {
	g := &m.ghost
	g.message = g.message[:0]
	for _, a := range in.Args {
		g.message = append(g.message, m.vals(regs, a.At, a.N)...)
	}
	if m.view != nil {
		return m.view.broadcast(in, regs)
	}
	g.enabled = g.enabled[:0]
	for t := range m.state.threads {
		if int32(t) == m.cur {
			continue
		}
		for r := range m.prog.Policy.Rules {
			ok, c := m.receives(int32(t), r, in)
			if c != next {
				return c
			}
			if ok {
				g.enabled = append(g.enabled, receiving{int32(t), r})
			}
		}
	}
	for len(g.enabled) > 0 {
		x := g.enabled[m.choose(len(g.enabled))]
		g.enabled = slices.DeleteFunc(g.enabled, func(y receiving) bool { return y.thread == x.thread })
		m.shared.met(m.prog.Policy.Rules[x.rule].Pos, true)
		if c := m.ghostCall(m.prog.Policy.Rules[x.rule].Do, x.thread); c != next {
			return c
		}
	}
	return next
}

// receives reports whether a thread receives the message by a rule.
func (m *Machine) receives(t int32, rule int, in *ir.Instr) (bool, ctl) {
	r, th := &m.prog.Policy.Rules[rule], &m.state.threads[t]
	if th.op != int32(r.Op) || r.Message != int(in.To) || r.After != (in.C == 1) || r.State >= 0 && th.state != int32(r.State) {
		return false, next
	}
	c := m.ghostCall(r.If, t)
	return m.ghost.result != 0, c
}

// ghostCall calls a function of a directive to its end: of a thread's rule, with its arguments and
// the message; of thread -1, an invariant. The function is one directive.
func (m *Machine) ghostCall(fn int, of int32) ctl {
	g := &m.ghost
	t := &g.scratch
	t.reset()
	to := m.push(t, int32(fn))
	n := copy(to, m.shared.self)
	on, rule, receiver, was := g.on, g.rule, g.receiver, g.inside
	if of >= 0 {
		n += copy(to[n:], m.shared.bounds.Calls[m.state.threads[of].call].Args)
		copy(to[n:], g.message)
		g.rule, g.receiver = true, of
	}
	if !g.on {
		g.made = len(m.state.objs)
	}
	g.on, g.inside = true, false
	c := moved
	for c == moved {
		c = m.runFrame(t)
	}
	g.on, g.rule, g.receiver, g.inside = on, rule, receiver, was
	switch {
	case c == ended:
		return next
	case c == stop || g.dropped:
		return c
	}
	return m.wrong("a directive waits", m.prog.Funcs[fn].Pos)
}

// ghostTouch is an access of a directive: it changes only what it has made.
func (m *Machine) ghostTouch(o *object, p ir.Word, n int32, write, frozen bool, pos int32) ctl {
	switch {
	case write && m.dynamic(p) >= m.ghost.made:
	case write:
		return m.wrong("a directive changes memory", pos)
	case m.ghost.rule && o.owner == shared && !frozen && !m.fixed(o, int32(ir.Slot(p)), n):
		return m.wrong("a receiving rule reads what others change: it sees the operation's arguments and the message", pos)
	}
	return next
}

// holdAtStart checks the invariants in the state that is expanded.
func (m *Machine) holdAtStart() *Fault {
	m.state.copyFrom(&m.base, len(m.shared.frozenWords))
	m.cur, m.fault, m.ghost.on, m.ghost.inside, m.ghost.receiver = 0, nil, false, false, -1
	m.begins()
	m.hold()
	return m.fault
}

// hold checks the invariants in the state that was reached.
func (m *Machine) hold() {
	if m.prog.Policy == nil {
		return
	}
	for i := range m.prog.Policy.Invariants {
		inv := &m.prog.Policy.Invariants[i]
		if c := m.ghostCall(inv.Func, -1); c == next && m.ghost.result == 0 {
			m.wrong("the invariant "+inv.Text+" does not hold", inv.Pos)
		}
		if m.fault != nil {
			return
		}
	}
}
