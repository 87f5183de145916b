package synthesis

import (
	"context"
	"math/bits"

	"github.com/adtinfer/adtinfer/internal/alphabet"
	"github.com/adtinfer/adtinfer/internal/model"
)

// removal is a pair <e, e'> of "Symbolic ADT inference" §8: e is admitted, and
// what is left of it without the removed operations is not.
type removal struct {
	e       []alphabet.Label
	removed []int // positions in e, ascending
}

// sample is what the constraints of one language rest on.
type sample struct {
	length   int                // of the longest admitted executions
	admitted [][]alphabet.Label // without the empty one
	all      [][]alphabet.Label // executions in the language, admitted or not, for uniqueness
	removals []removal
}

// Limits on the size of a sample.
const (
	allLength   = 3   // uniqueness and closure are about three operations at most
	pairLength  = 4   // longest admitted executions to take operations from
	minPairs    = 3   // look at this length in any case
	sampleLimit = 900 // admitted executions that are enough
)

// collect gathers the sample of a language.
func collect(ctx context.Context, m *model.Model) (*sample, error) {
	s := &sample{}
	if err := s.growTo(ctx, m, pairLength); err != nil {
		return nil, err
	}
	for n := 1; n <= allLength; n++ {
		m.Alphabet.Executions(n, m.Language.Extends, func(e []alphabet.Label) bool {
			if m.Language.Contains(e) {
				s.all = append(s.all, append([]alphabet.Label(nil), e...))
			}
			return ctx.Err() == nil
		})
	}
	return s, ctx.Err()
}

// growTo adds lengths up to the given one, as long as the sample is small.
func (s *sample) growTo(ctx context.Context, m *model.Model, length int) error {
	for n := 1; n <= length && (n <= minPairs || len(s.admitted) < sampleLimit); n++ {
		if err := s.grow(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// grow adds the admitted executions of the next length, and their removals.
func (s *sample) grow(ctx context.Context, m *model.Model) error {
	level, err := m.Admitted(ctx, s.length+1)
	if err != nil {
		return err
	}
	s.length++
	s.admitted = append(s.admitted, level...)
	var candidates []removal
	var rest [][]alphabet.Label
	for _, e := range level {
		for set := 1; set < 1<<len(e); set++ {
			r := removal{e: e, removed: make([]int, 0, bits.OnesCount(uint(set)))}
			left := make([]alphabet.Label, 0, len(e)-cap(r.removed))
			for i, l := range e {
				if set>>i&1 == 1 {
					r.removed = append(r.removed, i)
				} else {
					left = append(left, l)
				}
			}
			if m.Language.Contains(left) {
				candidates, rest = append(candidates, r), append(rest, left)
			}
		}
	}
	ok, err := m.IsAdmitted(ctx, rest)
	if err != nil {
		return err
	}
	for i, r := range candidates {
		if !ok[i] {
			s.removals = append(s.removals, r)
		}
	}
	return nil
}

// readOnly finds the kinds whose operations never change what follows: taking
// one out of an admitted execution leaves an admitted one, at every place in
// the sample.
func (s *sample) readOnly(a *alphabet.Alphabet) []bool {
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
