package lower

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"sync"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/lower/testdata/run"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// runs are the functions of testdata/run as Go compiles them.
var runs = map[string]any{
	"Arith8": run.Arith8, "Arith16": run.Arith16, "Arith32": run.Arith32, "Arith64": run.Arith64, "Div8": run.Div8, "Div64": run.Div64, "DivU": run.DivU,
	"Shift": run.Shift, "ShiftS": run.ShiftS, "Compare": run.Compare, "CompareU": run.CompareU, "CompareF": run.CompareF, "Floats": run.Floats,
	"Floats32": run.Floats32, "Narrow": run.Narrow, "Wide": run.Wide, "ToFloat": run.ToFloat, "FromFloat": run.FromFloat, "Bools": run.Bools,
	"MinMax": run.MinMax, "MinMaxF": run.MinMaxF, "MinMaxS": run.MinMaxS, "Gcd": run.Gcd, "Rotate": run.Rotate, "Fib": run.Fib, "Collatz": run.Collatz,
	"Labels": run.Labels, "Complex": run.Complex, "Complex64": run.Complex64, "Goto": run.Goto,
	"Concat": run.Concat, "CharAt": run.CharAt, "Cut": run.Cut, "Runes": run.Runes, "BytesOf": run.BytesOf, "AppendString": run.AppendString,
	"UnsafeString": run.UnsafeString,
	"Fields":       run.Fields, "Equal": run.Equal, "EqualFloats": run.EqualFloats, "OneWord": run.OneWord, "List": run.List, "Swap": run.Swap,
	"NilField": run.NilField, "NilLoad": run.NilLoad, "Arrays": run.Arrays, "IndexValue": run.IndexValue, "ArrayPointer": run.ArrayPointer,
	"RangeArray": run.RangeArray, "Zero": run.Zero, "Cast": run.Cast, "Embedded": run.Embedded,
	"Append": run.Append, "Share": run.Share, "SliceBounds": run.SliceBounds, "SliceArray": run.SliceArray, "MakeSlice": run.MakeSlice, "Copy": run.Copy,
	"Pairs": run.Pairs, "ToArray": run.ToArray, "NilSlice": run.NilSlice, "Variadic": run.Variadic, "Sort": run.Sort,
	"Maps": run.Maps, "StructKeys": run.StructKeys, "NilMap": run.NilMap, "AnyKeys": run.AnyKeys,
	"Methods": run.Methods, "Switch": run.Switch, "Assert": run.Assert, "IfaceEqual": run.IfaceEqual, "FloatIface": run.FloatIface, "Generics": run.Generics,
	"Closures": run.Closures, "Recursive": run.Recursive, "NilFunc": run.NilFunc, "Defers": run.Defers, "Recovers": run.Recovers,
	"NamedResults": run.NamedResults, "DeferMethods": run.DeferMethods, "Panics": run.Panics, "Go": nil, "Seq": run.Seq, "Chans": nil, // see TestChannels
	"Identity": run.Identity, "Further": run.Further, "Header": run.Header, "Indexed": run.Indexed, "Kinds": run.Kinds, "Sizes": run.Sizes,
	"Globals": run.Globals, "Initialised": run.Initialised, "Bits": run.Bits, "Library": run.Library,
}

var theRuns struct {
	sync.Once
	plain, prog *ir.Program
	refusals    []Refusal
}

// compiledRuns is testdata/run as instructions, before and after they are made fewer.
func compiledRuns(t *testing.T) (plain, prog *ir.Program) {
	theRuns.Do(func() {
		theRuns.prog, theRuns.refusals = Compile(load(t, "testdata/run", "."))
		theRuns.plain, _ = compile(load(t, "testdata/run", "."), func(*compiler) {})
	})
	for _, r := range theRuns.refusals {
		t.Error(r)
	}
	if theRuns.prog == nil || t.Failed() {
		t.Fatal("testdata/run was not compiled")
	}
	return theRuns.plain, theRuns.prog
}

func size(p *ir.Program) (n int) {
	for _, f := range p.Funcs {
		n += len(f.Code)
	}
	return n
}

