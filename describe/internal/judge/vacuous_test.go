package judge_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/describe/internal/judge"
	"github.com/adtinfer/adtinfer/reference"
)

// Types of which nothing, or little, is left to say.
type (
	once        struct{ done bool }
	broadcaster struct{ to []chan int }
	immutable   struct{ vs []int }
	linked      struct{ vs []int }
	pool        struct{}
	ring        struct{ room int }
	channel     struct{ c chan int }
	logger      struct{ lines []string }
	bus         struct{ on []func(int) }
	stub        struct{}
	fixed       struct{ n int }
	pure        struct{}
	dangling    struct{ next *int }
	waiting     struct{}
	sized       struct{ vs []int }
)

var errNo = errors.New("no")

func (o *once) Do(f func() error) error    { o.done = true; return f() }
func (o *once) Done() bool                 { return o.done }
func (b *broadcaster) Subscribe() chan int { c := make(chan int, 1); b.to = append(b.to, c); return c }
func (b *broadcaster) Send(int)            {}
func (s immutable) Push(v int) immutable   { return immutable{append(s.vs[:len(s.vs):len(s.vs)], v)} }
func (s immutable) Len() int               { return len(s.vs) }
func (s *linked) Push(v int) *linked       { return &linked{append(s.vs[:len(s.vs):len(s.vs)], v)} }
func (s *linked) Len() int                 { return len(s.vs) }
func (p *pool) Get() error                 { return errNo }
func (p *pool) Put(int) error              { return errNo }
func (r *ring) Offer(int) bool             { return r.room > 0 }
func (r *ring) Poll() (int, bool)          { return 0, false }
func (c *channel) Try(v int) bool {
	select {
	case c.c <- v:
		return true
	default:
		return false
	}
}
func (l *logger) Log(s string)      { l.lines = append(l.lines, s) }
func (l *logger) Reset()            { l.lines = nil }
func (b *bus) On(f func(int))       { b.on = append(b.on, f) }
func (b *bus) Emit(v int) int       { return len(b.on) }
func (stub) Put(k, v int) error     { return errNo }
func (stub) Get(k int) (int, error) { return 0, errNo }
func (f *fixed) Limit() int         { return f.n }
func (f *fixed) Name() string       { return "x" }
func (f *fixed) Touch(int)          {}
func (pure) Double(v int) int       { return 2 * v }
func (pure) Positive(v int) bool    { return v > 0 }
func (d *dangling) Add(v int)       { *d.next += v }
func (d *dangling) Get() int        { return *d.next }
func (waiting) Wait() error         { return reference.Blocked }
func (s *sized) Len() int           { return len(s.vs) }

// Types of which there is something to say, if not at once.
type (
	full    struct{ n int }
	breaker struct{ fails int }
	partly  struct{ v int }
	later   struct{ n int }
	mutex   struct{ held bool }
	fluent  struct{ m map[int]bool }
	cell    struct{ v int }
	array   struct{ v [4]int }
)

func (f *full) Take() bool         { f.n++; return f.n <= 100 }
func (b *breaker) Fail()           { b.fails++ }
func (b *breaker) Allow() bool     { return b.fails < 20 }
func (p *partly) Set(v int)        { p.v = v }
func (p *partly) Get() int         { return p.v }
func (p *partly) Rename(int) error { return errNo }
func (l *later) Get() error {
	if l.n++; l.n > 30 {
		return nil
	}
	return errNo
}
func (m *mutex) Lock() error {
	if m.held {
		return reference.Blocked
	}
	m.held = true
	return nil
}
func (f *fluent) Add(v int) *fluent { f.m[v] = true; return f }
func (f *fluent) Has(v int) bool    { return f.m[v] }
func (c *cell) Swap(v int) int      { old := c.v; c.v = v; return old }

func (a *array) Write(i, v int) error {
	if i < 0 || i >= len(a.v) {
		return errNo
	}
	a.v[i] = v
	return nil
}
func (a *array) Read(i int) (int, error) {
	if i < 0 || i >= len(a.v) {
		return 0, errNo
	}
	return a.v[i], nil
}

// TestVacuous: if no answer depends on what was called before there is nothing to say,
// and the message says what is answered; methods that always fail are named.
func TestVacuous(t *testing.T) {
	for name, tt := range map[string]struct {
		make  any
		empty string // in the error
		fails string // in what is said otherwise
	}{
		"function left out":    {func() *once { return new(once) }, "done => false", ""},
		"channel left out":     {func() *broadcaster { return new(broadcaster) }, ": send(1)", ""},
		"immutable value":      {func() immutable { return immutable{} }, "len => 0", ""},
		"immutable pointer":    {func() *linked { return new(linked) }, ": push(1), len => 0", ""},
		"closed":               {func() *pool { return new(pool) }, "get => errNo, put(1) => errNo", ""},
		"no room":              {func() *ring { return new(ring) }, "offer(1) => false, poll => nil", ""},
		"nil channel":          {func() *channel { return new(channel) }, "try(1) => false", ""},
		"writes only":          {func() *logger { return new(logger) }, ": log(a), reset", ""},
		"handlers left out":    {func() *bus { return new(bus) }, "emit(1) => 0", ""},
		"stub":                 {func() stub { return stub{} }, "put(1, 1) => errNo, get(1) => errNo", ""},
		"constants":            {func() *fixed { return &fixed{3} }, `name => "x"`, ""},
		"functions":            {func() pure { return pure{} }, "positive(1) => true", ""},
		"panics":               {func() *dangling { return new(dangling) }, "add(1) => panic, get => panic", ""},
		"waits":                {func() waiting { return waiting{} }, "wait", ""},
		"never changed":        {func() *sized { return new(sized) }, "len => 0", ""},
		"a capacity":           {func() *full { return new(full) }, "", ""},
		"a threshold":          {func() *breaker { return new(breaker) }, "", ""},
		"one that fails":       {func() *partly { return new(partly) }, "", "method Rename always fails, in all of "},
		"fails at first":       {func() *later { return new(later) }, "", ""},
		"mutex":                {func() *mutex { return new(mutex) }, "", ""},
		"fluent":               {func() *fluent { return &fluent{map[int]bool{}} }, "", ""},
		"a value":              {func() *cell { return new(cell) }, "", ""},
		"small indices":        {func() *array { return new(array) }, "", ""},
		"a value, under names": {func() *cell { return &cell{7} }, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			impl, err := reference.New(reference.Spec{New: tt.make})
			if err != nil {
				t.Fatal(err)
			}
			failing, err := judge.Options{Skipped: []string{"method X is skipped"}}.Vacuous(t.Context(), impl)
			var empty *judge.Empty
			switch says := strings.Join(failing, "\n"); {
			case errors.As(err, &empty) != (tt.empty != "") || err != nil && empty == nil:
				t.Error(err)
			case err != nil && (!strings.Contains(err.Error(), tt.empty) || !strings.HasSuffix(err.Error(), "\n  method X is skipped")):
				t.Errorf("%v, which should contain %q", err, tt.empty)
			case (says == "") != (tt.fails == "") || !strings.Contains(says, tt.fails):
				t.Errorf("%q, which should contain %q", says, tt.fails)
			}
		})
	}
}
