package lower

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// helped calls a function of the same package instead, which has a function more, made here
// for the type of a value that the arguments have as an interface. It reports false if that
// type is not known here.
func (s *site) helped(name string, results int) bool {
	args := s.args
	switch name {
	case "as": // err, target: assign
		p, ok := s.boxed(1).(*types.Pointer)
		if !ok {
			return false
		}
		assign := s.closure(s.assigner(p.Elem()), s.unboxed(1), ir.Ptr)
		args = append(args[:2:2], ir.Arg{At: assign, N: 1})
	default: // a slice, less: its length, swap, less
		t, ok := s.boxed(0).(*types.Slice)
		if !ok {
			return false
		}
		slice := s.unboxed(0)
		swap := s.closure(s.swapper(t.Elem()), slice, sliceShape.kinds...)
		args = append([]ir.Arg{{At: part(slice, 1), N: 1}, {At: swap, N: 1}}, args[1:]...)
	}
	s.emit(ir.Instr{Op: ir.Call, Dst: s.dst, N: int32(results), To: int32(s.compiler.function(s.fn.Pkg.Func(name))), Args: argsOf(args...)})
	return true
}

// origin is the value of an argument before it became an interface, nil if that is not known.
func (s *site) origin(i int) ssa.Value {
	for v, at := range s.regs {
		if m, ok := v.(*ssa.MakeInterface); ok && at == s.args[i].At {
			return m.X
		}
	}
	return nil
}

// boxed is the type of what became an interface, unboxed its registers.
func (s *site) boxed(i int) types.Type {
	if v := s.origin(i); v != nil {
		return v.Type().Underlying()
	}
	return nil
}

func (s *site) unboxed(i int) int32 { return s.value(s.origin(i)) }

// closure emits a closure of a function that captures words.
func (s *site) closure(fn int, at int32, kinds ...ir.Kind) int32 {
	layout := s.intern(ir.Layout{Name: "func " + s.prog.Funcs[fn].Name, Words: append([]ir.Kind{ir.Data}, kinds...), Special: ir.Closure, Escapes: true})
	dst := s.newRegs(ir.Ptr)
	s.emit(ir.Instr{Op: ir.MakeClosure, Dst: dst, To: int32(fn), N: int32(layout), Args: []ir.Arg{{At: at, N: int32(len(kinds))}}})
	return dst
}

// assigner makes the function that assigns an error to the variable to which the pointer that
// it has captured points, if it is of that type.
func (s *site) assigner(t types.Type) int {
	g := s.newFunction("assign", s.fn.Pos(), true)
	err, target := g.newRegs(ir.Iface, ir.Dynamic), g.newRegs(ir.Ptr)
	g.out.Params, g.out.Captured, g.out.Results = 2, 1, 1
	value := g.newRegs(s.shape(t).kinds...)
	ok, yes, no := g.data(), g.newLabel(), g.newLabel()
	assert := ir.Instr{Op: ir.Assert, Dst: value, A: err, N: int32(s.words(t)), M: 1}
	if i, isInterface := t.Underlying().(*types.Interface); isInterface {
		assert.Op, assert.To = ir.AssertTo, int32(s.interfaceNumber(t, i))
	} else {
		assert.To = int32(s.typeNumber(t))
	}
	g.emit(assert)
	g.branch(ok, yes, no)
	g.bind(yes)
	g.emit(ir.Instr{Op: ir.Store, A: target, B: value, N: int32(s.words(t))})
	g.bind(no)
	g.returnWords(ok, 1)
	return g.add()
}

// swapper makes the function that swaps two elements of the slice that it has captured.
func (s *site) swapper(elem types.Type) int {
	words := int32(s.words(elem))
	g := s.newFunction("swap", s.fn.Pos(), true)
	index := [2]int32{g.data(), g.data()}
	slice := g.newRegs(sliceShape.kinds...)
	g.out.Params, g.out.Captured = 2, 3
	var addr, value [2]int32
	for i := range index {
		addr[i], value[i] = g.newRegs(ir.Ptr), g.newRegs(s.shape(elem).kinds...)
		g.emit(ir.Instr{Op: ir.IndexAddr, Dst: addr[i], A: slice, B: index[i], C: slice + 1, N: words})
		g.emit(ir.Instr{Op: ir.Load, Dst: value[i], A: addr[i], N: words})
	}
	for i := range index {
		g.emit(ir.Instr{Op: ir.Store, A: addr[i], B: value[1-i], N: words})
	}
	g.emit(ir.Instr{Op: ir.Return})
	return g.add()
}
