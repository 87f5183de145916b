package lives

import "slices"

// maxWays bounds the ways in which a value may leave: what adds and removes is of five
// kinds at most, and it may stay.
const maxWays = 8

// hull bounds the moments of an operation in several orders.
type hull Span

var nowhere = hull{1<<31 - 1, 0}

func (h *hull) add(s, e int32) { h.S, h.E = min(h.S, s), max(h.E, e) }

// pairing is what is known of two values once all their orders were looked at.
type pairing struct {
	orders     Orders
	one, other hull // what adds them
	ways       [2][maxWays]hull
}

// orders are those of two values that are not ruled out.
func (s *search) orders(v, w int32) (all Orders) {
	for i := s.from[v]; i < s.from[v+1]; i++ {
		for j := s.from[w]; j < s.from[w+1]; j++ {
			if !s.never[i] && !s.never[j] {
				all |= s.of(v, w, i, j, &[4]Span{s.in[v], s.out[i], s.in[w], s.out[j]})
			}
		}
	}
	return all
}

// of are the orders of two values that leave in certain ways.
func (s *search) of(v, w, i, j int32, ops *[4]Span) Orders {
	o := s.allowed[s.At(int(s.class[i]), int(s.class[j]))]
	if len(s.about[v]) > 0 && len(s.about[w]) > 0 {
		o &= s.decision(v, w)
	}
	return o.possible(ops)
}

// decision is what was supposed of two values.
func (s *search) decision(v, w int32) Orders {
	o := Orders(oneFirst | otherFirst)
	for _, i := range s.about[v] {
		switch d := &s.decided[i]; {
		case d.w == w:
			o &= d.orders
		case d.v == w:
			o &= d.orders.swapped()
		}
	}
	return o
}

// pair looks at all orders of two values.
func (s *search) pair(v, w int32) (p pairing) {
	p.one, p.other = nowhere, nowhere
	for i := range p.ways {
		for j := range p.ways[i] {
			p.ways[i][j] = nowhere
		}
	}
	for i := s.from[v]; i < s.from[v+1]; i++ {
		for j := s.from[w]; j < s.from[w+1]; j++ {
			if s.never[i] || s.never[j] {
				continue
			}
			ops := [4]Span{s.in[v], s.out[i], s.in[w], s.out[j]}
			o := s.of(v, w, i, j, &ops)
			p.orders |= o
			at := [4]*hull{&p.one, &p.ways[0][i-s.from[v]], &p.other, &p.ways[1][j-s.from[w]]}
			for k := range sequences {
				if o>>k&1 == 1 {
					bound(&sequences[k], &ops, &at)
				}
			}
		}
	}
	return p
}

// bound adds the moments at which operations can take effect in a sequence.
func bound(sequence *[4]uint8, ops *[4]Span, at *[4]*hull) {
	var first [4]int32
	s, e := int32(0), int32(1<<31-1)
	for i, k := range sequence {
		s = max(s, ops[k].S)
		first[i] = s
	}
	for i, k := range slices.Backward(sequence[:]) {
		e = min(e, ops[k].E)
		at[k].add(first[i], e)
	}
}

// narrow bounds the operations of two values by each other; false if they exclude each
// other.
func (s *search) narrow(v, w int32) bool {
	s.work++
	p := s.pair(v, w)
	if p.orders == 0 {
		s.roots = append(s.roots, v, w)
		return false
	}
	if s.set(v, p.one, &p.ways[0]) {
		s.changed(v, w)
	}
	if s.set(w, p.other, &p.ways[1]) {
		s.changed(w, v)
	}
	return true
}

// set gives a value narrower bounds.
func (s *search) set(v int32, in hull, ways *[maxWays]hull) (changed bool) {
	if Span(in) != s.in[v] {
		s.bind(s.in, v, Span(in))
		changed = true
	}
	for i := s.from[v]; i < s.from[v+1]; i++ {
		switch h := ways[i-s.from[v]]; {
		case s.never[i]:
		case h == nowhere:
			s.rule(i)
			changed = true
		case Span(h) != s.out[i]:
			s.bind(s.out, i, Span(h))
			changed = true
		}
	}
	return changed
}

func (s *search) enqueue(v int32) {
	if !s.queued[v] {
		s.queue, s.queued[v] = append(s.queue, v), true
	}
}

