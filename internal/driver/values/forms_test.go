package values

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/internal/testing/anytype"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

type phase int

const (
	closed phase = iota
	open
	halfOpen
)

func (p phase) String() string { return []string{"closed", "open", "half open"}[p] }

type level uint8

func (l level) MarshalText() ([]byte, error) {
	if l > 2 {
		return []byte("unknown"), nil
	}
	return []byte{"abc"[l]}, nil
}

// crossed prints as another number.
type crossed int

func (c crossed) String() string { return strconv.Itoa(int(c) + 1) }

type contact struct {
	Name  string `json:"name"`
	Email string
	Age   int `json:",omitempty"`
}

type (
	embedded struct{ X int }
	pointed  struct{ *embedded }
	twice    struct{ *pointed }
	around   struct {
		embedded
		Y int `json:",string"`
	}
	maybe struct {
		*embedded
		Y *int `json:"y,omitempty,string"`
	}
	hiding struct {
		embedded
		X int
	}
)

// TestForms reads what Go and others print of values.
func TestForms(t *testing.T) {
	noon := time.Date(2024, 5, 6, 12, 0, 0, 500, time.UTC)
	ann := contact{"a", "x@y:z", 3}
	no := func(typ any) refused { return refused{typ} }
	for _, tt := range []struct {
		text string
		want any
	}{
		{"5s", 5 * time.Second}, {"1m30s", 90 * time.Second}, {"5000000000", 5 * time.Second}, {"1e3", time.Duration(1000)}, {"5x", no(time.Second)},
		{"3.0", 3}, {"3e0", 3}, {"3e2", no(uint8(0))}, {"30e-1", 3}, {"+3", 3}, {"0x1f", 31}, {"-0x80", int8(-128)}, {"-0", 0}, {"007", no(0)},
		{"3.5", no(0)}, {"0x", no(0)}, {"1_000", no(0)}, {"3.", no(0)}, {".0", no(0)}, {"", no(0)}, {"-", no(0)}, {"e3", no(0)}, {"9223372036854775808", no(0)},
		{"9223372036854775807.0", math.MaxInt64}, {"1e400", no(0)}, {"3 ", no(0)}, {"--3", no(0)}, {"+-3", no(0)}, {"alice", no(0)}, {"-1", no(uint(0))},
		{"3", 3.0}, {"3e0", 3.0}, {"0x1p4", 16.0}, {"x", no(0.0)}, {"+Inf", math.Inf(1)},
		{"True", true}, {"FALSE", false}, {"1", no(false)}, {"tRUE", no(false)}, {"yes", no(false)}, {"(1+2i)", 1 + 2i},
		{"closed", closed}, {"half open", halfOpen}, {"1", open}, {"Closed", no(open)}, {"b", level(1)}, {"unknown", no(level(0))},
		{"2", no(crossed(0))}, {"64", no(crossed(0))}, {"70", crossed(70)},
		{"{a x@y:z 3}", ann}, {"{Name:a Email:x@y:z Age:3}", ann}, {`{"name":"a","Email":"x@y:z","Age":3}`, ann}, {`{"a" "x@y:z" 3}`, ann},
		{`values.contact{Name:"a", Email:"x@y:z", Age:3}`, ann}, {`other.Contact{Name:"a", Email:"x@y:z", Age:3}`, ann}, {"&{a x@y:z 3}", ann},
		{`{"name":"two words","Email":""}`, contact{Name: "two words"}}, {"{Name:two words Email: Age:0}", contact{Name: "two words"}},
		{"{Name:a Email:b Email:c Age:0}", no(ann)}, {"{Name:a Age:3 Email:x}", no(ann)}, {`{"name":"a","name":"b","Email":""}`, no(ann)},
		{`{"name":"a","Email":"","Phone":1}`, no(ann)}, {`{"name":"a"}`, no(ann)}, {"{a b c}", no(ann)}, {"{Name:a}", no(ann)},
		{"{Name:a Email:x}", struct{ Name, Email string }{"a", "x"}}, {"{Name:a Email}", no(struct{ Name, Email string }{})}, {"{a:b c:d}", struct{ Name, Email string }{"a:b", "c:d"}},
		{"[1 2]", []int{1, 2}}, {"[1.0 0x2]", []int{1, 2}}, {"[1, 2]", []int{1, 2}}, {"[1,2]", []int{1, 2}}, {"[]int{1, 2}", []int{1, 2}}, {"[]", []int{}},
		{"[]int(nil)", []int{}}, {"[1 2 3]", no([2]int{})}, {"[2]int{1, 2}", [2]int{1, 2}}, {"[1 x]", no([]int{})}, {"map[a:1]", no([]int{})},
		{"map[a:1 b:2]", map[string]int{"a": 1, "b": 2}}, {`map[string]int{"b":2, "a":1}`, map[string]int{"a": 1, "b": 2}}, {`{"a":1}`, map[string]int{"a": 1}},
		{`{"a":1,"a":2}`, no(map[string]int{})}, {"map[a:1 a:2]", no(map[string]int{})}, {"map[open:5s]", map[phase]time.Duration{open: 5 * time.Second}},
		{"[97 98]", []byte("ab")}, {"ab", []byte("ab")}, {"[300]", []byte("[300]")}, {"[]", []byte{}}, {`{"B":"YWI="}`, struct{ B []byte }{[]byte("ab")}},
		{`{"B":"ab"}`, no(struct{ B []byte }{})}, {"{[97 98]}", struct{ B []byte }{[]byte("ab")}}, {"{B:[97 98]}", struct{ B []byte }{[]byte("ab")}},
		{`["YWJj"]`, [][]byte{[]byte("abc")}}, {`["YWJj","ZGVm"]`, [][]byte{[]byte("abc"), []byte("def")}}, {`["two words"]`, [][]byte{[]byte("two words")}}, {"[YWJj]", [][]byte{[]byte("YWJj")}},
		{`{"X":1,"Y":"2"}`, around{embedded{1}, 2}}, {`{"X":1,"Y":2}`, no(around{})}, {`{"embedded":{"X":1},"Y":"2"}`, no(around{})}, {"{{1} 2}", around{embedded{1}, 2}},
		{`{"X":0}`, maybe{embedded: &embedded{}}}, {"{}", maybe{}}, {`{"y":"0"}`, maybe{Y: new(int)}}, {`{"y":"x"}`, no(maybe{})}, {`{"X":1}`, no(hiding{})},
		{`{"X":1}`, twice{&pointed{&embedded{1}}}}, {"{}", no(twice{})}, {"{}", pointed{}},
		{noon.String(), noon}, {noon.Format(time.RFC3339Nano), noon}, {fmt.Sprintf("%#v", noon), noon}, {noon.String() + " m=+0.5", noon},
		{noon.String() + " m=x", no(noon)}, {"noon", no(noon)}, {"time.Date(2024, time.May, 32, 0, 0, 0, 0, time.UTC)", no(noon)},
		{"2024-05-06 14:00:00.0000005 +0200 CEST", noon}, {fmt.Sprint(struct{ T time.Time }{noon}), struct{ T time.Time }{noon}},
	} {
		typ := reflect.TypeOf(tt.want)
		if r, is := tt.want.(refused); is {
			if text, ok := (Types{}).BasicOf(reflect.TypeOf(r.as)).Text(tt.text); ok {
				t.Errorf("%q, as a %T, becomes %s", tt.text, r.as, text)
			}
			continue
		}
		if got, ok := parsed(typ, tt.text); !ok || !reflect.DeepEqual(got.Interface(), tt.want) {
			t.Errorf("%q, a %T, becomes %#v, %v, want %#v", tt.text, tt.want, got, ok, tt.want)
		}
	}
}

