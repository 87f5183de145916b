package adttest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/host/cache"
	"github.com/adtinfer/adtinfer/internal/testing/anytype"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// cell counts; what get answers is up to each test.
type cell struct{ n int }

func newCell() *cell { return &cell{} }

type (
	light   int
	twoInts struct{ A, B int }
	nested  struct {
		P twoInts
		L []int
	}
	mute     struct{}
	typedNil struct{}
)

func (l light) String() string  { return [...]string{"red", "green"}[l] }
func (*mute) Error() string     { panic("no text") }
func (*typedNil) Error() string { return "typed nil" }
func cellOps(f any) []reference.Operation {
	return []reference.Operation{{Name: "get", Func: f}, {Name: "inc", Func: func(c *cell) { c.n++ }}}
}

// of is a method by what it answers at first and later.
func of[T any](first, later T) func(*cell) T {
	return func(c *cell) T {
		if c.n == 0 {
			return first
		}
		return later
	}
}

func with2[T, U any](a T, b U) func(*cell) (T, U) { return func(*cell) (T, U) { return a, b } }

// at is a method that answers with an error at first, and then a value.
func at[T any](beside T, err error, later T) func(*cell) (T, error) {
	return func(c *cell) (T, error) {
		if c.n == 0 {
			return beside, err
		}
		return later, nil
	}
}

func with3[T, U, V any](a T, b U, c V) func(*cell) (T, U, V) {
	return func(*cell) (T, U, V) { return a, b, c }
}

// shapes are methods of references and what an object under test answers instead. What the
// explanation says of it, if that is not what the reference answers.
var shapes = []struct {
	name     string
	ref, own any
	want     string
}{
	{"enum", of(light(0), 1), of(light(7), 7), "answered 7; "},
	{"beside false", with2(0, false), with2(7, false), "answered 7 beside false, which it never does"},
	{"always beside", with2(-1, false), with2(-2, false), "answered -2 beside false, which it never does: beside false, get always answers -1"},
	{"value for none", with2(0, false), with2(5, true), "answered 5"},
	{"error never", at(1, nil, 2), at(0, errShut, 2), "answered error; "},
	{"error never, beside", at(1, nil, 2), at(7, errShut, 2), "answered 7 beside error"},
	{"error alone", of[error](nil, nil), of(errShut, errShut), "answered error; "},
	{"beside an error", at(0, errShut, 2), at(7, errShut, 2), "answered 7 beside errBallotShut, which it never does"},
	{"another error", at(0, errShut, 2), at(0, errTwice, 2), "answered errBallotTwice, which it never does"},
	{"an error of its own", at(0, errShut, 2), at(0, errors.New("no 7"), 2), "answered errNo, which it never does"},
	{"an error of its own, beside", at(0, errShut, 2), at(9, errors.New("no"), 2), "answered 9 beside errNo, which it never does"},
	{"an error of the name", at(0, errShut, 2), at(0, errors.New("ballot-shut"), 2), "answered errBallotShutStrange, which it never does"},
	{"an error of two lines", at(0, errShut, 2), at(0, errors.New("1\n2"), 2), "answered errStrange, which it never does"},
	{"an error without a text", at(0, errShut, 2), at[int](0, &mute{}, 2), "answered errStrange, which it never does"},
	{"typed nil", at(0, errShut, 2), at[int](0, (*typedNil)(nil), 2), "answered errTypedNil, which it never does"},
	{"no error", at(0, errShut, 2), at(0, nil, 2), "answered 0; "},
	{"flag never", of(true, true), of(true, false), "answered false; "},
	{"flag and error", at(false, errShut, true), at(true, errShut, true), "answered true beside errBallotShut"},
	{"text for a number", of[any](1, 2), of[any]("1", "2"), "answered string("},
	{"long for a number", of[any](1, 2), of[any](int64(1), int64(2)), "answered int64("},
	{"nil", of[any](1, 2), of[any](nil, 2), "answered nil; "},
	{"text nil", of[any](nil, 2), of[any]("nil", 2), `answered "nil"; in every order that fits this log it answers nil`},
	{"struct for a number", of[any](1, 2), of[any](twoInts{1, 2}, 2), "answered {1 2}; "},
	{"function", of[any](1, 2), of[any](func() {}, 2), "answered func; "},
	{"pointer", of(new(int), nil), of[*int](nil, nil), "answered nil; "},
	{"struct", of(twoInts{}, twoInts{1, 2}), of(twoInts{0, 9}, twoInts{1, 2}), "answered 0, 9; "},
	{"pointer to a struct", of(&twoInts{}, &twoInts{1, 2}), of(nil, &twoInts{1, 2}), "answered nil; "},
	{"struct beside an error", at(twoInts{}, errShut, twoInts{1, 2}), at(twoInts{0, 3}, errShut, twoInts{1, 2}), "answered 0, 3 beside errBallotShut"},
	{"nested", of(nested{}, nested{}), of(nested{L: []int{1}}, nested{}), "answered 0, 0, [1]; "},
	{"list", of([]int{1}, nil), of([]int{1, 1}, nil), "answered [1 1]; "},
	{"map", of(map[string]int{"a": 1}, nil), of(map[string]int{"b": 1}, nil), "answered map[b:1]; "},
	{"list of any", of([]any{1}, nil), of([]any{"1"}, nil), `answered ["1"]; `},
	{"bytes", of([]byte{1}, []byte{2}), of(nil, []byte{2}), "answered nil; "},
	{"text error", of("a", "b"), of("error", "b"), `answered "error"; `},
	{"text", of("a", "b"), of("\xff\n", "b"), `answered "\xff\n"; `},
	{"time", of(time.Unix(0, 0), time.Unix(1, 0)), of(time.Unix(0, 1), time.Unix(1, 0)), "answered 1970-01-01T00:00:00.000000001Z; "},
	{"error first", with2[error](nil, 1), with2(errShut, 1), `answered ballot: shut, 1; `},
	{"two errors", with2[error, error](nil, nil), with2(errTwice, errShut), `answered ballot: twice beside error`},
	{"three", with3[int, bool, error](1, true, nil), with3(1, false, errShut), "answered 1, false beside error"},
	{"another type", of(1, 2), of("x", "2"), "answered x, which it never does: "},
	{"a larger type", of(uint8(1), 2), of(300, 2), "answered 300, which it never does: "},
	{"an error more", of(1, 2), at(0, errShut, 2), "answered error, which it never does"},
	{"a flag more", of(1, 2), with2(1, false), "answered 1 beside false, which it never does"},
}

