package lower

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// refused is code that cannot be explored: a comment says why.
const refused = `package p

import "unsafe"

func New() *int { return new(int) }

func Fine() int { return 1 }

func Number(p *int) bool {
	return uintptr(unsafe.Pointer(p)) > 5 // conversion from unsafe.Pointer to uintptr
}

func Older(p, q *int) bool {
	a := uintptr(unsafe.Pointer(p)) // conversion from unsafe.Pointer to uintptr
	b := uintptr(unsafe.Pointer(q)) // conversion from unsafe.Pointer to uintptr
	return a == b || a < b
}

func Half(p *int) bool {
	h := uintptr(unsafe.Pointer(p)) >> 3 // conversion from unsafe.Pointer to uintptr
	return h == 0
}

var last uintptr

func Kept(p *int) {
	last = uintptr(unsafe.Pointer(p)) // conversion from unsafe.Pointer to uintptr
}

func Pointer(n uintptr) *int {
	if n == 0 {
		return nil
	}
	return pointer(n)
}

func pointer(n uintptr) *int {
	return (*int)(unsafe.Pointer(n)) // conversion from uintptr to unsafe.Pointer
}

func Slice(p *int) []int {
	return unsafe.Slice(p, 3) // unsafe.Slice
}

func String(b []byte) string {
	return unsafe.String(&b[1], len(b)) // unsafe.String
}

func Data(s string) *byte {
	return unsafe.StringData(s) // unsafe.StringData
}

func Add(p *int) bool {
	return unsafe.Add(unsafe.Pointer(p), 8) == nil // unsafe.Add
}

func Huge() int {
	a := new([1 << 30]byte) // an array of 1073741824 elements is too large
	return len(a)
}

func Defer(seq func(func(int) bool)) {
	for range seq {
		defer Fine() // a defer statement in the body of a range over a function
	}
}

//go:linkname mystery runtime.mystery
func mystery()

func NoSource() {
	mystery() // calls mystery, which has no Go source
}

type T struct{}

func (T) bad(n uintptr) *int { return (*int)(unsafe.Pointer(n)) }
func (T) good() int          { return 1 }

func Unreached(n uintptr) int {
	var s interface{ good() int } = T{}
	return s.good()
}

func unused() { T{}.bad(1) }
`

// TestRefusals compiles what cannot be explored: one line for each construct.
func TestRefusals(t *testing.T) {
	_, refusals := Compile(loadText(t, refused))
	var got, want []string
	for _, r := range refusals {
		got = append(got, fmt.Sprintf("%s:%d: %s", r.Pos.File, r.Pos.Line, r.What))
	}
	for i, line := range strings.Split(refused, "\n") {
		if _, why, ok := strings.Cut(line, " // "); ok {
			want = append(want, fmt.Sprintf("p.go:%d: %s", i+1, why))
		}
	}
	got = slices.Compact(got)
	if !slices.Equal(got, want) {
		t.Errorf("refused\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !strings.HasSuffix(refusals[0].Error(), ":10:16: conversion from unsafe.Pointer to uintptr") {
		t.Errorf("refused %s", refusals[0])
	}
}

// TestCasts runs casts by way of unsafe.Pointer: those to other words fail.
func TestCasts(t *testing.T) {
	testsize.NeedsLong(t)
	p, refusals := Compile(loadText(t, `package p

import (
	"sync/atomic"
	"unsafe"
)

type node struct {
	val  int
	next *node
}

type header struct{ val int }

var cell unsafe.Pointer

func New() *int { return new(int) }

func Same(n int) int {
	atomic.StorePointer(&cell, unsafe.Pointer(&node{val: n}))
	return (*node)(atomic.LoadPointer(&cell)).val
}

func First(n int) int {
	cell = unsafe.Pointer(&node{val: n})
	return (*header)(cell).val
}

func Nil(n int) bool {
	cell = nil
	return (*header)(cell) == nil
}

func Inner(n int) int {
	cell = unsafe.Pointer(&(&[3]int{1, 2, 3})[1])
	return (*[2]int)(cell)[n&1]
}

func BadHalf(n int) int32 {
	cell = unsafe.Pointer(&n)
	return *(*int32)(cell)
}

func BadLong(n int) int {
	cell = unsafe.Pointer(&header{n})
	return (*node)(cell).val
}

func BadKind(n int) int {
	cell = unsafe.Pointer(&node{})
	return (*[2]int)(cell)[n&1]
}

func Next(n int) int {
	a := [3]int{1, 2, n}
	return *(*int)(unsafe.Add(unsafe.Pointer(&a[0]), 16))
}

func BadBeyond(n int) int {
	a := [3]int{1, 2, n}
	return *(*int)(unsafe.Add(unsafe.Pointer(&a[0]), 8*n))
}

func BadBefore(n int) int {
	a := []int{1, 2, n}
	return *(*int)(unsafe.Add(unsafe.Pointer(&a[0]), -8))
}

func BadWithin(n int) int {
	a := []int{1, 2, n}
	return *(*int)(unsafe.Add(unsafe.Pointer(&a[0]), n))
}

func kept(p unsafe.Pointer, n uintptr) int { return *(*int)(unsafe.Pointer(uintptr(p) + n)) }

func Kept(n int) int { return kept(unsafe.Pointer(&[]int{1, 2, n}[0]), 16) }

func BadKept(n int) int { return kept(unsafe.Pointer(&[]int{1, 2, n}[0]), 24) }

func BadOdd(n int) int { return kept(unsafe.Pointer(&[]int{1, 2, n}[0]), 5) }

func BadMixed(n int) int {
	return kept(unsafe.Pointer(&struct {
		a int
		s string
		b int
	}{n, "", n}), 8)
}

func NilKept(n int) int { return kept(nil, 8) }

func BadString(n int) string {
	b := []int{n}
	return *(*string)(unsafe.Pointer(&b))
}
`))
	if len(refusals) > 0 {
		t.Fatal(refusals)
	}
	want := map[string]string{
		"Same": "[5]", "First": "[5]", "Nil": "[1]", "Inner": "[3]", "BadHalf": "stuck: fail: cast to int32", "BadLong": "stuck: fail: cast to node",
		"BadKind": "stuck: fail: cast to [2]int", "BadString": "stuck: fail: cast to string",
		"Next": "[5]", "BadBeyond": "stuck: fail: unsafe.Add to what is no element of the same array", "BadBefore": "stuck: fail: unsafe.Add to what is no element of the same slice",
		"Kept": "[5]", "BadKept": "stuck: fail: cast to int", "BadMixed": "stuck: fail: cast to int", "NilKept": "panic",
		"BadOdd":    "stuck: fail: pointer arithmetic to what is before an array, or within an element",
		"BadWithin": "stuck: fail: unsafe.Add to what is no element of the same slice",
	}
	for _, op := range p.Ops {
		if got := result(p, op.Func, 5); got != want[op.GoName] {
			t.Errorf("%s(5) = %s, want %s", op.GoName, got, want[op.GoName])
		}
	}
}

// result runs the initialiser and a function.
func result(p *ir.Program, fn int, args ...ir.Word) string {
	m := newInterp(p)
	if _, panicked, err := m.run(p.Init, nil); err != nil || panicked != nil {
		return "init fails"
	}
	rets, panicked, err := m.run(fn, args)
	if err != nil {
		return err.Error()
	}
	if panicked != nil {
		return "panic"
	}
	return fmt.Sprint(rets)
}
