package batch

// Permits decides semaphores whose permits have names, and other containers in which at most Limit values are at a time and
// which any of them may leave, in O(n). Notions: docs/proofs/near-linear.md.
//
// At most n values are in at a time. A remove names the value that it takes out, and any value may leave.
//
// Claim. An execution is linearizable iff its values are valid, each gap lies in at most n cores, and for each
// value without a core some gap from the larger of as and rs up to the smaller of ae and re, less one, lies in at
// most n−1 cores.
//
// Only if. A value is in during its whole core. A value without a core is added in a gap g before the smaller of
// ae and re, and removed in a gap h ≥ g at the larger of as and rs or later. It is in from g to h, and these gaps
// meet the ones named. At some moment of a gap where they do it is in, and so are the values in whose cores the
// gap lies, during all of the gap.
//
// If. Let what has a core take effect as late as it can, the add in the gap ae−1, and go as early as it can, the
// remove in the gap rs. In each gap removes of such values come first and adds of such values last. Between them
// exactly those values are in in whose cores the gap lies. There each value without a core comes and goes at once,
// in the gap that was found for it, one after the other: n−1 others are in. At the end of the gap one more is in
// if the next event is the return of its add, and then these are the values in whose cores the next gap lies: n at
// most.
//
// Pending. A pending remove counts from its call, where no other remove of the value returned: an earlier remove
// makes all conditions easier, so of several the first counts. A pending add counts if a remove that returned took
// the value.
//
// Event by event. Whether a gap lies in a core is known when it begins: its end is a call. So the conditions are
// decided as events come; only where two removes of one value run at a time may the core grow afterwards, and then
// the answer is left open.
type Permits struct {
	Limit  int32
	values []match
	room   []int32 // by gap: the change of depth, then the last gap with room for one more
}

// Decide implements Algorithm.
func (p *Permits) Decide(c *Columns, n int32) (Answer, Witness) {
	p.values, p.room = room(p.values, int(c.Values)), zeroed(p.room, int(n)+2)
	var first blame
	p.load(c, n, &first)
	for v := range p.values {
		p.enter(int32(v), n, &first)
	}
	last, depth := int32(-1), int32(0)
	for g := range p.room {
		if depth += p.room[g]; depth > p.Limit {
			first.on(Crowd, -1, int32(g))
		}
		if depth < p.Limit {
			last = int32(g)
		}
		p.room[g] = last
	}
	for v := range p.values {
		if m := &p.values[v]; m.short() && p.room[m.ends()-1] < max(m.as, m.rs) {
			first.on(Crowd, int32(v), m.ends())
		}
	}
	if !first.bad {
		return Linearizable, Witness{}
	}
	if first.Rule == Crowd {
		first.Values = p.crowd(first.Values[0], first.guess)
	}
	return Violating, first.Witness
}

// load matches the operations by value. Without a remove that returned, a value was
// removed by the pending one that was called first.
func (p *Permits) load(c *Columns, n int32, b *blame) {
	for i := range c.Within(n) {
		role, v, ret := c.In(i, n)
		if role == None {
			continue
		}
		for int(v) >= len(p.values) {
			p.values = append(p.values, match{})
		}
		m, call := &p.values[v], c.Call[i]
		switch role {
		case Add, MaybeAdd:
			m.as, m.ae = call, ret
		case Remove:
			if m.rs != 0 && m.re <= n {
				b.on(Twice, v, max(m.re, ret))
			}
			m.rs, m.re = call, ret
		case MaybeRemove:
			if m.rs == 0 {
				m.rs, m.re = call, ret
			}
		}
	}
}

// enter marks where the core of a value begins and ends.
func (p *Permits) enter(v, n int32, b *blame) {
	m := &p.values[v]
	removed := m.rs != 0 && m.re <= n
	switch {
	case m.as == 0 && removed:
		b.on(NeverAdded, v, m.re)
	case m.as == 0 || m.ae > n && !removed: // it need not have been in
		*m = match{}
	case removed && m.re < m.as:
		b.on(BeforeAdd, v, m.re)
		*m = match{}
	case m.rs == 0:
		m.rs, m.re = n+1, n+2
	}
	if m.kept() {
		p.room[m.ae]++
		p.room[m.rs]--
	}
}

// kept reports whether a value has a core, and short whether it is in without one.
func (m *match) kept() bool  { return m.as != 0 && m.ae < m.rs }
func (m *match) short() bool { return m.as != 0 && m.ae > m.rs }

// ends is the event by which a value without a core was in.
func (m *match) ends() int32 { return min(m.ae, m.re) }

// crowd lists the values that leave no room for one of them, v, which must have been in
// before event at; or, without that one, those that are in at event at.
func (p *Permits) crowd(v, at int32) (values []int32) {
	from, to := at, at
	if v >= 0 {
		m := &p.values[v]
		from, to, values = max(m.as, m.rs), at-1, []int32{v}
	}
	for u := range p.values {
		if m := &p.values[u]; m.kept() && m.ae <= to && from < m.rs {
			values = append(values, int32(u))
		}
	}
	return values
}

// Linearize makes a linearization: in a gap values with a core go first and come last,
// and between that the others come and go.
func (p *Permits) Linearize(a *Linearizer) bool {
	for v := range p.values {
		if m := &p.values[v]; m.kept() {
			a.first(m.ae-1, a.called(m.as))
		}
	}
	for v := range p.values {
		if m := &p.values[v]; m.short() {
			gap := p.room[m.ends()-1]
			a.firstRemove(gap, m.rs, m.as)
			a.first(gap, a.called(m.as))
		}
	}
	for v := range p.values {
		if m := &p.values[v]; m.kept() {
			a.firstRemove(m.rs, m.rs, m.as)
		}
	}
	return true
}
