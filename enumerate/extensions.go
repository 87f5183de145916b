package enumerate

// Extensions yields the histories that are one step longer than s and come from it in
// the order of their removals: what a history comes from lacks the last operation that can be
// removed alone or, where there is none, the match of the first operation. So who
// extends the empty history, and what is yielded, meets every history once.
//
// The slice passed to yield is reused. With n operations, k kinds and m kinds of
// non-read-only members a match may have, there are O(k n^2 + 2^m n^(m+1)) of them.
//
// Where it is known which matches may be there, which are histories by themselves, only
// these are added.
func (l *Links) Extensions(s Sequence, matches []Sequence, yield func(Sequence)) {
	from := 0 // behind all that can be removed alone
	for i, o := range s {
		if s.single(i, o) != "" {
			from = i + 1
		}
	}
	e := make(Sequence, 0, len(s)+1)
	for k := range l.Self {
		l.single(s, int8(k), from, func(p int, o Op) {
			e = s.insert(e[:0], p, o)
			yield(e)
		})
	}
	if from > 0 {
		return
	}
	for _, m := range matches {
		merged(s, m, yield)
	}
	if matches == nil {
		for t := range l.Self {
			l.match(s, int8(t), yield)
		}
	}
}

// IsMatch reports whether a history is one match of which nothing can be removed alone:
// what Extensions adds at once.
func (s Sequence) IsMatch() bool {
	for i, o := range s {
		if o.Target == Free || o.Target != s[0].Target || s.single(i, o) != "" {
			return false
		}
	}
	return len(s) > 0
}

// merged yields the ways to merge two histories, each in its order, m first.
func merged(s, m Sequence, yield func(Sequence)) {
	at := make([]int8, len(s)+len(m)) // positions of those of s, and then of those of m
	r := make(Sequence, len(at))
	var put func(i, j int)
	put = func(i, j int) {
		if i+j == len(at) {
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

// single yields the read-only, unmatched and duplicate operations of kind k by which s
// can be extended, and where: at position from or later, and behind their duplicates.
func (l *Links) single(s Sequence, k int8, from int, yield func(p int, o Op)) {
	if f := l.Free[k]; f.Possible {
		for p := from; p <= len(s); p++ {
			yield(p, Op{k, Free, f.ReadOnly})
		}
	}
	for t, o := range s {
		if link := l.To[k][o.Kind]; int(o.Target) == t && link.Possible {
			first, again := s.behind(Op{k, int8(t), link.ReadOnly})
			if link.ReadOnly || again {
				l.member(t, max(from, first), len(s), Op{k, 0, link.ReadOnly}, yield)
			}
		}
	}
}

// behind is the first position behind all operations of s that are o, except its target,
// and whether there is such an operation, or the target is one.
func (s Sequence) behind(o Op) (first int, found bool) {
	for i := range s {
		if s[i] == o {
			found = true
			if int(o.Target) != i {
				first = i + 1
			}
		}
	}
	return first, found
}

// member yields the positions from the given one to n where a member of the match with
// the target at t can be inserted, and the member there.
func (l *Links) member(t, from, n int, o Op, yield func(p int, o Op)) {
	if l.PastOnly {
		from = max(from, t+1)
	}
	for p := from; p <= n; p++ {
		o.Target = shift(int8(t), p)
		yield(p, o)
	}
}

// match extends s, from which nothing can be removed alone, by a new match in front whose
// target has kind t.
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
		if int(s[0].Target) == at {
			yield(s)
		}
		return
	}
	l.members(s, at, k+1, yield)
	link := l.To[k][s[at].Kind]
	if o := (Op{int8(k), int8(at), false}); link.Possible && !link.ReadOnly && s[at] != o { // no duplicate of the target
		l.member(at, 0, len(s), o, func(p int, o Op) {
			l.members(s.insert(nil, p, o), int(o.Target), k+1, yield)
		})
	}
}
