package describe_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// twin runs a type in the most obvious way: by its methods, on new objects, with whole
// answers as Go has them. Its labels have an argument or an answer by its place in values.
type twin struct {
	*answering
	methods []reflect.Method
	values  [][]reflect.Value // arguments of a call, or what one returned
	numbers map[string]int    // of values, by their text
	paths   map[string][]step // by the text of a state: what led to it
	ways    map[string]historytest.Way
	few     int  // so many values of a type are arguments
	others  bool // errors without a name are one
}

type step struct {
	method int
	args   []reflect.Value
}

func twinOf(a *answering) *twin {
	t := &twin{answering: a}
	typ := reflect.TypeOf(a.object())
	for i := range typ.NumMethod() {
		t.methods = append(t.methods, typ.Method(i))
	}
	t.forget()
	return t
}

// forget begins with nothing known.
func (t *twin) forget() {
	t.values, t.numbers = nil, map[string]int{}
	t.paths, t.ways = map[string][]step{"": nil}, map[string]historytest.Way{}
}

// name is what a method is called in theories.
func name(m reflect.Method) string { return strings.ToLower(m.Name[:1]) + m.Name[1:] }

func (t *twin) method(of string) int {
	return slices.IndexFunc(t.methods, func(m reflect.Method) bool { return name(m) == of })
}

// number is the label's value for values.
func (t *twin) number(vs []reflect.Value) history.Value {
	text := t.text(vs)
	n, ok := t.numbers[text]
	if !ok {
		n = len(t.values)
		t.numbers[text], t.values = n, append(t.values, vs)
	}
	return history.Value(strconv.Itoa(n))
}

func (t *twin) of(v history.Value) []reflect.Value {
	n, err := strconv.Atoi(string(v))
	if err != nil {
		panic(err)
	}
	return t.values[n]
}

// text is the text of values, all of them. Of an error that is, or wraps, one that its
// type names, that is what counts.
func (t *twin) text(vs []reflect.Value) string {
	var b strings.Builder
	for _, v := range vs {
		if err, ok := errorIn(v); ok {
			fmt.Fprintf(&b, "error %s\n", t.class(err))
			continue
		}
		fmt.Fprint(&b, v.Type(), " ")
		deep(&b, v)
		b.WriteByte('\n')
	}
	return b.String()
}

var errorIface = reflect.TypeFor[error]()

// errorIn is the error that a result is.
func errorIn(v reflect.Value) (err error, is bool) {
	if v.Type() != errorIface {
		return nil, false
	}
	err, _ = v.Interface().(error)
	return err, true
}

func (t *twin) class(err error) string {
	if err == nil {
		return "nil"
	}
	var names []string
	for n := range t.spec.Errors {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		if errors.Is(err, t.spec.Errors[n]) {
			return "is " + n
		}
	}
	for _, e := range t.errors { // as wrapped errors look
		if strings.HasSuffix(err.Error(), ": "+e.Error()) {
			return t.class(e)
		}
	}
	if t.others {
		return "another"
	}
	return strconv.Quote(err.Error())
}

// deep writes a value with all that is in it.
func deep(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		fmt.Fprintf(b, "&%s", v.Elem().Type())
		deep(b, v.Elem())
	case reflect.Struct:
		b.WriteByte('{')
		for i := range v.NumField() {
			deep(b, v.Field(i))
			b.WriteByte(' ')
		}
		b.WriteByte('}')
	case reflect.Slice, reflect.Array:
		b.WriteByte('[')
		for i := range v.Len() {
			deep(b, v.Index(i))
			b.WriteByte(' ')
		}
		b.WriteByte(']')
	case reflect.Map:
		var all []string
		for _, k := range v.MapKeys() {
			var e strings.Builder
			deep(&e, k)
			e.WriteByte(':')
			deep(&e, v.MapIndex(k))
			all = append(all, e.String())
		}
		slices.Sort(all)
		fmt.Fprintf(b, "map%q", all)
	case reflect.String:
		b.WriteString(strconv.Quote(v.String()))
	case reflect.Bool:
		b.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Float64:
		b.WriteString(strconv.FormatFloat(v.Float(), 'g', -1, 64))
	default:
		if v.CanInt() {
			b.WriteString(strconv.FormatInt(v.Int(), 10))
		} else {
			b.WriteString(strconv.FormatUint(v.Uint(), 10))
		}
	}
}

