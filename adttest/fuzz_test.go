package adttest

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// losing is a queue that loses an update now and then, forgetful one that forgets
// what comes fifth.
type (
	losing struct {
		mu     sync.Mutex
		values []int
	}
	forgetful struct {
		mu sync.Mutex
		queue.Queue
		n int
	}
)

func (q *losing) get() []int  { q.mu.Lock(); defer q.mu.Unlock(); return q.values }
func (q *losing) set(v []int) { q.mu.Lock(); defer q.mu.Unlock(); q.values = v }

func (q *losing) Add(n int) {
	values := append([]int(nil), q.get()...)
	Yield()
	q.set(append(values, n))
}

func (q *losing) Remove() (int, bool) {
	values := q.get()
	if len(values) == 0 {
		return 0, false
	}
	q.set(values[1:])
	return values[0], true
}

func (q *forgetful) Add(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.n++; q.n != 5 {
		q.Queue.Add(v)
	}
}

func (q *forgetful) Remove() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	v, ok := q.Queue.Remove()
	if !ok {
		q.n = 0
	}
	return v, ok
}

func FuzzQueue(f *testing.F) {
	c := Config{New: newPlain, Reference: queue.Spec}
	if dir := os.Getenv("ADTTEST_FUZZ"); dir != "" { // as a child
		c.Dir, c.New = dir, map[bool]any{true: func() *losing { return &losing{} }, false: func() *forgetful { return &forgetful{} }}[os.Getenv("ADTTEST_WRONG") == "losing"]
		c.Fixed, c.Scenarios = true, []Scenario{{Before: []Call{Do("Remove")}}} // the fuzzer has to do it
	}
	Fuzz(f, c)
}

// The fuzzer finds what is wrong, and keeps scenarios that fail again.
func TestFuzzing(t *testing.T) {
	testsize.NeedsNightly(t, "fuzzes for up to four minutes")
	binary := filepath.Join(t.TempDir(), "fuzz.test")
	if out, err := exec.Command("go", "test", "-c", "-fuzz=FuzzQueue", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, wrong := range []string{"losing", "forgetful"} {
		dir, start := t.TempDir(), time.Now()
		run := func(args ...string) string {
			cmd := exec.Command(binary, args...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "ADTTEST_FUZZ="+dir, "ADTTEST_WRONG="+wrong)
			out, err := cmd.CombinedOutput()
			if err == nil {
				t.Fatalf("%s: not found:\n%s", wrong, out)
			}
			return string(out)
		}
		out := run("-test.run=^$", "-test.fuzz=^FuzzQueue$", "-test.fuzztime=120s", "-test.fuzzminimizetime=0s", "-test.fuzzcachedir="+filepath.Join(dir, "cache"))
		t.Logf("%s: found in %v", wrong, time.Since(start))
		inputs, _ := filepath.Glob(filepath.Join(dir, "testdata", "fuzz", "FuzzQueue", "*"))
		if len(inputs) != 1 || !strings.Contains(out, "does not refine queue") {
			t.Fatalf("%s: %v\n%s", wrong, inputs, out)
		}
		logs, _ := filepath.Glob(filepath.Join(dir, "FuzzQueue", "*.jsonl"))
		if len(logs) == 0 { // both of its processes may have found it
			t.Fatalf("%s: no log", wrong)
		}
		t.Setenv("ADTTEST_REPLAY", logs[0])
		if again := run("-test.run=^FuzzQueue$"); !strings.Contains(again, "nothing was run") {
			t.Errorf("%s: the log does not fail again:\n%s", wrong, again)
		}
		t.Setenv("ADTTEST_REPLAY", "")
		if wrong == "losing" {
			continue // it fails again if schedules are as bad
		}
		if again := run("-test.run=^FuzzQueue$"); !strings.Contains(again, "does not refine queue") {
			t.Errorf("%s: the input does not fail again:\n%s", wrong, again)
		}
	}
}

// Each byte string is a scenario that can be run; what is encoded means the same.
func TestEncoding(t *testing.T) {
	testsize.NeedsLong(t)
	r, err := fuzzed(t.Context(), withDir(t, Config{New: newPlain, Reference: queue.Spec, Seed: 1}), nobody("", ""))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		data := make([]byte, rng.IntN(100))
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		sc := r.decode(data)
		again, ok := r.encode(sc)
		if back := r.decode(again); !ok || back.String() != sc.String() {
			t.Fatalf("%x: %s%x: %s", data, sc, again, back)
		}
		if len(sc.Threads) > r.Threads || sc.size() > len(data)/2 {
			t.Errorf("%x: %s", data, sc)
		}
	}
	if got, want := r.decode([]byte{0, 0, 6, 1, 1, 5, 0, 3, 3, 1, 0, 0}).String(), "before    Add(7); Add(4)\nthread 1  Remove()\nthread 2  Remove()\n"; got != want {
		t.Errorf("the scenario is\n%s, want\n%s", got, want)
	}
	if seeds := r.seeds(); len(seeds) < 16 || bytes.Equal(seeds[0], seeds[1]) {
		t.Errorf("%d seeds", len(seeds))
	}
}
