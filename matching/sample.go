package matching

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/enumerate"
)

// removal is a pair <e, e'> of "Symbolic ADT inference" §8: e is admitted, and
// what is left of it without the removed operations is not.
type removal struct {
	e       []enumerate.Label
	removed []int // positions in e, ascending
}

// sample is what the constraints of one language rest on.
type sample struct {
	length   int                 // of the longest admitted executions
	admitted [][]enumerate.Label // without the empty one
	all      [][]enumerate.Label // executions in the language, admitted or not, for uniqueness
	removals []removal
}

// Limits on the size of a sample.
const (
	allLength      = 3   // uniqueness and closure are about three operations at most
	pairLength     = 4   // longest admitted executions to take operations from
	minPairs       = 3   // look at this length in any case
	sampleLimit    = 900 // admitted executions that are enough
	removedAtATime = 512 // executions that operations are taken from
)

// collect gathers the sample of a language.
func collect(ctx context.Context, m *Model) (*sample, error) {
	s := &sample{}
	if err := s.growTo(ctx, m, pairLength); err != nil {
		return nil, err
	}
	for n := 1; n <= allLength; n++ {
		m.Alphabet.Executions(n, m.Language.Extends, func(e []enumerate.Label) bool {
			if m.Language.Contains(e) {
				s.all = append(s.all, append([]enumerate.Label(nil), e...))
			}
			return ctx.Err() == nil
		})
	}
	return s, ctx.Err()
}

// growTo adds lengths up to the given one, as long as the sample is small.
func (s *sample) growTo(ctx context.Context, m *Model, length int) error {
	for n := 1; n <= length && (n <= minPairs || len(s.admitted) < sampleLimit); n++ {
		if err := s.grow(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// grow adds the admitted executions of the next length, and their removals.
func (s *sample) grow(ctx context.Context, m *Model) error {
	level, err := m.Admitted(ctx, s.length+1)
	if err != nil {
		return err
	}
	s.length++
	s.admitted = append(s.admitted, level...)
	for chunk := range slices.Chunk(level, removedAtATime) {
		if err := s.remove(ctx, m, chunk); err != nil {
			return err
		}
	}
	return nil
}

// remove adds the removals of executions of the length.
func (s *sample) remove(ctx context.Context, m *Model, level [][]enumerate.Label) error {
	sets := 1 << s.length
	room := make([]enumerate.Label, 0, len(level)*s.length*sets/2) // each label is in half of the rests
	of, rest := make([]int, 0, len(level)*sets), make([][]enumerate.Label, 0, len(level)*sets)
	for k, e := range level {
		for set := 1; set < sets; set++ {
			from := len(room)
			for i, l := range e {
				if set>>i&1 == 0 {
					room = append(room, l)
				}
			}
			if left := room[from:]; m.Language.Contains(left) {
				of, rest = append(of, k*sets+set), append(rest, left)
			}
		}
	}
	ok, err := m.IsAdmitted(ctx, rest)
	if err != nil {
		return err
	}
	for i, which := range of {
		if ok[i] {
			continue
		}
		r := removal{e: level[which/sets]}
		for p := range r.e {
			if which>>p&1 == 1 {
				r.removed = append(r.removed, p)
			}
		}
		s.removals = append(s.removals, r)
	}
	return nil
}

// readOnly finds the kinds whose operations never change what follows: taking
// one out of an admitted execution leaves an admitted one, at every place in
// the sample.
func (s *sample) readOnly(a *enumerate.Alphabet) []bool {
	ro := make([]bool, len(a.Kinds))
	for i := range ro {
		ro[i] = true
	}
	for _, r := range s.removals {
		if len(r.removed) == 1 {
			ro[a.KindOf(r.e[r.removed[0]])] = false
		}
	}
	return ro
}
