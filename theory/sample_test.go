package theory

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/driver/states"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// queue is the theory of a FIFO queue.
func queue(t testing.TB) *Theory {
	th := &Theory{Name: "queue"}
	th.Spec = Spec{
		Width: 1,
		Methods: []history.MethodSig{
			{Name: "add", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None, Rets: 0}}, Aliases: []string{"enqueue", "put"}},
			{Name: "remove", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil, Rets: 0}}},
		},
	}
	parse := func(src string, free ...string) formula.Formula {
		f, err := formula.Parse(src, th.Vocabulary(), free...)
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		return f
	}
	th.Spec.Language = []Rule{{
		Name:    "add-once",
		Reading: "each value is added at most once",
		Formula: parse("forall x:Op, y:Op. method(x) = add & method(y) = add & arg(x) = arg(y) -> x = y"),
	}}
	th.Spec.Matching.Target = []formula.Formula{
		parse("method(y) = add & arg(y) = ret(x)", "x", "y"),
		parse("y = x & (method(x) = add | outcome(x) = nil)", "x", "y"),
	}
	th.Spec.Matching.ReadOnly = parse("outcome(x) = nil", "x")
	for _, p := range []struct{ name, group, reading, line string }{
		{"remove-unmatched", "", "remove returns a value that was never passed to add", "[1:X] remove => v1"},
		{"remove-before-add", "", "remove returns a value before add is called with it", "[1:2] remove => v2; [2:2] add(v2)"},
		{"remove-nil-after-add", "", "remove returns nil after add is called with a value that remove never returns", "[1:1] add(v1); [2:2] remove => - (RO)"},
		{"remove-nil-between-add-remove", "remove-nil-after-add", "remove returns nil after add is called with a value and before remove returns it", "[1:1] add(v1); [2:2] remove => - (RO); [3:1] remove => v1"},
		{"add-add-remove2", "", "add is called with a first value and then a second, then remove returns the second; remove never returns the first", "[1:1] add(v1); [2:2] add(v2); [3:2] remove => v2"},
		{"remove-twice", "", "remove returns the same value twice", "[1:1] add(v1); [2:1] remove => v1; [3:1] remove => v1"},
		{"add-add-remove2-remove1", "add-add-remove2", "add is called with a first value and then a second, then remove returns the second and then the first", "[1:1] add(v1); [2:2] add(v2); [3:2] remove => v2; [4:1] remove => v1"},
	} {
		h, labels, err := history.ParseDrawing(p.line)
		if err != nil {
			t.Fatal(err)
		}
		if p.group == "" {
			p.group = p.name
		}
		th.Spec.Patterns = append(th.Spec.Patterns, Pattern{
			Name: p.name, Weight: h.Weight(), Group: p.group, Reading: p.reading, History: *h,
			Drawing: history.Draw(h, labels), Formula: formula.Simplify(formula.Embed(h)),
		})
	}
	th.Status = Status{
		Strategy: "frontier",
		Faithful: Check{Length: 5, Executions: 1000, Holds: true},
		Normal:   Check{Length: 5, Executions: 1000, Holds: true},
		Weights: []WeightStatus{
			{Weight: 1, Candidates: 12, Admitted: 4, New: 2},
			{Weight: 2, Candidates: 96, Admitted: 12, New: 5},
			{Weight: 3, Candidates: 570, Admitted: 35, New: 0},
		},
		CrossCheck: CrossCheck{Length: 6, Histories: 10000, Admitted: 200},
	}
	return th
}

