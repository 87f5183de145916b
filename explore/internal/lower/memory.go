package lower

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// mostInRegs is how many words a variable may have to be kept in registers.
const mostInRegs = 64

// findVariables finds the variables that nobody has the address of: they become
// registers.
func (f *function) findVariables(fn *ssa.Function) {
	for _, a := range fn.Locals {
		if !a.Heap && f.words(elemOf(a.Type())) <= mostInRegs && f.onlyAccessed(a) {
			f.inRegister(a, f.newRegs(f.shape(elemOf(a.Type())).kinds...))
		}
	}
}

// inRegister notes that an address is that of registers, and which ones those that are
// derived from it are.
func (f *function) inRegister(addr ssa.Value, at int32) {
	f.inRegs[addr] = at
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			field, _ := f.field(elemOf(addr.Type()), r.Field)
			f.inRegister(r, at+int32(field))
		case *ssa.IndexAddr:
			i, _ := knownIndex(r)
			f.inRegister(r, at+int32(i*f.words(elemOf(r.Type()))))
		}
	}
}

// onlyAccessed reports whether an address is but loaded from and stored to, in whole or
// by parts whose place is known.
func (f *function) onlyAccessed(addr ssa.Value) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			if r.Op != token.MUL {
				return false
			}
		case *ssa.Store:
			if r.Val == addr {
				return false
			}
		case *ssa.FieldAddr:
			if _, ok := f.field(elemOf(r.X.Type()), r.Field); !ok || !f.onlyAccessed(r) {
				return false
			}
		case *ssa.IndexAddr:
			if _, ok := knownIndex(r); !ok || !f.onlyAccessed(r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// knownIndex is the index of an element of an array, if it is a constant within bounds.
func knownIndex(in *ssa.IndexAddr) (int, bool) {
	p, ok := in.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return 0, false
	}
	k, ok := in.Index.(*ssa.Const)
	if !ok || k.Value == nil {
		return 0, false
	}
	i, exact := constant.Int64Val(constant.ToInt(k.Value))
	return int(i), exact && i >= 0 && i < p.Elem().Underlying().(*types.Array).Len()
}

// memory compiles what works on objects in memory, but for loads.
func (f *function) memory(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Alloc:
		f.alloc(in)
	case *ssa.FieldAddr:
		if _, ok := f.inRegs[in]; ok {
			return
		}
		at, ok := f.field(elemOf(in.X.Type()), in.Field)
		if !ok {
			f.noField(elemOf(in.X.Type()), in.Field)
			return
		}
		f.emit(ir.Instr{Op: ir.FieldAddr, Dst: f.value(in), A: f.value(in.X), N: int32(at)})
	case *ssa.Field:
		f.noField(in.X.Type(), in.Field)
	case *ssa.IndexAddr:
		f.indexAddr(in)
	case *ssa.Index:
		f.index(in)
	case *ssa.Store:
		n := f.words(in.Val.Type())
		if at, ok := f.inRegs[in.Addr]; ok {
			f.move(at, f.value(in.Val), n)
		} else {
			f.emit(ir.Instr{Op: ir.Store, A: f.value(in.Addr), B: f.value(in.Val), N: int32(n)})
		}
	case *ssa.MakeSlice:
		elem := in.Type().Underlying().(*types.Slice).Elem()
		f.emit(ir.Instr{Op: ir.MakeSlice, Dst: f.value(in), A: f.value(in.Len), B: f.value(in.Cap), To: int32(f.elements(elem))})
	case *ssa.Slice:
		f.slice(in)
	case *ssa.SliceToArrayPointer:
		f.toArrayPointer(in)
	}
}

func (f *function) noField(t types.Type, i int) {
	f.notCovered(fmt.Sprintf("field %s of %s", t.Underlying().(*types.Struct).Field(i).Name(), f.typeName(t)))
}

func (f *function) alloc(in *ssa.Alloc) {
	t := elemOf(in.Type())
	if s := f.shape(t); s.bad != "" {
		f.notCovered(s.bad)
		return
	}
	if at, ok := f.inRegs[in]; ok {
		n := f.words(t)
		f.move(at, f.zero(n), n)
		return
	}
	layout, n := f.variable(t)
	if !in.Heap {
		layout, n = f.local(t)
	}
	f.emit(ir.Instr{Op: ir.Alloc, Dst: f.value(in), To: int32(layout), N: int32(n)})
}

