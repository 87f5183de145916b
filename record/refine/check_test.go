//go:build !adtinfer_norecord

package refine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// stackSpec is a stack of integers with a view of places and values.
type stackSpec struct{}

func (stackSpec) New() []int64 { return nil }

func (stackSpec) Step(s []int64, op *Op) ([]int64, bool) {
	switch {
	case op.Method == "push":
		return append(s[:len(s):len(s)], op.Args[0].Int()), true
	case !op.Returned && len(s) == 0 || op.Outcome == history.Nil:
		return s, len(s) == 0
	case !op.Returned:
		return s[:len(s)-1], true
	case len(s) == 0 || s[len(s)-1] != op.Rets[0].Int():
		return s, false
	}
	return s[:len(s)-1], true
}

func (stackSpec) Clone(s []int64) []int64 { return s } // no step changes it
func (stackSpec) Key(s []int64) string    { return fmt.Sprint(s) }

func (stackSpec) View(s []int64) *Bag {
	b := &Bag{}
	for i, v := range s {
		b.Add(1, record.Int(i), record.Int(v))
	}
	return b
}

// plainSpec is stackSpec without the optional methods.
type plainSpec struct{ spec stackSpec }

func (p plainSpec) New() []int64                           { return p.spec.New() }
func (p plainSpec) Step(s []int64, op *Op) ([]int64, bool) { return p.spec.Step(s, op) }

// fake makes a random log of a stack: operations of some processes with
// brackets, points, and observers, in which a real stack takes effect at some
// moment of each bracket; now and then it returns something else.
func fake(r *rand.Rand) *record.Log {
	rec := record.New(record.Options{})
	push, pop := rec.Method("push"), rec.Method("pop")
	threads := make([]thread, 2+r.IntN(2))
	for i := range threads {
		threads[i].h = rec.Handle(fmt.Sprint(i))
	}
	var s []int
	lie := r.IntN(3) == 0
	for calls, done := 0, 0; done < 8; {
		t := &threads[r.IntN(len(threads))]
		switch t.phase {
		case 0:
			if calls == 8 {
				continue
			}
			calls++
			if t.push = r.IntN(2) == 0; t.push {
				t.value = r.IntN(2)
				t.h.Call(push, record.Int(t.value))
			} else {
				t.h.Call(pop)
			}
		case 1:
			if r.IntN(4) == 0 { // a point: the effect and the commit at once
				t.effect(&s, lie && r.IntN(6) == 0, r)
				t.h.Commit()
				t.phase = 3
				break
			}
			t.h.Begin()
		case 2:
			t.effect(&s, lie && r.IntN(6) == 0, r)
		case 3:
			t.h.Commit()
		case 4:
			if t.outcome == record.Some {
				t.h.Return(record.Some, record.Int(t.value))
			} else {
				t.h.Return(t.outcome)
			}
			t.phase = -1
			done++
		}
		t.phase++
	}
	l, err := rec.Log()
	if err != nil {
		panic(err)
	}
	return l
}

// thread is a process of fake: idle, called, begun, took effect, committed.
type thread struct {
	h       *record.Handle
	phase   int
	value   int
	push    bool
	outcome record.Outcome
}

// effect is what a stack does, or something else.
func (t *thread) effect(s *[]int, lie bool, r *rand.Rand) {
	switch n := len(*s); {
	case t.push:
		*s, t.outcome = append(*s, t.value), record.None
	case n == 0:
		t.outcome = record.Nil
	default:
		t.value, t.outcome = (*s)[n-1], record.Some
		*s = (*s)[:n-1]
	}
	if lie && !t.push {
		t.value, t.outcome = r.IntN(2), record.Some
	}
}