// handWritten is a theory without patterns or status, with what queue lacks:
// predicates, axioms, words that YAML takes for something else.
func handWritten(t testing.TB) *Theory {
	th := &Theory{Name: "on"}
	th.Spec = Spec{
		Width: 2,
		Methods: []history.MethodSig{
			{Name: "yes", Args: 2, Outcomes: []history.OutcomeSig{{Outcome: history.True, Rets: 0}, {Outcome: history.False, Rets: 1}, {Outcome: "full-up", Rets: 0}}, Aliases: []string{"no", "True"}},
			{Name: "null", Outcomes: []history.OutcomeSig{{Outcome: history.None, Rets: 0}}},
		},
		Matching: Matching{Past: true, ReadOnly: formula.Const(true)},
	}
	for _, p := range []struct {
		name, src string
		params    []string
	}{
		{"same", "arg(a) = arg(b) & arg(a, 2) = arg(b, 2)", []string{"a", "b"}},
		{"odd", "!same(n, n)", []string{"n"}},
	} {
		f, err := formula.Parse(p.src, th.Vocabulary(), p.params...)
		if err != nil {
			t.Fatal(err)
		}
		th.Spec.Predicates = append(th.Spec.Predicates, formula.Predicate{Name: p.name, Params: p.params, Body: f})
	}
	f, err := formula.Parse(`!(exists x:Op, y:Op. same(x, y) & before(x, y)) & (forall x:Op. odd(x) -> arg(x) = "it's: 1")`, th.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	th.Spec.Axioms = []Rule{{Name: "1", Formula: f}}
	return th
}

// model is a theory that names its reference.
func model() *Theory {
	return &Theory{
		Name: "limiter", New: "New(4)",
		Spec: Spec{
			Width: 1,
			Methods: []history.MethodSig{
				{Name: "allow", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.True}, {Outcome: history.False}}},
				{Name: "tick", Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
			},
			Matching: Matching{ReadOnly: formula.Const(false)},
			Model: &origin.Model{
				Package: "example.com/m/limiter", Type: "Limiter", TypeArg: "int", Skip: []string{"Close"},
				Source: "sha256:" + strings.Repeat("0f", 32), Go: "go1.24.1",
			},
		},
		Status: Status{
			Trial: &origin.Trial{
				Why: "allow answers by a count", Sequences: 10, Calls: 99, Deterministic: true,
				States:   &states.Kept{Interned: true, Why: []string{"field cond is a sync.Cond"}},
				Kinds:    []string{"allow(1) => true", "tick"},
				Examples: []string{"tick; allow(1) => true; allow(2) => true"},
			},
			NotCovered: []string{"method Close is left out"},
		},
	}
}

// store is a theory by product: of each key an automaton, with two locations.
func store(t testing.TB) *Theory {
	th := &Theory{Name: "store"}
	th.Spec = newSpec()
	value := []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}}
	none := []history.OutcomeSig{{Outcome: history.None}}
	th.Spec.Methods = []history.MethodSig{
		{Name: "get", Args: 1, Outcomes: value}, {Name: "put", Args: 2, Outcomes: none, Aliases: []string{"set"}},
		{Name: "clear", Outcomes: none}, {Name: "len", Outcomes: value[:1]},
	}
	part := newSpec()
	part.Methods = []history.MethodSig{
		{Name: "get", Outcomes: value}, {Name: "put", Args: 1, Outcomes: none}, {Name: "clear", Outcomes: none}, {Name: "len", Outcomes: value[:1]},
	}
	part.Automaton = automaton(t, part.Methods, `
-> (absent)   get => -  (absent)
              put(x)    (holds x)
              clear     (absent)
              len => 0  (absent)
   (holds r)  get => r  (holds r)
              put(x)    (holds x)
              clear     (absent)
              len => 1  (holds r)
`)
	th.Spec.Product = &Product{
		Keys: []Key{{"get", ByKey, 0, 0}, {"put", ByKey, 0, 0}, {"clear", InAll, 0, 0}, {"len", SumOfAll, 0, 0}}, Part: part,
	}
	th.Spec.Model = model().Spec.Model
	th.Status = Status{
		Product:    &ProductStatus{Words: 8000, Calls: 30_000, Longest: 700, Part: Status{Automaton: &Extent{States: 3, Words: 2000, Calls: 40_000, Longest: 1000}}},
		Mutants:    &Mutants{Made: 3, Seen: 3, Words: 100},
		Tried:      []string{"patterns: put(1, 1); put(1, 2); get(1) => 2 is not normal"},
		NotCovered: []string{"method Close is left out"},
	}
	return th
}

// limited is a queue whose capacity an automaton knows, beside patterns.
func limited(t testing.TB) *Theory {
	th := queue(t)
	th.Name = "limited"
	th.Spec.Methods[0].Outcomes = append(th.Spec.Methods[0].Outcomes, history.OutcomeSig{Outcome: "full"})
	th.Spec.Control = &Control{Hidden: []history.Kind{{Method: "add", Outcome: "full"}}, Automaton: automaton(t, th.Spec.Methods, `
n = #add - #remove=value
add(x)  if n < 100  => none
        otherwise   => full
remove  if n >= 1   => any
        otherwise   => -
`)}
	th.Status.Control = &Extent{Why: "the states of the reference go on and on", Words: 3, Calls: 1000, Longest: 700}
	return th
}

func automaton(t testing.TB, methods []history.MethodSig, text string) *automata.Automaton {
	a, err := automata.Parse(text, methods)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func written(t interface {
	Helper()
	Fatal(...any)
}, th *Theory) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, th); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func mustRead(t testing.TB, text string) *Theory {
	t.Helper()
	th, err := Read(strings.NewReader(text), "x.yaml")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return th
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: -want +got:\n%s", file, diff)
	}
}
