package product_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/adtinfer/adtinfer/describe/internal/product"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// store and cell are a product and its part, as somebody would write them.
type store struct {
	cells  map[string]*cell
	closed bool
}

func newStore() *store { return &store{cells: map[string]*cell{}} }

func (s *store) cell(k string) *cell {
	if s.cells[k] == nil {
		s.cells[k] = &cell{}
	}
	s.cells[k].closed = s.closed
	return s.cells[k]
}
func (s *store) Swap(v, k string) (string, bool)            { return s.cell(k).Swap(v) }
func (s *store) Get(k string) (string, bool)                { return s.cell(k).Get() }
func (s *store) Move(k string, n int, v string) (int, bool) { return s.cell(k).Move(n, v) }
func (s *store) Join(k string, n int) []string              { return s.cell(k).Join(n) }
func (s *store) Has(k string) (string, bool) {
	_, ok := s.Get(k)
	if !ok {
		k = ""
	}
	return k, ok
}
func (s *store) Close() { s.closed = true }

type cell struct {
	values []string
	n      int
	closed bool
}

func (c *cell) Swap(v string) (string, bool) {
	old, ok := c.Get()
	if !c.closed {
		c.values = append(c.values, v)
	}
	return old, ok
}
func (c *cell) Get() (string, bool) {
	if len(c.values) == 0 {
		return "none", false
	}
	return c.values[len(c.values)-1], true
}
func (c *cell) Move(n int, v string) (int, bool) {
	if last, ok := c.Get(); ok && last == v {
		c.n, n = n, c.n
		return n, true
	}
	return 0, false
}
func (c *cell) Join(n int) []string { return c.values[:min(n, len(c.values))] }
func (c *cell) Has() (string, bool) {
	if _, ok := c.Get(); !ok {
		return "", false
	}
	return "key", true
}
func (c *cell) Close() { c.closed = true }

func of(t *testing.T, constructor any) reference.Implementation {
	impl, err := reference.Of(constructor)
	if err != nil {
		t.Fatal(err)
	}
	return impl
}

// words are random calls of some methods, with numbers or with values.
func words(r *rand.Rand, methods []reference.Method, values bool) (seqs [][]reference.Call) {
	for range 20 {
		var calls []reference.Call
		for range r.IntN(12) {
			c := reference.Call{Method: r.IntN(len(methods))}
			for _, b := range methods[c.Method].Params {
				if n := 1 + r.IntN(3); values {
					c.Values = append(c.Values, history.Value(b.Numbered(n)))
				} else {
					c.Args = append(c.Args, n)
				}
			}
			calls = append(calls, c)
		}
		seqs = append(seqs, calls)
	}
	return seqs
}

