package search

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// shape is what the n-th random program is like: every few have something else wrong.
func shape(r *rand.Rand) toyShape {
	s := toyShape{nodes: 1 + r.IntN(200), steps: 1 + r.IntN(4), ahead: 5, back: 1 + r.IntN(30)}
	if r.IntN(2) == 0 {
		s.nodes *= 5
	}
	s.rare = 4
	pick := func(n int) int { return n * r.IntN(2) }
	s.none, s.fault, s.noStep, s.marks = pick(200), pick(300), pick(50), pick(4)
	if r.IntN(80) == 0 { // levels of several rounds
		s = toyShape{nodes: 6000, steps: 6, ahead: 800, back: 30, none: pick(15_000), fault: pick(15_000), noStep: pick(8000), marks: pick(5), rare: 1000}
	}
	return s
}

// about says in a line what a result is.
func about(f *Finding) (string, int) {
	switch {
	case f == nil:
		return "", 0
	case f.Kind == Faulty:
		return f.Fault.Error(), len(f.Path)
	case f.Kind == Livelock:
		return f.Kind.String(), f.Lost
	}
	return f.Kind.String(), len(f.Path)
}

// same holds a result against the twin's.
func same(t *testing.T, w *twin, r *Result, livelocks bool) {
	t.Helper()
	text, length := about(r.Finding)
	if text != w.finding || length != w.length {
		t.Fatalf("found %q after %d moves, want %q after %d", text, length, w.finding, w.length)
	}
	if text, length := about(r.NotCovered); (text != "" || w.uncovered != "") && fmt.Sprint(text, length) != w.uncovered {
		t.Fatalf("not covered: %s %d, want %s", text, length, w.uncovered)
	}
	if r.Stats.States != len(w.states) || r.Stats.Steps != w.steps {
		t.Fatalf("%d states and %d steps, want %d and %d", r.Stats.States, r.Stats.Steps, len(w.states), w.steps)
	}
	if complete := w.finding == "" || w.finding == "livelock"; complete && livelocks && r.Stats.Edges != w.edges() {
		t.Fatalf("%d edges, want %d", r.Stats.Edges, w.edges())
	}
	depth := 0
	for _, s := range w.states {
		depth = max(depth, s.depth)
	}
	complete := w.finding == "" || w.finding == "livelock"
	if r.Complete != complete || r.Why != nil || complete && r.Depth != depth {
		t.Fatalf("complete %v because of %v, depth %d, want %v and %d", r.Complete, r.Why, r.Depth, complete, depth)
	}
	for _, f := range []*Finding{r.Finding, r.NotCovered} {
		if f != nil {
			leads(t, w, f)
		}
	}
}

// leads walks to a finding.
func leads(t *testing.T, w *twin, f *Finding) {
	t.Helper()
	way, err := w.walk(append(slices.Clone(f.Path), f.Cycle...))
	if err != nil {
		t.Fatal(err)
	}
	end := way[len(f.Path)]
	switch f.Kind {
	case NotLinearizable, Faulty:
		// What was refused while a guess was open may end without a further step.
		late := f.Kind == NotLinearizable && end != -1 && w.states[end].set == 0 && len(w.p.nodes[w.states[end].node].steps) == 0
		if end != -1 && !late || len(f.Cycle) > 0 {
			t.Fatalf("%v leads to state %d", f.Kind, end)
		}
	case Deadlock:
		if s := w.states[end]; len(w.p.nodes[s.node].steps) > 0 || len(f.Threads) == 0 {
			t.Fatalf("the deadlock of threads %v leads to a state with steps", f.Threads)
		}
	case Livelock:
		if len(f.Cycle) == 0 || way[len(way)-1] != end {
			t.Fatalf("the cycle %v leads from state %d to %d", f.Cycle, end, way[len(way)-1])
		}
		for i, n := range way {
			if w.endsFrom(n) != (i < f.Lost) {
				t.Fatalf("after %d moves an end can be reached: %v; lost after %d", i, w.endsFrom(n), f.Lost)
			}
		}
	}
}

