package theory

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/typename"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/testing/anytype"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// typed is a theory of a method that takes and returns values of a type.
func typed(b values.Basic) *Theory {
	t := &Theory{Name: "cell", Spec: newSpec()}
	t.Spec.Methods = []history.MethodSig{{Name: "swap", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}},
		Params: []values.Basic{b}, Results: []values.Basic{b}}}
	return t
}

// plainType is a type without what no log depends on: the order of names, and which number an
// ambiguous name is also of.
func plainType(b values.Basic) values.Basic {
	part := func(p *values.Basic) *values.Basic {
		if p == nil {
			return nil
		}
		plain := plainType(*p)
		return &plain
	}
	b.Key, b.Elem = part(b.Key), part(b.Elem)
	b.Fields = slices.Clone(b.Fields)
	for i := range b.Fields {
		b.Fields[i].Basic = plainType(b.Fields[i].Basic)
	}
	b.Names = slices.Clone(b.Names)
	for i := range b.Names {
		if b.Names[i].Twice {
			b.Names[i].Value = 0
		}
	}
	slices.SortFunc(b.Names, func(x, y values.Named) int { return cmp.Compare(x.Text, y.Text) })
	return b
}

// TestTypesRoundTrip: a theory has each type of Go by which values are read, and what is
// written of it fits the schema.
func TestTypesRoundTrip(t *testing.T) {
	schema := compiledSchema(t)
	for seed := range uint64(testsize.Samples(1000)) {
		typ := anytype.Named(rand.New(rand.NewPCG(seed, 41)), 3)
		b := values.Types{}.BasicOf(typ)
		text := written(t, typed(b))
		got := mustRead(t, text).Spec.Methods[0]
		for _, own := range [][]values.Basic{got.Params, got.Results} {
			if diff := gocmp.Diff(plainType(b), plainType(own[0])); diff != "" {
				t.Fatalf("seed %d: %s: -of Go +read:\n%s\n%s", seed, typ, diff, text)
			}
		}
		if again := written(t, typed(got.Params[0])); again != text {
			t.Fatalf("seed %d: %s, written again\n%s", seed, text, again)
		}
		if err := validate(schema, text); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
	}
}

