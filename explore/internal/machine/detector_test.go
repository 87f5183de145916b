package machine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// source is a small program in Go, as the body of a function that makes it run once.
func (s *small) source() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\to := newObject(%d)\n", s.count)
	for i, code := range s.threads {
		fmt.Fprintf(&b, "\tstart(func() {\n\t\tr := 0\n%s\t\tlocal[%d] = r\n\t})\n", sourceOf(code), i)
	}
	return b.String()
}

var inGo = map[string]string{
	"read": "r = o.vars[X]", "write": "o.vars[X] = V", "lock": "o.mu.Lock()", "unlock": "o.mu.Unlock()", "try": "r = is(o.mu.TryLock())",
	"rlock": "o.rw.RLock()", "runlock": "o.rw.RUnlock()", "tryr": "r = is(o.rw.TryRLock())", "wlock": "o.rw.Lock()", "wunlock": "o.rw.Unlock()", "tryw": "r = is(o.rw.TryLock())",
	"load": "r = int(o.n.Load())", "store": "o.n.Store(V)", "add": "r = int(o.n.Add(V))", "cas": "r = is(o.n.CompareAndSwap(0, V))",
	"send": "o.chans[X] <- V", "recv": "v, ok := <-o.chans[X]; r = 2*v + is(ok)", "len": "r = len(o.chans[X])", "close": "close(o.chans[X])",
	"trysend": "select { case o.chans[X] <- V: r = 1; default: r = 0 }",
	"tryrecv": "select { case v, ok := <-o.chans[X]: r = 10 + 2*v + is(ok); default: r = 0 }",
	"done":    "o.wg.Done()", "wait": "o.wg.Wait()",
}

func sourceOf(code []stmt) string {
	var b strings.Builder
	for _, s := range code {
		switch s.op {
		case "if":
			fmt.Fprintf(&b, "\t\tif r == %d {\n%s\t\t}\n", s.v, sourceOf(s.then))
		case "go":
			fmt.Fprintf(&b, "\t\tgo func() {\n\t\tr := 0\n%s\t\t_ = r\n\t\t}()\n", sourceOf(s.then))
		default:
			text := strings.NewReplacer("X", fmt.Sprint(s.x), "V", fmt.Sprint(s.v)).Replace(inGo[s.op])
			fmt.Fprintf(&b, "\t\tpause()\n\t\t{ %s }\n", text)
		}
	}
	return b.String()
}

const detectorMain = `package main

import (
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

type object struct {
	vars  [2]int
	mu    sync.Mutex
	rw    sync.RWMutex
	n     atomic.Int64
	wg    sync.WaitGroup
	chans [3]chan int
}

func newObject(count int) *object {
	o := &object{}
	for i := range o.chans {
		o.chans[i] = make(chan int, i)
	}
	o.wg.Add(count)
	return o
}

func is(b bool) int {
	if b {
		return 1
	}
	return 0
}

func start(f func()) { go f() }

func pause() {
	if n := rand.IntN(4); n > 0 {
		time.Sleep(time.Duration(n*rand.IntN(100)) * time.Microsecond)
	}
}

func main() {
	i, _ := strconv.Atoi(os.Args[1])
	for range 5 {
		for range 200 {
			programs[i]()
		}
		time.Sleep(4 * time.Millisecond)
	}
}
`

// atOnce is how many programs run at a time: they sleep most of theirs.
const atOnce = 8

// TestDetector compares small programs with the race detector of Go, over a thousand schedules each.
func TestDetector(t *testing.T) {
	testsize.NeedsNightly(t, "it builds programs with the race detector")
	const programs = 300
	var all []*small
	text := strings.Builder{}
	text.WriteString("package main\n\nvar programs = []func(){\n")
	for seed := uint64(0); len(all) < programs; seed++ {
		s := smaller{rand.New(rand.NewPCG(seed, 18))}.program()
		source := s.source()
		if strings.Contains(source, "close(") || s.outcomes(20_000) == nil {
			continue // the detector calls a send without order to a close a race
		}
		all = append(all, s)
		fmt.Fprintf(&text, "func() {\n\tvar local [3]int\n%s},\n", source)
	}
	text.WriteString("}\n")
	dir := t.TempDir()
	for name, content := range map[string]string{"main.go": detectorMain, "programs.go": text.String(), "go.mod": "module small\n\ngo 1.24\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-race", "-o", "small", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("no race detector: %v\n%s", err, out)
	}
	type run struct {
		out []byte
		err error
	}
	runs, limit := make([]chan run, len(all)), make(chan struct{}, atOnce)
	for i := range all {
		runs[i] = make(chan run, 1)
		go func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			out, err := exec.Command(filepath.Join(dir, "small"), fmt.Sprint(i)).CombinedOutput()
			runs[i] <- run{out, err}
		}()
	}
	races, silent := 0, 0
	for i, s := range all {
		want, _ := s.explored(t, Options{})
		r := <-runs[i]
		out, err := r.out, r.err
		var exit *exec.ExitError
		reported := errors.As(err, &exit) && strings.Contains(string(out), "DATA RACE")
		if err != nil && !reported {
			t.Errorf("program %d: %v\n%s\n%v", i, err, out, s.threads)
		}
		switch {
		case reported && !want["data race"]:
			t.Errorf("program %d has a race: %v\n%s", i, s.threads, out)
		case want["data race"] && !reported:
			silent++
			t.Logf("program %d: the detector reports no race in these schedules: %v", i, s.threads)
		case reported:
			races++
		}
	}
	t.Logf("%d programs: %d races found by both, %d by exploring alone", len(all), races, silent)
}
