package live

import (
	"fmt"
	"reflect"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// Parse reads a value that a log has for type t. Where t is an interface, it is an
// int if it looks like one.
func Parse(t reflect.Type, value history.Value) (reflect.Value, error) {
	a, err := argument(t, value)
	return a.Value, err
}

func argument(t reflect.Type, value history.Value) (a values.Argument, err error) {
	var types values.Types
	basic := types.BasicOf(t)
	text, ok := basic.Text(string(value))
	if ok {
		a, ok = types.Parse(t, text)
	}
	if !ok {
		err = fmt.Errorf("%s is no %s", value, t)
	}
	return a, err
}

// Text is a value as logs have it; a pointer is what it points to.
func Text(v reflect.Value) history.Value {
	if v = Indirect(v); (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer) && v.IsNil() {
		return "nil"
	}
	return history.Value(values.LogText(v))
}

// Indirect follows pointers and interfaces, but for nil ones, and errors, which are what they say.
func Indirect(v reflect.Value) reflect.Value {
	for (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer) && !v.IsNil() && v.Type() != reflect.TypeFor[error]() {
		v = v.Elem()
	}
	return v
}
