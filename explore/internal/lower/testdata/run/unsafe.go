package run

import (
	"reflect"
	"unsafe"
)

// Identity compares pointers as numbers.
//
//go:nocheckptr
func Identity(a, b uint8) (bool, bool, bool, bool) {
	cells := [4]int{}
	p, q := &cells[a&3], &cells[b&3]
	if a == b {
		q = nil
	}
	same := uintptr(unsafe.Pointer(p)) == uintptr(unsafe.Pointer(q))
	other := uintptr(unsafe.Pointer(p)) != uintptr(unsafe.Pointer(&cells[0]))
	none := uintptr(unsafe.Pointer(q)) == 0
	x := uintptr(unsafe.Pointer(p))
	return same, other, none, (*int)(unsafe.Pointer(x^0)) == p
}

// Further goes from one element to another.
func Further(a uint8, b int) (int, int, int32, byte) {
	ints, pairs := []int{1, 2, b, 4}, [3]struct {
		lo int32
		hi byte
	}{{1, 2}, {3, 4}, {5, 6}}
	i, j := uintptr(a&3), int(a)%3
	p := (*int)(unsafe.Add(unsafe.Pointer(&ints[0]), i*unsafe.Sizeof(ints[0])))
	*p++
	back := (*int)(unsafe.Pointer(uintptr(unsafe.Pointer(&ints[3])) + -(3-i)*unsafe.Sizeof(ints[0])))
	pair := (*struct {
		lo int32
		hi byte
	})(unsafe.Add(unsafe.Pointer(&pairs[1]), (j-1)*int(unsafe.Sizeof(pairs[0]))))
	return *p, *back, pair.lo, pair.hi
}

// Header reads a slice of bytes as a string.
func Header(a, b byte) (string, bool) {
	bytes := []byte{a | 1, b, 'c'}
	if a == b {
		bytes = bytes[:1]
	}
	s := *(*string)(unsafe.Pointer(&bytes))
	return s, s == "c" || len(s) == len(bytes)
}

func sizes[T any](v T) (uintptr, uintptr) { return unsafe.Sizeof(v), unsafe.Alignof(v) }

// Sizes are those of types that were parameters.
func Sizes() (a, b, c, d, e, f uintptr) {
	a, b = sizes(int16(1))
	c, d = sizes("")
	e, f = sizes(struct {
		a bool
		b int32
		c byte
	}{})
	return
}

func kind[T any](v T) reflect.Kind { return reflect.TypeOf(v).Kind() }

type label string

// Kinds are those of types that were parameters.
func Kinds() (a, b, c, d, e, f, g, h int) {
	a, b, c, d = int(kind(1)), int(kind(label(""))), int(kind([]int(nil))), int(kind(uintptr(1)))
	e, f, g, h = int(kind(struct{}{})), int(kind(kind[int])), int(kind(1.5)), int(kind(map[int]bool(nil)))
	return
}

type index struct {
	data unsafe.Pointer
	all  []*int
}

// Indexed goes through the elements of a slice by a pointer that is kept.
func Indexed(a uint8, b int) (int, bool) {
	all := make([]*int, 4)
	header := (*reflect.SliceHeader)(unsafe.Pointer(&all))
	x := &index{unsafe.Pointer(header.Data), all}
	at := uintptr(a & 3)
	p := (*unsafe.Pointer)(unsafe.Pointer(uintptr(x.data) + at*8))
	*p = unsafe.Pointer(&b)
	q := (*unsafe.Pointer)(unsafe.Add(x.data, 8*at))
	return *(*int)(*q), x.all[at] == &b && header.Len == 4
}
