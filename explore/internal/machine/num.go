package machine

import (
	"math"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// What runtime errors of numbers say.
const (
	divideByZero  = "runtime error: integer divide by zero"
	negativeShift = "runtime error: negative shift amount"
)

// wrap makes a word of type num of one whose higher bits are anything.
func wrap(num ir.Num, w ir.Word) ir.Word {
	switch num {
	case ir.I8:
		return ir.Word(int64(int8(w)))
	case ir.I16:
		return ir.Word(int64(int16(w)))
	case ir.I32:
		return ir.Word(int64(int32(w)))
	case ir.U8:
		return ir.Word(uint8(w))
	case ir.U16:
		return ir.Word(uint16(w))
	case ir.U32, ir.F32:
		return ir.Word(uint32(w))
	}
	return w
}

// signed reports whether numbers of the type are signed integers.
func signed(num ir.Num) bool { return num <= ir.I32 }

func truth(b bool) ir.Word {
	if b {
		return 1
	}
	return 0
}

// Binary is a op b, numbers of type num: Add to AndNot, and Eq to Le. Of strings it
// has Eq and Ne alone; see Strings. If it panics, panics says with what.
func Binary(op ir.Op, num ir.Num, a, b ir.Word) (w ir.Word, panics string) {
	switch num {
	case ir.F64:
		return float64Binary(op, math.Float64frombits(a), math.Float64frombits(b)), ""
	case ir.F32:
		return float32Binary(op, math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))), ""
	}
	switch op {
	case ir.Add:
		return wrap(num, a+b), ""
	case ir.Sub:
		return wrap(num, a-b), ""
	case ir.Mul:
		return wrap(num, a*b), ""
	case ir.Div, ir.Rem:
		return divide(op, num, a, b)
	case ir.And:
		return a & b, ""
	case ir.Or:
		return a | b, ""
	case ir.Xor:
		return a ^ b, ""
	case ir.AndNot:
		return a &^ b, ""
	case ir.Eq:
		return truth(a == b), ""
	case ir.Ne:
		return truth(a != b), ""
	case ir.Lt:
		if signed(num) {
			return truth(int64(a) < int64(b)), ""
		}
		return truth(a < b), ""
	case ir.Le:
		if signed(num) {
			return truth(int64(a) <= int64(b)), ""
		}
		return truth(a <= b), ""
	}
	panic("no binary operation")
}

// divide is a / b or a % b; the smallest number divided by -1 is itself.
func divide(op ir.Op, num ir.Num, a, b ir.Word) (w ir.Word, panics string) {
	switch {
	case b == 0:
		return 0, divideByZero
	case signed(num) && op == ir.Div:
		return wrap(num, ir.Word(int64(a)/int64(b))), ""
	case signed(num):
		return ir.Word(int64(a) % int64(b)), ""
	case op == ir.Div:
		return a / b, ""
	}
	return a % b, ""
}

func float64Binary(op ir.Op, a, b float64) ir.Word {
	switch op {
	case ir.Add:
		return math.Float64bits(a + b)
	case ir.Sub:
		return math.Float64bits(a - b)
	case ir.Mul:
		return math.Float64bits(a * b)
	case ir.Div:
		return math.Float64bits(a / b)
	case ir.Eq:
		return truth(a == b)
	case ir.Ne:
		return truth(a != b)
	case ir.Lt:
		return truth(a < b)
	case ir.Le:
		return truth(a <= b)
	}
	panic("no operation of floats")
}

// float32Binary rounds once, to 32 bits: for these operations, to compute in 64 bits and
// round the result then is the same.
func float32Binary(op ir.Op, a, b float32) ir.Word {
	w := float64Binary(op, float64(a), float64(b))
	if op >= ir.Eq {
		return w
	}
	return ir.Word(math.Float32bits(float32(math.Float64frombits(w))))
}

// Shift is a << b or a >> b, where a is of type num and b of type from.
func Shift(op ir.Op, num, from ir.Num, a, b ir.Word) (w ir.Word, panics string) {
	if signed(from) && int64(b) < 0 {
		return 0, negativeShift
	}
	switch {
	case op == ir.Shl:
		return wrap(num, a<<b), ""
	case signed(num):
		return ir.Word(int64(a) >> b), ""
	}
	return a >> b, ""
}

// Unary is Neg, Com or Not of a number of type num.
func Unary(op ir.Op, num ir.Num, a ir.Word) ir.Word {
	switch {
	case op == ir.Not:
		return a ^ 1
	case op == ir.Com:
		return wrap(num, ^a)
	case num == ir.F64:
		return math.Float64bits(-math.Float64frombits(a))
	case num == ir.F32:
		return ir.Word(math.Float32bits(-math.Float32frombits(uint32(a))))
	}
	return wrap(num, -a)
}

// Convert makes a number of type from one of type to. A rune becomes a string, and a
// pointer an integer or back, as it is.
func Convert(strings *ir.Strings, to, from ir.Num, a ir.Word) ir.Word {
	switch {
	case to == ir.Str:
		if from == ir.Str {
			return a
		}
		r := rune(utf8.RuneError)
		if a <= utf8.MaxRune {
			r = rune(a)
		}
		return strings.Number(string(r))
	case from == ir.F64:
		return fromFloat(to, math.Float64frombits(a))
	case from == ir.F32:
		return fromFloat(to, float64(math.Float32frombits(uint32(a))))
	case to == ir.F64 && signed(from):
		return math.Float64bits(float64(int64(a)))
	case to == ir.F64:
		return math.Float64bits(float64(a))
	case to == ir.F32 && signed(from): // not by way of 64 bits, which would round twice
		return ir.Word(math.Float32bits(float32(int64(a))))
	case to == ir.F32:
		return ir.Word(math.Float32bits(float32(a)))
	}
	return wrap(to, a)
}

// fromFloat converts a float. What does not fit an integer becomes what Go makes of it here.
func fromFloat(to ir.Num, f float64) ir.Word {
	switch to {
	case ir.F64:
		return math.Float64bits(f)
	case ir.F32:
		return ir.Word(math.Float32bits(float32(f)))
	case ir.I8:
		return ir.Word(int64(int8(f)))
	case ir.I16:
		return ir.Word(int64(int16(f)))
	case ir.I32:
		return ir.Word(int64(int32(f)))
	case ir.U8:
		return ir.Word(uint8(f))
	case ir.U16:
		return ir.Word(uint16(f))
	case ir.U32:
		return ir.Word(uint32(f))
	case ir.U64:
		return ir.Word(uint64(f))
	}
	return ir.Word(int64(f))
}
