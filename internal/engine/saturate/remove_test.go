package saturate_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/saturate"
	"github.com/adtinfer/adtinfer/internal/historytest"
)

// events is an execution as the steps of a log.
func events(e *history.Execution) []step {
	log := make([]step, e.Events)
	for i := range e.Ops {
		o := &e.Ops[i]
		log[o.Call] = step{op: i, call: true, method: o.Method, args: o.Args}
		if o.Completed() {
			log[o.Return] = step{op: i, outcome: o.Outcome, rets: o.Rets}
		}
	}
	return log
}

// passing is a set of which values are inserted once, looked up, and removed, all the time;
// and values are looked for that are not inserted.
func passing() historytest.Type {
	t := historytest.Set()
	var values []int // not removed yet, perhaps
	t.Draw = func(r *rand.Rand, e *history.Execution) history.Label {
		n := len(e.Ops) + 1
		l := history.Label{Kind: history.Kind{Method: "insert"}, Args: []history.Value{history.Value(strconv.Itoa(n))}}
		switch m := r.IntN(8); {
		case m == 0 || len(values) == 0:
			values = append(values, n)
			return l
		case m == 1:
			l.Method = "contains"
			return l
		case m < 5:
			l.Method = "contains"
			l.Args[0] = history.Value(strconv.Itoa(values[r.IntN(len(values))]))
		default:
			i := r.IntN(len(values))
			l.Method = "remove"
			l.Args[0] = history.Value(strconv.Itoa(values[i]))
			if e.Ops[values[i]-1].Completed() && r.IntN(2) == 0 {
				values = append(values[:i], values[i+1:]...)
			}
		}
		return l
	}
	return t
}

// TestLiveTypes sees to it that what is held does not grow with the log where matches
// never close by themselves.
func TestLiveTypes(t *testing.T) {
	for _, tt := range []struct {
		path string
		historytest.Type
	}{
		{"examples/register/register", historytest.Register()}, {"theories/register", historytest.Register()},
		{"examples/set/set", passing()}, {"theories/lock", historytest.Lock()}, {"examples/lock/lock", historytest.Lock()},
	} {
		t.Run(tt.path, func(t *testing.T) {
			rules, err := clauses.Compile(historytest.Theory(t, tt.path+".theory.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			log := events(tt.Execution(rand.New(rand.NewPCG(1, 2)), 30_000, 8, 0))
			live := feed(t, saturate.New(rules, saturate.Options{Removal: true}), log)
			t.Logf("%d of %d events", live, len(log))
			if live > 400 {
				t.Errorf("%d operations are held of %d events", live, len(log))
			}
		})
	}
}

// BenchmarkRemoval is what types take whose matches are overwritten, or stay open to
// operations that find nothing.
func BenchmarkRemoval(b *testing.B) {
	for _, tt := range []struct {
		path string
		historytest.Type
	}{{"examples/register/register", historytest.Register()}, {"examples/set/set", passing()}} {
		rules, err := clauses.Compile(historytest.Theory(b, tt.path+".theory.yaml"))
		if err != nil {
			b.Fatal(err)
		}
		for _, ops := range []int{3_000, 30_000} {
			b.Run(fmt.Sprintf("%s/%d", tt.Name, ops), func(b *testing.B) {
				log := events(tt.Execution(rand.New(rand.NewPCG(1, 2)), ops, 8, 0))
				live, n := 0, 0
				for b.Loop() {
					live = feed(b, saturate.New(rules, saturate.Options{Removal: true}), log)
					n += len(log)
				}
				b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
				b.ReportMetric(float64(live), "live")
			})
		}
	}
}
