package live

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/testing/anytype"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// tape answers with tuples, one after the other.
type tape struct{ at int }

type wrapped[T any] struct {
	In   T
	Next *T
}

// resultTypes are those that others are easily mistaken for.
var resultTypes = []reflect.Type{
	reflect.TypeFor[*string](), reflect.TypeFor[**string](), reflect.TypeFor[*[]byte](), reflect.TypeFor[**int](), reflect.TypeFor[*any](), reflect.TypeFor[any](),
	reflect.TypeFor[wrapped[string]](), reflect.TypeFor[*wrapped[[]byte]](), reflect.TypeFor[wrapped[any]](), reflect.TypeFor[[]string](), reflect.TypeFor[[]*string](),
	reflect.TypeFor[map[string]*int](), reflect.TypeFor[string](), reflect.TypeFor[float64](), reflect.TypeFor[bool](), reflect.TypeFor[[]byte](), reflect.TypeFor[error](),
}

// tuples makes the type of a method's results, and tuples of it of which some differ in little.
func tuples(r *rand.Rand) (types []reflect.Type, all [][]reflect.Value) {
	for range 1 + r.IntN(3) {
		if r.IntN(2) == 0 {
			types = append(types, resultTypes[r.IntN(len(resultTypes)-1)])
		} else {
			types = append(types, anytype.Named(r, 2))
		}
	}
	if r.IntN(3) == 0 {
		types = append(types, reflect.TypeFor[bool]())
	}
	if r.IntN(3) == 0 {
		types = append(types, reflect.TypeFor[error]())
	}
	for len(all) < 12 {
		var tuple []reflect.Value
		if len(all) > 0 && r.IntN(2) > 0 {
			tuple = slices.Clone(all[r.IntN(len(all))])
			i := r.IntN(len(tuple))
			tuple[i] = anyValue(r, types[i])
		} else {
			for _, t := range types {
				tuple = append(tuple, anyValue(r, t))
			}
		}
		all = append(all, tuple)
	}
	return types, all
}

var codecErrors = []error{errors.New("false"), errors.New("nil"), fmt.Errorf("two words: %q", "x"), errShut}

func anyValue(r *rand.Rand, t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch {
	case r.IntN(8) == 0: // zero
	case t.Kind() == reflect.Interface && t.NumMethod() > 0:
		v.Set(reflect.ValueOf(codecErrors[r.IntN(len(codecErrors))]))
	case t.Kind() == reflect.String && r.IntN(2) == 0:
		v.SetString([]string{"nil", "false", "&x", "true", "_", "<nil>", " a", "&", "0", "{}", "[97]", "(1)", "-", "empty"}[r.IntN(14)])
	case t.Kind() == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(anyValue(r, t.Elem()))
	case v.CanFloat() && r.IntN(2) == 0:
		v.SetFloat([]float64{math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 1e300, 0.1}[r.IntN(6)])
	default:
		anytype.Value(r, v)
	}
	return v
}

// TestCodec: whatever a method returns, its label says all of it, call by call as in whole sequences: labels
// of different answers differ, those of equal ones are equal, and the values of a label are those of the answer.
func TestCodec(t *testing.T) {
	seeds := testsize.Samples(3000)
	answers, refused := uint64(0), map[string]int{}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 41))
		types, all := tuples(r)
		n, err := codec(t, types, all)
		answers += n
		if f := new(reference.Fault); errors.As(err, &f) {
			refused[f.Reason]++
		} else if err != nil {
			refused[err.Error()[:min(len(err.Error()), 80)]]++
		}
		if t.Failed() {
			t.Fatalf("seed %d: %v", seed, types)
		}
	}
	t.Log(answers, "answers; refused:", refused)
	if answers < 6*seeds {
		t.Errorf("only %d answers of %d types", answers, seeds)
	}
}

