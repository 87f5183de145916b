package machine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// tracer notes what threads do. Threads and objects have names that stay while their
// numbers change from state to state.
type tracer struct {
	m       *Machine
	events  []Event
	names   []string         // of the machine's objects, by place
	base    map[int32]string // of those that are there from the start, by number
	counts  map[string]int
	threads int32 // names that goroutines have
	step    int
}

// Trace makes moves from the start, and lists what happened. The last move may be one that
// fails, or two accesses that race; the error is ErrAgain, or says which move cannot be made.
func (m *Machine) Trace(moves []Move) ([]Event, error) {
	tr := &tracer{m: m, base: map[int32]string{}, counts: map[string]int{}}
	s := m.shared
	for i := range s.objects {
		tr.base[int32(i+1)] = tr.name(s.objects[i].layout)
	}
	for i, g := range s.prog.Globals {
		tr.base[int32(i+1)] = g.Name
	}
	m.tracer = tr
	defer func() { m.tracer = nil }()
	m.final = slices.Clone(s.Start())
	m.expanded = m.expanded[:0]
	m.decode(&m.base, m.final)
	for i := range m.base.threads {
		m.base.threads[i].id = int32(i)
	}
	tr.threads = int32(len(m.base.threads))
	for i := range m.base.objs {
		if i < len(s.permanent) {
			tr.names = append(tr.names, tr.base[s.permanent[i]])
		} else {
			tr.names = append(tr.names, tr.name(m.base.objs[i].layout))
		}
	}
	for i, move := range moves {
		tr.step = i
		if err := tr.move(i, move); err != nil {
			return tr.events, err
		}
		if m.step.Fault != nil {
			break
		}
	}
	return tr.events, nil
}

// move makes a move and goes on to the next state.
func (tr *tracer) move(i int, move Move) error {
	m := tr.m
	if move.Thread == Collects {
		m.state.copyFrom(&m.base, len(m.shared.frozenWords))
		m.collect()
		m.form, _ = m.encode(m.form[:0])
		tr.settle()
		return nil
	}
	if move.Thread < 0 || move.Thread >= len(m.base.threads) {
		return fmt.Errorf("move %d: there is no thread %d", i+1, move.Thread)
	}
	if i == 0 && move.Call < 0 { // nothing runs: an invariant does not hold before
		if f := m.holdAtStart(); f != nil {
			tr.events = append(tr.events, Event{Kind: FaultEvent, Pos: f.Pos, Text: f.Text})
			return nil
		}
	}
	th := &m.base.threads[move.Thread]
	if running := th.running(); running != (move.Call < 0) || !running && th.left == 0 || int(move.Call) >= len(m.shared.bounds.Calls) {
		return fmt.Errorf("move %d: thread %d is not at such a step", i+1, move.Thread)
	}
	m.choices, m.most = append(m.choices[:0], move.Choices...), m.most[:0]
	for range move.Choices {
		m.most = append(m.most, 1<<30)
	}
	m.accesses = m.accesses[:0]
	objects, before := len(tr.names), len(tr.events)
	c := m.make(move.Thread, move.Call)
	switch {
	case m.again:
		return ErrAgain
	case c == block:
		tr.names, tr.events = tr.names[:objects], tr.events[:before]
		return fmt.Errorf("move %d: thread %d waits", i+1, move.Thread)
	case m.fault != nil:
		pos := m.fault.Pos
		if m.fault.Past {
			pos = m.fault.Also
		}
		tr.events = append(tr.events, Event{Thread: int(th.id), Kind: FaultEvent, Pos: pos, Text: m.fault.Text, Step: tr.step})
		return nil
	}
	tr.settle()
	return nil
}

// settle goes on with the state that was written.
func (tr *tracer) settle() {
	m := tr.m
	names := tr.renamed()
	ids := make([]int32, len(m.state.threads))
	for i, t := range m.canon.order {
		ids[i] = m.state.threads[t].id
	}
	m.final = slices.Clone(m.form)
	m.decode(&m.base, m.final)
	for i := range ids {
		m.base.threads[i].id = ids[i]
	}
	tr.names = names
}

// leaks says that a goroutine never goes on.
func (tr *tracer) leaks(t *thread) {
	f := &t.frames[len(t.frames)-1]
	in := &tr.m.prog.Funcs[f.fn].Code[f.pc]
	tr.events = append(tr.events, Event{Thread: int(t.id), Kind: FaultEvent, Pos: in.Pos, Func: tr.m.prog.Funcs[f.fn].Name, Text: "waits for what nobody else reaches", Step: tr.step})
}

