package foreign_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/foreign"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/internal/testsize"
)

// TestRandomEDN: a random execution, written as Jepsen would with all that comes with it, has the
// verdict of the execution itself; where a nil read says nothing, a good one stays good.
func TestRandomEDN(t *testing.T) {
	for _, typ := range []historytest.Type{historytest.Register(), historytest.Queue(), historytest.Stack(), historytest.Set()} {
		t.Run(typ.Name, func(t *testing.T) {
			t.Parallel()
			th := historytest.Example(t, typ.Name)
			methods, err := th.Signature(nil)
			if err != nil {
				t.Fatal(err)
			}
			c, err := check.New(th, check.Options{})
			if err != nil {
				t.Fatal(err)
			}
			counts := map[check.Verdict]int{}
			for seed := range testsize.Samples(2000) {
				r := rand.New(rand.NewPCG(seed, 3))
				e := typ.Execution(r, 2+r.IntN(8), 1+r.IntN(4), 4*r.IntN(2))
				want, err := c.Check(t.Context(), e)
				if err != nil {
					continue // outside the language
				}
				w := ednWriter{Rand: r}
				w.all(e)
				for _, o := range []foreign.Options{{Format: foreign.Jepsen, NilIsUnset: true}, {NilIsUnset: true}, {}} {
					got, err := foreign.New(strings.NewReader(w.text()), "x.edn", o, methods).Execution(methods)
					if err != nil {
						t.Fatalf("seed %d: %v\n%s", seed, err, w.text())
					}
					res, err := c.Check(t.Context(), got)
					if o.NilIsUnset && (err != nil || res.Verdict != want.Verdict) || want.Verdict == check.Linearizable && res.Verdict == check.Violation {
						t.Fatalf("seed %d, %+v: %v, %v; the execution itself: %v\n%s\n%s\nread as\n%s", seed, o, res, err, want, historytest.Text(e), w.text(), historytest.Text(got))
					}
				}
				counts[want.Verdict]++
			}
			if n := int(testsize.Samples(2000)) / 20; counts[check.Violation] < n || counts[check.Linearizable] < n {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}

// ednWriter writes executions in the way of Jepsen.
type ednWriter struct {
	*rand.Rand
	records []string
	time    int
}

func (w *ednWriter) add(format string, args ...any) {
	w.time += 1 + w.IntN(9)
	fields := append(strings.Split(fmt.Sprintf(format, args...), ", "), fmt.Sprintf(":time %d", w.time), fmt.Sprintf(":index %d", len(w.records)), `:node "n1"`)
	w.Shuffle(len(fields)-1, func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	w.records = append(w.records, "{"+strings.Join(fields, []string{", ", " ", "\n "}[w.IntN(3)])+"}")
}

// all writes an execution, and between its events what is none of the data type's: faults, and
// operations that failed.
func (w *ednWriter) all(e *history.Execution) {
	at := make([]int, e.Events) // i for a call, ^i for a return
	for i := range e.Ops {
		at[e.Ops[i].Call] = i
		if o := &e.Ops[i]; o.Completed() {
			at[o.Return] = ^i
		}
	}
	failing := ""
	for _, i := range at {
		switch w.IntN(8) {
		case 0:
			w.add(":process :nemesis, :type :info, :f :kill, :value [:n1 :n2]")
		case 1:
			if failing == "" {
				failing = fmt.Sprintf(":process 99, :f :%s, :value %s", e.Ops[0].Method, valueOf(e.Ops[0].Args))
				w.add("%s, :type :invoke", failing)
			} else {
				w.add("%s, :type :fail, :error :timeout", failing)
				failing = ""
			}
		}
		if i >= 0 {
			w.add(":process %d, :type :invoke, :f :%s, :value %s", i, e.Ops[i].Method, valueOf(e.Ops[i].Args))
			continue
		}
		o := &e.Ops[^i]
		value := valueOf(o.Args)
		if o.Outcome == history.Some || o.Outcome == history.Nil {
			value = valueOf(o.Rets)
		}
		w.add(":process %d, :type :ok, :f :%s, :value %s", ^i, o.Method, value)
	}
	if failing != "" {
		w.add("%s, :type :fail", failing)
	}
	for i := range e.Ops {
		if o := &e.Ops[i]; !o.Completed() && w.IntN(2) == 0 {
			w.add(":process %d, :type :info, :f :%s, :value %s, :error :indeterminate", i, o.Method, valueOf(o.Args))
		}
	}
	if w.IntN(2) == 0 { // they are sorted by time
		w.Shuffle(len(w.records), func(i, j int) { w.records[i], w.records[j] = w.records[j], w.records[i] })
	}
}

func valueOf(vs []history.Value) string {
	if len(vs) == 0 {
		return "nil"
	}
	return string(vs[0])
}

func (w *ednWriter) text() string {
	all := strings.Join(w.records, "\n")
	if len(w.records)%2 == 0 {
		return "; a history\n[" + all + "]\n"
	}
	return all + "\n"
}
