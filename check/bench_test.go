package check_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/history"
)

// corpus is a fixed set of executions; about one in three violates.
func corpus(s *subject, n, ops, processes, mutate int) (all []*history.Execution) {
	for seed := range uint64(n) {
		all = append(all, s.Execution(rand.New(rand.NewPCG(seed, 11)), ops, processes, mutate))
	}
	return all
}

func bench(b *testing.B, s *subject, all []*history.Execution) {
	th := build(b, s.source)
	n := 0
	for b.Loop() {
		for _, e := range all {
			if _, err := (by{Engine: "symbolic"}).Check(b.Context(), th, e); err != nil {
				b.Fatal(err)
			}
		}
		n += len(all)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "logs/s")
}

// BenchmarkCheckSymbolic checks logs of ten operations by three processes.
func BenchmarkCheckSymbolic(b *testing.B) {
	for i := range subjects[:4] {
		s := &subjects[i]
		b.Run(s.name, func(b *testing.B) { bench(b, s, corpus(s, 100, 10, 3, 20)) })
	}
}

// BenchmarkCheckSymbolicLength is the curve over lengths, four processes.
func BenchmarkCheckSymbolicLength(b *testing.B) {
	for i := range subjects[:2] {
		for _, ops := range []int{10, 30, 100, 300, 1000} {
			s := &subjects[i]
			b.Run(fmt.Sprintf("%s/%d", s.name, ops), func(b *testing.B) { bench(b, s, corpus(s, 10, ops, 4, 2*ops)) })
		}
	}
}