// propagate narrows until nothing changes; false if something is excluded. It may end early
// when nothing more is to be tried.
func (s *search) propagate() bool {
	ok := true
	for ok && len(s.queue) > 0 {
		for at := 0; at < len(s.queue); at++ {
			v := s.queue[at]
			s.queued[v] = false
			ok = ok && s.narrowFrom(v)
		}
		s.queue = s.queue[:0]
		ok = ok && s.tokensSuffice()
	}
	for _, v := range s.queue {
		s.queued[v] = false
	}
	s.queue = s.queue[:0]
	return ok
}

// narrowFrom narrows what a value can narrow.
func (s *search) narrowFrom(v int32) bool {
	if s.over() {
		return true
	}
	for _, w := range s.near[v] {
		if !s.narrow(v, w) {
			return false
		}
	}
	for _, i := range s.about[v] {
		if d := &s.decided[i]; !s.narrow(d.v, d.w) {
			return false
		}
	}
	return true
}

// neighbours lists for each value those with an operation that overlaps one of its own. Others cannot
// be narrowed by it, but for those that tokens may take.
func (s *search) neighbours() {
	ops := make([]op, 0, 2*len(s.in))
	var running []op
	for v := range s.in {
		ops = append(ops, op{s.in[v], int32(v), false})
		if i := s.from[v]; !s.Stays(int(s.class[i])) {
			ops = append(ops, op{s.out[i], int32(v), true})
		}
	}
	slices.SortFunc(ops, func(a, b op) int { return int(a.S - b.S) })
	s.near = make([][]int32, len(s.in))
	for _, o := range ops {
		if s.over() {
			return
		}
		running = slices.DeleteFunc(running, func(x op) bool { return x.E <= o.S })
		for _, x := range running {
			if x.value != o.value {
				s.meet(x.value, o.value)
				s.work++
			}
		}
		running = append(running, o)
	}
	s.aroundLeft(ops)
	if s.over() {
		return
	}
	for v := range s.near {
		slices.Sort(s.near[v])
		s.near[v] = slices.Compact(s.near[v])
	}
}

// costOfMeeting is what it takes to have two values meet, in looks at two values.
const costOfMeeting = 20

func (s *search) meet(v, w int32) { s.near[v], s.near[w] = append(s.near[v], w), append(s.near[w], v) }

// aroundLeft has values that tokens may take meet those that came after them, while they may still be
// in, or were in when they came, as far as either can matter.
func (s *search) aroundLeft(ops []op) {
	if len(s.left) == 0 {
		return
	}
	after, before := s.matters()
	looks := 0
	first := s.Tokens[0].Call // what had left by then must not matter, or there is a clash
	ops = slices.DeleteFunc(ops, func(o op) bool { return o.leaves || s.end(o.value) <= first })
	for _, y := range s.left {
		for _, o := range ops {
			x := o.value
			if o.S >= s.end(y) {
				break
			}
			if looks++; looks&63 == 0 {
				if s.work++; s.over() {
					return
				}
			}
			if x == y {
				continue
			}
			at := s.At(int(s.class[s.from[y]]), int(s.class[s.from[x]]))
			if s.in[x].S >= s.in[y].E && after[at] || s.in[x].E <= s.in[y].S && s.out[s.from[x]].S >= s.in[y].E && before[at] {
				s.meet(x, y)
				s.work += costOfMeeting
				s.narrow(y, x)
			}
		}
	}
}

// end is when a value has left at the latest.
func (s *search) end(v int32) int32 {
	out, _ := s.leaves(v)
	return out.E
}

// matters says, by the classes in which two values stay, or leave by what returned, whether it can bound the one, which a
// token may take, that the other comes after it, or was in when it came.
func (s *search) matters() (after, before []bool) {
	n := s.Classes()
	after, before = make([]bool, n*n), make([]bool, n*n)
	for v := range n {
		for w := range n {
			for _, i := range s.waysOf(v) {
				for _, j := range s.waysOf(w) {
					o := s.allowed[s.At(i, j)]
					after[s.At(v, w)] = after[s.At(v, w)] || o&oneEncloses == 0
					before[s.At(v, w)] = before[s.At(v, w)] || o&otherEncloses == 0 || o&otherOvertaken == 0
				}
			}
		}
	}
	return after, before
}

// waysOf are the classes in which a value may leave.
func (s *search) waysOf(class int) []int {
	all := []int{class}
	for k := range s.Removers {
		if s.Stays(class) && len(s.calls[1<<k]) > 0 {
			all = append(all, class-s.Removers+k)
		}
	}
	return all
}
