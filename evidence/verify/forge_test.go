package verify_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

// TestAttackLinearizations: forged orders, of logs with violations above all,
// whatever the values are called, are accepted if they are linearizations in
// every detail, and only then.
func TestAttackLinearizations(t *testing.T) {
	for _, v := range victims(t) {
		t.Run(v.Name, func(t *testing.T) {
			th := v.theory
			if th == nil {
				th = historytest.Example(t, "queue") // whose derivations play no part here
			}
			impl, counts := implementation(t, v.spec), map[bool]int{}
			admits := func(ctx context.Context, labels []history.Label) (int, error) {
				return live.Admits(ctx, impl, labels)
			}
			for seed := range uint64(attempts(300)) {
				r := rand.New(rand.NewPCG(seed/8, 7))
				e := v.execution(r, 3*r.IntN(2))
				if v.theory == nil {
					numbers(e, r)
				} else if r.IntN(3) > 0 {
					rename(e, r)
				}
				order := forged(e, rand.New(rand.NewPCG(seed, 8)))
				ev := &evidence.Evidence{Theory: th.Name, Log: evidence.Digest(e), Order: order}
				err := verify.Check(t.Context(), th, e, ev, admits)
				want := v.linearization(e, order)
				if errors.As(err, new(*live.Unfit)) {
					continue // refused
				}
				if err != nil && !errors.As(err, new(*verify.Wrong)) {
					t.Fatalf("%v\n%+v\n%s", err, order, historytest.Text(e))
				}
				if (err == nil) != want {
					t.Fatalf("a linearization is %v, and the verifier says %v\n%+v\n%s", want, err, order, historytest.Text(e))
				}
				counts[want]++
			}
			t.Log(counts)
			if len(counts) < 2 {
				t.Error("one-sided")
			}
		})
	}
}

// numbers puts other integers in place of the values, in another order.
func numbers(e *history.Execution, r *rand.Rand) {
	all := []int{-3_000_000_000, -7, -1, 0, 1, 2, 5, 1 << 20, 4_000_000_000}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for i := range e.Ops {
		for _, vs := range []*[]history.Value{&e.Ops[i].Args, &e.Ops[i].Rets} {
			*vs = slices.Clone(*vs)
			for k, v := range *vs {
				n, _ := strconv.Atoi(string(v))
				(*vs)[k] = history.Value(strconv.Itoa(all[n]))
			}
		}
	}
}

// forged is an order of the operations that mostly respects real time, perhaps
// with one left out or twice, and pending ones with answers from the log.
func forged(e *history.Execution, r *rand.Rand) (order []evidence.Taken) {
	values := []history.Value{"1", "alice"}
	left := make([]int, len(e.Ops))
	for i := range e.Ops {
		left[i] = i
		values = append(append(values, e.Ops[i].Args...), e.Ops[i].Rets...)
	}
	for len(left) > 0 {
		k := 0
		for k+1 < len(left) && r.IntN(3) == 0 {
			k++
		}
		for j := 0; j < len(left); j++ {
			if e.Before(left[j], left[k]) && r.IntN(40) > 0 {
				k, j = j, -1
			}
		}
		o := &e.Ops[left[k]]
		left = slices.Delete(left, k, k+1)
		taken := evidence.Taken{Op: o.ID}
		if !o.Completed() {
			if r.IntN(2) == 0 {
				continue
			}
			taken.Outcome = []history.Outcome{history.None, history.Some, history.Nil, history.True, history.False}[r.IntN(5)]
			if taken.Outcome == history.Some {
				taken.Rets = []history.Value{values[r.IntN(len(values))]}
			}
		}
		if r.IntN(60) > 0 {
			order = append(order, taken)
		}
		if r.IntN(60) == 0 {
			order = append(order, taken)
		}
	}
	return order
}

// linearization says the slow way whether an order is one: each pair of
// operations is compared, and the model is run.
func (v *victim) linearization(e *history.Execution, order []evidence.Taken) bool {
	at := map[string]int{}
	var labels []history.Label
	for i, taken := range order {
		k := slices.IndexFunc(e.Ops, func(o history.Operation) bool { return o.ID == taken.Op })
		if _, twice := at[taken.Op]; twice || k < 0 {
			return false
		}
		at[taken.Op] = i
		l := e.Ops[k].Label
		if !e.Ops[k].Completed() {
			l.Outcome, l.Rets = taken.Outcome, taken.Rets
		}
		labels = append(labels, l)
	}
	for i := range e.Ops {
		a, taken := at[e.Ops[i].ID]
		if e.Ops[i].Completed() && !taken {
			return false
		}
		for j := range e.Ops {
			if b, both := at[e.Ops[j].ID]; taken && both && e.Before(i, j) && a > b {
				return false
			}
		}
	}
	return v.Model.AdmitsAll(labels)
}

// TestAttackTheories: a wrong theory is refused because of the reference, or does
// no harm: no violation of a linearizable log is accepted with it.
func TestAttackTheories(t *testing.T) {
	all := victims(t)
	refused, tried := 0, 0
	for _, v := range all {
		if v.theory == nil {
			continue
		}
		impl, mutants := implementation(t, v.spec), max(attempts(20)/10, 1)
		for seed := range uint64(mutants) {
			r := rand.New(rand.NewPCG(seed, 11))
			th := wrong(v.theory, all, r)
			tried++
			err := verify.Compare(t.Context(), th, impl)
			if errors.As(err, new(*verify.Difference)) {
				refused++
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				a := newAttacker(t, th, v.linearizable(r), r)
				a.attack(40)
			}
		}
	}
	if refused < tried/3 {
		t.Errorf("only %d of %d wrong theories were refused", refused, tried)
	}
}

// wrong is a theory with something changed: a rule of the language, a pattern, the
// matching, or all of another type's with the same methods.
func wrong(of *theory.Theory, all []victim, r *rand.Rand) *theory.Theory {
	th := *of
	s := &th.Spec
	s.Patterns = slices.Clone(s.Patterns)
	p := &s.Patterns[r.IntN(len(s.Patterns))]
	switch r.IntN(5) {
	case 0:
		s.Language = slices.Delete(slices.Clone(s.Language), 0, 1)
	case 1: // another order
		p.History.Ops = slices.Clone(p.History.Ops)
		swap(&p.History, r)
	case 2:
		*p = s.Patterns[r.IntN(len(s.Patterns))]
	case 3:
		s.Matching.Target = slices.Delete(slices.Clone(s.Matching.Target), 0, 1)
	case 4:
		other := all[r.IntN(2)].theory // the queue's, the stack's
		if len(s.Methods) == len(other.Spec.Methods) && s.Methods[0].Name == other.Spec.Methods[0].Name {
			s.Patterns = slices.Clone(other.Spec.Patterns)
		} else {
			s.Matching.ReadOnly = formula.Const(r.IntN(2) == 0)
		}
	}
	return &th
}

// swap lets two operations of a pattern change places.
func swap(h *history.History, r *rand.Rand) {
	a, b := &h.Ops[r.IntN(len(h.Ops))], &h.Ops[r.IntN(len(h.Ops))]
	a.Start, a.End, b.Start, b.End = b.Start, b.End, a.Start, a.End
}
