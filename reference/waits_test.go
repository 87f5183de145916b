package reference_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// TestWaits: queues of two that wait by a channel, by a condition variable, by a goroutine
// of their own and as long as their context allows answer as a slice does, and block where it is empty or full.
func TestWaits(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	dir := extract(t, "waits.txtar")
	for seed, ref := range testsize.Some([]string{"channel", "cond", "server", "heeding"}, 4) {
		t.Run(ref, func(t *testing.T) {
			p, err := load(t, dir, ref, reference.Options{Timeout: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(uint64(seed), 1))
			var seqs [][]reference.Call
			var want [][]string
			for range testsize.Samples(150) {
				var seq []reference.Call
				var words []string
				var vs []int
				for len(seq) < 8 && (len(words) == 0 || words[len(words)-1] != "blocked") {
					if v := 1 + len(seq); rng.IntN(2) == 0 {
						seq = append(seq, call(t, p, "put", v))
						if words = append(words, "none"); len(vs) == 2 {
							words[len(words)-1] = "blocked"
						}
						vs = append(vs, v)
						continue
					}
					if seq = append(seq, call(t, p, "take")); len(vs) == 0 {
						words = append(words, "blocked")
						continue
					}
					words = append(words, fmt.Sprint("value ", vs[0]))
					vs = vs[1:]
				}
				seqs, want = append(seqs, seq), append(want, words)
			}
			got, err := p.Replay(t.Context(), seqs)
			if err != nil {
				t.Fatal(err)
			}
			for i := range seqs {
				if d := cmp.Diff(want[i], draw(got[i])); d != "" {
					t.Fatalf("seed %d, sequence %d: %s", seed, i, d)
				}
			}
		})
	}
}

// TestReleased: where calls that wait heed their context, one process finds any number of
// them. Otherwise it leaves them alone, and another one goes on in time.
func TestReleased(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	dir := extract(t, "waits.txtar")
	for ref, want := range map[string]bool{"heeding": true, "cond": false} {
		var started counted
		p, err := load(t, dir, ref, reference.Options{Timeout: time.Minute, Stderr: &started})
		if err != nil {
			t.Fatal(err)
		}
		show(t, p, call(t, p, "take")) // from now on each call is made apart
		before := started.Load()
		for range 2 { // more than are looked at together
			seqs := make([][]reference.Call, 700)
			for i := range seqs {
				seqs[i] = []reference.Call{call(t, p, "put", i+1), call(t, p, "put", 1), call(t, p, "put", 1)}
			}
			answers, err := p.Replay(t.Context(), seqs)
			if err != nil {
				t.Fatal(err)
			}
			for i := range answers {
				if got := strings.Join(draw(answers[i]), "; "); !strings.HasSuffix(got, "; blocked") || strings.Count(got, ";") != 2 {
					t.Fatalf("%s: sequence %d: %s", ref, i, got)
				}
			}
		}
		if same := started.Load() == before; same != want || before == 0 {
			t.Errorf("%s: in one process: %t, after %d", ref, same, before)
		}
	}
}

// counted counts the lines that are written to it.
type counted struct{ atomic.Int64 }

func (c *counted) Write(p []byte) (int, error) {
	c.Add(int64(bytes.Count(p, []byte("\n"))))
	return len(p), nil
}

// TestWays: the ways to wait, and what only seems to.
func TestWays(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	dir := extract(t, "waits.txtar")
	for _, tt := range []struct{ ref, calls, want string }{
		{"mutex", "lock; tryLock; unlock; unlock; lock; lock", "none; false; none; panic; none; blocked"},
		{"rest", "never", "blocked"},
		{"rest", "add; wait", "none; blocked"},
		{"rest", "add; done; wait", "none; none; none"},
		{"rest", "rLock; rLock; wLock", "none; none; blocked"},
		{"rest", "wLock; rLock", "none; blocked"},
		{"rest", "nil", "blocked"},
		{"rest", "full", "blocked"},
		{"rest", "sleep; soon; compute; never", "none; value (1); value (10000000); blocked"},
		{"timer", "take", "nil"},
		{"indirect", "take", "nil"},
		{"global", "do 1; do 2", "value 1; value 2"},
	} {
		p, err := load(t, dir, tt.ref, reference.Options{Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got := show(t, p, program(t, p, tt.calls)...); strings.Join(got, "; ") != tt.want {
				t.Errorf("%s: %s: %q, want %q", tt.ref, tt.calls, strings.Join(got, "; "), tt.want)
			}
		}
	}
	for ref, want := range map[string]reference.Fault{
		"timer": {Reason: driver.Hangs, Sequence: "Never()", Detail: "no answer after 300ms"},
		"stuck": {Reason: driver.Hangs, Sequence: "New()", At: -1, Detail: "it waits for ever"},
	} {
		p, err := load(t, dir, ref, reference.Options{Timeout: 300 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Replay(t.Context(), [][]reference.Call{{{Method: len(p.Methods()) - 1}}})
		var f *reference.Fault
		if !errors.As(err, &f) || *f != want {
			t.Errorf("%s: %v", ref, err)
		}
	}
}
