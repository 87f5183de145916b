package patterns_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
)

// row holds values in a row. Where a value is put, taken from and looked at depends on how
// many there are: a deque's ends for one row, any place for another.
type row struct {
	values []int
	places []func(n int) int // by method
}

func (r *row) put(method, v int) {
	r.values = slices.Insert(r.values, r.places[method](len(r.values)), v)
}

func (r *row) look(method int, take bool) (int, bool) {
	n := len(r.values)
	if n == 0 {
		return 0, false
	}
	at := r.places[method](n)
	v := r.values[at]
	if take {
		r.values = slices.Delete(r.values, at, at+1)
	}
	return v, true
}

// place is a method of a row.
type place struct {
	name string // put..., take..., look... or note..., which matches nothing and turns the values before the place
	at   func(n int) int
}

func first(int) int    { return 0 }
func behind(n int) int { return n }
func last(n int) int   { return n - 1 }

// deque has eight methods, of which two do what others do.
var deque = []place{
	{"putFirst", first}, {"putLast", behind}, {"takeFirst", first}, {"takeLast", last},
	{"lookFirst", first}, {"lookLast", last}, {"putLastToo", behind}, {"takeFirstToo", first},
}

// rowOf is a row with some methods, and how its operations match.
func rowOf(methods []place) reference.Spec {
	spec := reference.Spec{Name: "row", New: func() *row {
		r := &row{}
		for _, m := range methods {
			r.places = append(r.places, m.at)
		}
		return r
	}}
	puts, reads := []string{}, []string{"outcome(x) = nil"}
	for i, m := range methods {
		var f any = func(r *row) (int, bool) { return r.look(i, m.name[0] == 't') }
		switch m.name[0] {
		case 'p':
			f = func(r *row, v int) { r.put(i, v) }
			puts = append(puts, "method(x) = "+m.name)
		case 'l':
			reads = append(reads, "method(x) = "+m.name)
		case 'n':
			f = func(r *row) { slices.Reverse(r.values[:r.places[i](len(r.values))]) }
		}
		spec.Operations = append(spec.Operations, reference.Operation{Name: m.name, Func: f})
	}
	x := strings.Join(puts, " | ")
	y := strings.ReplaceAll(x, "(x)", "(y)")
	spec.Language = []reference.Rule{{
		Name: "once", Formula: "forall x:Op, y:Op. (" + x + ") & (" + y + ") & arg(x) = arg(y) -> x = y", Reading: "each value is put at most once",
	}}
	spec.Target = []string{"(" + y + ") & arg(y) = ret(x)", "x = y & (" + x + " | outcome(x) = nil)"}
	spec.ReadOnly = strings.Join(reads, " | ")
	return spec
}

// someRow is a row with methods of which some do what others do, some are the mirror
// image of others, some differ from others only where there are more than so many
// values, and some are anywhere.
func someRow(r *rand.Rand) []place {
	late := func(n int, few, many func(int) int) func(int) int {
		return func(k int) int {
			if k > n {
				return many(k)
			}
			return few(k)
		}
	}
	var methods []place
	for i, what := range append([]string{"put", "take"}, []string{"put", "take", "look", "note"}[r.IntN(4)]) {
		end := last
		if what == "put" || what == "note" {
			end = behind
		}
		table := r.Perm(8)
		anywhere := func(n int) int { return table[n%8] % max(end(n)+1, 1) }
		at := []func(int) int{first, end, first, end, late(1+r.IntN(2), first, end), late(1+r.IntN(2), end, first), anywhere}
		methods = append(methods, place{fmt.Sprint(what, string(rune('A'+i))), at[r.IntN(len(at))]})
	}
	return methods
}

