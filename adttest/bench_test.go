package adttest

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkRound runs a scenario of ten calls on three goroutines, records it,
// and checks what is new.
func BenchmarkRound(b *testing.B) {
	c, err := Config{New: newPlain, Theory: queueTheory}.withDefaults(environment{})
	if err != nil {
		b.Fatal(err)
	}
	th, err := readTheory(c.Theory)
	if err != nil {
		b.Fatal(err)
	}
	s, err := newSubject(&c, inferred{theory: th})
	if err != nil {
		b.Fatal(err)
	}
	sc := Scenario{
		Before:  []Call{Do("Add", 1), Do("Add", 2)},
		Threads: [][]Call{{Do("Remove"), Do("Add", 3)}, {Do("Remove"), Do("Remove")}, {Do("Add", 4), Do("Remove")}},
		After:   []Call{Do("Remove"), Do("Remove")},
	}
	rng := rand.New(rand.NewPCG(1, 1))
	j, err := newJudge(s, "", nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	rounds := 0
	for b.Loop() {
		batch, err := newBatch(b.Context(), s, sc, c.Repeat, c.Stall, rng)
		if err != nil {
			b.Fatal(err)
		}
		executions, _, err := batch.run()
		if err != nil {
			b.Fatal(err)
		}
		j.forget()
		for _, e := range executions {
			if v, err := j.judge(b.Context(), e); v != holds || err != nil {
				b.Fatal(v, err)
			}
			rounds++
		}
	}
	b.ReportMetric(float64(rounds)/b.Elapsed().Seconds(), "rounds/s")
	b.ReportMetric(float64(j.histories)/float64(rounds), "distinct/round")
}
