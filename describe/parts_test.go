package describe_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/describe/internal/judge"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// Types that take what may be nil, or has parts.
type (
	item    struct{ ID, Kind int }
	swapped struct{ v *item }
	boxes   struct{ v any }
	faults  struct{ first error }
	strict  struct{ vs []any }
	several struct{ all map[string]bool }
	events  struct{ seen map[int]bool }
	tags    struct{ count int }
	batches struct{ all [][]int }
	holders struct{ has map[*item]bool }
	listing struct{ last []string }
)

func (c *swapped) Swap(v *item) *item { old := c.v; c.v = v; return old }
func (c *swapped) Peek() *item        { return c.v }

func (b *boxes) Store(v any)       { b.v = v }
func (b *boxes) Load() (any, bool) { return b.v, b.v != nil }

func (f *faults) Fail(err error) {
	if f.first == nil {
		f.first = err
	}
}
func (f *faults) Ok() bool { return f.first == nil }

func (s *strict) Put(v any) error {
	if v == nil {
		return errors.New("nil")
	}
	s.vs = append(s.vs, v)
	return nil
}
func (s *strict) Take() (any, bool) {
	if len(s.vs) == 0 {
		return nil, false
	}
	v := s.vs[0]
	s.vs = slices.Clone(s.vs[1:])
	return v, true
}

func (s *several) AddAll(vs []string) {
	for _, v := range vs {
		s.all[v] = true
	}
}
func (s *several) Len() int { return len(s.all) }

func (e *events) Add(i item) bool { was := e.seen[i.ID]; e.seen[i.ID] = true; return !was }

func (t *tags) Add(m map[string]int) { t.count += len(m) }
func (t *tags) Any() bool            { return t.count > 0 }

func (b *batches) Put(vs []int) { b.all = append(b.all, vs) }
func (b *batches) Take() ([]int, bool) {
	if len(b.all) == 0 {
		return nil, false
	}
	v := b.all[0]
	b.all = slices.Clone(b.all[1:])
	return v, true
}

func (h *holders) Join(i *item) bool { was := h.has[i]; h.has[i] = i != nil; return !was && i != nil }
func (h *holders) Has(i *item) bool  { return h.has[i] }

func (l *listing) Set(vs []string) { l.last = vs }
func (l *listing) Get() []string   { return l.last }

// mixed takes lists of two types, each of which is [] at times.
type mixed struct{ numbers, names int }

func (m *mixed) Numbers(ns []int)      { m.numbers += len(ns) }
func (m *mixed) Names(ss []string) int { m.names += len(ss); return m.names + m.numbers }

// TestParts: no description calls a log wrong in which an argument is nil, or has other
// parts than the values that were tried: it says nothing of it, or is right.
func TestParts(t *testing.T) {
	for _, typ := range testsize.Some([]struct {
		name      string
		construct any
		by        theory.Description
		notNil    []int // of the first method
	}{
		{"swapped", func() *swapped { return &swapped{} }, theory.ByAutomaton, []int{1}},
		{"anything", func() *boxes { return &boxes{} }, theory.ByPatterns, []int{1}},
		{"errors", func() *faults { return &faults{} }, theory.ByAutomaton, []int{1}},
		{"nothing that is nil", func() *strict { return &strict{} }, theory.ByPatterns, []int{1}},
		{"several", func() *several { return &several{map[string]bool{}} }, theory.ByModel, nil},
		{"by a field", func() *events { return &events{map[int]bool{}} }, theory.ByModel, nil},
		{"maps", func() *tags { return &tags{} }, theory.ByModel, nil},
		{"lists as wholes", func() *batches { return &batches{} }, theory.ByPatterns, []int{1}},
		{"members", func() *holders { return &holders{map[*item]bool{}} }, theory.ByPatterns, []int{1}},
		{"two lists that may be empty", func() *mixed { return &mixed{} }, theory.ByModel, nil},
		{"last list", func() *listing { return &listing{} }, theory.ByAutomaton, []int{1}},
	}, 4) {
		t.Run(typ.name, func(t *testing.T) {
			th, impl, err := infer(t, typ.construct, describe.Options{Model: itself, Judge: &judge.Options{LongRuns: 4, Words: 500}})
			if err != nil {
				t.Fatal(err)
			}
			if got := th.Spec.Methods[0].NotNil; th.Spec.Headline() != typ.by || !slices.Equal(got, typ.notNil) {
				t.Errorf("described by its %s, not nil: %v; want %s, %v", th.Spec.Headline(), got, typ.by, typ.notNil)
			}
			if th.Spec.Headline() == theory.ByModel {
				return
			}
			bare := *th
			bare.Spec.Model = nil
			checker, err := check.New(&bare, check.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var all [][]teacher.Call
			for i := range 300 {
				all = append(all, teacher.Nil(impl.Methods(), i, func(m, p int) bool { _, ok := impl.Methods()[m].Params[p].Nilable(); return ok }))
				if w := teacher.Shaped(impl.Methods(), i); w != nil {
					all = append(all, w)
				}
			}
			all = slices.DeleteFunc(all, func(w []teacher.Call) bool {
				return slices.ContainsFunc(w, func(c teacher.Call) bool { return refusesNil(th, impl.Methods()[c.Method].Name, c.Args) })
			})
			answers, err := teacher.New(impl).Ask(t.Context(), all)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range answers {
				if r, err := checker.Check(t.Context(), history.Sequential(a.Labels...)); err == nil && r.Verdict == check.Violation {
					t.Fatalf("a violation:\n%s", historytest.Text(history.Sequential(a.Labels...)))
				}
			}
		})
	}
}

func refusesNil(th *theory.Theory, method string, args []history.Value) bool {
	i := slices.IndexFunc(th.Spec.Methods, func(m history.MethodSig) bool { return m.Name == method })
	return i >= 0 && slices.ContainsFunc(th.Spec.Methods[i].NotNil, func(p int) bool { return args[p-1] == "nil" })
}