// slowly finds what frontier finds, of histories up to a length, by looking at all: a history
// is good if the reference admits it and all one-step removals are good, and a pattern
// if it does not although they are.
func slowly(t *testing.T, m *matching.Model, weight, length int) (good map[string]bool, found []string) {
	t.Helper()
	byLength := make([][]enumerate.Sequence, length+1)
	m.Links.Histories(enumerate.Bounds{Weight: weight, Length: length}, func(s enumerate.Sequence) bool {
		reads := 0
		for _, o := range s {
			if o.ReadOnly {
				reads++
			}
		}
		if reads <= 1 {
			byLength[len(s)] = append(byLength[len(s)], slices.Clone(s))
		}
		return true
	})
	good = map[string]bool{}
	realizer := m.NewRealizer()
	for _, histories := range byLength {
		for _, s := range histories {
			e, ok := realizer.Realize(s)
			if !ok || !s.Removals(func(_ string, positions []int) bool {
				return good[string(s.Without(nil, positions).AppendKey(nil))]
			}) {
				continue
			}
			admitted, err := m.IsAdmitted(t.Context(), [][]enumerate.Label{slices.Clone(e)})
			if err != nil {
				t.Fatal(err)
			}
			if key := string(s.AppendKey(nil)); admitted[0] {
				good[key] = true
			} else {
				found = append(found, key)
			}
		}
	}
	return good, found
}

// The frontier against all histories, for methods that do the same, or nearly.
func TestFrontierAgainstAllHistories(t *testing.T) {
	const length = 5
	patternsFound := 0
	for seed := range testsize.Samples(60) {
		methods := someRow(rand.New(rand.NewPCG(seed, 0)))
		f, _ := frontier(t, methods)
		good, want := slowly(t, f.Model, 3, length)
		var found []string
		for _, s := range f.Found {
			if len(s) <= length {
				found = append(found, string(s.AppendKey(nil)))
			}
		}
		admitted := map[string]bool{}
		for key := range f.Admitted {
			if len(key) <= 2*length {
				admitted[key] = true
			}
		}
		slices.Sort(found)
		slices.Sort(want)
		if diff := cmp.Diff(want, found); diff != "" {
			t.Fatalf("seed %d, %v: patterns (-all +frontier):\n%s", seed, methods, diff)
		}
		if diff := cmp.Diff(good, admitted); diff != "" {
			t.Fatalf("seed %d, %v: admitted (-all +frontier):\n%s", seed, methods, diff)
		}
		patternsFound += len(found)
	}
	t.Logf("%d patterns", patternsFound)
}

// counting counts what a reference is asked.
type counting struct {
	reference.Implementation
	sequences, calls int
}

func (c *counting) Replay(ctx context.Context, seqs [][]reference.Call) ([][]reference.Answer, error) {
	c.sequences += len(seqs)
	for _, s := range seqs {
		c.calls += len(s)
	}
	return c.Implementation.Replay(ctx, seqs)
}

// frontier searches up to weight 3, and counts what the reference is asked.
func frontier(t *testing.T, methods []place) (*patterns.FrontierSearch, *counting) {
	t.Helper()
	spec := rowOf(methods)
	impl, err := reference.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { impl.Close() })
	c := &counting{Implementation: impl}
	return patterns.Frontiers(t, c, spec, 3), c
}

// What a search costs: the reference is asked once about each history that is admitted or a
// pattern, beside the executions that show the kinds, and few extensions are made for
// each. The numbers grow where work is done twice.
func TestWorkOfASearch(t *testing.T) {
	testsize.NeedsLong(t)
	for _, c := range []struct{ methods, admitted, found, made, sequences, calls int }{
		{4, 833, 58, 7_000, 3_000, 15_000},
		{6, 5_771, 148, 165_000, 7_500, 42_000},
		{8, 51_861, 593, 1_550_000, 57_000, 355_000},
	} {
		if c.methods > 6 && !testsize.Nightly() {
			break // its numbers are those of 6 methods, some eight times as large
		}
		s, asked := frontier(t, deque[:c.methods])
		if len(s.Admitted) != c.admitted || len(s.Found) != c.found || s.Candidates != c.admitted+c.found-1 {
			t.Errorf("%d methods: %d candidates, %d admitted, %d patterns; want %d, %d, and no others",
				c.methods, s.Candidates, len(s.Admitted), len(s.Found), c.admitted, c.found)
		}
		if s.Made > c.made || asked.sequences > c.sequences || asked.calls > c.calls {
			t.Errorf("%d methods: %d extensions, %d sequences of %d calls asked; at most %d, %d, %d",
				c.methods, s.Made, asked.sequences, asked.calls, c.made, c.sequences, c.calls)
		}
	}
}
