package ground_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

func compile(t *testing.T, th *theory.Theory) *ground.Theory {
	t.Helper()
	g, err := ground.Compile(th, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// subjects are those of historytest, and theories that clauses refuse.
func subjects() []historytest.Subject {
	return append(historytest.Subjects(),
		historytest.Subject{Path: "theories/semaphore", Type: historytest.Semaphore()},
		historytest.Subject{Path: "theories/plainset", Type: historytest.PlainSet()},
		historytest.Subject{Path: "check/testdata/presence", Type: historytest.Presence()},
		historytest.Subject{Path: "check/testdata/hashmap", Type: historytest.Map()})
}

// outside reports whether an error is that the theory does not speak of an
// execution.
func outside(err error) bool {
	return errors.As(err, new(*clauses.LanguageError)) || errors.As(err, new(*ground.Ambiguous))
}

// twin compares one theory with a data type.
type twin struct {
	historytest.Subject
	theory *theory.Theory
	ground *ground.Theory
	counts map[string]int
}

// TestTypes decides every prefix of random executions, and compares with a search
// over the data type. A linearization is accepted by the verifier, and a core is
// enough and has nothing that is not needed. Where pending operations may lead
// outside the language a prefix may be neither.
func TestTypes(t *testing.T) {
	n := testsize.Samples(250)
	for _, s := range subjects() {
		t.Run(s.Path, func(t *testing.T) {
			th := s.Theory(t)
			w := twin{s, th, compile(t, th), map[string]int{}}
			for seed := range n {
				w.one(t, seed, s.Random(rand.New(rand.NewPCG(seed, 61)), 6))
			}
			t.Log(w.counts)
			if w.counts["linearizable"] < int(n)/3 || w.counts["violation"] < int(n)/10 || w.counts["excluded"] > int(n)/5 {
				t.Error("too one-sided a sample")
			}
		})
	}
}

func (w *twin) one(t *testing.T, seed uint64, e *history.Execution) {
	t.Helper()
	e, err := w.ground.Resolve(e)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.ground.Validate(t.Context(), e); err != nil {
		if !outside(err) {
			historytest.Fatal(t, e, "seed %d: %v", seed, err)
		}
		w.counts["outside"]++
		return
	}
	for _, end := range logs.Ends(e) {
		part := e.Prefix(end)
		a, err := w.ground.Decide(t.Context(), part)
		if err != nil {
			historytest.Fatal(t, e, "seed %d: %v", seed, err)
		}
		want := w.Model.Linearizable(part)
		if a.Sat && !want || a.Violates() && want {
			historytest.Fatal(t, e, "seed %d: the first %d events are %+v, the model says %v", seed, end, a, want)
		}
		switch {
		case a.Sat:
			w.counts["linearizable"]++
			w.linearize(t, seed, part)
		case a.Violates():
			w.counts["violation"]++
			if end == e.Events || w.counts["violation"]%4 == 0 {
				w.core(t, seed, part)
			}
		default:
			w.counts["excluded"]++
		}
	}
}

// linearize finds a linearization, which the data type must allow.
func (w *twin) linearize(t *testing.T, seed uint64, e *history.Execution) {
	t.Helper()
	order, ok, err := w.ground.Linearize(t.Context(), e)
	if err != nil || !ok {
		historytest.Fatal(t, e, "seed %d: linearizable, and no linearization: %v, %v", seed, ok, err)
	}
	ev := &evidence.Evidence{Theory: w.theory.Name, Log: evidence.Digest(e), Order: order}
	if err := verify.Check(t.Context(), w.theory, e, ev, w.Model.Admits); err != nil {
		historytest.Fatal(t, e, "seed %d: %v\n%+v", seed, err, order)
	}
}

// core finds a core, and leaves its parts out one by one.
func (w *twin) core(t *testing.T, seed uint64, e *history.Execution) {
	t.Helper()
	core, err := w.ground.Core(t.Context(), e)
	if err != nil || len(core) == 0 {
		historytest.Fatal(t, e, "seed %d: a violation with the core %q, %v", seed, core, err)
	}
	violates := func(names []string) bool {
		a, err := compile(t, only(w.theory, names)).Decide(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		return !a.Sat
	}
	if !violates(core) {
		historytest.Fatal(t, e, "seed %d: %q are not enough for", seed, core)
	}
	for i := range core {
		if violates(append(core[:i:i], core[i+1:]...)) {
			historytest.Fatal(t, e, "seed %d: of %q number %d is not needed for", seed, core, i)
		}
	}
}

// only is a theory with some of its patterns and axioms.
func only(t *theory.Theory, names []string) *theory.Theory {
	u := *t
	u.Spec.Patterns = slices.DeleteFunc(slices.Clone(t.Spec.Patterns), func(p theory.Pattern) bool { return !slices.Contains(names, p.Name) })
	u.Spec.Axioms = slices.DeleteFunc(slices.Clone(t.Spec.Axioms), func(a theory.Rule) bool { return !slices.Contains(names, a.Name) })
	return &u
}

// TestNoCore: what is no violation has no core.
func TestNoCore(t *testing.T) {
	for _, s := range subjects() {
		g, linearizable := compile(t, s.Theory(t)), 0
		for seed := range uint64(20) {
			e := s.Type.Execution(rand.New(rand.NewPCG(seed, 83)), 4, 2, 0)
			if !s.Model.Linearizable(e) {
				continue // a ticket is released twice
			}
			core, err := g.Core(t.Context(), e)
			if outside(err) {
				continue
			}
			if linearizable++; err != nil || len(core) > 0 {
				historytest.Fatal(t, e, "%s, seed %d: %q, %v", s.Path, seed, core, err)
			}
		}
		if linearizable < 5 {
			t.Errorf("%s: too one-sided a sample", s.Path)
		}
	}
}

// TestAdmits compares sequences of operations with the data type.
func TestAdmits(t *testing.T) {
	n := testsize.Samples(500)
	for _, s := range subjects() {
		t.Run(s.Path, func(t *testing.T) {
			g, admitted, refused := compile(t, s.Theory(t)), 0, 0
			for seed := range n {
				e := s.Type.Execution(rand.New(rand.NewPCG(seed, 67)), 5, 1, 4)
				var labels []history.Label
				for i := range e.Ops {
					if e.Ops[i].Completed() {
						labels = append(labels, e.Ops[i].Label)
					}
				}
				got, err := g.Admits(t.Context(), labels)
				if outside(err) {
					continue
				}
				if want := s.Model.AdmitsAll(labels); err != nil || got != want {
					historytest.Fatal(t, e, "seed %d: admitted %v, %v, the model says %v", seed, got, err, want)
				}
				if got {
					admitted++
				} else {
					refused++
				}
			}
			if admitted < int(n)/20 || refused < int(n)/20 {
				t.Errorf("too one-sided a sample: %d admitted, %d not", admitted, refused)
			}
		})
	}
}

// TestGroups: a part of an admitted execution that is made of whole groups is
// admitted, and Helpful changes no verdict. All that Restrict keeps is as it was.
func TestGroups(t *testing.T) {
	n := testsize.Samples(500)
	for _, s := range historytest.Subjects() {
		t.Run(s.Path, func(t *testing.T) {
			g, smaller, helped := compile(t, s.Theory(t)), 0, 0
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 71))
				e := s.Random(r, 7)
				groups, err := g.Groups(t.Context(), e)
				if outside(err) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				admitted := s.Model.Linearizable(e)
				keep := make([]bool, len(e.Ops))
				for _, set := range groups.Sets {
					stays := r.IntN(2) == 0
					for _, i := range set {
						keep[i] = stays
					}
				}
				part := groups.Restrict(keep)
				if admitted && !s.Model.Linearizable(part) {
					historytest.Fatal(t, e, "seed %d: this part of an admitted execution is not admitted\n%s\nof", seed, historytest.Text(part))
				}
				if !within(part, e) {
					historytest.Fatal(t, e, "seed %d: this is no part\n%s\nof", seed, historytest.Text(part))
				}
				if len(part.Ops) < len(e.Ops) {
					smaller++
				}
				helpful, err := g.Helpful(t.Context(), e)
				if err != nil || !within(helpful, e) {
					historytest.Fatal(t, e, "seed %d: helpful operations are %v\n%s\nof", seed, err, historytest.Text(helpful))
				}
				if len(helpful.Ops) < len(e.Ops) {
					helped++
				}
				if s.Model.Linearizable(helpful) != admitted {
					historytest.Fatal(t, e, "seed %d: admitted %v, and not so\n%s\nwhich is helpful of", seed, admitted, historytest.Text(helpful))
				}
			}
			t.Logf("%d smaller, %d without what cannot help", smaller, helped)
			if smaller < int(n)/3 {
				t.Error("too few parts are smaller")
			}
		})
	}
}

