package record

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

// refresh looks how much is published and tells whether there is an entry.
func (c *cursor) refresh() bool {
	c.limit = c.lane.published.Load()
	return c.read < c.limit
}

// head is the next entry; there is one.
func (c *cursor) head() *entry {
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
// no handle needs to say that it is idle.
type merger struct {
	rec     *Recorder
	cursors []*cursor
	heap    []*cursor // those known to have an entry, the lowest number on top
	next    uint64    // the number that is to come

	releases bool
}

func newMerger(r *Recorder) *merger { return &merger{rec: r, next: 1} }

// pull hands the entries that are in place to emit, in order, a continued
// entry as one slice of several. It stops when emit says so.
func (m *merger) pull(emit func(es []entry) bool) {
	var es []entry
	for m.ready() {
		c := m.heap[0]
		es = append(es[:0], *c.head())
		c.advance()
		for es[len(es)-1].more() {
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

// ready tells whether the heap's top is the entry to come.
func (m *merger) ready() bool {
	if !m.top() {
		m.refresh()
	}
	cut := m.rec.cut.Load()
	return m.top() && (cut == 0 || m.next < cut)
}

func (m *merger) top() bool { return len(m.heap) > 0 && m.heap[0].head().seq == m.next }

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
		if m.heap[p].head().seq <= m.heap[i].head().seq {
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
		if r := l + 1; r < len(m.heap) && m.heap[r].head().seq < m.heap[l].head().seq {
			l = r
		}
		if m.heap[i].head().seq <= m.heap[l].head().seq {
			return
		}
		m.heap[i], m.heap[l] = m.heap[l], m.heap[i]
		i = l
	}
}
