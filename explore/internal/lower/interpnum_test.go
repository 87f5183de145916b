package lower

import (
	"math"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

func wrap(num ir.Num, w ir.Word) ir.Word {
	switch num {
	case ir.I8:
		return ir.Word(int8(w))
	case ir.I16:
		return ir.Word(int16(w))
	case ir.I32:
		return ir.Word(int32(w))
	case ir.U8:
		return ir.Word(uint8(w))
	case ir.U16:
		return ir.Word(uint16(w))
	case ir.U32:
		return ir.Word(uint32(w))
	}
	return w
}

func isSigned(n ir.Num) bool { return n <= ir.I32 }

func isFloat(n ir.Num) bool { return n == ir.F32 || n == ir.F64 }

func (a *activation) number(in *ir.Instr) string {
	x := a.get(in.A)
	switch in.Op {
	case ir.Neg:
		if isFloat(in.Num) {
			a.set(in.Dst, unfloat(in.Num, -float(in.Num, x)))
		} else {
			a.set(in.Dst, wrap(in.Num, -x))
		}
	case ir.Com:
		a.set(in.Dst, wrap(in.Num, ^x))
	case ir.Not:
		a.set(in.Dst, 1-x)
	case ir.Convert:
		a.convert(in, x)
	case ir.Shl, ir.Shr:
		n := a.get(in.B)
		if isSigned(in.From) && int64(n) < 0 {
			return "negative shift amount"
		}
		switch {
		case in.Op == ir.Shl:
			a.set(in.Dst, wrap(in.Num, x<<n))
		case isSigned(in.Num):
			a.set(in.Dst, ir.Word(int64(x)>>n))
		default:
			a.set(in.Dst, x>>n)
		}
	default:
		return a.binary(in, x, a.get(in.B))
	}
	return ""
}

func (a *activation) binary(in *ir.Instr, x, y ir.Word) string {
	switch {
	case in.Num == ir.Str:
		s, t := a.m.p.Strings.Text(x), a.m.p.Strings.Text(y)
		if in.Op == ir.Add {
			a.set(in.Dst, a.m.p.Strings.Number(s+t))
		} else {
			a.set(in.Dst, truth(compare(in.Op, s, t)))
		}
	case isFloat(in.Num):
		s, t := float(in.Num, x), float(in.Num, y)
		switch in.Op {
		case ir.Add:
			a.set(in.Dst, unfloat(in.Num, s+t))
		case ir.Sub:
			a.set(in.Dst, unfloat(in.Num, s-t))
		case ir.Mul:
			a.set(in.Dst, unfloat(in.Num, s*t))
		case ir.Div:
			a.set(in.Dst, unfloat(in.Num, s/t))
		default:
			a.set(in.Dst, truth(compare(in.Op, s, t)))
		}
	case in.Op >= ir.Eq && isSigned(in.Num):
		a.set(in.Dst, truth(compare(in.Op, int64(x), int64(y))))
	case in.Op >= ir.Eq:
		a.set(in.Dst, truth(compare(in.Op, x, y)))
	case in.Op == ir.Div || in.Op == ir.Rem:
		if y == 0 {
			return "integer divide by zero"
		}
		a.set(in.Dst, wrap(in.Num, divide(in, x, y)))
	default:
		a.set(in.Dst, wrap(in.Num, map[ir.Op]ir.Word{
			ir.Add: x + y, ir.Sub: x - y, ir.Mul: x * y, ir.And: x & y, ir.Or: x | y, ir.Xor: x ^ y, ir.AndNot: x &^ y,
		}[in.Op]))
	}
	return ""
}

func divide(in *ir.Instr, x, y ir.Word) ir.Word {
	switch {
	case isSigned(in.Num) && in.Op == ir.Div:
		return ir.Word(int64(x) / int64(y))
	case isSigned(in.Num):
		return ir.Word(int64(x) % int64(y))
	case in.Op == ir.Div:
		return x / y
	}
	return x % y
}

func compare[T int64 | uint64 | float64 | string](op ir.Op, x, y T) bool {
	switch op {
	case ir.Eq:
		return x == y
	case ir.Ne:
		return x != y
	case ir.Lt:
		return x < y
	}
	return x <= y
}

func (a *activation) convert(in *ir.Instr, x ir.Word) {
	switch {
	case in.Num == ir.Str:
		a.set(in.Dst, a.m.p.Strings.Number(string(rune(int64(x)))))
	case isFloat(in.Num) && isFloat(in.From):
		a.set(in.Dst, unfloat(in.Num, float(in.From, x)))
	case in.Num == ir.F32 && isSigned(in.From):
		a.set(in.Dst, ir.Word(math.Float32bits(float32(int64(x)))))
	case in.Num == ir.F32:
		a.set(in.Dst, ir.Word(math.Float32bits(float32(x))))
	case in.Num == ir.F64 && isSigned(in.From):
		a.set(in.Dst, math.Float64bits(float64(int64(x))))
	case in.Num == ir.F64:
		a.set(in.Dst, math.Float64bits(float64(x)))
	case isFloat(in.From) && in.Num == ir.U64:
		a.set(in.Dst, ir.Word(uint64(float(in.From, x))))
	case isFloat(in.From):
		a.set(in.Dst, wrap(in.Num, ir.Word(int64(float(in.From, x)))))
	default:
		a.set(in.Dst, wrap(in.Num, x))
	}
}

func (a *activation) text(in *ir.Instr) string {
	s := a.m.p.Strings.Text(a.get(in.A))
	switch in.Op {
	case ir.Len:
		a.set(in.Dst, ir.Word(len(s)))
	case ir.CharAt:
		if a.get(in.B) >= ir.Word(len(s)) {
			return outOfRange
		}
		a.set(in.Dst, ir.Word(s[a.get(in.B)]))
	case ir.Substring:
		lo, hi := a.get(in.B), a.get(in.C)
		if hi > ir.Word(len(s)) || lo > hi {
			return "slice bounds out of range"
		}
		a.set(in.Dst, a.m.p.Strings.Number(s[lo:hi]))
	case ir.NextRune:
		a.nextRune(in)
	}
	return ""
}
