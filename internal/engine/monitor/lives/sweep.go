package lives

import "slices"

// sweep puts operations in order, from the first event to the last.
type sweep struct {
	*search
	steps []Step
	now   int32 // the gap

	event int   // the first one
	until int32 // all before it are at this position or before

	pushed, gone, busy []bool
	row
	coming  []int32 // values that may come
	leaving []int32 // values that may leave, by what removes them
	used    []int   // tokens, by kind

	inTheWay []tried // where there is no way to go on
}

// tried is two values, and their orders that were tried; or one that stayed, and -1.
type tried struct {
	v, w   int32
	orders Orders
}

// row has the values that are in, by class, in the order in which they came.
type row struct {
	seq        []int32 // by value: when it came
	next, prev []int32 // by value: 1 + the next of its class
	head, tail []int32 // by class: 1 + a value
}

func newRow(values, classes int) row {
	return row{make([]int32, values), make([]int32, values), make([]int32, values), make([]int32, classes), make([]int32, classes)}
}

func (r *row) add(v, class, at int32) {
	r.seq[v], r.prev[v], r.next[v] = at, r.tail[class], 0
	if r.prev[v] != 0 {
		r.next[r.prev[v]-1] = v + 1
	} else {
		r.head[class] = v + 1
	}
	r.tail[class] = v + 1
}

func (r *row) remove(v, class int32) {
	if r.next[v] != 0 {
		r.prev[r.next[v]-1] = r.prev[v]
	} else {
		r.tail[class] = r.prev[v]
	}
	if r.prev[v] != 0 {
		r.next[r.prev[v]-1] = r.next[v]
	} else {
		r.head[class] = r.next[v]
	}
}

// blocks is a value that must leave before a value of some class may; -1 if there is none.
func (s *search) blocks(r *row, v, class int32) int32 {
	for c := range r.head {
		h, t := r.head[c], r.tail[c]
		if h == 0 {
			continue
		}
		if h == v+1 {
			h = r.next[v]
		}
		if t == v+1 {
			t = r.prev[v]
		}
		o := s.allowed[s.At(c, int(class))] // c is the one
		if h != 0 && o&oneEncloses == 0 && r.seq[h-1] < r.seq[v] {
			return h - 1
		}
		if t != 0 && o&otherOvertaken == 0 && r.seq[t-1] > r.seq[v] {
			return t - 1
		}
	}
	return -1
}

// newSweep goes on from a checkpoint behind which nothing changed, or begins.
func newSweep(s *search) *sweep {
	for len(s.checkpoints) > 0 {
		last := s.checkpoints[len(s.checkpoints)-1]
		s.checkpoints = s.checkpoints[:len(s.checkpoints)-1]
		if last.until < s.dirty {
			s.dirty = 1<<31 - 1
			return last
		}
	}
	s.dirty = 1<<31 - 1
	k := len(s.in)
	return &sweep{search: s, pushed: make([]bool, k), gone: make([]bool, k), busy: make([]bool, k),
		row: newRow(k, s.Classes()), used: make([]int, s.Removers), steps: make([]Step, 0, 2*k)}
}

// A sweep is remembered so many times at most, and after so many events at least. Tests change the latter.
const checkpoints = 32

var fewEvents = 2_000

// remember makes a checkpoint, before the event with a number.
func (s *sweep) remember(event int, until int32) {
	c := *s
	c.event, c.until = event, until
	c.pushed, c.gone, c.used = slices.Clone(s.pushed), slices.Clone(s.gone), slices.Clone(s.used)
	c.busy = make([]bool, len(s.busy))
	c.coming, c.leaving = slices.Clone(s.coming), slices.Clone(s.leaving)
	c.row = row{slices.Clone(s.seq), slices.Clone(s.next), slices.Clone(s.prev), slices.Clone(s.head), slices.Clone(s.tail)}
	c.steps = slices.Clip(s.steps)
	s.checkpoints = append(s.checkpoints, &c)
}

