package lower

import (
	"go/constant"
	"math"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// constant is the operand for words that are known.
func (c *compiler) constant(words ...ir.Word) int32 {
	key := make([]byte, 0, 8*len(words))
	for _, w := range words {
		for i := range 8 {
			key = append(key, byte(w>>(8*i)))
		}
	}
	at, ok := c.consts[string(key)]
	if !ok {
		at = int32(len(c.prog.Consts))
		c.prog.Consts = append(c.prog.Consts, words...)
		c.consts[string(key)] = at
	}
	return ^at
}

// zero is the operand for n words that are zero.
func (c *compiler) zero(n int) int32 { return c.constant(make([]ir.Word, n)...) }

// complexConstant is the operand for a constant that is a complex number.
func (c *compiler) complexConstant(k *ssa.Const) int32 {
	z := constant.ToComplex(k.Value)
	a, _ := constant.Float64Val(constant.Real(z))
	b, _ := constant.Float64Val(constant.Imag(z))
	if partOf(k.Type()) == ir.F32 {
		return c.constant(ir.Word(math.Float32bits(float32(a))), ir.Word(math.Float32bits(float32(b))))
	}
	return c.constant(math.Float64bits(a), math.Float64bits(b))
}

// number is the word of a constant of a basic type.
func (c *compiler) number(k *ssa.Const) (ir.Word, bool) {
	switch num := numOf(k.Type()); num {
	case ir.Bool:
		return truth(constant.BoolVal(k.Value)), true
	case ir.Str:
		if k.Value.Kind() != constant.String {
			return 0, false
		}
		return c.prog.Strings.Number(constant.StringVal(k.Value)), true
	case ir.F64:
		f, _ := constant.Float64Val(k.Value)
		return math.Float64bits(f), true
	case ir.F32:
		f, _ := constant.Float32Val(k.Value)
		return ir.Word(math.Float32bits(f)), true
	case ir.Opaque:
		return 0, false
	default:
		v := constant.ToInt(k.Value)
		if i, exact := constant.Int64Val(v); exact {
			return ir.Word(i), true
		}
		u, exact := constant.Uint64Val(v)
		return u, exact
	}
}

func truth(b bool) ir.Word {
	if b {
		return 1
	}
	return 0
}

// globalAddr is the pointer to a package's variable.
func (c *compiler) globalAddr(g *ssa.Global) ir.Word {
	n, ok := c.globals[g]
	if !ok {
		n = len(c.prog.Globals)
		c.globals[g] = n
		layout, count := c.variable(elemOf(g.Type()))
		c.prog.Globals = append(c.prog.Globals, ir.Global{Name: g.RelString(c.packageOf(c.src.Path)), Layout: layout, Count: count, Pos: c.position(g.Pos())})
	}
	return ir.Pointer(n+1, 0)
}

// closure is the pointer to the closure of a function that captures nothing.
func (c *compiler) closure(fn *ssa.Function) ir.Word {
	n, ok := c.closures[fn]
	if !ok {
		n = len(c.prog.Globals)
		c.closures[fn] = n
		c.prog.Globals = append(c.prog.Globals, ir.Global{
			Name: c.funcName(fn), Layout: c.closureLayout(fn), Count: 1, Init: []ir.Word{ir.Word(c.function(fn))}, Pos: c.position(fn.Pos()),
		})
	}
	return ir.Pointer(n+1, 0)
}
