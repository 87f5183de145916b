package lower

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

var arithmetic = map[token.Token]ir.Op{
	token.ADD: ir.Add, token.SUB: ir.Sub, token.MUL: ir.Mul, token.QUO: ir.Div, token.REM: ir.Rem,
	token.AND: ir.And, token.OR: ir.Or, token.XOR: ir.Xor, token.AND_NOT: ir.AndNot, token.SHL: ir.Shl, token.SHR: ir.Shr,
	token.LSS: ir.Lt, token.LEQ: ir.Le,
}

func (f *function) binOp(in *ssa.BinOp) {
	dst, a, b := f.value(in), f.value(in.X), f.value(in.Y)
	switch in.Op {
	case token.EQL:
		f.equal(in.X.Type(), dst, a, b)
	case token.NEQ:
		f.unequal(in.X.Type(), dst, a, b)
	case token.GTR:
		f.binary(ir.Lt, numOf(in.X.Type()), dst, b, a)
	case token.GEQ:
		f.binary(ir.Le, numOf(in.X.Type()), dst, b, a)
	case token.SHL, token.SHR:
		f.emit(ir.Instr{Op: arithmetic[in.Op], Num: numOf(in.X.Type()), From: numOf(in.Y.Type()), Dst: dst, A: a, B: b})
	default:
		f.binary(arithmetic[in.Op], numOf(in.X.Type()), dst, a, b)
	}
}

// nilOperand reports whether an operand is a constant zero.
func (f *function) nilOperand(a int32) bool { return a < 0 && f.prog.Consts[^a] == 0 }

// equal emits r[dst] = a == b, values of a type.
func (f *function) equal(t types.Type, dst, a, b int32) {
	s := f.shape(t)
	switch t.Underlying().(type) {
	case *types.Interface:
		if !f.nilOperand(a) && !f.nilOperand(b) { // else the types alone tell
			f.same(t, dst, a, b)
			return
		}
	case *types.Struct, *types.Array:
		switch {
		case len(s.kinds) == 1:
			f.binary(ir.Eq, s.nums[0], dst, a, b)
		case f.hasFloats(t):
			f.equalParts(s, dst, a, b)
		default:
			f.same(t, dst, a, b)
		}
		return
	}
	f.binary(ir.Eq, numOf(t), dst, a, b)
}

func (f *function) same(t types.Type, dst, a, b int32) {
	f.emit(ir.Instr{Op: ir.Same, Dst: dst, A: a, B: b, N: int32(f.words(t)), To: int32(f.layout(t))})
}

// equalParts compares word by word: floats are not equal if their words are.
func (f *function) equalParts(s *shape, dst, a, b int32) {
	done := f.newLabel()
	result := f.data()
	f.move(result, f.zero(1), 1)
	for i := 0; i < len(s.kinds); i++ {
		equal := f.data()
		x, y := part(a, i), part(b, i)
		if s.kinds[i] == ir.Iface {
			f.emit(ir.Instr{Op: ir.Same, Dst: equal, A: x, B: y, N: 2, To: int32(f.layout(types.NewInterfaceType(nil, nil)))})
			i++
		} else {
			f.binary(ir.Eq, s.nums[i], equal, x, y)
		}
		next := f.newLabel()
		f.branch(equal, next, done)
		f.bind(next)
	}
	f.move(result, f.constant(1), 1)
	f.bind(done)
	f.move(dst, result, 1)
}

func (f *function) unequal(t types.Type, dst, a, b int32) {
	switch t.Underlying().(type) {
	case *types.Interface:
		if f.nilOperand(a) || f.nilOperand(b) {
			f.binary(ir.Ne, ir.U64, dst, a, b)
			return
		}
	case *types.Struct, *types.Array:
	default:
		f.binary(ir.Ne, numOf(t), dst, a, b)
		return
	}
	equal := f.data()
	f.equal(t, equal, a, b)
	f.emit(ir.Instr{Op: ir.Not, Num: ir.Bool, Dst: dst, A: equal})
}

// hasFloats reports whether values of a type have floating-point numbers in them.
func (f *function) hasFloats(t types.Type) bool {
	for _, n := range f.shape(t).nums {
		if n == ir.F32 || n == ir.F64 {
			return true
		}
	}
	return false
}

