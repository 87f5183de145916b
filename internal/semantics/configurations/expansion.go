package configurations

import "slices"

// expansion finds the configurations in which an operation that returns took effect.
type expansion struct {
	*Set
	op       *operation // nil: whatever can take effect does
	place    int
	readOnly bool
	with     *store // it took effect; it is not in their marks any more
	without  *store

	left, next []mark // room
	open       []opening
}

// opening is what an operation that runs can do.
type opening struct {
	place int
	move
}

func (e *expansion) run() error {
	for i := range e.configs {
		c := &e.configs[i]
		from, to := c.of(e.place)
		own := c.marks[from:to]
		if len(own) > 0 {
			e.next = append(append(e.next[:0], c.marks[:from]...), c.marks[to:]...)
			e.with.add(c.state, e.next)
		}
		if len(own) == 0 || !own[0].took() && !e.readOnly {
			e.without.add(c.state, c.marks)
		}
	}
	return e.all()
}

// all expands what there is without the operation.
func (e *expansion) all() error {
	for i := 0; i < len(e.without.list); i++ {
		if c := e.without.list[i]; !c.dead {
			if err := e.expand(&c); err != nil {
				return err
			}
		}
		if len(e.without.list)+len(e.with.list) > Most {
			return ErrMost
		}
	}
	return nil
}

// expand lets the operation, or another one that runs, take effect.
func (e *expansion) expand(c *config) error {
	if e.op != nil {
		own, err := e.move(e.op, c.state)
		if err != nil {
			return err
		}
		if own.ok && own.next == c.state {
			from, to := c.of(e.place)
			e.next = append(append(e.next[:0], c.marks[:from]...), c.marks[to:]...)
			e.with.add(c.state, e.next)
			if e.readOnly {
				return nil
			}
		}
	}
	if err := e.look(c); err != nil {
		return err
	}
	for _, o := range e.open {
		i, _ := slices.BinarySearch(e.left, took(o.place, 0))
		e.next = append(e.next[:0], e.left[:i]...)
		to := e.without
		if e.running[o.place] == e.op {
			to = e.with
		} else {
			e.next = append(e.next, took(o.place, o.answer))
		}
		for ; i < len(e.left) && e.left[i].place() == o.place; i++ {
		}
		e.next = append(e.next, e.left[i:]...)
		to.add(o.move.next, e.next)
	}
	return nil
}

// look finds what can leave a configuration's state, and the marks once it is left.
func (e *expansion) look(c *config) error {
	e.left, e.open = e.left[:0], e.open[:0]
	marks := c.marks
	for place, o := range e.running {
		n := 0
		for n < len(marks) && marks[n].place() == place {
			n++
		}
		e.left = append(e.left, marks[:n]...)
		known := len(e.left) - n
		done := n > 0 && marks[0].took()
		marks = marks[n:]
		if o == nil || done {
			continue
		}
		m, err := e.move(o, c.state)
		if err != nil {
			return err
		}
		switch {
		case !m.ok:
		case m.next != c.state:
			e.open = append(e.open, opening{place, m})
		default:
			own := could(place, m.answer)
			if i, ok := slices.BinarySearch(e.left[known:], own); !ok {
				e.left = slices.Insert(e.left, known+i, own)
			}
		}
	}
	return nil
}

// store is configurations. Of those with one state and the same operations that took
// effect, one stays that could have answered all that another could.
type store struct {
	list  []config         // dead ones, too
	first map[uint64]int32 // by hash of state and what took effect, from 1
	room  []mark
}

// reset empties the store.
func (s *store) reset(room []mark) {
	s.list, s.room = s.list[:0], room[:0]
	clear(s.first)
}

// add adds a configuration, if it is new.
func (s *store) add(state int32, marks []mark) {
	h := uint64(state) + 1
	for _, m := range marks {
		if m.took() {
			h = (h ^ uint64(m)) * 0x9e3779b97f4a7c15
			h ^= h >> 29
		}
	}
	first := s.first[h]
	for i := first; i > 0; i = s.list[i-1].next {
		d := &s.list[i-1]
		if d.dead || d.state != state || !sameTaken(d.marks, marks) {
			continue
		}
		if within(marks, d.marks) {
			return
		}
		d.dead = within(d.marks, marks)
	}
	from := len(s.room)
	s.room = append(s.room, marks...)
	s.list = append(s.list, config{state: state, next: first, marks: s.room[from:len(s.room):len(s.room)]})
	if s.first == nil {
		s.first = map[uint64]int32{}
	}
	s.first[h] = int32(len(s.list))
}

// sameTaken reports whether the marks say that the same operations took effect, with the
// same answers.
func sameTaken(some, others []mark) bool {
	i, j := 0, 0
	for {
		for i < len(some) && !some[i].took() {
			i++
		}
		for j < len(others) && !others[j].took() {
			j++
		}
		if i == len(some) || j == len(others) {
			return i == len(some) && j == len(others)
		}
		if some[i] != others[j] {
			return false
		}
		i, j = i+1, j+1
	}
}

// within reports whether all of some marks are among others.
func within(some, others []mark) bool {
	i := 0
	for _, m := range others {
		if i < len(some) && some[i] == m {
			i++
		}
	}
	return i == len(some)
}