// TestTwin compares with the slow, obvious way, for all numbers of workers.
func TestTwin(t *testing.T) {
	findings, again := map[string]int{}, 0
	for seed := range testsize.Samples(4_000) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := newToy(r, shape(r))
		livelocks := r.IntN(3) > 0
		w := explore(p, livelocks)
		findings[strings.TrimRight(w.finding, ": 0123456789")]++
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			var one *Result
			for _, workers := range []int{1, 2, 4} {
				s := New(p.problem(), Options{Workers: workers, NoLivelocks: !livelocks})
				got, err := s.Run(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				same(t, w, got, livelocks)
				again += got.Stats.Again
				got.Stats.Elapsed, got.Stats.Workers, got.Stats.Bytes = 0, 0, 0
				if one == nil {
					one = got
				} else if !reflect.DeepEqual(one, got) {
					t.Fatalf("%d workers find\n%+v, one\n%+v", workers, got, one)
				}
			}
		})
	}
	t.Log(findings)
	for _, f := range []string{"", "deadlock", "livelock", "not linearizable", "data race", "misuse", "crash"} {
		if findings[f] == 0 {
			t.Errorf("no random program with %q", f)
		}
	}
	if again == 0 {
		t.Error("nothing was started again")
	}
}

// TestPaths walks to all states.
func TestPaths(t *testing.T) {
	for seed := range testsize.Samples(500) {
		r := rand.New(rand.NewPCG(seed, 2))
		p := newToy(r, toyShape{nodes: 100, steps: 4, ahead: 5, back: 10})
		w := explore(p, false)
		s := New(p.problem(), Options{NoLivelocks: true})
		if _, err := s.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		for n, want := range w.states {
			way, err := w.walk(s.path(uint32(n)))
			if err != nil || way[len(way)-1] != n || len(way) != want.depth+1 {
				t.Fatalf("seed %d: the path to state %d at depth %d passes %v, %v", seed, n, want.depth, way, err)
			}
		}
	}
}

// TestResume ends explorations again and again, goes on from checkpoints, and finds the same.
func TestResume(t *testing.T) {
	again := 0
	for seed := range testsize.Samples(2000) {
		r := rand.New(rand.NewPCG(seed, 3))
		p := newToy(r, shape(r))
		w := explore(p, true)
		ctx, cancel := context.WithCancel(context.Background())
		var left atomic.Int64
		p.atCall = func() {
			if left.Add(-1) == 0 {
				cancel()
			}
		}
		whole, err := New(p.problem(), Options{}).Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		left.Store(1 + r.Int64N(100))
		s := New(p.problem(), Options{Workers: 2})
		got, err := s.Run(ctx)
		for ; err == nil && got.Why != nil; again++ {
			if !errors.Is(got.Why, context.Canceled) || got.Complete || got.Finding != nil {
				t.Fatalf("seed %d: %+v", seed, got)
			}
			// All states up to the depth are known.
			for n, state := range w.states {
				if state.depth <= got.Depth && n >= got.Stats.States {
					t.Fatalf("seed %d: %d states to depth %d", seed, got.Stats.States, got.Depth)
				}
			}
			for mark := range p.noted { // else what was explored was so on a wrong assumption
				if p.noted[mark].Load() != p.frozen[mark] {
					t.Fatalf("seed %d: mark %d was met, and it goes on", seed, mark)
				}
			}
			var b bytes.Buffer
			if err := s.Save(&b); err != nil {
				t.Fatal(err)
			}
			ctx, cancel = context.WithCancel(context.Background())
			left.Store(1 + r.Int64N(2000))
			if s, err = Resume(p.problem(), Options{Workers: 2}, &b); err == nil {
				got, err = s.Run(ctx)
			}
		}
		cancel()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if (got.Stats.Again > 0) != (whole.Stats.Again > 0) {
			t.Fatalf("seed %d: it started %d times again, %d in one run", seed, got.Stats.Again, whole.Stats.Again)
		}
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { same(t, w, got, true) })
	}
	if again == 0 {
		t.Error("nothing was resumed")
	}
}

