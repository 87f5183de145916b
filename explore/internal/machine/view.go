package machine

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	for _, x := range []*state{&v.m.base, &v.m.state} {
		x.setThreads(standIn + 1) // so that a stand-in does not move the thread
		x.setThreads(1)
	}
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

// announce announces an operation of another thread that owns what p points to.
func (v *Viewer) announce(in *ir.Instr, regs []ir.Word, p ir.Word) ctl {
	m := v.m
	if p != 0 && ir.Slot(p) == 0 {
		if o, frozen := m.find(p); !frozen && o.ownedBy.call != 0 {
			return v.partner(in, regs, p, o.ownedBy.call-1)
		}
	}
	return m.wrong("an operation is announced for the owner of what nobody owns", in.Pos)
}

func (v *Viewer) partner(in *ir.Instr, regs []ir.Word, p ir.Word, number int32) ctl {
	m := v.m
	call := &m.shared.bounds.Calls[number]
	if call.Op != int(in.To) {
		return m.wrong(m.nameOf(in.To)+" is announced for a goroutine that runs "+m.nameOf(int32(call.Op)), in.Pos)
	}
	words := m.ghost.words[:0]
	for _, a := range in.Args {
		words = append(words, m.vals(regs, a.At, a.N)...)
	}
	m.ghost.words = words
	if !slices.Equal(words[:in.N], call.Args) {
		return m.wrong(m.nameOf(in.To)+" is announced with other arguments than those it was called with", in.Pos)
	}
	v.sent = append(v.sent, Sent{Call: number, Answer: m.answered(call.Op, words[in.N:]), Partner: true, Pos: m.place(in.Pos), owns: p})
	return next
}

// Accesses are those of a view's next steps, by which races of two views are found that have the
// same Global.
type Accesses struct {
	Sum   string // equal for equal ones
	Plain bool   // one of them is no synchronization

	held []ir.Word
	list []viewAccess
}

// viewAccess is an access to an object: a global one, or one of a layout.
type viewAccess struct {
	access
	layout int32
	global bool
	locked []int32 // the slots of it that the thread has locked
	// ownedBy is of an object that is not global: the mark of who owns it; own, that it is the thread.
	ownedBy ownership
	own     bool
}

// Accesses are those of the steps that Steps has made.
func (v *Viewer) Accesses() *Accesses {
	m := v.m
	x := &Accesses{held: v.inGlobals(m.base.threads[0].held)}
	var sum []byte
	for _, p := range x.held {
		sum = appendNumber(sum, p)
	}
	sum = append(sum, 0)
	for _, a := range m.accesses {
		i := m.dynamic(ir.Pointer(int(a.object), 0))
		if i < 0 || i >= len(m.base.objs) {
			continue // it is new
		}
		y := viewAccess{access: a, layout: m.base.objs[i].layout, global: i < v.globals}
		if !y.global {
			y.object = 0
			y.locked = v.slots(m.base.threads[0].held, int32(i))
			y.ownedBy, y.own = m.base.objs[i].ownedBy, len(v.slots(m.base.threads[0].owned, int32(i))) > 0
		}
		x.Plain = x.Plain || !a.atomic
		x.list = append(x.list, y)
		for _, n := range []int32{y.object, y.layout, y.slot, y.n, int32(boolWord(y.write)), int32(boolWord(y.atomic)), y.pos, y.ownedBy.call, y.ownedBy.state, int32(y.ownedBy.guesses), int32(boolWord(y.own)), int32(len(y.locked))} {
			sum = appendNumber(sum, ir.Word(n))
		}
		for _, n := range y.locked {
			sum = appendNumber(sum, ir.Word(n))
		}
	}
	x.Sum = string(sum)
	return x
}

// Race is a race of steps of two views; nil if there is none. An object that no root reaches may be
// the same in both.
func (v *Viewer) Race(a, b *Accesses) *Fault {
	if both(a.held, b.held) {
		return nil
	}
	for i := range a.list {
		for j := range b.list {
			x, y := &a.list[i], &b.list[j]
			if x.atomic && y.atomic || !x.write && !y.write || x.global != y.global || x.layout != y.layout || x.object != y.object || x.ownedBy != y.ownedBy || x.own && y.own ||
				x.slot >= y.slot+y.n || y.slot >= x.slot+x.n || slices.ContainsFunc(x.locked, func(s int32) bool { return slices.Contains(y.locked, s) }) {
				continue
			}
			if !x.write {
				x, y = y, x
			}
			name := v.m.fieldName(&object{layout: x.layout}, int(x.slot))
			return &Fault{Kind: Race, Pos: x.pos, Also: y.pos, Text: fmt.Sprintf("%s may be %s while it is %s", name, x.verb(), y.verb())}
		}
	}
	return nil
}

// Observed is where a thread first observed what does not synchronize, 0 if none did: then races need not
// show in the next steps of two views.
func (s *Shared) Observed() int32 { return s.observed.Load() }

// Word is a word of the objects of a layout.
type Word struct{ Layout, Slot int32 }

// Guards yields the words that are accessed, and the mutexes that the thread has locked there, by names that
// mean the same in all views: pointers to what is there from the start, and slots of the object itself.
func (v *Viewer) Guards(x *Accesses, yield func(w Word, write, atomic bool, locks []ir.Word, name string)) {
	for i := range x.list {
		a := &x.list[i]
		var locks []ir.Word
		for _, p := range x.held {
			if ir.Object(p) <= int(v.m.shared.base) {
				locks = append(locks, p)
			}
			if a.global && ir.Object(p) == int(a.object) {
				locks = append(locks, ir.Pointer(0, ir.Slot(p)))
			}
		}
		for _, slot := range a.locked {
			locks = append(locks, ir.Pointer(0, int(slot)))
		}
		for slot := a.slot; slot < a.slot+a.n; slot++ {
			yield(Word{a.layout, slot}, a.write, a.atomic, locks, v.m.fieldName(&object{layout: a.layout}, int(slot)))
		}
	}
}

// Code may also unlock a mutex by overwriting it. Two threads never hold the same mutex, and that
// tells which views may be of the same state: so no thread may take what another one holds.
const overwritten = "a goroutine overwrites a mutex that another one has locked"

// unlocked reports whether a mutex is not locked in a state.
func (v *Viewer) unlocked(s *state, p ir.Word) bool {
	i := v.m.dynamic(p)
	if i < 0 || i >= len(s.objs) {
		return true
	}
	return s.words[int(s.objs[i].off)+ir.Slot(p)] == 0
}

// released notes what the view's thread has unlocked by overwriting it.
func (v *Viewer) released() {
	m := v.m
	th := &m.state.threads[0]
	th.held = slices.DeleteFunc(th.held, func(p ir.Word) bool { return v.m.dynamic(p) >= 0 && v.unlocked(&m.state, p) })
}

// stolen reports whether another thread held the mutex, before the step, that the view's thread locks.
func (v *Viewer) stolen(p ir.Word) bool {
	s := &v.m.base
	return !v.unlocked(s, p) && !slices.Contains(s.threads[0].held, p)
}

// lost reports whether the view's thread no longer has a mutex locked that it holds.
func (v *Viewer) lost() bool {
	return slices.ContainsFunc(v.m.base.threads[0].held, func(p ir.Word) bool { return v.m.dynamic(p) >= 0 && v.unlocked(&v.m.state, p) })
}
