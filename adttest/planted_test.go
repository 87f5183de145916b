package adttest

import (
	"sync/atomic"
	"testing"

	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/examples/treiber"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestPlanted finds defects whose single steps are atomic, so that the race
// detector has nothing to say. With a reference all are found, also those whose
// histories leave the language of the inferred theory, and those of types that no
// theory describes.
func TestPlanted(t *testing.T) {
	for name, c := range map[string]Config{
		"check-then-act":          {New: func() *checksThenAdds { return &checksThenAdds{lockedSets{s: newSets()}} }, Reference: newSets},
		"always true":             {New: func() *alwaysTrue { return &alwaysTrue{lockedSets{s: newSets()}} }, Reference: newSets},
		"removed twice":           {New: func() *removesTwice { return &removesTwice{lockedSets{s: newSets()}} }, Reference: newSets},
		"lost update":             {New: func() *losesUpdates { return &losesUpdates{} }, Reference: newCounter},
		"stale read":              {New: func() *readsStale { return &readsStale{} }, Reference: newCounter},
		"double pop":              {New: func() *takesTwice { return &takesTwice{lockedRing{r: newSmallRing()}} }, Reference: newSmallRing},
		"check-then-act on space": {New: func() *overfills { return &overfills{lockedRing{r: newRing()}} }, Reference: newSmallRing},
		"ABA":                     {New: func() *treiber.Stack { return treiber.Paused(treiber.NewReusing(), Yield) }, Reference: stack.Spec},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "ABA" || name == "removed twice" || name == "double pop" {
				testsize.NeedsLong(t)
			}
			t.Parallel()
			c.Budget = patience
			f := find(t, c)
			if f == nil {
				t.Fatal("not found")
			}
			if f.Kind != Violation || f.Explanation == nil {
				t.Fatal(f)
			}
			t.Log(f)
			r, err := newRun(t.Context(), c, environment{replay: f.Log}, nobody("", ""))
			if err != nil {
				t.Fatal(err)
			}
			again, err := r.all()
			if err != nil || again == nil || again.Kind != Violation || again.Execution.String() != f.Execution.String() {
				t.Errorf("the log again: %v, %v", again, err)
			}
		})
	}
}

// checksThenAdds lets two threads add one value.
type checksThenAdds struct{ lockedSets }

func (s *checksThenAdds) Add(v int) bool {
	if s.Has(v) {
		return false
	}
	Yield()
	s.lockedSets.Add(v)
	return true
}

// alwaysTrue says that every value was new.
type alwaysTrue struct{ lockedSets }

func (s *alwaysTrue) Add(v int) bool {
	s.lockedSets.Add(v)
	return true
}

// removesTwice lets two threads remove one value.
type removesTwice struct{ lockedSets }

func (s *removesTwice) Remove(v int) bool {
	if !s.Has(v) {
		return false
	}
	Yield()
	s.lockedSets.Remove(v)
	return true
}

// losesUpdates counts one of two at the same time.
type losesUpdates struct{ n atomic.Int64 }

func (c *losesUpdates) Inc() {
	n := c.n.Load()
	Yield()
	c.n.Store(n + 1)
}
func (c *losesUpdates) Get() int { return int(c.n.Load()) }

// readsStale looks at the counter every other time.
type readsStale struct{ n, reads, seen atomic.Int64 }

func (c *readsStale) Inc() { c.n.Add(1) }
func (c *readsStale) Get() int {
	if c.reads.Add(1)%2 == 1 {
		c.seen.Store(c.n.Load())
	}
	return int(c.seen.Load())
}

// takesTwice gives two threads the same value.
type takesTwice struct{ lockedRing }

func (r *takesTwice) Take() (int, bool) {
	first := with(&r.mu, func() []int { return r.r.values })
	if len(first) == 0 {
		return 0, false
	}
	Yield()
	r.lockedRing.Take()
	return first[0], true
}

// overfills lets two threads put a value where there is room for one.
type overfills struct{ lockedRing }

func (r *overfills) Put(v int) bool {
	if with(&r.mu, func() int { return len(r.r.values) }) >= 2 {
		return false
	}
	Yield()
	return r.lockedRing.Put(v)
}