// notNil emits a check that a pointer is not nil, unless that is known.
func (f *function) notNil(v ssa.Value) {
	switch v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.SliceToArrayPointer:
		return
	}
	f.emit(ir.Instr{Op: ir.FieldAddr, Dst: f.newRegs(ir.Ptr), A: f.value(v)})
}

func (f *function) indexAddr(in *ssa.IndexAddr) {
	if _, ok := f.inRegs[in]; ok {
		return
	}
	addr := ir.Instr{Op: ir.IndexAddr, B: f.value(in.Index)}
	switch t := in.X.Type().Underlying().(type) {
	case *types.Slice:
		addr.A = f.value(in.X)
		addr.C = part(addr.A, 1)
		addr.N = int32(f.words(t.Elem()))
	case *types.Pointer:
		a := t.Elem().Underlying().(*types.Array)
		n := f.words(a.Elem())
		addr.A = f.value(in.X)
		if i, ok := knownIndex(in); ok {
			f.emit(ir.Instr{Op: ir.FieldAddr, Dst: f.value(in), A: addr.A, N: int32(i * n)})
			return
		}
		f.notNil(in.X)
		addr.C = f.constant(ir.Word(a.Len()))
		addr.N = int32(n)
	}
	addr.Dst = f.value(in)
	f.emit(addr)
}

func (f *function) index(in *ssa.Index) {
	dst, i := f.value(in), f.value(in.Index)
	a, ok := in.X.Type().Underlying().(*types.Array)
	if !ok {
		f.emit(ir.Instr{Op: ir.CharAt, Dst: dst, A: f.value(in.X), B: i})
		return
	}
	f.emit(ir.Instr{
		Op: ir.Index, Dst: dst, A: f.value(in.X), B: i, C: f.constant(ir.Word(a.Len())),
		N: int32(f.words(a.Elem())), M: int32(f.words(in.X.Type())),
	})
}

// slice compiles x[low:high:max] of a string, a slice or a pointer to an array.
func (f *function) slice(in *ssa.Slice) {
	dst := f.value(in)
	or := func(v ssa.Value, otherwise int32) int32 {
		if v == nil {
			return otherwise
		}
		return f.value(v)
	}
	s := ir.Instr{Op: ir.Slice, Dst: dst, A: f.value(in.X), B: or(in.Low, f.zero(1))}
	switch t := in.X.Type().Underlying().(type) {
	case *types.Basic:
		if in.High == nil {
			s.C = f.data()
			f.emit(ir.Instr{Op: ir.Len, Dst: s.C, A: s.A})
		} else {
			s.C = f.value(in.High)
		}
		s.Op = ir.Substring
		f.emit(s)
		return
	case *types.Slice:
		s.N = int32(f.words(t.Elem()))
	case *types.Pointer:
		f.notNil(in.X)
		a := t.Elem().Underlying().(*types.Array)
		n := f.constant(ir.Word(a.Len()))
		whole := in.Low == nil && in.High == nil && in.Max == nil
		triple := dst
		if !whole {
			triple = f.newRegs(sliceShape.kinds...)
		}
		f.move(triple, s.A, 1)
		f.move(triple+1, f.constant(ir.Word(a.Len()), ir.Word(a.Len())), 2)
		if whole {
			return
		}
		s.A, s.N, s.C, s.M = triple, int32(f.words(a.Elem())), n, 1
	}
	s.C = or(in.High, part(s.A, 1))
	if in.Max != nil {
		s.Args = []ir.Arg{{At: f.value(in.Max), N: 1}}
	}
	f.emit(s)
}

// toArrayPointer compiles a conversion that panics if the slice is too short.
func (f *function) toArrayPointer(in *ssa.SliceToArrayPointer) {
	s := f.value(in.X)
	if n := elemOf(in.Type()).Underlying().(*types.Array).Len(); n > 0 {
		f.emit(ir.Instr{Op: ir.IndexAddr, Dst: f.newRegs(ir.Ptr), A: s, B: f.constant(ir.Word(n - 1)), C: part(s, 1)})
	}
	f.move(f.value(in), s, 1)
}