// renamed are the names by the places that objects have in the form just written.
func (tr *tracer) renamed() []string {
	m := tr.m
	first, n := m.canon.firsts()
	names := make([]string, n)
	for i := range m.state.objs {
		if m.state.objs[i].mark == m.canon.mark {
			names[m.canon.placeOf(int32(i), first)] = tr.names[i]
		}
	}
	return names
}

// name is a new name for an object: its type and a number.
func (tr *tracer) name(layout int32) string {
	name := tr.m.prog.Layouts[layout].Name
	if i := strings.LastIndexAny(name, "./"); i >= 0 && !strings.Contains(name, "[") {
		name = name[i+1:]
	}
	tr.counts[name]++
	return name + strconv.Itoa(tr.counts[name])
}

// made names an object that the program makes.
func (tr *tracer) made(layout int32) { tr.names = append(tr.names, tr.name(layout)) }

// started names a goroutine.
func (tr *tracer) started(t *thread, pos int32) {
	t.id = tr.threads
	tr.threads++
	tr.add(Event{Kind: StartEvent, Pos: pos, Text: fmt.Sprintf("starts goroutine %d", t.id+1)})
}

// add notes what the current thread does.
func (tr *tracer) add(e Event) {
	if tr.m.ghost.on && e.Kind != AnnounceEvent {
		return
	}
	t := &tr.m.state.threads[tr.m.cur]
	e.Thread, e.Step = int(t.id), tr.step
	if e.Pos != 0 && e.Kind != CallEvent {
		pos := tr.m.place(e.Pos)
		if e.Library = tr.m.prog.Positions[pos].Library; pos != e.Pos {
			e.Within, e.Library = true, tr.m.prog.Positions[e.Pos].Package()
		}
		e.Within = e.Within || tr.m.prog.Positions[pos].Within
		e.Pos = pos
	}
	if len(t.frames) > 0 {
		e.Func = tr.m.prog.Funcs[t.frames[len(t.frames)-1].fn].Name
	}
	tr.events = append(tr.events, e)
}

func (tr *tracer) called(_ *thread, call int32) {
	pos := tr.m.prog.Funcs[tr.m.prog.Ops[tr.m.shared.bounds.Calls[call].Op].Func].Pos
	tr.add(Event{Kind: CallEvent, Call: call, Pos: pos})
}

func (tr *tracer) announced(a Announced) {
	tr.add(Event{Kind: AnnounceEvent, Answer: a.Answer, Pos: a.Pos})
	e := &tr.events[len(tr.events)-1]
	e.By, e.Thread = e.Thread, int(tr.m.state.threads[a.Thread].id)
}

func (tr *tracer) ended(t *thread) {
	if t.op >= 0 {
		tr.add(Event{Kind: ReturnEvent, Answer: tr.m.answer})
	} else {
		tr.add(Event{Kind: EndEvent})
	}
}

// access notes an access to words that others see. A slice of nil words: they are read.
func (tr *tracer) access(in *ir.Instr, p ir.Word, n int32, words []ir.Word) {
	m := tr.m
	o, frozen := m.find(p)
	if m.setup || frozen || o.owner != shared {
		tr.hidden(in)
		return
	}
	e := Event{Kind: ReadEvent, Pos: in.Pos, Object: tr.object(p), Field: m.fieldOnly(o, ir.Slot(p))}
	old := m.at(o, p, n)
	e.Before = tr.draw(o, ir.Slot(p), old)
	e.After = e.Before
	if words != nil {
		e.Kind, e.After = WriteEvent, tr.draw(o, ir.Slot(p), words)
	}
	if in.Op.Class() == ir.Sync {
		e.Kind = SyncEvent
		e.Text = opText(in.Op, words != nil)
	}
	tr.add(e)
}

// hidden notes a synchronization operation on what others do not see.
func (tr *tracer) hidden(in *ir.Instr) {
	if !tr.m.setup && in.Op.Class() == ir.Sync {
		tr.add(Event{Kind: SyncEvent, Pos: in.Pos, Hidden: true})
	}
}