// undescribed has nothing describe a reference.
func undescribed(t *testing.T) {
	was := describeReference
	describeReference = func(context.Context, reference.Implementation, reference.Info, describe.Options) (*theory.Theory, error) {
		return nil, errors.New("nothing does")
	}
	t.Cleanup(func() { describeReference = was })
	t.Setenv(cache.Variable, "off")
}

// TestShapes: whatever an object under test answers is a violation with its explanation, and no other failure,
// where the reference or theory has no such answer; so is the saved log. A type that answers as it should has none.
func TestShapes(t *testing.T) {
	if !testsize.Long() {
		undescribed(t)
	}
	for _, s := range shapes {
		spec := reference.Spec{Name: "cell", New: newCell, Operations: cellOps(s.ref)}
		c := Config{New: newCell, Operations: cellOps(s.own), Reference: spec, Rounds: 200, Seed: 1, Threads: 1, Shrink: time.Millisecond, Dir: t.TempDir()}
		t.Run(s.name, func(t *testing.T) {
			f := find(t, c)
			if f == nil || f.Kind != Violation || !strings.Contains(f.String(), "get "+s.want) {
				t.Fatalf("%v, want a violation: get %s", f, s.want)
			}
			if strings.Contains(s.name, "of its own") && !strings.Contains(f.String(), `] get returned the error "no`) {
				t.Errorf("the error's text is missing: %v", f)
			}
			sameAgain(t, c, f)
			c.Operations, c.Dir = cellOps(s.ref), t.TempDir()
			if f := find(t, c); f != nil {
				t.Errorf("what is right fails: %v", f)
			}
			in, err := infer(t.Context(), spec, nil)
			if err != nil {
				t.Fatal(err)
			}
			if typed := strings.Contains(s.want, "("); in.none == nil && !typed { // a theory has no types for what is any
				byTheoryAlone(t, c, in.theory, cellOps(s.own))
			}
		})
	}
}

// sameAgain checks the saved log of a failure again.
func sameAgain(t *testing.T, c Config, f *Failure) {
	t.Helper()
	t.Setenv("ADTTEST_REPLAY", f.Log)
	again := find(t, c)
	t.Setenv("ADTTEST_REPLAY", "")
	if again == nil || again.Kind != Violation || sentenceOf(again) != sentenceOf(f) {
		t.Errorf("the saved log is %v, and was %v", again, f)
	}
}

func sentenceOf(f *Failure) string {
	for _, l := range strings.Split(f.String(), "\n") {
		if strings.Contains(l, ".jsonl:") && strings.Contains(l, "answered") {
			return l
		}
	}
	return ""
}

