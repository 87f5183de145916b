package values

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"testing"
)

type pair struct {
	Name  string `json:"name"`
	Count int
}

type shower interface{ Show() string }

type shown struct{ n int }

func (s *shown) Show() string { return fmt.Sprint(s.n) }

// TestErrorsReadBack: an error is what it says, wherever it stands, as logs and programs have it.
func TestErrorsReadBack(t *testing.T) {
	for _, err := range []error{errors.New("gone"), fmt.Errorf("a: %w", errors.New("two words")), named("a"), nil, &os.PathError{Op: "open", Path: "x", Err: os.ErrNotExist}} {
		want, quoted := fmt.Sprint(err), fmt.Sprintf("%q", fmt.Sprint(err))
		if err == nil {
			want, quoted = "nil", "nil"
		}
		v := reflect.ValueOf(&err).Elem()
		if k, text := readBack(v, nil); k != 0 || text != quoted {
			t.Errorf("%v reads as %d, %s, want %s", err, k, text, quoted)
		}
		if text := (&Sequence{}).LogText(v.Type(), v); text != want {
			t.Errorf("%v is written as %s, want %s", err, text, want)
		}
	}
}

// TestSequence passes values and reads them back.
func TestSequence(t *testing.T) {
	ts := Types{Known: []reflect.Type{reflect.TypeFor[pair](), reflect.TypeFor[shown]()}}
	var s Sequence
	pass := func(typ reflect.Type, k int) reflect.Value {
		a := ts.Argument(typ, k)
		return s.Pass(&a)
	}
	p := pass(reflect.TypeFor[*pair](), 1)
	if again := pass(reflect.TypeFor[*pair](), 1); again.Pointer() != p.Pointer() {
		t.Error("the same number is another pointer")
	}
	show := pass(reflect.TypeFor[shower](), 2)
	b := pass(reflect.TypeFor[[]byte](), 3)
	copied := *p.Interface().(*pair)
	for _, tt := range []struct {
		v    any
		k    int
		text string
	}{
		{p.Interface(), 1, ""}, {&copied, 1, ""}, {copied, 1, ""}, {copied.Name, 1, ""}, {show.Interface(), 2, ""},
		{b.Interface(), 3, ""}, {[]*pair{p.Interface().(*pair), {"x", 0}}, 0, "=[1 &{(x) (0)}]"}, {[]any{}, 0, "[]"},
	} {
		if k, text := readBack(reflect.ValueOf(tt.v), s.used); k != tt.k || k == 0 && text != tt.text {
			t.Errorf("%v reads as %d, %s", tt.v, k, text)
		}
	}
	if _, _, ours := s.ReadBack(p.Type(), reflect.ValueOf(&pair{"x", 1})); ours {
		t.Error("a new pointer was passed in")
	}
	s = Sequence{AsGiven: true}
	a, ok := ts.Parse(p.Type(), "&{x 5}")
	given := s.Pass(&a)
	given.Interface().(*pair).Count = 6
	if !ok || s.LogText(p.Type(), given) != "&{x 5}" || s.LogText(p.Type(), p) != "{v1 1038}" || s.LogText(reflect.TypeFor[string](), reflect.ValueOf("a b")) != "a b" {
		t.Error("a pointer of a log does not keep its text")
	}
	if got := GoText(reflect.ValueOf([]*pair{given.Interface().(*pair), given.Interface().(*pair)})); got != "[&{x 6} ^0]" {
		t.Error(got)
	}
	s.Reset()
	if len(s.used)+len(s.made) > 0 {
		t.Error("not forgotten")
	}
}

// TestJSON reads values in JSON.
func TestJSON(t *testing.T) {
	type all struct {
		P    *pair
		L    []float64
		M    map[string]uint8
		A    any
		B    bool
		E    error
		Wide [2]string
	}
	b := Types{}.BasicOf(reflect.TypeFor[all]())
	for _, tt := range []struct{ json, want string }{
		{`{"P":{"name":"x y","Count":-1},"L":[1.0,2.5],"M":{"b":2,"a":1},"A":"3","B":true,"E":"bad","Wide":["",""]}`,
			`{&{"x y" -1} [1 2.5] map[a:1 b:2] "3" true bad ["" ""]}`},
		{`{"P":null,"L":[],"M":{},"A":3,"B":false,"E":null,"Wide":["a","b"]}`, `{nil [] map[] 3 false nil [a b]}`},
		{`{"P":null,"L":[],"M":{},"A":true,"B":false,"E":null,"Wide":["a"]}`, ""},
		{`{"P":null,"L":[],"M":{"a":300},"A":true,"B":false,"E":null,"Wide":["a","b"]}`, ""},
		{`{"P":null,"L":["x"],"M":{},"A":true,"B":false,"E":null,"Wide":["a","b"]}`, ""},
		{`{"P":null}`, ""}, {`[1]`, ""}, {`{"P"`, ""},
	} {
		if got, ok := b.Text(tt.json); ok != (tt.want != "") || ok && got != tt.want {
			t.Errorf("%s: %s, %t", tt.json, got, ok)
		}
	}
}

// TestProblem names the types without values.
func TestProblem(t *testing.T) {
	ts := Types{Object: reflect.TypeFor[pair]()}
	for _, typ := range []reflect.Type{reflect.TypeFor[func()](), reflect.TypeFor[chan int](), reflect.TypeFor[pair](),
		reflect.TypeFor[*pair](), reflect.TypeFor[shower](), reflect.TypeFor[context.Context]()} {
		if ts.Problem(typ) == "" {
			t.Errorf("%s has values", typ)
		}
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[[]pair](), reflect.TypeFor[error](), reflect.TypeFor[fmt.Stringer](), reflect.TypeFor[any]()} {
		if p := ts.Problem(typ); p != "" {
			t.Errorf("%s %s", typ, p)
		}
	}
}
