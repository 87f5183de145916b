package lower

import (
	"fmt"
	"go/types"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// mostWords is the size from which values are too large.
const mostWords = 1 << 20

// shape is how values of a type are laid out in words.
type shape struct {
	kinds []ir.Kind
	names []string // of the words, for readers: "" is the value as a whole
	nums  []ir.Num // what words of kind Data hold
	bad   string   // why there are no such values
}

var (
	dataShape  = &shape{kinds: []ir.Kind{ir.Data}, names: []string{""}, nums: []ir.Num{ir.I64}}
	ptrShape   = &shape{kinds: []ir.Kind{ir.Ptr}, names: []string{""}, nums: []ir.Num{ir.Opaque}}
	sliceShape = &shape{kinds: []ir.Kind{ir.Ptr, ir.Data, ir.Data}, names: []string{"", "len", "cap"}, nums: []ir.Num{ir.Opaque, ir.I64, ir.I64}}
	ifaceShape = &shape{kinds: []ir.Kind{ir.Iface, ir.Dynamic}, names: []string{"", ""}, nums: []ir.Num{ir.Opaque, ir.Opaque}}
)

// shape computes how values of a type are laid out, once.
func (c *compiler) shape(t types.Type) *shape {
	switch t := t.(type) { // these may have parts that are types of package ssa, which have no hash
	case *types.Pointer:
		return ptrShape
	case *types.Tuple:
		s := &shape{}
		for i := range t.Len() {
			s.add("", c.shape(t.At(i).Type()))
		}
		return s
	}
	if s, ok := c.shapes.At(t).(*shape); ok {
		return s
	}
	s := c.newShape(t)
	c.shapes.Set(t, s)
	return s
}

func (c *compiler) newShape(t types.Type) *shape {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basicShape(u)
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return ptrShape
	case *types.Slice:
		return sliceShape
	case *types.Interface:
		return ifaceShape
	case *types.Struct:
		s := &shape{}
		for i := range u.NumFields() {
			switch f := u.Field(i); {
			case isWord(t, u):
				s.add("", c.shape(f.Type()))
			case f.Name() != "_":
				s.add(f.Name(), c.shape(f.Type()))
			}
		}
		return s.atLeastOne()
	case *types.Array:
		return c.arrayShape(u)
	}
	return ptrShape // iterators, stacks of deferred calls
}

func (c *compiler) arrayShape(a *types.Array) *shape {
	s, elem := &shape{}, c.shape(a.Elem())
	if n := a.Len(); n < 0 || n > mostWords || int(n)*len(elem.kinds) > mostWords {
		return &shape{kinds: dataShape.kinds, names: dataShape.names, nums: dataShape.nums, bad: fmt.Sprintf("an array of %d elements is too large", n)}
	}
	for i := range a.Len() {
		s.add(fmt.Sprintf("[%d]", i), elem)
	}
	return s.atLeastOne()
}

func basicShape(b *types.Basic) *shape {
	num := numOf(b)
	if b.Kind() == types.UnsafePointer || b.Kind() == types.UntypedNil {
		return ptrShape
	}
	if b.Info()&types.IsComplex != 0 {
		num = partOf(b)
		return &shape{kinds: []ir.Kind{ir.Data, ir.Data}, names: []string{"real", "imag"}, nums: []ir.Num{num, num}}
	}
	return &shape{kinds: dataShape.kinds, names: dataShape.names, nums: []ir.Num{num}}
}

// add appends a part.
func (s *shape) add(name string, part *shape) {
	s.kinds = append(s.kinds, part.kinds...)
	s.nums = append(s.nums, part.nums...)
	for _, n := range part.names {
		s.names = append(s.names, join(name, n))
	}
	if s.bad == "" {
		s.bad = part.bad
	}
}

// join names a part of a part.
func join(a, b string) string {
	if a == "" || b == "" || b[0] == '[' {
		return a + b
	}
	return a + "." + b
}

func (s *shape) atLeastOne() *shape {
	if len(s.kinds) == 0 {
		s.kinds, s.names, s.nums = dataShape.kinds, dataShape.names, dataShape.nums
	}
	return s
}

// words is the number of words of a type's values.
func (c *compiler) words(t types.Type) int { return len(c.shape(t).kinds) }

// isWord reports whether a type is one of sync or sync/atomic with one field, which readers
// need not know of.
func isWord(t types.Type, u *types.Struct) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && u.NumFields() == 1 && n.Obj().Pkg() != nil && (n.Obj().Pkg().Path() == "sync" || n.Obj().Pkg().Path() == "sync/atomic")
}

// field is the word at which a field of a struct type begins; ok is false if code may
// not touch it.
func (c *compiler) field(t types.Type, i int) (at int, ok bool) {
	u := t.Underlying().(*types.Struct)
	if u.Field(i).Name() == "_" {
		return 0, false
	}
	for j := range i {
		if f := u.Field(j); f.Name() != "_" {
			at += c.words(f.Type())
		}
	}
	return at, true
}

// part is the word at which a component of a tuple begins.
func (c *compiler) part(t *types.Tuple, i int) int {
	at := 0
	for j := range i {
		at += c.words(t.At(j).Type())
	}
	return at
}

// numOf is the type of numbers, or what else is one word.
func numOf(t types.Type) ir.Num {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return ir.U64
	}
	switch b.Kind() {
	case types.Bool, types.UntypedBool:
		return ir.Bool
	case types.Int8:
		return ir.I8
	case types.Int16:
		return ir.I16
	case types.Int32, types.UntypedRune:
		return ir.I32
	case types.Uint8:
		return ir.U8
	case types.Uint16:
		return ir.U16
	case types.Uint32:
		return ir.U32
	case types.Uint, types.Uint64, types.Uintptr:
		return ir.U64
	case types.Float32:
		return ir.F32
	case types.Float64, types.UntypedFloat:
		return ir.F64
	case types.String, types.UntypedString:
		return ir.Str
	case types.UnsafePointer, types.UntypedNil, types.Complex64, types.Complex128, types.UntypedComplex:
		return ir.Opaque
	}
	return ir.I64
}
