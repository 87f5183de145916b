package explore_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/explore/internal/linear"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestReplay repeats counterexamples of all kinds, and gets the same text.
func TestReplay(t *testing.T) {
	t.Parallel()
	seen := map[explore.Verdict]bool{}
	for _, p := range programs {
		if p.want == explore.Holds || seen[p.want] && !testsize.Long() {
			continue
		}
		seen[p.want] = true
		o := explore.Options{Dir: folder(p.name), New: p.new, Bounds: p.at, MayFail: p.mayFail, Workers: 1}
		r := run(t, o, p.want, p.text)
		again, err := explore.Replay(t.Context(), explore.Options{Dir: o.Dir, New: p.new, MayFail: p.mayFail}, r.Counterexample.Replay)
		if err != nil {
			t.Errorf("%s: %v", p.name, err)
			continue
		}
		if again.Text() != r.Text() {

			t.Errorf("%s: the replay is\n%s\nthe run was\n%s", p.name, again.Text(), r.Text())
		}
		_, err = explore.Replay(t.Context(), explore.Options{Dir: folder("counter")}, r.Counterexample.Replay)
		if err == nil || !strings.Contains(err.Error(), "to another program") {
			t.Errorf("%s: another program accepts the replay string: %v", p.name, err)
		}
	}
	if len(seen) < 5 {
		t.Errorf("verdicts %v only", seen)
	}
}

