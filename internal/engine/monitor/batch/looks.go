package batch

// looks is what an elimination needs of a stack of which the value on top was looked at: each operation that saw a value
// that is taken away has a gap in no core of what is left. By gap it counts the cores: O(log n) for each
// question, and for each value that leaves.
type looks struct {
	*Container
	c     *Columns
	cores []match // values, of which ae and rs are the ends of their cores
	size  int32   // gaps, a power of two
	add   []int32 // by node of a tree: cores that contain all its gaps, and not those of the node above
	least []int32 // by node: the fewest cores over a gap of its, of those that the nodes above do not count
	work  int
}

// load computes the cores.
func (l *looks) load(k *Container, c *Columns) []match {
	l.Container, l.c, l.work = k, c, 0
	l.cores = append(l.cores[:0], k.values...)
	for v := range l.cores {
		l.cores[v].ae, l.cores[v].rs = l.core(int32(v))
	}
	for l.size = 1; l.size < k.n+3; {
		l.size *= 2
	}
	l.add, l.least = zeroed(l.add, 2*int(l.size)), zeroed(l.least, 2*int(l.size))
	return l.cores
}

// moved has the core of a value, which counts, end where it does now.
func (l *looks) moved(v int32) {
	from, to := l.core(v)
	if to == l.cores[v].rs {
		return
	}
	l.count(v, false)
	l.cores[v].ae, l.cores[v].rs = from, to
	l.count(v, true)
}

// count counts the core of a value, or does so no more.
func (l *looks) count(v int32, in bool) {
	d := int32(1)
	if !in {
		d = -1
	}
	l.change(1, 0, l.size, l.cores[v].ae, l.cores[v].rs, d)
}

func (l *looks) change(node, from, to, s, e, d int32) {
	switch {
	case s >= to || e <= from:
		return
	case s <= from && to <= e:
		l.add[node] += d
		l.least[node] += d
		return
	}
	mid := (from + to) / 2
	l.change(2*node, from, mid, s, e, d)
	l.change(2*node+1, mid, to, s, e, d)
	l.least[node] = l.add[node] + min(l.least[2*node], l.least[2*node+1])
}

// open reports whether one of the gaps s..e-1 is in no core that counts.
func (l *looks) open(node, from, to, s, e int32) bool {
	switch {
	case s >= to || e <= from || l.add[node] > 0:
		return false
	case s <= from && to <= e:
		return l.least[node] == 0
	}
	mid := (from + to) / 2
	return l.open(2*node, from, mid, s, e) || l.open(2*node+1, mid, to, s, e)
}

// take takes a value away if all that saw it have gaps then, and reports whether they have.
func (l *looks) take(v int32) bool {
	_, _, stuck := l.unseen(v)
	if !stuck {
		l.count(v, false)
	}
	return !stuck
}

// unseen is where an operation that saw a value takes effect, if all gaps there are in cores of others.
func (l *looks) unseen(v int32) (s, e int32, stuck bool) {
	l.count(v, false)
	m := &l.values[v]
	l.eachPeek(v, func(op int32) {
		l.work++
		if from, to := max(m.as, l.c.Call[op]), min(l.c.Ret[op], m.re); !stuck && !l.open(1, 0, l.size, from, to) {
			s, e, stuck = from, to, true
		}
	})
	l.count(v, true)
	return s, e, stuck
}
