package wgl_test

import (
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/check/wgl"
	"github.com/adtinfer/adtinfer/history"
)

// pick is a bag from which remove takes any value: a pending one may take each.
type pick struct{}

type bagState [4]int8 // how often each value is there

func (b bagState) Equal(t wgl.State) bool { return b == t.(bagState) }

func (b bagState) Hash() uint64 {
	return uint64(b[0]) + 3*uint64(b[1]) + 9*uint64(b[2]) + 27*uint64(b[3])
}

func (pick) Init() wgl.State { return bagState{} }

func (pick) Step(s wgl.State, l *history.Label) (wgl.State, bool) {
	b := s.(bagState)
	if l.Method == "add" {
		b[l.Args[0][0]-'1']++
		return b, true
	}
	v := l.Rets[0][0] - '1'
	b[v]--
	return b, b[v] >= 0
}

func (p pick) Branches(s wgl.State, l *history.Label) (all []wgl.State) {
	if l.Method == "add" {
		next, _ := p.Step(s, l)
		return []wgl.State{next}
	}
	for v, n := range s.(bagState) {
		if n > 0 {
			b := s.(bagState)
			b[v]--
			all = append(all, b)
		}
	}
	return all
}

// pickAndLook also asks whether the bag holds nothing, to make removals matter.
type pickAndLook struct{ pick }

func (p pickAndLook) Step(s wgl.State, l *history.Label) (wgl.State, bool) {
	if l.Method == "empty" {
		return s, (s.(bagState) == bagState{}) == (l.Outcome == history.True)
	}
	return p.pick.Step(s, l)
}

func (p pickAndLook) Branches(s wgl.State, l *history.Label) []wgl.State {
	if l.Method == "empty" {
		return []wgl.State{s}
	}
	return p.pick.Branches(s, l)
}

// anyOrder tries all orders and all branches.
func anyOrder(m wgl.Brancher, e *history.Execution, s wgl.State, taken int) bool {
	missing := false
	for i := range e.Ops {
		missing = missing || taken>>i&1 == 0 && e.Ops[i].Completed()
	}
	if !missing {
		return true
	}
	for i := range e.Ops {
		ready := taken>>i&1 == 0
		for j := range e.Ops {
			ready = ready && (taken>>j&1 == 1 || !e.Before(j, i))
		}
		if !ready {
			continue
		}
		var after []wgl.State
		if !e.Ops[i].Completed() {
			after = m.Branches(s, &e.Ops[i].Label)
		} else if next, ok := m.Step(s, &e.Ops[i].Label); ok {
			after = []wgl.State{next}
		}
		for _, next := range after {
			if anyOrder(m, e, next, taken|1<<i) {
				return true
			}
		}
	}
	return false
}

func TestBrancher(t *testing.T) {
	var m wgl.Brancher = pickAndLook{}
	bad := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 6))
		e := &history.Execution{}
		value := func() []history.Value { return []history.Value{history.Value('1' + rune(r.IntN(3)))} }
		var running []int
		for range 4 + r.IntN(9) {
			if len(running) > 2 || len(running) > 0 && r.IntN(2) == 0 {
				k := r.IntN(len(running))
				o := &e.Ops[running[k]]
				running = append(running[:k], running[k+1:]...)
				switch o.Method {
				case "add":
					o.Outcome = history.None
				case "remove":
					if r.IntN(2) == 0 {
						continue // for good
					}
					o.Outcome, o.Rets = history.Some, value()
				case "empty":
					o.Outcome = []history.Outcome{history.True, history.False}[r.IntN(2)]
				}
				o.Return = e.Events
			} else {
				o := history.Operation{Call: e.Events, Return: history.NoReturn}
				if o.Method = []string{"add", "add", "remove", "empty"}[r.IntN(4)]; o.Method == "add" {
					o.Args = value()
				}
				running = append(running, len(e.Ops))
				e.Ops = append(e.Ops, o)
			}
			e.Events++
		}
		want := anyOrder(m, e, m.Init(), 0)
		got, err := wgl.Check(t.Context(), m, e, wgl.Options{LRU: int(seed % 3)})
		if err != nil || got.Linearizable != want {
			t.Fatalf("seed %d: %+v, %v; want %v\n%s", seed, got, err, want, text(e))
		}
		if !want {
			bad++
			if !anyOrder(m, e.Prefix(got.Prefix-1), m.Init(), 0) || anyOrder(m, e.Prefix(got.Prefix), m.Init(), 0) {
				t.Fatalf("seed %d: %d is not the shortest prefix\n%s", seed, got.Prefix, text(e))
			}
		}
	}
	if bad < 300 || bad > 2700 {
		t.Errorf("too one-sided a sample: %d of 3000 violate", bad)
	}
}
