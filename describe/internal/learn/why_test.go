package learn

import (
	"context"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

// Registers with more to them than their answers show.

type hoarder struct {
	last string
	all  []string
}

func (h *hoarder) Put(x string) { h.last, h.all = x, append(h.all, x) }
func (h *hoarder) Get() string  { return h.last }

type ticker struct {
	last string
	puts int
}

func (c *ticker) Put(x string) { c.last = x; c.puts++ }
func (c *ticker) Get() string  { return c.last }

type encoder struct{ last [1]rune32 }

// rune32 hides strings of the form that numbered values have.
type rune32 string

func (e *encoder) Put(x string) { e.last[0] = rune32(x) + "!" }
func (e *encoder) Get() string  { return strings.TrimSuffix(string(e.last[0]), "!") }

type sender struct{ c chan string }

func (s *sender) Put(x string) {
	select {
	case <-s.c:
	default:
	}
	s.c <- x
}

func (s *sender) Get() string {
	select {
	case x := <-s.c:
		s.c <- x
		return x
	default:
		return ""
	}
}

type mixed struct{ last float64 }

func (m *mixed) Put(x float64) { m.last = x }
func (m *mixed) Get() float64  { return m.last }

// of is a reference in this process.
func of(tb testing.TB, constructor any) reference.Implementation {
	tb.Helper()
	impl, err := reference.Of(constructor)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { impl.Close() })
	return impl
}

// register answers get with the last value put.
func register(first history.Value) *automata.Automaton {
	r := []automata.Term{{Kind: automata.Register}}
	return &automata.Automaton{
		Initial: []history.Value{first},
		Locations: []automata.Location{{Name: "r", Registers: []string{"r"}, Transitions: []automata.Transition{
			{Method: "get", Outcome: history.Some, Rets: r, Load: r},
			{Method: "put", Outcome: history.None, Load: []automata.Term{{Kind: automata.Argument}}},
		}}},
	}
}

// TestWhy: what stands in the way of a closure is told, and words are compared.
func TestWhy(t *testing.T) {
	for _, c := range []struct {
		constructor any
		first       history.Value
		why         string
	}{
		{func() *hoarder { return &hoarder{} }, "", "keeps values that the automaton forgot"},
		{func() *ticker { return &ticker{} }, "", "numbers or indices grow"},
		{func() *encoder { return &encoder{} }, "", "values in a form of its own"},
		{func() *sender { return &sender{make(chan string, 1)} }, "", "field c is a channel"},
		{func() *mixed { return &mixed{} }, "0", "values of several sorts"},
	} {
		extent, d, err := Compare(t.Context(), of(t, c.constructor), register(c.first), Comparison{Words: 50, Closed: true})
		if err != nil {
			t.Fatal(err)
		}
		if d != nil || extent.States != 0 || !strings.Contains(extent.Why, c.why) || extent.Words < 50 || extent.Longest != phaseCalls {
			t.Errorf("%T: difference %v, %+v; want the reason %q", c.constructor, d, *extent, c.why)
		}
	}
}

// forgetful loses what was put 200 times in a row.
type forgetful struct {
	last string
	same int
}

func (f *forgetful) Put(x string) { f.last, f.same = x, f.same+1 }
func (f *forgetful) Get() string {
	if f.same > 200 {
		return ""
	}
	return f.last
}

// waiting lets get wait at first.
type waiting struct{ last string }

func (w *waiting) Put(x string) { w.last = x }
func (w *waiting) Get() (string, error) {
	if w.last == "" {
		return "", reference.Blocked
	}
	return w.last, nil
}

// TestLate: powers find what comes late, and a difference may be a call that waits.
func TestLate(t *testing.T) {
	_, d, err := Compare(t.Context(), of(t, func() *forgetful { return &forgetful{} }), register(""), Comparison{Words: 50})
	if err != nil || d == nil || len(d.Calls) != 202 {
		t.Fatalf("difference %v, error %v; want 201 puts and a get", d, err)
	}
	for _, closed := range []bool{true, false} {
		_, d, err = Compare(t.Context(), of(t, func() *waiting { return &waiting{} }), register(""), Comparison{Words: 50, Closed: closed})
		if err != nil || d == nil || len(d.Calls) != 1 || len(d.Labels) != 0 || d.At != 0 {
			t.Fatalf("difference %v, error %v; want a get that waits", d, err)
		}
		if got := d.String(); got != "the reference waits in get, and the automaton answers" {
			t.Errorf("the difference is drawn as %q", got)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, closed := range []bool{true, false} {
		if _, _, err := Compare(ctx, of(t, func() *ticker { return &ticker{} }), register(""), Comparison{Closed: closed}); err == nil {
			t.Error("a context that ended is no error")
		}
	}
}

// picky is a register that takes nothing that ends in 7.
type picky struct{ last int }

func (p *picky) Put(x int) {
	if x%10 != 7 {
		p.last = x
	}
}
func (p *picky) Get() int { return p.last }

// TestPicky: a closure whose values are like all others says nothing of a reference
// that does more than to compare values.
func TestPicky(t *testing.T) {
	c := newComparison(of(t, func() *picky { return &picky{} }), register("0"))
	d, err := c.closed(t.Context())
	if err != nil || c.extent.States != 0 || d == nil && !strings.Contains(c.extent.Why, "more than which values are equal") {
		t.Fatalf("difference %v, %+v, error %v", d, *c.extent, err)
	}
}

// giver gives the same value each time, and knows it when it comes back.
type giver struct{ gave int }

func (g *giver) Take() int        { g.gave = 7; return g.gave }
func (g *giver) Free(x int) bool  { return x == 7 && g.gave == 7 }
func (g *giver) Other(x int) bool { return x == 7 }

// zero takes 0 for nothing.
type zero struct{ last int }

func (z *zero) Put(x int)        { z.last = x }
func (z *zero) Get() (int, bool) { return z.last, z.last != 0 }

// TestSpecialValues: what a reference makes up is passed back to it, and words have
// zeros.
func TestSpecialValues(t *testing.T) {
	no := func(method string) automata.Transition {
		return automata.Transition{Method: method, Outcome: history.False}
	}
	give := &automata.Automaton{Locations: []automata.Location{{Name: "l", Transitions: []automata.Transition{
		{Method: "take", Outcome: history.Some, Rets: []automata.Term{{Kind: automata.Any}}}, no("free"), no("other"),
	}}}}
	c := newComparison(of(t, func() *giver { return &giver{} }), give)
	d, err := c.closed(t.Context())
	if err != nil || d == nil || len(d.word) > 2 {
		t.Fatalf("%v, %v, error %v: want take and free(7), or other(7)", d, c.extent, err)
	}
	r := []automata.Term{{Kind: automata.Register}}
	put := automata.Transition{Method: "put", Outcome: history.None, To: 1, Load: []automata.Term{{Kind: automata.Argument}}}
	keeps := &automata.Automaton{Locations: []automata.Location{
		{Name: "empty", Transitions: []automata.Transition{put, {Method: "get", Outcome: history.Nil}}},
		{Name: "holds", Registers: []string{"r"}, Transitions: []automata.Transition{put, {Method: "get", Outcome: history.Some, Rets: r, To: 1, Load: r}}},
	}}
	_, found, err := Compare(t.Context(), of(t, func() *zero { return &zero{} }), keeps, Comparison{Closed: true})
	if err != nil || found == nil || found.String() != "put(0); get => nil" {
		t.Fatalf("difference %v, error %v; want put(0); get => nil", found, err)
	}
}
