package describe_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/describe/internal/judge"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

type cell struct{ v int }

func (c *cell) Load() int   { return c.v }
func (c *cell) Store(v int) { c.v = v }

type pool struct{ used int }

func (p *pool) Take()     { p.used++ }
func (p *pool) Used() int { return p.used }

type queue struct{ vs []int }

func (q *queue) Put(v int) { q.vs = append(q.vs, v) }

func (q *queue) Get() (int, bool) {
	if len(q.vs) == 0 {
		return 0, false
	}
	v := q.vs[0]
	q.vs = q.vs[1:]
	return v, true
}

type sized struct{ queue }

func (s *sized) Len() int { return len(s.vs) }

type members map[int]bool

func (m members) Add(v int) bool {
	was := m[v]
	m[v] = true
	return !was
}
func (m members) Has(v int) bool { return m[v] }

type lines map[string]*queue

func (l lines) Send(to string, v int) {
	if l[to] == nil {
		l[to] = &queue{}
	}
	l[to].Put(v)
}

func (l lines) Receive(from string) (int, bool) {
	if l[from] == nil {
		return 0, false
	}
	return l[from].Get()
}

type highest struct{ v int }

func (h *highest) Raise(v int) { h.v = max(h.v, v) }
func (h *highest) Top() int    { return h.v }

type second struct{ first, v int }

func (s *second) Raise(v int) { s.v, s.first = max(s.v, min(s.first, v)), max(s.first, v) }
func (s *second) Top() int    { return s.v }

// types are data types, with what describes them.
var types = map[string]struct {
	construct any
	by        theory.Description
	beside    bool // patterns, or the reference itself for what they leave out
}{
	"cell":    {func() *cell { return &cell{} }, theory.ByAutomaton, false},
	"pool":    {func() *pool { return &pool{} }, theory.ByCounters, false},
	"queue":   {func() *queue { return &queue{} }, theory.ByPatterns, false},
	"sized":   {func() *sized { return &sized{} }, theory.ByPatterns, false},
	"members": {func() members { return members{} }, theory.ByPatterns, true},
	"lines":   {func() lines { return lines{} }, theory.ByProduct, false},
	"highest": {func() *highest { return &highest{} }, theory.ByCounters, false},
	"second":  {func() *second { return &second{} }, theory.ByModel, false},
}

var itself = &origin.Model{Package: "example.org/it", Source: "sha256:" + strings.Repeat("0", 64), Go: "go1.24"}

func infer(t *testing.T, construct any, o describe.Options) (*theory.Theory, reference.Implementation, error) {
	t.Helper()
	impl, err := reference.Of(construct)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { impl.Close() })
	th, err := describe.Infer(t.Context(), impl, reference.Info{}, o)
	return th, impl, err
}

// TestInfer compares what describes a type with what it should be, and what the theory
// says of random sequences with the reference.
func TestInfer(t *testing.T) {
	for name, typ := range types {
		t.Run(name, func(t *testing.T) {
			if name == "lines" || name == "members" || name == "highest" || name == "second" {
				testsize.NeedsLong(t)
			}
			th, impl, err := infer(t, typ.construct, describe.Options{Model: itself, Judge: &judge.Options{LongRuns: 4, Words: 500}})
			if err != nil {
				t.Fatal(err)
			}
			if by := th.Spec.Headline(); by != typ.by || th.Spec.Model == nil || (th.Spec.Control != nil) != (name == "sized") {
				t.Errorf("%s, control %v, tried %q", by, th.Spec.Control, th.Status.Tried)
			}
			if (th.Spec.Product != nil && th.Spec.Headline() == theory.ByPatterns) != typ.beside {
				t.Errorf("product %v beside patterns", th.Spec.Product)
			}
			if m := th.Status.Mutants; (m == nil) != (typ.by == theory.ByModel) || m != nil && len(m.Unseen) > 0 {
				t.Errorf("%+v", m)
			}
			if typ.by == theory.ByModel {
				return
			}
			admits(t, th, impl)
		})
	}
}

// admits holds that a theory admits what its reference answers.
func admits(t *testing.T, th *theory.Theory, impl reference.Implementation) {
	bare := *th
	bare.Spec.Model = nil
	sequences := bare.Sequences()
	texts := teacher.Texts{Methods: impl.Methods()}
	covered := 0
	for seed := range uint64(testsize.Samples(200)) {
		w := texts.Of(teacher.NewGenerator(impl.Methods(), seed).Random(8))
		calls := make([]reference.Call, len(w))
		for i, c := range w {
			calls[i] = reference.Call{Method: c.Method, Values: c.Args}
		}
		answers, err := impl.Replay(t.Context(), [][]reference.Call{calls})
		if err != nil {
			t.Fatal(err)
		}
		var labels []history.Label
		for i, a := range answers[0] {
			l := history.Label{Kind: history.Kind{Method: impl.Methods()[calls[i].Method].Name, Outcome: a.Outcome}, Args: calls[i].Values}
			for _, v := range a.Rets {
				l.Rets = append(l.Rets, history.Value(strings.Trim(string(v), `()"`)))
			}
			labels = append(labels, l)
		}
		ok, covers, err := sequences.Admits(t.Context(), labels)
		if err != nil {
			t.Fatal(err)
		}
		if covers {
			covered++
		}
		if covers && !ok {
			t.Fatalf("seed %d: the theory does not admit %v", seed, labels)
		}
	}
	if covered == 0 {
		t.Error("the theory covers no sequence")
	}
}

// TestAs asks for one description.
func TestAs(t *testing.T) {
	all := []theory.Description{theory.ByPatterns, theory.ByProduct, theory.ByAutomaton, theory.ByCounters, theory.ByModel}
	for name, as := range map[string][]theory.Description{
		"cell": {theory.ByAutomaton, theory.ByModel},
	} {
		for _, d := range all {
			th, _, err := infer(t, types[name].construct, describe.Options{Model: itself, As: d, Judge: &judge.Options{LongRuns: 2, Words: 200}})
			switch {
			case slices.Contains(as, d) != (err == nil):
				t.Errorf("%s as %s: %v", name, d, err)
			case err == nil && th.Spec.Headline() != d:
				t.Errorf("%s as %s: %s", name, d, th.Spec.Headline())
			}
			var unfit *describe.Unfit
			if err != nil && d != theory.ByPatterns && (!errors.As(err, &unfit) || !strings.Contains(err.Error(), string(d)+": ")) {
				t.Errorf("%s as %s: %v", name, d, err)
			}
		}
	}
}

// TestNothing is a type that nothing describes and that no theory can name.
func TestNothing(t *testing.T) {
	explained := errors.New("explained")
	_, _, err := infer(t, types["second"].construct, describe.Options{
		Explain: func(context.Context, error) error { return explained },
	})
	if err != explained {
		t.Error(err)
	}
}

// TestRequired is a reference with a matching scheme that is wrong: its author is told.
func TestRequired(t *testing.T) {
	impl, err := reference.Of(func() *cell { return &cell{} })
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	_, err = describe.Infer(t.Context(), impl, reference.Info{Target: []string{"x = y"}}, describe.Options{Model: itself})
	if err == nil || !describe.Fails(err) {
		t.Error(err)
	}
}

// TestStopped holds that an inference ends with its context.
func TestStopped(t *testing.T) {
	impl, err := reference.Of(types["members"].construct)
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	ctx, cancel := context.WithCancel(t.Context())
	_, err = describe.Infer(ctx, impl, reference.Info{}, describe.Options{
		Patterns: patterns.Options{Progress: func(string) { cancel() }},
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