// model is a historytest.Model. A state is the text of the object, whatever led to it.
func (t *twin) model(state string, call *history.Label) []historytest.Way {
	key := state + "\x00" + call.Method + "\x00" + fmt.Sprint(call.Args)
	way, ok := t.ways[key]
	if !ok {
		made := append(slices.Clone(t.paths[state]), step{t.method(call.Method), t.of(call.Args[0])})
		object := reflect.ValueOf(t.object())
		var outs []reflect.Value
		for _, s := range made {
			outs = t.methods[s.method].Func.Call(append([]reflect.Value{object}, s.args...))
		}
		var after strings.Builder
		deep(&after, object)
		way = historytest.Way{Outcome: history.Some, Rets: []history.Value{t.number(hidden(outs, call))}, Next: after.String()}
		if _, known := t.paths[way.Next]; !known {
			t.paths[way.Next] = made
		}
		t.ways[key] = way
	}
	return []historytest.Way{way}
}

// execution is a random one; if spoil, then one position of one answer is another.
func (t *twin) execution(r *rand.Rand, spoil bool) (e *history.Execution, spoilt string) {
	t.forget()
	t.few = 1 + r.IntN(3)
	typ := historytest.Type{Model: t.model, Draw: t.draw, Lost: []int{0, 6}[r.IntN(2)]}
	e = typ.Execution(r, 2+r.IntN(7), 1+r.IntN(4), 0)
	if spoil {
		spoilt = t.spoil(r, e)
	}
	return e, spoilt
}

func (t *twin) draw(r *rand.Rand, _ *history.Execution) history.Label {
	m := t.methods[r.IntN(len(t.methods))]
	var args []reflect.Value
	for i := 1; i < m.Type.NumIn(); i++ {
		args = append(args, sample(m.Type.In(i), r.IntN(t.few)))
	}
	return history.Label{Kind: history.Kind{Method: name(m)}, Args: []history.Value{t.number(args)}}
}

// spoil changes one position of an answer, and says how.
func (t *twin) spoil(r *rand.Rand, e *history.Execution) string {
	var places [][2]int
	for i := range e.Ops {
		if e.Ops[i].Completed() {
			for k := range t.of(e.Ops[i].Rets[0]) {
				places = append(places, [2]int{i, k})
			}
		}
	}
	if len(places) == 0 {
		return ""
	}
	p := places[r.IntN(len(places))]
	o := &e.Ops[p[0]]
	outs := slices.Clone(t.of(o.Rets[0]))
	old := outs[p[1]]
	if outs[p[1]] = t.other(r, old); t.text(outs) == t.text(t.of(o.Rets[0])) {
		return ""
	}
	o.Rets = []history.Value{t.number(outs)}
	return fmt.Sprintf("[%s] %s: result %d is %v, was %v", o.ID, o.Method, p[1]+1, outs[p[1]], old)
}

// unknown stands for a result that nobody knows, or for an error of which nobody knows which
// it is.
type unknown struct{ Error bool }

// hide has some results be unknown: a second argument says which, "_" for a result and "e"
// for an error.
func (t *twin) hide(r *rand.Rand, e *history.Execution) (hides bool) {
	for i := range e.Ops {
		o := &e.Ops[i]
		if !o.Completed() || r.IntN(3) > 0 {
			continue
		}
		outs := t.of(o.Rets[0])
		mask := []byte(strings.Repeat(" ", len(outs)))
		for k := range outs {
			_, fails := errorIn(outs[k])
			switch {
			case fails && r.IntN(2) == 0 && outs[0].Type() != reflect.TypeFor[colour](): // JSON Lines have one word only
				mask[k] = 'e'
			case r.IntN(2) == 0:
				mask[k] = '_'
			}
		}
		o.Args = append(slices.Clip(o.Args), history.Value(mask))
		o.Rets = []history.Value{t.number(hidden(outs, &o.Label))}
		hides = hides || strings.TrimSpace(string(mask)) != ""
	}
	return hides
}