// TestTypes: types as people write them, and what is wrong with others, with its place.
func TestTypes(t *testing.T) {
	schema := compiledSchema(t)
	const head = "apiVersion: adtinfer/v1alpha1\nkind: Theory\nmetadata: {name: t}\nspec:\n  methods:\n    - name: m\n      args: 1\n"
	for _, tt := range []struct {
		text, want string // want: the type that is read, or else an error that begins with !
		form       bool   // the schema knows the error
	}{
		{"int", "int", false}, {"int64", "int", false}, {"duration", "duration", false}, {"[string]", "[string]", false}, {"[[int8]]", "[[int8]]", false},
		{"{map: [string, {pointer: float64}]}", "{map: [string, {pointer: float64}]}", false}, {"{array: bool, length: 2}", "{array: bool, length: 2}", false},
		{"{length: 0, array: any}", "{array: any, length: 0}", false}, {"[uint8]", "bytes", false}, {"{interface: string}", "error", false},
		{"{struct: []}", "{struct: []}", false}, {"{struct: [{name: hits, type: int}]}", "{struct: [{name: hits, type: int}]}", false},
		{`{struct: [{name: Hits, json: hits, omitempty: true, type: int}]}`, "{struct: [{name: Hits, type: int, json: hits, omitempty: true}]}", false},
		{"{enum: int, names: [closed, open, half-open]}", "{enum: int, names: [closed, open, half-open]}", false},
		{`{names: ["", [a, b]], enum: uint8}`, `{enum: uint8, names: ["", [a, b]]}`, false},
		{`{enum: int, names: [], others: "s%d"}`, `{enum: int, names: [], others: "s%d"}`, false},
		{`{own: {enum: int, names: [a], ambiguous: [z, "1"]}}`, `{own: {enum: int, names: [a], ambiguous: ["1", z]}}`, false},
		{"integer", `!8:16: there is no type "integer"`, true}, {"flot64", `!8:16: there is no type "flot64"; did you mean "float64"?`, true},
		{"8", "!8:16: a type is a string, not the number 8", true}, {"{}", "!8:16: a type is a word", true}, {"[]", "!8:16: a list has the type of its elements", true},
		{"[int, int]", "!8:16: a list has the type of its elements", true}, {"{map: string}", "!8:22: a map has the types of its keys and of its values", true},
		{"{mapp: [int, int]}", `!8:17: there is no type {mapp: ...}; did you mean "map"?`, true}, {"{array: int}", `!8:16: the type array needs the field "length"`, true},
		{"{array: int, length: -1}", "!8:37: length is at least 0, not -1", true}, {"{pointer: int, to: int}", `!8:31: the type pointer has no field "to"`, true},
		{"{struct: [{name: a}]}", `!8:26: a field needs the field "type"`, true}, {"{struct: [{name: a b, type: int}]}", "!8:33: a field's name is made of letters", false},
		{"{struct: [{name: a, type: int}, {name: a, type: int}]}", `!8:48: field "a" stands here twice`, false},
		{`{struct: [{name: M, type: {struct: []}, embedded: true}]}`, "{struct: [{name: M, type: {struct: []}, embedded: true}]}", false},
		{"{struct: [{name: a, type: int, embedded: true}]}", "!8:26: an embedded field is a struct", false},
		{"{struct: [{name: a, type: {struct: []}, json: b, embedded: true}]}", "!8:26: an embedded field is a struct", false},
		{"{struct: [{name: a, type: {pointer: integer}, embedded: true}]}", `!8:52: there is no type "integer"`, true},
		{"{struct: [{name: a, type: int, quoted: true}]}", "{struct: [{name: a, type: int, quoted: true}]}", false},
		{"{struct: [{name: a, type: [int], quoted: true}]}", "!8:26: quoted are integers", false},
		{"{enum: string, names: [a]}", "!8:23: an enum is of numbers", false}, {"{enum: int}", `!8:16: the type enum needs the field "names"`, true},
		{"{enum: int, names: []}", "!8:35: an enum names a number at least", false}, {"{enum: int, names: [a, a]}", `!8:39: "a" is the name of two numbers`, false},
		{`{enum: int, names: [a, "7"]}`, `!8:39: "7" is a number`, false}, {"{enum: int, names: [a], ambiguous: [a]}", `!8:35: "a" is the name of two numbers`, false},
		{"{own: {own: int}}", "!8:16: own stands here twice", false}, {"int, int", "!8:15: method m takes 1 argument, and here are the types of 2", false},
		{strings.Repeat("[", 40) + "int" + strings.Repeat("]", 40), "!8:48: types stand in one another 32 deep at most", false},
	} {
		text := head + "      params: [" + tt.text + "]\n      outcomes: [{outcome: none}]\n"
		th, err := Read(strings.NewReader(text), "t")
		if want, bad := strings.CutPrefix(tt.want, "!"); bad {
			if err == nil || !strings.HasPrefix(err.Error(), "t:"+want) {
				t.Errorf("%s: %v, want %s", tt.text, err, want)
			}
		} else if err != nil || typename.Of(th.Spec.Methods[0].Params[0]) != tt.want {
			t.Errorf("%s: %v, want %s", tt.text, err, tt.want)
		}
		if refused := validate(schema, text) != nil; refused != tt.form {
			t.Errorf("%s: refused by the schema: %v", tt.text, refused)
		}
	}
}

