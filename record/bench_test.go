//go:build !adtinfer_norecord

package record

import (
	"fmt"
	"io"
	"runtime"
	"sync"
	"testing"
	"time"
)

// BenchmarkRecord is the cost of recording for one goroutine: an operation in
// I/O mode (call, commit, return), one with a bracket, and a write. "used
// again" is the cost in a chunk that is in the cache; "kept" takes new memory
// all the time; "streamed" has a reader on another core, which encodes.
func BenchmarkRecord(b *testing.B) {
	works := []struct {
		name string
		one  func(h *Handle, m Method, v Variable, i int)
	}{
		{"nothing", func(*Handle, Method, Variable, int) {}},
		{"io", func(h *Handle, m Method, _ Variable, i int) {
			h.Call(m, Int(i))
			h.Commit()
			h.Return(Some, Int(i))
		}},
		{"bracket", func(h *Handle, m Method, _ Variable, i int) {
			h.Call(m, Int(i))
			h.Begin()
			h.Commit()
			h.Return(Some, Int(i))
		}},
		{"write", func(h *Handle, _ Method, v Variable, i int) { h.Write(v, i, Int(i)) }},
	}
	for _, w := range works {
		b.Run(w.name+"/used again", func(b *testing.B) {
			rec := New(Options{})
			m, v, h := rec.Method("m"), rec.Variable("v"), rec.Handle("p")
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				w.one(h, m, v, i)
				if h.n > chunkSize-8 {
					h.n = 0
				}
			}
		})
		b.Run(w.name+"/kept", func(b *testing.B) {
			rec := New(Options{})
			m, v, h := rec.Method("m"), rec.Variable("v"), rec.Handle("p")
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i&0xfffff == 0xfffff { // a test's worth of operations
					rec = New(Options{})
					m, v, h = rec.Method("m"), rec.Variable("v"), rec.Handle("p")
				}
				w.one(h, m, v, i)
			}
		})
		b.Run(w.name+"/reserved", func(b *testing.B) {
			const room = 1 << 20
			b.ReportAllocs()
			var h *Handle
			var m Method
			var v Variable
			for i := 0; b.Loop(); i++ {
				if i&(room/4-1) == 0 {
					b.StopTimer()
					rec := New(Options{Reserve: room})
					m, v, h = rec.Method("m"), rec.Variable("v"), rec.Handle("p")
					b.StartTimer()
				}
				w.one(h, m, v, i)
			}
		})
		b.Run(w.name+"/streamed", func(b *testing.B) {
			rec := New(Options{Limit: 1 << 18})
			stop, err := rec.Stream(io.Discard, time.Millisecond)
			if err != nil {
				b.Fatal(err)
			}
			m, v, h := rec.Method("m"), rec.Variable("v"), rec.Handle("p")
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				w.one(h, m, v, i)
			}
			b.StopTimer()
			if err := stop(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// logger is a way to log calls and returns.
type logger struct {
	name  string
	start func() (thread func() func(i int), stop func())
}

type boxed struct {
	process int
	call    bool
	value   any
}

// loggers are none, ours, and what people write at first: a slice behind a
// mutex, a channel, and operations with times for Porcupine.
var loggers = []logger{
	{"bare", func() (func() func(int), func()) {
		return func() func(int) { return func(int) { spinOp() } }, func() {}
	}},
	{"record", func() (func() func(int), func()) {
		rec := New(Options{})
		m := rec.Method("m")
		return func() func(int) {
			h := rec.Handle("p")
			return func(i int) {
				h.Call(m, Int(i))
				spinOp()
				h.Commit()
				h.Return(None)
			}
		}, func() {}
	}},
	{"mutex", func() (func() func(int), func()) {
		var mu sync.Mutex
		var log []boxed
		add := func(e boxed) { mu.Lock(); log = append(log, e); mu.Unlock() }
		return func() func(int) {
			return func(i int) {
				add(boxed{1, true, i})
				spinOp()
				add(boxed{1, false, nil})
			}
		}, func() {}
	}},
	{"channel", func() (func() func(int), func()) {
		c := make(chan boxed, 1024)
		done := make(chan bool)
		go func() {
			var log []boxed
			for e := range c {
				log = append(log, e)
			}
			runtime.KeepAlive(log)
			close(done)
		}()
		return func() func(int) {
			return func(i int) {
				c <- boxed{1, true, i}
				spinOp()
				c <- boxed{1, false, nil}
			}
		}, func() { close(c); <-done }
	}},
	{"porcupine", func() (func() func(int), func()) {
		type operation struct {
			client        int
			input, output any
			call, ret     int64
		}
		begin := time.Now()
		return func() func(int) {
			var log []operation
			return func(i int) {
				call := time.Since(begin).Nanoseconds()
				spinOp()
				log = append(log, operation{1, i, nil, call, time.Since(begin).Nanoseconds()})
			}
		}, func() {}
	}},
}

var spins int

// spinOp is an operation that shares nothing, of spins steps.
//
//go:noinline
func spinOp() {
	x := uint64(1)
	for range spins {
		x ^= x << 13
		x ^= x >> 7
	}
	if x == 0 {
		panic("xorshift reached 0")
	}
}

// calibrate sets spins so that an operation, as one of many, takes about d.
func calibrate(d time.Duration) {
	spins = 20
	for range 4 {
		const n = 500_000
		begin := time.Now()
		for range n {
			spinOp()
		}
		spins = max(1, int(float64(spins)*float64(d)*n/float64(time.Since(begin))+0.5))
	}
}

// BenchmarkThroughput runs two goroutines that make operations of 100 ns and of
// 2 us, with each way of logging.
func BenchmarkThroughput(b *testing.B) {
	for _, d := range []time.Duration{100, 2000} {
		calibrate(d)
		for _, l := range loggers {
			b.Run(fmt.Sprintf("%v/%s", d, l.name), func(b *testing.B) {
				thread, stop := l.start()
				var wg sync.WaitGroup
				b.ReportAllocs()
				for range 2 {
					op := thread()
					wg.Add(1)
					go func() {
						defer wg.Done()
						for i := range b.N / 2 {
							op(i)
						}
					}()
				}
				wg.Wait()
				stop()
			})
		}
	}
}