// leaves is from when to when a value may leave; stays is true if it need not.
func (s *search) leaves(v int32) (out Span, stays bool) {
	h := nowhere
	for i := s.from[v]; i < s.from[v+1]; i++ {
		if !s.never[i] {
			h.add(s.out[i].S, s.out[i].E)
			stays = stays || s.Stays(int(s.class[i]))
		}
	}
	return Span(h), stays
}

// run is false if there is no way to go on.
func (s *sweep) run() bool {
	events := s.timeline()
	every := max(len(events)/checkpoints, fewEvents)
	for i := s.event; i < len(events); i++ {
		e := events[i]
		if s.over() {
			return false
		}
		if i > s.event && i%every == 0 {
			s.remember(i, events[i-1].at)
		}
		if e.leaves {
			if _, stays := s.leaves(e.value); stays {
				continue
			}
		}
		switch {
		case e.begins && e.leaves:
			s.now = e.at
			s.leaving = append(s.leaving, e.value)
			s.settle()
		case e.begins:
			s.now = e.at
			s.coming = append(s.coming, e.value)
		default:
			s.now = e.at - 1
			if !s.push(e.value) || e.leaves && !s.pop(e.value) {
				return false
			}
		}
	}
	return true
}

// push has a value come, after those that must come before it, and those that had better.
func (s *sweep) push(w int32) bool {
	switch {
	case s.pushed[w]:
		return true
	case s.busy[w]:
		return false
	}
	s.busy[w] = true
	for _, u := range s.near[w] {
		if s.pushed[u] || s.in[u].S > s.now {
			continue
		}
		switch o := s.orders(w, u); {
		case o&oneFirst == 0:
			if !s.push(u) {
				s.inTheWay = append(s.inTheWay, tried{w, u, otherFirst})
				return false
			}
		case o&otherFirst != 0 && s.later(w, u, o) && s.fits(u):
			s.place(u)
		}
	}
	s.busy[w] = false
	for !s.pushed[w] {
		y := s.against(w)
		if y < 0 {
			s.place(w)
		} else if !s.take(y) {
			s.inTheWay = append(s.inTheWay, tried{y, w, oneFirst &^ oneThenOther})
			s.stuck(y)
			return false
		}
	}
	return true
}

// later reports whether one value had better come after another: if they are likely to leave in an
// order that then is possible, and otherwise is not.
func (s *sweep) later(v, w int32, o Orders) bool {
	a, _ := s.leaves(v)
	b, _ := s.leaves(w)
	if b.S+b.E < a.S+a.E {
		return o&oneEncloses == 0 && o&otherOvertaken != 0
	}
	return o&oneOvertaken == 0 && o&otherEncloses != 0
}

// fits reports whether a value can come at once.
func (s *sweep) fits(u int32) bool {
	if s.busy[u] || s.against(u) >= 0 {
		return false
	}
	for _, x := range s.near[u] {
		if !s.pushed[x] && s.orders(u, x)&oneFirst == 0 {
			return false
		}
	}
	return true
}

// against is a value that must not be in when another comes; -1 if there is none.
func (s *sweep) against(w int32) int32 {
	for _, y := range s.near[w] {
		if s.pushed[y] && !s.gone[y] && s.orders(y, w)&(oneEncloses|oneOvertaken) == 0 {
			return y
		}
	}
	for c, h := range s.head {
		if h == 0 {
			continue
		}
		may := false
		for i := s.from[w]; i < s.from[w+1]; i++ {
			may = may || !s.never[i] && s.allowed[s.At(c, int(s.class[i]))]&(oneEncloses|oneOvertaken) != 0
		}
		if !may && s.orders(h-1, w)&(oneEncloses|oneOvertaken) == 0 { // it cannot be taken later, either
			return h - 1
		}
	}
	return -1
}

