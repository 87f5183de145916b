package historytest

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/history"
)

// SetValues is how many values the sets of "Faster linearizability checking via
// P-compositionality" §5.2 have.
const SetValues = 24

// RecordSet records goroutines that call a concurrent set; call makes the method
// insert, remove or contains, by its number, and says whether the value was there. Moments are taken from
// a counter before each call and after each return; now and then another goroutine
// may go on in between.
func RecordSet(goroutines, calls int, seed uint64, call func(method, value int) (there bool)) *history.Execution {
	var (
		clock atomic.Int64
		wg    sync.WaitGroup
		names [SetValues][]history.Value
	)
	for v := range names {
		names[v] = []history.Value{history.Value(strconv.Itoa(v))}
	}
	ops := make([][]history.Operation, goroutines)
	for g := range ops {
		ops[g] = make([]history.Operation, calls)
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(seed, uint64(g)))
			for i := range ops[g] {
				o, v := &ops[g][i], r.IntN(SetValues)
				method := r.IntN(3)
				o.Method, o.Args = []string{"insert", "remove", "contains"}[method], names[v]
				o.Call = int(clock.Add(1)) - 1
				if r.IntN(8) == 0 {
					runtime.Gosched()
				}
				there := call(method, v)
				if r.IntN(8) == 0 {
					runtime.Gosched()
				}
				o.Return = int(clock.Add(1)) - 1
				if o.Outcome = history.Nil; there {
					o.Outcome, o.Rets = history.Some, o.Args
				}
			}
		}()
	}
	wg.Wait()
	e := &history.Execution{Ops: slices.Concat(ops...), Events: int(clock.Load())}
	slices.SortFunc(e.Ops, func(a, b history.Operation) int { return a.Call - b.Call })
	for i := range e.Ops {
		e.Ops[i].ID = strconv.Itoa(i + 1)
	}
	return e
}
