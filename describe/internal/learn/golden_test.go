package learn_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/describe/internal/learn"
	"github.com/adtinfer/adtinfer/describe/internal/product"
	"github.com/adtinfer/adtinfer/internal/testing/golden"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// sizes are locations and registers of the automata of types, or of the part of one
// key.
var sizes = map[string]string{
	"mutex": "2/0", "latch": "2/0", "ownerlock": "2/1", "lease": "2/1", "fencing": "2/1", "ratelimiter": "4/0", "semaphore": "4/0",
	"once": "2/1", "register": "1/1", "casregister": "1/1", "swapregister": "2/1", "optregister": "2/1", "slot": "2/1", "snapshot": "1/2",
	"bounded2": "3/2", "bounded100": "101/100", "chanqueue": "3/2",
	"ring1": "2/1", "ring3": "4/3", "ring4": "5/4", "ring5": "6/5", "ring6": "7/6", "ring8": "9/8", "ring16": "17/16",
	"lru2": "3/4", "lru4": "5/8", "lrulist": "3/4",
}

var partSizes = map[string]string{
	"set": "2/0", "presence": "2/0", "setlen": "2/0", "sessions": "2/0", "syncmap": "2/1", "putifabsent": "2/1",
	"kvbytes": "2/1", "kvcas": "1/1", "ttlcache": "3/1",
}

// infinite are types without an automaton of 40 locations, and what is said of some.
var infinite = map[string]string{
	"fifo": "not finite: 2, 3, 4, 9, 19, 39, 41 locations after rounds", "stack": "", "deque": "", "queuelen": "", "stackempty": "",
	"rwlock": "not finite: 3, 4, 5, 12, 26, 41 locations after rounds", "counter": "not finite: 41 locations after rounds",
	"maxregister": "answers depend on more than which values are equal", "pqmin": "", "pqheap": "", "floormap": "", "unionfind": "",
	"set": "not finite: after 11 calls, arguments are compared with 11 values", "syncmap": "", "closablequeue": "", "workqueue": "", "idpool": "",
	"applog": "", "account": "", "bank": "", "dedupqueue": "", "eventbus": "no call was found for which last has outcome value",
}

// quick are those that plain test runs learn.
var quick = "casregister eventbus fifo"

// TestGolden learns the types of the golden table.
func TestGolden(t *testing.T) {
	for _, typ := range golden.Types() {
		if !testsize.Nightly() && !slices.Contains(testsize.Some(strings.Fields(quick), 2), typ.Name) {
			continue
		}
		want, part, why := sizes[typ.Name], partSizes[typ.Name], ""
		_, not := infinite[typ.Name]
		if want+part == "" && !not {
			continue
		}
		t.Run(typ.Name, func(t *testing.T) {
			pkg, err := reference.Load(t.Context(), typ.Dir(t), typ.Options())
			if err != nil {
				t.Fatal(err)
			}
			defer pkg.Close()
			if not {
				if why = infinite[typ.Name]; why == "" {
					why = "not finite"
				}
				found := learned(t, pkg.Implementation, learn.Options{})
				if found.Automaton != nil || len(found.Why) == 0 || infinite[typ.Name] != "" && found.Why != why {
					t.Errorf("%s; want %s\n%s", found.Why, why, found.Automaton)
				}
			}
			if want != "" {
				sized(t, pkg.Implementation, want)
			}
			if part != "" {
				found, err := product.Find(t.Context(), pkg.Implementation)
				if err != nil || found.Keys == nil {
					t.Fatal(found, err)
				}
				sized(t, found.Part(pkg.Implementation), part)
			}
		})
	}
}

