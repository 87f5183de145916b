package main

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
)

// TestSimulate: executions of simulated types are admitted, and violations are found in
// most of those that answer what they must not.
func TestSimulate(t *testing.T) {
	for _, s := range simulations() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			w := sweep{simulated: s}
			if err := w.open("../..", "auto"); err != nil {
				t.Fatal(err)
			}
			violations := 0
			const tries = 8
			for seed := range uint64(tries) {
				for _, kind := range []struct{ lost, bad bool }{{}, {lost: true}, {bad: true}} {
					e := simulate(s, rand.New(rand.NewPCG(seed, 1)), 90, 3, kind.lost, kind.bad)
					r, err := w.checker.Check(t.Context(), e)
					switch {
					case err != nil:
						t.Fatalf("seed %d, %+v: %v", seed, kind, err)
					case r.Verdict == check.Violation && !kind.bad:
						t.Errorf("seed %d, %+v: %+v", seed, kind, r)
					case r.Verdict == check.Violation:
						violations++
					}
				}
			}
			if violations == 0 {
				t.Errorf("no violation in %d executions with a wrong answer", tries)
			}
		})
	}
}

// TestEnds: executions that nobody decides are given up when their time is over.
func TestEnds(t *testing.T) {
	for _, s := range simulations() {
		ops := map[string]int{"stack": 10_000, "deque": 1_000, "cas register": 20_000}[s.name]
		if ops == 0 {
			continue
		}
		w := sweep{simulated: s, limit: 300 * time.Millisecond}
		if err := w.open("../..", "auto"); err != nil {
			t.Fatal(err)
		}
		e := simulate(s, rand.New(rand.NewPCG(7, 32)), ops, 32, true, false)
		start := time.Now()
		r, err := w.checker.Check(t.Context(), e)
		if took := time.Since(start); err != nil || took > w.limit+2*time.Second {
			t.Errorf("%s: %v, %v after %v", s.name, r.Verdict, err, took)
		}
	}
}
