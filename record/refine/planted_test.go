//go:build !adtinfer_norecord

package refine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/record"
)

// planted is a recorded type with a defect, or with none.
type planted struct {
	name   string
	runs   func(defect string, seed uint64) (io, view Result, err error)
	finds  string // the modes that find it: "io view", "view", or none
	blames []Blame
}

// counters are numbers under striped locks: cells 0 and 2 under one, 1 and 3
// under the other. Its states are maps that no step changes.
type counters struct {
	n      [4]int
	locked [2]bool

	defect          string
	add, get, claim record.Method
	cell            record.Variable
}

type countersSpec struct{}

func (countersSpec) New() [4]int64             { return [4]int64{} }
func (countersSpec) Clone(s [4]int64) [4]int64 { return s }
func (countersSpec) Key(s [4]int64) string     { return fmt.Sprint(s) }

func (countersSpec) Step(s [4]int64, op *Op) ([4]int64, bool) {
	k := op.Args[0].Int()
	switch op.Method {
	case "get":
		return s, !op.Returned || op.Rets[0].Int() == s[k]
	case "add":
		s[k]++
		return s, !op.Returned || op.Rets[0].Int() == s[k]
	}
	free := s[k] == 0
	if free {
		s[k] = 1
	}
	return s, !op.Returned || free == (op.Outcome == history.True)
}

func (countersSpec) View(s [4]int64) *Bag {
	b := &Bag{}
	for k, v := range s {
		if v != 0 {
			b.Add(1, record.Int(k), record.Int(v))
		}
	}
	return b
}

func countersView(m *Memory, i int64, b *Bag) {
	if v := m.Get("cell", i); v.Int() != 0 {
		b.Add(1, record.Int(i), v)
	}
}

// session is a thread's access to the counters.
type session struct {
	*counters
	h     *record.Handle
	yield func()
	stale [4]int
}

func (s *session) lock(k int) {
	for s.yield(); s.locked[k%2]; s.yield() {
	}
	s.locked[k%2] = true
	s.yield()
}

func (s *session) unlock(k int) { s.yield(); s.locked[k%2] = false; s.yield() }

// set changes a cell, inside the bracket that makes the change part of the commit.
func (s *session) set(k, v int) {
	if !slices.Contains([]string{"no Begin", "early commit", "late commit"}, s.defect) {
		s.h.Begin()
	}
	s.n[k] = v
	if s.defect != "missing write" {
		s.h.Write(s.cell, k, record.Int(v))
	}
	s.yield()
}

func (s *session) doAdd(k int) {
	s.h.Call(s.add, record.Int(k))
	before := s.n[k]
	if s.defect == "early commit" {
		s.h.Commit()
	}
	s.lock(k)
	if s.defect != "lost update" {
		before = s.n[k]
	}
	s.set(k, before+1)
	if s.defect != "early commit" && s.defect != "late commit" {
		s.h.Commit()
	}
	s.unlock(k)
	if s.defect == "late commit" {
		s.yield()
		s.h.Commit()
	}
	s.h.Return(record.Some, record.Int(before+1))
}

func (s *session) doGet(k int) {
	s.h.Call(s.get, record.Int(k))
	s.lock(k)
	v := s.n[k]
	if s.defect == "stale read" {
		v = s.stale[k]
	}
	s.stale[k] = s.n[k]
	s.unlock(k)
	s.h.Return(record.Some, record.Int(v))
}

func (s *session) doClaim(k int) {
	s.h.Call(s.claim, record.Int(k))
	free := s.n[k] == 0
	s.lock(k)
	if s.defect != "check then act" {
		free = s.n[k] == 0
	}
	if free {
		s.set(k, 1)
	}
	s.h.Commit()
	s.unlock(k)
	if free {
		s.h.Return(record.True)
	} else {
		s.h.Return(record.False)
	}
}