// twin decides by trying all orders: an operation may take effect anywhere from
// its Begin to its Commit, or at its Commit; if wide, from its call to its
// return.
func twin(t *testing.T, l *record.Log, wide bool) bool {
	type span struct {
		from, to uint64
		op       *Op
	}
	var spans []span
	tr := tracker{names: tape.Of(l).Names, process: tape.Of(l).Process}
	tape.Of(l).Each(func(es []tape.Entry) error {
		op, err := tr.add(es)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case wide && es[0].What() == binlog.ReturnEntry:
			spans = append(spans, span{op.called, op.ended, op})
		case !wide && es[0].What() == binlog.CommitEntry && op.begun != 0:
			spans = append(spans, span{op.begun, op.commit, op})
		case !wide && es[0].What() == binlog.CommitEntry:
			spans = append(spans, span{op.commit, op.commit, op})
		}
		return nil
	})
	var try func(s []int64, used uint) bool
	try = func(s []int64, used uint) bool {
		if used == 1<<len(spans)-1 {
			return true
		}
		for i, x := range spans {
			if used>>i&1 != 0 {
				continue
			}
			first := true // nothing that is left ended before x began
			for j, y := range spans {
				if used>>j&1 == 0 && i != j && y.to < x.from {
					first = false
				}
			}
			if !first {
				continue
			}
			if next, ok := (stackSpec{}).Step(s, x.op); ok && try(next, used|1<<i) {
				return true
			}
		}
		return false
	}
	return try(nil, 0)
}

// TestBrackets compares the search for an order with trying them all.
func TestBrackets(t *testing.T) {
	verdicts := map[check.Verdict]int{}
	for seed := range testsize.Samples(8000) {
		l := fake(rand.New(rand.NewPCG(seed, 0)))
		want := check.Violation
		if twin(t, l, false) {
			want = check.Linearizable
		}
		verdicts[want]++
		for _, spec := range []Spec[[]int64]{stackSpec{}, plainSpec{}} {
			r, err := Check(context.Background(), l, spec, Options{NoTriage: true})
			if err != nil || r.Verdict != want {
				t.Fatalf("seed %d, %T: %v, %v; want %s\n%s", seed, spec, r, err, want, dump(l))
			}
		}
	}
	if verdicts[check.Violation] < 20 || verdicts[check.Linearizable] < 20 {
		t.Errorf("one-sided: %v", verdicts)
	}
}

// TestPrefixes cuts logs off everywhere: no prefix of a log without a violation
// has one, and a violation stays one whatever follows.
func TestPrefixes(t *testing.T) {
	o := Options{NoTriage: true}
	for seed := range testsize.Samples(600) {
		l := fake(rand.New(rand.NewPCG(seed, 4)))
		whole, err := Check(context.Background(), l, stackSpec{}, o)
		if err != nil {
			t.Fatal(err)
		}
		for n := range tape.Of(l).Entries {
			part := *l
			tape.Of(&part).Entries = tape.Of(l).Entries[:n]
			r, err := Check(context.Background(), &part, stackSpec{}, o)
			if err != nil || r.Verdict == check.Violation && whole.Verdict != check.Violation {
				t.Fatalf("seed %d, %d entries: %v, %v; the whole: %v\n%s", seed, n, r, err, whole, dump(l))
			}
		}
	}
}

// TestCheckLinearizable compares the search along calls and returns with trying
// all orders.
func TestCheckLinearizable(t *testing.T) {
	verdicts := map[check.Verdict]int{}
	for seed := range testsize.Samples(3000) {
		l := fake(rand.New(rand.NewPCG(seed, 7)))
		want := check.Violation
		if twin(t, l, true) {
			want = check.Linearizable
		}
		verdicts[want]++
		for _, spec := range []Spec[[]int64]{stackSpec{}, plainSpec{}} {
			r, err := CheckLinearizable(context.Background(), l, spec, Options{})
			if err != nil || r.Verdict != want {
				t.Fatalf("seed %d, %T: %v, %v; want %s\n%s", seed, spec, r, err, want, dump(l))
			}
		}
	}
	if verdicts[check.Violation] < 20 || verdicts[check.Linearizable] < 20 {
		t.Errorf("one-sided: %v", verdicts)
	}
}

