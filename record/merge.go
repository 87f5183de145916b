package record

import (
	"errors"

	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// cursor reads the published entries of a lane in their order.
type cursor struct {
	lane   *lane
	rec    *Recorder
	c      *chunk
	i      int    // place in c
	read   uint64 // entries read
	limit  uint64 // entries known to be published
	queued bool   // it is in the heap

	releases bool // chunks that were read may be used again
}

// refresh looks how much is published and reports whether there is an entry.
func (c *cursor) refresh() bool {
	c.limit = c.lane.published.Load()
	return c.read < c.limit
}

// head is the next entry; there is one.
func (c *cursor) head() *tape.Entry {
	if c.i == chunkSize {
		done := c.c
		c.c, c.i = c.c.next, 0
		if c.releases {
			c.rec.release(done)
		}
	}
	return &c.c.entries[c.i]
}

func (c *cursor) advance() {
	c.i++
	c.read++
}

// merger brings the entries of all lanes into their global order. Numbers have no
// gaps, so an entry is in its place once all the numbers before it have been read:
// no handle needs to say that it is idle. It is a tape.Follower.
type merger struct {
	rec     *Recorder
	cursors []*cursor
	heap    []*cursor // those known to have an entry, the lowest number on top
	next    uint64    // the number that is to come

	releases bool
}

func newMerger(r *Recorder) *merger { return &merger{rec: r, next: 1} }

// Attach has a bounded recorder keep its entries for this reader. That takes a
// recorder without handles. With patient no goroutine waits at the limit: the
// reader puts aside what it cannot take.
func (m *merger) Attach(patient bool) error {
	r := m.rec
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.opts.Limit <= 0 {
		return nil
	}
	if len(r.procs) > 0 {
		return errors.New("record: a recorder with a Limit is watched or streamed from the beginning: start that before the first Handle")
	}
	r.readers++
	r.patient = r.patient || patient
	m.releases = true
	return nil
}

// Close releases those who wait for this reader: the recording ends at its limit.
func (m *merger) Close() {
	r := m.rec
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.opts.Limit > 0 {
		r.opts.Drop, r.patient = true, false
		r.room.Broadcast()
	}
}

// Misused is the first misuse so far, or nil.
func (m *merger) Misused() error { return m.rec.misused() }

// Recorded is the number of entries that have been made.
func (m *merger) Recorded() uint64 { return m.rec.seq.Load() }

// Forgets reports whether entries are forgotten once they have been read.
func (m *merger) Forgets() bool {
	m.rec.mu.Lock()
	defer m.rec.mu.Unlock()
	return m.rec.readers > 0
}

// Names are the recorder's names.
func (m *merger) Names() *tape.Names { return m.rec.names }

// Process is the name of a process.
func (m *merger) Process(proc uint32) string { return m.processes(proc)[0] }

// processes lists the names of the processes so far, from one of them on.
func (m *merger) processes(from uint32) []string {
	m.rec.mu.Lock()
	defer m.rec.mu.Unlock()
	n := len(m.rec.procs)
	return m.rec.procs[from:n:n]
}

// Rest says what there is behind the last entry that is in place: whether entries
// were dropped, and how many are not published, at least. Where recording is
// compiled out, everything was dropped.
//
// It is an error only if an entry that was published is not there.
func (m *merger) Rest() (dropped bool, missing uint64, err error) {
	if !enabled || m.rec.cut.Load() != 0 {
		return true, 0, nil
	}
	if m.next <= m.rec.quiet() && !m.ready() {
		return false, 0, &UseError{Process: "(unknown)", Entry: m.next,
			Msg: "an entry was lost: two goroutines used one Handle at the same time; give each its own"}
	}
	return false, max(m.rec.seq.Load()+1, m.next) - m.next, nil
}

// Pull hands the entries that are in place to emit, in order, a continued
// entry as one slice of several. It stops when emit says so.
func (m *merger) Pull(emit func(es []tape.Entry) bool) {
	var es []tape.Entry
	for m.ready() {
		c := m.heap[0]
		es = append(es[:0], *c.head())
		c.advance()
		for es[len(es)-1].More() {
			es = append(es, *c.head())
			c.advance()
		}
		m.fix(c)
		m.next++
		if !emit(es) {
			return
		}
	}
}

// ready reports whether the heap's top is the entry to come.
func (m *merger) ready() bool {
	if !m.top() {
		m.refresh()
	}
	cut := m.rec.cut.Load()
	return m.top() && (cut == 0 || m.next < cut)
}

func (m *merger) top() bool { return len(m.heap) > 0 && m.heap[0].head().Seq == m.next }

// refresh queues the lanes that have something new.
func (m *merger) refresh() {
	m.rec.mu.Lock()
	lanes := m.rec.lanes[:len(m.rec.lanes):len(m.rec.lanes)]
	m.rec.mu.Unlock()
	for _, l := range lanes[len(m.cursors):] {
		m.cursors = append(m.cursors, &cursor{lane: l, rec: m.rec, c: l.first, releases: m.releases})
	}
	for _, c := range m.cursors {
		if !c.queued && c.refresh() {
			c.queued = true
			m.heap = append(m.heap, c)
			m.up(len(m.heap) - 1)
		}
	}
}

// fix restores the heap after its top moved on.
func (m *merger) fix(c *cursor) {
	if c.read == c.limit && !c.refresh() {
		c.queued = false
		last := len(m.heap) - 1
		m.heap[0] = m.heap[last]
		m.heap = m.heap[:last]
	}
	m.down(0)
}

func (m *merger) up(i int) {
	for i > 0 {
		p := (i - 1) / 2
		if m.heap[p].head().Seq <= m.heap[i].head().Seq {
			return
		}
		m.heap[p], m.heap[i] = m.heap[i], m.heap[p]
		i = p
	}
}

func (m *merger) down(i int) {
	for {
		l := 2*i + 1
		if l >= len(m.heap) {
			return
		}
		if r := l + 1; r < len(m.heap) && m.heap[r].head().Seq < m.heap[l].head().Seq {
			l = r
		}
		if m.heap[i].head().Seq <= m.heap[l].head().Seq {
			return
		}
		m.heap[i], m.heap[l] = m.heap[l], m.heap[i]
		i = l
	}
}
