package linear

import (
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// looseRelation is a relation some of whose calls are loose, to try all orders with: what overlaps has calls of its own, with
// all the answers that they may have.
func looseRelation(rel *relation, loose Loose, calls, answers int) *relation {
	out := &relation{}
	for _, moves := range rel.moves {
		own := append([][]spec.Move(nil), moves...)
		for c, of := range moves {
			var all []spec.Move
			for _, m := range of {
				if !loose.Calls[c] || loose.Never(m.Answer) {
					all = append(all, m)
					continue
				}
				for a := range int32(answers) {
					if !loose.Never(a) {
						all = append(all, spec.Move{Answer: a, Next: m.Next})
					}
				}
			}
			own = append(own, all)
		}
		out.moves = append(out.moves, own)
	}
	return out
}

// overlapping are the operations of a history with the calls of a looseRelation.
func overlapping(ops []operation, calls int32) []operation {
	out := append([]operation(nil), ops...)
	for i, o := range ops {
		for j, p := range ops {
			if i != j && (o.answer < 0 || p.from < o.to) && (p.answer < 0 || o.from < p.to) {
				out[i].call = o.call + calls
				break
			}
		}
	}
	return out
}

// TestLoose holds sets with loose calls against all linearizations of random histories of random relations.
func TestLoose(t *testing.T) {
	accepted := 0
	for seed := range uint64(testsize.Samples(4000)) {
		r := rand.New(rand.NewPCG(seed, 2))
		threads, calls, answers := 2+r.IntN(3), 1+r.IntN(3), 2+r.IntN(3)
		rel := randomRelation(r, 1+r.IntN(4), calls, answers)
		loose := Loose{Calls: make([]bool, calls), Never: func(a int32) bool { return a == int32(answers)-1 }}
		for c := range loose.Calls {
			loose.Calls[c] = r.IntN(2) == 0
		}
		twin := looseRelation(rel, loose, calls, answers)
		sets, strict := NewLoose(rel, threads, loose), New(rel, threads)
		set, other, now := sets.Start(), strict.Start(), make([]int, threads)
		var ops []operation
		for event := 0; event < 3+r.IntN(7) && len(ops) < 6; event++ {
			thread := r.IntN(threads)
			if now[thread] == 0 {
				call := int32(r.IntN(calls))
				ops = append(ops, operation{thread, call, -1, event, 0})
				now[thread] = len(ops)
				set, _ = sets.Call(set, thread, call)
				if other != None {
					other, _ = strict.Call(other, thread, call)
				}
				continue
			}
			o := &ops[now[thread]-1]
			var can []int32
			for a := range int32(answers) {
				o.answer, o.to = a, event
				want := false
				ends(twin, overlapping(ops, int32(calls)), func(int32, uint) { want = true })
				next, err := sets.Return(set, thread, a)
				if err != nil || want != (next != None) {
					t.Fatalf("seed %d: %v: answer %d leads to %d, %v; right is %v", seed, ops, a, next, err, want)
				}
				if want {
					can = append(can, a)
				}
			}
			if o.answer = -1; len(can) == 0 {
				break
			}
			o.answer, o.to = can[r.IntN(len(can))], event
			set, _ = sets.Return(set, thread, o.answer)
			if other != None {
				if other, _ = strict.Return(other, thread, o.answer); other == None {
					accepted++
				}
			}
			now[thread] = 0
		}
	}
	if accepted == 0 {
		t.Error("no history has an answer that only a loose call may give")
	}
}
