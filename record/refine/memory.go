package refine

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// Memory is the recorded variables and locks of an implementation as the log
// has them at a commit. View functions read it.
type Memory struct {
	names   *tape.Names
	arrays  []array // by name
	resolve map[string]uint16

	ops   []*progress // by process: the operation that runs, if any
	held  [][]element // by process: locks it holds
	dirty []int64     // indices whose contents or locks changed
	fresh map[int64]bool

	shown map[element]bool // written by brackets since the last settle
}

// element is a place in an array.
type element struct {
	name uint16
	i    int64
}

// array is the elements of one name: values, and holders plus one if it is a lock.
type array struct {
	cells map[int64]cell
	owner map[int64]uint32
}

// cell is an element: its value, the operation that wrote it, if any, and the
// value before that operation wrote, or last gave a lock of this index back.
type cell struct {
	value, before record.Value
	writer        *progress
}

func newMemory(n *tape.Names) *Memory {
	return &Memory{names: n, resolve: map[string]uint16{}, fresh: map[int64]bool{}, shown: map[element]bool{}}
}

// Get is the value last written to element i of the variable, or the zero record.Value.
func (m *Memory) Get(variable string, i int64) record.Value {
	return m.cell(variable, i).value
}

// Done reports whether the operation that last wrote element i of the variable
// took effect, or there is none. What an operation reserves, say, and has not
// used when it is done, it leaks.
func (m *Memory) Done(variable string, i int64) bool {
	w := m.cell(variable, i).writer
	return w == nil || w.applied
}

func (m *Memory) cell(variable string, i int64) cell {
	if a := m.find(variable); a != nil {
		return a.cells[i]
	}
	return cell{}
}

// Guarded is the value of element i of the variable that those can see who
// respect lock i: while an operation holds it that has not taken effect yet,
// what it wrote meanwhile does not count.
//
// ("Runtime refinement checking" §5 leaves an element out of the view while
// anybody but the committing thread or an observer holds its lock. Operations
// that hold a lock only to look, or have committed and not yet given all their
// locks back, would then raise false alarms.)
func (m *Memory) Guarded(variable, lock string, i int64) record.Value {
	c := m.cell(variable, i)
	if w := c.writer; w != nil && !w.applied {
		if l := m.find(lock); l != nil {
			if p, held := l.owner[i]; held && p == w.op.proc {
				return c.before
			}
		}
	}
	return c.value
}

func (m *Memory) find(name string) *array {
	id, ok := m.resolve[name]
	if !ok {
		if id, ok = m.names.Find(name); !ok {
			return nil
		}
		m.resolve[name] = id
	}
	if int(id) >= len(m.arrays) {
		return nil
	}
	return &m.arrays[id]
}

func (m *Memory) array(id uint16) *array {
	for int(id) >= len(m.arrays) {
		m.arrays = append(m.arrays, array{map[int64]cell{}, map[int64]uint32{}})
	}
	return &m.arrays[id]
}

// apply takes a write with what continues it, an acquire or a release.
func (m *Memory) apply(es []tape.Entry) {
	switch e := &es[0]; e.What() {
	case binlog.WriteEntry:
		for i := range es {
			m.set(es[i].ID, int64(es[i].Vals[0]), record.Value(es[i].Value(1)), m.ops[e.Proc])
		}
	case binlog.AcquireEntry:
		i := int64(e.Vals[0])
		m.array(e.ID).owner[i] = e.Proc
		m.held[e.Proc] = append(m.held[e.Proc], element{e.ID, i})
		m.touch(i)
	case binlog.ReleaseEntry:
		i := int64(e.Vals[0])
		delete(m.array(e.ID).owner, i)
		m.reveal(i)
		if k := slices.Index(m.held[e.Proc], element{e.ID, i}); k >= 0 {
			m.held[e.Proc] = slices.Delete(m.held[e.Proc], k, k+1)
		}
		m.touch(i)
	}
}

