package record

import "slices"

// Memory is the recorded variables and locks of an implementation as the log
// has them at a commit. View functions read it.
type Memory struct {
	names   *names
	arrays  []array // by name
	resolve map[string]uint16

	ops   []*progress // by process: the operation that runs, if any
	held  [][]lockRef // by process: locks it holds
	dirty []int64     // indices whose contents or locks changed
	fresh map[int64]bool
}

// array is the elements of one name: values, and holders plus one if it is a lock.
type array struct {
	low   []Value // elements 0 to len-1
	high  map[int64]Value
	owner map[int64]uint32
}

type lockRef struct {
	name uint16
	i    int64
}

// maxDense is the number of elements up to which an array is a slice.
const maxDense = 1 << 20

func newMemory(n *names) *Memory {
	return &Memory{names: n, resolve: map[string]uint16{}, fresh: map[int64]bool{}}
}

// Get is the value last written to element i of the variable, or the zero Value.
func (m *Memory) Get(variable string, i int64) Value {
	a := m.find(variable)
	switch {
	case a == nil:
		return Value{}
	case i >= 0 && i < int64(len(a.low)):
		return a.low[i]
	}
	return a.high[i]
}

// Len is the number of elements of the variable, counted from index 0, up to
// the last one written.
func (m *Memory) Len(variable string) int64 {
	a := m.find(variable)
	if a == nil {
		return 0
	}
	n := int64(len(a.low))
	for i := range a.high {
		n = max(n, i+1)
	}
	return n
}

// Holder is the operation that holds element i of a lock. held is false if
// nobody does; op is nil if the holder is not inside an operation.
func (m *Memory) Holder(lock string, i int64) (op *Op, held bool) {
	a := m.find(lock)
	if a == nil {
		return nil, false
	}
	p, held := a.owner[i]
	if !held {
		return nil, false
	}
	if pr := m.ops[p]; pr != nil {
		op = pr.op
	}
	return op, held
}

// Settled tells whether what lock i protects can be taken at face value: nobody
// holds it, or the holder is an operation that took effect already or does so
// now, or one that only observes. Otherwise the holder may be half-way through
// an update. ("Runtime refinement checking" §5 asks this of a commit; without
// the operations that committed and have not yet given all their locks back, it
// would raise false alarms.)
func (m *Memory) Settled(lock string, i int64) bool {
	a := m.find(lock)
	if a == nil {
		return true
	}
	p, held := a.owner[i]
	if !held {
		return true
	}
	pr := m.ops[p]
	return pr != nil && (pr.applied || pr.observer)
}

func (m *Memory) find(name string) *array {
	id, ok := m.resolve[name]
	if !ok {
		m.names.mu.RLock()
		id, ok = m.names.ids[name]
		m.names.mu.RUnlock()
		if !ok {
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
		m.arrays = append(m.arrays, array{})
	}
	return &m.arrays[id]
}

// apply takes a write with what continues it, an acquire or a release.
func (m *Memory) apply(es []entry) {
	switch e := &es[0]; e.what() {
	case writeEntry:
		for i := range es {
			m.set(es[i].id, int64(es[i].vals[0]), es[i].value(1))
		}
	case acquireEntry:
		a := m.array(e.id)
		if a.owner == nil {
			a.owner = map[int64]uint32{}
		}
		i := int64(e.vals[0])
		a.owner[i] = e.proc
		m.held[e.proc] = append(m.held[e.proc], lockRef{e.id, i})
		m.touch(i)
	case releaseEntry:
		i := int64(e.vals[0])
		delete(m.array(e.id).owner, i)
		if k := slices.Index(m.held[e.proc], lockRef{e.id, i}); k >= 0 {
			m.held[e.proc] = slices.Delete(m.held[e.proc], k, k+1)
		}
		m.touch(i)
	}
}

func (m *Memory) set(id uint16, i int64, v Value) {
	a := m.array(id)
	switch {
	case i >= 0 && i < int64(len(a.low)):
		a.low[i] = v
	case i == int64(len(a.low)) && i < maxDense:
		a.low = append(a.low, v)
	default:
		if a.high == nil {
			a.high = map[int64]Value{}
		}
		a.high[i] = v
	}
	m.touch(i)
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
	m.reconsider(proc)
}

// reconsider touches what the process's locks protect.
func (m *Memory) reconsider(proc uint32) {
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
