package linear

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// relation is a random data type: a state and a call have none to three moves.
type relation struct {
	moves [][][]spec.Move
}

func randomRelation(r *rand.Rand, states, calls, answers int) *relation {
	rel := &relation{moves: make([][][]spec.Move, states)}
	for s := range states {
		rel.moves[s] = make([][]spec.Move, calls)
		for c := range calls {
			for range r.IntN(4) {
				rel.moves[s][c] = append(rel.moves[s][c], spec.Move{Answer: int32(r.IntN(answers)), Next: int32(r.IntN(states))})
			}
		}
	}
	return rel
}

func (r *relation) Start() int32                                 { return 0 }
func (r *relation) Moves(state, call int32) ([]spec.Move, error) { return r.moves[state][call], nil }
func (r *relation) Text(state int32) string                      { return fmt.Sprint("state ", state) }

// learning is a relation that does not know some answers.
type learning struct {
	*relation
	unknown map[int32]bool
}

func (l *learning) Learn(answer int32) bool {
	was := l.unknown[answer]
	delete(l.unknown, answer)
	return was
}

// operation is one of a history: answer is -1 while it runs.
type operation struct {
	thread       int
	call, answer int32
	from, to     int // events
}

// ends lists the ends of all linearizations of a history: states, and which operations
// took effect. It tries all orders of all subsets.
func ends(rel *relation, ops []operation, visit func(state int32, done uint)) {
	var from func(state int32, done uint)
	from = func(state int32, done uint) {
		all := true
		for i, o := range ops {
			all = all && (o.answer < 0 || done&(1<<i) != 0)
		}
		if all {
			visit(state, done)
		}
		for i, o := range ops {
			first := done&(1<<i) == 0
			for j, p := range ops {
				if done&(1<<j) == 0 && p.answer >= 0 && p.to < o.from {
					first = false
				}
			}
			if !first {
				continue
			}
			for _, m := range rel.moves[state][o.call] {
				if o.answer < 0 || m.Answer == o.answer {
					from(m.Next, done|1<<i)
				}
			}
		}
	}
	from(0, 0)
}

