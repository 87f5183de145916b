package saturate_test

import (
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/saturate"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// follow gives the events of an execution to a saturation and returns how many
// there were when it found a violation, 0 if it found none. Ok is false if the
// execution is outside the language.
func follow(t *testing.T, rules *clauses.Rules, s *saturate.Saturation, e *history.Execution) (prefix int, ok bool) {
	t.Helper()
	inside := sort.Search(e.Events, func(n int) bool { return rules.Validate(e.Prefix(n+1)) != nil })
	at := make([]int, e.Events) // operation by event: i where i is called, ^i where it returns
	for i := range e.Ops {
		at[e.Ops[i].Call] = i
		if e.Ops[i].Completed() {
			at[e.Ops[i].Return] = ^i
		}
	}
	ops := make([]saturate.Op, len(e.Ops))
	var err error
	for n, i := range at {
		if n == inside {
			return 0, false
		}
		if i >= 0 {
			ops[i], err = s.Call(e.Ops[i].Method, e.Ops[i].Args)
		} else {
			_, err = s.Return(ops[^i], e.Ops[^i].Outcome, e.Ops[^i].Rets)
		}
		if err != nil {
			historytest.Fatal(t, e, "%v", err)
		}
		if v := s.Violation(); v != nil {
			return v.Prefix, true
		}
	}
	return 0, true
}

// TestTypes compares what is found, with and without removal and probing, with a
// search over the data type at every prefix: there is no false alarm, hardly
// anything is missed or found late, and removal makes no difference.
func TestTypes(t *testing.T) {
	n := testsize.Samples(4_000)
	options := []saturate.Options{{}, {Removal: true}, {Probe: true}, {Removal: true, Probe: true}}
	for _, s := range historytest.Subjects() {
		t.Run(s.Path, func(t *testing.T) {
			rules, err := clauses.Compile(s.Theory(t))
			if err != nil {
				t.Fatal(err)
			}
			violating, missed, late := 0, make([]int, len(options)), make([]int, len(options))
		executions:
			for seed := range n {
				e := s.Random(rand.New(rand.NewPCG(seed, 7)), 8)
				want := -1
				for i, o := range options {
					got, ok := follow(t, rules, saturate.New(rules, o), e)
					if !ok {
						continue executions
					}
					if want < 0 {
						if want = s.Model.ShortestViolation(e); want > 0 {
							violating++
						}
					}
					switch {
					case got > 0 && (want == 0 || got < want):
						historytest.Fatal(t, e, "seed %d, %+v: a false alarm after %d events, the model says %d", seed, o, got, want)
					case got == 0 && want > 0:
						missed[i]++
					case got > want:
						late[i]++
					}
				}
			}
			t.Logf("%d violating; missed %v, late %v", violating, missed, late)
			if violating < int(n)/10 {
				t.Errorf("%d violations are too few", violating)
			}
			for i, o := range options {
				few := violating / 50
				if o.Probe {
					few = violating / 200
				}
				if missed[i] > few || late[i] > few+2 || i%2 == 1 && (missed[i] != missed[i-1] || late[i] != late[i-1]) {
					t.Errorf("%+v: missed %v and late %v of %d", o, missed, late, violating)
				}
			}
		})
	}
}

// TestRemovalLong: removal and series, of which short executions have little, make
// no difference on longer ones, right or with answers that are wrong. What is found
// earlier is a violation by then; hardly anything is found later.
func TestRemovalLong(t *testing.T) {
	testsize.NeedsLong(t)
	n := testsize.Samples(8_000)
	for _, s := range append(historytest.Subjects(), historytest.Subject{Path: "examples/set/set", Type: passing()}) {
		t.Run(s.Path, func(t *testing.T) {
			rules, err := clauses.Compile(s.Theory(t))
			if err != nil {
				t.Fatal(err)
			}
			violating, sooner, later := 0, 0, 0
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 11))
				s.Lost = 30 * r.IntN(2)
				e := s.Execution(r, 10+r.IntN(51), 1+r.IntN(5), r.IntN(2)*20)
				want, ok := follow(t, rules, saturate.New(rules, saturate.Options{}), e)
				if !ok {
					continue
				}
				if want > 0 {
					violating++
				}
				some := saturate.New(rules, saturate.Options{Removal: true})
				got, ok := follow(t, rules, some, e)
				switch {
				case !ok:
					historytest.Fatal(t, e, "seed %d: with removal it is outside the language", seed)
				case got > 0 && (want == 0 || got < want):
					sooner++
					if exact := s.Model.ShortestViolation(e); exact == 0 || got < exact {
						historytest.Fatal(t, e, "seed %d: with removal %d, without %d, the model says %d", seed, got, want, exact)
					}
				case got != want:
					later++
				}
				if events := some.Events(); want == 0 && events != e.Events {
					t.Fatalf("%d events, want %d", events, e.Events)
				}
			}
			t.Logf("%d violating; with removal %d sooner, %d later or not", violating, sooner, later)
			if violating == 0 || later > violating/1_000 {
				t.Errorf("%d violations, %d found later with removal, or not", violating, later)
			}
		})
	}
}

// TestHolds: a call may belong to what is held as long as that is not forgotten.
func TestHolds(t *testing.T) {
	s := start(t, container(t, false), saturate.Options{Removal: true})
	for _, step := range []struct {
		events string
		want   bool
	}{{"+a add 1", true}, {"+a add 1; -a", true}, {"+a add 1; -a; +b remove; -b 1", false}} {
		s = start(t, container(t, false), saturate.Options{Removal: true})
		if err := play(s, step.events); err != nil {
			t.Fatal(err)
		}
		if got := s.Holds("add", []history.Value{"1"}); got != step.want {
			t.Errorf("%s: %v", step.events, got)
		}
	}
	if s.Holds("ad", nil) {
		t.Error("an unknown method is held")
	}
}
