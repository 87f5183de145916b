package refine

import (
	"fmt"
	"maps"
	"slices"

	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// step is an entry with what continues it and the operation it belongs to.
type step struct {
	es []tape.Entry
	op *Op
}

// progress is how far an operation has come in a machine.
type progress struct {
	op       *Op
	applied  bool    // it took effect
	observer bool    // it has no commit: its result must fit some state
	fits     bool    // an observer's result did fit one
	floating bool    // between its last Begin and its Commit, not applied yet
	wrote    []int64 // indices of variables written before it took effect
}

// failure is why a machine cannot go on.
type failure struct {
	op             *Op
	entry          uint64
	commits, calls int // by then
	reason         string
	hint           string
}

// machine runs the specification, and the implementation's view, along a log.
// A choice of which floating operation takes effect early is asked of decide;
// between two choices it is deterministic.
type machine[S any] struct {
	*setup[S]
	decide func(m *machine[S], options int) (int, bool)

	state    S
	ops      []*progress // by process
	order    []*progress // floating or observing operations, in the order they began
	commits  int
	calls    int
	compared uint64 // the last entry after which no operation ran and the views were compared
	unsure   bool   // an operation took effect whose result is not known

	mem   *Memory
	cells map[int64][]change // what each index contributes to the view
	impl  *Bag
	last  *Bag           // the specification's view, when it was last compared
	diff  map[item]int64 // impl less spec, without zeros

	at    *Op // for messages when user code panics
	entry uint64
	doing string
}

func newMachine[S any](s *setup[S]) *machine[S] {
	m := &machine[S]{setup: s, mem: newMemory(s.names), cells: map[int64][]change{}, impl: &Bag{}, diff: map[item]int64{}}
	m.doing = "Spec.New"
	m.state = s.spec.New()
	if s.View != nil {
		m.compare()
	}
	return m
}

// step takes the next item.
func (m *machine[S]) step(it step) *failure {
	e := &it.es[0]
	m.at, m.entry = it.op, e.Seq
	for int(e.Proc) >= len(m.ops) {
		m.ops = append(m.ops, nil)
	}
	p := m.ops[e.Proc]
	switch e.What() {
	case binlog.CallEntry:
		m.call(it.op)
	case binlog.BeginEntry:
		m.begin(p, e)
	case binlog.CommitEntry:
		if !m.wide {
			return m.commit(p)
		}
	case binlog.ReturnEntry:
		return m.ret(p)
	default:
		if m.View != nil && (m.wide || it.op == nil || !it.op.brackets(e.Seq)) {
			m.mem.grow(e.Proc)
			m.mem.apply(it.es)
		}
	}
	return nil
}

func (m *machine[S]) call(op *Op) {
	m.calls++
	p := &progress{op: op, observer: !m.wide && m.observer(op.Method) && op.commit == 0}
	m.run(op.proc, p)
	switch {
	case p.observer && op.Returned:
		m.order = append(m.order, p)
		m.observe(p)
	case m.wide:
		p.floating = true
		m.order = append(m.order, p)
	}
}

// begin makes the operation float, if this Begin is the one of its commit. If
// the log ends before there is one, it may have taken effect, too.
func (m *machine[S]) begin(p *progress, e *tape.Entry) {
	if !m.wide && p.op.begun == e.Seq && (p.op.commit != 0 || !p.op.Returned) {
		p.floating = true
		m.order = append(m.order, p)
	}
}

// commit is where the operation takes effect at the latest.
func (m *machine[S]) commit(p *progress) *failure {
	for !p.applied {
		others := m.floating(p)
		if len(others) == 0 {
			return m.apply(p)
		}
		k, ok := m.decide(m, len(others)+1)
		if !ok {
			return m.fail(p.op, "seen already")
		}
		if k == 0 {
			return m.apply(p)
		}
		if f := m.apply(others[k-1]); f != nil {
			return f
		}
	}
	return nil
}

// ret checks what an observer saw; in a wide search it is the commit, too.
func (m *machine[S]) ret(p *progress) *failure {
	if m.wide {
		if f := m.commit(p); f != nil {
			return f
		}
	}
	for p.observer && !p.fits {
		others := m.floating(nil)
		if len(others) == 0 {
			return m.fail(p.op, "no state of the specification between its call and its return allows this result")
		}
		k, ok := m.decide(m, len(others))
		if !ok {
			return m.fail(p.op, "seen already")
		}
		if f := m.apply(others[k]); f != nil {
			return f
		}
	}
	if p.observer {
		m.forget(p)
	}
	m.run(p.op.proc, nil)
	if !m.wide || m.View == nil || !m.quiet() {
		return nil
	}
	m.compared = m.entry
	if m.compare() {
		return nil
	}
	return m.differ(p.op)
}

// quiet reports whether no operation runs.
func (m *machine[S]) quiet() bool {
	return !slices.ContainsFunc(m.ops, func(p *progress) bool { return p != nil })
}

// run says which operation a process runs now, if any.
func (m *machine[S]) run(proc uint32, p *progress) {
	m.ops[proc] = p
	if m.View != nil {
		m.mem.run(proc, p)
	}
}

// floating lists the operations that may take effect now, except one.
func (m *machine[S]) floating(except *progress) []*progress {
	var fs []*progress
	for _, p := range m.order {
		if p.floating && p != except {
			fs = append(fs, p)
		}
	}
	return fs
}

// apply lets an operation take effect: the specification makes its step, the
// bracket's writes reach the memory, and the views are compared.
func (m *machine[S]) apply(p *progress) *failure {
	at := m.at
	m.at, m.doing = p.op, "Spec.Step"
	next, ok := m.spec.Step(m.state, p.op)
	if !ok {
		m.unsure = m.unsure || !p.op.Returned
		return m.fail(p.op, "the specification does not allow this result here")
	}
	m.state = next
	m.commits++
	p.applied = true
	if p.floating {
		p.floating = false
		m.forget(p)
	}
	m.unsure = m.unsure || !p.op.Returned
	if m.View != nil {
		if f := m.show(p); f != nil {
			return f
		}
	}
	for _, o := range m.order {
		m.observe(o)
	}
	m.at = at
	return nil
}

// show makes what an operation wrote visible after it took effect, and compares
// the views.
func (m *machine[S]) show(p *progress) *failure {
	if m.wide {
		m.mem.took(p)
		return nil
	}
	m.mem.show(p.op)
	m.mem.took(p)
	if m.compare() {
		return nil
	}
	return m.differ(p.op)
}

// differ is the failure of views that differ.
func (m *machine[S]) differ(op *Op) *failure {
	f := m.fail(op, "the views differ: "+describe(m.diff, m.impl, m.names))
	if ops := m.early(op); len(ops) > 0 && !m.wide {
		f.hint = fmt.Sprintf("the views are equal without what %s wrote before it took effect; record a Begin before an operation's first write, and its writes count from its commit on", ops[0])
	}
	return f
}

// early lists the operations that wrote something and have not taken effect, if
// the views would be equal without what they wrote.
func (m *machine[S]) early(op *Op) (ops []*Op) {
	diff := maps.Clone(m.diff)
	for _, p := range m.ops {
		if p == nil || p.op == op || len(p.wrote) == 0 {
			continue
		}
		ops = append(ops, p.op)
		written := slices.Compact(slices.Sorted(slices.Values(p.wrote)))
		m.mem.swap(p, written)
		for _, i := range written {
			var cell Bag
			m.View(m.mem, i, &cell)
			for _, c := range m.cells[i] {
				bump(diff, c.item, -c.n)
			}
			for _, c := range cell.changed {
				bump(diff, c.item, c.n)
			}
		}
		m.mem.swap(p, written)
	}
	if len(diff) > 0 {
		return nil
	}
	return ops
}

// observe looks whether an observer's result fits the present state.
func (m *machine[S]) observe(p *progress) {
	if p.observer && !p.fits {
		m.doing = "Spec.Step"
		_, p.fits = m.spec.Step(m.state, p.op)
	}
}

func (m *machine[S]) forget(p *progress) {
	if i := slices.Index(m.order, p); i >= 0 {
		m.order = slices.Delete(m.order, i, i+1)
	}
}

func (m *machine[S]) fail(op *Op, reason string) *failure {
	return &failure{op: op, entry: m.entry, commits: m.commits, calls: m.calls, reason: reason}
}

// compare brings both views up to date and reports whether they are equal.
func (m *machine[S]) compare() bool {
	m.doing = "the view function"
	for _, i := range m.mem.takeDirty() {
		for _, c := range m.cells[i] {
			m.impl.add(c.item, -c.n)
		}
		var cell Bag
		m.View(m.mem, i, &cell)
		m.cells[i] = cell.changed
		for _, c := range cell.changed {
			m.impl.add(c.item, c.n)
		}
	}
	for _, c := range m.impl.changed {
		bump(m.diff, c.item, c.n)
	}
	m.impl.changed = m.impl.changed[:0]
	m.doing = "Spec.View"
	spec := m.spec.(viewer[S]).View(m.state)
	if spec == m.last && spec != nil {
		for _, c := range spec.changed {
			bump(m.diff, c.item, -c.n)
		}
	} else {
		m.diff = maps.Clone(m.impl.counts)
		if m.diff == nil {
			m.diff = map[item]int64{}
		}
		for it, n := range spec.counts {
			bump(m.diff, it, -n)
		}
	}
	spec.changed = spec.changed[:0]
	m.last = spec
	return len(m.diff) == 0
}

// clone copies the machine, given a copy of its state.
func (m *machine[S]) clone(state S) *machine[S] {
	c := *m
	c.state, c.last = state, nil
	moved := map[*progress]*progress{nil: nil}
	move := func(p *progress) *progress {
		if _, ok := moved[p]; !ok {
			q := *p
			q.wrote = slices.Clone(p.wrote)
			moved[p] = &q
		}
		return moved[p]
	}
	c.ops = mapped(m.ops, move)
	c.order = mapped(m.order, move)
	c.mem = m.mem.clone(move)
	c.cells = maps.Clone(m.cells) // contributions are never changed, only replaced
	c.impl, c.diff = m.impl.Clone(), maps.Clone(m.diff)
	return &c
}

func mapped(ps []*progress, f func(*progress) *progress) []*progress {
	out := make([]*progress, len(ps))
	for i, p := range ps {
		out[i] = f(p)
	}
	return out
}