// TestReplayOfGrowth repeats what was found after other bounds were explored.
func TestReplayOfGrowth(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"snapshot", "doubleunlock", "useafterput"} {
		o := explore.Options{Dir: folder(name), Workers: 1}
		r, err := explore.Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		again, err := explore.Replay(t.Context(), o, r.Counterexample.Replay)
		if err != nil || again.Counterexample.Text() != r.Counterexample.Text() {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestResume ends explorations several times before they are over, and goes on: what comes
// out is what comes out at once.
func TestResume(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	for _, of := range []string{lazySet, treiberStack, michaelScott} {
		o := explore.Options{Dir: folder(of), Bounds: bounds(2, 3, 2), Workers: 1}
		o.Type, o.New = constructor(of)
		whole := run(t, o, explore.Holds, "")
		o.Checkpoint = filepath.Join(t.TempDir(), "explored")
		ends := 0
		for o.Memory = 300 << 10; ; o.Memory += o.Memory / 2 {
			r, err := explore.Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != explore.Incomplete {
				if r.Text() != whole.Text() || r.Steps != whole.Steps {
					t.Errorf("%s: in %d parts it is\n%s%d steps, as a whole\n%s%d", of, ends+1, r.Text(), r.Steps, whole.Text(), whole.Steps)
				}
				break
			}
			ends++
			o.Resume = o.Checkpoint
		}
		if ends < 2 {
			t.Errorf("%s: %d ends only", of, ends)
		}
	}
}

// TestEnds ends the context while states are explored.
func TestEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	o := explore.Options{Dir: folder(lazySet), Bounds: bounds(4, 4, 4), Workers: 2, Progress: func(p explore.Progress) {
		if p.States > 1000 {
			cancel()
		}
	}}
	r, err := explore.Run(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != explore.Incomplete || !strings.Contains(r.Sentence(), "but it was interrupted") {
		t.Error(r.Sentence())
	}
	if _, err := explore.Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// TestGrowth lets bounds grow until something is found, with one of them given.
func TestGrowth(t *testing.T) {
	t.Parallel()
	r := run(t, explore.Options{Dir: folder("snapshot"), Bounds: explore.Bounds{Values: 2}}, explore.Violated, "snapshot.go:16")
	if r.Bounds != bounds(2, 2, 2) {
		t.Errorf("found in %v", r.Bounds)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := explore.Run(ctx, explore.Options{Dir: folder(lazySet), Progress: func(p explore.Progress) {
		if strings.HasPrefix(p.Doing, "3 goroutines with 2") {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Held) != 2 || r.Held[0] != bounds(3, 1, 2) || r.Held[1] != bounds(2, 3, 2) {
		t.Errorf("holds in %v", r.Held)
	}
}

func TestBadOptions(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]explore.Options{
		"give one":                {Model: "queue", Reference: "."},
		"needs a Reference":       {ReferenceNew: "New()"},
		"must not be negative":    {Bounds: bounds(-1, 1, 1)},
		"at most":                 {Bounds: bounds(linear.MostThreads+1, 1, 1)},
		"Workers":                 {Workers: -1},
		"is no folder":            {Dir: "nowhere"},
		"no built-in model":       {Dir: folder("counter"), Model: "nope"},
		"unknown method":          {Dir: folder("counter"), MayFail: []string{"x=false"}},
		"have fresh values":       {Dir: folder("counter"), Fresh: []string{"inc"}},
		"no such file":            {Dir: folder("counter"), Bounds: bounds(2, 1, 1), Resume: "nothing"},
		"cannot write the":        {Dir: folder(lazySet), Bounds: bounds(3, 2, 2), Memory: 1 << 20, Checkpoint: "no/where"},
		"do not fit the built-in": {Dir: folder("counter"), Model: "queue"},
	} {
		_, err := explore.Run(t.Context(), o)
		var refused *explore.Refused
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

// TestMostGoroutines explores as many goroutines as the options allow.
func TestMostGoroutines(t *testing.T) {
	t.Parallel()
	run(t, explore.Options{Dir: folder(twoLockQueue), Bounds: bounds(linear.MostThreads, 1, 1)}, explore.Holds, "12 goroutines")
}

func TestJSON(t *testing.T) {
	t.Parallel()
	r := run(t, explore.Options{Dir: folder("lostupdate"), Bounds: bounds(2, 1, 1)}, explore.Violated, "")
	var b bytes.Buffer
	if err := r.JSON(&b); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Format         int
		Verdict        string
		Counterexample struct {
			Events  []struct{ Event, File, Text string }
			History string
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	c := got.Counterexample
	if got.Format != 1 || got.Verdict != "violated" || len(c.Events) != len(r.Counterexample.Events) || !strings.Contains(c.History, "[1] call inc\n") {
		t.Errorf("%s", b.Bytes())
	}
}

// TestOfMutants sees that wrong versions of the counter are seen, and that a package which does
// not hold itself has none.
func TestOfMutants(t *testing.T) {
	t.Parallel()
	r, all, err := explore.Mutants(t.Context(), explore.Options{Dir: folder("counter")})
	if err != nil || r.Verdict != explore.Holds || len(all) == 0 {
		t.Fatalf("%v, %v, %v", r, all, err)
	}
	for _, m := range all {
		if m.Verdict == explore.Holds || m.Verdict == explore.Incomplete || !strings.HasSuffix(m.File, "counter.go") {
			t.Errorf("%+v at %s", m, m.Place())
		}
	}
	if r, all, err = explore.Mutants(t.Context(), explore.Options{Dir: folder("lostupdate")}); err != nil || r.Verdict != explore.Violated || all != nil {
		t.Errorf("%v, %v, %v", r, all, err)
	}
}

// recording is a test that notes how it ends.
type recording struct {
	testing.TB
	fatal, logged string
}

type ended struct{}

func (r *recording) Fatal(args ...any) { r.fatal = text(args); panic(ended{}) }
func (r *recording) Log(args ...any)   { r.logged = text(args) }
func (r *recording) Helper()           {}

func text(args []any) (s string) {
	for _, a := range args {
		switch a := a.(type) {
		case string:
			s += a
		case error:
			s += a.Error()
		}
	}
	return s
}

func TestTest(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]recording{
		"counter":    {logged: "linearizable in every interleaving of 2 goroutines with 2 operations each"},
		"lostupdate": {fatal: "load Counter1.n: 0"},
		"nothing":    {fatal: "is no folder"},
	} {
		r := &recording{TB: t}
		func() {
			defer func() {
				if x := recover(); x != nil && x != (ended{}) {
					panic(x)
				}
			}()
			explore.Test(r, explore.Options{Dir: folder(name)})
		}()
		if !strings.Contains(r.fatal, want.fatal) || !strings.Contains(r.logged, want.logged) || (r.fatal == "") != (want.fatal == "") {
			t.Errorf("%s: fails with %q, logs %q", name, r.fatal, r.logged)
		}
	}
}
