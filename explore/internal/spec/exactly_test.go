package spec

import (
	"reflect"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/history"
)

// TestExactly reads the texts of calls back: their words are those that New made them of.
func TestExactly(t *testing.T) {
	small := ir.Form{Kind: ir.I8, Name: "int8"}
	forms := []ir.Form{integer, small, boolean, text, {Kind: ir.F64}, {Kind: ir.F32}, {Kind: ir.U64}, anyForm, pair, byteSlice, {Of: ir.StructOf},
		{Of: ir.ArrayOf, Length: 2, Parts: []ir.Form{integer}}, {Of: ir.SliceOf, Parts: []ir.Form{integer}, Layout: 4},
		{Of: ir.StructOf, Parts: []ir.Form{pair, integer, boolean}}}
	for _, a := range forms {
		for _, b := range []ir.Form{integer, pair} {
			want, err := New(program(a, b), Options{Values: 3, Most: 4})
			if err != nil {
				t.Fatal(err)
			}
			var all []Exact
			for i, c := range want.Calls {
				all = append(all, Exact{Op: c.Op, Method: "put", Args: want.Labels[i].Args})
			}
			got, err := Exactly(program(a, b), all)
			if err != nil || !reflect.DeepEqual(got.Calls, want.Calls) || !reflect.DeepEqual(got.Labels, want.Labels) {
				t.Errorf("%s: %v %v, want %v %v: %v", typeOf(&a), got, got.Labels, want.Calls, want.Labels, err)
			}
		}
	}
}

func TestExactlyRefuses(t *testing.T) {
	for _, tt := range []struct {
		form       ir.Form
		text, want string
	}{
		{integer, "x", `parameter 1 of (*T).Put is int, and "x" is none`},
		{ir.Form{Kind: ir.I8, Name: "int8"}, "200", `is int8, and "200" is none`},
		{ir.Form{Kind: ir.U64, Name: "uint64"}, "-1", `is uint64, and "-1" is none`},
		{boolean, "2", `is bool, and "2" is none`},
		{anyForm, "v1", `is any, which is given numbers alone, and not "v1"`},
		{pair, "{1}", `is pair, and "{1}" is none`},
		{pair, "1 a", `is pair, and "1 a" is none`},
		{pointer(integer), "1", "is a pointer (*int)"},
		{ir.Form{Of: ir.ChanOf}, "v1", "is a channel, which a log cannot name"},
	} {
		_, err := Exactly(program(tt.form), []Exact{{Method: "put", Args: []history.Value{history.Value(tt.text)}}})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s of %q: %v, want %q", typeOf(&tt.form), tt.text, err, tt.want)
		}
	}
	for _, c := range []Exact{{Op: 1}, {Op: -1}, {Op: 0}} {
		if _, err := Exactly(program(integer), []Exact{c}); err == nil {
			t.Errorf("%+v is a call", c)
		}
	}
	quoted, err := Exactly(program(pair), []Exact{{Args: []history.Value{`{-3 "a b"}`}}})
	if err != nil || int64(quoted.Calls[0].Args[0]) != -3 {
		t.Errorf("%+v, %v", quoted, err)
	}
}
