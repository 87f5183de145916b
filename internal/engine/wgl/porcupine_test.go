package wgl_test

import (
	"hash/maphash"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/historytest"
)

// peer is a queue, or a stack, as a Porcupine user would write it: states are
// values joined by commas, inputs and outputs labels.
func peer(stack bool) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return "" },
		Step: func(state, input, output any) (bool, any) {
			s, in, out := state.(string), input.(*history.Label), output.(*history.Label)
			if in.Method == "add" {
				return true, s + string(in.Args[0]) + ","
			}
			if s == "" {
				return out.Outcome == history.Pending || out.Outcome == history.Nil, s
			}
			held := strings.Split(strings.TrimSuffix(s, ","), ",")
			taken, rest := held[0], s[len(held[0])+1:]
			if stack {
				taken = held[len(held)-1]
				rest = s[:len(s)-len(taken)-1]
			}
			return out.Outcome == history.Pending || slices.Equal(out.Rets, []history.Value{history.Value(taken)}), rest
		},
		Equal: func(a, b any) bool { return a == b },
		Hash:  func(s any) uint64 { return maphash.String(hashSeed, s.(string)) },
	}
}

var hashSeed = maphash.MakeSeed()

func porcupineSays(m porcupine.Model, e *history.Execution) porcupine.CheckResult {
	var ops []porcupine.Operation
	for i := range e.Ops {
		o := &e.Ops[i]
		op := porcupine.Operation{Input: &o.Label, Call: int64(o.Call), Output: &o.Label, Return: int64(o.Return)}
		if !o.Completed() { // it returns last, with any answer
			op.Return = int64(e.Events)
		}
		ops = append(ops, op)
	}
	return porcupine.CheckOperationsTimeout(m, ops, 3*time.Second)
}

// TestAgainstPorcupine compares with Porcupine, of the built-in models and of
// Porcupine's own model taken over, on executions too long to try everything.
func TestAgainstPorcupine(t *testing.T) {
	for _, s := range []historytest.Type{historytest.Queue(), historytest.Stack().Reusing(2)} {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			pm, own := peer(s.Name == "stack"), builtin(t, s)
			taken := &wgl.Funcs{Initial: pm.Init, Steps: pm.Step, Equals: pm.Equal, Hashes: pm.Hash}
			slow := &wgl.Funcs{Initial: pm.Init, Steps: pm.Step}
			bad := 0
			for seed := range uint64(150) {
				r := rand.New(rand.NewPCG(seed, 4))
				e := s.Execution(r, 10+r.IntN(20), 2+r.IntN(3), 20)
				want := porcupineSays(pm, e)
				if want == porcupine.Unknown {
					continue
				}
				first, err := wgl.Check(t.Context(), own, e, wgl.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if first.Linearizable != (want == porcupine.Ok) {
					t.Fatalf("seed %d: %+v, Porcupine says %s\n%s", seed, first, want, historytest.Text(e))
				}
				if n := first.Prefix; n > 0 {
					bad++
					if porcupineSays(pm, e.Prefix(n)) == porcupine.Ok || porcupineSays(pm, e.Prefix(n-1)) == porcupine.Illegal {
						t.Fatalf("seed %d: Porcupine does not say that %d is the shortest prefix\n%s", seed, n, historytest.Text(e))
					}
				}
				models := []wgl.Model{taken, slow}
				if len(e.Ops) > 16 {
					models = models[:1] // without a hash each state is compared with all
				}
				for _, m := range models {
					again, err := wgl.Check(t.Context(), m, e, wgl.Options{})
					if diff := cmp.Diff(first, again); err != nil || diff != "" {
						t.Fatalf("seed %d: %v, -built-in +taken over\n%s", seed, err, diff)
					}
				}
			}
			if bad < 25 || bad > 125 {
				t.Errorf("too one-sided a sample: %d of 150 violate", bad)
			}
		})
	}
}