// refused is the type of a value that a text is not.
type refused struct{ as any }

// parsed is the value that a reference gets for what a log has.
func parsed(typ reflect.Type, log string) (reflect.Value, bool) {
	text, ok := Types{}.BasicOf(typ).Text(log)
	if !ok {
		return reflect.Value{}, false
	}
	a, ok := Types{}.Parse(typ, text)
	return a.Value, ok
}

// isWords reports whether package fmt prints a value so that it can be told from others: all
// strings in it are plain words, and pointers are at the top, where it follows them.
func isWords(v reflect.Value, top bool) bool {
	switch KindOf(v.Type()) {
	case KindString:
		return isWord(v.String())
	case KindAny:
		return v.IsNil() || v.Elem().Kind() != reflect.String || isWord(v.Elem().String()) && anyLeaf(v.Elem().String(), false).kind == KindAny
	case KindPointer:
		return v.IsNil() || top && isWords(v.Elem(), false)
	case KindStruct:
		for i := range v.NumField() {
			if !isWords(v.Field(i), false) {
				return false
			}
		}
	case KindList:
		for i := range v.Len() {
			if !isWords(v.Index(i), false) {
				return false
			}
		}
	case KindMap:
		for _, k := range v.MapKeys() {
			if !isWords(k, false) || !isWords(v.MapIndex(k), false) {
				return false
			}
		}
	}
	return true
}