func dump(l *record.Log) string {
	var b strings.Builder
	tape.Of(l).Each(func(es []tape.Entry) error {
		e := &es[0]
		fmt.Fprintf(&b, "%d p%d %d %v\n", e.Seq, e.Proc, e.What(), appendValues(nil, es))
		return nil
	})
	return b.String()
}

// treiber is a lock-free stack. It is recorded with brackets around its
// compare-and-swap; its view is the list behind top.
type treiber struct {
	top                 atomic.Pointer[node]
	nodes               atomic.Int64
	push, pop           record.Method
	vTop, vValue, vNext record.Variable
}

type node struct {
	id, value int
	next      *node
}

func (s *treiber) doPush(h *record.Handle, v int) {
	h.Call(s.push, record.Int(v))
	n := &node{id: int(s.nodes.Add(1)), value: v}
	for {
		h.Begin()
		n.next = s.top.Load()
		if s.top.CompareAndSwap(n.next, n) {
			break
		}
	}
	h.WriteBlock(record.Write{Variable: s.vValue, Index: int64(n.id), Value: record.Int(v)}, record.Write{Variable: s.vNext, Index: int64(n.id), Value: record.Int(n.next.number())}, record.Write{Variable: s.vTop, Index: 0, Value: record.Int(n.id)})
	h.Commit()
	h.Return(record.None)
}

func (s *treiber) doPop(h *record.Handle) {
	h.Call(s.pop)
	for {
		h.Begin()
		n := s.top.Load()
		if n == nil {
			h.Commit()
			h.Return(record.Nil)
			return
		}
		if s.top.CompareAndSwap(n, n.next) {
			h.Write(s.vTop, 0, record.Int(n.next.number()))
			h.Commit()
			h.Return(record.Some, record.Int(n.value))
			return
		}
	}
}

func (n *node) number() int {
	if n == nil {
		return 0
	}
	return n.id
}

// treiberView walks the list. Places count from the bottom.
func treiberView(m *Memory, i int64, b *Bag) {
	if i != 0 {
		return // nodes do not change once top points to them
	}
	var values []record.Value
	for n := m.Get("top", 0).Int(); n != 0; n = m.Get("next", n).Int() {
		values = append(values, m.Get("value", n))
	}
	for k, v := range values {
		b.Add(1, record.Int(len(values)-1-k), v)
	}
}

func recordTreiber(rec *record.Recorder, workers, calls int) {
	s := &treiber{push: rec.Method("push"), pop: rec.Method("pop"),
		vTop: rec.Variable("top"), vValue: rec.Variable("value"), vNext: rec.Variable("next")}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			h := rec.Handle(fmt.Sprint("p", w))
			r := rand.New(rand.NewPCG(uint64(w), 3))
			for i := range calls {
				if r.IntN(2) == 0 {
					s.doPush(h, w*calls+i)
				} else {
					s.doPop(h)
				}
			}
		}()
	}
	wg.Wait()
}

// TestTreiber records a correct lock-free stack while goroutines contend for
// it: the commits' order in the log is not the order of the swaps, yet there is
// no alarm in any mode.
func TestTreiber(t *testing.T) {
	for round := range testsize.Samples(20) {
		rec := record.New(record.Options{})
		modes := []Options{{}, {View: treiberView}}
		w, err := Watch(rec, stackSpec{}, modes[round%2])
		if err != nil {
			t.Fatal(err)
		}
		recordTreiber(rec, 4, 300)
		if r, err := w.Stop(context.Background()); err != nil || r.Verdict != check.Linearizable {
			t.Fatalf("on line: %v, %v", r, err)
		}
		l, err := rec.Log()
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range modes {
			if r, err := Check(context.Background(), l, stackSpec{}, o); err != nil || r.Verdict != check.Linearizable || r.Commits != 1200 {
				t.Fatalf("view %t: %v, %v", o.View != nil, r, err)
			}
		}
	}
}
