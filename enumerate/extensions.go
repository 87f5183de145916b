package enumerate

// Extensions yields the one-step extensions of s that the frontier needs: every
// history with one more read-only operation, unmatched operation, or duplicate,
// or with one more match. The new match has no read-only operation beside its
// target and no duplicates: a history that has such an operation is an
// extension by that operation already. A history may be yielded more than once.
//
// Every yielded history is a new slice. With n operations, k kinds and m kinds
// of non-read-only members a match may have, there are
// O(k n^2 + 2^m n^(m+1)) of them.
//
// Where it is known which matches may be there, which are histories by themselves, only
// these are added, each in front: another match can go in its place. A history with an
// operation that can be removed alone is an extension of one without it.
func (l *Links) Extensions(s Sequence, matches []Sequence, yield func(Sequence)) {
	for k := range l.Self {
		l.single(s, int8(k), yield)
		if matches == nil {
			l.match(s, int8(k), yield)
		}
	}
	for i, o := range s {
		if s.single(i, o) != "" {
			return
		}
	}
	for _, m := range matches {
		merged(s, m, yield)
	}
}

// IsMatch reports whether a history is one match without duplicates, and no member but
// the target read-only: what Extensions adds at once.
func (s Sequence) IsMatch() bool {
	for i, o := range s {
		if o.Target == Free || o.Target != s[0].Target || o.ReadOnly && int(o.Target) != i || s.frequency(i) > 1 {
			return false
		}
	}
	return len(s) > 0
}

// merged yields the ways to merge two histories, each in its order, m first.
func merged(s, m Sequence, yield func(Sequence)) {
	at := make([]int8, len(s)+len(m)) // positions of those of s, and then of those of m
	var put func(i, j int)
	put = func(i, j int) {
		if i+j == len(at) {
			r := make(Sequence, len(at))
			r.place(s, at[:len(s)])
			r.place(m, at[len(s):])
			yield(r)
			return
		}
		if i < len(s) {
			at[i] = int8(i + j)
			put(i+1, j)
		}
		if j < len(m) {
			at[len(s)+j] = int8(i + j)
			put(i, j+1)
		}
	}
	put(0, 1)
}

// place puts the operations of s at some positions.
func (r Sequence) place(s Sequence, at []int8) {
	for i, o := range s {
		if o.Target != Free {
			o.Target = at[o.Target]
		}
		r[at[i]] = o
	}
}

// single extends s by one read-only, unmatched or duplicate operation of kind k.
func (l *Links) single(s Sequence, k int8, yield func(Sequence)) {
	if f := l.Free[k]; f.Possible {
		for p := 0; p <= len(s); p++ {
			yield(s.insert(nil, p, Op{k, Free, f.ReadOnly}))
		}
	}
	for t, o := range s {
		if int(o.Target) != t {
			continue
		}
		link := l.To[k][o.Kind]
		if link.Possible && (link.ReadOnly || s.has(Op{k, int8(t), false})) {
			l.member(s, t, Op{k, 0, link.ReadOnly}, func(s2 Sequence, _ int) { yield(s2) })
		}
	}
}

func (s Sequence) has(o Op) bool {
	for i := range s {
		if s[i] == o && int(s[i].Target) != i {
			return true
		}
	}
	return false
}

// member inserts o, whose target stands at position t of s, everywhere it may
// stand; yield also gets the target's new position.
func (l *Links) member(s Sequence, t int, o Op, yield func(s2 Sequence, t2 int)) {
	from := 0
	if l.PastOnly {
		from = t + 1
	}
	for p := from; p <= len(s); p++ {
		o.Target = shift(int8(t), p)
		yield(s.insert(nil, p, o), int(o.Target))
	}
}

// match extends s by a new match whose target has kind t.
func (l *Links) match(s Sequence, t int8, yield func(Sequence)) {
	self := l.Self[t]
	if !self.Possible {
		return
	}
	for p := 0; p <= len(s); p++ {
		l.members(s.insert(nil, p, Op{t, int8(p), self.ReadOnly}), p, 0, yield)
	}
}

// members adds every set of members of kinds k and up to the match with target at.
func (l *Links) members(s Sequence, at, k int, yield func(Sequence)) {
	if k == len(l.To) {
		yield(s)
		return
	}
	l.members(s, at, k+1, yield)
	if link := l.To[k][s[at].Kind]; link.Possible && !link.ReadOnly {
		l.member(s, at, Op{int8(k), 0, false}, func(s2 Sequence, at2 int) {
			l.members(s2, at2, k+1, yield)
		})
	}
}