func codec(t *testing.T, types []reflect.Type, all [][]reflect.Value) (n uint64, err error) {
	in := []reflect.Type{reflect.TypeFor[*tape]()}
	get := reflect.MakeFunc(reflect.FuncOf(in, types, false), func(args []reflect.Value) []reflect.Value {
		at := args[0].Interface().(*tape)
		at.at++
		return all[(at.at-1)%len(all)]
	})
	spec := reference.Spec{Name: "tape", New: func() *tape { return &tape{} }, Operations: []reference.Operation{{Name: "get", Func: get.Interface()}}}
	impl, err := reference.New(spec)
	if err != nil {
		return 0, err
	}
	ref, err := New(spec)
	if err != nil {
		return 0, err
	}
	o, err := ref.Object()
	if err != nil {
		return 0, err
	}
	pending := label("get", "", nil)
	calls, err := NewCaller(impl, []history.Label{pending})
	if err != nil {
		return 0, err
	}
	want, err := calls.Replay(t.Context(), [][]reference.Call{make([]reference.Call, len(all))})
	if err != nil {
		return 0, err
	}
	texts := map[string]string{}
	for i, tuple := range all {
		got := ask(t, ref, o, pending)
		if i >= len(want[0]) {
			t.Fatalf("%d answers of %d", len(want[0]), len(all))
		}
		if diff := cmp.Diff(want[0][i], got); diff != "" {
			t.Errorf("%s (-sequence +calls):\n%s", shown(tuple), diff)
		}
		l := fmt.Sprintf("%s %q", got.Outcome, got.Rets)
		what := shown(tuple)
		for text, other := range texts {
			if (text == l) != (other == what) {
				t.Errorf("%s is %s, and %s is %s", what, l, other, text)
			}
		}
		texts[l] = what
		for i, text := range got.Rets {
			if len(impl.Methods()[0].Structs) > 0 {
				break // fields are values of their own
			}
			readBack(t, tuple[i], text)
		}
	}
	return uint64(len(all)), nil
}

// readBack reads a value of a label, unless an interface is to hold it: it is the one that was returned.
func readBack(t *testing.T, v reflect.Value, text history.Value) {
	t.Helper()
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() == reflect.Pointer || values.Holds(v.Type(), reflect.TypeFor[any]()) || v.Type() == reflect.TypeFor[error]() {
		return
	}
	again, err := Parse(v.Type(), text)
	if err != nil && strings.Contains(v.Type().String(), "anytype.") {
		return // a number that prints as another one
	}
	if v.Kind() == reflect.Slice && v.Len() == 0 && err == nil {
		v = reflect.MakeSlice(v.Type(), 0, 0) // as which one that is nil is read
	}
	if err != nil || shown([]reflect.Value{again}) != shown([]reflect.Value{v}) {
		t.Errorf("%s, a %s, is %s and read as %v, %v", shown([]reflect.Value{v}), v.Type(), text, again, err)
	}
}

// shown is a tuple for those who tell tuples apart.
func shown(tuple []reflect.Value) string {
	var b strings.Builder
	if v := tuple[0]; len(tuple) == 1 && v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 && v.IsNil() {
		return "no bytes" // of which nil is an outcome
	}
	for _, v := range tuple {
		b.WriteString(" | ")
		showValue(&b, v)
	}
	return b.String()
}

func showValue(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil")
		} else if err, ok := v.Interface().(error); ok {
			fmt.Fprintf(b, "%q", err)
		} else {
			showValue(b, v.Elem())
		}
	case reflect.Pointer:
		if v.IsNil() {
			b.WriteString("nil")
		} else {
			b.WriteString("&")
			showValue(b, v.Elem())
		}
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	case reflect.Slice, reflect.Array:
		fmt.Fprint(b, "[")
		for i := range v.Len() {
			showValue(b, v.Index(i))
			b.WriteString(",")
		}
		fmt.Fprint(b, "]")
	case reflect.Map:
		var all []string
		for _, k := range v.MapKeys() {
			var e strings.Builder
			showValue(&e, k)
			e.WriteString(":")
			showValue(&e, v.MapIndex(k))
			all = append(all, e.String())
		}
		slices.Sort(all)
		fmt.Fprintf(b, "map%s", all)
	case reflect.Struct:
		fmt.Fprintf(b, "{")
		if s, ok := v.Interface().(fmt.Stringer); ok && v.Type().PkgPath() == "time" {
			b.WriteString(s.String())
		} else {
			for i := range v.NumField() {
				showValue(b, v.Field(i))
				b.WriteString(",")
			}
		}
		fmt.Fprintf(b, "}")
	default:
		fmt.Fprintf(b, "%v", reflectNumber(v))
	}
}

func reflectNumber(v reflect.Value) any {
	switch {
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return v.Uint()
	case v.CanFloat():
		return v.Float()
	case v.CanComplex():
		return v.Complex()
	}
	return v.Bool()
}
