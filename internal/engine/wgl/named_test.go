package wgl_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// TestForTheory: of the built-in models exactly those of its type agree with a
// theory, a queue being a worksteal of one method, and a deque of two ends; a mismatch is an execution that one admits and the other does not.
func TestForTheory(t *testing.T) {
	for path, agree := range map[string][]string{
		"theories/queue": {"queue", "worksteal", "deque"}, "theories/stack": {"stack", "deque"}, "theories/set": {"set"}, "theories/lock": {"lock"}, "theories/register": {"register", "cas-register"},
		"theories/bag":           {"bag", "priority-queue", "min-priority-queue"}, // no value comes before another
		"theories/priorityqueue": {"priority-queue"}, "examples/worksteal/worksteal": {"worksteal"}, "examples/queue/queue": {"queue", "worksteal", "deque"},
	} {
		t.Run(path, func(t *testing.T) {
			th, says := historytest.Theory(t, path+".theory.yaml"), false
			for _, name := range wgl.Builtins() {
				m, err := wgl.ForTheory(t.Context(), th, name)
				want := false
				for _, a := range agree {
					want = want || a == name
				}
				switch wrong := (*wgl.Mismatch)(nil); {
				case want && (err != nil || m == nil):
					t.Errorf("%s: %v", name, err)
				case want:
				case !errors.As(err, &wrong):
					t.Errorf("%s: %v, want a mismatch", name, err)
				default:
					says = says || strings.Contains(err.Error(), "admits")
					admitted, inside, err := th.Sequences().Admits(t.Context(), wrong.Execution)
					if err != nil || inside && admitted == wrong.Model {
						t.Errorf("%s: %v, and the theory says %v, %v, %v", name, wrong, admitted, inside, err)
					}
				}
			}
			if !says {
				t.Error("no mismatch says who admits what")
			}
		})
	}
}

// TestForTheoryErrors: what is no matter of names is said at once.
func TestForTheoryErrors(t *testing.T) {
	queue := historytest.Theory(t, "theories/queue.theory.yaml")
	if _, err := wgl.ForTheory(t.Context(), queue, "quue"); err == nil || !strings.Contains(err.Error(), `did you mean "queue"`) {
		t.Errorf("a misspelt model: %v", err)
	}
	if _, err := wgl.ForTheory(t.Context(), historytest.Theory(t, "theories/exchanger.theory.yaml"), "queue"); err == nil || errors.As(err, new(*wgl.Mismatch)) {
		t.Errorf("a theory of width 2: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := wgl.ForTheory(ctx, queue, "queue"); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if wgl.Methods("quue") != nil {
		t.Error("methods of no model")
	}
	for _, name := range wgl.Builtins() {
		if _, err := wgl.Builtin(name); err != nil || len(wgl.Methods(name)) == 0 {
			t.Errorf("%s has no model, or no methods: %v", name, err)
		}
	}
}

// TestOtherNames: a model is found whatever a theory calls its methods, and
// decides as under its own.
func TestOtherNames(t *testing.T) {
	words := regexp.MustCompile(`\b[a-z]+\b`)
	for _, s := range append(historytest.Examples(), historytest.Worksteal()) {
		t.Run(s.Name, func(t *testing.T) {
			names := map[string]string{}
			for _, m := range s.Methods {
				names[m.Name] = "op" + strings.ToUpper(m.Name[:1]) + m.Name[1:] // in the same order
			}
			text := words.ReplaceAllStringFunc(historytest.Source(t, "examples/"+s.Name+"/"+s.Name+".theory.yaml"), func(word string) string {
				if other, ok := names[word]; ok {
					return other
				}
				return word
			})
			th, err := theory.Read(strings.NewReader(text), "renamed.yaml")
			if err != nil {
				t.Fatal(err)
			}
			m, err := wgl.ForTheory(t.Context(), th, s.Name)
			if err != nil {
				t.Fatal(err)
			}
			violations := 0
			for seed := range testsize.Samples(200) {
				e := s.Execution(rand.New(rand.NewPCG(seed, 5)), 6, 3, 4)
				want := s.Model.ShortestViolation(e)
				for i := range e.Ops {
					e.Ops[i].Method = names[e.Ops[i].Method]
				}
				got, err := wgl.Check(t.Context(), m, e, wgl.Options{})
				if err != nil || got.Prefix != want || got.Linearizable != (want == 0) {
					historytest.Fatal(t, e, "seed %d: got %+v, %v, the model says %d", seed, got, err, want)
				}
				if want > 0 {
					violations++
				}
			}
			if violations == 0 {
				t.Error("no violations")
			}
		})
	}
}

// deep is a queue that forgets its first value when it holds four.
type deep struct{ wgl.Model }

func (d deep) Step(s wgl.State, l *history.Label) (wgl.State, bool) {
	next, ok := d.Model.Step(s, l)
	if !ok || l.Method != "add" {
		return next, ok
	}
	three, empty := next, &history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Pending}}
	for range 3 {
		three, _ = d.Model.Step(three, empty)
	}
	if !three.Equal(d.Init()) {
		next, _ = d.Model.Step(next, empty)
	}
	return next, true
}