// TestPart compares the part of a store that was found with one that was written.
func TestPart(t *testing.T) {
	whole, written := of(t, newStore), of(t, func() *cell { return &cell{} })
	found, err := product.Find(t.Context(), whole)
	if err != nil {
		t.Fatal(err)
	}
	if got := text(found.Keys); got != "swap key 2, get key 1, move key 1, join key 1, has key 1 returned 1, close all" {
		t.Fatalf("found %s, %s", got, found.Why)
	}
	part := found.Part(whole)
	defer part.Close()
	if d := cmp.Diff(written.Methods(), part.Methods(), cmpopts.EquateEmpty()); d != "" {
		t.Fatal(d)
	}
	space, err := part.(states.Keeper).States(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for seed := range testsize.Samples(200) {
		r := rand.New(rand.NewPCG(seed, 15))
		values := r.IntN(2) == 0
		seqs := words(r, part.Methods(), values)
		got, err := part.Replay(t.Context(), seqs)
		if err != nil {
			t.Fatal(err)
		}
		want, err := written.Replay(t.Context(), seqs)
		if err != nil {
			t.Fatal(err)
		}
		for i := range seqs {
			for k := range seqs[i] {
				if w := &want[i][k]; len(w.Rets) == 1 && w.Rets[0] == `("key")` {
					w.Rets[0] = "(key)"
				}
				if !got[i][k].Equal(want[i][k]) {
					t.Fatalf("seed %d: %v is answered %v, want %v", seed, seqs[i][:k+1], got[i][k], want[i][k])
				}
			}
			if values {
				kept(t, space, part, seqs[i], got[i])
			}
		}
	}
	if _, err := part.Replay(t.Context(), [][]reference.Call{{{Method: 1, Args: []int{1}}}}); err == nil {
		t.Error("get took an argument")
	}
	if _, err := part.Replay(t.Context(), [][]reference.Call{{{Method: 9}}}); err == nil {
		t.Error("there is no method 9")
	}
}

// kept compares the states of a part with replays.
func kept(t *testing.T, space states.Space, part reference.Implementation, calls []reference.Call, answers []reference.Answer) {
	at := space.Start()
	for i, c := range calls {
		call, err := space.Call(&history.Label{Kind: history.Kind{Method: part.Methods()[c.Method].Name}, Args: c.Values})
		if err != nil {
			t.Fatal(err)
		}
		next, n, err := space.Step(t.Context(), at, call, nil)
		if err != nil {
			t.Fatal(err)
		}
		a := space.Answer(n)
		if a.Outcome != answers[i].Outcome || len(a.Rets) != len(answers[i].Rets) || len(a.Rets) == 1 && "("+a.Rets[0]+")" != unquoted(answers[i].Rets[0]) {
			t.Fatalf("%v: a state answers %v, a replay %v", calls[:i+1], a, answers[i])
		}
		at = next
	}
}

// unquoted is an answer without the quotes of a string.
func unquoted(v history.Value) history.Value {
	if s, err := strconv.Unquote(strings.Trim(string(v), "()")); err == nil {
		return history.Value("(" + s + ")")
	}
	return v
}

// names are told with the key, which parts do not know.
type names map[string]bool

func (n names) Add(k string) string         { n[k] = true; return k }
func (n names) Told(k string, v int) string { return k }

// TestPartKey: a key in an answer is a value that nobody passed.
func TestPartKey(t *testing.T) {
	impl := of(t, func() names { return names{} })
	found := &product.Found{Keys: []theory.Key{}}
	for _, m := range impl.Methods() {
		found.Keys = append(found.Keys, theory.Key{Method: m.Name, Role: theory.ByKey, Ret: map[string]int{"told": 1}[m.Name]})
	}
	part := found.Part(impl)
	number := map[string]int{}
	for i, m := range part.Methods() {
		number[m.Name] = i
	}
	for _, c := range []struct {
		calls []reference.Call
		want  string
	}{
		{[]reference.Call{{Method: number["add"]}}, `("y9973")`},
		{[]reference.Call{{Method: number["told"], Args: []int{2}}}, "(key)"},
		{[]reference.Call{{Method: number["told"], Values: []history.Value{"9"}}}, "(key)"},
	} {
		answers, err := part.Replay(t.Context(), [][]reference.Call{c.calls})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(answers[0][0].Rets[0]); got != c.want {
			t.Errorf("%v answers %s, want %s", c.calls, got, c.want)
		}
	}
}

// TestPartOfPart finds keys of a part.
func TestPartOfPart(t *testing.T) {
	g := of(t, func() *graph { return &graph{edges: map[[2]string]bool{}, loops: true} })
	from, err := product.Find(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	to, err := product.Find(t.Context(), from.Part(g))
	if err != nil {
		t.Fatal(err)
	}
	if got := text(to.Keys); got != "add key 1, has key 1" {
		t.Fatalf("found %s, %s", got, to.Why)
	}
	edge := to.Part(from.Part(g))
	answers, err := edge.Replay(t.Context(), [][]reference.Call{{{Method: 1}, {Method: 0}, {Method: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []history.Outcome{history.False, history.True, history.True} {
		if answers[0][i].Outcome != want {
			t.Errorf("call %d: %s, want %s", i, answers[0][i].Outcome, want)
		}
	}
}
