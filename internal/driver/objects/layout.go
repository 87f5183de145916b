//go:build go1.21

package objects

import (
	"reflect"
	"strings"
	"unsafe"
)

// form is how a type's memory is gone through.
type form uint8

const (
	plain     form = iota // nothing in it leads anywhere
	text                  // a string
	composite             // a struct
	array
	pointer
	slice
	mapping
	dynamic   // an interface
	function  // may be nil, or one that all objects share
	identity  // a pointer that is kept as it is
	condition // a sync.Cond, of which only the lock matters while nobody waits
	forbidden // must be nil or zero
)

// layout is what is known of a type.
type layout struct {
	t      reflect.Type
	form   form
	size   uintptr
	flat   bool // copying the memory is a copy: nothing but plain data and strings
	raw    bool // equal bytes are equal values
	why    string
	key    *layout
	elem   *layout
	n      int // of an array
	fields []field
	many   reflect.Type     // slice of it
	cell   [2]reflect.Value // of a map whose entries are flat, see cells
}

type field struct {
	name string
	off  uintptr
	*layout
}

// layout describes a type. What a pointer leads to may refer to the type itself
// and is filled in later.
func (w *World) layout(t reflect.Type) *layout {
	if l := w.layouts[t]; l != nil {
		return l
	}
	l := &layout{t: t, size: t.Size()}
	w.layouts[t] = l
	if w.special(l) {
		return l
	}
	switch t.Kind() {
	case reflect.String:
		l.form, l.flat = text, true
	case reflect.Struct:
		w.structLayout(l)
	case reflect.Array:
		l.form, l.elem, l.n = array, w.layout(t.Elem()), t.Len()
		l.flat, l.raw = l.elem.flat, l.elem.raw
		if l.flat && l.raw {
			l.form = plain
		}
	case reflect.Pointer:
		l.form, l.elem = pointer, w.layout(t.Elem())
	case reflect.Slice:
		l.form, l.elem = slice, w.layout(t.Elem())
	case reflect.Map:
		l.form, l.key, l.elem = mapping, w.layout(t.Key()), w.layout(t.Elem())
	case reflect.Interface:
		l.form = dynamic
	case reflect.Func:
		l.form = function
	case reflect.Chan:
		l.form, l.why = forbidden, "a channel"
	case reflect.UnsafePointer:
		l.form, l.why = forbidden, "an unsafe.Pointer"
	case reflect.Uintptr:
		l.form, l.why = forbidden, "a uintptr, which may be an address"
	default: // numbers and bools
		l.form, l.flat, l.raw = plain, true, true
	}
	return l
}

// structLayout lists a struct's fields.
func (w *World) structLayout(l *layout) {
	l.form, l.flat, l.raw = composite, true, true
	end := uintptr(0)
	for i := 0; i < l.t.NumField(); i++ {
		f := l.t.Field(i)
		fl := w.layout(f.Type)
		if isAtomicPointer(l.t) && f.Type.Kind() == reflect.UnsafePointer {
			fl = w.layout(l.t.Field(0).Type.Elem()) // [0]*T
		}
		l.flat = l.flat && fl.flat
		l.raw = l.raw && fl.raw && f.Offset == end
		end = f.Offset + fl.size
		if fl.size > 0 {
			l.fields = append(l.fields, field{f.Name, f.Offset, fl})
		}
	}
	l.raw = l.raw && end == l.size
	if l.flat && l.raw {
		l.form = plain
	}
}

// isAtomicPointer reports whether a type is an atomic.Pointer, which hides its
// type in an array of length 0.
func isAtomicPointer(t reflect.Type) bool {
	return t.PkgPath() == "sync/atomic" && strings.HasPrefix(t.Name(), "Pointer[") &&
		t.NumField() > 0 && t.Field(0).Type.Kind() == reflect.Array &&
		t.Field(0).Type.Elem().Kind() == reflect.Pointer
}

// special knows the types whose fields do not say what they are.
func (w *World) special(l *layout) bool {
	t := l.t
	name := t.String()
	if t.Kind() == reflect.Pointer {
		name = "*" + t.Elem().PkgPath() + "." + t.Elem().Name()
	} else if t.PkgPath() != "" {
		name = t.PkgPath() + "." + t.Name()
	}
	switch name {
	case "sync.Cond":
		w.structLayout(l)
		l.form, l.flat, l.raw = condition, false, false
		for _, f := range l.fields {
			if f.name == "L" {
				l.fields = []field{f}
				return true
			}
		}
		l.form, l.why = forbidden, "a sync.Cond"
	case "*time.Location", "*reflect.rtype", "*internal/abi.Type":
		l.form = identity
	case "sync.Map", "sync.Pool", "time.Timer", "time.Ticker", "os.File", "reflect.Value":
		l.form, l.why = forbidden, "a "+name
		if name == "os.File" {
			l.why = "an os.File"
		}
	default:
		switch pkg := t.PkgPath(); {
		case pkg == "unique" && strings.HasPrefix(t.Name(), "Handle["):
			l.form = identity
		case pkg == "weak":
			l.form, l.why = forbidden, "a weak pointer"
		default:
			return false
		}
	}
	return true
}

// slice is the type of slices of the type.
func (l *layout) slices() reflect.Type {
	if l.many == nil {
		l.many = reflect.SliceOf(l.t)
	}
	return l.many
}

// make is a new region of n values. One that belongs to a slice is an array, too.
func (l *layout) make(n int) unsafe.Pointer {
	if n == 1 {
		return reflect.New(l.t).UnsafePointer()
	}
	return reflect.MakeSlice(l.slices(), n, n).UnsafePointer()
}

// cells are variables for a key and a value of a map. Those of a map whose entries lead
// nowhere are the same each time.
func (l *layout) cells() (key, value reflect.Value) {
	if l.cell[0].IsValid() {
		return l.cell[0], l.cell[1]
	}
	key, value = reflect.New(l.key.t).Elem(), reflect.New(l.elem.t).Elem()
	if l.key.flat && l.elem.flat {
		l.cell = [2]reflect.Value{key, value}
	}
	return key, value
}

// move copies the memory of n values.
func (l *layout) move(to, from unsafe.Pointer, n int) {
	if n == 1 {
		reflect.NewAt(l.t, to).Elem().Set(reflect.NewAt(l.t, from).Elem())
		return
	}
	reflect.Copy(l.view(to, n), l.view(from, n))
}

// view is n values as a slice.
func (l *layout) view(p unsafe.Pointer, n int) reflect.Value {
	h := header{p, n, n}
	return reflect.NewAt(l.slices(), unsafe.Pointer(&h)).Elem()
}

// header is a slice in memory.
type header struct {
	data     unsafe.Pointer
	len, cap int
}

// zero reports whether the memory of a value is all zero.
func (l *layout) zero(p unsafe.Pointer) bool { return reflect.NewAt(l.t, p).Elem().IsZero() }
