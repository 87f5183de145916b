package lower

import (
	"go/constant"
	"go/types"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// emit appends an instruction; it belongs to the place that is being compiled. The targets
// of Jump and If are labels until resolve.
func (f *function) emit(in ir.Instr) {
	in.Pos = f.pos
	f.out.Code = append(f.out.Code, in)
}

// newRegs makes registers.
func (f *function) newRegs(kinds ...ir.Kind) int32 {
	at := int32(len(f.out.Kinds))
	f.out.Kinds = append(f.out.Kinds, kinds...)
	if len(kinds) > 0 {
		f.units = append(f.units, at)
	}
	return at
}

// data makes a register for a number.
func (f *function) data() int32 { return f.newRegs(ir.Data) }

// move emits r[dst:n] = r[src:n].
func (f *function) move(dst, src int32, n int) {
	if dst != src && n > 0 {
		f.emit(ir.Instr{Op: ir.Move, Dst: dst, A: src, N: int32(n)})
	}
}

// binary emits r[dst] = r[a] op r[b] of numbers.
func (f *function) binary(op ir.Op, num ir.Num, dst, a, b int32) {
	f.emit(ir.Instr{Op: op, Num: num, Dst: dst, A: a, B: b})
}

// newLabel makes a label; bind says where it is.
func (f *function) newLabel() int32 {
	f.labels = append(f.labels, -1)
	return int32(len(f.labels) - 1)
}

func (f *function) bind(label int32) { f.labels[label] = int32(len(f.out.Code)) }

func (f *function) jump(label int32) { f.emit(ir.Instr{Op: ir.Jump, To: label}) }

// branch goes on at one label if r[cond], else at the other.
func (f *function) branch(cond, yes, no int32) {
	f.emit(ir.Instr{Op: ir.If, A: cond, To: yes, M: no})
}

// resolve makes indexes of labels.
func (f *function) resolve() {
	for i := range f.out.Code {
		switch in := &f.out.Code[i]; in.Op {
		case ir.If:
			in.M = f.labels[in.M]
			in.To = f.labels[in.To]
		case ir.Jump:
			in.To = f.labels[in.To]
		}
	}
}

// part is the operand for words of another one, from word i on.
func part(operand int32, i int) int32 {
	if operand < 0 {
		return operand - int32(i)
	}
	return operand + int32(i)
}

// notCovered is in the place of what cannot be explored. To be there is refused, but in the
// standard library only to get there, when it runs.
func (f *function) notCovered(what string) {
	if !f.lenient {
		f.refuse(f.prog.Positions[f.pos], what)
	}
	f.fails(what)
}

// fails emits that what is met here cannot be explored.
func (f *function) fails(what string) {
	f.emit(ir.Instr{Op: ir.Fail, To: int32(f.prog.Strings.Number(what))})
}

// a move of words from one operand to registers.
type parallelMove struct {
	dst, src int32
	n        int
}

// parallel emits moves that all happen at once.
func (f *function) parallel(moves []parallelMove) {
	for len(moves) > 0 {
		i := 0
		for i < len(moves) && blocked(moves, i) {
			i++
		}
		if i == len(moves) { // in a circle: one source goes elsewhere first
			m := &moves[0]
			saved := f.newRegs(f.out.Kinds[m.dst : int(m.dst)+m.n]...)
			f.move(saved, m.src, m.n)
			m.src = saved
			continue
		}
		f.move(moves[i].dst, moves[i].src, moves[i].n)
		moves = append(moves[:i], moves[i+1:]...)
	}
}

// blocked reports whether move i would overwrite what another one has yet to read.
func blocked(moves []parallelMove, i int) bool {
	m := moves[i]
	for j, other := range moves {
		if j != i && other.src >= 0 && other.src < m.dst+int32(m.n) && m.dst < other.src+int32(other.n) {
			return true
		}
	}
	return false
}

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
		if t := closedTo(g); t != nil && !slices.Contains(c.src.Packages, g.Pkg) {
			c.prog.Globals[n].Init = []ir.Word{ir.Pointer(n+2, 0)}
			layout, count := c.variable(t)
			c.prog.Globals = append(c.prog.Globals, ir.Global{Name: c.prog.Globals[n].Name, Layout: layout, Count: count, Pos: c.position(g.Pos())})
		}
	}
	return ir.Pointer(n+1, 0)
}

// closedTo is what a variable points to, if that is a struct of which other packages see nothing, as os.Stderr; else nil.
// Where the initialiser of its package does not run, it points to one, of which all methods are refused.
func closedTo(g *ssa.Global) types.Type {
	p, ok := elemOf(g.Type()).Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	s, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i := range s.NumFields() {
		if s.Field(i).Exported() {
			return nil
		}
	}
	return p.Elem()
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
