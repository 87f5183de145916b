package wgl_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/adtinfer/adtinfer/check/wgl"
	"github.com/adtinfer/adtinfer/history"
)

// recordSet records goroutines that call a set behind a mutex with values from
// 0 to 23 ("Faster linearizability checking via P-compositionality" §5.2).
// Moments are taken from a counter.
func recordSet(goroutines, calls int) *history.Execution {
	var (
		mu    sync.Mutex
		held  = map[int]bool{}
		clock atomic.Int64
		wg    sync.WaitGroup
	)
	values := make([]history.Value, 24)
	for v := range values {
		values[v] = history.Value(strconv.Itoa(v))
	}
	records := make([][]history.Operation, goroutines)
	for g := range records {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(uint64(g), 5))
			records[g] = make([]history.Operation, calls)
			for i := range records[g] {
				o, v := &records[g][i], r.IntN(len(values))
				o.Method, o.Args = []string{"insert", "remove", "contains"}[r.IntN(3)], values[v:v+1]
				o.Call = int(clock.Add(1)) - 1
				if r.IntN(8) == 0 {
					runtime.Gosched()
				}
				mu.Lock()
				there := held[v]
				switch o.Method {
				case "insert":
					held[v] = true
				case "remove":
					delete(held, v)
				}
				mu.Unlock()
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
	e := &history.Execution{Ops: slices.Concat(records...), Events: int(clock.Load())}
	slices.SortFunc(e.Ops, func(a, b history.Operation) int { return a.Call - b.Call })
	return e
}

// peerModel is a built-in model for Porcupine, written for it: the states are
// what Porcupine compares fastest.
func peerSet(partition bool) porcupine.Model {
	m := porcupine.Model{
		Init: func() any { return uint32(0) },
		Step: func(state, input, output any) (bool, any) {
			l, s := input.(*history.Label), state.(uint32)
			v, _ := strconv.Atoi(string(l.Args[0]))
			there := s>>v&1 == 1
			if there != (output.(history.Outcome) == history.Some) {
				return false, s
			}
			switch l.Method {
			case "insert":
				s |= 1 << v
			case "remove":
				s &^= 1 << v
			}
			return true, s
		},
	}
	if partition {
		m.Partition = func(ops []porcupine.Operation) [][]porcupine.Operation {
			parts := map[history.Value][]porcupine.Operation{}
			for _, o := range ops {
				v := o.Input.(*history.Label).Args[0]
				parts[v] = append(parts[v], o)
			}
			var all [][]porcupine.Operation
			for _, p := range parts {
				all = append(all, p)
			}
			return all
		}
	}
	return m
}

func peerOps(e *history.Execution) []porcupine.Operation {
	ops := make([]porcupine.Operation, len(e.Ops))
	for i := range e.Ops {
		o := &e.Ops[i]
		ops[i] = porcupine.Operation{Input: &o.Label, Output: o.Outcome, Call: int64(o.Call), Return: int64(o.Return)}
	}
	return ops
}

// peak runs f and returns how much the heap grew at most, in bytes.
func peak(f func()) uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before, most := m.HeapAlloc, m.HeapAlloc
	done, ended := make(chan bool), make(chan bool)
	go func() {
		defer close(ended)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
			select {
			case <-done:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	f()
	close(done)
	<-ended
	return most - before
}

// BenchmarkSet checks set histories of four goroutines, next to Porcupine in the
// same run: ns-ratio and memory-ratio are Porcupine's share of ours.
func BenchmarkSet(b *testing.B) {
	m, _ := wgl.Builtin("set")
	for _, bm := range []struct {
		calls   int
		options wgl.Options
		peer    bool
	}{
		{70_000, wgl.Options{Partition: true}, true},
		{70_000, wgl.Options{Partition: true, LRU: 1000}, true},
		{70_000, wgl.Options{LRU: 100_000}, false},
		{70_000, wgl.Options{}, false},
		{2_000, wgl.Options{}, true},
		{2_000, wgl.Options{LRU: 1000}, true},
	} {
		b.Run(fmt.Sprintf("calls=%d/partition=%t/lru=%d", bm.calls, bm.options.Partition, bm.options.LRU), func(b *testing.B) {
			e := recordSet(4, bm.calls)
			ours := func() {
				r, err := wgl.Check(b.Context(), m, e, bm.options)
				if err != nil || !r.Linearizable {
					b.Fatal(r, err)
				}
			}
			theirs := func() {
				if !porcupine.CheckOperations(peerSet(bm.options.Partition), peerOps(e)) {
					b.Fatal("not linearizable")
				}
			}
			for b.Loop() {
				ours()
			}
			own, memory := b.Elapsed()/time.Duration(b.N), peak(ours)
			b.ReportMetric(float64(memory)/(1<<20), "peak-MiB")
			b.ReportMetric(float64(len(e.Ops))/own.Seconds(), "ops/s")
			if bm.peer {
				start := time.Now()
				theirs()
				b.ReportMetric(float64(time.Since(start))/float64(own), "times-faster")
				b.ReportMetric(float64(peak(theirs))/(1<<20), "peer-peak-MiB")
			}
		})
	}
}
