package peer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// registers makes executions of a compare-and-swap register that holds nothing at
// first.
func registers(values int) historytest.Type {
	told := []history.Outcome{history.True, history.False}
	return historytest.Type{
		Name: "cas-register",
		Methods: []historytest.Method{
			{Name: "read", Outcomes: []history.Outcome{history.Some, history.Nil}},
			{Name: "write", Takes: values, Outcomes: []history.Outcome{history.None}},
			{Name: "cas", Takes: values, Also: 1, Outcomes: told},
		},
		Model: func(state string, l *history.Label) []historytest.Way {
			next, _ := casRegister{}.Step(content{state != "", history.Value(state)}, &history.Label{Kind: history.Kind{Method: l.Method}, Args: l.Args})
			way := historytest.Way{Outcome: history.None, Next: string(next.(content).value)}
			switch {
			case l.Method == "read" && state == "":
				way.Outcome = history.Nil
			case l.Method == "read":
				way.Outcome, way.Rets = history.Some, []history.Value{history.Value(state)}
			case l.Method == "cas":
				way.Outcome = told[1]
				if state == string(l.Args[0]) {
					way.Outcome = told[0]
				}
			}
			return []historytest.Way{way}
		},
	}
}

// stores makes executions of a store of so many keys.
func stores(keys int) historytest.Type {
	return historytest.Type{
		Name: "kv",
		Methods: []historytest.Method{
			{Name: "get", Takes: keys, Outcomes: []history.Outcome{history.Some}},
			{Name: "put", Takes: keys, Brings: true, Outcomes: []history.Outcome{history.None}},
		},
		Model: func(state string, l *history.Label) []historytest.Way {
			held, at := strings.Split(state, ","), 0
			fmt.Sscan(string(l.Args[0]), &at)
			for len(held) <= keys {
				held = append(held, "")
			}
			if l.Method == "get" {
				return []historytest.Way{{Outcome: history.Some, Rets: []history.Value{history.Value(held[at])}, Next: state}}
			}
			held[at] = string(l.Args[1])
			return []historytest.Way{{Outcome: history.None, Next: strings.Join(held, ",")}}
		},
	}
}

// longOps is how many operations the executions have whose time counts.
const longOps = 100_000

// spoil makes a read near the end answer what nobody wrote.
func spoil(e *history.Execution) {
	for i := len(e.Ops) * 9 / 10; ; i++ {
		if o := &e.Ops[i]; o.Outcome == history.Some {
			o.Rets = []history.Value{"never written"}
			return
		}
	}
}

// BenchmarkLong checks long executions of a compare-and-swap register and of a
// store of 16 keys, of 8 processes, next to Porcupine in the same run and with the
// same model, which says nothing of what changes nothing. Porcupine does not end
// in a minute where one read of the register is wrong.
func BenchmarkLong(b *testing.B) {
	for _, bm := range []struct {
		name  string
		model wgl.Model
		e     *history.Execution
		peer  bool
	}{
		{"register/10000", casRegister{}, long(registers(5), longOps/10, false), true},
		{"register", casRegister{}, long(registers(5), longOps, false), true},
		{"register/wrong", casRegister{}, long(registers(5), longOps, true), false},
		{"register/1000 values", casRegister{}, long(registers(1000), longOps, false), false},
		{"register/1000 values/wrong", casRegister{}, long(registers(1000), longOps, true), false},
		{"store", store{}, long(stores(16), longOps, false), true},
		{"store/wrong", store{}, long(stores(16), longOps, true), true},
	} {
		b.Run(bm.name, func(b *testing.B) {
			p, good := asPeer(bm.model), !strings.HasSuffix(bm.name, "wrong")
			beside(b, len(bm.e.Ops), bm.peer, func() {
				r, err := wgl.Check(b.Context(), bm.model, bm.e, wgl.Options{Partition: true})
				if err != nil || r.Linearizable != good {
					b.Fatal(r.Prefix, err)
				}
			}, func() {
				if porcupine.CheckOperations(p, operations(bm.e)) != good {
					b.Fatal("another verdict")
				}
			})
		})
	}
}

func long(s historytest.Type, ops int, wrong bool) *history.Execution {
	e := s.Execution(rand.New(rand.NewPCG(1, 41)), ops, 8, 0)
	if wrong {
		spoil(e)
	}
	return e
}

// TestSpeed compares processor time of the search and of Porcupine's, in one run
// and with the same model: other work on the machine does not count.
func TestSpeed(t *testing.T) {
	testsize.NeedsNightly(t, "compares times")
	for _, tt := range []struct {
		name  string
		model wgl.Model
		e     *history.Execution
		times float64
		runs  int // of Porcupine
	}{
		{"register", casRegister{}, long(registers(5), longOps, false), 5, 1},
		{"store", store{}, long(stores(16), longOps, false), 1.5, 3},
	} {
		p := asPeer(tt.model)
		ours := processorTime(3, func() {
			if r, err := wgl.Check(t.Context(), tt.model, tt.e, wgl.Options{Partition: true}); err != nil || !r.Linearizable {
				t.Fatal(r.Prefix, err)
			}
		})
		theirs := processorTime(tt.runs, func() {
			if !porcupine.CheckOperations(p, operations(tt.e)) {
				t.Fatal("another verdict")
			}
		})
		t.Logf("%s: %v, Porcupine %v, %.1f times", tt.name, ours, theirs, float64(theirs)/float64(ours))
		if float64(theirs) < tt.times*float64(ours) {
			t.Errorf("%s: %v, and Porcupine takes %v", tt.name, ours, theirs)
		}
	}
	e := long(registers(5), longOps, true)
	if r, err := wgl.Check(t.Context(), casRegister{}, e, wgl.Options{}); err != nil || r.Linearizable {
		t.Errorf("a wrong read: %v, %v", r.Prefix, err)
	}
}

// processorTime is the least of n times that f takes, with the collector as users have it: tests
// collect less often (package testsize), and Porcupine makes more garbage.
func processorTime(n int, f func()) time.Duration {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	least := time.Duration(math.MaxInt64)
	for range n {
		runtime.GC()
		var before, after syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &before)
		f()
		syscall.Getrusage(syscall.RUSAGE_SELF, &after)
		least = min(least, time.Duration(after.Utime.Nano()+after.Stime.Nano()-before.Utime.Nano()-before.Stime.Nano()))
	}
	return least
}
