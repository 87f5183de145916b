//go:build go1.21

package objects

import (
	"encoding/binary"
	"reflect"
	"strconv"
	"unsafe"
)

// Items of a Form. Each is a byte, and then:
const (
	FormNumber = 'n' // a number: a type, a length, nil or not
	FormInt    = 'i' // an integer, as text with its length
	FormText   = 's' // a string or bytes, with their length
	FormOther  = 'b' // bytes of another value, with their length
	FormPlace  = 'p' // the number of what a pointer leads to
	FormPart   = 'r' // the number of what a pointer leads to, which follows
	FormMap    = 'm' // how many entries, and then keys and values in turn, each a list of items with its length
)

// Form appends an object's text as items, in which values can be given other names. It
// tells as much as Text.
func (w *World) Form(b []byte, t reflect.Type, p unsafe.Pointer, detail Detail) ([]byte, error) {
	x := writer{g: &w.graph, b: b, detail: detail, form: true}
	return x.object(w.layout(t), p)
}

func (x *writer) item(kind byte) { x.b = append(x.b, kind) }

func (x *writer) leaf(kind byte, s string) {
	x.item(kind)
	x.b = append(binary.AppendUvarint(x.b, uint64(len(s))), s...)
}

// raw writes n values whose memory says all. In a Form they are written one by one,
// other than bytes.
func (x *writer) raw(l *layout, p unsafe.Pointer, n int) bool {
	switch {
	case !x.form:
		x.b = append(x.b, unsafe.Slice((*byte)(p), uintptr(n)*l.size)...)
	case l.t.Kind() == reflect.Uint8 && n != 1:
		x.leaf(FormText, string(unsafe.Slice((*byte)(p), n)))
	default:
		return false
	}
	return true
}

// plain writes a value in a Form whose memory Text takes.
func (x *writer) plain(l *layout, p unsafe.Pointer) {
	v := reflect.NewAt(l.t, p).Elem()
	switch {
	case len(l.fields) > 0:
		for i := range l.fields {
			x.value(l.fields[i].layout, unsafe.Add(p, l.fields[i].off))
		}
	case l.elem != nil:
		x.values(l.elem, p, l.n)
	case v.CanInt():
		x.leaf(FormInt, strconv.FormatInt(v.Int(), 10))
	case v.CanUint():
		x.leaf(FormInt, strconv.FormatUint(v.Uint(), 10))
	default:
		x.leaf(FormOther, string(unsafe.Slice((*byte)(p), l.size)))
	}
}

// lent writes in a Form what a pointer leads to that was lent, if that is all there
// is to say of it.
func (x *writer) lent(p unsafe.Pointer) bool {
	loan, ok := x.g.w.lent[p]
	if !ok || !x.form {
		return false
	}
	l := x.g.w.layout(loan.t)
	if l.flat {
		x.number(isLent)
		x.value(l, p)
	}
	return l.flat
}

// entry writes an entry of a map in a Form.
func (x *writer) entry(l *layout, e entry) {
	x.b = append(binary.AppendUvarint(x.b, uint64(len(e.key))), e.key...)
	outer := x.b
	x.b = nil
	x.value(l.elem, e.value)
	value := x.b
	x.b = append(binary.AppendUvarint(outer, uint64(len(value))), value...)
}
