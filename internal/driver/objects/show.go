//go:build go1.21

package objects

import (
	"container/list"
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unsafe"
)

// Limits of what people are shown.
const (
	showDepth = 8
	showMost  = 400 // bytes
)

// Show draws the variable of type t at p as a Go programmer would: short, locks
// left out.
func Show(t reflect.Type, p unsafe.Pointer) string {
	s := shower{open: map[unsafe.Pointer]bool{}}
	s.value(reflect.NewAt(t, p).Elem(), 0)
	return s.b.String()
}

type shower struct {
	b    strings.Builder
	open map[unsafe.Pointer]bool // pointers that are being shown
}

func (s *shower) value(v reflect.Value, depth int) {
	if depth > showDepth || s.b.Len() > showMost {
		s.b.WriteString("...")
		return
	}
	t := v.Type()
	switch v.Kind() {
	case reflect.Pointer:
		s.pointer(v, depth)
	case reflect.Interface:
		if v.IsNil() {
			s.b.WriteString("nil")
			return
		}
		cell := reflect.New(v.Elem().Type()).Elem()
		cell.Set(v.Elem())
		s.value(cell, depth)
	case reflect.Struct:
		s.structure(t, v, depth)
	case reflect.Slice, reflect.Array:
		s.b.WriteByte('[')
		for i := 0; i < v.Len() && s.b.Len() <= showMost; i++ {
			if i > 0 {
				s.b.WriteByte(' ')
			}
			s.value(v.Index(i), depth+1)
		}
		if s.b.Len() > showMost {
			s.b.WriteString("...")
		}
		s.b.WriteByte(']')
	case reflect.Map:
		s.mapping(v, depth)
	case reflect.String:
		s.b.WriteString(strconv.Quote(v.String()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		s.b.WriteString(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		s.b.WriteString(strconv.FormatUint(v.Uint(), 10))
	case reflect.Bool:
		s.b.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		fmt.Fprint(&s.b, v.Interface())
	default:
		if v.IsZero() {
			s.b.WriteString("nil")
			return
		}
		s.b.WriteString(v.Kind().String())
		if v.Kind() == reflect.Chan {
			fmt.Fprintf(&s.b, " of %d", v.Len())
		}
	}
}

func (s *shower) pointer(v reflect.Value, depth int) {
	if v.IsNil() {
		s.b.WriteString("nil")
		return
	}
	p := v.UnsafePointer()
	if s.open[p] {
		s.b.WriteString("(above)")
		return
	}
	s.open[p] = true
	if depth > 0 {
		s.b.WriteByte('&')
	}
	s.value(v.Elem(), depth)
	delete(s.open, p)
}

// structure draws a struct without its locks, and what package sync/atomic and
// container/list wrap as what is wrapped.
func (s *shower) structure(t reflect.Type, v reflect.Value, depth int) {
	switch {
	case t == reflect.TypeOf(list.List{}):
		var all []interface{}
		for e := v.Addr().Interface().(*list.List).Front(); e != nil; e = e.Next() {
			all = append(all, e.Value)
		}
		s.value(reflect.ValueOf(&all).Elem(), depth)
		return
	case t.PkgPath() == "sync/atomic":
		s.atomic(t, v, depth)
		return
	case t.PkgPath() == "time" && t.Name() == "Time":
		fmt.Fprint(&s.b, v.Interface())
		return
	}
	s.b.WriteString(nameOf(t))
	s.b.WriteByte('{')
	first := true
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		if isLock(f.Type) || f.Name == "_" {
			continue
		}
		if !first {
			s.b.WriteByte(' ')
		}
		first = false
		s.b.WriteString(f.Name)
		s.b.WriteByte(':')
		s.value(at(v, i), depth+1)
	}
	s.b.WriteByte('}')
}

// atomic draws what an atomic value holds: its last field.
func (s *shower) atomic(t reflect.Type, v reflect.Value, depth int) {
	last := at(v, t.NumField()-1)
	if isAtomicPointer(t) {
		last = reflect.NewAt(t.Field(0).Type.Elem(), last.Addr().UnsafePointer()).Elem()
	}
	if t.Name() == "Bool" {
		s.b.WriteString(strconv.FormatBool(!last.IsZero()))
		return
	}
	s.value(last, depth)
}

// at is a field, exported or not.
func at(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

func (s *shower) mapping(v reflect.Value, depth int) {
	var all []string
	for it := v.MapRange(); it.Next(); {
		one := shower{open: s.open}
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		key.SetIterKey(it)
		elem.SetIterValue(it)
		one.value(key, depth+1)
		one.b.WriteByte(':')
		one.value(elem, depth+1)
		all = append(all, one.b.String())
	}
	sort.Slice(all, func(i, j int) bool { return naturally(all[i], all[j]) })
	s.b.WriteString("map[")
	for i, e := range all {
		if i > 0 {
			s.b.WriteByte(' ')
		}
		if s.b.Len() > showMost {
			s.b.WriteString("...")
			break
		}
		s.b.WriteString(e)
	}
	s.b.WriteByte(']')
}

// naturally orders texts, shorter numbers first.
func naturally(a, b string) bool {
	na, _, _ := strings.Cut(a, ":")
	nb, _, _ := strings.Cut(b, ":")
	x, errX := strconv.ParseInt(na, 10, 64)
	y, errY := strconv.ParseInt(nb, 10, 64)
	if errX == nil && errY == nil && x != y {
		return x < y
	}
	return a < b
}

// nameOf is a type's name without package and type arguments.
func nameOf(t reflect.Type) string {
	name, _, _ := strings.Cut(t.Name(), "[")
	return name
}

// isLock reports whether a type only guards.
func isLock(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.PkgPath() != "sync" {
		return false
	}
	switch t.Name() {
	case "Mutex", "RWMutex", "Once", "WaitGroup", "Cond", "Locker":
		return true
	}
	return false
}