// fits lists the integers that, as words, are the same in another type.
var fits = map[ir.Num][]ir.Num{
	ir.I8: {ir.I8}, ir.I16: {ir.I16, ir.I8, ir.U8}, ir.I32: {ir.I32, ir.I16, ir.I8, ir.U16, ir.U8},
	ir.I64: {ir.I64, ir.I32, ir.I16, ir.I8, ir.U64, ir.U32, ir.U16, ir.U8},
	ir.U8:  {ir.U8}, ir.U16: {ir.U16, ir.U8}, ir.U32: {ir.U32, ir.U16, ir.U8},
	ir.U64: {ir.I64, ir.I32, ir.I16, ir.I8, ir.U64, ir.U32, ir.U16, ir.U8},
	ir.F32: {ir.F32}, ir.F64: {ir.F64}, ir.Str: {ir.Str}, ir.Bool: {ir.Bool},
}

// sameWord reports whether a conversion leaves the word as it is.
func (f *function) sameWord(in *ssa.Convert) bool {
	from, to := in.X.Type().Underlying(), in.Type().Underlying()
	if pointerLike(from) && pointerLike(to) {
		return f.castable(in)
	}
	a, okA := from.(*types.Basic)
	b, okB := to.(*types.Basic)
	if !okA || !okB || a.Kind() == types.UnsafePointer || b.Kind() == types.UnsafePointer {
		return false
	}
	for _, n := range fits[numOf(b)] {
		if n == numOf(a) {
			return true
		}
	}
	return false
}

// pointerLike reports whether a type is one of pointers, safe or not.
func pointerLike(t types.Type) bool {
	if b, ok := t.(*types.Basic); ok {
		return b.Kind() == types.UnsafePointer
	}
	_, ok := t.(*types.Pointer)
	return ok
}

// castable reports whether a pointer converted by way of unsafe.Pointer points to the same
// words as before; what it was is looked for as far as it is a conversion itself.
func (f *function) castable(in *ssa.Convert) bool {
	to, ok := in.Type().Underlying().(*types.Pointer)
	if !ok {
		return true
	}
	origin, ok := in.X.(*ssa.Convert)
	if !ok {
		return true
	}
	from, ok := origin.X.Type().Underlying().(*types.Pointer)
	return !ok || f.startsWith(f.shape(from.Elem()), f.shape(to.Elem())) || f.startsWith(f.shape(to.Elem()), f.shape(from.Elem()))
}

// startsWith reports whether the words of one shape are the first ones of another.
func (f *function) startsWith(long, short *shape) bool {
	if len(short.kinds) > len(long.kinds) {
		return false
	}
	for i, k := range short.kinds {
		if long.kinds[i] != k || k == ir.Data && !sameSize(long.nums[i], short.nums[i]) {
			return false
		}
	}
	return true
}

// sameSize reports whether a word that holds one type of numbers may be read as another's.
func sameSize(a, b ir.Num) bool { return a == b }

// convert compiles a conversion that changes words.
func (f *function) convert(in *ssa.Convert) {
	from, to := in.X.Type().Underlying(), in.Type().Underlying()
	bf, basicFrom := from.(*types.Basic)
	bt, basicTo := to.(*types.Basic)
	text := func(s *types.Slice) int32 {
		if numOf(s.Elem()) == ir.I32 {
			return 1
		}
		return 0
	}
	switch {
	case basicFrom && basicTo && numOf(bf) != ir.Opaque && numOf(bt) != ir.Opaque:
		f.emit(ir.Instr{Op: ir.Convert, Num: numOf(bt), From: numOf(bf), Dst: f.value(in), A: f.value(in.X)})
		return
	case basicTo && bt.Info()&types.IsString != 0:
		if s, ok := from.(*types.Slice); ok {
			f.emit(ir.Instr{Op: ir.Text, Dst: f.value(in), A: f.value(in.X), M: text(s)})
			return
		}
	case basicFrom && bf.Info()&types.IsString != 0:
		if s, ok := to.(*types.Slice); ok {
			f.emit(ir.Instr{Op: ir.Bytes, Dst: f.value(in), A: f.value(in.X), To: int32(f.elements(s.Elem())), M: text(s)})
			return
		}
	}
	f.value(in)
	f.notCovered(fmt.Sprintf("conversion from %s to %s", f.typeName(in.X.Type()), f.typeName(in.Type())))
}
