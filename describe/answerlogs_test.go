package describe_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// printed are the ways in which programs print a value.
var printed = []struct {
	name string
	of   func(v reflect.Value) string
}{
	{"our text", func(v reflect.Value) string { return values.LogText(v) }},
	{"%v", func(v reflect.Value) string { return flat("%v", v) }},
	{"%+v", func(v reflect.Value) string { return flat("%+v", v) }},
	{"%#v", func(v reflect.Value) string { return flat("%#v", v) }},
	{"JSON", func(v reflect.Value) string {
		if values.KindOf(v.Type()) == values.KindBytes {
			return values.LogText(v)
		}
		text, err := json.Marshal(v.Interface())
		if err != nil {
			panic(err)
		}
		if v.Kind() == reflect.String {
			return v.String()
		}
		return string(text)
	}},
}

// flat is what fmt prints of a value, unless it has a pointer in it, or is a string.
func flat(verb string, v reflect.Value) string {
	if !isWords(v, true) || verb == "%#v" && values.KindOf(v.Type()) == values.KindBytes {
		return values.LogText(v)
	}
	if v.Kind() == reflect.String || verb == "%#v" && (v.Kind() == reflect.Interface || v.Type() == reflect.TypeFor[time.Duration]()) {
		return fmt.Sprintf("%v", v)
	}
	if v.Kind() == reflect.Interface && v.IsNil() {
		return "nil"
	}
	return fmt.Sprintf(verb, v)
}

// isWords reports whether all strings in a value are words, which need no quotes where
// package fmt prints them.
func isWords(v reflect.Value, alone bool) bool {
	all := true
	switch v.Kind() {
	case reflect.String:
		return alone || v.String() != "" && !strings.Contains(v.String(), " ")
	case reflect.Struct:
		for i := range v.NumField() {
			all = all && isWords(v.Field(i), false)
		}
	case reflect.Slice, reflect.Array:
		all = alone || v.Len() > 0 || v.Type().Elem().Kind() != reflect.String // nothing, or an empty string
		for i := range v.Len() {
			all = all && isWords(v.Index(i), false)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			all = all && isWords(k, false) && isWords(v.MapIndex(k), false)
		}
	case reflect.Pointer:
		return v.IsNil() || isWords(v.Elem(), false)
	}
	return all
}

// goLog is the log of an execution as a Go program prints it.
func (t *twin) goLog(e *history.Execution, by func(reflect.Value) string) string {
	lines := make([]string, e.Events)
	for i := range e.Ops {
		o := &e.Ops[i]
		m := t.methods[t.method(o.Method)]
		lines[o.Call] = fmt.Sprintf("[%s] call %s(%s)", o.ID, o.Method, t.inLine(t.of(o.Args[0]), m, false, by))
		if o.Completed() {
			lines[o.Return] = strings.TrimSpace(fmt.Sprintf("[%s] return %s", o.ID, t.inLine(t.of(o.Rets[0]), m, true, by)))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// inLine are values in a line of text.
func (t *twin) inLine(vs []reflect.Value, m reflect.Method, result bool, by func(reflect.Value) string) string {
	var all []string
	for i, v := range vs {
		if k := v.Kind(); !result && (k == reflect.Slice || k == reflect.Map) && v.Len() == 0 {
			if k == reflect.Map { // the same value as nil, and no nil
				v = reflect.MakeMap(v.Type())
			} else {
				v = reflect.MakeSlice(v.Type(), 0, 0)
			}
		}
		err, is := errorIn(v)
		last := result && i == len(vs)-1
		switch {
		case v.Type() == reflect.TypeFor[unknown]():
			all = append(all, map[bool]string{false: "_", true: "error"}[v.Field(0).Bool()])
		case is && err == nil && len(vs) == 1:
			return ""
		case is && err == nil:
			all = append(all, "nil")
		case is:
			all = append(all, "error: "+strings.ReplaceAll(err.Error(), "\n", "; "))
		case v.Kind() == reflect.Bool && last:
			all = append(all, strconv.FormatBool(v.Bool()))
		case values.KindOf(v.Type()) == values.KindBytes && v.IsNil() && len(vs) == 1 && result,
			v.Kind() == reflect.Pointer && v.IsNil(), v.Kind() == reflect.Interface && v.IsNil():
			all = append(all, "nil")
		default:
			all = append(all, quoted(by(v), v))
		}
	}
	return strings.Join(all, ", ")
}

// quoted is a text with quotes if a text log needs them.
func quoted(s string, v reflect.Value) string {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if k := v.Kind(); k == reflect.String || k == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 || strings.ContainsAny(s, "\"") {
		return strconv.Quote(s)
	}
	return s
}