func runCounters(defect string, seed uint64) (io, view Result, err error) {
	rec := record.New(record.Options{})
	c := &counters{defect: defect, add: rec.Method("add"), get: rec.Method("get"), claim: rec.Method("claim"), cell: rec.Variable("cell")}
	threads(seed, 3, func(w int, r *rand.Rand, yield func()) {
		s := &session{counters: c, h: rec.Handle(fmt.Sprint("p", w)), yield: yield}
		for range 10 {
			switch k := r.IntN(4); r.IntN(3) {
			case 0:
				s.doAdd(k)
			case 1:
				s.doGet(k)
			case 2:
				s.doClaim(k)
			}
		}
	})
	return inBothModes(rec, countersSpec{}, Options{View: countersView, Observers: []string{"get"}})
}

// threads interleaves n threads; equal seeds give equal executions.
func threads(seed uint64, n int, body func(w int, r *rand.Rand, yield func())) {
	r := rand.New(rand.NewPCG(seed, 11))
	var bodies []func(func())
	for w := range n {
		bodies = append(bodies, func(yield func()) { body(w, rand.New(rand.NewPCG(seed, uint64(w))), yield) })
	}
	now := 0
	testsize.Interleave(func(n int) int {
		if now >= n || r.IntN(3) > 0 {
			now = r.IntN(n)
		}
		return now
	}, bodies...)
}

func inBothModes[S any](rec *record.Recorder, spec Spec[S], o Options) (io, view Result, err error) {
	l, err := rec.Log()
	if err != nil {
		return io, view, err
	}
	if view, err = Check(context.Background(), l, spec, o); err != nil {
		return io, view, err
	}
	o.View = nil
	io, err = Check(context.Background(), l, spec, o)
	return io, view, err
}

// queueSpec is a queue; its view has places counted from the first element ever.
type queueSpec struct{}

type queueState struct {
	head   int
	values []int64
}

func (queueSpec) New() queueState               { return queueState{} }
func (queueSpec) Clone(s queueState) queueState { return s }
func (queueSpec) Key(s queueState) string       { return fmt.Sprint(s) }

func (queueSpec) Step(s queueState, op *Op) (queueState, bool) {
	if op.Method == "put" {
		return queueState{s.head, append(slices.Clone(s.values), op.Args[0].Int())}, true
	}
	if len(s.values) == 0 {
		return s, !op.Returned || op.Outcome == history.Nil
	}
	ok := !op.Returned || op.Outcome != history.Nil && op.Rets[0].Int() == s.values[0]
	return queueState{s.head + 1, s.values[1:]}, ok
}

func (queueSpec) View(s queueState) *Bag {
	b := &Bag{}
	for i, v := range s.values {
		b.Add(1, record.Int(s.head+i), record.Int(v))
	}
	return b
}

func queueView(m *Memory, i int64, b *Bag) {
	if low := m.Get("low", i); low != (record.Value{}) {
		b.Add(1, record.Int(i), record.Int(low.Int()+100*m.Get("high", i).Int()))
	}
}

// runQueue records a queue behind one lock whose elements have two words.
func runQueue(defect string, seed uint64) (io, view Result, err error) {
	rec := record.New(record.Options{})
	put, take := rec.Method("put"), rec.Method("take")
	low, high := rec.Variable("low"), rec.Variable("high")
	var values []int
	head, locked := 0, false
	threads(seed, 3, func(w int, r *rand.Rand, yield func()) {
		h := rec.Handle(fmt.Sprint("p", w))
		lock := func() {
			for yield(); locked; yield() {
			}
			locked = true
			yield()
		}
		unlock := func() { yield(); locked = false; yield() }
		for i := range 8 {
			if v := 1 + w + 100*(1+8*w+i); r.IntN(2) == 0 {
				h.Call(put, record.Int(v))
				if defect == "swapped places" {
					h.Commit()
				}
				lock()
				at := len(values)
				if defect == "torn put" {
					values = append(values, v%100)
					h.Write(low, at, record.Int(v%100))
					h.Commit()
					unlock()
					lock()
					values[at] = v
					h.Write(high, at, record.Int(v/100))
				} else {
					values = append(values, v)
					h.WriteBlock(record.Write{Variable: low, Index: int64(at), Value: record.Int(v % 100)}, record.Write{Variable: high, Index: int64(at), Value: record.Int(v / 100)})
				}
				if defect == "" {
					h.Commit()
				}
				unlock()
				h.Return(record.None)
				continue
			}
			h.Call(take)
			lock()
			if head == len(values) {
				h.Commit()
				unlock()
				h.Return(record.Nil)
				continue
			}
			v := values[head]
			h.Write(low, head, record.Value{})
			head++
			h.Commit()
			unlock()
			h.Return(record.Some, record.Int(v))
		}
	})
	return inBothModes(rec, queueSpec{}, Options{View: queueView})
}

