package batch

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// BenchmarkDecide is the check itself, on columns: of one execution after the
// other, and of the first one in a process, which finds no memory ready.
func BenchmarkDecide(b *testing.B) {
	all := allModels()
	for i := range all {
		m := &all[i]
		if m.name == "stack with peeks" || m.name == "steal" {
			continue // quadratic
		}
		for _, n := range []int{10_000, 100_000, 1_000_000, 10_000_000} {
			b.Run(fmt.Sprintf("%s/%d", m.name, n), func(b *testing.B) {
				c := m.log(n, 0)
				cold := best(1, func() { m.new().Decide(c, c.Events) })
				p := m.new()
				if a, w := p.Decide(c, c.Events); a != Linearizable {
					b.Fatal(a, w)
				}
				warm := best(5, func() { p.Decide(c, c.Events) })
				for b.Loop() {
					p.Decide(c, c.Events)
				}
				b.ReportMetric(float64(cold)/1e6, "cold-ms")
				b.ReportMetric(float64(warm)/1e6, "best-ms")
			})
		}
	}
}

// BenchmarkOrder makes linearizations of 1,000,000 operations, in units of one
// decision; of a tenth as many, of a type that is often empty, where decisions
// are not near-linear.
func BenchmarkOrder(b *testing.B) {
	all := allModels()
	for i := range all {
		m := &all[i]
		b.Run(m.name, func(b *testing.B) {
			c, p := (*Columns)(nil), m.new()
			if m.name == "stack with peeks" || m.name == "steal" {
				c = m.emptied(100_000)
			} else {
				c = m.log(1_000_000, 0)
			}
			plain := best(3, func() {
				if a, _ := p.Decide(c, c.Events); a != Linearizable {
					b.Skip("not decided")
				}
			})
			order := best(3, func() {
				a := NewLinearizer(c)
				p.Linearize(a)
				if len(a.List()) != len(c.Call) {
					b.Fatal("operations are missing")
				}
			})
			for b.Loop() {
				p.Linearize(NewLinearizer(c))
			}
			b.ReportMetric(float64(order)/float64(plain), "plain-checks")
			b.ReportMetric(float64(order)/1e6, "best-ms")
		})
	}
}

// best is the shortest time that something took.
func best(n int, f func()) time.Duration {
	least := time.Hour
	for range n {
		start := time.Now()
		f()
		least = min(least, time.Since(start))
	}
	return least
}

// BenchmarkShortest finds the shortest violating prefix of 1,000,000
// operations, in units of one decision of as many that are all right.
func BenchmarkShortest(b *testing.B) {
	for i := range models {
		m := &models[i]
		b.Run(m.name, func(b *testing.B) {
			good, c := m.log(1_000_000, 0), m.log(1_000_000, 0.67)
			p := m.new()
			plain := best(5, func() { p.Decide(good, good.Events) })
			a, w := p.Decide(c, c.Events)
			if a != Violating {
				b.Fatal("not a violation")
			}
			var n int32
			find := func() {
				a, w = p.Decide(c, c.Events)
				n, _, _, _ = Shortest(context.Background(), p, c, c.Events, a, w)
			}
			all := best(3, find)
			for b.Loop() {
				find()
			}
			b.ReportMetric(float64(all)/float64(plain), "plain-checks")
			b.ReportMetric(float64(all)/1e6, "best-ms")
			b.ReportMetric(float64(n)/float64(c.Events), "share")
		})
	}
}
