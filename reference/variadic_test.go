package reference_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

var errUnknown = errors.New("unknown")

type (
	ints    struct{ vs []int }
	words   struct{ known map[string]bool }
	point   struct{ X, Y int }
	times   struct{ last time.Time }
	flags   struct{ set []bool }
	names   []string
	options struct{ v int }
)

func (s *ints) Push(vs ...int) { s.vs = append(s.vs, vs...) }
func (s *ints) PushTo(at int, vs ...int) int {
	s.vs = slices.Insert(s.vs, min(at, len(s.vs)), vs...)
	return len(s.vs)
}
func (s *ints) All() []int                { return s.vs }
func (s *ints) Max(vs ...int) (int, bool) { return slices.Max(append(vs, -1)), len(vs) > 0 }
func (s *ints) Points(ps ...point) int {
	n := 0
	for _, p := range ps {
		n += p.X * p.Y
	}
	return n
}
func (s *ints) Floats(fs ...float64) int { return len(fs) }
func (s *ints) Any(vs ...any) string     { return fmt.Sprint(vs...) }
func (s *ints) Lists(ls ...[]int) int    { return len(slices.Concat(ls...)) }
func (w *words) Add(name string, deps ...string) error {
	for _, d := range deps {
		if !w.known[d] {
			return errUnknown
		}
	}
	w.known[name] = true
	return nil
}
func (t *times) Latest(ts ...time.Time) time.Time {
	return slices.MaxFunc(append(ts, t.last), time.Time.Compare)
}
func (f *flags) Set(bs ...bool) int { f.set = bs; return len(bs) }
func (n *names) Join(by string, more ...string) string {
	*n = append(*n, more...)
	return strings.Join(*n, by)
}
func (o *options) Set(v int, opts ...func(int) int) { o.v = v }
func (o *options) Get() int                         { return o.v }

// TestVariadic: variadic methods take any number of values, none included, as a list.
func TestVariadic(t *testing.T) {
	integers, graph := func() *ints { return new(ints) }, func() *words { return &words{map[string]bool{}} }
	for _, tt := range []struct {
		name  string
		make  any
		calls string
		want  string
	}{
		{"none, one, two", integers, "push []; push [3]; push [4 5]; all", "none; none; none; value ([3 4 5])"},
		{"after another", integers, "pushTo 0 [7]; pushTo 0 [8 9]; pushTo 0 []; all", "value (1); value (3); value (3); value ([8 9 7])"},
		{"answered", integers, "max []; max [3]; max [3 9 4]", "nil; value (3); value (9)"},
		{"structs", integers, "points [{2 3} {4 5}]; points []", "value (26); value (0)"},
		{"floats", integers, "floats [1.5 2]", "value (2)"},
		{"anything", integers, `any [1 x true]; any []`, `value ("1xtrue"); value ("")`},
		{"lists", integers, "lists [[1 2] [] [3]]", "value (3)"},
		{"strings", graph, "add a []; add b [a]; add c [a b]; add d [a x]", "none; none; none; errUnknown"},
		{"times", func() *times { return new(times) }, "latest []", `value ("0001-01-01T00:00:00Z")`},
		{"bools", func() *flags { return new(flags) }, "set []; set [true false true]", "value (0); value (3)"},
		{"of a list", func() *names { return new(names) }, `join - [a b]; join + []; join "" ["c d"]`, `value ("a-b"); value ("a+b"); value ("abc d")`},
		{"options", func() *options { return new(options) }, "set 4; get", "none; value (4)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			impl, err := reference.New(reference.Spec{New: tt.make})
			if err != nil {
				t.Fatal(err)
			}
			var seq []reference.Call
			for part := range strings.SplitSeq(tt.calls, "; ") {
				name, args, _ := strings.Cut(part, " ")
				m := slices.IndexFunc(impl.Methods(), func(m reference.Method) bool { return m.Name == name })
				c := reference.Call{Method: m}
				if first, list, ok := strings.Cut(args, " ["); ok && args[0] != '[' {
					c.Values = []history.Value{history.Value(strings.Trim(first, `"`)), history.Value("[" + list)}
				} else if args != "" {
					c.Values = []history.Value{history.Value(args)}
				}
				seq = append(seq, c)
			}
			answers, err := impl.Replay(t.Context(), [][]reference.Call{seq})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, a := range answers[0] {
				got = append(got, strings.TrimSpace(fmt.Sprint(a.Outcome, " ", strings.Trim(fmt.Sprint(a.Rets), "[]"))))
			}
			if strings.NewReplacer("[", "", "]", "").Replace(tt.want) != strings.NewReplacer("[", "", "]", "").Replace(strings.Join(got, "; ")) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestVariadicNumbers: of the first three values one has no element, and one has two.
func TestVariadicNumbers(t *testing.T) {
	impl, err := reference.New(reference.Spec{New: func() *ints { return new(ints) }})
	if err != nil {
		t.Fatal(err)
	}
	m := slices.IndexFunc(impl.Methods(), func(m reference.Method) bool { return m.Name == "floats" })
	for k, want := range []string{"(1)", "(2)", "(0)", "(1)", "(2)", "(1)"} {
		answers, err := impl.Replay(t.Context(), [][]reference.Call{{{Method: m, Args: []int{k + 1}}}})
		if err != nil || string(answers[0][0].Rets[0]) != want || !impl.Methods()[m].Variadic {
			t.Errorf("%d: %v, %v, want %s", k+1, answers, err, want)
		}
	}
}