// recordStack records a lock-free stack whose nodes are used again, one field of
// top a tag against that. Its view is what its nodes hold, in no order, so that
// nothing but results tells in which order overlapping pushes took effect.
func recordStack(defect string, seed uint64, workers, calls, values int) *record.Recorder {
	rec := record.New(record.Options{})
	push, pop, in := rec.Method("push"), rec.Method("pop"), rec.Variable("in")
	type top struct{ node, tag int }
	var now top
	value, next, free := make([]int, 1), make([]int, 1), []int(nil)
	swap := func(old top, node int, store bool) bool {
		if old != now && !store {
			return false
		}
		if now.node = node; defect != "ABA" {
			now.tag++
		}
		return true
	}
	threads(seed, workers, func(w int, r *rand.Rand, yield func()) {
		h := rec.Handle(fmt.Sprint("p", w))
		for i := range calls {
			if v := 1 + (calls*w+i)%values; r.IntN(2) == 0 {
				h.Call(push, record.Int(v))
				n := len(value)
				if len(free) > 0 {
					n, free = free[0], free[1:]
				} else {
					value, next = append(value, 0), append(next, 0)
				}
				value[n] = v
				for {
					yield()
					h.Begin()
					old := now
					next[n] = old.node
					yield()
					if swap(old, n, defect == "lost push") {
						break
					}
				}
				yield()
				h.Write(in, n, record.Int(v))
				h.Commit()
				h.Return(record.None)
				continue
			}
			h.Call(pop)
			for {
				yield()
				h.Begin()
				old := now
				if old.node == 0 {
					h.Commit()
					h.Return(record.Nil)
					break
				}
				below := next[old.node]
				for range 6 {
					yield()
				}
				if !swap(old, below, defect == "double pop") {
					continue
				}
				yield()
				v := value[old.node]
				h.Write(in, old.node, record.Value{})
				h.Commit()
				free = append(free, old.node)
				h.Return(record.Some, record.Int(v))
				break
			}
		}
	})
	return rec
}

var stackOptions = Options{View: func(m *Memory, i int64, b *Bag) {
	if v := m.Get("in", i); v != (record.Value{}) {
		b.Add(1, v)
	}
}}

func runStack(defect string, seed uint64) (io, view Result, err error) {
	return inBothModes(recordStack(defect, seed, 3, 12, 36), contentsSpec{}, stackOptions)
}

// contentsSpec is a stack whose view has no places.
type contentsSpec struct{ stackSpec }

func (contentsSpec) View(s []int64) *Bag {
	b := &Bag{}
	for _, v := range s {
		b.Add(1, record.Int(v))
	}
	return b
}

var defects = []planted{
	{"lost update", runCounters, "io view", []Blame{Implementation, State}},
	{"check then act", runCounters, "io view", []Blame{Implementation, State}},
	{"stale read", runCounters, "io view", []Blame{Implementation}},
	{"missing write", runCounters, "view", []Blame{State}},
	{"early commit", runCounters, "io view", []Blame{Annotation}},
	{"late commit", runCounters, "io view", []Blame{Annotation}},
	{"no Begin", runCounters, "view", []Blame{Annotation}},
	{"torn put", runQueue, "io view", []Blame{Implementation, Annotation, State}},
	{"swapped places", runQueue, "io view", []Blame{Annotation}},
	{"ABA", runStack, "io view", []Blame{Implementation, Annotation, State}},
	{"double pop", runStack, "io view", []Blame{Implementation, Annotation, State}},
	{"lost push", runStack, "io view", []Blame{Implementation, Annotation, State}},
}

