package observers

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/linear"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

var _ linear.Observer = (*Running)(nil)

// callsOf is all calls of a theory's operations with three values, and all answers; arguments that
// have to be fresh have six values.
func callsOf(t *testing.T, th *theory.Theory, a *spec.Answers) (*spec.List, map[string][]int32) {
	t.Helper()
	l := &spec.List{Methods: th.Spec.Methods, Most: 6}
	var names []string
	for _, m := range th.Spec.Methods {
		names = append(names, m.Name)
	}
	var err error
	if l.Fresh, err = spec.Fresh(th, nil, names); err != nil {
		t.Fatal(err)
	}
	answers := map[string][]int32{}
	texts := func(prefix []history.Value, n, most int) (all [][]history.Value) {
		all = [][]history.Value{prefix}
		for range n {
			var longer [][]history.Value
			for _, own := range all {
				for k := range most {
					longer = append(longer, append(own[:len(own):len(own)], history.Value(strconv.Itoa(k+1))))
				}
			}
			all = longer
		}
		return all
	}
	for _, m := range th.Spec.Methods {
		most := 3
		if _, ok := l.Fresh[m.Name]; ok {
			most = 6
		}
		for _, args := range texts(nil, m.Args, most) {
			l.Labels = append(l.Labels, history.Label{Kind: history.Kind{Method: m.Name}, Args: args})
		}
		for _, out := range m.Outcomes {
			for _, rets := range texts(nil, out.Rets, 4) {
				answers[m.Name] = append(answers[m.Name], a.Number(spec.Answer{Outcome: out.Outcome, Rets: rets}))
			}
		}
	}
	return l, answers
}

// TestRunning compares with the observer that a specification is, operation by operation.
func TestRunning(t *testing.T) {
	for _, file := range []string{"examples/queue/queue.theory.yaml", "examples/stack/stack.theory.yaml", "examples/verified/set/set.theory.yaml", "examples/register/register.theory.yaml", "examples/kv/kv.theory.yaml"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			s, th := from(t, file)
			a := spec.NewAnswers()
			list, answers := callsOf(t, th, a)
			of, err := spec.Of(t.Context(), th, list, a)
			if err != nil {
				t.Fatal(err)
			}
			want := linear.OfSpec(of)
			got, err := s.Over(list, a)
			if err != nil {
				t.Fatal(err)
			}
			refused, texts := 0, map[string]bool{}
			for seed := uint64(0); seed < testsize.Samples(2000); seed++ {
				r := rand.New(rand.NewPCG(seed, 5))
				x, y := got.Start(), want.Start()
				used := map[int]bool{}
				for range 6 {
					call := r.IntN(len(list.Labels))
					l := list.Labels[call]
					if _, fresh := list.Fresh[l.Method]; fresh && used[call] {
						continue
					}
					used[call] = true
					answer := answers[l.Method][r.IntN(len(answers[l.Method]))]
					if moves, err := of.Moves(0, int32(call)); err == nil && len(moves) == 1 && r.IntN(2) == 0 {
						answer = moves[0].Answer
					}
					next, ok, err := got.Step(x, int32(call), answer)
					if errors.Is(err, machine.ErrAgain) {
						seed-- // with a value that was not known
						break
					}
					other, wants, err2 := want.Step(y, int32(call), answer)
					if errors.Is(err2, machine.ErrAgain) {
						seed--
						break
					}
					if err != nil || err2 != nil || ok != wants {
						t.Fatalf("seed %d: %s: after %s: %v answers %v: %v, want %v (%v, %v)", seed, th.Name, got.Text(x), l, a.Answer(answer), ok, wants, err, err2)
					}
					if !ok {
						refused++
						break
					}
					x, y = next, other
					texts[got.Text(x)] = true
				}
			}
			t.Logf("%d refused, %d states, %d texts", refused, len(got.states), len(texts))
			if refused == 0 || len(texts) < 2 || strings.Contains(got.Text(1), "?") {
				t.Errorf("%d refused, %v", refused, texts)
			}
		})
	}
}