// within reports whether the operations of sub are those of e, in the same order,
// and its events have no gaps.
func within(sub, e *history.Execution) bool {
	at := map[string]int{}
	for i := range e.Ops {
		at[e.Ops[i].ID] = i
	}
	events := 0
	for i := range sub.Ops {
		o, k := &sub.Ops[i], at[sub.Ops[i].ID]
		events++
		if o.Completed() {
			events++
		}
		if p := &e.Ops[k]; p.ID != o.ID || o.Label.String() != p.Label.String() || o.Completed() != p.Completed() {
			return false
		}
		for j := range sub.Ops {
			if sub.Before(i, j) != e.Before(k, at[sub.Ops[j].ID]) {
				return false
			}
		}
	}
	return events == sub.Events
}

// TestManyPending: with many completions of pending operations, of which only few
// are needed, answers are those of the data type.
func TestManyPending(t *testing.T) {
	n := testsize.Samples(240)
	for _, s := range historytest.Subjects() {
		t.Run(s.Path, func(t *testing.T) {
			th := s.Theory(t)
			w := twin{s, th, compile(t, th), map[string]int{}}
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 73))
				typ := s.Type
				typ.Lost = 2
				w.one(t, seed, typ.Execution(r, 6+r.IntN(3), 3, 3))
			}
			t.Log(w.counts)
			if w.counts["linearizable"] == 0 || w.counts["violation"] == 0 {
				t.Error("too one-sided a sample")
			}
		})
	}
}