// TestRuns compares functions compiled by Go with those that the interpreter runs, on
// random arguments.
func TestRuns(t *testing.T) {
	plain, p := compiledRuns(t)
	if a, b := size(plain), size(p); a <= b {
		t.Errorf("%d instructions became %d", a, b)
	}
	if len(p.Ops) != len(runs) {
		t.Errorf("testdata/run has %d functions, the table %d", len(p.Ops), len(runs))
	}
	for i, op := range p.Ops {
		fn, ok := runs[op.GoName]
		if !ok {
			t.Errorf("%s is missing in the table", op.GoName)
		}
		if fn == nil {
			continue
		}
		t.Run(op.GoName, func(t *testing.T) {
			seed := rand.Uint64()
			random := rand.New(rand.NewPCG(seed, 0))
			for range testsize.Samples(1000) {
				args := randomArgs(random, reflect.TypeOf(fn))
				want := callGo(reflect.ValueOf(fn), args)
				if got := callIR(p, op.Func, args, op.Results); got != want {
					t.Fatalf("seed %d: %s(%v) = %s, want %s\n%s", seed, op.GoName, args, got, want, p.Draw(op.Func))
				}
				if got := callIR(plain, plain.Ops[i].Func, args, op.Results); got != want {
					t.Fatalf("seed %d: without being made fewer: %s(%v) = %s, want %s\n%s", seed, op.GoName, args, got, want, plain.Draw(plain.Ops[i].Func))
				}
			}
		})
	}
}

// TestChannels runs what Go may run in many ways: the interpreter's is one of them.
func TestChannels(t *testing.T) {
	_, p := compiledRuns(t)
	for _, op := range p.Ops {
		for n := range 6 {
			want := map[string]bool{}
			args := []reflect.Value{reflect.ValueOf(uint8(n))}
			switch op.GoName {
			case "Go":
				want[fmt.Sprintf("%d ", n+1+n+2)] = true
			case "Chans":
				for range 300 {
					want[callGo(reflect.ValueOf(run.Chans), args)] = true
				}
			default:
				continue
			}
			if got := callIR(p, op.Func, args, op.Results); !want[got] {
				t.Errorf("%s(%d) = %s, want one of %v\n%s", op.GoName, n, got, want, p.Draw(op.Func))
			}
		}
	}
}

func randomArgs(random *rand.Rand, t reflect.Type) []reflect.Value {
	var args []reflect.Value
	for i := range t.NumIn() {
		v := reflect.New(t.In(i)).Elem()
		small := random.IntN(2) == 0
		switch v.Kind() {
		case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32:
			v.SetInt(int64(random.Uint64()))
			if small {
				v.SetInt(random.Int64N(20) - 10)
			}
		case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
			v.SetUint(random.Uint64())
			if small {
				v.SetUint(random.Uint64N(20))
			}
		case reflect.Float32, reflect.Float64:
			list := []float64{0, 1, -1, 1.5, 1e300, -0.3, 1 / v.Float(), -1 / v.Float(), 0 / v.Float(), -1 / (1 / -v.Float())}
			v.SetFloat(list[random.IntN(len(list))] * float64(random.IntN(3)-1))
		case reflect.Bool:
			v.SetBool(small)
		case reflect.String:
			list := []string{"", "a", "b", "m", "12", "añ€z", "hello, world", "\xff\xfe1", "-7"}
			v.SetString(list[random.IntN(len(list))])
		}
		args = append(args, v)
	}
	return args
}

// callGo is what a Go function returns, or that it panics.
func callGo(fn reflect.Value, args []reflect.Value) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = "panic"
			if _, ok := r.(runtime.Error); !ok {
				text = "panic by code"
			}
		}
	}()
	for _, r := range fn.Call(args) {
		text += fmt.Sprintf("%v ", r)
	}
	return text
}

func callIR(p *ir.Program, fn int, args []reflect.Value, results []ir.Form) (text string) {
	m := newInterp(p)
	if _, panicked, err := m.run(p.Init, nil); err != nil || panicked != nil {
		return fmt.Sprintf("init: %v %v", panicked, err)
	}
	var words []ir.Word
	for _, a := range args {
		words = append(words, wordOf(p, a))
	}
	rets, panicked, err := m.run(fn, words)
	switch {
	case err != nil:
		return err.Error()
	case panicked != nil && panicked.text != "":
		return "panic"
	case panicked != nil:
		return "panic by code"
	}
	for i, w := range rets {
		text += fmt.Sprintf("%v ", valueOf(p, results[i].Kind, w))
	}
	return text
}

func wordOf(p *ir.Program, v reflect.Value) ir.Word {
	switch v.Kind() {
	case reflect.Bool:
		return truth(v.Bool())
	case reflect.String:
		return p.Strings.Number(v.String())
	case reflect.Float32:
		return unfloat(ir.F32, v.Float())
	case reflect.Float64:
		return unfloat(ir.F64, v.Float())
	}
	if v.CanUint() {
		return v.Uint()
	}
	return ir.Word(v.Int())
}

func valueOf(p *ir.Program, k ir.Num, w ir.Word) any {
	switch {
	case k == ir.Bool:
		return w == 1
	case k == ir.Str:
		return p.Strings.Text(w)
	case k == ir.F32:
		return float32(float(k, w))
	case k == ir.F64:
		return float(k, w)
	case isSigned(k):
		return int64(w)
	}
	return w
}
