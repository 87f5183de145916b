package judge

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// buffer has a capacity that only long runs reach.
type buffer struct{ items []string }

func (r *buffer) Put(s string) bool {
	if len(r.items) == 40 {
		return false
	}
	r.items = append(r.items, s)
	return true
}

func (r *buffer) Get() (string, bool) {
	if len(r.items) == 0 {
		return "", false
	}
	s := r.items[0]
	r.items = r.items[1:]
	return s, true
}

func (r *buffer) Len() int { return len(r.items) }

func (r *buffer) Check() error { return nil }

func modelOf(t *testing.T, constructor any) (*theory.Theory, error) {
	t.Helper()
	impl, err := reference.Of(constructor)
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	m := origin.Model{Package: "example.com/m", Type: "T", Source: "sha256:" + strings.Repeat("0", 64), Go: "go1"}
	return Model(t.Context(), impl, reference.Info{Name: "t"}, m, "because\nso", Options{LongRuns: 16, Skipped: []string{"method X is left out"}})
}

func TestModel(t *testing.T) {
	th, err := modelOf(t, func() *buffer { return &buffer{} })
	if err != nil {
		t.Fatal(err)
	}
	tr := th.Status.Trial
	want := []string{
		"put(a) => true", "put(a) => true; ... (40 times in all); put(40) => true; put(41) => false",
		"put(a) => true; get => a", "get => nil", "len => 0", "check",
	}
	if !slices.Equal(tr.Kinds, want) || tr.Why != "because so" || !tr.Deterministic || tr.Calls < 10_000 || len(tr.Examples) != modelExamples {
		t.Errorf("%+v", tr)
	}
	if want := []string{"method X is left out", "check never answered error: is there a capacity, or another state that no run reached?"}; !slices.Equal(th.Status.NotCovered, want) {
		t.Errorf("not covered: %q", th.Status.NotCovered)
	}
	again, err := modelOf(t, func() *buffer { return &buffer{} })
	var texts [2]strings.Builder
	if err := errors.Join(err, theory.Write(&texts[0], th), theory.Write(&texts[1], again)); err != nil {
		t.Fatal(err)
	}
	if texts[0].String() != texts[1].String() {
		t.Errorf("twice is not the same:\n%s\n%s", &texts[0], &texts[1])
	}
	if _, err := theory.Read(strings.NewReader(texts[0].String()), "t"); err != nil {
		t.Errorf("%v\n%s", err, &texts[0])
	}
}

// mutex panics where nobody holds it, and waits where somebody does.
type mutex struct{ held bool }

func (m *mutex) Lock() {
	if m.held {
		panic(reference.Blocked)
	}
	m.held = true
}

func (m *mutex) Unlock() {
	if !m.held {
		panic("not held")
	}
	m.held = false
}

// Outcomes that no signature declares are there if they came.
func TestModelPanics(t *testing.T) {
	th, err := modelOf(t, func() *mutex { return &mutex{} })
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"lock", "lock; unlock", "unlock => panic"}
	if m := th.Spec.Methods[1]; !slices.Equal(th.Status.Trial.Kinds, want) || len(m.Outcomes) != 2 || m.Outcomes[1].Outcome != "panic" {
		t.Errorf("%+v\n%+v", th.Status.Trial, m)
	}
}

// early gives another answer each time, late in long runs only.
type early struct{}

var calls int

func (early) Count() int { calls++; return calls }

type late struct{ n int }

func (l *late) Step() int {
	if l.n++; l.n > 30 {
		return early{}.Count()
	}
	return 0
}

func TestModelBreaks(t *testing.T) {
	th, err := modelOf(t, func() *late { return &late{} })
	if err != nil || len(th.Status.NotCovered) != 2 || !strings.HasPrefix(th.Status.NotCovered[1], "in a long run: ") {
		t.Errorf("%+v, %v", th, err)
	}
	var fault *reference.Fault
	if _, err := modelOf(t, func() early { return early{} }); !errors.As(err, &fault) {
		t.Errorf("%v, want a *reference.Fault", err)
	}
}

// A nondeterministic reference gives no answers, so that none are shown.
func TestModelOfAcceptor(t *testing.T) {
	impl, err := reference.New(reference.Spec{
		New:        func() *buffer { return &buffer{} },
		Accept:     func(r *buffer, c reference.Claim) bool { return true },
		Operations: []reference.Operation{{Name: "len", Func: (func() int)(nil)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	th, err := Model(t.Context(), impl, reference.Info{}, origin.Model{Package: "m"}, "", Options{LongRuns: 16})
	if err != nil || th.Status.Trial.Deterministic || len(th.Status.Trial.Kinds) > 0 {
		t.Errorf("%+v, %v", th, err)
	}
}