func (s *sweep) place(v int32) {
	s.pushed[v] = true
	s.steps = append(s.steps, Step{Value: v})
	s.row.add(v, s.class[s.from[v]], int32(len(s.steps)))
	s.coming = slices.DeleteFunc(s.coming, func(u int32) bool { return u == v })
	s.settle()
}

// settle lets leave what can, as long as something does.
func (s *sweep) settle() {
	for i := 0; i < len(s.leaving); i++ {
		if v := s.leaving[i]; s.pushed[v] && s.only(v) && s.leave(v, s.from[v]) {
			i = -1
		}
	}
}

// only reports whether a value is removed by an operation that returned.
func (s *search) only(v int32) bool { return s.from[v+1] == s.from[v]+1 }

// leave has a value leave in a way, if nothing is in its way.
func (s *sweep) leave(v, way int32) bool {
	if s.never[way] || s.out[way].S > s.now || s.blocks(&s.row, v, s.class[way]) >= 0 || s.opposed(v) >= 0 {
		return false
	}
	if !s.only(v) {
		k := s.kind(way)
		if calls := s.calls[1<<k]; s.used[k] >= len(calls) || calls[s.used[k]] > s.now {
			return false
		}
		s.used[k]++
	}
	s.gone[v] = true
	s.steps = append(s.steps, Step{v, true, int(way - s.from[v])})
	s.row.remove(v, s.class[s.from[v]])
	s.leaving = slices.DeleteFunc(s.leaving, func(u int32) bool { return u == v })
	return true
}

// opposed is a value that is in and, as was supposed, leaves before another; -1 if there is none.
func (s *sweep) opposed(v int32) int32 {
	for _, i := range s.about[v] {
		d := &s.decided[i]
		o, y := d.orders, d.w
		if y == v {
			o, y = o.swapped(), d.v
		}
		if order := otherEncloses; s.pushed[y] && !s.gone[y] {
			if s.seq[v] < s.seq[y] {
				order = oneOvertaken
			}
			if o&order == 0 {
				return y
			}
		}
	}
	return -1
}

// pop has a value leave that must.
func (s *sweep) pop(x int32) bool {
	for !s.gone[x] {
		y := int32(-1)
		for way := s.from[x]; way < s.from[x+1] && !s.gone[x]; way++ {
			switch {
			case s.never[way] || s.Stays(int(s.class[way])):
			case s.leave(x, way):
				s.settle()
			default:
				y = max(y, s.blocks(&s.row, x, s.class[way]), s.opposed(x))
			}
		}
		if !s.gone[x] && (y < 0 || !s.take(y)) {
			s.stuck(x)
			return false
		}
	}
	return true
}

// take has a token take a value that is left, and before it others that are in its way.
func (s *sweep) take(y int32) bool {
	for !s.only(y) {
		z := int32(-1)
		for way := s.from[y] + 1; way < s.from[y+1]; way++ {
			if s.leave(y, way) {
				s.settle()
				return true
			}
			if !s.never[way] {
				z = s.blocks(&s.row, y, s.class[way])
			}
		}
		if z < 0 || s.busy[z] {
			return false
		}
		s.busy[y] = true
		ok := s.take(z)
		s.busy[y] = false
		if !ok {
			return false
		}
	}
	return false
}

// stuck notes what is in the way of a value.
func (s *sweep) stuck(x int32) {
	for range 8 {
		if !s.only(x) {
			s.inTheWay = append(s.inTheWay, tried{x, -1, 0})
		}
		y := int32(-1)
		for way := s.from[x]; way < s.from[x+1] && y < 0; way++ {
			if !s.never[way] && !s.Stays(int(s.class[way])) {
				y = max(s.blocks(&s.row, x, s.class[way]), s.opposed(x))
			}
		}
		if y < 0 {
			return
		}
		now := oneFirst
		if s.seq[x] > s.seq[y] {
			now = otherFirst
		}
		s.inTheWay = append(s.inTheWay, tried{x, y, now})
		x = y
	}
}