func learned(t testing.TB, impl reference.Implementation, o learn.Options) *learn.Found {
	found, err := learn.Learn(t.Context(), impl, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%v locations after rounds, %d sequences. %s", found.Growth, found.Queries, found.Why)
	return found
}

// sized learns an automaton, and compares it with the reference once more, on more
// words.
func sized(t *testing.T, impl reference.Implementation, want string) {
	found := learned(t, impl, learn.Options{Locations: 140})
	a := found.Automaton
	if a == nil {
		t.Fatal(found.Why)
	}
	if got := size(a); got != want {
		t.Errorf("%s locations and registers, want %s\n%s", got, want, a)
	}
	if err := a.Validate(); err != nil {
		t.Errorf("%v\n%s", err, a)
	}
	words := 1_000
	if testsize.Nightly() {
		words = 100_000
	}
	_, d, err := learn.Compare(t.Context(), impl, a, learn.Comparison{Words: words})
	if err != nil || d != nil {
		t.Fatalf("%v: %v\n%s", err, d, a)
	}
	t.Logf("%d states compared (%s), %d sequences\n%s", found.Extent.States, found.Extent.Why, found.Extent.Words, a)
}

func size(a *automata.Automaton) string {
	registers := 0
	for _, l := range a.Locations {
		registers = max(registers, len(l.Registers))
	}
	return fmt.Sprintf("%d/%d", len(a.Locations), registers)
}

// ring holds up to cap(values) values.
type ring struct{ values []int }

var errFull = errors.New("full")

func (r *ring) Put(x int) error {
	if len(r.values) == cap(r.values) {
		return errFull
	}
	r.values = append(r.values, x)
	return nil
}

func (r *ring) Get() (int, bool) {
	if len(r.values) == 0 {
		return 0, false
	}
	x := r.values[0]
	r.values = r.values[:copy(r.values, r.values[1:])]
	return x, true
}

func newRing(t testing.TB, k int) reference.Implementation {
	impl, err := reference.Of(func() *ring { return &ring{make([]int, 0, k)} })
	if err != nil {
		t.Fatal(err)
	}
	return impl
}

// desk hands out tickets, two at a time.
type desk struct {
	last int
	out  []int
}

func (d *desk) Take() (int, bool) {
	if len(d.out) == 2 {
		return 0, false
	}
	d.last += 7
	d.out = append(d.out, d.last)
	return d.last, true
}

func (d *desk) Give(ticket int) bool {
	i := slices.Index(d.out, ticket)
	if i >= 0 {
		d.out = slices.Delete(d.out, i, i+1)
	}
	return i >= 0
}

// TestMade learns a type that makes values up.
func TestMade(t *testing.T) {
	impl, err := reference.Of(func() *desk { return &desk{} })
	if err != nil {
		t.Fatal(err)
	}
	const want = `-> (empty)        take               => new    (holds1 answer)
                  give(x)            => false  (empty)
   (holds1 r)     take               => new    (holds2 r, answer)
                  give(x)  if x = r  => true   (empty)
                           otherwise => false  (holds1 r)
   (holds2 r, s)  take               => -      (holds2 r, s)
                  give(x)  if x = r  => true   (holds1 s)
                           if x = s  => true   (holds1 r)
                           otherwise => false  (holds2 r, s)
`
	found := learned(t, impl, learn.Options{Words: 100})
	if diff := cmp.Diff(want, found.Automaton.String()); diff != "" || found.Extent.States > 0 {
		t.Error(diff, found.Extent)
	}
}

// cell holds a value for 60 ticks.
type cell struct{ value, left int }

func (c *cell) Set(x int) { c.value, c.left = x, 60 }
func (c *cell) Tick()     { c.left = max(0, c.left-1) }
func (c *cell) Get() (int, bool) {
	if c.left == 0 {
		return 0, false
	}
	return c.value, true
}

// TestFar learns a type that looks like a smaller one for long.
func TestFar(t *testing.T) {
	testsize.NeedsLong(t)
	impl, err := reference.Of(func() *cell { return &cell{} })
	if err != nil {
		t.Fatal(err)
	}
	found := learned(t, impl, learn.Options{Words: 500})
	if found.Automaton == nil || size(found.Automaton) != "61/1" || found.Extent.States == 0 {
		t.Errorf("%+v\n%s", found, found.Automaton)
	}
}

// lock has an owner, who is "" if there is none.
type lock struct{ owner string }

func (l *lock) Acquire(who string) bool {
	if who == "" || l.owner != "" && l.owner != who {
		return false
	}
	l.owner = who
	return true
}

func (l *lock) Release(who string) bool {
	if l.owner == "" || l.owner != who {
		return false
	}
	l.owner = ""
	return true
}

// TestEmptyText learns a type to which the empty text, its own zero value, is no value
// like others.
func TestEmptyText(t *testing.T) {
	impl, err := reference.Of(func() *lock { return &lock{} })
	if err != nil {
		t.Fatal(err)
	}
	const want = `-> (empty)    acquire(x)  if x = "" => false  (empty)
                          otherwise => true   (holds x)
              release(x)            => false  (empty)
   (holds r)  acquire(x)  if x = r  => true   (holds r)
                          otherwise => false  (holds r)
              release(x)  if x = r  => true   (empty)
                          otherwise => false  (holds r)
`
	if diff := cmp.Diff(want, learned(t, impl, learn.Options{Words: 100}).Automaton.String()); diff != "" {
		t.Error(diff)
	}
}

// TestSame learns twice: the text is the same.
func TestSame(t *testing.T) {
	const want = `-> (empty)        put(x)             (holds1 x)
                  get    => -        (empty)
   (holds1 r)     put(x)             (holds2 r, x)
                  get    => r        (empty)
   (holds2 r, s)  put(x) => errFull  (holds2 r, s)
                  get    => r        (holds1 s)
`
	for range 2 {
		if diff := cmp.Diff(want, learned(t, newRing(t, 2), learn.Options{Words: 100}).Automaton.String()); diff != "" {
			t.Error(diff)
		}
	}
}

// BenchmarkRing learns rings of k values.
func BenchmarkRing(b *testing.B) {
	for k := 2; k <= 16; k++ {
		b.Run(fmt.Sprint(k), func(b *testing.B) {
			var found *learn.Found
			for b.Loop() {
				found = learned(b, newRing(b, k), learn.Options{Words: 100})
			}
			if got, want := size(found.Automaton), fmt.Sprintf("%d/%d", k+1, k); got != want {
				b.Fatal(got, want)
			}
			b.ReportMetric(float64(found.Queries), "sequences")
		})
	}
}
