package live

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
)

// Parse reads a value that a log has for type t. Where t is an interface, it is an
// int if it looks like one.
func Parse(t reflect.Type, value history.Value) (v reflect.Value, err error) {
	v = reflect.New(t).Elem()
	text := string(value)
	switch {
	case t.Kind() == reflect.String:
		v.SetString(text)
	case t.Kind() == reflect.Bool:
		v.SetBool(text == "true")
		if text != "true" && text != "false" {
			err = strconv.ErrSyntax
		}
	case t.Kind() == reflect.Interface:
		if n, bad := strconv.Atoi(text); bad == nil {
			v.Set(reflect.ValueOf(n))
		} else {
			v.Set(reflect.ValueOf(text))
		}
	case v.CanUint():
		var n uint64
		n, err = strconv.ParseUint(text, 10, t.Bits())
		v.SetUint(n)
	default:
		var n int64
		n, err = strconv.ParseInt(text, 10, t.Bits())
		v.SetInt(n)
	}
	if err != nil {
		return v, fmt.Errorf("%s is no %s", text, t)
	}
	return v, nil
}

// Text is a value as logs have it.
func Text(v reflect.Value) history.Value {
	v = Indirect(v)
	switch {
	case v.Kind() == reflect.Interface, v.Kind() == reflect.Pointer:
		return "nil"
	case v.Kind() == reflect.String:
		return history.Value(v.String())
	case v.CanInt():
		return history.Value(strconv.FormatInt(v.Int(), 10)) // not as a String method has it
	case v.CanUint():
		return history.Value(strconv.FormatUint(v.Uint(), 10))
	case v.Kind() == reflect.Bool:
		return history.Value(strconv.FormatBool(v.Bool()))
	}
	return history.Value(fmt.Sprintf("%+v", v))
}

// Indirect follows pointers and interfaces, but for nil ones.
func Indirect(v reflect.Value) reflect.Value {
	for (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer) && !v.IsNil() {
		v = v.Elem()
	}
	return v
}
