// Package edges has tests on which a scheduler could go wrong. The line above each says what is to come of it.
package edges

import (
	"context"
	"hash/maphash"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var requests = make(chan chan int)

func init() {
	go func() {
		for c := range requests {
			c <- 1
		}
	}()
}

// passed
func TestWorkerFromInit(t *testing.T) {
	c := make(chan int)
	requests <- c
	if <-c != 1 {
		t.Error("no answer")
	}
}

var late = make(chan int)

func init() {
	go func() {
		for {
			time.Sleep(time.Hour)
			late <- 1
		}
	}()
}

// undecided: started before the test
func TestTimerFromInit(t *testing.T) { <-late }

// undecided: not control
func TestServer(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") }))
	defer s.Close()
	r, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := io.ReadAll(r.Body); string(b) != "hello" {
		t.Error(string(b))
	}
}

// passed
func TestSubtests(t *testing.T) {
	t.Parallel()
	var n atomic.Int64
	t.Run("group", func(t *testing.T) {
		for range 3 {
			t.Run("sub", func(t *testing.T) { t.Parallel(); n.Add(1) })
		}
	})
	if n.Load() != 3 {
		t.Error(n.Load())
	}
}

// passed
func TestBubble(t *testing.T) {
	for range 2 {
		synctest.Test(t, func(t *testing.T) {
			var n int
			start := time.Now()
			go func() {
				time.Sleep(time.Second)
				n = int(time.Since(start).Milliseconds())
				time.Sleep(time.Hour)
			}()
			time.Sleep(time.Second)
			if synctest.Wait(); n != 1000 || time.Since(start) != time.Second {
				t.Error(n, time.Since(start))
			}
			n = 0
		})
	}
}

// failed: too early
func TestBubbleFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n atomic.Int64
		go n.Add(1)
		if n.Load() == 0 {
			t.Error("too early")
		}
	})
}

var started = time.Now()

// passed
func TestStarted(t *testing.T) {
	if d := time.Since(started); d <= 0 || d > 24*time.Hour {
		t.Errorf("it was started %v ago", d)
	}
}

// passed
func TestStacks(t *testing.T) {
	go func() { select {} }()
	all := make([]byte, 1<<16)
	all = all[:runtime.Stack(all, true)]
	if s := string(debug.Stack()) + string(all); strings.Contains(s, "synctest") || strings.Contains(s, "durable") || !strings.Contains(s, "[running]") {
		t.Error(s)
	}
}

var seed = maphash.MakeSeed()

// failed: too early
func TestHash(t *testing.T) { // what it does hangs on hashes, and on the order of a map
	var n atomic.Int64
	go n.Add(1)
	steps := maphash.String(seed, "a") % 50
	for i := range hundred {
		steps += uint64(i)
		break
	}
	for range steps {
		time.Now()
		n.Add(0)
	}
	if n.Load() == 0 {
		t.Errorf("too early: %d", steps)
	}
}

var hundred = func() map[int]bool {
	m := map[int]bool{}
	for i := range 100 {
		m[i] = true
	}
	return m
}()

// passed
func TestLateTimer(t *testing.T) { // alone but for what time does
	var n atomic.Int64
	time.AfterFunc(time.Hour, func() { n.Add(1) })
	n.Add(1)
}

// passed
func TestLongAlone(t *testing.T) { // many steps, and nothing to choose
	var n atomic.Int64
	for range 1_000_000 {
		n.Add(1)
	}
}

// undecided: exit status 3
func TestExit(t *testing.T) { os.Exit(3) }

// passed
func TestSpinWithoutGates(t *testing.T) {
	set := false
	go func() { set = true }()
	for !set {
	}
}

// passed
func TestSpin(t *testing.T) {
	var set atomic.Bool
	go set.Store(true)
	for !set.Load() {
	}
}

// passed
func TestYields(t *testing.T) {
	var set atomic.Bool
	go set.Store(true)
	for !set.Load() {
		runtime.Gosched()
	}
}

// undecided: limit of 100,000 steps
func TestEndless(t *testing.T) {
	var set atomic.Bool
	for !set.Load() {
	}
}

var registered bool

// passed
func TestOnlyOnce(t *testing.T) {
	if registered {
		t.Fatal("registered twice")
	}
	registered = true
}

// passed
func TestCoroutine(t *testing.T) {
	next, stop := iter.Pull(func(yield func(int) bool) {
		var mu sync.Mutex
		for i := range 5 {
			mu.Lock()
			mu.Unlock()
			if !yield(i) {
				return
			}
		}
	})
	defer stop()
	var wg sync.WaitGroup
	wg.Add(1)
	go wg.Done()
	for i := range 5 {
		if v, ok := next(); v != i || !ok {
			t.Error(v, ok)
		}
	}
	wg.Wait()
}

// passed
func TestThreads(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			mu.Lock()
			mu.Unlock()
			wg.Done()
		}()
	}
	wg.Wait()
}

// passed
func TestDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	go func() { time.Sleep(100 * time.Millisecond); cancel() }()
	<-ctx.Done()
	if ctx.Err() != context.Canceled {
		t.Error(ctx.Err())
	}
}

// passed
func TestToday(t *testing.T) {
	if year := time.Now().Year(); year < 2025 {
		t.Error(year)
	}
}

// failed: without schedules
func TestAlways(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { defer wg.Done(); t.Error("always") }()
	wg.Wait()
}

// panicked: fatal error: sync: unlock of unlocked mutex
func TestUnlocks(t *testing.T) {
	var mu sync.Mutex
	mu.Unlock()
}

// panicked: nil map
func TestPanicsElsewhere(t *testing.T) {
	var m map[int]int
	done := make(chan bool)
	go func() { m[1] = 1; close(done) }()
	<-done
}

// passed
func TestPipe(t *testing.T) {
	a, b := net.Pipe()
	go func() { b.Write([]byte("x")); b.Close() }()
	if x, _ := io.ReadAll(a); string(x) != "x" {
		t.Error(x)
	}
}

// passed
func TestTicker(t *testing.T) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for range 5 {
		<-tick.C
	}
}

// passed
func TestPolls(t *testing.T) {
	var mu sync.Mutex
	set := false
	go func() { mu.Lock(); set = true; mu.Unlock() }()
	for {
		mu.Lock()
		if set {
			mu.Unlock()
			return
		}
		mu.Unlock()
		time.Sleep(time.Millisecond)
	}
}

// passed
func TestSkips(t *testing.T) { t.Skip("not today") }

// passed
func TestManyGoroutines(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 1000 {
		wg.Add(1)
		go func() { mu.Lock(); mu.Unlock(); wg.Done() }()
	}
	wg.Wait()
}

// passed
func TestProcess(t *testing.T) {
	out, err := exec.Command("echo", "x").Output()
	if err != nil || string(out) != "x\n" {
		t.Error(err, string(out))
	}
}

// leak: select (no cases)
func TestLeaks(t *testing.T) {
	go func() { select {} }()
}

// undecided: its goroutines wait for ever
func TestNine(t *testing.T) { // each has one lock before any has two
	var forks [9]sync.Mutex
	var wg sync.WaitGroup
	for i := range forks {
		wg.Add(1)
		go func() {
			defer wg.Done()
			one, two := &forks[i], &forks[(i+1)%len(forks)]
			one.Lock()
			defer one.Unlock()
			two.Lock()
			two.Unlock()
		}()
	}
	wg.Wait()
}

// undecided: each schedule reached the limit of 100,000 steps
func TestSleepsForEver(t *testing.T) {
	for {
		time.Sleep(time.Hour)
	}
}
