package adttest

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/record"
)

// argument is the k-th value of a parameter's type, from 1; false if the type
// has fewer. The log says what the program sees: 1, 2, or v1, v2.
func argument(t reflect.Type, k int) (any, bool) {
	switch t.Kind() {
	case reflect.Bool:
		return k == 1, k <= 2
	case reflect.String:
		return "v" + strconv.Itoa(k), true
	case reflect.Int8:
		return k, k <= math.MaxInt8
	case reflect.Uint8:
		return k, k <= math.MaxUint8
	}
	return k, true
}

// recorded is a value as the recorder has it.
func recorded(h *record.Handle, v reflect.Value) record.Value {
	v = pointedTo(v)
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return record.Int(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return record.Uint(v.Uint())
	case reflect.Bool:
		return record.Bool(v.Bool())
	case reflect.String:
		return h.Text(v.String())
	}
	return h.Text(string(text(v)))
}

// text is a value as logs have it.
func text(v reflect.Value) history.Value {
	v = pointedTo(v)
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return "nil"
	case reflect.String:
		return history.Value(v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return history.Value(strconv.FormatInt(v.Int(), 10)) // not as a String method has it
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return history.Value(strconv.FormatUint(v.Uint(), 10))
	case reflect.Bool:
		return history.Value(strconv.FormatBool(v.Bool()))
	}
	return history.Value(fmt.Sprintf("%+v", v))
}

// pointedTo follows pointers and interfaces, but for nil ones.
func pointedTo(v reflect.Value) reflect.Value {
	for (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer) && !v.IsNil() {
		v = v.Elem()
	}
	return v
}
