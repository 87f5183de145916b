package machine

import (
	"bytes"
	"context"
	"fmt"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// Machine expands states. It is for one goroutine at a time.
type Machine struct {
	shared *Shared
	prog   *ir.Program
	kinds  *kinds

	base, state state  // what is expanded; what the step makes of it
	expanded    []byte // the form of base after Expand, else empty
	canon       canon
	form        []byte
	sigMark     uint32 // see canon
	sigOf       uint32
	sigLast     int32

	setup  bool // there is one thread, and everything is its own
	seeds  []seed
	seeded []bool // by object: they reach it

	// The step that is made.
	cur      int32
	synced   bool   // its synchronization operation is done
	steps    int    // instructions
	alarm    int    // how many there are when somebody looks
	work     int    // instructions of all steps
	dynamics []byte // see Result.Dynamics
	rounds   rounds
	answer   int32
	fault    *Fault
	again    bool
	expired  error // there is no time for the step
	choices  []int32
	most     []int32 // how many there are of each choice
	chosen   int
	accesses []access        // of all steps from the state that is expanded
	many     map[access]bool // those after the first few
	step     Step
	results  []ir.Word // of the set-up
	held     []ir.Word // see swapped
	local    map[resultKey]int32
	ghost    ghosts
	view     *Viewer // states are views
	tracer   *tracer
	final    []byte // after Trace
}

// ctl says how a thread goes on after an instruction.
type ctl uint8

const (
	next  ctl = iota // with the next instruction
	moved            // with what its newest frame says
	pause            // the step ends before this instruction
	block            // this instruction waits, so there is no step
	ended            // the operation or the goroutine has ended
	stop             // with Machine.fault, or again
)

// Expand yields all steps from a state, and their faults.
func (m *Machine) Expand(form []byte, yield func(*Step) error) error {
	m.decode(&m.base, form)
	m.expanded = append(m.expanded[:0], form...)
	m.accesses = m.accesses[:0]
	m.ghost.guessed = false
	if m.prog.Policy != nil && bytes.Equal(form, m.shared.start) {
		if f := m.holdAtStart(); f != nil {
			return yield(&Step{Call: -1, Answer: -1, Fault: f})
		}
	}
	twins := uint64(0)
	for t := range m.base.threads {
		th := &m.base.threads[t]
		var err error
		switch {
		case th.running():
			err = m.explore(t, -1, yield)
		case th.left == 0:
		case m.shared.bounds.Plans != nil:
			plan := m.shared.bounds.Plans[t]
			err = m.explore(t, plan[len(plan)-int(th.left)], yield)
		default:
			if twin := m.twin(t); twin >= 0 {
				twins |= 1 << twin
				continue
			}
			for c := range m.shared.bounds.Calls {
				if f := m.shared.bounds.Calls[c].Fresh; f != 0 && f != int(m.base.fresh)+1 {
					continue
				}
				if err = m.explore(t, int32(c), yield); err != nil {
					break
				}
			}
		}
		if err != nil {
			return err
		}
	}
	if f := m.race(twins); f != nil {
		m.step = Step{Thread: f.Threads[0], Call: -1, Answer: -1, Fault: f}
		return yield(&m.step)
	}
	return nil
}

// twin is a thread before an idle one that may make the same steps, -1 if there
// is none.
func (m *Machine) twin(t int) int {
	if m.shared.options.NoSymmetry {
		return -1
	}
	for u := range t {
		if a := &m.base.threads[u]; !a.running() && a.left == m.base.threads[t].left {
			return u
		}
	}
	return -1
}

// explore makes a thread's next step in all ways. A call of -1 goes on.
func (m *Machine) explore(t int, call int32, yield func(*Step) error) error {
	m.choices, m.most = m.choices[:0], m.most[:0]
	clear(m.rounds.met)
	for {
		c := m.make(t, call)
		switch {
		case m.again:
			return ErrAgain
		case m.expired != nil:
			return m.expired
		}
		if c != block {
			if err := yield(&m.step); err != nil {
				return err
			}
		}
		if m.fault != nil && m.fault.Limit { // there may be as many ways as instructions
			return nil
		}
		if !m.nextChoice() {
			return nil
		}
	}
}

// make makes a thread's next step, with the choices.
func (m *Machine) make(t int, call int32) ctl {
	m.state.copyFrom(&m.base, len(m.shared.frozenWords))
	m.cur, m.synced, m.answer, m.fault, m.again, m.chosen = int32(t), false, -1, nil, false, 0
	m.begins()
	m.ghost.on, m.ghost.inside, m.ghost.receiver, m.ghost.announced = false, false, -1, m.ghost.announced[:0]
	m.ghost.accesses, m.ghost.dropped = len(m.accesses), false
	if m.view != nil {
		m.view.sent = m.view.sent[:0]
	}
	if call >= 0 {
		m.begin(t, call)
	}
	c := pause
	if call < 0 || !m.shared.options.NoFusion {
		c = m.run(t)
		m.work += m.steps
	}
	if m.ghost.on && c != stop && !m.ghost.dropped {
		c = m.wrong("a directive waits", 0)
	}
	if c == block && m.shared.options.Begin && (call >= 0 || m.steps > 1) {
		c = pause // what it did until here was its own
	}
	if m.again || m.expired != nil || c == block {
		return c
	}
	if m.fault == nil {
		m.hold()
		m.tell()
	}
	m.step = Step{Thread: t, Call: call, Answer: m.answer, Choices: m.choices, Fault: m.fault, Next: m.form[:0], Announced: m.ghost.announced}
	if m.fault == nil && m.view == nil {
		m.dropEnded()
		m.form, m.step.Perm = m.encode(m.form[:0])
		m.step.Next, m.step.Perm = m.form, m.step.Perm[:m.shared.bounds.Threads]
		for i := range m.state.threads {
			m.step.Open = m.step.Open || m.state.threads[i].open()
		}
	}
	return c
}

// nextChoice makes the choices the next ones, and reports whether there are any.
func (m *Machine) nextChoice() bool {
	for n := len(m.choices) - 1; n >= 0; n-- {
		if m.choices[n]++; m.choices[n] < m.most[n] {
			return true
		}
		m.choices, m.most = m.choices[:n], m.most[:n]
	}
	return false
}

// choose is the next choice among n.
func (m *Machine) choose(n int) int {
	if n <= 1 {
		return 0
	}
	if m.setup {
		m.shared.chosen = true
		return 0
	}
	if m.chosen == len(m.choices) {
		m.choices, m.most = append(m.choices, 0), append(m.most, int32(n))
	}
	m.chosen++
	m.rounds.outside = m.chosen
	return int(m.choices[m.chosen-1])
}

// chooseAlone is choose where nothing but the thread's own state depends on it.
func (m *Machine) chooseAlone(n int) int {
	outside := m.rounds.outside
	i := m.choose(n)
	m.rounds.outside, m.rounds.chose = outside, true
	return i
}

// begin begins an operation.
func (m *Machine) begin(t int, call int32) {
	c := &m.shared.bounds.Calls[call]
	th := &m.state.threads[t]
	if m.shared.bounds.Ops >= 0 {
		th.left--
	}
	th.op = int32(c.Op)
	if m.prog.Policy != nil {
		th.call = call
	}
	if c.Fresh != 0 {
		m.state.fresh++
	}
	regs := m.push(th, int32(m.prog.Ops[c.Op].Func))
	copy(regs[copy(regs, m.shared.self):], c.Args)
	if m.tracer != nil {
		m.tracer.called(th, call)
	}
}

// dropEnded drops goroutines that operations started and that have ended.
func (m *Machine) dropEnded() {
	ts := m.state.threads
	n := m.shared.bounds.Threads
	for i := n; i < len(ts); i++ {
		if ts[i].running() {
			ts[n], ts[i] = ts[i], ts[n]
			m.state.past.Swap(n, i)
			n++
		}
	}
	m.state.threads = ts[:n]
}

// toTheEnd runs the only thread until it ends, during the set-up.
func (m *Machine) toTheEnd(ctx context.Context, what string, results []ir.Word) error {
	m.results, m.fault = results, nil
	m.begins()
	switch c := m.run(0); {
	case m.expired != nil:
		return m.expired
	case c == ended:
		return ctx.Err()
	case c == stop:
		return fmt.Errorf("%s: %w", what, m.fault)
	case c == block && len(m.seeds) > 0:
		t := &m.state.threads[0]
		f := &t.frames[len(t.frames)-1]
		m.notCovered(what+" waits for a goroutine that it has started", m.prog.Funcs[f.fn].Code[f.pc].Pos)
		return m.fault
	case c == block:
		return fmt.Errorf("%s waits for ever", what)
	}
	return fmt.Errorf("%s does not end", what)
}

// Status is what is left to do in a state.
func (m *Machine) Status(form []byte) Status {
	if !bytes.Equal(form, m.expanded) {
		m.decode(&m.base, form)
		m.expanded = m.expanded[:0]
	}
	s := Status{Guessed: len(m.expanded) > 0 && m.ghost.guessed}
	for t := range m.base.threads {
		th := &m.base.threads[t]
		if t >= m.shared.bounds.Threads {
			s.Others++
			continue
		}
		s.Left = append(s.Left, int(th.left))
		if th.running() {
			s.Running = append(s.Running, t)
		}
		s.Next = append(s.Next, m.mayCall(t))
	}
	return s
}

// mayCall lists the calls with which a thread may begin an operation.
func (m *Machine) mayCall(t int) (calls []int32) {
	th, b := &m.base.threads[t], &m.shared.bounds
	switch {
	case th.running() || th.left == 0:
	case b.Plans != nil:
		return b.Plans[t][len(b.Plans[t])-int(th.left):][:1]
	default:
		for c := range b.Calls {
			if f := b.Calls[c].Fresh; f == 0 || f == int(m.base.fresh)+1 {
				calls = append(calls, int32(c))
			}
		}
	}
	return calls
}