// TestFormsRandom prints random values in all forms: each is read as the value, or refused.
// So is each text that differs in one character, unless it is another value for Go, too.
func TestFormsRandom(t *testing.T) {
	size := uint64(1000)
	if testsize.Nightly() {
		size = 100_000 // of each of five forms
	}
	read := map[string]uint64{}
	for seed := range uint64(size) {
		r := rand.New(rand.NewPCG(seed, 15))
		typ := anytype.Type(r, 3)
		if r.IntN(8) == 0 {
			typ = []reflect.Type{reflect.TypeFor[phase](), reflect.TypeFor[level](), reflect.TypeFor[contact]()}[r.IntN(3)]
		}
		v := reflect.New(typ).Elem()
		if typ.Name() == "phase" || typ.Name() == "level" {
			v.Set(reflect.ValueOf(r.IntN(3)).Convert(typ))
		} else {
			anytype.Value(r, v)
		}
		forms := map[string]string{"log": LogText(v)}
		if j, err := json.Marshal(v.Interface()); err == nil && !strings.Contains(string(j), `\ufffd`) && validUTF8(v) && (j[0] == '[' || j[0] == '{') {
			forms["JSON"] = string(j)
		}
		if isWords(v, true) {
			forms["%v"], forms["%+v"] = fmt.Sprintf("%v", v), fmt.Sprintf("%+v", v)
		}
		forms["%#v"] = fmt.Sprintf("%#v", v)
		for form, text := range forms {
			got, ok := parsed(typ, text)
			if typ.Kind() == reflect.String || typ.Kind() == reflect.Interface || KindOf(typ) == KindBytes && form != "log" {
				continue // any text is one
			}
			if ok {
				read[form]++
			}
			if ok && LogText(got) != LogText(v) {
				t.Fatalf("seed %d: %s, a %s by %s, becomes %s, not %s", seed, text, typ, form, LogText(got), LogText(v))
			}
			if !ok && form == "log" {
				t.Fatalf("seed %d: %s, a %s, is refused", seed, text, typ)
			}
			near(t, r, typ, text)
		}
	}
	t.Log(read)
	for _, form := range []string{"log", "JSON", "%v", "%+v", "%#v"} {
		if read[form] < size/10 {
			t.Errorf("only %d of %d values were read by %s", read[form], size, form)
		}
	}
}

// near changes a character of a text: it is refused, or what Go's own parsers take it for.
func near(t *testing.T, r *rand.Rand, typ reflect.Type, text string) {
	t.Helper()
	if text == "" {
		return
	}
	i := r.IntN(len(text))
	changed := text[:i] + string("0123456789.eE-+xnT {}[]:\",truems"[r.IntN(32)]) + text[i+1:]
	got, ok := parsed(typ, changed)
	if !ok {
		return
	}
	var want any
	var err error
	switch KindOf(typ) {
	case KindFloat:
		var f float64
		f, err = strconv.ParseFloat(changed, typ.Bits())
		want = reflect.ValueOf(f).Convert(typ)
	case KindInt, KindUint:
		if _, isName := (Types{}).BasicOf(typ).named(changed); isName {
			return
		}
		var f float64
		if d, bad := time.ParseDuration(changed); bad == nil && typ == durationType {
			want = int64(d)
		} else if u, bad := strconv.ParseInt(changed, 0, 64); bad == nil {
			want = u
		} else if u, bad := strconv.ParseUint(changed, 0, 64); bad == nil {
			want = u
		} else if f, err = strconv.ParseFloat(changed, 64); err == nil {
			want = int64(f)
			if math.Abs(f) > 1<<53 {
				return
			}
		}
		if fmt.Sprint(want) != string(appendLeaf(nil, got)) {
			t.Fatalf("%s, a %s, becomes %v, by Go %v (%v)", changed, typ, got, want, err)
		}
		return
	case KindBool:
		want, err = strconv.ParseBool(changed)
	case KindTime:
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999 -0700 MST"} {
			if w, bad := time.Parse(layout, strings.Split(changed, " m=")[0]); bad == nil {
				want = w.UTC()
			}
		}
		if w, is := want.(time.Time); is && !w.Equal(got.Interface().(time.Time)) {
			t.Fatalf("%s becomes %v, by Go %v", changed, got, want)
		}
		return
	default:
		// What is read is written as what is read again.
		if again, ok := parsed(typ, LogText(got)); !ok || LogText(again) != LogText(got) {
			t.Fatalf("%s, a %s, becomes %s and then %v", changed, typ, LogText(got), again)
		}
		return
	}
	if err != nil || fmt.Sprint(want) != fmt.Sprint(got) && fmt.Sprint(want) != "NaN" {
		t.Fatalf("%s, a %s, becomes %v, by Go %v (%v)", changed, typ, got, want, err)
	}
}

// validUTF8 reports whether JSON can have a value's strings.
func validUTF8(v reflect.Value) bool {
	return !strings.Contains(LogText(v), `\x`) && !strings.Contains(LogText(v), "\xff")
}