// TestResults: results are the values that outcomes carry, with a bool and an error at the
// end, which tell outcomes apart.
func TestResults(t *testing.T) {
	for _, tt := range []struct {
		results, outcomes string
		ok                bool
	}{
		{"[int]", "[{outcome: value, returns: 1}, {outcome: nil}]", true}, {"[int, bool]", "[{outcome: value, returns: 1}, {outcome: nil}]", true},
		{"[int, bool, error]", "[{outcome: value, returns: 1}, {outcome: nil}, {outcome: error}]", true}, {"[int, error]", "[{outcome: value, returns: 1}, {outcome: error}]", true},
		{"[error]", "[{outcome: none}, {outcome: error}]", true}, {"[bool]", `[{outcome: "true"}, {outcome: "false"}]`, true},
		{"[int, bool, error]", "[{outcome: value, returns: 1}, {outcome: error, returns: 2}]", true},
		{"[int, int]", "[{outcome: value, returns: 1}, {outcome: nil}]", false}, {"[int]", "[{outcome: value, returns: 2}]", false},
		{"[int, error, bool]", "[{outcome: value, returns: 1}]", false}, {"[int]", "[{outcome: none}]", false}, {"[int, bool, bool]", "[{outcome: value, returns: 1}]", false},
	} {
		text := "apiVersion: adtinfer/v1alpha1\nkind: Theory\nmetadata: {name: t}\nspec:\n  methods:\n    - name: m\n      results: " + tt.results + "\n      outcomes: " + tt.outcomes + "\n"
		if _, err := Read(strings.NewReader(text), "t"); (err == nil) != tt.ok || err != nil && !strings.HasPrefix(err.Error(), "t:7:16: the outcomes of m carry") {
			t.Errorf("%s of %s: %v", tt.results, tt.outcomes, err)
		}
	}
}

// TestNamedByType: a value that a theory names has the text that logs come to have.
func TestNamedByType(t *testing.T) {
	const automaton = "  automaton: |\n    at first r = %s\n    -> (r)  set(x)  if x = %s    (x)\n                    otherwise  (r)\n            get         => %s  (r)\n"
	for _, tt := range []struct{ param, result, initial, guard, answer, bad string }{
		{"float64", "float64", "0", `"2.5"`, "1", ""}, {"float64", "float64", "0", `"2.50"`, "1", `"2.50" has the text "2.5"`},
		{"float64", "float64", "0", "1", `"1.0"`, `"1.0" has the text "1"`}, {"float64", "float64", `"0.0"`, "1", "1", `"0.0" has the text "0"`},
		{"string", "{enum: int, names: [shut, open]}", `"open"`, `"open"`, "1", ""}, {"string", "{enum: int, names: [shut, open]}", "0", `"open"`, `"open"`, `"open" has the text "1"`},
		{"duration", "duration", "0", `"5s"`, "1", `"5s" has the text "5000000000"`}, {"string", "string", `"5s"`, `"1.0"`, `"True"`, ""},
	} {
		text := "apiVersion: adtinfer/v1alpha1\nkind: Theory\nmetadata: {name: t}\nspec:\n  methods:\n" +
			"    - {name: set, args: 1, params: [" + tt.param + "], outcomes: [{outcome: none}]}\n" +
			"    - {name: get, results: [" + tt.result + "], outcomes: [{outcome: value, returns: 1}]}\n" + fmt.Sprintf(automaton, tt.initial, tt.guard, tt.answer)
		_, err := Read(strings.NewReader(text), "t")
		if (err == nil) != (tt.bad == "") || err != nil && !strings.Contains(err.Error(), tt.bad) {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}

// FuzzTypes: no type makes Read panic, and one that it accepts is written and read as itself.
func FuzzTypes(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(typename.Of(values.Types{}.BasicOf(anytype.Named(rand.New(rand.NewPCG(seed, 42)), 3))))
	}
	f.Fuzz(func(t *testing.T, text string) {
		th, err := Read(strings.NewReader("apiVersion: adtinfer/v1alpha1\nkind: Theory\nmetadata: {name: t}\nspec:\n  methods:\n    - name: m\n      args: 1\n      params: ["+text+"]\n      outcomes: [{outcome: none}]\n"), "t")
		if err != nil || len(th.Spec.Methods) != 1 || len(th.Spec.Methods[0].Params) != 1 {
			return
		}
		b := th.Spec.Methods[0].Params[0]
		if again := mustRead(t, written(t, th)).Spec.Methods[0].Params[0]; !reflect.DeepEqual(plainType(b), plainType(again)) {
			t.Fatalf("%s becomes %s", typename.Of(b), typename.Of(again))
		}
		b.Text("{1 2}")
	})
}