// did notes what a thread does with an object, in words, and with which value: words of
// the object's layout, from the first one on.
func (tr *tracer) did(in *ir.Instr, p ir.Word, text string, value []ir.Word) {
	o, frozen := tr.m.find(p)
	if tr.m.setup || frozen || o.owner != shared {
		tr.hidden(in)
		return
	}
	e := Event{Kind: SyncEvent, Pos: in.Pos, Object: tr.object(p), Field: tr.m.fieldOnly(o, ir.Slot(p)), Text: text}
	if l := tr.m.prog.Layouts[o.layout]; l.Special == ir.Chan {
		e.Field = ""
		if len(value) > 0 {
			e.After = tr.drawAs(l, l.Words, 0, value)
		}
	}
	e.Before = e.After
	tr.add(e)
}

// entry notes an access to a map: to one of its entries, or, without a key, to all of it.
func (tr *tracer) entry(in *ir.Instr, p ir.Word, key, old, value []ir.Word) {
	o, frozen := tr.m.find(p)
	if tr.m.setup || frozen || o.owner != shared {
		return
	}
	l := tr.m.prog.Layouts[o.layout]
	e := Event{Kind: ReadEvent, Pos: in.Pos, Object: tr.object(p)}
	if in.Op == ir.MapSet || in.Op == ir.MapDelete || in.Op == ir.MapClear {
		e.Kind = WriteEvent
	}
	if len(key) > 0 {
		e.Field = "[" + tr.drawAs(l, l.Words, 0, key) + "]"
		e.Before, e.After = "none", "none"
	}
	if len(old) > 0 {
		e.Before = tr.drawAs(l, l.Words, l.Key, old)
		e.After = e.Before
	}
	if len(value) > 0 {
		e.After = tr.drawAs(l, l.Words, l.Key, value)
	} else if in.Op == ir.MapDelete {
		e.After = "none"
	}
	tr.add(e)
}

// opText is a synchronization operation in words.
func opText(op ir.Op, wrote bool) string {
	switch op {
	case ir.AtomicLoad:
		return "load"
	case ir.AtomicStore:
		return "store"
	case ir.AtomicSwap:
		return "swap"
	case ir.AtomicCAS:
		if wrote {
			return "compare and swap"
		}
		return "compare and swap fails"
	case ir.AtomicAdd:
		return "add"
	case ir.AtomicAnd:
		return "and"
	case ir.AtomicOr:
		return "or"
	case ir.Lock:
		return "lock"
	case ir.TryLock:
		return "try to lock"
	case ir.Unlock:
		return "unlock"
	case ir.WGAdd:
		return "add"
	}
	return ""
}

// object is the name of what p points to.
func (tr *tracer) object(p ir.Word) string {
	if j := tr.m.dynamic(p); j >= 0 {
		return tr.names[j]
	}
	return tr.base[int32(ir.Object(p))]
}

// draw draws words of an object.
func (tr *tracer) draw(o *object, slot int, words []ir.Word) string {
	l := tr.m.prog.Layouts[o.layout]
	return tr.drawAs(l, l.Words, slot, words)
}

// drawAs draws words of kinds that repeat.
func (tr *tracer) drawAs(l *ir.Layout, kinds []ir.Kind, slot int, words []ir.Word) string {
	m := tr.m
	var all []string
	before := ir.Word(0)
	for i, w := range words {
		at := slot + i
		kind := kinds[at%len(kinds)]
		is := kind
		if kind == ir.Dynamic {
			is = m.kinds.unboxed[before]
		}
		switch {
		case is == ir.Ptr && w == 0:
			all = append(all, "nil")
		case is == ir.Ptr:
			text := tr.object(w)
			if to, _ := m.find(w); ir.Slot(w) != 0 {
				text += "." + m.fieldOnly(to, ir.Slot(w))
			}
			all = append(all, text)
		case kind == ir.Iface:
			if w == 0 {
				all = append(all, "nil")
			}
		default:
			num := ir.I64
			if at%len(l.Words) < len(l.Nums) {
				num = l.Nums[at%len(l.Words)]
			}
			all = append(all, m.basic(num, w, 1))
		}
		before = w
	}
	if len(all) == 1 {
		return all[0]
	}
	return "{" + strings.Join(all, " ") + "}"
}

// fieldOnly names a word within its object, "" if there is just one.
func (m *Machine) fieldOnly(o *object, slot int) string {
	l := m.prog.Layouts[o.layout]
	n := max(len(l.Words), 1)
	name := ""
	if i := slot % n; i < len(l.Fields) {
		name = l.Fields[i]
	}
	if int(o.n) > n && l.Special == ir.Ordinary {
		return fmt.Sprintf("[%d]%s", slot/n, name)
	}
	return name
}
