package standard

import (
	"fmt"
	"math"
	"reflect"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// pure is a native that calls a Go function of numbers, bools and strings. What is called
// most has no detour by reflection.
func pure(fn any) Function {
	v := reflect.ValueOf(fn)
	t := v.Type()
	switch f := fn.(type) {
	case func(uint64) int:
		return onWords(t, func(w ir.Word) ir.Word { return ir.Word(f(w)) })
	case func(uint32) int:
		return onWords(t, func(w ir.Word) ir.Word { return ir.Word(f(uint32(w))) })
	case func(uint) int:
		return onWords(t, func(w ir.Word) ir.Word { return ir.Word(f(uint(w))) })
	case func(float64) float64:
		return onWords(t, func(w ir.Word) ir.Word { return math.Float64bits(f(math.Float64frombits(w))) })
	}
	return Function{Native: func(p *ir.Program, args, rets []ir.Word) (panics string) {
		defer func() {
			if r := recover(); r != nil {
				panics = fmt.Sprint(r)
			}
		}()
		in := make([]reflect.Value, t.NumIn())
		for i := range in {
			in[i] = reflect.New(t.In(i)).Elem()
			fromWord(p, in[i], args[i])
		}
		for i, r := range v.Call(in) {
			rets[i] = toWord(p, r)
		}
		return ""
	}, like: t}
}

func onWords(t reflect.Type, f func(ir.Word) ir.Word) Function {
	return Function{Native: func(_ *ir.Program, args, rets []ir.Word) string {
		rets[0] = f(args[0])
		return ""
	}, like: t}
}

// fromWord sets v to a word.
func fromWord(p *ir.Program, v reflect.Value, w ir.Word) {
	switch {
	case v.Kind() == reflect.String:
		v.SetString(p.Strings.Text(w))
	case v.Kind() == reflect.Bool:
		v.SetBool(w != 0)
	case v.Kind() == reflect.Float32:
		v.SetFloat(float64(math.Float32frombits(uint32(w))))
	case v.Kind() == reflect.Float64:
		v.SetFloat(math.Float64frombits(w))
	case v.CanInt():
		v.SetInt(int64(w))
	default:
		v.SetUint(w)
	}
}

// toWord is the word of a value.
func toWord(p *ir.Program, v reflect.Value) ir.Word {
	switch {
	case v.Kind() == reflect.String:
		return p.Strings.Number(v.String())
	case v.Kind() == reflect.Bool:
		return truth(v.Bool())
	case v.Kind() == reflect.Float32:
		return ir.Word(math.Float32bits(float32(v.Float())))
	case v.Kind() == reflect.Float64:
		return math.Float64bits(v.Float())
	case v.CanInt():
		return ir.Word(v.Int())
	}
	return v.Uint()
}

func truth(b bool) ir.Word {
	if b {
		return 1
	}
	return 0
}

// kinds are the Go types of the numbers.
var kinds = map[ir.Num]reflect.Type{
	ir.I64: reflect.TypeFor[int64](), ir.I8: reflect.TypeFor[int8](), ir.I16: reflect.TypeFor[int16](), ir.I32: reflect.TypeFor[int32](),
	ir.U8: reflect.TypeFor[uint8](), ir.U16: reflect.TypeFor[uint16](), ir.U32: reflect.TypeFor[uint32](), ir.U64: reflect.TypeFor[uint64](),
	ir.F32: reflect.TypeFor[float32](), ir.F64: reflect.TypeFor[float64](), ir.Str: reflect.TypeFor[string](), ir.Bool: reflect.TypeFor[bool](),
}

// basic is the value of an interface, if it is a number, a bool or a string.
func basic(p *ir.Program, typ, data ir.Word) (reflect.Value, bool) {
	form := p.Types[typ].Form
	t := kinds[form.Kind]
	if typ == 0 || form.Of != ir.Basic || t == nil {
		return reflect.Value{}, false
	}
	v := reflect.New(t).Elem()
	fromWord(p, v, data)
	return v, true
}