// TestSets holds sets against all linearizations of random histories of random
// relations, event by event: which answers are possible, and who may wait.
func TestSets(t *testing.T) {
	for seed := range uint64(testsize.Samples(4000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		threads, calls, answers := 1+r.IntN(4), 1+r.IntN(3), 1+r.IntN(3)
		rel := randomRelation(r, 1+r.IntN(4), calls, answers)
		sets := New(rel, threads)
		set, now := sets.Start(), make([]int, threads) // what each thread runs, plus one
		var ops []operation
		for event := 0; event < 3+r.IntN(7) && len(ops) < 6; event++ {
			thread := r.IntN(threads)
			if now[thread] == 0 {
				call := int32(r.IntN(calls))
				ops = append(ops, operation{thread, call, -1, event, 0})
				now[thread] = len(ops)
				var err error
				if set, err = sets.Call(set, thread, call); err != nil || set == None {
					t.Fatalf("seed %d: %d, %v", seed, set, err)
				}
			} else {
				o := &ops[now[thread]-1]
				possible := sets.Answers(set, thread)
				var want []int32
				for a := range int32(answers) {
					next, err := sets.Return(set, thread, a)
					if err != nil || (next != None) != slices.Contains(possible, a) {
						t.Fatalf("seed %d: answer %d leads to %d, %v; those possible are %v", seed, a, next, err, possible)
					}
					o.answer, o.to = a, event
					ok := false
					ends(rel, ops, func(int32, uint) { ok = true })
					if ok {
						want = append(want, a)
					}
				}
				o.answer = -1
				if !slices.Equal(possible, want) {
					t.Fatalf("seed %d: %v: thread %d may answer %v, not %v", seed, ops, thread, want, possible)
				}
				if len(want) == 0 {
					break
				}
				o.answer, o.to = want[r.IntN(len(want))], event
				set, _ = sets.Return(set, thread, o.answer)
				now[thread] = 0
			}
			waiting(t, seed, sets, rel, set, ops, now)
			renamed(t, seed, r, sets, set, now, calls, answers)
		}
	}
}

// waiting compares MayWait of all sets of running threads.
func waiting(t *testing.T, seed uint64, sets *Sets, rel *relation, set int32, ops []operation, now []int) {
	for some := range 1 << len(now) {
		var who []int
		runs := true
		for thread := range now {
			if some&(1<<thread) != 0 {
				who, runs = append(who, thread), runs && now[thread] != 0
			}
		}
		want := false
		if runs {
			ends(rel, ops, func(state int32, done uint) {
				stuck := true
				for _, thread := range who {
					o := now[thread] - 1
					stuck = stuck && done&(1<<o) == 0 && len(rel.moves[state][ops[o].call]) == 0
				}
				want = want || stuck
			})
		}
		if got, err := sets.MayWait(set, who); got != want || err != nil {
			t.Fatalf("seed %d: %v: threads %v may wait: %v, %v", seed, ops, who, got, err)
		}
	}
}

// renamed checks that moves after a permutation are the moves before it, permuted.
func renamed(t *testing.T, seed uint64, r *rand.Rand, sets *Sets, set int32, now []int, calls, answers int) {
	perm, back := make([]uint8, len(now)), make([]uint8, len(now))
	for i, p := range r.Perm(len(now)) {
		perm[i], back[p] = uint8(p), uint8(i)
	}
	other := sets.Permute(set, perm)
	if again := sets.Permute(other, back); again != set {
		t.Fatalf("seed %d: %d by %v is %d, and back %d", seed, set, perm, other, again)
	}
	for thread := range now {
		var a, b int32
		var err error
		if now[thread] == 0 {
			call := int32(r.IntN(calls))
			a, err = sets.Call(set, thread, call)
			if err == nil {
				b, err = sets.Call(other, int(back[thread]), call)
			}
		} else {
			answer := int32(r.IntN(answers))
			a, err = sets.Return(set, thread, answer)
			if err == nil {
				b, err = sets.Return(other, int(back[thread]), answer)
			}
		}
		if err != nil || sets.Permute(a, perm) != b {
			t.Fatalf("seed %d: thread %d, %v: %d and %d, %v", seed, thread, perm, a, b, err)
		}
	}
}

// TestConcurrent has goroutines walk the same sets, and compares with one alone.
func TestConcurrent(t *testing.T) {
	rel := randomRelation(rand.New(rand.NewPCG(7, 7)), 5, 3, 3)
	walk := func(sets *Sets, seed uint64) (texts []string) {
		r := rand.New(rand.NewPCG(seed, 2))
		for range 300 {
			set, runs := sets.Start(), [3]bool{}
			for range 12 {
				thread := r.IntN(3)
				if runs[thread] {
					set, _ = sets.Return(set, thread, int32(r.IntN(3)))
				} else {
					set, _ = sets.Call(set, thread, int32(r.IntN(3)))
				}
				runs[thread] = !runs[thread]
				set = sets.Permute(set, []uint8{2, 0, 1})
				runs = [3]bool{runs[2], runs[0], runs[1]}
				name := func(n int32) string { return fmt.Sprint(n) }
				texts = append(texts, strings.Join(sets.Text(set, name, name), "|"))
			}
		}
		return texts
	}
	shared := New(rel, 3)
	var wg sync.WaitGroup
	for seed := range uint64(4) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if !slices.Equal(walk(shared, seed%2), walk(New(rel, 3), seed%2)) {
				t.Errorf("seed %d: sets differ", seed)
			}
		}()
	}
	wg.Wait()
}

