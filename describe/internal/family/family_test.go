package family

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/describe/internal/learn"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// sized is a type with a size.
type sized struct {
	name string
	spec func(n int) reference.Spec
}

func of[T any](name string, construct func(n int) (*T, error)) sized {
	return sized{name, func(n int) reference.Spec {
		return reference.Spec{Name: name, New: func() (*T, error) { return construct(n) }}
	}}
}

func plain[T any](name string, construct func(n int) *T) sized {
	return of(name, func(n int) (*T, error) { return construct(n), nil })
}

// made makes the type at a size.
func (s sized) made(_ context.Context, n int) (reference.Implementation, error) {
	return reference.New(s.spec(n))
}

// regular are types that are a family.
var regular = []sized{
	plain("breaker", func(n int) *breaker { return &breaker{n: n} }),
	plain("dial", func(n int) *dial { return &dial{n: n} }),
	plain("window", func(n int) *window { return &window{n: n} }),
	plain("ring", func(n int) *ring { return &ring{n: n} }),
	plain("undo", func(n int) *undo { return &undo{ring{n: n}} }),
	plain("recent", func(n int) *recent { return &recent{n: n} }),
	plain("room", func(n int) *room { return &room{n: n} }),
	plain("closing", func(n int) *closing { return &closing{ring: ring{n: n}} }),
	of("large enough", func(n int) (*ring, error) {
		if n < 3 {
			return nil, errors.New("too small")
		}
		return &ring{n: n}, nil
	}),
}

// irregular are types whose automata at small sizes say too little.
var irregular = []sized{
	plain("half", func(n int) *half { return &half{n: n} }),
	plain("thirteenth", func(n int) *thirteenth { return &thirteenth{ring{n: n}} }),
	plain("seventeen held", func(n int) *odd { return &odd{ring{n: n}} }),
	plain("tenth asked", func(n int) *tenth { return &tenth{window{n: n}} }),
	plain("square", func(n int) *dial { return &dial{n: n * n} }),
	plain("sum", func(n int) *sum { return &sum{n: n} }),
}

const large = 24

// TestRegular finds the automata of large types, and compares them with these on sequences of its own.
func TestRegular(t *testing.T) {
	for _, s := range testsize.Some(regular, 4) {
		t.Run(s.name, func(t *testing.T) {
			impl, err := s.made(t.Context(), large)
			if err != nil {
				t.Fatal(err)
			}
			found, err := Find(t.Context(), impl, large, s.made)
			if err != nil || found.Automaton == nil {
				t.Fatalf("%v, %+v", err, found)
			}
			var words [][]teacher.Call
			for i := range testsize.Samples(200) {
				g := teacher.NewGenerator(impl.Methods(), 99+uint64(i))
				g.Registers = large
				w := g.Phases(20 * large)
				if i%3 == 0 {
					w = g.Powers(g.IntN(len(impl.Methods())), large+g.IntN(3)-1, false)
				}
				words = append(words, teacher.Texts{Methods: impl.Methods()}.Of(w))
			}
			answers, err := teacher.New(impl).Ask(t.Context(), words)
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range words {
				if at := learn.Differs(found.Automaton, impl.Methods(), w, &answers[i]); at >= 0 {
					t.Fatalf("call %d of %v\n%s", at, answers[i].Labels, found.Automaton)
				}
			}
		})
	}
}

// TestIrregular claims nothing of types that are otherwise where no small size shows it.
func TestIrregular(t *testing.T) {
	for _, s := range testsize.Some(irregular, 4) {
		t.Run(s.name, func(t *testing.T) {
			impl, err := s.made(t.Context(), large)
			if err != nil {
				t.Fatal(err)
			}
			found, err := Find(t.Context(), impl, large, s.made)
			if err != nil || found.Automaton != nil || found.Why == "" {
				t.Errorf("%v, %+v", err, found)
			}
		})
	}
}

type ring struct {
	n  int
	vs []string
}

func (r *ring) Push(v string) {
	if r.vs = append(r.vs, v); len(r.vs) > r.n {
		r.vs = r.vs[1:]
	}
}

