package reference_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// TestLoadPanics: a panic is an outcome, and one that looks like a mistake is told
// once, with its place; so is a map that a zero value lacks, which is a fault.
func TestLoadPanics(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	module := extract(t, "module.txtar")
	var notes []string
	p, err := load(t, module, "panics", reference.Options{Warn: func(n string) { notes = append(notes, n) }})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got := show(t, p, program(t, p, "add 1; remove; remove; add 2; remove")...)
		if d := cmp.Diff([]string{"none", "value 1", "panic", "none", "value 2"}, got); d != "" {
			t.Error(d)
		}
	}
	want := []string{"the reference seems to have a defect, and its panic is taken for an outcome: " +
		"Add(1); Remove(); Remove(): call 3 panics: runtime error: index out of range [0] with length 0 (panics/panics.go:7)"}
	if d := cmp.Diff(want, notes); d != "" {
		t.Error(d)
	}
	if p, err = load(t, module, "nilmap", reference.Options{}); err != nil {
		t.Fatal(err)
	}
	_, err = p.Replay(t.Context(), [][]reference.Call{program(t, p, "add 1")})
	if err == nil || err.Error() != "reference: Add(1): call 1 panics: assignment to entry in nil map; "+
		"Set is used by its zero value, for it has no constructor: write a func New() *Set, or give --new (nilmap/nilmap.go:5)" {
		t.Error(err)
	}
}

// TestLoadFaults has references that misbehave when they run.
func TestLoadFaults(t *testing.T) {
	t.Parallel()
	module := extract(t, "module.txtar")
	const good = "add 1; add 2"
	cases := []struct {
		name, ref, good, bad string
		long                 bool
		timeout              time.Duration
		want                 reference.Fault
	}{
		{"loop", "loops", "wait; add 1", "add 1; wait", false, 300 * time.Millisecond, reference.Fault{Reason: driver.Hangs,
			Sequence: "Add(1); Wait()", At: 1, Detail: "no answer after 300ms"}},
		{"exit", "exits", good, "add 2; add 1; done", false, time.Minute, reference.Fault{Reason: driver.EndsProcess,
			Sequence: `Add("v2"); Add("v1"); Done()`, At: 2, Detail: "exit status 7"}},
		{"fatal error", "exits", good, "add 1; fatal", true, time.Minute, reference.Fault{Reason: driver.EndsProcess,
			Sequence: `Add("v1"); Fatal()`, At: 1, Detail: "exit status 2: fatal error: sync: unlock of unlocked mutex (exits/exits.go:22)"}},
		{"goroutine", "exits", good, "add 1; crash", true, time.Minute, reference.Fault{Reason: driver.GoroutineEnds,
			Sequence: `Add("v1"); Crash()`, At: 1, Detail: "exit status 2: panic: in a goroutine (exits/exits.go:26, in a goroutine started at exits/exits.go:26)"}},
		{"recursion", "exits", good, "add 1; deep", true, time.Minute, reference.Fault{Reason: driver.EndsProcess,
			Sequence: `Add("v1"); Deep()`, At: 1, Detail: "exit status 2: runtime: goroutine stack exceeds 16777216-byte limit (exits/exits.go:23)"}},
		{"differs", "differs", "", "inc", false, time.Minute, reference.Fault{Reason: driver.Differs,
			Sequence: "Inc()", At: 0, Detail: "first value 1, then value 2"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.long {
				testsize.NeedsLong(t)
			}
			t.Parallel()
			p, err := load(t, module, c.ref, reference.Options{Timeout: c.timeout})
			if err != nil {
				t.Fatal(err)
			}
			var seqs [][]reference.Call
			if c.good != "" {
				for range 1500 { // the fault is in the second batch
					seqs = append(seqs, program(t, p, c.good))
				}
			}
			_, err = p.Replay(context.Background(), append(seqs, program(t, p, c.bad)))
			var f *reference.Fault
			if !errors.As(err, &f) {
				t.Fatalf("got %T: %v", err, err)
			}
			if d := cmp.Diff(&c.want, f); d != "" {
				t.Error(d)
			}
			if c.good != "" { // the child is started again
				if _, err := p.Replay(context.Background(), seqs); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// A goroutine that panics some time after the call that started it, when other
// sequences run or none at all: no constructor is to blame.
func TestLoadFaultsOfGoroutines(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	p, err := load(t, extract(t, "module.txtar"), "exits", reference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const detail = "exit status 2: panic: later (exits/exits.go:30, in a goroutine started at exits/exits.go:30)"
	later := program(t, p, "add 1; later")
	for err == nil { // until one panics in time
		_, err = p.Replay(context.Background(), slices.Repeat([][]reference.Call{later}, 2000))
	}
	var f *reference.Fault
	if !errors.As(err, &f) || f.Reason != driver.GoroutineEnds || f.Sequence == "New()" || !strings.HasPrefix(f.Detail, detail) {
		t.Errorf("while sequences run: got %T: %v", err, err)
	}
	_, err = p.Replay(context.Background(), [][]reference.Call{later})
	for err == nil { // until the child has died, between two requests or during one
		time.Sleep(time.Millisecond)
		_, err = p.Replay(context.Background(), [][]reference.Call{program(t, p, "add 1")})
	}
	const want = "a goroutine ends the process: " + detail
	if !errors.As(err, &f) || !strings.Contains(err.Error(), want) || f.Sequence == "New()" {
		t.Errorf("afterwards: got %T: %v", err, err)
	}
}

func TestLoadFaultsOfInit(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	module := extract(t, "module.txtar")
	for ref, want := range map[string]string{
		"initexits":  "reference: the package ends the process: exit status 5",
		"initpanics": "reference: the package ends the process: exit status 2: panic: assignment to entry in nil map",
	} {
		t.Run(ref, func(t *testing.T) {
			t.Parallel()
			_, err := load(t, module, ref, reference.Options{})
			var f *reference.Fault
			if !errors.As(err, &f) || err.Error() != want {
				t.Errorf("got %T: %v", err, err)
			}
		})
	}
}

// TestLoadGrowth has a method whose memory grows without bound: it is stopped
// before the machine suffers.
func TestLoadGrowth(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	p, err := load(t, extract(t, "module.txtar"), "exits", reference.Options{Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Replay(context.Background(), [][]reference.Call{program(t, p, "add 1; grow")})
	if err == nil || !contains(err.Error(), `Add("v1"); Grow(): call 2 does not return: its memory grows beyond`) {
		t.Error(err)
	}
}

// syncBuffer is a writer for a child's prints.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(b)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func TestLoadPassesPrintsOn(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	var stderr syncBuffer
	p, err := load(t, extract(t, "module.txtar"), "prints", reference.Options{Stderr: &stderr})
	if err != nil {
		t.Fatal(err)
	}
	show(t, p, program(t, p, "set 1")...)
	p.Close()
	for _, want := range []string{"init without newline", "new stdout\n", "old stdout"} {
		if !contains(stderr.String(), want) {
			t.Errorf("%q is not in %q", want, stderr.String())
		}
	}
}
