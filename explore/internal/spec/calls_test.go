package spec

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/reference"
)

var (
	integer   = ir.Form{Kind: ir.I64, Name: "int"}
	text      = ir.Form{Kind: ir.Str, Name: "string"}
	boolean   = ir.Form{Kind: ir.Bool, Name: "bool"}
	anyForm   = ir.Form{Of: ir.InterfaceOf, Name: "any"}
	fault     = ir.Form{Of: ir.InterfaceOf, Name: "error"}
	byteSlice = ir.Form{Of: ir.SliceOf, Parts: []ir.Form{{Kind: ir.U8, Name: "uint8"}}, Layout: 3}
	pair      = ir.Form{Of: ir.StructOf, Name: "pair", Names: []string{"a", "b"}, Parts: []ir.Form{integer, text}}
)

func pointer(f ir.Form) ir.Form { return ir.Form{Of: ir.PointerTo, Parts: []ir.Form{f}} }

// program has one operation with parameters.
func program(params ...ir.Form) *ir.Program {
	return &ir.Program{Strings: ir.NewStrings(), Types: []*ir.Type{{Name: "nil"}}, Layouts: []*ir.Layout{{}},
		Ops: []ir.Operation{{Method: "put", GoName: "(*T).Put", Params: params}}}
}

// TestValues checks words and texts of values.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		params []ir.Form
		texts  string
		words  [][]ir.Word
	}{
		{nil, "put*", [][]ir.Word{nil}},
		{[]ir.Form{integer}, "put(1)* put(0)*", [][]ir.Word{{1}, {0}}},
		{[]ir.Form{boolean}, "put(true)* put(false)*", [][]ir.Word{{1}, {0}}},
		{[]ir.Form{text}, "put(a)* put(\"\")*", [][]ir.Word{{1}, {0}}},
		{[]ir.Form{{Kind: ir.F64}}, "put(1)* put(0)*", [][]ir.Word{{math.Float64bits(1)}, {0}}},
		{[]ir.Form{{Kind: ir.F32}}, "put(1)* put(0)*", [][]ir.Word{{0x3f800000}, {0}}},
		{[]ir.Form{anyForm}, "put(1)* put(0)*", [][]ir.Word{{1, 1}, {1, 0}}},
		{[]ir.Form{pair}, "put({1 a})* put({0 \"\"})*", [][]ir.Word{{1, 1}, {0, 0}}},
		{[]ir.Form{{Of: ir.StructOf}}, "put({})*", [][]ir.Word{{0}}},
		{[]ir.Form{{Of: ir.ArrayOf, Length: 2, Parts: []ir.Form{integer}}}, "put([1 1])* put([0 0])*", [][]ir.Word{{1, 1}, {0, 0}}},
		{[]ir.Form{byteSlice}, "put(a)* put(\"\")*", [][]ir.Word{{ir.Pointer(1, 0), 1, 1}, {0, 0, 0}}},
		{[]ir.Form{byteSlice, byteSlice}, "put(a,a)* put(a,\"\")* put(\"\",a)* put(\"\",\"\")*", [][]ir.Word{{1 << 32, 1, 1, 1 << 32, 1, 1}, {1 << 32, 1, 1, 0, 0, 0}, {0, 0, 0, 1 << 32, 1, 1}, {0, 0, 0, 0, 0, 0}}},
		{[]ir.Form{integer, boolean}, "put(1,true)* put(1,false)* put(0,true)* put(0,false)*", [][]ir.Word{{1, 1}, {1, 0}, {0, 1}, {0, 0}}},
	} {
		p := program(c.params...)
		l, err := New(p, Options{Values: 2, Most: 4})
		if err != nil {
			t.Errorf("%s: %v", c.texts, err)
			continue
		}
		var texts []string
		var words [][]ir.Word
		for i := range l.Labels {
			texts, words = append(texts, l.Labels[i].String()), append(words, l.Calls[i].Args)
		}
		if got := strings.ReplaceAll(strings.Join(texts, " "), ", ", ","); got != c.texts || !reflect.DeepEqual(words, c.words) {
			t.Errorf("%s, not %s: %v, not %v", got, c.texts, words, c.words)
		}
		for _, g := range p.Globals {
			if len(g.Init) != g.Count {
				t.Errorf("%+v", g)
			}
		}
	}
}

// TestLetters checks that strings are different, and that small types have few values.
func TestLetters(t *testing.T) {
	seen := map[string]bool{}
	for k := 1; k <= 1000; k++ {
		seen[letters(k)] = true
	}
	if len(seen) != 1000 || letters(26)+letters(27)+letters(53) != "zaaba" {
		t.Error(len(seen), letters(26), letters(27), letters(53))
	}
	if l, err := New(program(ir.Form{Kind: ir.I8}), Options{Values: 1000}); err != nil || len(l.Calls) != 127 {
		t.Errorf("%v", err)
	}
}

