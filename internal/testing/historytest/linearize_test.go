package historytest_test

import (
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

func types() []historytest.Type {
	return append(historytest.Examples(), historytest.Worksteal(), historytest.PlainSet(), historytest.Semaphore(), historytest.Bag(),
		historytest.PriorityQueue(), historytest.Queue().Reusing(2))
}

// queues are sessions of a queue whose verdicts are plain to see.
var queues = []struct {
	name  string
	lines []string
	want  int // the shortest violation
}{
	{"nothing", nil, 0},
	{"in order", []string{"[1] call add(1)", "[1] return", "[2] call remove", "[2] return 1"}, 0},
	{"from nowhere", []string{"[1] call add(1)", "[1] return", "[2] call remove", "[2] return 2", "[3] call remove"}, 4},
	{"seen while pending", []string{"[1] call add(1)", "[2] call remove", "[2] return 1"}, 0},
	{"taken by a pending remove", []string{"[1] call add(1)", "[1] return", "[2] call remove", "[3] call remove", "[3] return -"}, 0},
	{"not by one that comes later", []string{"[1] call add(1)", "[1] return", "[3] call remove", "[3] return -", "[2] call remove"}, 4},
	{"out of order", []string{"[1] call add(1)", "[1] return", "[2] call add(2)", "[2] return", "[3] call remove", "[3] return 2"}, 6},
	{"either order", []string{"[1] call add(1)", "[2] call add(2)", "[1] return", "[2] return", "[3] call remove", "[3] return 2"}, 0},
}

func TestShortestViolation(t *testing.T) {
	th := historytest.Example(t, "queue")
	for _, tt := range queues {
		t.Run(tt.name, func(t *testing.T) {
			if got := historytest.Queue().Model.ShortestViolation(historytest.Log(t, th, tt.lines...)); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

// linearizes tries all ways to go on, with nothing remembered and nothing
// computed before.
func linearizes(m historytest.Model, e *history.Execution, state string, done map[int]bool) bool {
	missing := false
	for i := range e.Ops {
		missing = missing || !done[i] && e.Ops[i].Completed()
	}
	if !missing {
		return true
	}
	for i := range e.Ops {
		ready := !done[i]
		for j := range e.Ops {
			ready = ready && (done[j] || !e.Before(j, i))
		}
		if !ready {
			continue
		}
		for _, w := range m(state, &e.Ops[i].Label) {
			if e.Ops[i].Completed() && !w.Gives(&e.Ops[i].Label) {
				continue
			}
			done[i] = true
			found := linearizes(m, e, w.Next, done)
			if delete(done, i); found {
				return true
			}
		}
	}
	return false
}

// TestExecution: executions are well formed, linearizable if no answer was
// replaced, and the search with a memory finds what the one without does.
func TestExecution(t *testing.T) {
	for _, s := range types() {
		for _, s.Lost = range []int{0, 4} {
			t.Run(s.Name, func(t *testing.T) {
				verdicts := map[bool]int{}
				for seed := range uint64(400) {
					r := rand.New(rand.NewPCG(seed, 1))
					spoil := int(seed%2) * 3
					e := s.Execution(r, 2+r.IntN(5), 1+r.IntN(4), spoil)
					wellFormed(t, e)
					got := s.Model.Linearizable(e)
					if verdicts[got]++; got != linearizes(s.Model, e, "", map[int]bool{}) {
						t.Fatalf("seed %d: %v\n%s", seed, got, historytest.Text(e))
					}
					if !got && spoil == 0 && s.Name != "semaphore" { // where calls that ought to wait may return
						t.Fatalf("seed %d: not linearizable\n%s", seed, historytest.Text(e))
					}
				}
				if verdicts[true] < 100 || verdicts[false] < 15 {
					t.Errorf("too one-sided a sample: %v", verdicts)
				}
			})
		}
	}
}

func wellFormed(t *testing.T, e *history.Execution) {
	t.Helper()
	seen := make([]int, e.Events)
	for i := range e.Ops {
		o := &e.Ops[i]
		seen[o.Call]++
		if o.Completed() {
			seen[o.Return]++
		}
		if o.Completed() && o.Return < o.Call || o.Completed() == (o.Outcome == history.Pending) {
			t.Fatalf("operation %s: %+v", o.ID, o)
		}
	}
	for at, n := range seen {
		if n != 1 {
			t.Fatalf("%d events at %d\n%s", n, at, historytest.Text(e))
		}
	}
}

// TestAdmits: sequences are admitted exactly if they are linearizable as
// executions without overlap.
func TestAdmits(t *testing.T) {
	for _, s := range historytest.Examples() {
		for seed := range uint64(300) {
			r := rand.New(rand.NewPCG(seed, 2))
			e := s.Execution(r, 6, 1, 4)
			var labels []history.Label
			for i := range e.Ops {
				if e.Ops[i].Completed() {
					labels = append(labels, e.Ops[i].Label)
				}
			}
			if got, want := s.Model.AdmitsAll(labels), s.Model.Linearizable(history.Sequential(labels...)); got != want {
				t.Errorf("%s: %v: admitted %v, linearizable %v", s.Name, labels, got, want)
			}
		}
	}
}

// TestMethods: the methods are those of the theories of the examples.
func TestMethods(t *testing.T) {
	for _, s := range append(historytest.Examples(), historytest.Worksteal()) {
		th := historytest.Example(t, s.Name)
		if len(th.Spec.Methods) != len(s.Methods) {
			t.Errorf("%s: %d methods, the theory has %d", s.Name, len(s.Methods), len(th.Spec.Methods))
		}
		for _, m := range s.Methods {
			if at := methodNamed(th, m.Name); at == nil || (at.Args == 0) != (m.Takes == 0) || len(at.Outcomes) != len(m.Outcomes) {
				t.Errorf("%s: %+v, the theory has %+v", s.Name, m, at)
			}
		}
	}
}

func methodNamed(t *theory.Theory, name string) *history.MethodSig {
	for i := range t.Spec.Methods {
		if t.Spec.Methods[i].Name == name {
			return &t.Spec.Methods[i]
		}
	}
	return nil
}
