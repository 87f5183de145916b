package live

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

// box holds a value of each kind.
type box struct {
	n    int8
	s    string
	full bool
}

func (b *box) Put(n int8, s string) { b.n, b.s, b.full = n, s, true }
func (b *box) Number() (int8, bool) { return b.n, b.full }
func (b *box) Text() *string {
	if !b.full {
		return nil
	}
	return &b.s
}
func (b *box) Wait() { panic(reference.Blocked) }
func (b *box) Empty() {
	if !b.full {
		panic("empty already")
	}
	b.full = false
}

// ask calls a method by name.
func ask(t *testing.T, r *Reference, o *Object, l history.Label) reference.Answer {
	t.Helper()
	m, ok := r.Method(l.Method)
	if !ok {
		t.Fatalf("no method %s; they are %v", l.Method, r.Names())
	}
	args, ok := r.Args(m, l.Args)
	if !ok {
		t.Fatalf("%s does not fit %v", l, r.Params(m))
	}
	return o.Do(m, args, &l)
}

func label(method string, outcome history.Outcome, args []history.Value, rets ...history.Value) history.Label {
	return history.Label{Kind: history.Kind{Method: method, Outcome: outcome}, Args: args, Rets: rets}
}

func TestReference(t *testing.T) {
	r, err := New(reference.Spec{New: func() *box { return &box{} }, Aliases: map[string][]string{"put": {"set", "text"}}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := r.Object()
	if err != nil {
		t.Fatal(err)
	}
	b, _ := r.Object()
	ask(t, r, a, label("set", "", []history.Value{"-7", "x y"}))
	for _, tt := range []struct {
		o    *Object
		l    history.Label
		want reference.Answer
	}{
		{a, label("number", "", nil), reference.Answer{Outcome: history.Some, Rets: []history.Value{"-7"}}},
		{a, label("text", "", nil), reference.Answer{Outcome: history.Some, Rets: []history.Value{"x y"}}}, // the name, not the alias
		{b, label("number", "", nil), reference.Answer{Outcome: history.Nil, Rets: []history.Value{"0"}}},
		{b, label("text", "", nil), reference.Answer{Outcome: history.Nil}},
		{b, label("wait", "", nil), reference.Answer{Blocked: true}},
		{b, label("empty", "", nil), reference.Answer{Outcome: history.Panic}},
		{a, label("empty", "", nil), reference.Answer{Outcome: history.None}},
		{a, label("empty", "", nil), reference.Answer{Outcome: history.Panic}},
		{a, label("number", "", nil), reference.Answer{Outcome: history.Nil, Rets: []history.Value{"-7"}}},
	} {
		got := ask(t, r, tt.o, tt.l)
		if got.Outcome != tt.want.Outcome || got.Blocked != tt.want.Blocked || !slices.Equal(got.Rets, tt.want.Rets) {
			t.Errorf("%s: %+v, want %+v", tt.l.Method, got, tt.want)
		}
	}
	put, _ := r.Method("put")
	for _, bad := range [][]history.Value{{"1"}, {"300", "x"}, {"x", "x"}} {
		if _, ok := r.Args(put, bad); ok {
			t.Errorf("put(%v) fits", bad)
		}
	}
	if _, err := New(reference.Spec{New: 3}); err == nil {
		t.Error("3 is a constructor")
	}
}

// bag is an acceptor: take returns any element.
type bag map[int]bool

func (b bag) accept(c reference.Claim) bool {
	if c.Method == "put" {
		b[c.Args[0].(int)] = true
		return true
	}
	v := c.Rets[0].(int)
	defer delete(b, v)
	return b[v]
}

func TestAcceptor(t *testing.T) {
	r, err := New(reference.Spec{Name: "bag", New: func() bag { return bag{} }, Accept: bag.accept, Operations: []reference.Operation{
		{Name: "put", Func: (func(int))(nil)}, {Name: "take", Func: (func() *int)(nil)}}})
	if err != nil || !r.Acceptor() {
		t.Fatal(err)
	}
	o, err := r.Object()
	if err != nil {
		t.Fatal(err)
	}
	ask(t, r, o, label("put", history.None, []history.Value{"1"}))
	ask(t, r, o, label("put", history.None, []history.Value{"2"}))
	for _, tt := range []struct {
		ret  history.Value
		want bool
	}{{"2", true}, {"2", false}, {"x", false}, {"1", true}} {
		l := label("take", history.Some, nil, tt.ret)
		if got := ask(t, r, o, l); got.Blocked == tt.want || got.Rets[0] != tt.ret {
			t.Errorf("take => %s: %+v, want %t", tt.ret, got, tt.want)
		}
	}
	if l := label("take", history.Some, nil, "1", "2"); !ask(t, r, o, l).Blocked {
		t.Error("take => 1, 2 is accepted")
	}
}

func TestValues(t *testing.T) {
	type name string
	three := 3
	for _, tt := range []struct {
		v    any
		text history.Value
	}{{three, "3"}, {uint8(200), "200"}, {true, "true"}, {name("x"), "x"}, {&three, "3"}, {(*int)(nil), "nil"}, {[]int{1}, "[1]"}} {
		if got := Text(reflect.ValueOf(tt.v)); got != tt.text {
			t.Errorf("%v is %s, want %s", tt.v, got, tt.text)
		}
	}
	for _, tt := range []struct {
		like any
		text history.Value
		want any // nil: it does not fit
	}{{0, "-3", -3}, {uint8(0), "200", uint8(200)}, {uint8(0), "-1", nil}, {int8(0), "200", nil}, {false, "true", true}, {false, "yes", nil}, {name(""), "x", name("x")}} {
		got, err := Parse(reflect.TypeOf(tt.like), tt.text)
		if (err != nil) != (tt.want == nil) || err == nil && got.Interface() != tt.want {
			t.Errorf("%s as %T: %v, %v", tt.text, tt.like, got, err)
		}
	}
	for text, want := range map[history.Value]any{"3": 3, "x": "x"} {
		if got, err := Parse(reflect.TypeFor[any](), text); err != nil || got.Interface() != want {
			t.Errorf("%s as any: %v, %v", text, got, err)
		}
	}
}

// door fails with errors that have names, each in its way.
type door struct{ shut bool }

var errShut = errors.New("door: it is shut")

func (d *door) Shut() error {
	if d.shut {
		return errShut
	}
	d.shut = true
	return nil
}
func (d *door) Enter(n int) error {
	if d.shut {
		return fmt.Errorf("nobody enters: %d", n)
	}
	return nil
}

// TestAnswersAgree: a reference answers call by call as in whole sequences, whatever names its errors have.
func TestAnswersAgree(t *testing.T) {
	for _, spec := range []reference.Spec{
		{New: func() *door { return &door{} }},
		{New: func() *door { return &door{} }, AnyError: true},
		{New: func() *door { return &door{} }, Errors: map[string]error{"ErrShut": errShut}},
	} {
		impl, err := reference.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		r, err := New(spec)
		if err != nil {
			t.Fatal(err)
		}
		o, err := r.Object()
		if err != nil {
			t.Fatal(err)
		}
		var calls []reference.Call
		var got []reference.Answer
		for _, name := range []string{"enter", "shut", "shut", "enter"} {
			m, _ := r.Method(name)
			c := reference.Call{Method: m}
			if name == "enter" {
				c.Values = []history.Value{"3"}
			}
			calls, got = append(calls, c), append(got, ask(t, r, o, label(name, "", c.Values)))
		}
		want, err := impl.Replay(t.Context(), [][]reference.Call{calls})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want[0], got); diff != "" {
			t.Errorf("any error %t, names %v (-sequence +calls):\n%s", spec.AnyError, spec.Errors, diff)
		}
	}
}
