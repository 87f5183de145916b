package equations

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// counter is a set with two observers and two methods.
func counter(t testing.TB, add string) *Set {
	t.Helper()
	s, err := Parse(&Document{
		Methods: []MethodText{
			{Name: "add", Params: []string{"n int"}, Answers: []string{"answer add word"}},
			{Name: "get", Answers: []string{"answer get int"}, Pure: true},
		},
		Observers: []ObserverText{
			{Name: "add", Params: []string{"n int"}, Sort: "word", Method: "add", Is: `false if n < 0; true otherwise`},
			{Name: "get", Sort: "int", Method: "get", Start: "0", After: []AfterText{{"add", add}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestMachine: closed laws answer as the counter that they are of.
func TestMachine(t *testing.T) {
	s := counter(t, "get() + n if answer == true; get() otherwise")
	if !s.Closed() {
		t.Fatal("not closed")
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range testsize.Samples(2_000) {
		m := NewMachine(s)
		st, sum := m.Start(), int64(0)
		for range 1 + rnd.IntN(50) {
			n := int64(rnd.IntN(9) - 3)
			got, err := m.Answer(st, 0, []Value{IntOf(n)})
			if err != nil || got[0] != s.Store.Truth(n >= 0) {
				t.Fatalf("add(%d) answers %v, %v", n, got, err)
			}
			if st = m.After(st, 0, []Value{IntOf(n)}, got); n >= 0 {
				sum += n
			}
			got, err = m.Answer(st, 1, nil)
			if err != nil || got[0] != IntOf(sum) {
				t.Fatalf("get answers %s, want %d", s.Store.Text(got[0]), sum)
			}
			if m.After(st, 1, nil, got) != st {
				t.Fatal("a pure method changes the state")
			}
		}
	}
}

// TestOpen: laws are not closed where something is missing.
func TestOpen(t *testing.T) {
	for law, closed := range map[string]bool{"get()": true, "?": false, "get() + n if answer == true": false, "n if n == n": false, "": false} {
		if got := counter(t, law).Closed(); got != closed {
			t.Errorf("%q: closed is %v, want %v", law, got, closed)
		}
	}
}

// TestParse: what is no law is refused, with a place.
func TestParse(t *testing.T) {
	for _, text := range []string{
		"get(", "get(1, 2)", "gte()", "n +", "n if", "n; n", "1 if n == n; ", "n n", "len(n, n)", `"open`, "99999999999999999999999", "n if n; n otherwise; n", "[1 2", "map[1 2]", "(n", "-n", "'", "!n",
	} {
		if _, err := Parse(&Document{
			Methods:   []MethodText{{Name: "add", Params: []string{"n int"}, Answers: []string{"answer get int"}}},
			Observers: []ObserverText{{Name: "get", Params: []string{"n int"}, Sort: "int", Start: text}},
		}); err == nil {
			t.Errorf("%q is no error", text)
		}
	}
}

// random makes expressions of all forms.
type random struct {
	*rand.Rand
	*Set
	names []string
}

func (r *random) value(depth int) Value {
	switch r.IntN(8 - 3*min(depth, 1)) {
	case 0, 1:
		return IntOf(int64(r.IntN(7) - 3))
	case 2:
		return r.Store.Plain(Text, []string{"", "a", "b c", `"`, "if", "\n"}[r.IntN(6)])
	case 3:
		return r.Store.Plain(Word, []string{"ok", "ErrFull", "in", "two words", "nil", "true", "1st"}[r.IntN(7)])
	case 4:
		return r.Store.Plain(Other, "1.5")
	}
	kind := []Kind{List, Record, Map}[r.IntN(3)]
	var parts []Value
	for range r.IntN(3) {
		parts = append(parts, r.value(depth+1))
		if kind == Map {
			parts = append(parts, r.value(depth+1))
		}
	}
	return r.Store.Compound(kind, parts)
}

func (r *random) expr(depth int) *Expr {
	switch r.IntN(4 - min(depth/3, 2)) {
	case 0:
		return NewVar([]string{"x", "x'", "answer"}[r.IntN(3)], 0)
	case 1:
		return r.Store.NewConst(r.value(0))
	case 2:
		return NewObs("get", 0, r.expr(depth+1))
	}
	name := r.names[r.IntN(len(r.names))]
	args := make([]*Expr, operators[name].args)
	for i := range args {
		args[i] = r.expr(depth + 1)
	}
	return NewOp(name, args...)
}

// TestTexts: the text of a law reads as the law.
func TestTexts(t *testing.T) {
	s := &Set{Store: NewStore(), Observers: []Observer{{Name: "get", Params: []Param{{"k", Ints}}}}}
	r := &random{Rand: rand.New(rand.NewPCG(3, 4)), Set: s}
	for name := range operators {
		r.names = append(r.names, name)
	}
	slices.Sort(r.names)
	scope := []Param{{"x", Ints}, {"x'", Ints}, {"answer", Words}}
	for range testsize.Samples(40_000) {
		var l Law
		for range r.IntN(3) {
			l.Rules = append(l.Rules, Rule{r.expr(1), r.expr(1)})
		}
		l.Rules = append(l.Rules, Rule{nil, r.expr(1)})
		text := l.String()
		read, err := s.parse(text, scope)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if again := read.String(); again != text {
			t.Fatalf("%s\nreads as\n%s", text, again)
		}
		if len(read.Rules) != len(l.Rules) || !read.Rules[len(read.Rules)-1].Then.Equal(l.Rules[len(l.Rules)-1].Then) {
			t.Fatalf("%s reads as another law", text)
		}
	}
}

// FuzzParse: no text breaks the reader, and what it reads it writes so that it reads the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"n + 1 if n < get(n); first([1 2]) otherwise", "{1 \"a\"}", "map[1:2]", "`two words`", "!in", "a !in b", "-5", "#\"1.5\"", "([#0])"} {
		f.Add(text)
	}
	s := &Set{Store: NewStore(), Observers: []Observer{{Name: "get", Params: []Param{{"k", Ints}}}}}
	scope := []Param{{"n", Ints}}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := s.parse(text, scope)
		if err != nil {
			return
		}
		if again, err := s.parse(l.String(), scope); err != nil || again.String() != l.String() {
			t.Errorf("%q is written as %q: %v", text, l.String(), err)
		}
	})
}

// TestOperators: operators of lists, against what they are in Go.
func TestOperators(t *testing.T) {
	s := NewStore()
	list := func(ns []int64) Value {
		var vs []Value
		for _, n := range ns {
			vs = append(vs, IntOf(n))
		}
		return s.Compound(List, vs)
	}
	rnd := rand.New(rand.NewPCG(5, 6))
	for range testsize.Samples(20_000) {
		l := make([]int64, rnd.IntN(5))
		for i := range l {
			l[i] = int64(rnd.IntN(4))
		}
		x := int64(rnd.IntN(4))
		sorted := slices.Sorted(slices.Values(l))
		without := slices.Clone(l)
		if i := slices.Index(l, x); i >= 0 {
			without = slices.Delete(without, i, i+1)
		}
		back := slices.Clone(l)
		slices.Reverse(back)
		sum, count := int64(0), int64(0)
		for _, n := range l {
			if sum += n; n == x {
				count++
			}
		}
		at := min(int(x), len(l))
		for op, want := range map[string]Value{
			"append": list(append(slices.Clone(l), x)), "prepend": list(append([]int64{x}, l...)), "without": list(without),
			"take": list(l[:at]), "drop": list(l[at:]), "count": IntOf(count),
			"insert": list(slices.Sorted(slices.Values(append(slices.Clone(sorted), x)))),
		} {
			from := list(l)
			if op == "insert" {
				from = list(sorted)
			}
			if got := s.Applied(op)([]Value{from, IntOf(x)}); got != want {
				t.Fatalf("%s(%v, %d) is %s", op, l, x, s.Text(got))
			}
		}
		y := int64(rnd.IntN(6) - 1)
		for op, want := range places(l, int(y), int(x)) {
			args := []Value{list(l), IntOf(y), IntOf(x)}
			if got := s.Applied(op)(args[:operators[op].args]); got != Undefined && want == nil || want != nil && got != list(want) {
				t.Fatalf("%s(%v, %d, %d) is %s", op, l, y, x, s.Text(got))
			}
		}
		for op, want := range map[string]Value{"sorted": list(sorted), "reverse": list(back), "sum": IntOf(sum), "len": IntOf(int64(len(l)))} {
			if got := s.Applied(op)([]Value{list(l)}); got != want {
				t.Fatalf("%s(%v) is %s", op, l, s.Text(got))
			}
		}
	}
}

// places are what operators make of a list at a place, element by element; nil: there is no
// such place.
func places(l []int64, at, x int) map[string][]int64 {
	all := map[string][]int64{"insertAt": nil, "replaceAt": nil, "removeAt": nil, "swap": nil}
	for i := range len(l) + 1 {
		if i == at {
			all["insertAt"] = append(append(slices.Clone(l[:i]), int64(x)), l[i:]...)
		}
		if i == at && i < len(l) {
			all["replaceAt"] = append(append(slices.Clone(l[:i]), int64(x)), l[i+1:]...)
			all["removeAt"] = append(slices.Clone(l[:i]), l[i+1:]...)
			if all["removeAt"] == nil {
				all["removeAt"] = []int64{}
			}
			if x < len(l) {
				all["swap"] = slices.Clone(l)
				all["swap"][at], all["swap"][x] = l[x], l[at]
			}
		}
	}
	return all
}

// TestUndefined: no operator breaks on values that do not fit.
func TestUndefined(t *testing.T) {
	s := NewStore()
	r := &random{Rand: rand.New(rand.NewPCG(7, 8)), Set: &Set{Store: s}}
	for name, o := range operators {
		for range testsize.Samples(4_000) {
			args := make([]Value, o.args)
			for i := range args {
				args[i] = r.value(0)
			}
			if v := s.Applied(name)(args); v != Undefined && !v.IsInt() && int(v>>1) >= len(s.nodes) {
				t.Fatal(name)
			}
		}
	}
}

func ExampleMachine() {
	set, err := Parse(&Document{
		Methods:   []MethodText{{Name: "next", Answers: []string{"answer next int"}}},
		Observers: []ObserverText{{Name: "next", Sort: "int", Method: "next", Start: "1", After: []AfterText{{"next", "next() + 1"}}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	m := NewMachine(set)
	st := m.Start()
	var all []string
	for range 3 {
		answer, _ := m.Answer(st, 0, nil)
		all = append(all, set.Store.Text(answer[0]))
		st = m.After(st, 0, nil, answer)
	}
	fmt.Println(strings.Join(all, ", "))
	// Output: 1, 2, 3
}

// TestEnds: laws that would be asked for ever are refused.
func TestEnds(t *testing.T) {
	for _, tt := range []struct{ a, b, start, want string }{
		{"b() + 1", "", "0", ""},
		{"a() + 1", "", "0", "observer a: what it is follows from itself"},
		{"b() + 1", "a() - 1", "", "observer a: what it is follows from itself"},
		{"b()", "", "a() + 1", "observer b: what it is at first follows from observer a, which nothing was before"},
	} {
		d := &Document{Closed: true, Methods: []MethodText{{Name: "a", Answers: []string{"answer a int"}, Pure: true}},
			Observers: []ObserverText{{Name: "a", Sort: "int", Method: "a", Is: tt.a}, {Name: "b", Sort: "int", Is: tt.b, Start: tt.start}}}
		_, err := Parse(d)
		if got := fmt.Sprint(err); got != tt.want && (err != nil || tt.want != "") {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}

// quotaLaws are of what is left of a limit, and would be if there were no limit.
func quotaLaws(first string) *Document {
	return &Document{Closed: true,
		Methods: []MethodText{
			{Name: "use", Params: []string{"who text", "n int"}, Answers: []string{"answer use word"}},
			{Name: "limit", Params: []string{"who text", "n int"}, Answers: []string{"answer limit word"}},
			{Name: "left", Params: []string{"who text"}, Answers: []string{"answer left int"}, Pure: true},
		},
		Observers: []ObserverText{
			{Name: "use", Params: []string{"who text", "n int"}, Sort: "word", Method: "use", Is: "true if n <= left(who); false otherwise"},
			{Name: "limit", Params: []string{"who text", "n int"}, Sort: "word", Method: "limit", Is: "ok"},
			{Name: "left", Params: []string{"who text"}, Sort: "int", Method: "left", Start: "5", After: []AfterText{
				{"use", "left(who') - n if answer == true and who == who'; left(who') otherwise"},
				{"limit", "max(n + left_if(who) - 1000, 0) if who == who'; left(who') otherwise"},
			}},
			{Name: "left_if", Params: []string{"who text"}, Sort: "int", Method: "left", First: first, Start: "1000", After: []AfterText{
				{"use", "left_if(who') - n if answer == true and who == who'; left_if(who') otherwise"},
				{"limit", "left_if(who')"},
			}},
		},
	}
}

// TestFirst: a call that comes first is read and written; one that cannot be made is refused.
func TestFirst(t *testing.T) {
	d := quotaLaws("limit(who, 1000)")
	s, err := Parse(d)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Document(); !reflect.DeepEqual(got, d) {
		t.Errorf("read and written it is %+v, want %+v", got, d)
	}
	if c := s.Observers[3].How.First; c.Method != "limit" || c.Args[0].Form != Var || c.Args[1].ConstOf() != IntOf(1000) {
		t.Errorf("the call is %s", c)
	}
	for _, first := range []string{"limit", "limit(", "limit(who)", "limit(who, 1, 2)", "limit(1, who)", "limit(who, who)", "limit(left(who), 1)", "set(who, 1)", "limit(who, 1) 2", "left_if(who)"} {
		if _, err := Parse(quotaLaws(first)); err == nil {
			t.Errorf("%q is no error", first)
		}
	}
	d.Observers[3].Method = "use" // which has more parameters
	if _, err := Parse(d); err == nil {
		t.Error("who uses how much?")
	}
}

// TestExceeds: numbers that add up to a large one of a call that comes first are not decided,
// for the laws are wrong there.
func TestExceeds(t *testing.T) {
	text, number := values.Basic{Kind: values.KindString}, values.Basic{Kind: values.KindInt, Bits: 64}
	m, err := NewModel(quotaLaws("limit(who, 1000)"), []history.MethodSig{
		{Name: "use", Params: []values.Basic{text, number}, Results: []values.Basic{{Kind: values.KindBool}}},
		{Name: "limit", Params: []values.Basic{text, number}},
		{Name: "left", Params: []values.Basic{text}, Results: []values.Basic{number}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for n, fails := range map[history.Value]bool{"499": false, "500": true, "-500": true, "2000000": true} {
		op := history.Operation{Label: history.Label{Kind: history.Kind{Method: "limit"}, Args: []history.Value{"a", n}}}
		own := m.For(&history.Execution{Ops: []history.Operation{op, op}}).(*Model)
		if err := own.Err(); (err != nil) != fails {
			t.Errorf("two of %s: %v", n, err)
		}
	}
}

// TestHow: an observer is seen in one way, by a method that there is.
func TestHow(t *testing.T) {
	one, two := 1, 2
	for want, o := range map[string]ObserverText{
		"":                       {Name: "all", Sort: "[int]", Method: "get", From: &one, Start: "[]"},
		"from is for the list":   {Name: "all", Sort: "int", Method: "get", From: &one, Start: "0"},
		"without repeat or last": {Name: "all", Sort: "[int]", Method: "get", From: &one, Last: &one, Start: "[]"},
		"new is for the list":    {Name: "all", Sort: "[int]", Method: "get", New: &one, Repeat: "get", Start: "[]"},
		"does not take a new":    {Name: "all", Sort: "[int]", Method: "get", New: &two, Given: []string{"1"}, Start: "[]"},
		"and the others":         {Name: "all", Sort: "[int]", Method: "get", New: &one, Start: "[]"},
	} {
		_, err := Parse(&Document{
			Methods:   []MethodText{{Name: "get", Params: []string{"k int", "n int"}, Answers: []string{"answer get int"}}},
			Observers: []ObserverText{{Name: "get", Params: []string{"k int", "n int"}, Sort: "int", Method: "get", Start: "0"}, o},
		})
		if got := fmt.Sprint(err); !strings.Contains(got, want) || want == "" && err != nil {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
}

// TestNoAnswer: an observer of numbers is nothing of an outcome, for nobody can call it so.
func TestNoAnswer(t *testing.T) {
	s := counter(t, "get() + n if answer == true; get() otherwise")
	m := NewMachine(s)
	for arg, want := range map[Value]Value{s.Store.Plain(Word, "ErrFull"): Undefined, IntOf(1): s.Store.Truth(true)} {
		if got, err := m.Observe(m.Start(), 0, []Value{arg}); err != nil || got != want {
			t.Errorf("add(%s) is %v, %v", s.Store.Text(arg), got, err)
		}
	}
}
