package monitor_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
)

// fastest is the shortest of three times.
func fastest(f func()) time.Duration {
	least := time.Hour
	for range 3 {
		start := time.Now()
		f()
		least = min(least, time.Since(start))
	}
	return least
}

// BenchmarkLinearize makes linearizations of executions of queues, in units of
// one check.
func BenchmarkLinearize(b *testing.B) {
	m, e := selected(b, example(b, "queue")).Selected, monitor.Long(1_000_000)
	var l *monitor.Linearization
	check := fastest(func() {
		if r, err := m.Check(b.Context(), e); err != nil || !r.Linearizable {
			b.Fatal(r, err)
		}
	})
	linearize := fastest(func() {
		var err error
		if l, err = m.Linearize(b.Context(), e); err != nil || len(l.Order) != len(e.Ops) {
			b.Fatal(err)
		}
	})
	for b.Loop() {
		if _, err := m.Linearize(b.Context(), e); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(linearize)/float64(check), "checks")
	b.ReportMetric(float64(check)/1e6, "check-ms")
}

// BenchmarkPorcupine compares the check with Porcupine's, at sizes that one can
// finish.
func BenchmarkPorcupine(b *testing.B) {
	m := selected(b, example(b, "queue")).Selected
	for _, n := range []int{20, 30, 40} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			e := monitor.Long(n)
			var ops []porcupine.Operation
			for i := range e.Ops {
				o := &e.Ops[i]
				ops = append(ops, porcupine.Operation{Input: o, Call: int64(o.Call), Output: o, Return: int64(o.Return)})
			}
			mine := fastest(func() { m.Check(b.Context(), e) })
			start := time.Now()
			verdict := porcupine.CheckOperationsTimeout(queueModel, ops, 10*time.Second)
			theirs := time.Since(start)
			for b.Loop() {
				m.Check(b.Context(), e)
			}
			if verdict == porcupine.Unknown {
				b.Log("Porcupine came to no end in 10 s")
			}
			b.ReportMetric(float64(theirs)/float64(mine), "times-faster")
			b.ReportMetric(float64(theirs)/1e6, "porcupine-ms")
		})
	}
}

// queueModel is a queue for Porcupine: the values in order, each with a comma.
var queueModel = porcupine.Model{
	Init: func() any { return "" },
	Step: func(state, _, output any) (bool, any) {
		s, o := state.(string), output.(*history.Operation)
		switch {
		case o.Method == "add":
			return true, s + string(o.Args[0]) + ","
		case o.Outcome == history.Nil:
			return s == "", s
		}
		front := string(o.Rets[0]) + ","
		if len(s) < len(front) || s[:len(front)] != front {
			return false, s
		}
		return true, s[len(front):]
	},
}
