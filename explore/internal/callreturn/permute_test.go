package callreturn

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/calls"
	"github.com/adtinfer/adtinfer/explore/internal/linear"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testsize"
)

// TestPermute gives threads other names now and then, and compares with the same history where they
// keep theirs.
func TestPermute(t *testing.T) {
	const threads, adds = 3, 4
	refused := 0
	for seed := range testsize.Samples(3000) {
		r := rand.New(rand.NewPCG(seed, 3))
		o := newObject(t, Order(seed%2), adds, seed%4 < 2)
		observer, err := New(o.order, o.list, o.answers, threads)
		if err != nil {
			t.Fatal(err)
		}
		plain, other := observer.Start(), observer.Start()
		is := []uint8{0, 1, 2} // in other, thread i is is[i]
		runs, added := [threads]int32{}, 0
		for range 16 {
			i := r.IntN(threads)
			was := int(is[i])
			switch {
			case runs[i] != 0:
				answer := o.none
				if runs[i]-1 == o.remove {
					answer = o.removal[r.IntN(len(o.removal))]
				}
				runs[i] = 0
				plain, other = must(observer.Return(plain, i, answer)), must(observer.Return(other, was, answer))
			case added < adds && r.IntN(2) == 0:
				runs[i] = int32(added) + 1
				plain, other = must(observer.Call(plain, i, int32(added))), must(observer.Call(other, was, int32(added)))
				added++
			default:
				runs[i] = o.remove + 1
				plain, other = must(observer.Call(plain, i, o.remove)), must(observer.Call(other, was, o.remove))
			}
			perm, next := make([]uint8, threads), make([]uint8, threads)
			for to, from := range r.Perm(threads) {
				perm[to] = uint8(from)
				for k := range is {
					if is[k] == uint8(from) {
						next[k] = uint8(to)
					}
				}
			}
			is, other = next, observer.Permute(other, perm)
			if observer.Permute(other, is) != plain {
				t.Fatalf("seed %d: %v: states %d and %d", seed, is, plain, other)
			}
			if plain == linear.None {
				refused++
				break
			}
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}

// TestRefusals gives calls that are none of a queue.
func TestRefusals(t *testing.T) {
	add := history.MethodSig{Name: "add", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}}
	peek := history.MethodSig{Name: "swap", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}}}
	for want, list := range map[string]*calls.List{
		"swap neither":      {Methods: []history.MethodSig{add, peek}, Fresh: map[string]int{"add": 0}},
		"add values again":  {Methods: []history.MethodSig{add}},
		"more than 64":      {Methods: []history.MethodSig{add}, Fresh: map[string]int{"add": 0}, Labels: make([]history.Label, 65)},
		"add neither adds ": {Methods: []history.MethodSig{add, add}, Fresh: map[string]int{"add": 0}},
	} {
		for i := range list.Labels {
			list.Labels[i] = history.Label{Kind: history.Kind{Method: "add"}, Args: []history.Value{"1"}}
		}
		if _, err := New(FIFO, list, nil, 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}