// TestRefused changes each byte of a checkpoint, and cuts it off everywhere.
func TestRefused(t *testing.T) {
	p := newToy(rand.New(rand.NewPCG(1, 1)), toyShape{nodes: 100, steps: 3, ahead: 5, back: 20})
	p.pad = 0
	s := New(p.problem(), Options{})
	if _, err := s.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := s.Save(&b); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	resume := func(p Problem, b []byte) error {
		_, err := Resume(p, Options{}, bytes.NewReader(b))
		return err
	}
	if err := resume(p.problem(), whole); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(2, 2))
	for range testsize.Samples(2000) {
		at := r.IntN(len(whole))
		b := bytes.Clone(whole)
		if b[at] ^= byte(1 + r.IntN(255)); resume(p.problem(), b) == nil {
			t.Errorf("byte %d of %d was changed, and nobody noticed", at, len(whole))
		}
		if resume(p.problem(), whole[:at]) == nil {
			t.Errorf("cut off after byte %d of %d, and nobody noticed", at, len(whole))
		}
	}
	other := p.problem()
	other.Identity = "another toy"
	part := p.problem()
	part.Parts[0].Name = "scars"
	for _, c := range []struct {
		p    Problem
		b    []byte
		want string
	}{
		{other, whole, "the checkpoint is of another exploration: of toy, not of another toy"},
		{part, whole, `the checkpoint cannot be used: it has "marks" where "scars" belongs`},
		{p.problem(), nil, "this is no checkpoint of an exploration"},
		{p.problem(), []byte("[1] call push(1)\n"), "this is no checkpoint of an exploration"},
		{p.problem(), []byte(prefix + "77\n"), "the checkpoint is of version 77 of its format, not 1: explore from the start"},
		{p.problem(), whole[:len(whole)-9], "the checkpoint is cut off"},
		{p.problem(), append(bytes.Clone(whole), 'x'), "the checkpoint is damaged"},
	} {
		if err := resume(c.p, c.b); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestMemory ends explorations when they have taken too much.
func TestMemory(t *testing.T) {
	p := newToy(rand.New(rand.NewPCG(1, 1)), toyShape{nodes: 20_000, steps: 3, ahead: 5, back: 20})
	p.pad = 100
	whole, err := New(p.problem(), Options{}).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	for memory := whole.Stats.Bytes / 4; memory < whole.Stats.Bytes; memory += whole.Stats.Bytes / 8 {
		s := New(p.problem(), Options{Memory: memory})
		got, err := s.Run(context.Background())
		if err != nil || got.Why != ErrMemory || got.Complete {
			t.Fatalf("%+v, %v", got, err)
		}
		if got.Stats.States < last || got.Stats.States > whole.Stats.States || got.Stats.Bytes > memory*5/4 {
			t.Errorf("%d states in %d bytes of %d", got.Stats.States, got.Stats.Bytes, memory)
		}
		last = got.Stats.States
	}
	if last == 0 {
		t.Error("nothing was explored")
	}
	enough, err := New(p.problem(), Options{Memory: whole.Stats.Bytes * 2}).Run(context.Background())
	if err != nil || !enough.Complete || enough.Stats.States != whole.Stats.States {
		t.Errorf("%+v, %v", enough, err)
	}
}

// brokenSets fails at some returns.
type brokenSets struct {
	Sets
	err error
}

func (b *brokenSets) Return(set int32, thread int, answer int32) (int32, error) { return 0, b.err }

// TestErrors hands errors on.
func TestErrors(t *testing.T) {
	wrong := errors.New("wrong")
	p := newToy(rand.New(rand.NewPCG(1, 1)), toyShape{nodes: 200, steps: 3, ahead: 5, back: 20})
	for _, workers := range []int{1, 2} {
		problem := p.problem()
		problem.Sets = &brokenSets{problem.Sets, wrong}
		if _, err := New(problem, Options{Workers: workers}).Run(context.Background()); err != wrong {
			t.Error(err)
		}
		problem = p.problem()
		problem.Answer = func(int32) (int32, error) { return 0, wrong }
		if _, err := New(problem, Options{Workers: workers}).Run(context.Background()); err != wrong {
			t.Error(err)
		}
		problem = p.problem()
		problem.Machine = func() Machine { return brokenMachine{wrong} }
		if _, err := New(problem, Options{Workers: workers}).Run(context.Background()); err != wrong {
			t.Error(err)
		}
	}
}

type brokenMachine struct{ err error }

func (b brokenMachine) Expand([]byte, func(*machine.Step) error) error { return b.err }
func (b brokenMachine) Status([]byte) machine.Status                   { return machine.Status{} }

// TestProgress saves while exploring.
func TestProgress(t *testing.T) {
	p := newToy(rand.New(rand.NewPCG(1, 1)), toyShape{nodes: 5000, steps: 3, ahead: 5, back: 20})
	var s *Search
	saved := 0
	s = New(p.problem(), Options{Workers: 2, Progress: func(st Stats) {
		var b bytes.Buffer
		if err := s.Save(&b); err != nil {
			t.Error(err)
		}
		half, err := Resume(p.problem(), Options{}, &b)
		if err != nil {
			t.Error(err)
			return
		}
		if got := half.Stats(); got.States != st.States || got.Waiting != st.Waiting || got.Steps != st.Steps {
			t.Errorf("%+v, want %+v", got, st)
		}
		saved++
	}})
	if _, err := s.Run(context.Background()); err != nil || saved == 0 {
		t.Errorf("%d checkpoints, %v", saved, err)
	}
	if a, b := s.Stats(), s.Stats(); a.Elapsed == 0 || a.Elapsed != b.Elapsed {
		t.Errorf("%v and %v have passed", a.Elapsed, b.Elapsed)
	}
}
