// Package waits has operations of several goroutines at once.
package waits

import (
	"context"
	"errors"
	"math/rand"
	randv2 "math/rand/v2"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
	_ "unsafe" // for linkname
)

type Waits struct {
	mu    sync.Mutex
	cond  *sync.Cond
	ready bool
	rw    sync.RWMutex
	n     int
	once  func() int
	calls atomic.Int32
	pool  sync.Pool
	m     sync.Map
	value atomic.Value
	wg    sync.WaitGroup
}

func New() *Waits {
	w := &Waits{}
	w.cond = sync.NewCond(&w.mu)
	w.once = sync.OnceValue(func() int { return int(w.calls.Add(1)) })
	w.pool.New = func() any { return new(int) }
	w.m.Store("a", 1)
	w.wg.Add(1)
	return w
}

func (w *Waits) Await() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.ready {
		w.cond.Wait()
	}
	return w.ready
}

// AwaitBlindly waits even if there is nothing to wait for.
func (w *Waits) AwaitBlindly() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cond.Wait()
	return w.ready
}

func (w *Waits) Announce() {
	w.mu.Lock()
	w.ready = true
	w.mu.Unlock()
	w.cond.Signal()
}

func (w *Waits) AnnounceAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ready = true
	w.cond.Broadcast()
}

func (w *Waits) Write() {
	w.rw.Lock()
	defer w.rw.Unlock()
	w.n++
	w.n++
}

func (w *Waits) Read() int {
	l := w.rw.RLocker()
	l.Lock()
	defer l.Unlock()
	return w.n
}

func (w *Waits) ReadTwice() int {
	w.rw.RLock()
	defer w.rw.RUnlock()
	w.rw.RLock() // waits for ever if a writer comes between
	defer w.rw.RUnlock()
	return w.n
}

func (w *Waits) TryBoth() bool { return w.rw.TryRLock() || w.rw.TryLock() }

func (w *Waits) Once() int { return w.once() }

func (w *Waits) Group() int {
	var wg sync.WaitGroup
	n := new(atomic.Int32)
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			n.Add(1)
		}()
	}
	wg.Wait()
	return int(n.Load())
}

func (w *Waits) Done()      { w.wg.Done() }
func (w *Waits) WaitGroup() { w.wg.Wait() }

func (w *Waits) Pooled() int {
	p := w.pool.Get().(*int)
	*p++
	n := *p
	w.pool.Put(p)
	return n
}

func (w *Waits) PooledTooLong() int {
	p := w.pool.Get().(*int)
	*p++
	w.pool.Put(p)
	return *p
}

func (w *Waits) Add(k string) bool {
	_, there := w.m.LoadOrStore(k, 2)
	return !there
}

func (w *Waits) Remove(k string) { w.m.Delete(k) }

func (w *Waits) Keys() string {
	s := ""
	w.m.Range(func(k, _ any) bool {
		s += k.(string)
		return true
	})
	return s
}

func (w *Waits) Value(s string) (old string) {
	if x := w.value.Swap(s); x != nil {
		old = x.(string)
	}
	return old
}

func (w *Waits) Timeout() string {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	select {
	case <-c:
		return "value"
	case <-time.After(time.Hour):
		return "time"
	}
}

func (w *Waits) Stopped() string {
	t := time.NewTimer(time.Second)
	if t.Stop() {
		select {
		case <-t.C:
			return "stale"
		default:
			return "stopped"
		}
	}
	return "gone off"
}

func (w *Waits) Deadline() string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return "early"
	}
	<-ctx.Done()
	return ctx.Err().Error()
}

func (w *Waits) Small() int { return rand.Intn(3) }
func (w *Waits) Large() int { return randv2.IntN(100) }
func (w *Waits) Seeded() int {
	r := rand.New(rand.NewSource(1))
	return r.Perm(2)[0]*10 + int(randv2.N(int8(2)))
}

//go:linkname fastrandn runtime.fastrandn
func fastrandn(n uint32) uint32

func (w *Waits) Fast() int {
	runtime.Gosched()
	runtime.KeepAlive(w)
	return int(fastrandn(2))*10 + runtime.NumCPU()
}

func (w *Waits) Many() bool {
	r := rand.New(rand.NewSource(1))
	n, z := 0, rand.NewZipf(r, 2, 1, 1)
	r.Shuffle(1, func(i, j int) { n++ })
	b := make([]byte, 1)
	k, err := r.Read(b)
	return n == 0 && z.Uint64() < 2 && k == 1 && err == nil && r.Int63n(1) == 0 && r.Float64() < 1 && r.NormFloat64() < 2 && rand.ExpFloat64() > 0 &&
		randv2.New(randv2.NewPCG(1, 2)).Uint32N(1) == 0 && r.Int31() >= 0
}

type source struct{}

func (source) Int63() int64 { return 4 }
func (source) Seed(int64)   {}

func (w *Waits) Foreign() int { return rand.New(source{}).Intn(3) }

func (w *Waits) Quit(how string) {
	if how == "now" {
		runtime.Goexit()
	}
}

func (w *Waits) Text() string { return strconv.Itoa(int(w.calls.Load())) }