// TestLearn checks that an answer with a new value starts the exploration again, once,
// and that nothing is remembered from before.
func TestLearn(t *testing.T) {
	rel := &relation{moves: [][][]spec.Move{{{{Answer: 1, Next: 0}}}}}
	l := &learning{rel, map[int32]bool{2: true}}
	sets := New(l, 1)
	set, err := sets.Call(sets.Start(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sets.Return(set, 0, 2); !errors.Is(err, machine.ErrAgain) {
		t.Fatalf("%v", err)
	}
	rel.moves[0][0] = append(rel.moves[0][0], spec.Move{Answer: 2, Next: 0})
	if set, err = sets.Call(sets.Start(), 0, 0); err != nil {
		t.Fatal(err)
	}
	if set, err = sets.Return(set, 0, 2); err != nil || set != sets.Start() {
		t.Errorf("%d, %v", set, err)
	}
}

// TestMost checks that sets are bounded.
func TestMost(t *testing.T) {
	rel := &relation{moves: make([][][]spec.Move, 1)}
	var many []spec.Move
	for a := range int32(300) {
		many = append(many, spec.Move{Answer: a})
	}
	rel.moves[0] = [][]spec.Move{many}
	sets := New(rel, 2)
	set, err := sets.Call(sets.Start(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = sets.Call(set, 1, 0); !errors.Is(err, ErrMost) || !strings.Contains(err.Error(), fmt.Sprint(Most)) {
		t.Errorf("%v", err)
	}
}

// TestText checks the texts of configurations.
func TestText(t *testing.T) {
	rel := &relation{moves: [][][]spec.Move{{{{Answer: 4, Next: 1}}}, {nil}}}
	sets := New(rel, 2)
	set, err := sets.Call(sets.Start(), 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	name := func(n int32) string { return fmt.Sprint("n", n) }
	want := []string{"state 0; 1: n0 has not taken effect", "state 1; 1: took effect and answers n4"}
	if got := sets.Text(set, name, name); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if n, configs := sets.Count(); n != 2 || configs != 3 {
		t.Errorf("%d sets, %d configurations", n, configs)
	}
}

// BenchmarkMoves is moves that are known.
func BenchmarkMoves(b *testing.B) {
	rel := randomRelation(rand.New(rand.NewPCG(3, 3)), 5, 3, 3)
	sets := New(rel, 3)
	perm := []uint8{1, 2, 0}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for i := int32(0); pb.Next(); i++ {
			set, _ := sets.Call(sets.Start(), int(i%3), i%3)
			sets.Permute(set, perm)
			sets.Return(set, int(i%3), i%2)
		}
	})
}

// TestKeep checks that sets keep their numbers, and that others are refused.
func TestKeep(t *testing.T) {
	rel := randomRelation(rand.New(rand.NewPCG(11, 1)), 4, 2, 2)
	walk := func(sets *Sets) (all []int32) {
		for call := range int32(2) {
			a, _ := sets.Call(sets.Start(), 0, call)
			b, _ := sets.Call(a, 1, 1-call)
			c, _ := sets.Return(b, 1, 0)
			all = append(all, a, b, c, sets.Permute(b, []uint8{1, 0}))
		}
		return all
	}
	sets := New(rel, 2)
	want := walk(sets)
	var kept bytes.Buffer
	if err := sets.Save(&kept); err != nil {
		t.Fatal(err)
	}
	again := New(rel, 2)
	if err := again.Load(bytes.NewReader(kept.Bytes())); err != nil {
		t.Fatal(err)
	}
	if sets.Bytes() < 1<<14 || again.Bytes() < 1<<14 {
		t.Errorf("%d and %d bytes", sets.Bytes(), again.Bytes())
	}
	before, _ := again.Count()
	if got := walk(again); !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	if after, _ := again.Count(); after != before || before < 3 {
		t.Errorf("%d sets, then %d", before, after)
	}
	if err := New(rel, 4).Load(bytes.NewReader(kept.Bytes())); err == nil {
		t.Error("sets of other threads are loaded")
	}
	if err := again.Load(bytes.NewReader(kept.Bytes()[:20])); err == nil {
		t.Error("half of the sets is loaded")
	}
}

// TestBytes walks many sets, and counts what they take.
func TestBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	sets := New(randomRelation(r, 5, 3, 4), 4)
	before := sets.Bytes()
	for range 300 {
		set, runs := sets.Start(), [4]bool{}
		for range 12 {
			if thread := r.IntN(4); !runs[thread] {
				set, _ = sets.Call(set, thread, r.Int32N(3))
				runs[thread] = true
			}
		}
	}
	_, configurations := sets.Count()
	if got := sets.Bytes() - before; got < int64(configurations)*20 || got > int64(configurations)*200 {
		t.Errorf("%d bytes for %d configurations", got, configurations)
	}
}
