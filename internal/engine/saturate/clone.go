package saturate

import (
	"maps"
	"slices"
)

// Clone is a Saturation that goes on from here by itself. It may share Options.Stop.
func (s *Saturation) Clone() *Saturation {
	c := *s
	c.ops = slices.Clone(s.ops)
	for i := range c.ops {
		o := &c.ops[i]
		o.overlaps, o.watches = slices.Clone(o.overlaps), slices.Clone(o.watches)
	}
	c.matches = slices.Clone(s.matches)
	for i := range c.matches {
		t := &c.matches[i]
		t.members, t.blocked, t.candidates = slices.Clone(t.members), slices.Clone(t.blocked), slices.Clone(t.candidates)
	}
	c.byKey = slices.Clone(s.byKey)
	for i := range c.byKey {
		c.byKey[i] = maps.Clone(c.byKey[i])
	}
	c.series = slices.Clone(s.series)
	for i := range c.series {
		l := &c.series[i]
		l.times, l.ops, l.skip = slices.Clone(l.times), slices.Clone(l.ops), slices.Clone(l.skip)
	}
	c.spare, c.pending, c.spareMatches = slices.Clone(s.spare), slices.Clone(s.pending), slices.Clone(s.spareMatches)
	c.facts, c.joined, c.recheck = slices.Clone(s.facts), slices.Clone(s.joined), slices.Clone(s.recheck)
	c.closing, c.near, c.open = slices.Clone(s.closing), slices.Clone(s.near), slices.Clone(s.open)
	c.writing, c.written = slices.Clone(s.writing), slices.Clone(s.written)
	c.touched, c.banned = slices.Clone(s.touched), slices.Clone(s.banned)
	c.trail, c.saved = nil, nil // between events nothing is assumed
	return &c
}