// hidden are results of which some are unknown, if the call says so.
func hidden(outs []reflect.Value, call *history.Label) (all []reflect.Value) {
	if len(call.Args) == 1 {
		return outs
	}
	for k, v := range outs {
		err, fails := errorIn(v)
		switch call.Args[1][k] {
		case '_':
			v = reflect.ValueOf(unknown{})
		case 'e':
			if fails && err != nil {
				v = reflect.ValueOf(unknown{true})
			}
		}
		all = append(all, v)
	}
	return all
}

// other is another value of a type.
func (t *twin) other(r *rand.Rand, v reflect.Value) reflect.Value {
	if _, ok := errorIn(v); ok {
		some := append([]error{nil, errors.New("something else")}, t.errors...)
		if len(t.errors) > 0 {
			some = append(some, fmt.Errorf("wrapped: %w", t.errors[0]))
		}
		w := reflect.New(errorIface).Elem()
		if err := some[r.IntN(len(some))]; err != nil {
			w.Set(reflect.ValueOf(err))
		}
		return w
	}
	w := reflect.New(v.Type()).Elem()
	switch by := r.IntN(3); {
	case v.Kind() == reflect.Bool:
		w.SetBool(!v.Bool())
	case v.CanInt() && by > 0:
		w.SetInt(v.Int() + 1 - int64(2*r.IntN(2)))
	case v.CanFloat() && by > 0:
		w.SetFloat(v.Float() + 0.5)
	case by == 2: // zero
	case v.Kind() == reflect.Struct && v.NumField() > 0 && by == 1:
		w.Set(v)
		k := r.IntN(v.NumField())
		w.Field(k).Set(t.other(r, v.Field(k)))
	case v.Kind() == reflect.Slice && v.Len() > 1 && by == 1:
		w.Set(v.Slice(0, v.Len()-1))
	default:
		w.Set(sample(v.Type(), r.IntN(4)))
	}
	return w
}

// sample is the kth value of a type.
func sample(t reflect.Type, k int) reflect.Value {
	v := reflect.New(t).Elem()
	switch {
	case t == reflect.TypeFor[time.Duration]():
		v.SetInt(int64([]time.Duration{time.Second, 1500 * time.Millisecond, 0, 7}[k]))
	case t == reflect.TypeFor[any]():
		v.Set(reflect.ValueOf([]any{1, "a", 2, "b c"}[k]))
	case v.CanInt():
		v.SetInt([]int64{1, 2, 0, 3}[k])
	case v.CanUint():
		v.SetUint([]uint64{1, 2, 0, 3}[k])
	case v.CanFloat():
		v.SetFloat([]float64{0.5, 2, 0, 1e21}[k])
	case t.Kind() == reflect.String:
		v.SetString([]string{"a", "b", "", "b c"}[k])
	case t.Kind() == reflect.Bool:
		v.SetBool(k%2 == 0)
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		v.SetBytes([]byte([]string{"x", "yz", "w", "y z"}[k])) // nil and empty are not told apart by all logs
	case t.Kind() == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(sample(t.Elem(), k))
	case t.Kind() == reflect.Struct:
		for i := range v.NumField() {
			v.Field(i).Set(sample(t.Field(i).Type, (k+i)%4))
		}
	case t.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(t, 0, 3))
		for i := range []int{1, 2, 0, 3}[k] {
			v.Set(reflect.Append(v, sample(t.Elem(), (k+i)%4)))
		}
	case t.Kind() == reflect.Array:
		for i := range v.Len() {
			v.Index(i).Set(sample(t.Elem(), k>>i&1))
		}
	case t.Kind() == reflect.Map:
		v.Set(reflect.MakeMap(t))
		for i := range []int{1, 2, 0, 1}[k] {
			v.SetMapIndex(sample(t.Key(), i), sample(t.Elem(), (k+i)%4))
		}
	default:
		panic("no sample of " + t.String())
	}
	return v
}
