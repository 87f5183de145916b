package lives

// change is what was known of a value before: the bounds of what adds it or of a way in which it leaves, or that the
// way was not ruled out; or, if of is nil, that it has a reason more.
type change struct {
	of  []Span
	at  int32
	old Span
}

// reason is that a value was narrowed by another, or by what was supposed of the two, when the trail was so long.
type reason struct {
	by, at int32
}

// bind gives an operation narrower bounds: s.in by its value, or s.out by its way.
func (s *search) bind(of []Span, at int32, bounds Span) {
	s.trail = append(s.trail, change{of, at, of[at]})
	of[at] = bounds
}

// ruled are the bounds of a way that is not yet ruled out, on the trail.
var ruled = Span{-1, -1}

// rule rules a way out.
func (s *search) rule(way int32) {
	if !s.never[way] {
		s.trail = append(s.trail, change{s.out, way, ruled})
		s.never[way] = true
	}
}

// changed notes that one value narrowed another.
func (s *search) changed(v, by int32) {
	s.why[v] = append(s.why[v], reason{by, int32(len(s.trail))})
	s.trail = append(s.trail, change{at: v})
	s.touch(v)
	s.enqueue(v)
}

// touch notes that sweeps may do otherwise from where a value can come on.
func (s *search) touch(v int32) { s.dirty = min(s.dirty, s.Values[v].In.S) }

// restore takes back what came after the trail was so long, and the last things that were supposed.
func (s *search) restore(mark, decided int) {
	for len(s.trail) > mark {
		x := s.trail[len(s.trail)-1]
		s.trail = s.trail[:len(s.trail)-1]
		switch {
		case x.of == nil:
			s.why[x.at] = s.why[x.at][:len(s.why[x.at])-1]
			s.touch(x.at)
		case x.old == ruled:
			s.never[x.at] = false
		default:
			x.of[x.at] = x.old
		}
	}
	for _, d := range s.decided[decided:] {
		for _, v := range []int32{d.v, d.w} {
			s.about[v] = s.about[v][:len(s.about[v])-1]
			s.touch(v)
		}
	}
	s.decided = s.decided[:decided]
}

// explain adds to the roots the values that narrowed them since the trail was so long, and so on. The roots exclude
// each other as they were then.
func (s *search) explain(mark int) {
	seen := make(map[int32]bool, len(s.roots))
	var all []int32
	add := func(v int32) {
		if !seen[v] {
			seen[v] = true
			all = append(all, v)
		}
	}
	for _, v := range s.roots {
		add(v)
	}
	for i := 0; i < len(all); i++ {
		why := s.why[all[i]]
		for k := len(why) - 1; k >= 0 && int(why[k].at) >= mark; k-- {
			add(why[k].by)
		}
	}
	s.roots = all
}