func (m *Memory) set(id uint16, i int64, v record.Value, p *progress) {
	m.touch(i)
	if p != nil {
		p.wrote = append(p.wrote, i)
	}
	a := m.array(id)
	c := a.cells[i]
	if p == nil || c.writer != p {
		c.before = c.value
	}
	c.value, c.writer = v, p
	a.cells[i] = c
}

// swap exchanges what an operation wrote at these indices and what was there
// before. Twice changes nothing.
func (m *Memory) swap(p *progress, indices []int64) {
	for _, a := range m.arrays {
		for _, i := range indices {
			if c := a.cells[i]; c.writer == p {
				c.value, c.before = c.before, c.value
				a.cells[i] = c
			}
		}
	}
}

// show applies what an operation wrote between its Begin and its Commit.
func (m *Memory) show(op *Op) {
	for _, es := range op.writes {
		m.apply(es)
		if es[0].What() == binlog.WriteEntry {
			for k := range es {
				m.shown[element{es[k].ID, int64(es[k].Vals[0])}] = true
			}
		}
	}
}

// bracketed appends the contents of the elements that brackets wrote since the
// last settle: all of the memory that depends on the order of their commits.
func (m *Memory) bracketed(b []byte) []byte {
	elements := slices.SortedFunc(maps.Keys(m.shown), func(x, y element) int {
		return cmp.Or(cmp.Compare(x.name, y.name), cmp.Compare(x.i, y.i))
	})
	for _, e := range elements {
		v := m.arrays[e.name].cells[e.i].value
		for _, n := range [...]uint64{uint64(e.name), uint64(e.i), uint64(v.Type), v.Bits} {
			b = binary.AppendUvarint(b, n)
		}
	}
	return b
}

// settle says that the order of the commits so far is no matter of choice.
func (m *Memory) settle() { clear(m.shown) }

// reveal makes what was written to index i visible, as giving its lock back does.
func (m *Memory) reveal(i int64) {
	for _, a := range m.arrays {
		if c, ok := a.cells[i]; ok {
			c.before = c.value
			a.cells[i] = c
		}
	}
}

// touch notes that the view of index i may have changed.
func (m *Memory) touch(i int64) {
	if !m.fresh[i] {
		m.fresh[i] = true
		m.dirty = append(m.dirty, i)
	}
}

// run says which operation a process runs now, nil for none. What its locks
// protect may be seen differently then.
func (m *Memory) run(proc uint32, p *progress) {
	m.grow(proc)
	m.ops[proc] = p
	m.touchHeld(proc)
}

// took says that an operation took effect. What its locks protect, and what it
// wrote, may be seen differently then.
func (m *Memory) took(p *progress) {
	m.touchHeld(p.op.proc)
	for _, i := range p.wrote {
		m.touch(i)
	}
	p.wrote = nil
}

func (m *Memory) touchHeld(proc uint32) {
	for _, l := range m.held[proc] {
		m.touch(l.i)
	}
}

func (m *Memory) grow(proc uint32) {
	for int(proc) >= len(m.ops) {
		m.ops, m.held = append(m.ops, nil), append(m.held, nil)
	}
}

// takeDirty lists the indices touched since it was last asked.
func (m *Memory) takeDirty() []int64 {
	d := m.dirty
	m.dirty = nil
	clear(m.fresh)
	return d
}

func (m *Memory) clone(move func(*progress) *progress) *Memory {
	c := &Memory{names: m.names, resolve: maps.Clone(m.resolve), ops: mapped(m.ops, move),
		dirty: slices.Clone(m.dirty), fresh: maps.Clone(m.fresh), shown: maps.Clone(m.shown)}
	for _, a := range m.arrays {
		c.arrays = append(c.arrays, a.clone(move))
	}
	for _, h := range m.held {
		c.held = append(c.held, slices.Clone(h))
	}
	return c
}

func (a *array) clone(move func(*progress) *progress) array {
	c := array{make(map[int64]cell, len(a.cells)), maps.Clone(a.owner)}
	for i, x := range a.cells {
		x.writer = move(x.writer)
		c.cells[i] = x
	}
	return c
}
