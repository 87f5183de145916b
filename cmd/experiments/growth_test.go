package main

import (
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
)

// promised reads from docs/engines.md by which factor the time that an operation takes
// may grow where executions become eight times as long, by type.
func promised(t *testing.T) map[string]float64 {
	t.Helper()
	text, err := os.ReadFile("../../docs/engines.md")
	if err != nil {
		t.Fatal(err)
	}
	factors := map[string]float64{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([a-z ]+) \| ([0-9.]+) \|`).FindAllSubmatch(text, -1) {
		factors[string(row[1])], _ = strconv.ParseFloat(string(row[2]), 64)
	}
	return factors
}

// TestGrowth: the time of an operation grows no more than is promised, for good
// and for violating executions.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	factors := promised(t)
	if len(factors) < 10 {
		t.Fatalf("promises for %d types only", len(factors))
	}
	found := 0
	for _, s := range simulations() {
		most, ok := factors[s.name]
		if !ok {
			continue
		}
		found++
		w := sweep{simulated: s, limit: time.Minute}
		if err := w.open("../..", "auto"); err != nil {
			t.Fatal(err)
		}
		for _, processes := range []int{2, 8, 32} {
			for _, bad := range []bool{false, true} {
				var small, large time.Duration
				for range 4 { // another program may have had the processor
					small, large = w.least(t, 4_000, processes, bad), w.least(t, 32_000, processes, bad)
					if float64(large) <= most*float64(small) {
						break
					}
				}
				if float64(large) > most*float64(small) {
					t.Errorf("%s, %d processes, wrong: %v: 32,000 operations take %v in one execution, and %v in eight; the factor should be at most %v",
						s.name, processes, bad, large, small, most)
				}
			}
		}
	}
	if found != len(factors) {
		t.Errorf("%d of %d types with a promise were looked at", found, len(factors))
	}
}

// least is the least time, of some runs, that 32,000 operations take in executions of so
// many.
func (w *sweep) least(t *testing.T, ops, processes int, bad bool) time.Duration {
	t.Helper()
	e := simulate(w.simulated, rand.New(rand.NewPCG(uint64(ops), uint64(processes))), ops, processes, false, bad)
	least := time.Duration(1<<63 - 1)
	for range 8 {
		start := time.Now()
		for range 32_000 / ops {
			if r, err := w.checker.Check(t.Context(), e); err != nil || r.Verdict != check.Linearizable && (!bad || r.Verdict != check.Violation) {
				t.Fatalf("%s: %+v, %v", w.name, r, err)
			}
		}
		least = min(least, time.Since(start))
	}
	return least
}
