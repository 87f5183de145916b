package teacher_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// shelf keeps names by numbers that it makes up.
type shelf struct {
	names []string
	open  bool
}

func (s *shelf) Put(name string) int { s.names = append(s.names, name); return len(s.names) }
func (s *shelf) Get(id int) (string, bool) {
	if id < 1 || id > len(s.names) {
		return "", false
	}
	return s.names[id-1], true
}
func (s *shelf) Open(yes bool) bool { was := s.open; s.open = yes; return was }

func newShelf(t *testing.T) reference.Implementation {
	t.Helper()
	impl, err := reference.Of(func() *shelf { return &shelf{} })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { impl.Close() })
	return impl
}

// TestWords looks at random words of all kinds: they are long enough, the same seed
// makes the same, and references take them.
func TestWords(t *testing.T) {
	impl := newShelf(t)
	methods := impl.Methods()
	for seed := range testsize.Samples(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		n, registers := 1+r.IntN(60), r.IntN(5)
		make := func() []teacher.Word {
			g := teacher.NewGenerator(methods, seed)
			g.Registers = registers
			power := g.Powers(1, 100, true)
			return []teacher.Word{g.Random(n), g.Phases(n), power[:n]}
		}
		all := make()
		if !reflect.DeepEqual(all, make()) {
			t.Fatalf("seed %d: other words the second time", seed)
		}
		for _, w := range all {
			if len(w) != n {
				t.Fatalf("seed %d: %d calls, want %d", seed, len(w), n)
			}
		}
		if _, err := impl.Replay(t.Context(), all); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	for i, w := range teacher.Long(methods, 0, 8) {
		if again := teacher.Long(methods, i, i+1)[0]; !reflect.DeepEqual(w, again) || len(w) < 100 || len(w) > teacher.Longest {
			t.Fatalf("long word %d has %d calls, alone %d", i, len(w), len(again))
		}
	}
}

// TestShort counts words: of one method with an argument, one for each pattern of
// equal values.
func TestShort(t *testing.T) {
	methods := newShelf(t).Methods()[1:2]
	for n, want := range []int{1, 1, 2, 5, 14} {
		if got := len(teacher.Short(methods, n)); got != want {
			t.Errorf("%d words of %d calls of %s, want %d", got, n, methods[0].Name, want)
		}
	}
	if !teacher.Affordable(methods, 4) || teacher.Affordable(newShelf(t).Methods(), 12) {
		t.Error("all words of 4 calls of a method are affordable, of 12 calls of three are not")
	}
}

// TestFed feeds words: what is fed in was answered before or is known.
func TestFed(t *testing.T) {
	impl := newShelf(t)
	fed, small := 0, 0
	for seed := range testsize.Samples(500) {
		r := rand.New(rand.NewPCG(seed, 2))
		texts := teacher.Texts{Methods: impl.Methods(), Small: r.IntN(2) == 0}
		w := texts.Of(teacher.NewGenerator(impl.Methods(), seed).Random(20))
		answers, err := teacher.New(impl).Ask(t.Context(), [][]teacher.Call{w})
		if err != nil {
			t.Fatal(err)
		}
		known := []history.Value{"known", "4"}
		again := texts.Fed(w, answers[0], known, r)
		if _, err := teacher.New(impl).Ask(t.Context(), [][]teacher.Call{again}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i := range w {
			for p, v := range again[i].Args {
				if slices.Contains([]history.Value{"-1", "0", "1", "2", "3"}, w[i].Args[p]) {
					small++
				}
				if v == w[i].Args[p] {
					continue
				}
				fed++
				if !slices.Contains(known, v) && !slices.ContainsFunc(answers[0].Labels[:i], func(l history.Label) bool { return slices.Contains(l.Rets, v) }) {
					t.Fatalf("seed %d: call %d of %v has %s from nowhere", seed, i, answers[0].Labels, v)
				}
			}
		}
	}
	if fed == 0 || small == 0 {
		t.Fatalf("%d values were fed, %d are small", fed, small)
	}
}

// TestShorten compares with the smallest lists that fail: those that have some
// items, which is all that Shorten must keep.
func TestShorten(t *testing.T) {
	for seed := range testsize.Samples(2000) {
		r := rand.New(rand.NewPCG(seed, 3))
		list := make([]int, 1+r.IntN(90))
		for i := range list {
			list[i] = i
		}
		var want []int
		for i := range list {
			if r.IntN(8) == 0 {
				want = append(want, i)
			}
		}
		pair := r.IntN(len(list)) // comes and goes with the next one
		has := func(l []int, x int) bool { return slices.Contains(l, x) }
		got, err := teacher.Shorten(list, func(l []int) (bool, error) {
			for _, x := range want {
				if !has(l, x) {
					return false, nil
				}
			}
			return has(l, pair) == has(l, pair+1) || pair+1 == len(list), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if has(want, pair) != has(want, pair+1) && pair+1 < len(list) {
			if !has(want, pair) {
				want = append(want, pair)
			} else {
				want = append(want, pair+1)
			}
			slices.Sort(want)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: of %d items %v are left, want %v (pair %d)", seed, len(list), got, want, pair)
		}
	}
}

// TestTelling: words have values that methods take, of all groups, and the same each time.
func TestTelling(t *testing.T) {
	methods := newShelf(t).Methods()
	seen := map[history.Value]bool{}
	for i := range 500 {
		w := teacher.Telling(methods, i)
		if !reflect.DeepEqual(w, teacher.Telling(methods, i)) {
			t.Fatalf("word %d is another the second time", i)
		}
		for _, c := range w {
			for p, v := range c.Args {
				if _, ok := methods[c.Method].Params[p].Text(string(v)); !ok {
					t.Errorf("word %d: %s does not take %q", i, methods[c.Method].Name, v)
				}
				seen[v] = true
			}
		}
	}
	for _, v := range []history.Value{"", "AB", " ab", "abc", "a/b", "a.b.c", "-1", "0", "1000000", "true"} {
		if !seen[v] {
			t.Errorf("no word has the value %q", v)
		}
	}
}

type basket struct{ vs []any }

func (b *basket) Add(vs []string, to map[int]*string, err error) { b.vs = append(b.vs, vs, to, err) }
func (b *basket) Put(v any, n int)                               { b.vs = append(b.vs, v, n) }

// TestShaped: values are of their types, and there are those that Numbered does not have.
func TestShaped(t *testing.T) {
	impl, err := reference.Of(func() *basket { return &basket{} })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { impl.Close() })
	methods, seen := impl.Methods(), map[history.Value]bool{}
	for i := range 300 {
		for _, w := range [][]teacher.Call{teacher.Shaped(methods, i), teacher.Nil(methods, i, func(m, p int) bool { _, ok := methods[m].Params[p].Nilable(); return ok && p == 2-2*m })} {
			if _, err := teacher.New(impl).Ask(t.Context(), [][]teacher.Call{w}); err != nil {
				t.Fatalf("word %d: %v", i, err)
			}
			for _, c := range w {
				for p, v := range c.Args {
					if _, ok := methods[c.Method].Params[p].Text(string(v)); !ok {
						t.Errorf("word %d: %s does not take %q", i, methods[c.Method].Name, v)
					}
					seen[v] = true
				}
			}
		}
	}
	for _, v := range []history.Value{"[]", "[v1 v2]", "[v2 v1 v2]", "map[]", "map[1038:nil]", "map[1038:&v1 1075:&v3]", "nil", "v1"} {
		if !seen[v] {
			t.Errorf("no word has %q", v)
		}
	}
	if teacher.Shaped(newShelf(t).Methods(), 1) != nil {
		t.Error("values without parts have another shape")
	}
}

type dial struct{ at float64 }

func (d *dial) Turn(to float64) { d.at = to }
func (d *dial) At() float64     { return d.at }

// TestTellingText: values have the text that answers have.
func TestTellingText(t *testing.T) {
	impl, err := reference.Of(func() *dial { return &dial{} })
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	for i := range 200 {
		for _, c := range teacher.Telling(impl.Methods(), i) {
			for p, v := range c.Args {
				if b := impl.Methods()[c.Method].Params[p]; b.Canonical(string(v)) != string(v) {
					t.Fatalf("%s, and answers have %s", v, b.Canonical(string(v)))
				}
			}
		}
	}
}
