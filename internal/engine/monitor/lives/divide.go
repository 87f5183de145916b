package lives

import (
	"iter"
	"slices"
)

// halves are two values, or one and -1, of which one half of what is possible is supposed, and then the other.
type halves struct {
	v, w              int32
	suppose, contrary func()
}

// divide halves what is possible for some two values, or one: of those that are in the way
// of each other, and else of the nearest. First comes what was not tried.
func (s *search) divide(pairs []tried) *halves {
	for _, p := range pairs {
		if h := s.halves(p); h != nil {
			return h
		}
	}
	for v := range s.around(pairs) {
		if h := s.anyHalves(v); h != nil {
			return h
		}
	}
	return nil
}

// around hands out the values of some pairs, those that overlap them, those that overlap these, and so on; then all others.
func (s *search) around(pairs []tried) iter.Seq[int32] {
	return func(yield func(v int32) bool) {
		seen := make([]bool, len(s.in))
		var next []int32
		add := func(v int32) {
			if v >= 0 && !seen[v] {
				seen[v], next = true, append(next, v)
			}
		}
		for _, p := range pairs {
			add(p.v)
			add(p.w)
		}
		for i, other := 0, int32(0); i < len(next) || int(other) < len(s.in); i++ {
			for ; i == len(next) && int(other) < len(s.in); other++ {
				add(other)
			}
			if i == len(next) || !yield(next[i]) {
				return
			}
			for _, w := range s.near[next[i]] {
				add(w)
			}
		}
	}
}

// anyHalves halves what is possible for a value and one that overlaps it.
func (s *search) anyHalves(v int32) *halves {
	if h := s.waysHalved(v); h != nil {
		return h
	}
	for _, w := range s.near[v] {
		if h := s.halves(tried{v, w, 0}); h != nil {
			return h
		}
	}
	return nil
}

// halves divides the ways of a value, or the orders of two; nil if that cannot be done.
func (s *search) halves(p tried) *halves {
	if p.w < 0 {
		return s.waysHalved(p.v)
	}
	o := s.orders(p.v, p.w)
	for _, half := range []Orders{p.orders, oneFirst, apart, oneEncloses | otherEncloses} {
		if a, b := o&^half, o&half; a != 0 && b != 0 {
			return &halves{p.v, p.w, func() { s.suppose(p, a) }, func() { s.suppose(p, b) }}
		}
	}
	return nil
}

// waysHalved divides the ways of a value, or the time in which a token takes it.
func (s *search) waysHalved(v int32) *halves {
	ways := s.never[s.from[v]:s.from[v+1]]
	i := slices.Index(ways, false)
	if i < 0 {
		return nil
	}
	way := s.from[v] + int32(i)
	if slices.Contains(ways[i+1:], false) {
		return &halves{v, -1, func() {
			s.rule(way)
			s.changed(v, v)
		}, func() {
			for k := range ways {
				if k != i {
					s.rule(s.from[v] + int32(k))
				}
			}
			s.changed(v, v)
		}}
	}
	if i == 0 { // it stays, or left by what returned
		return nil
	}
	out := s.out[way]
	for _, call := range s.calls[1<<s.kind(way)] {
		if out.S < call && call < out.E {
			return &halves{v, -1, func() {
				s.bind(s.out, way, Span{out.S, call})
				s.changed(v, v)
			}, func() {
				s.bind(s.out, way, Span{call, out.E})
				s.changed(v, v)
			}}
		}
	}
	return nil
}

// suppose supposes orders of two values.
func (s *search) suppose(p tried, o Orders) {
	for _, v := range []int32{p.v, p.w} {
		s.about[v] = append(s.about[v], int32(len(s.decided)))
		s.touch(v)
	}
	s.decided = append(s.decided, decision{p.v, p.w, o})
	s.enqueue(p.v)
}