func (r *ring) Pop() (string, bool) {
	if len(r.vs) == 0 {
		return "", false
	}
	v := r.vs[0]
	r.vs = r.vs[1:]
	return v, true
}

type undo struct{ ring }

func (u *undo) Pop() (string, bool) {
	n := len(u.vs)
	if n == 0 {
		return "", false
	}
	v := u.vs[n-1]
	u.vs = u.vs[:n-1]
	return v, true
}

type window struct {
	n   int
	ids []string
}

func (w *window) Seen(id string) bool {
	if slices.Contains(w.ids, id) {
		return true
	}
	if w.ids = append(w.ids, id); len(w.ids) > w.n {
		w.ids = w.ids[1:]
	}
	return false
}

// recent answers how long ago it saw something, among the last different ones.
type recent struct {
	n   int
	ids []string
}

func (r *recent) Touch(id string) int {
	at := slices.Index(r.ids, id)
	r.ids = slices.DeleteFunc(r.ids, func(s string) bool { return s == id })
	if r.ids = append([]string{id}, r.ids...); len(r.ids) > r.n {
		r.ids = r.ids[:r.n]
	}
	return at
}

type room struct {
	n  int
	in []string
}

func (r *room) Enter(who string) bool {
	if slices.Contains(r.in, who) || len(r.in) == r.n {
		return false
	}
	r.in = append(r.in, who)
	return true
}

func (r *room) Leave(who string) bool {
	n := len(r.in)
	r.in = slices.DeleteFunc(r.in, func(s string) bool { return s == who })
	return len(r.in) < n
}

func (r *room) Left() int { return r.n - len(r.in) }

// breaker opens after n failures in a row, and lets one probe through when it is told to.
type breaker struct {
	n, failures int
	probe       bool
}

func (b *breaker) Allow() bool {
	ok := b.failures < b.n || b.probe
	b.probe = false
	return ok
}

func (b *breaker) Fail()  { b.failures = min(b.failures+1, b.n) }
func (b *breaker) Probe() { b.probe = b.failures == b.n }
func (b *breaker) Succeed() {
	if b.failures < b.n {
		b.failures = 0
	}
}

// dial turns in steps, and says so at its ends.
type dial struct{ n, at int }

func (d *dial) Up() bool   { d.at = min(d.at+1, d.n); return d.at == d.n }
func (d *dial) Down() bool { d.at = max(d.at-1, 0); return d.at == 0 }

// closing is a ring that takes nothing any more after it was closed.
type closing struct {
	ring
	closed bool
}

func (c *closing) Close() bool {
	was := c.closed
	c.closed = true
	return !was
}

func (c *closing) Push(v string) bool {
	if c.closed {
		return false
	}
	c.ring.Push(v)
	return true
}

// half answers otherwise when it is half full.
type half struct{ n, at int }

func (h *half) Add() bool {
	h.at = min(h.at+1, h.n)
	return h.at == h.n/2
}

func (h *half) Clear() { h.at = 0 }

// thirteenth loses the thirteenth value.
type thirteenth struct{ ring }

func (x *thirteenth) Push(v string) {
	if len(x.vs) != 12 {
		x.ring.Push(v)
	} else {
		x.vs = append(x.vs, x.vs[0])
	}
}

// odd answers the second value first while it holds seventeen.
type odd struct{ ring }

func (x *odd) Pop() (string, bool) {
	if len(x.vs) == 17 {
		x.vs[0], x.vs[1] = x.vs[1], x.vs[0]
	}
	return x.ring.Pop()
}

// tenth does not see the tenth of what it holds.
type tenth struct{ window }

func (x *tenth) Seen(id string) bool {
	if len(x.ids) > 11 && x.ids[9] == id {
		return false
	}
	return x.window.Seen(id)
}

// sum adds up the last n.
type sum struct {
	n  int
	vs []int
}

func (s *sum) Add(v int) int {
	if s.vs = append(s.vs, v); len(s.vs) > s.n {
		s.vs = s.vs[1:]
	}
	total := 0
	for _, v := range s.vs {
		total += v
	}
	return total
}
