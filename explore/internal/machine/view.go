package machine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// View is what one thread sees of a state: what is reached from the roots, which all threads see,
// and the thread with what it reaches besides. Of that, others may reach what has been published.
// Two views with the same Global name the objects in it alike.
type View struct {
	Global, Thread []byte
	Objects        int // that the thread reaches
}

// Viewer makes steps of views. It is for one goroutine at a time.
type Viewer struct {
	m       *Machine
	globals int // objects of the view that are reached from the roots
	form    View
	sent    []Sent
	numbers numbering

	// While an action is applied: which objects of the view the action's are; and their places in the
	// state, where those that are none of the view's come last.
	target, places []int32
}

// ErrViews is why a program cannot be explored in views.
var ErrViews = errors.New("it is not covered for any number of goroutines")

// Viewer makes a viewer. The bounds are one thread and any number of operations, with Options.Held and
// Options.Published.
func (s *Shared) Viewer() (*Viewer, error) {
	if s.bounds.Threads != 1 || s.bounds.Ops >= 0 || s.bounds.Plans != nil || !s.options.Held || !s.options.Published {
		return nil, errors.New("machine: these are no bounds for views")
	}
	for _, c := range s.bounds.Calls {
		if c.Fresh != 0 {
			return nil, fmt.Errorf("%w: values that are made only once", ErrViews)
		}
	}
	if why := s.alone(); why != "" {
		return nil, fmt.Errorf("%w: the code uses %s", ErrViews, why)
	}
	v := &Viewer{m: s.Machine()}
	v.m.view = v
	return v, nil
}

// alone names what the program does to other threads other than through memory; "" if it does
// nothing of the kind.
func (s *Shared) alone() string {
	if len(s.seeds) > 0 {
		return "goroutines that the constructor starts"
	}
	for _, f := range s.prog.Funcs {
		for i := range f.Code {
			switch in := &f.Code[i]; in.Op {
			case ir.CondEnter, ir.CondWait, ir.Signal:
				return "sync.Cond"
			case ir.PoolPut, ir.PoolGet:
				return "sync.Pool"
			case ir.MakeChan, ir.Send, ir.Recv, ir.Close, ir.Select:
				return "channels"
			case ir.Call, ir.CallClosure, ir.CallMethod:
				if in.Mode == ir.Go {
					return "go statements"
				}
			}
		}
	}
	return ""
}

// Start is the view of an idle thread in the first state. It is valid until the next call. The
// fault is that of an invariant.
func (v *Viewer) Start() (View, *Fault) {
	m := v.m
	m.decode(&m.base, m.shared.start)
	if f := m.holdAtStart(); f != nil {
		return View{}, f
	}
	m.state.copyFrom(&m.base, len(m.shared.frozenWords))
	return v.encode(), nil
}

// Abstract yields the view of each thread in a state of another exploration of the program, with the
// same options. Both know the same of what is written; see
// Assume.
func (v *Viewer) Abstract(from *Machine, form []byte, yield func(thread int, view View)) {
	from.decode(&from.base, form)
	m := v.m
	for t := range from.base.threads {
		m.state.copyFrom(&from.base, len(m.shared.frozenWords))
		m.state.threads[0], m.state.threads[t] = m.state.threads[t], m.state.threads[0]
		m.state.setThreads(1)
		m.state.threads[0].left = 1
		yield(t, v.encode())
	}
}

// encode writes the machine's state as a view.
func (v *Viewer) encode() View {
	m := v.m
	c := &m.canon
	c.mark++
	v.form.Global = c.global(v.form.Global[:0])
	c.own()
	for len(c.sigs) < 1 {
		c.sigs, c.locals = append(c.sigs, nil), append(c.locals, 0)
	}
	v.form.Thread = c.thread(v.form.Thread[:0], 0)
	v.form.Objects = len(c.queue) + int(c.locals[0])
	return v.form
}

// Load makes a view the one that the viewer is about.
func (v *Viewer) Load(view View) {
	m, s := v.m, &v.m.base
	s.objs, s.words = s.objs[:0], s.words[:len(m.shared.frozenWords)]
	s.fresh = 0
	r := &reader{b: view.Global}
	for n := r.number(); n > 0; n-- {
		m.readObject(s, r, r.number(), shared)
	}
	v.globals = len(s.objs)
	s.setThreads(1)
	r = &reader{b: view.Thread, first: ir.Word(v.id(len(s.objs)) - 1)}
	m.readThread(s, r, 0)
}

// id is the number of the object at a place of the state, unless it is permanent.
func (v *Viewer) id(place int) int {
	return int(v.m.shared.base) + 1 + place - len(v.m.shared.permanent)
}

// Globals is how many objects of the view are reached from the roots.
func (v *Viewer) Globals() int { return v.globals }

// Shares reports whether the thread reaches objects that others may reach, but no root.
func (v *Viewer) Shares() bool {
	for i := range v.m.base.objs[v.globals:] {
		if v.m.base.objs[v.globals+i].owner == shared {
			return true
		}
	}
	return false
}

// ViewStep is a step of the view's thread. It is valid until the next one.
type ViewStep struct {
	Call   int32 // that it began, -1 if none
	Answer int32 // Shared.Result of the operation that it ended; -1 if none
	Next   View
	Fault  *Fault
	Events []Sent  // what directives announced and broadcast
	Action *Action // what it does to what others see
}

// Steps yields all steps of the thread of the view that was loaded.
func (v *Viewer) Steps(yield func(*ViewStep) error) error {
	m := v.m
	m.accesses = m.accesses[:0]
	each := func(s *Step) error {
		x := ViewStep{Call: s.Call, Answer: s.Answer, Fault: s.Fault}
		if s.Fault == nil {
			if len(m.state.threads) != 1 {
				return fmt.Errorf("%w: an operation starts goroutines", ErrViews)
			}
			v.released()
			x.Events = v.sent
			x.Action = v.action()
			x.Next = v.encode()
		}
		return yield(&x)
	}
	if m.base.threads[0].running() {
		return m.explore(0, -1, each)
	}
	for c := range m.shared.bounds.Calls {
		if err := m.explore(0, int32(c), each); err != nil {
			return err
		}
	}
	return nil
}

// Running is the call that the view's thread runs, -1 if it is idle.
func (v *Viewer) Running() int32 {
	if th := &v.m.base.threads[0]; th.running() && v.m.prog.Policy != nil {
		return th.call
	}
	return -1
}

// Text is the view that was loaded, in words.
func (v *Viewer) Text() string {
	m := v.m
	th := &m.base.threads[0]
	var b strings.Builder
	if !th.running() {
		return "idle"
	}
	fmt.Fprintf(&b, "in %s", m.prog.Ops[th.op].Method)
	for i := range th.frames {
		f := &th.frames[i]
		p := m.prog.Positions[m.place(m.prog.Funcs[f.fn].Code[f.pc].Pos)]
		if p.Line > 0 {
			fmt.Fprintf(&b, " at %s:%d", p.File, p.Line)
		}
	}
	return b.String()
}

// ForViews is New with bounds and options for a Viewer.
func ForViews(ctx context.Context, p *ir.Program, calls []Call) (*Shared, error) {
	return New(ctx, p, Bounds{Threads: 1, Ops: -1, Calls: calls}, Options{Held: true, Published: true})
}