// byTheoryAlone tests against a theory without its reference: it has the methods of the reference, and what it was
// not seen to answer is a violation or not judged, but never something else.
func byTheoryAlone(t *testing.T, c Config, th *theory.Theory, wrong []reference.Operation) {
	t.Helper()
	var b strings.Builder
	if err := theory.Write(&b, th); err != nil {
		t.Fatal(err)
	}
	c.Theory, c.Reference = filepath.Join(t.TempDir(), "cell.theory.yaml"), nil
	if err := writeFile(c.Theory, []byte(b.String())); err != nil {
		t.Fatal(err)
	}
	if f := find(t, c); f != nil {
		t.Errorf("what is right fails by the theory alone: %v", f)
	}
	c.Operations = wrong
	switch f, err := Find(t.Context(), withDir(t, c)); {
	case err != nil && !strings.Contains(err.Error(), "as it was never seen to"):
		t.Error(err)
	case err == nil && (f == nil || f.Kind != Violation):
		t.Errorf("%v, want a violation", f)
	}
}

// TestRandomShapes: of random types of results, an object that answers something else at one place is a violation,
// and one that does not is none.
func TestRandomShapes(t *testing.T) {
	undescribed(t)
	wrong, right, refused := 0, 0, map[string]int{}
	for seed := range testsize.Samples(300) {
		r := rand.New(rand.NewPCG(seed, 143))
		types := []reflect.Type{anytype.Named(r, 2)}
		for _, t := range []reflect.Type{anytype.Type(r, 1), reflect.TypeFor[any](), reflect.TypeFor[bool](), reflect.TypeFor[error]()} {
			if r.IntN(2) == 0 {
				types = append(types, t)
			}
		}
		if r.IntN(4) == 0 { // an error that is not the last
			types = slices.Insert(types, 0, reflect.TypeFor[error]())
		}
		var answers [3][]reflect.Value
		for i := range answers {
			for _, t := range types {
				answers[i] = append(answers[i], answerOf(r, t))
			}
		}
		own := answers
		k := r.IntN(len(types))
		own[0] = slices.Clone(own[0])
		own[0][k] = answerOf(r, types[k])
		spec := reference.Spec{Name: "cell", New: newCell, Operations: cellOps(answering(types, answers))}
		if _, err := reference.New(spec); err != nil {
			refused["the reference"]++
			continue
		}
		scenario := Scenario{Before: []Call{Do("get"), Do("inc"), Do("get"), Do("inc"), Do("get")}}
		f, err := Find(t.Context(), Config{New: newCell, Operations: cellOps(answering(types, own)), Reference: spec, Scenarios: []Scenario{scenario}, Fixed: true,
			Rounds: 2, Repeat: 1, Seed: 1, Shrink: time.Nanosecond, Dir: t.TempDir()})
		if err != nil && slices.ContainsFunc([]string{"Config.Reference", "hands out", "may be written as"}, func(s string) bool { return strings.Contains(err.Error(), s) }) {
			refused["what logs cannot name"]++
			continue
		}
		differs := textOf(own[0][k]) != textOf(answers[0][k])
		if differs && values.LogText(own[0][k]) == values.LogText(answers[0][k]) {
			continue // only types differ, of which nothing is known beside false or an error
		}
		if err != nil || f != nil && f.Kind != Violation || (f != nil) != differs {
			t.Fatalf("seed %d: %v, %v; %v at %d of %v is %s, not %s", seed, f, err, types[k], k, types, textOf(own[0][k]), textOf(answers[0][k]))
		}
		if differs {
			wrong++
		} else {
			right++
		}
	}
	t.Log(wrong, "wrong,", right, "right; refused:", refused)
	if wrong < 3 || right < 1 {
		t.Errorf("%d wrong and %d right: nothing was tested", wrong, right)
	}
}

// textOf tells values apart, as far as they can be told apart by their texts and types.
func textOf(v reflect.Value) string {
	if v.Kind() == reflect.Interface && !v.IsNil() && v.Type() != reflect.TypeFor[error]() {
		return fmt.Sprintf("%v %s", v.Elem().Type(), values.GoText(v))
	}
	return values.GoText(v)
}

func answerOf(r *rand.Rand, t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch {
	case r.IntN(4) == 0: // zero
	case t == reflect.TypeFor[error]():
		v.Set(reflect.ValueOf([]error{errShut, errTwice, errors.New("no")}[r.IntN(3)]))
	case t == reflect.TypeFor[any]():
		v.Set(reflect.ValueOf([]any{1, "1", int64(1), 2.5, "nil", true, "true", twoInts{1, 2}, []int{1}, ""}[r.IntN(10)]))
	default:
		anytype.Value(r, v)
	}
	return v
}

// answering is a method that gives one of three answers.
func answering(types []reflect.Type, answers [3][]reflect.Value) any {
	return reflect.MakeFunc(reflect.FuncOf([]reflect.Type{reflect.TypeFor[*cell]()}, types, false), func(args []reflect.Value) []reflect.Value {
		return answers[min(args[0].Interface().(*cell).n, 2)]
	}).Interface()
}
