package driver

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestLookahead: where calls ahead have an order in which each answers as is expected
// of it and comes after those that it must, one request makes the steps of such an
// order, in whatever order the calls are listed.
func TestLookahead(t *testing.T) {
	for seed := range int64(testsize.Samples(200)) {
		k := tried(t, func() *stackOf { return new(stackOf) })
		k.open()
		rng := rand.New(rand.NewSource(seed))
		const n = 12
		state, place := int32(0), rng.Perm(n)
		for i := range place {
			place[i] *= MaxAhead / n // there are others in between
		}
		ahead := make([]likely, MaxAhead)
		for i := range ahead {
			ahead[i].call = -1
		}
		for i := range n { // the order; at most four run at a time
			c := callOf(t, k, 0, fmt.Sprint(i))
			if rng.Intn(5) < 2 {
				c = callOf(t, k, 1, "")
			}
			k.calls = append(k.calls, c)
			next, answer, ok := k.step(state, int32(i))
			if !ok {
				t.Fatal(k.r.fault)
			}
			l := &ahead[place[i]]
			l.call, l.expected = int32(i), FirstAnswer+int(answer)
			for before := range max(i-3, 0) {
				l.after |= 1 << place[before]
			}
			state = next
		}
		asked := ahead[slices.IndexFunc(ahead, func(l likely) bool { return l.call >= 0 && l.after == 0 })].call
		request := AppendNumber(AppendNumber(AppendNumber(AppendNumber(nil, 0), 1000), 0), int(asked))
		request = AppendNumber(request, len(ahead))
		for _, l := range ahead {
			request = AppendSet(AppendNumber(AppendNumber(AppendNumber(request, int(l.call)+1), l.expected), 0), l.after)
		}
		k.memo, k.audit = map[uint64]uint64{}, audit{}
		if _, err := k.explore(NewReader(request)); err != nil {
			t.Fatal(err)
		}
		if !along(k, ahead, way{}) {
			t.Errorf("seed %d: no order among %d steps", seed, len(k.memo))
		}
	}
}

// along reports whether there is an order of the calls ahead whose steps were made.
func along(k *keeper, ahead []likely, w way) bool {
	left := false
	for j, l := range ahead {
		if l.call < 0 || w.taken>>j&1 != 0 {
			continue
		}
		left = true
		v, made := k.memo[pairOf(w.state, l.call)]
		if made && l.after&^w.taken == 0 && FirstAnswer+int(int32(v)) == l.expected && along(k, ahead, way{int32(v >> 32), w.taken | 1<<j}) {
			return true
		}
	}
	return !left
}
