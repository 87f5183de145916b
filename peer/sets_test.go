package peer

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// recordSet records goroutines that call a set behind a mutex.
func recordSet(goroutines, calls int) *history.Execution {
	var mu sync.Mutex
	var held [historytest.SetValues]bool
	return historytest.RecordSet(goroutines, calls, 5, func(method, v int) bool {
		mu.Lock()
		defer mu.Unlock()
		there := held[v]
		held[v] = method == 0 || there && method == 2
		return there
	})
}

// peerSet is the set for Porcupine, written for it: a state is a word, which it
// compares fastest.
func peerSet(partition bool) porcupine.Model {
	m := porcupine.Model{
		Init: func() any { return uint32(0) },
		Step: func(state, input, output any) (bool, any) {
			l, s := input.(*history.Label), state.(uint32)
			v, _ := strconv.Atoi(string(l.Args[0]))
			there := s>>v&1 == 1
			if there != (output.(*history.Label).Outcome == history.Some) {
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
// same run: times-faster is its time by ours, and memory is the growth of the
// heap. Without partition Porcupine gets short histories only: it keeps a bit
// for each operation in every configuration.
func BenchmarkSet(b *testing.B) {
	m, _ := wgl.Builtin("set")
	long, short := recordSet(4, 70_000), recordSet(4, 2_000)
	for _, bm := range []struct {
		name    string
		e       *history.Execution
		options wgl.Options
		peer    bool
	}{
		{"long/partition", long, wgl.Options{Partition: true}, true},
		{"long/partition/lru", long, wgl.Options{Partition: true, LRU: 1000}, true},
		{"long/lru", long, wgl.Options{LRU: 1000}, false},
		{"long", long, wgl.Options{}, false},
		{"short/partition", short, wgl.Options{Partition: true}, true},
		{"short/lru", short, wgl.Options{LRU: 1000}, true},
		{"short", short, wgl.Options{}, true},
	} {
		b.Run(bm.name, func(b *testing.B) {
			beside(b, len(bm.e.Ops), bm.peer, func() {
				r, err := wgl.Check(b.Context(), m, bm.e, bm.options)
				if err != nil || !r.Linearizable {
					b.Fatal(r, err)
				}
			}, func() {
				if !porcupine.CheckOperations(peerSet(bm.options.Partition), operations(bm.e)) {
					b.Fatal("not linearizable")
				}
			})
		})
	}
}

// beside measures ours, and once in the same run theirs.
func beside(b *testing.B, ops int, peer bool, ours, theirs func()) {
	for b.Loop() {
		ours()
	}
	own := b.Elapsed() / time.Duration(b.N)
	b.ReportMetric(float64(ops)/own.Seconds(), "ops/s")
	b.ReportMetric(float64(peak(ours))/(1<<20), "MiB")
	if !peer {
		return
	}
	start, n := time.Now(), 0
	for ; n == 0 || time.Since(start) < 300*time.Millisecond; n++ {
		theirs()
	}
	b.ReportMetric(float64(time.Since(start))/float64(n)/float64(own), "times-faster")
	b.ReportMetric(float64(peak(theirs))/(1<<20), "peer-MiB")
}

// BenchmarkSmall checks many short queue histories, some of which violate.
// Porcupine only decides; we also find the shortest prefix.
func BenchmarkSmall(b *testing.B) {
	for _, s := range []historytest.Type{historytest.Queue(), historytest.Stack().Reusing(2)} {
		for _, ops := range []int{10, 25} {
			b.Run(fmt.Sprintf("%s/%d", s.Name, ops), func(b *testing.B) {
				var all []*history.Execution
				for seed := range uint64(200) {
					all = append(all, s.Execution(rand.New(rand.NewPCG(seed, 8)), ops, 3, 20))
				}
				m, pm := builtin(b, s), model(s.Model)
				bad, theirBad := 0, 0
				beside(b, len(all), true, func() {
					bad = 0
					for _, e := range all {
						if r, _ := wgl.Check(b.Context(), m, e, wgl.Options{}); !r.Linearizable {
							bad++
						}
					}
				}, func() {
					theirBad = 0
					for _, e := range all {
						if says(pm, e) == porcupine.Illegal {
							theirBad++
						}
					}
				})
				if bad != theirBad {
					b.Errorf("%d violate, Porcupine says %d", bad, theirBad)
				}
			})
		}
	}
}
