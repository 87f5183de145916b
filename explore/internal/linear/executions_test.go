package linear_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/linear"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// follow runs the events of an execution through sets, and is the number of events of
// the first prefix that is not linearizable, or 0.
func follow(t *testing.T, e *history.Execution, list *spec.List, a *spec.Answers, makes func() (spec.Spec, error)) int {
	t.Helper()
	s, err := makes()
	if err != nil {
		t.Fatal(err)
	}
	for {
		sets := linear.New(s, linear.MostThreads)
		n, err := through(e, sets, list, a)
		if err == nil {
			return n
		}
		if err != machine.ErrAgain {
			historytest.Fatal(t, e, "%v", err)
		}
	}
}

// through is one run of follow.
func through(e *history.Execution, sets *linear.Sets, list *spec.List, a *spec.Answers) (int, error) {
	set, runs, thread := sets.Start(), [linear.MostThreads]bool{}, map[int]int{}
	for event := range e.Events {
		for i := range e.Ops {
			var err error
			switch o := &e.Ops[i]; event {
			case o.Call:
				call := slices.IndexFunc(list.Labels, func(l history.Label) bool { return l.Method == o.Method && slices.Equal(l.Args, o.Args) })
				thread[i] = slices.Index(runs[:], false)
				runs[thread[i]] = true
				set, err = sets.Call(set, thread[i], int32(call))
			case o.Return:
				runs[thread[i]] = false
				set, err = sets.Return(set, thread[i], a.Number(spec.Answer{Outcome: o.Outcome, Rets: o.Rets}))
			}
			if err != nil {
				return 0, err
			}
			if set == linear.None {
				return event + 1, nil
			}
		}
	}
	return 0, nil
}

// listOf is the calls of an execution. Those of fresh methods have one argument, which
// is new each time.
func listOf(e *history.Execution, methods []history.MethodSig, fresh map[string]int) *spec.List {
	l := &spec.List{Methods: methods, Most: len(e.Ops), Fresh: fresh}
	for i := range e.Ops {
		o := &e.Ops[i]
		if !slices.ContainsFunc(l.Labels, func(l history.Label) bool { return l.Method == o.Method && slices.Equal(l.Args, o.Args) }) {
			l.Labels = append(l.Labels, history.Label{Kind: history.Kind{Method: o.Method}, Args: o.Args})
		}
	}
	return l
}

// TestExecutions compares with a search that tries all linearizations: random
// executions, with operations that never return.
func TestExecutions(t *testing.T) {
	type subject struct {
		historytest.Type
		methods []history.MethodSig
		makes   func(*spec.List, *spec.Answers) (spec.Spec, error)
		theory  *theory.Theory
	}
	var all []subject
	for _, d := range historytest.ByAutomata() {
		all = append(all, subject{d.Type, d.Theory.Spec.Methods, nil, d.Theory})
	}
	for _, s := range historytest.Subjects() {
		if s.Keyed {
			continue // it inserts values again, of which its formulas say nothing
		}
		th := s.Theory(t)
		all = append(all, subject{s.Type, th.Spec.Methods, nil, th})
	}
	for _, typ := range []historytest.Type{historytest.Bag(), historytest.Queue(), historytest.Set()} {
		typ = typ.Reusing(2)
		all = append(all, subject{Type: typ, methods: wgl.Methods(typ.Name), makes: func(l *spec.List, a *spec.Answers) (spec.Spec, error) { return spec.Model(typ.Name, l, a) }})
	}
	violations := 0
	for seed := range testsize.Samples(3000) {
		r := rand.New(rand.NewPCG(seed, 12))
		s := all[r.IntN(len(all))]
		if s.Lost = 0; r.IntN(2) == 0 {
			s.Lost = 3
		}
		e := s.Execution(r, 2+r.IntN(4), 1+r.IntN(3), r.IntN(4))
		a := spec.NewAnswers()
		var fresh map[string]int
		if s.theory != nil {
			var names []string
			for _, m := range s.methods {
				names = append(names, m.Name)
			}
			var err error
			if fresh, err = spec.Fresh(s.theory, nil, names); err != nil {
				t.Fatal(err)
			}
		}
		list := listOf(e, s.methods, fresh)
		got := follow(t, e, list, a, func() (spec.Spec, error) {
			if s.theory != nil {
				return spec.Of(t.Context(), s.theory, list, a)
			}
			return s.makes(list, a)
		})
		if want := s.Model.ShortestViolation(e); got != want {
			historytest.Fatal(t, e, "seed %d, %s: %d, not %d", seed, s.Name, got, want)
		} else if want > 0 {
			violations++
		}
	}
	if violations < 20 {
		t.Error(fmt.Sprint("few violations: ", violations))
	}
}
