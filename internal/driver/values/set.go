//go:build go1.21

package values

import (
	"reflect"
	"strconv"
	"time"
	"unsafe"
)

// set gives v, a new variable of the type that n was read for, n's value.
func (ts Types) set(v reflect.Value, n *node) {
	if n.kind == KindNil {
		return // what a new variable is
	}
	switch KindOf(v.Type()) {
	case KindInt:
		i, _ := strconv.ParseInt(n.text, 10, 64)
		v.SetInt(i)
	case KindUint:
		u, _ := strconv.ParseUint(n.text, 10, 64)
		v.SetUint(u)
	case KindFloat:
		f, _ := strconv.ParseFloat(n.text, v.Type().Bits())
		v.SetFloat(f)
	case KindComplex:
		c, _ := strconv.ParseComplex(n.text, v.Type().Bits())
		v.SetComplex(c)
	case KindBool:
		v.SetBool(n.text == "true")
	case KindString:
		v.SetString(n.text)
	case KindBytes:
		v.SetBytes([]byte(n.text))
	case KindTime:
		t, _ := time.Parse(time.RFC3339Nano, n.text)
		v.Set(reflect.ValueOf(t))
	case KindAny:
		n.setAny(v)
	case KindInterface:
		part := reflect.New(ts.implementer(v.Type())).Elem()
		ts.set(part, n)
		v.Set(part)
	case KindPointer:
		v.Set(reflect.New(v.Type().Elem()))
		ts.set(v.Elem(), &n.parts[0])
	case KindStruct:
		i := 0
		for f := 0; f < v.NumField(); f++ {
			if !isHidden(v.Type().Field(f)) {
				ts.set(writable(v.Field(f)), &n.parts[i])
				i++
			}
		}
	case KindList:
		if v.Kind() == reflect.Slice {
			v.Set(reflect.MakeSlice(v.Type(), len(n.parts), len(n.parts)))
		}
		for i := range n.parts {
			ts.set(v.Index(i), &n.parts[i])
		}
	case KindMap:
		ts.setMap(v, n)
	}
}

func (ts Types) setMap(v reflect.Value, n *node) {
	v.Set(reflect.MakeMap(v.Type()))
	for i := 0; i < len(n.parts); i += 2 {
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		ts.set(key, &n.parts[i])
		ts.set(elem, &n.parts[i+1])
		v.SetMapIndex(key, elem)
	}
}

func (n *node) setAny(v reflect.Value) {
	switch n.kind {
	case KindInt:
		i, _ := strconv.Atoi(n.text)
		v.Set(reflect.ValueOf(i))
	case KindBool:
		v.Set(reflect.ValueOf(n.text == "true"))
	default:
		v.Set(reflect.ValueOf(n.text))
	}
}

// writable is a field of a variable as one can set it, exported or not.
func writable(f reflect.Value) reflect.Value {
	if f.CanSet() || !f.CanAddr() {
		return f
	}
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}
