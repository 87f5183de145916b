package main

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// TestModels compares the models with adtinfer's, on random executions.
func TestModels(t *testing.T) {
	for name, kind := range map[string]historytest.Type{
		"queue": historytest.Queue(), "stack": historytest.Stack(), "register": historytest.Register(), "set": historytest.Set(),
	} {
		m, err := wgl.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		said := map[string]int{}
		for seed := range uint64(100) {
			e := kind.Execution(rand.New(rand.NewPCG(seed, 3)), 8, 3, 20)
			want, err := wgl.Check(t.Context(), m, e, wgl.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			if err := history.WriteJSON(&log, e); err != nil {
				t.Fatal(err)
			}
			got, err := run([]string{name, "10s"}, &log)
			if err != nil {
				t.Fatal(err)
			}
			said[got.Verdict]++
			if good := got.Verdict == "linearizable"; good != want.Linearizable {
				t.Errorf("%s, seed %d: %s, and adtinfer says %t\n%s", name, seed, got.Verdict, want.Linearizable, e)
			}
		}
		if said["linearizable"] < 10 || said["violation"] < 10 {
			t.Errorf("%s: %v", name, said)
		}
	}
}

// TestCAS: the register that compares begins with 0.
func TestCAS(t *testing.T) {
	for log, want := range map[string]string{
		"[1] call load\n[1] return 0\n[2] call compareAndSwap(0, 1)\n[2] return true\n[3] call load\n[3] return 1\n": "linearizable",
		"[1] call load\n[1] return 1\n":                                                             "violation",
		"[1] call compareAndSwap(1, 2)\n[1] return true\n":                                          "violation",
		"[1] call store(1)\n[1] return\n[2] call compareAndSwap(0, 2)\n[2] return false\n":          "linearizable",
		"[1] call compareAndSwap(0, 2)\n[2] call load\n[2] return 2\n[3] call load\n[3] return 0\n": "violation",
	} {
		got, err := run([]string{"cas-register(0)", "10s"}, bytes.NewBufferString(log))
		if err != nil || got.Verdict != want {
			t.Errorf("%s%v, %v; want %s", log, got, err, want)
		}
	}
}
