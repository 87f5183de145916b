package adttest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/internal/host/cache"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

func TestMain(m *testing.M) {
	if _, set := os.LookupEnv(cache.Variable); !set { // tests of theories infer them
		os.Setenv(cache.Variable, "off")
	}
	os.Exit(m.Run())
}

// seenSet is a data type that something describes, steps one that nothing does.
type seenSet map[int]bool

func newSeen() seenSet                { return seenSet{} }
func (b seenSet) Add(v int)           { b[v] = true }
func (b seenSet) Contains(v int) bool { return b[v] }

type steps struct{ highest, n int } // the second highest

func newSteps() *steps        { return &steps{} }
func (c *steps) Climb(to int) { c.n, c.highest = max(c.n, min(c.highest, to)), max(c.highest, to) }
func (c *steps) Top() int     { return c.n }

// counting counts inferences.
func counting(t *testing.T) *int {
	n := 0
	was := describeReference
	describeReference = func(ctx context.Context, impl reference.Implementation, info reference.Info, o describe.Options) (*theory.Theory, error) {
		n++
		return was(ctx, impl, info, o)
	}
	t.Cleanup(func() { describeReference = was })
	return &n
}

// What was inferred once, or found to have no patterns, is known the second time.
func TestRemembered(t *testing.T) {
	testsize.NeedsLong(t)
	dir := t.TempDir()
	t.Setenv(cache.Variable, dir)
	inferences := counting(t)
	texts := map[string]string{}
	for round := range 3 {
		if round == 2 { // a damaged entry is inferred again
			files, _ := filepath.Glob(filepath.Join(dir, "*"))
			if len(files) != 2 {
				t.Fatalf("the cache has %v", files)
			}
			for _, f := range files {
				if err := os.WriteFile(f, []byte("x"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		for name, spec := range map[string]reference.Spec{"bag": {New: newSeen}, "counter": {New: newSteps}} {
			in, err := remembered(t.Context(), spec, nil)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := theory.Write(&b, in.theory); err != nil {
				t.Fatal(err)
			}
			if in.none != nil {
				b.WriteString(in.none.Error())
			}
			if (in.none != nil) != (name == "counter") || len(in.methods) == 0 || round > 0 && texts[name] != b.String() {
				t.Errorf("%s, round %d: none %v\n%s", name, round, in.none, &b)
			}
			texts[name] = b.String()
		}
		if want := []int{2, 2, 4}[round]; *inferences != want {
			t.Errorf("round %d: %d inferences, want %d", round, *inferences, want)
		}
	}
}

// Different references, and those whose source says not all, are not taken for others.
func TestKeyOf(t *testing.T) {
	t.Setenv(cache.Variable, t.TempDir())
	c, n := cache.Open(), 3
	seen := map[string]string{}
	for name, spec := range map[string]reference.Spec{
		"bag": {New: newSeen}, "counter": {New: newSteps}, "name": {New: newSeen, Name: "b"}, "skip": {New: newSeen, Skip: []string{"Add"}},
		"language":  {New: newSeen, Language: []reference.Rule{{Name: "all", Formula: "true"}}},
		"operation": {New: newSeen, Operations: []reference.Operation{{Name: "add", Func: seenSet.Add}}},
		"renamed":   {New: newSeen, Operations: []reference.Operation{{Name: "put", Func: seenSet.Add}}},
	} {
		key := keyOf(t.Context(), c, spec)
		if other, ok := seen[key]; ok || key == "" {
			t.Errorf("%s has the key of %q: %q", name, other, key)
		}
		seen[key] = name
	}
	for name, spec := range map[string]reference.Spec{
		"captured": {New: func() *steps { return &steps{n: n} }}, "nothing": {},
		"operation": {New: newSeen, Operations: []reference.Operation{{Name: "add", Func: func(b seenSet, v int) { b[v+n] = true }}}},
	} {
		if key := keyOf(t.Context(), c, spec); key != "" {
			t.Errorf("%s: %q", name, key)
		}
	}
	if key := keyOf(t.Context(), nil, reference.Spec{New: newSeen}); key != "" {
		t.Errorf("without a cache: %q", key)
	}
}

// TestOneOfTwo is a process of TestTwoProcesses.
func TestOneOfTwo(t *testing.T) {
	inferences := counting(t)
	in, err := remembered(t.Context(), reference.Spec{New: newSeen}, nil)
	if err != nil || in.none != nil || in.theory.Spec.Product == nil {
		t.Fatalf("%+v, %v", in, err)
	}
	if want := os.Getenv("INFERENCES"); want == "0" && *inferences != 0 {
		t.Errorf("%d inferences", *inferences)
	}
}

// Two processes at once do each other no harm, and a third one finds what they kept;
// where nothing can be kept, all infer.
func TestTwoProcesses(t *testing.T) {
	testsize.NeedsLong(t)
	dir := t.TempDir()
	process := func(dir, inferences string) error {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestOneOfTwo$")
		cmd.Env = append(os.Environ(), cache.Variable+"="+dir, "INFERENCES="+inferences)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return errors.Join(err, errors.New(string(out)))
		}
		return nil
	}
	var errs [2]error
	var group sync.WaitGroup
	for i := range errs {
		group.Add(1)
		go func() { defer group.Done(); errs[i] = process(dir, "") }()
	}
	group.Wait()
	if err := errors.Join(errs[0], errs[1], process(dir, "0"), process(os.DevNull, ""), process("off", "")); err != nil {
		t.Error(err)
	}
}

// limiter has the methods of the theory of a model.
type limiter struct {
	mu sync.Mutex
	n  int
}

func newLimiter() *limiter { return &limiter{} }
func (l *limiter) Allow(int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
	return l.n <= 3
}
func (l *limiter) Tick() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n = 0
}

// racy allows one too many where two ask at once.
type racy struct{ n atomic.Int32 }

func (l *racy) Allow(int) bool {
	n := l.n.Load()
	runtime.Gosched()
	l.n.Store(n + 1)
	return n < 3
}
func (l *racy) Tick() { l.n.Store(0) }

// A theory that is a reference itself needs the reference, which then judges alone.
func TestTheoryOfModel(t *testing.T) {
	c := Config{New: newLimiter, Theory: "../theory/testdata/model.theory.yaml", Budget: time.Second, Rounds: 500}
	if _, err := Find(t.Context(), withDir(t, c)); err == nil || !strings.Contains(err.Error(), "Config.Theory: theory limiter is the reference example.com/m/limiter itself; set Config.Reference to it") {
		t.Errorf("without a reference: %v", err)
	}
	c.Reference = newLimiter
	r, f, err := start(t.Context(), withDir(t, c), nobody("", ""))
	if err != nil || f != nil || r.judge.histories == 0 || r.judge.unjudged() > 0 {
		t.Errorf("%v, %v", f, err)
	}
	c.New, c.Budget, c.Rounds = func() *racy { return &racy{} }, patience, 0
	if f := find(t, c); f == nil || !strings.Contains(f.String(), "in every order that fits this log") {
		t.Errorf("%v", f)
	}
}
