package patterns_test

import (
	"context"
	"testing"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/examples/lock"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/examples/worksteal"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
)

// closure is everything that s turns into by removals, s included.
func closure(s enumerate.Sequence, into map[string]bool) {
	key := string(s.AppendKey(nil))
	if into[key] {
		return
	}
	into[key] = true
	s.Removals(func(_ string, positions []int) bool {
		rest := s.Without(nil, positions)
		closure(rest, into)
		return true
	})
}

// "Symbolic ADT inference" Lemma 6 on completed sequential histories: a history
// embeds another, directly or by its EMBED formula, iff the other comes from it
// by removals. All pairs of histories up to a length.
func TestEmbeddingIsTheClosureOfRemovals(t *testing.T) {
	for _, c := range []struct {
		spec   reference.Spec
		length int
	}{{register.Spec, 4}, {queue.Spec, 4}, {lock.Spec, 3}, {worksteal.Spec, 3}, {set.Spec, 3}} {
		t.Run(c.spec.Name, func(t *testing.T) {
			if !testsize.Long() {
				c.length--
			}
			m, _ := patterns.Searched(context.Background(), t, c.spec)
			var all []enumerate.Sequence
			m.Links.Histories(enumerate.Bounds{Length: c.length}, func(s enumerate.Sequence) bool {
				all = append(all, append(enumerate.Sequence{}, s...))
				return true
			})
			pairs, hits, sampled := 0, 0, 0
			for _, small := range all {
				matcher := patterns.NewMatcher(small)
				embed := formula.Embed(patterns.History(m.Alphabet, small))
				for _, big := range all {
					if len(big) < len(small) {
						continue
					}
					below := map[string]bool{}
					closure(big, below)
					want := below[string(small.AppendKey(nil))]
					var host patterns.Host
					host.Set(big)
					if got := matcher.Embeds(&host); got != want {
						t.Fatalf("%v in %v: embeds = %v, by removals %v", small, big, got, want)
					}
					if pairs++; want {
						hits++
					}
					if want && hits%7 == 0 || pairs%101 == 0 {
						sampled++
						if got := formula.Eval(embed, formula.OfHistory(patterns.History(m.Alphabet, big)), map[string]int{}); got != want {
							t.Fatalf("%v in %v: EMBED = %v, by removals %v", small, big, got, want)
						}
					}
				}
			}
			t.Logf("%d pairs, %d embed, %d by formula", pairs, hits, sampled)
		})
	}
}
