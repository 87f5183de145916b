package lower

import (
	"fmt"
	"go/token"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

var arithmetic = map[token.Token]ir.Op{
	token.ADD: ir.Add, token.SUB: ir.Sub, token.MUL: ir.Mul, token.QUO: ir.Div, token.REM: ir.Rem,
	token.AND: ir.And, token.OR: ir.Or, token.XOR: ir.Xor, token.AND_NOT: ir.AndNot, token.SHL: ir.Shl, token.SHR: ir.Shr,
	token.LSS: ir.Lt, token.LEQ: ir.Le,
}

func (f *function) binOp(in *ssa.BinOp) {
	if further(in) != nil { // compiled where it is a pointer again
		return
	}
	dst, a, b := f.value(in), f.value(in.X), f.value(in.Y)
	if isComplex(in.X.Type()) {
		f.complexOp(in, dst, a, b)
		return
	}
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
	if !okA || !okB || numOf(a) == ir.Opaque || numOf(b) == ir.Opaque {
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

// castable reports whether it is known that a pointer converted by way of unsafe.Pointer points
// to the same type as before.
func (f *function) castable(in *ssa.Convert) bool {
	to, ok := in.Type().Underlying().(*types.Pointer)
	if !ok {
		return true
	}
	switch x := in.X.(type) {
	case *ssa.Const:
		return true
	case *ssa.Convert:
		from, ok := x.X.Type().Underlying().(*types.Pointer)
		return ok && types.Identical(from.Elem(), to.Elem())
	}
	return false
}

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
	if sum, ok := in.X.(*ssa.BinOp); ok && pointerLike(to) && further(sum) != nil {
		f.advance(further(sum), sum.Y, in, f.value(in), "pointer arithmetic")
		return
	}
	switch {
	case basicFrom && basicTo && isComplex(bf) && isComplex(bt):
		f.eachPart(ir.Instr{Op: ir.Convert, Num: partOf(bt), From: partOf(bf)}, f.value(in), f.value(in.X))
		return
	case pointerLike(from) && pointerLike(to):
		f.emit(ir.Instr{Op: ir.Cast, Dst: f.value(in), A: f.value(in.X), To: int32(f.layout(elemOf(to)))})
		return
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

// isComplex reports whether values of a type are complex numbers: two words.
func isComplex(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsComplex != 0
}

// partOf is the type of the parts of a complex type.
func partOf(t types.Type) ir.Num {
	if t.Underlying().(*types.Basic).Kind() == types.Complex64 {
		return ir.F32
	}
	return ir.F64
}

// complexOp compiles an operation on complex numbers.
func (f *function) complexOp(in *ssa.BinOp, dst, a, b int32) {
	num := partOf(in.X.Type())
	switch in.Op {
	case token.EQL:
		f.same(in.X.Type(), dst, a, b)
	case token.NEQ:
		equal := f.data()
		f.same(in.X.Type(), equal, a, b)
		f.emit(ir.Instr{Op: ir.Not, Num: ir.Bool, Dst: dst, A: equal})
	case token.ADD, token.SUB:
		for i := range 2 {
			f.binary(arithmetic[in.Op], num, dst+int32(i), part(a, i), part(b, i))
		}
	default:
		op := complexProduct
		if in.Op == token.QUO {
			op = complexQuotient
		}
		(&site{function: f}).native("complex "+in.Op.String()+" of "+num.String(), func(_ *ir.Program, args, rets []ir.Word) string {
			op(num, args, rets)
			return ""
		}, dst, 2, ir.Arg{At: a, N: 2}, ir.Arg{At: b, N: 2})
	}
}

func complexProduct(num ir.Num, args, rets []ir.Word) {
	if num == ir.F32 {
		setComplex64(rets, complex64At(args)*complex64At(args[2:]))
	} else {
		setComplex(rets, complexAt(args)*complexAt(args[2:]))
	}
}

func complexQuotient(num ir.Num, args, rets []ir.Word) {
	if num == ir.F32 {
		setComplex64(rets, complex64At(args)/complex64At(args[2:]))
	} else {
		setComplex(rets, complexAt(args)/complexAt(args[2:]))
	}
}

func complexAt(w []ir.Word) complex128 {
	return complex(math.Float64frombits(w[0]), math.Float64frombits(w[1]))
}

func complex64At(w []ir.Word) complex64 {
	return complex(math.Float32frombits(uint32(w[0])), math.Float32frombits(uint32(w[1])))
}

func setComplex(w []ir.Word, z complex128) {
	w[0], w[1] = math.Float64bits(real(z)), math.Float64bits(imag(z))
}

func setComplex64(w []ir.Word, z complex64) {
	w[0], w[1] = ir.Word(math.Float32bits(real(z))), ir.Word(math.Float32bits(imag(z)))
}

// eachPart emits an instruction for both parts.
func (f *function) eachPart(in ir.Instr, dst, a int32) {
	for i := range 2 {
		in.Dst, in.A = dst+int32(i), part(a, i)
		f.emit(in)
	}
}
