package lower

import (
	"go/token"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

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