// TestPlanted checks which mode finds which defect in 30 executions, and what is
// blamed. -v prints a table of it.
func TestPlanted(t *testing.T) {
	for _, p := range defects {
		t.Run(p.name, func(t *testing.T) {
			found := map[string]int{}
			blamed := map[Blame]int{}
			for seed := range uint64(30) {
				io, view, err := p.runs(p.name, seed)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				for mode, r := range map[string]Result{"io": io, "view": view} {
					switch {
					case r.Verdict == check.Inconclusive:
						t.Errorf("seed %d: %s: %v", seed, mode, r)
					case r.Verdict == check.Violation && !slices.Contains(p.blames, r.Blame):
						t.Errorf("seed %d: %s: %v", seed, mode, r)
					case r.Verdict == check.Violation:
						found[mode]++
						blamed[r.Blame]++
						if hint := strings.Contains(r.Detail, "record a Begin"); p.name == "no Begin" && !hint {
							t.Errorf("seed %d: %s: no hint: %v", seed, mode, r)
						}
					}
				}
			}
			t.Logf("| %s | %d | %d | %v |", p.name, found["io"], found["view"], blamed)
			for _, mode := range []string{"io", "view"} {
				if want := strings.Contains(p.finds, mode); want != (found[mode] > 0) {
					t.Errorf("%s finds it in %d executions", mode, found[mode])
				}
			}
		})
	}
}

// TestNoAlarm checks the same types without a defect, with three threads and as
// many executions, in nightly runs, as the documentation says.
func TestNoAlarm(t *testing.T) {
	for _, p := range []planted{{name: "counters", runs: runCounters}, {name: "queue", runs: runQueue}, {name: "stack", runs: runStack}} {
		for seed := range testsize.Samples(50) {
			io, view, err := p.runs("", seed)
			if err != nil || io.Verdict != check.Linearizable || view.Verdict != check.Linearizable {
				t.Fatalf("%s, seed %d: %v; %v, %v", p.name, seed, err, io, view)
			}
		}
	}
}

// TestOverlap checks view refinement where nothing but results tells the order
// of overlapping pushes: with four threads there are too many orders to try,
// unless those that lead to the same state and memory are tried once.
func TestOverlap(t *testing.T) {
	o := stackOptions
	o.Limit = 100_000
	for seed := range testsize.Samples(15) {
		l, err := recordStack("", seed, 4, 100, 2).Log()
		if err != nil {
			t.Fatal(err)
		}
		r, err := Check(context.Background(), l, contentsSpec{}, o)
		if err != nil || r.Verdict != check.Linearizable {
			t.Fatalf("seed %d: %v, %v", seed, r, err)
		}
	}
}

// TestBlamesNobody cuts a log off where an operation still runs: then nothing
// tells a misplaced commit from a lost value.
func TestBlamesNobody(t *testing.T) {
	rec := record.New(record.Options{})
	put, low := rec.Method("put"), rec.Variable("low")
	a, b := rec.Handle("a"), rec.Handle("b")
	a.Call(put, record.Int(1))
	b.Call(put, record.Int(2))
	b.Commit()
	b.Return(record.None)
	l, err := rec.Log()
	if err != nil {
		t.Fatal(err)
	}
	o := Options{View: queueView}
	r, err := Check(context.Background(), l, queueSpec{}, o)
	if err != nil || r.Verdict != check.Violation || r.Blame != Unknown || !strings.Contains(r.Detail, "not known") {
		t.Errorf("%v, %v", r, err)
	}
	a.Write(low, 0, record.Int(2))
	a.Commit()
	a.Return(record.None)
	if l, err = rec.Log(); err != nil {
		t.Fatal(err)
	}
	if r, err = Check(context.Background(), l, queueSpec{}, o); err != nil || r.Blame != State {
		t.Errorf("%v, %v", r, err)
	}
}
