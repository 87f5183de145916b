package saturate

import (
	"slices"

	"github.com/adtinfer/adtinfer/internal/engine/clauses"
)

// list is operations of one kind in matches of one shape, in the order in which
// they came to be so. It finds those within a time.
type list struct {
	times []int
	ops   []int32 // -1: not any more
	skip  []int32 // a live entry at or after this one is at skip or after it
	dead  int
	late  int // live entries that returned before they were listed
}

// list adds operation x, of a match with a shape, to the series it belongs to.
func (s *Saturation) list(x int32) {
	if s.probing.on {
		return // to be undone soon
	}
	o := &s.ops[x]
	series := s.r.Listed[int(s.matches[o.match].shape)*len(s.r.Kinds)+int(o.kind)]
	if series < 0 {
		return
	}
	l := &s.series[series]
	if o.ret < s.now-1 {
		l.late++
	}
	o.listed, o.at = series, int32(len(l.ops))
	l.times = append(l.times, s.now-1)
	l.ops = append(l.ops, x)
	l.skip = append(l.skip, int32(len(l.skip)))
}

// unlist removes operation x from its series.
func (s *Saturation) unlist(x int32) {
	o := &s.ops[x]
	if o.listed < 0 {
		return
	}
	l := &s.series[o.listed]
	if o.ret < l.times[o.at] {
		l.late--
	}
	l.ops[o.at] = -1
	l.skip[o.at]++
	o.listed = -1
	if l.dead++; l.dead > 32 && l.dead > len(l.ops)/2 {
		s.compact(l)
	}
}

func (s *Saturation) compact(l *list) {
	n := 0
	for i, x := range l.ops {
		if x >= 0 {
			l.times[n], l.ops[n], l.skip[n] = l.times[i], x, int32(n)
			s.ops[x].at = int32(n)
			n++
		}
	}
	l.times, l.ops, l.skip, l.dead = l.times[:n], l.ops[:n], l.skip[:n], 0
}

// next is the first live entry at or after i.
func (l *list) next(i int) int {
	for i < len(l.skip) && int(l.skip[i]) != i {
		if j := int(l.skip[i]); j < len(l.skip) {
			l.skip[i] = l.skip[j]
		}
		i = int(l.skip[i])
	}
	return i
}

// from is the first entry listed after a time.
func (l *list) from(after int) int {
	i, _ := slices.BinarySearch(l.times, after+1)
	return i
}

// around looks at matches that do not overlap with match y, of which x is a new
// member.
func (s *Saturation) around(x, y int32) {
	t := &s.matches[y]
	ps := s.r.Pivots[int(t.shape)*len(s.r.Kinds)+int(s.ops[x].kind)]
	for i := range ps {
		p := &ps[i]
		before, after := s.bounds(p, y)
		l := &s.series[p.Series]
		for j := l.next(l.from(after)); j < len(l.ops); j = l.next(j + 1) {
			if l.late == 0 && l.times[j] >= before {
				break
			}
			o := &s.ops[l.ops[j]]
			if o.call <= after || o.ret >= before || s.matches[o.match].stamp == s.stamp {
				continue
			}
			s.matches[o.match].stamp = s.stamp
			if s.two(y, o.match); s.violation != nil {
				return
			}
		}
	}
}

// bounds is the time within which the pivot must lie: before a call, after a
// return, of the operations next to it in the pattern.
func (s *Saturation) bounds(p *clauses.Pivot, y int32) (before, after int) {
	after = -1
	if p.Prev >= 0 {
		after = never
	}
	for _, a := range s.matches[y].members {
		o := &s.ops[a]
		if int(o.kind) == p.Next {
			before = max(before, o.call)
		}
		if int(o.kind) == p.Prev {
			after = min(after, o.ret)
		}
	}
	return before, after
}
