package ground_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// BenchmarkDecide decides linearizable executions by three processes: it grounds all formulas over all of them.
func BenchmarkDecide(b *testing.B) {
	for _, s := range []struct {
		path string
		typ  historytest.Type
	}{
		{"examples/queue/queue.theory.yaml", historytest.Queue()},
		{"examples/lock/lock.theory.yaml", historytest.Lock()}, {"examples/worksteal/worksteal.theory.yaml", historytest.Worksteal()},
		{"theories/stack.theory.yaml", historytest.Stack()},
	} {
		th, err := ground.Compile(historytest.Theory(b, s.path), nil)
		if err != nil {
			b.Fatal(err)
		}
		for _, ops := range []int{10, 100, 1000} {
			var all []*history.Execution
			for seed := range uint64(20) {
				e := s.typ.Execution(rand.New(rand.NewPCG(seed, 3)), ops, 3, 0)
				if e, err = th.Resolve(e); err != nil {
					b.Fatal(err)
				}
				if _, err := th.Decide(b.Context(), e); err == nil { // in the theory's language
					all = append(all, e)
				}
			}
			b.Run(s.typ.Name+"/"+strconv.Itoa(ops), func(b *testing.B) {
				for b.Loop() {
					for _, e := range all {
						if _, err := th.Decide(b.Context(), e); err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}
