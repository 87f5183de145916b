package table_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history/foreign/table"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestLincheckCells: what cells of Lincheck's tables mean, in its older form and its newer one.
func TestLincheckCells(t *testing.T) {
	for src, want := range map[string]string{
		"= Invalid execution results =\n| --- |\n| Thread 1 | Thread 2 |\n| --- |\n| put(a, 1): void | get(a): null |\n| --- |\n| size(): 1 |   |\n| --- |\n---\nAll operations\n": `1 call put ["a" "1"] 1|2 call get ["a"] 2|1 return [] 1|2 return ["null"] 2|3 call size [] 1|3 return ["1"] 1`,
		"Init part:\n[put(1, [2]): true, all(): [1, 2]]\nParallel part:\n| pop(): IllegalStateException | pop(): 5 [1,-] |\n":                                                      `1 call put ["1" "[2]"] 1|1 return ["true"] 1|2 call all [] 1|2 return ["[1, 2]"] 1|3 call pop [] 1|3 return ["error: IllegalStateException"] 1|4 call pop [] 2|4 return ["5"] 2`,
	} {
		got, err := read(t, src, "")
		if diff := cmp.Diff(strings.Split(want, "|"), got); err != nil || diff != "" {
			t.Errorf("%v\n%s\n%s", err, src, diff)
		}
	}
}

// TestLincheckOrder: from what operations saw when they began, the order of their intervals comes back.
func TestLincheckOrder(t *testing.T) {
	for seed := range testsize.Samples(4000) {
		r := rand.New(rand.NewPCG(seed, 70))
		threads := 1 + r.IntN(3)
		running, done := make([]int, threads), make([]int, threads) // by thread: its operation or -1, how many completed
		for i := range running {
			running[i] = -1
		}
		columns := make([][]string, threads)
		var names []string
		var calls, returns []int
		for at := range 4 + r.IntN(20) {
			p := r.IntN(threads)
			if running[p] >= 0 {
				returns[running[p]] = at
				done[p]++
				running[p] = -1
				continue
			}
			running[p] = len(calls)
			name := fmt.Sprintf("m%dx%d", p, len(columns[p]))
			var clock []string
			for _, n := range done {
				if clock = append(clock, fmt.Sprint(n)); n == 0 {
					clock[len(clock)-1] = "-"
				}
			}
			columns[p] = append(columns[p], fmt.Sprintf("%s(): 1 [%s]", name, strings.Join(clock, ",")))
			names, calls, returns = append(names, name), append(calls, at), append(returns, 1000)
		}
		var b strings.Builder
		b.WriteString("= Invalid execution results =\nParallel part:\n")
		for row := range 12 {
			for _, c := range columns {
				text := ""
				if row < len(c) {
					text = c[row]
				}
				fmt.Fprintf(&b, "| %s ", text)
			}
			b.WriteString("|\n")
		}
		events, err := table.Read(b.String(), "x.txt", nil)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, b.String())
		}
		called, returned := map[string]int{}, map[string]int{}
		id := map[string]string{}
		for at, x := range events {
			if x.Call {
				id[x.Op] = x.Method
				called[x.Method] = at
			} else {
				returned[id[x.Op]] = at
			}
		}
		for i := range names {
			for j := range names {
				if want, got := returns[i] < calls[j], returned[names[i]] < called[names[j]]; want != got {
					t.Fatalf("seed %d: %s before %s: %v, want %v\n%s\n%v", seed, names[i], names[j], got, want, b.String(), slices.Collect(slices.Values(events)))
				}
			}
		}
	}
}
