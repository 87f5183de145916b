// Package reflectlite is what internal/reflectlite is to the explorer: types that have a
// name and can be compared or not.
package reflectlite

import "internal/abi"

type Kind = abi.Kind

const (
	Ptr       = abi.Pointer
	Interface = abi.Interface
	Slice     = abi.Slice
	String    = abi.String
	Struct    = abi.Struct
)

type Type interface {
	Name() string
	PkgPath() string
	Size() uintptr
	Kind() Kind
	Implements(u Type) bool
	AssignableTo(u Type) bool
	Comparable() bool
	String() string
	Elem() Type
}

// typ is the dynamic type of a value.
type typ struct{ v any }

func TypeOf(i any) Type { return typ{i} }

func (t typ) Comparable() bool { return comparable(t.v) }
func (t typ) String() string   { return name(t.v) }

func comparable(v any) bool
func name(v any) string

func (t typ) Name() string
func (t typ) PkgPath() string
func (t typ) Size() uintptr
func (t typ) Kind() Kind
func (t typ) Implements(u Type) bool
func (t typ) AssignableTo(u Type) bool
func (t typ) Elem() Type

type Value struct{ v any }

func ValueOf(i any) Value
func Swapper(slice any) func(i, j int)

func (v Value) CanSet() bool
func (v Value) Elem() Value
func (v Value) IsNil() bool
func (v Value) IsValid() bool
func (v Value) Kind() Kind
func (v Value) Len() int
func (v Value) Set(x Value)
func (v Value) Type() Type

type ValueError struct {
	Method string
	Kind   Kind
}

func (e *ValueError) Error() string { return "reflect: call of " + e.Method }