// TestFresh checks that fresh calls are numbered, each with a value of its own.
func TestFresh(t *testing.T) {
	l, err := New(program(integer, boolean), Options{Values: 2, Most: 3, Fresh: map[string]int{"put": 0}})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for i, c := range l.Calls {
		all = append(all, fmt.Sprint(c.Fresh, c.Args, l.Labels[i].Args))
	}
	want := []string{"1 [1 1] [1 true]", "1 [1 0] [1 false]", "2 [2 1] [2 true]", "2 [2 0] [2 false]", "3 [3 1] [3 true]", "3 [3 0] [3 false]"}
	if !slices.Equal(all, want) {
		t.Errorf("%q", all)
	}
	if _, err := New(program(boolean), Options{Values: 2, Most: 3, Fresh: map[string]int{"put": 0}}); err == nil || !strings.Contains(err.Error(), "(*T).Put: parameter 1 has 2 different values, and 3 calls need one each") {
		t.Errorf("%v", err)
	}
}

// TestCallsRefused checks what is said of parameters without values.
func TestCallsRefused(t *testing.T) {
	for want, params := range map[string][]ir.Form{
		"(*T).Put: parameter 1 is a pointer (*int), which a log cannot name": {pointer(integer)},
		"parameter 2 is a function":                                                                      {integer, {Of: ir.FuncOf}},
		"parameter 1 is the interface fmt.Stringer":                                                      {{Of: ir.InterfaceOf, Name: "fmt.Stringer"}},
		"parameter 1 has a part that is a channel":                                                       {{Of: ir.StructOf, Parts: []ir.Form{{Of: ir.ChanOf}}}},
		"parameter 1 is []string-list: slices are given values if their elements are numbers":            {{Of: ir.SliceOf, Name: "[]string-list", Parts: []ir.Form{pair}}},
		"parameter 1 is an unsafe.Pointer or a complex number":                                           {{Kind: ir.Opaque}},
		"its parameters have more than 1024 combinations":                                                {integer, integer, integer, integer},
		"parameter 1 is a map":                                                                           {{Of: ir.MapOf}},
		"parameter 1 has a part that is a pointer (*[2]a struct), which":                                 {{Of: ir.ArrayOf, Parts: []ir.Form{pointer(ir.Form{Of: ir.ArrayOf, Length: 2, Parts: []ir.Form{{Of: ir.StructOf}}})}}},
		"parameter 1 is a pointer (*[]uint8), which a log cannot name: write a harness that takes what ": {pointer(ir.Form{Of: ir.SliceOf, Parts: []ir.Form{{Kind: ir.U8}}})},
	} {
		if _, err := New(program(params...), Options{Values: 6}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
	if _, err := New(&ir.Program{}, Options{}); err == nil || !strings.Contains(err.Error(), "no operations") {
		t.Errorf("%v", err)
	}
}

// object has results of many shapes, whose answers package reference tells.
type object struct{ n int }

func (o *object) None()                         {}
func (o *object) Int() int                      { return 3 }
func (o *object) Two() (int, string)            { return 3, "nil" }
func (o *object) Ok() (int, bool)               { return 3, true }
func (o *object) NotOk() (int, bool)            { return 3, false }
func (o *object) Ptr() *int                     { return &o.n }
func (o *object) NilPtr() *int                  { return nil }
func (o *object) Any() any                      { return 3 }
func (o *object) NilAny() any                   { return nil }
func (o *object) Yes() bool                     { return true }
func (o *object) No() bool                      { return false }
func (o *object) Fine() error                   { return nil }
func (o *object) Fails() error                  { return fmt.Errorf("failed") }
func (o *object) IntFine() (int, error)         { return 3, nil }
func (o *object) IntFails() (int, error)        { return 0, fmt.Errorf("failed") }
func (o *object) NoFine() (bool, error)         { return false, nil }
func (o *object) YesFails() (bool, error)       { return true, fmt.Errorf("failed") }
func (o *object) OkFine() (int, bool, error)    { return 3, true, nil }
func (o *object) NotOkFine() (int, bool, error) { return 3, false, nil }
func (o *object) Chained() *object              { return o }
func (o *object) Bytes() []byte                 { return []byte("ab") }
func (o *object) NilBytes() []byte              { return nil }
func (o *object) BytesFine() ([]byte, error)    { return nil, nil }
func (o *object) Panics() int                   { panic("no") }

// Strings and interfaces may say what nil and false say.
func (o *object) AnyFalse() any                { return false }
func (o *object) AnyText() any                 { return "nil" }
func (o *object) AnyFalseFails() (any, error)  { return false, fmt.Errorf("failed") }
func (o *object) AnyTextFails() (any, error)   { return "nil", fmt.Errorf("failed") }
func (o *object) NilAnyFails() (any, error)    { return nil, fmt.Errorf("failed") }
func (o *object) AnyTextNotOk() (any, bool)    { return "nil", false }
func (o *object) TextFails() (string, error)   { return "nil", fmt.Errorf("failed") }
func (o *object) TextNotOk() (string, bool)    { return "nil", false }
func (o *object) FalseTextOk() (string, bool)  { return "false", true }
func (o *object) NoTextFails() (string, error) { return "", fmt.Errorf("failed") }

// formOf is a type as a form, as far as the object needs it.
func formOf(t reflect.Type) ir.Form {
	switch t.Kind() {
	case reflect.Int:
		return integer
	case reflect.String:
		return text
	case reflect.Bool:
		return boolean
	case reflect.Slice:
		return byteSlice
	case reflect.Pointer:
		if t == reflect.TypeFor[*object]() {
			return pointer(ir.Form{Of: ir.StructOf, Name: "object"})
		}
		return pointer(integer)
	}
	if t == reflect.TypeFor[error]() {
		return fault
	}
	return anyForm
}

// written is a result as the machine writes it.
func written(v reflect.Value) string {
	switch {
	case v.Kind() == reflect.Slice && v.IsNil():
		return "nil"
	case v.Kind() == reflect.Slice:
		return fmt.Sprint(v.Interface())
	case v.Kind() == reflect.Pointer && v.IsNil(), v.Kind() == reflect.Interface && v.IsNil():
		return "nil"
	case v.Kind() == reflect.Pointer:
		return "&" + fmt.Sprint(v.Elem())
	}
	return fmt.Sprint(v.Interface())
}

// TestAnswer compares outcomes and values with those that a reference has.
func TestAnswer(t *testing.T) {
	spec := reference.Spec{New: func() *object { return &object{7} }}
	impl, err := live.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	named, err := reference.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	defer named.Close()
	o, err := impl.Object()
	if err != nil {
		t.Fatal(err)
	}
	typ := reflect.TypeFor[*object]()
	p := &ir.Program{NewResults: []ir.Form{formOf(typ)}}
	for i := range typ.NumMethod() {
		m := typ.Method(i)
		op := ir.Operation{Method: strings.ToLower(m.Name[:1]) + m.Name[1:]}
		for k := range m.Type.NumOut() {
			op.Results = append(op.Results, formOf(m.Type.Out(k)))
		}
		p.Ops = append(p.Ops, op)
	}
	l, err := New(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for i := range p.Ops {
		n, ok := impl.Method(p.Ops[i].Method)
		if !ok {
			continue
		}
		known++
		want := o.Do(n, nil, nil)
		r := machine.Result{Op: i}
		if want.Outcome == history.Panic {
			r.Panic = "no"
		} else {
			for k, v := range reflect.ValueOf(&object{7}).Method(i).Call(nil) {
				if v.Kind() == reflect.Interface && v.Elem().Kind() == reflect.String {
					r.Texts |= 1 << k
				}
				r.Values = append(r.Values, written(v))
			}
		}
		l.Whole = true
		for _, m := range named.Methods() { // the names of errors
			sig := history.MethodSig{Name: m.Name}
			for _, out := range m.Outcomes {
				sig.Outcomes = append(sig.Outcomes, out.OutcomeSig)
			}
			if m.Name == p.Ops[i].Method {
				l.As(i, &sig)
			}
		}
		outcome, rets := l.Answer(&r)
		if outcome != want.Outcome || !slices.Equal(rets, want.Rets) {
			t.Errorf("%s: %s %q, not %s %q", p.Ops[i].Method, outcome, rets, want.Outcome, want.Rets)
		}
		if outcome == history.Panic {
			continue
		}
		l.Whole = false
		outcome, rets = l.Answer(&r)
		if !slices.ContainsFunc(l.Methods[i].Outcomes, func(o history.OutcomeSig) bool { return o.Outcome == outcome && o.Rets == len(rets) }) {
			t.Errorf("%s: %s is none of %v", p.Ops[i].Method, outcome, l.Methods[i].Outcomes)
		}
	}
	if known != typ.NumMethod() {
		t.Errorf("%d of %d methods are operations", known, typ.NumMethod())
	}
}

// TestRenamed checks that names change wherever they are.
func TestRenamed(t *testing.T) {
	l, err := New(program(integer), Options{Values: 2, Most: 2, Fresh: map[string]int{"put": 0}})
	if err != nil {
		t.Fatal(err)
	}
	if l.Renamed(nil) != l {
		t.Error("copied without need")
	}
	r := l.Renamed(map[string]string{"put": "add"})
	if _, ok := r.Fresh["add"]; !ok || r.Methods[0].Name != "add" || r.Labels[1].Method != "add" || l.Labels[1].Method != "put" {
		t.Errorf("%+v", r)
	}
}