// forgetful is a set whose insert calls itself read-only.
type forgetful struct{ wgl.Model }

func (forgetful) ReadOnly(l *history.Label) bool { return l.Method == "insert" }

// TestVerify: a model that differs after four operations, and one that is wrong
// about what changes nothing, are noticed.
func TestVerify(t *testing.T) {
	queue, _ := wgl.Builtin("queue")
	var wrong *wgl.Mismatch
	if err := wgl.Verify(t.Context(), historytest.Example(t, "queue"), deep{queue}); !errors.As(err, &wrong) || len(wrong.Execution) < 5 {
		t.Errorf("a queue of three: %v", err)
	}
	set, _ := wgl.Builtin("set")
	if err := wgl.Verify(t.Context(), historytest.Example(t, "set"), forgetful{set}); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("a forgetful set: %v", err)
	}
}

// TestFuncs: a model made of functions, with and without hashes, decides as the
// data type does.
func TestFuncs(t *testing.T) {
	s := historytest.Register()
	n, violations := testsize.Samples(1_000), 0
	register := wgl.Funcs{
		Initial: func() any { return history.Value("") },
		Steps: func(state, in, out any) (bool, any) {
			call, answer := in.(*history.Label), out.(*history.Label)
			switch {
			case call.Method == "write":
				return true, call.Args[0]
			case answer.Outcome == history.Nil:
				return state == history.Value(""), state
			case answer.Outcome == history.Some:
				return state == answer.Rets[0], state
			}
			return true, state
		},
	}
	full := register
	full.Equals = func(a, b any) bool { return a == b }
	full.Hashes = func(state any) uint64 { return uint64(len(state.(history.Value))) }
	full.Input = func(l *history.Label) any { return &history.Label{Kind: l.Kind, Args: l.Args} }
	full.Output = func(l *history.Label) any { return &history.Label{Kind: l.Kind, Rets: l.Rets} }
	for seed := range n {
		e := s.Execution(rand.New(rand.NewPCG(seed, 9)), 7, 3, 5)
		want := s.Model.ShortestViolation(e)
		for _, m := range []*wgl.Funcs{&register, &full} {
			got, err := wgl.Check(t.Context(), m, e, wgl.Options{})
			if err != nil || got.Prefix != want {
				historytest.Fatal(t, e, "seed %d: got %+v, %v, the model says %d", seed, got, err, want)
			}
		}
		if want > 0 {
			violations++
		}
	}
	if violations < int(n)/10 {
		t.Errorf("%d violations are too few", violations)
	}
}

// TestSmallestFirst: values that are numbers come before others, by their size.
func TestSmallestFirst(t *testing.T) {
	m, _ := wgl.Builtin("min-priority-queue")
	most, _ := wgl.Builtin("priority-queue")
	order := []history.Value{"-7", "9", "10", "123456789012345678901234567890", "a", "b"}
	for _, tt := range []struct {
		model wgl.Model
		at    func(i int) history.Value
	}{
		{m, func(i int) history.Value { return order[i] }},
		{most, func(i int) history.Value { return order[len(order)-1-i] }},
	} {
		for seed := range uint64(50) {
			var labels []history.Label
			for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(len(order)) {
				labels = append(labels, label("add", history.None, []history.Value{order[i]}, nil))
			}
			for i := range order {
				labels = append(labels, label("remove", history.Some, nil, []history.Value{tt.at(i)}))
			}
			if n, err := wgl.Admits(tt.model)(t.Context(), labels); err != nil || n != len(labels) {
				t.Fatalf("%d of %d are admitted: %v\n%s", n, len(labels), err, history.Sequential(labels...))
			}
			labels[len(labels)-1], labels[len(labels)-2] = labels[len(labels)-2], labels[len(labels)-1]
			if n, err := wgl.Admits(tt.model)(t.Context(), labels); err != nil || n != len(labels)-2 {
				t.Fatalf("with two exchanged %d are admitted: %v", n, err)
			}
		}
	}
}