// TestResolve: names are the theory's, and operations that it does not know, or
// whose times are in disorder, are errors that name them.
func TestResolve(t *testing.T) {
	g := compile(t, historytest.Theory(t, "theories/plainset.theory.yaml"))
	label := func(method string, out history.Outcome, args ...history.Value) history.Label {
		return history.Label{Kind: history.Kind{Method: method, Outcome: out}, Args: args}
	}
	e := history.Sequential(label("insert", history.None, "1"), label("contains", history.True, "1"))
	r, err := g.Resolve(e)
	if err != nil || r.Ops[0].Method != "add" || e.Ops[0].Method != "insert" {
		t.Errorf("%v, %v; the argument has become %v", r, err, e)
	}
	for _, tt := range []struct {
		name  string
		spoil func(o []history.Operation)
		op    int // -1: a label
	}{
		{"method", func(o []history.Operation) { o[1].Method = "push" }, -1},
		{"arguments", func(o []history.Operation) { o[1].Args = nil }, -1},
		{"outcome", func(o []history.Operation) { o[1].Outcome = history.Nil }, -1},
		{"called before the one before it", func(o []history.Operation) { o[1].Call = 0 }, 1},
		{"returns before it is called", func(o []history.Operation) { o[1].Return = 2 }, 1},
		{"never called", func(o []history.Operation) { o[0].Call = -1 }, 0},
	} {
		bad := *e
		bad.Ops = slices.Clone(e.Ops)
		tt.spoil(bad.Ops)
		_, err := g.Resolve(&bad)
		var wrong *clauses.LabelError
		var disorder *ground.Disorder
		switch {
		case tt.op < 0 && (!errors.As(err, &wrong) || wrong.Op != 1):
			t.Errorf("%s: %v", tt.name, err)
		case tt.op >= 0 && (!errors.As(err, &disorder) || disorder.Op != tt.op || !strings.Contains(err.Error(), "in order")):
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// TestRefused: which theories and executions are out of scope, and why.
func TestRefused(t *testing.T) {
	past := historytest.Example(t, "queue")
	past.Spec.Matching.Past = true
	if _, err := ground.Compile(past, nil); err == nil || !strings.Contains(err.Error(), "matching mode is past") {
		t.Errorf("matching in the past: %v", err)
	}
	if err := ground.Sequential(historytest.Theory(t, "theories/exchanger.theory.yaml"), "the test"); err == nil || !strings.Contains(err.Error(), "the test looks for sequences") {
		t.Errorf("width 2: %v", err)
	}
	queue := historytest.Theory(t, "theories/queue.theory.yaml")
	if err := ground.Sequential(queue, "the test"); err != nil {
		t.Error(err)
	}
	for _, tt := range []struct {
		lines []string
		a, b  int
	}{
		{[]string{"[1] call add(1)", "[1] return", "[2] call add(2)", "[2] return", "[3] call add(1)", "[3] return"}, 0, 2},
		{[]string{"[1] call add(1)", "[2] call add(2)", "[3] call add(2)"}, 1, 2}, // whatever they will return
	} {
		var wrong *clauses.LanguageError
		err := compile(t, queue).Validate(t.Context(), historytest.Log(t, queue, tt.lines...))
		if !errors.As(err, &wrong) || wrong.A != tt.a || wrong.B != tt.b {
			t.Errorf("%v: %v", tt.lines, err)
		}
	}
}

// TestAmbiguous: an operation with two match targets is refused, and one that may
// come to have two is no violation.
func TestAmbiguous(t *testing.T) {
	th := historytest.Theory(t, "theories/queue.theory.yaml")
	th.Spec.Language = nil
	g := compile(t, th)
	two := historytest.Log(t, th, "[1] call add(1)", "[1] return", "[2] call add(1)", "[2] return", "[3] call remove", "[3] return 1")
	var wrong *ground.Ambiguous
	if err := g.Validate(t.Context(), two); !errors.As(err, &wrong) || *wrong != (ground.Ambiguous{X: 2, A: 0, B: 1}) {
		t.Errorf("got %v", err)
	}
	may := historytest.Log(t, th, "[1] call remove", "[1] return 1", "[2] call add(1)", "[3] call add(1)")
	if a, err := g.Decide(t.Context(), may); err != nil || a.Violates() || !strings.Contains(a.Excluded, "two match targets") {
		t.Errorf("got %+v, %v", a, err)
	}
}

// TestInterrupted: the end of the context is an error, not an answer.
func TestInterrupted(t *testing.T) {
	g, queue := compile(t, historytest.Example(t, "queue")), historytest.Queue()
	e := queue.Execution(rand.New(rand.NewPCG(1, 1)), 40, 4, 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a, err := g.Decide(ctx, e); !errors.Is(err, context.Canceled) || a.Sat || a.Violates() != true && a.Excluded == "" {
		t.Errorf("Decide: %+v, %v", a, err)
	}
	if names, err := g.Core(ctx, e); !errors.Is(err, context.Canceled) || len(names) > 0 {
		t.Errorf("Core: %q, %v", names, err)
	}
	if _, ok, err := g.Linearize(ctx, e); !errors.Is(err, context.Canceled) || ok {
		t.Errorf("Linearize: %v, %v", ok, err)
	}
}
