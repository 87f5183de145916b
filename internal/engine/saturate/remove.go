package saturate

import "slices"

// removal is the state of forgetting ("Monitoring refinement" §5.3).
//
// A match is settled when it is closed (Rules.settle) and no running operation
// overlaps it: nothing can join it, or come between its operations. It is
// forgotten when, in addition, each operation whose order with one of its own is
// still open belongs to a settled match, too. All its consequences have been
// drawn by then and stay.
type removal struct {
	closing []int32 // closed matches that running operations may overlap, in order of their ends
	first   int     // of closing
	near    []int32 // settled matches that may have become forgettable
}

// closed queues match y if it is closed.
func (m *Monitor) closed(y int32) {
	t := &m.matches[y]
	if m.o.Removal && !m.probing.on && !t.queued && m.closedAs(y) {
		t.queued = true
		m.closing = append(m.closing, y)
	}
}

func (m *Monitor) closedAs(y int32) bool {
	t := &m.matches[y]
	return m.active(y) && len(t.candidates) == 0 && t.loose == 0 && !t.settled && m.r.Closable[t.shape]
}

// nearer notes that an order between match y and another was decided.
func (m *Monitor) nearer(y int32) {
	if m.matches[y].settled && !m.probing.on {
		m.near = append(m.near, y)
	}
}

// remove forgets what can be forgotten.
func (m *Monitor) remove() {
	oldest := never
	if len(m.pending) > 0 {
		oldest = m.ops[m.pending[0]].call
	}
	for m.first < len(m.closing) {
		y := m.closing[m.first]
		t := &m.matches[y]
		if t.last > oldest {
			break
		}
		m.first++
		t.queued = false
		if m.closedAs(y) {
			m.settle(y)
		}
	}
	if m.first > len(m.closing)/2 {
		m.closing = slices.Delete(m.closing, 0, m.first)
		m.first = 0
	}
	for len(m.near) > 0 {
		y := m.near[len(m.near)-1]
		m.near = m.near[:len(m.near)-1]
		if t := &m.matches[y]; t.live && t.settled && m.forgettable(y) {
			m.forget(y)
		}
	}
}

// settle marks match y, and looks at it and at its neighbours again.
func (m *Monitor) settle(y int32) {
	t := &m.matches[y]
	t.settled = true
	m.near = append(m.near, y)
	for _, x := range t.members {
		for _, e := range m.ops[x].overlaps {
			if z := m.ops[e.op].match; e.order == unknown && z >= 0 && z != y && m.matches[z].settled {
				m.near = append(m.near, z)
			}
		}
	}
}

func (m *Monitor) forgettable(y int32) bool {
	for _, x := range m.matches[y].members {
		for _, e := range m.ops[x].overlaps {
			if z := m.ops[e.op].match; e.order == unknown && (z < 0 || !m.matches[z].settled) {
				return false
			}
		}
	}
	return true
}

// forget drops match y with its operations.
func (m *Monitor) forget(y int32) {
	for _, x := range m.matches[y].members {
		m.disconnect(x)
		m.unlist(x)
		m.ops[x].live = false
		m.spare = append(m.spare, x)
	}
	m.drop(y)
}
