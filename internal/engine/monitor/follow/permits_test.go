package follow

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestPermits compares what follows a semaphore with the shortest violating prefix, of
// executions whose operations take effect in some order, with or without a permit.
func TestPermits(t *testing.T) {
	none := func(did batch.Role) []batch.Outcome {
		return []batch.Outcome{{Outcome: history.None, Role: did, FromArg: true, Unique: did == batch.Add}}
	}
	reader := &batch.Reader{Methods: map[string]*batch.Method{
		"acquire": {Args: 1, Open: batch.MaybeAdd, Unique: true, Outcomes: none(batch.Add)},
		"release": {Args: 1, Open: batch.MaybeRemove, Outcomes: none(batch.Remove)},
	}}
	r := rand.New(rand.NewPCG(5, 5))
	total, counts := int(testsize.Samples(100_000)), map[string]int{}
	for range total {
		limit := 1 + r.IntN(3)
		e := acquires(r, 3+r.IntN(20), limit, 2+r.IntN(7))
		c, err := reader.Read(e)
		if err != nil {
			t.Fatal(err)
		}
		p, want := &batch.Permits{Limit: int32(limit)}, int32(0)
		a, w := p.Decide(c, c.Events)
		if a == batch.Violating {
			want, _, _, _ = batch.Shortest(t.Context(), p, c, c.Events, a, w)
		}
		s := New(reader, NewPermits(limit), &batch.OutsideClass{Reason: "unclear"})
		ok, _, err := follow(s, e)
		got, _ := s.Prefix()
		switch {
		case err != nil: // two removes of a value ran at the same time
			counts["unclear"]++
		case ok != (a == batch.Linearizable) || got != int(want):
			t.Fatalf("%v after %d events (%s), the whole: %v after %d\n%s", ok, got, s.Reason(), a, want, e)
		case ok:
			counts["linearizable"]++
		default:
			counts["violating"]++
		}
	}
	if t.Log(counts); counts["unclear"] > total/10 || min(counts["linearizable"], counts["violating"]) < total/5 {
		t.Errorf("too one-sided a sample: %v", counts)
	}
}

// acquires makes an execution in which a release is mostly of a ticket that is held.
func acquires(r *rand.Rand, ops, limit, processes int) *history.Execution {
	e := &history.Execution{}
	running, done := make([]int, processes), make([]bool, ops)
	var held, given []history.Value
	wrong := []int{1000, 8, 30}[r.IntN(3)]
	for range 8 * ops {
		p := r.IntN(processes)
		i := running[p] - 1
		switch {
		case i < 0 && len(e.Ops) == ops:
		case i < 0:
			o := history.Operation{ID: strconv.Itoa(len(e.Ops)), Call: e.Events, Return: history.NoReturn}
			o.Kind = history.Kind{Method: "acquire", Outcome: history.Pending}
			o.Args = []history.Value{history.Value(o.ID)}
			if len(given) > 0 && r.IntN(2) == 0 {
				k := r.IntN(len(given))
				o.Method, o.Args = "release", []history.Value{given[k]}
				if r.IntN(wrong) > 0 {
					given = slices.Delete(given, k, k+1)
				}
			} else {
				given = append(given, o.Args[0])
			}
			e.Ops, running[p] = append(e.Ops, o), len(e.Ops)+1
			e.Events++
		case !done[i]:
			o := &e.Ops[i]
			k := slices.Index(held, o.Args[0])
			switch {
			case o.Method == "acquire" && len(held) < limit:
				held, done[i] = append(held, o.Args[0]), true
			case o.Method == "release" && k >= 0:
				held, done[i] = slices.Delete(held, k, k+1), true
			default:
				done[i] = r.IntN(wrong) == 0
			}
		default:
			e.Ops[i].Return, e.Ops[i].Outcome, running[p] = e.Events, history.None, 0
			e.Events++
		}
	}
	return e
}
