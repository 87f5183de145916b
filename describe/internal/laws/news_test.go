package laws

import (
	"slices"
	"testing"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// seats are given out in order, to one name each.
type seats struct {
	free []int
	of   map[string]int
}

func (s *seats) Book(name string) (int, bool) {
	if _, ok := s.of[name]; ok || len(s.free) == 0 {
		return 0, false
	}
	n := s.free[0]
	s.free, s.of[name] = s.free[1:], n
	return n, true
}

func (s *seats) Cancel(name string) (int, bool) {
	n, ok := s.of[name]
	if ok {
		delete(s.of, name)
		s.free = append(s.free, n)
	}
	return n, ok
}

func newSeats() *seats { return &seats{[]int{4, 7, 5}, map[string]int{}} }

// recent keeps the keys that were used last.
type recent struct{ keys []string }

func (r *recent) Use(key string, n int) (string, bool) {
	if i := slices.Index(r.keys, key); i >= 0 {
		r.keys = slices.Delete(r.keys, i, i+1)
	}
	if r.keys = append(r.keys, key); len(r.keys) <= 3 {
		return "", false
	}
	out := r.keys[0]
	r.keys = r.keys[1:]
	return out, true
}

// TestToNews: the answers to new arguments are those that a loop of calls with names which
// nobody has gets from the object.
func TestToNews(t *testing.T) {
	for _, tt := range []struct {
		name, free string
		make       any
		replayed   func(w *world, path []transition) (want []eq.Value)
	}{
		{"seats", "free_book", newSeats, func(w *world, path []transition) (want []eq.Value) {
			s := newSeats()
			for _, x := range path {
				if name := w.store.TextOf(x.args[0]); w.methods[x.method].GoName == "Book" {
					s.Book(name)
				} else {
					s.Cancel(name)
				}
			}
			for _, name := range []string{"stranger", "other", "third", "fourth"} {
				if n, ok := s.Book(name); ok {
					want = append(want, eq.IntOf(int64(n)))
				}
			}
			return want
		}},
		{"recent", "free_use", func() *recent { return &recent{} }, func(w *world, path []transition) (want []eq.Value) {
			r := &recent{}
			for _, x := range path {
				r.Use(w.store.TextOf(x.args[0]), 0)
			}
			for _, name := range []string{"stranger", "other", "third"} {
				if key, ok := r.Use(name, 0); ok {
					want = append(want, w.store.Plain(eq.Text, key))
				}
			}
			return want
		}},
	} {
		l, runs := begunOf(t, tt.name, tt.make)
		all, err := l.toNews()
		if err != nil || len(all) != 1 || all[0].name != tt.free || len(all[0].params) > 0 {
			t.Fatalf("%s: %+v, %v", tt.name, all, err)
		}
		seen := map[eq.Value]bool{}
		for _, r := range runs {
			for i, x := range r.path {
				var got eq.Value
				if err := l.w.fill(func() { got, _ = l.w.see(x.to, all[0], nil) }); err != nil {
					t.Fatal(err)
				}
				if want := l.w.store.Compound(eq.List, tt.replayed(l.w, r.path[:i+1])); got != want {
					t.Fatalf("%s: %s is %s, want %s", textOf(l.w, r.path[:i+1]), tt.free, l.w.store.Text(got), l.w.store.Text(want))
				}
				seen[got] = true
			}
		}
		if len(seen) < 10 {
			t.Errorf("%s: %d lists", tt.name, len(seen))
		}
	}
}

// TestNoNews: what never ends, or always answers the same, is not asked with new arguments.
func TestNoNews(t *testing.T) {
	for name, make := range map[string]any{
		"tickets":  func() *tickets { return &tickets{open: map[int]string{}} },
		"bank":     func() *bank { return &bank{map[string]int{}} },
		"playlist": func() *playlist { return &playlist{} },
	} {
		l, _ := begunOf(t, name, make)
		if all, err := l.toNews(); err != nil || len(all) > 0 {
			t.Errorf("%s: %v, %v", name, all, err)
		}
	}
}
