package lower

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// function compiles one function. Every SSA value has registers of its own, or shares
// those of the value that it is a part of: a value is assigned once each time control comes
// past, so a part of it, or the same under another type, is assigned anew with it.
type function struct {
	*compiler
	out     *ir.Func
	regs    map[ssa.Value]int32 // the first register
	inRegs  map[ssa.Value]int32 // variables that are registers, and addresses within them
	labels  []int32
	units   []int32 // where the registers of each value begin
	blocks  []int32 // the label of each block
	pos     int32   // of what is being compiled
	lenient bool    // what cannot be explored fails when it is reached
}

func (c *compiler) newFunction(name string, pos token.Pos, lenient bool) *function {
	f := &function{
		compiler: c, out: &ir.Func{Name: name, Defers: -1, Recovers: -1, Pos: c.position(pos)},
		regs: map[ssa.Value]int32{}, inRegs: map[ssa.Value]int32{}, lenient: lenient,
	}
	f.pos = f.out.Pos
	return f
}

// compile compiles a function, which has number n.
func (c *compiler) compile(fn *ssa.Function, n int) {
	if fn.Blocks == nil && fn.Pkg != nil {
		fn.Pkg.Build()
	}
	f := c.newFunction(c.funcName(fn), fn.Pos(), c.standard(fn))
	f.out.Standard = c.standard(fn)
	f.out.Results = c.words(fn.Signature.Results())
	f.parameters(fn)
	for _, p := range fn.Params {
		if bad := f.shape(p.Type()).bad; bad != "" {
			f.notCovered(bad)
		}
	}
	switch known := f.known(fn); {
	case known:
	case fn.Blocks == nil:
		f.notCovered(fmt.Sprintf("%s has no Go source", f.out.Name))
	default:
		f.body(fn)
	}
	f.end(n)
}

// parameters gives parameters and captured variables the first registers.
func (f *function) parameters(fn *ssa.Function) {
	if len(fn.Params) == 0 && fn.Blocks == nil { // one that has no body
		if recv := fn.Signature.Recv(); recv != nil {
			f.newRegs(f.shape(recv.Type()).kinds...)
		}
		f.newRegs(f.shape(fn.Signature.Params()).kinds...)
	}
	for _, p := range fn.Params {
		f.regs[p] = f.newRegs(f.shape(p.Type()).kinds...)
	}
	f.out.Params = len(f.out.Kinds)
	for _, v := range fn.FreeVars {
		f.regs[v] = f.newRegs(f.shape(v.Type()).kinds...)
	}
	f.out.Captured = len(f.out.Kinds) - f.out.Params
}

// known compiles a function that is instructions of its own.
func (f *function) known(fn *ssa.Function) bool {
	var args []ir.Arg
	at := int32(0)
	add := func(t types.Type) {
		n := int32(f.words(t))
		args = append(args, ir.Arg{At: at, N: n})
		at += n
	}
	if recv := fn.Signature.Recv(); recv != nil {
		add(recv.Type())
	}
	for i := range fn.Signature.Params().Len() {
		add(fn.Signature.Params().At(i).Type())
	}
	kinds, code, units := len(f.out.Kinds), len(f.out.Code), len(f.units)
	dst := f.newRegs(f.shape(fn.Signature.Results()).kinds...)
	if !f.intrinsic(&site{f, fn, args, dst}) {
		f.out.Kinds, f.out.Code, f.units = f.out.Kinds[:kinds], f.out.Code[:code], f.units[:units]
		return false
	}
	f.returnWords(dst, f.out.Results)
	return true
}

func (f *function) returnWords(at int32, n int) {
	f.emit(ir.Instr{Op: ir.Return, Args: argsOf(ir.Arg{At: at, N: int32(n)})})
}

// argsOf lists the arguments that have words.
func argsOf(list ...ir.Arg) []ir.Arg {
	var args []ir.Arg
	for _, a := range list {
		if a.N > 0 {
			args = append(args, a)
		}
	}
	return args
}

// body compiles the blocks.
func (f *function) body(fn *ssa.Function) {
	f.findVariables(fn)
	for _, b := range fn.Blocks {
		f.blocks = append(f.blocks, f.newLabel())
		for _, in := range b.Instrs {
			if _, ok := in.(*ssa.Defer); ok && f.out.Defers < 0 {
				f.out.Defers = f.newRegs(ir.Ptr)
			}
		}
	}
	dead := unevaluated(fn)
	for _, b := range fn.Blocks {
		f.bind(f.blocks[b.Index])
		for _, in := range b.Instrs {
			if !dead[in] {
				f.notePlace(in)
				f.instr(in)
			}
		}
	}
	if fn.Recover != nil && f.out.Defers >= 0 {
		f.out.Recovers = f.labels[f.blocks[fn.Recover.Index]]
	}
}

// notePlace notes the place of an instruction; those without belong to the one before.
func (f *function) notePlace(in ssa.Instruction) {
	if pos := in.Pos(); pos.IsValid() {
		f.pos = f.position(pos)
	}
}

// end resolves labels; the function has number n.
func (f *function) end(n int) {
	f.resolve()
	f.prog.Funcs[n] = f.out
	f.unitsOf[n] = f.units
}

// add makes a function that is not one of SSA.
func (f *function) add() int {
	n := len(f.prog.Funcs)
	f.prog.Funcs = append(f.prog.Funcs, nil)
	f.end(n)
	return n
}

// value is the operand of a value: its first register or constant.
func (f *function) value(v ssa.Value) int32 {
	if g, ok := v.(*ssa.Global); ok && !slices.Contains(f.src.Packages, g.Pkg) && closedTo(g) == nil {
		f.notCovered(fmt.Sprintf("variable %s.%s: package %s is not initialised", g.Pkg.Pkg.Name(), g.Name(), g.Pkg.Pkg.Path()))
	}
	if r, ok := f.regs[v]; ok {
		return r
	}
	r := f.newValue(v)
	f.regs[v] = r
	return r
}

func (f *function) newValue(v ssa.Value) int32 {
	switch v := v.(type) {
	case *ssa.Const:
		return f.constantValue(v)
	case *ssa.Global:
		f.reach(v)
		return f.constant(f.globalAddr(v))
	case *ssa.Function:
		return f.constant(f.closure(v))
	case *ssa.FieldAddr:
		if base := f.value(v.X); base < 0 {
			if at, ok := f.field(elemOf(v.X.Type()), v.Field); ok && f.prog.Consts[^base] != 0 {
				return f.constant(f.prog.Consts[^base] + ir.Word(at))
			}
		}
	case *ssa.MakeInterface:
		if x := f.value(v.X); x < 0 && f.words(v.X.Type()) == 1 {
			return f.constant(ir.Word(f.makeType(v.X.Type())), f.prog.Consts[^x])
		}
	}
	if same, at := f.alias(v); same != nil {
		return part(f.value(same), at)
	}
	return f.newRegs(f.kindsOf(v)...)
}

// operands lists values as arguments.
func (f *function) operands(vs []ssa.Value) []ir.Arg {
	var args []ir.Arg
	for _, v := range vs {
		args = append(args, ir.Arg{At: f.value(v), N: int32(f.words(v.Type()))})
	}
	return args
}

func (f *function) constantValue(k *ssa.Const) int32 {
	s := f.shape(k.Type())
	if k.Value == nil {
		return f.zero(len(s.kinds))
	}
	if isComplex(k.Type()) {
		return f.complexConstant(k)
	}
	w, ok := f.number(k)
	if !ok {
		f.notCovered(fmt.Sprintf("constant %s of type %s", k.Value, f.typeName(k.Type())))
	}
	return f.constant(w)
}

// alias tells whose registers a value shares, from which word on; nil if it has its own.
func (f *function) alias(v ssa.Value) (of ssa.Value, at int) {
	switch v := v.(type) {
	case *ssa.Extract:
		return v.Tuple, f.extractAt(v)
	case *ssa.Field:
		if at, ok := f.field(v.X.Type(), v.Field); ok {
			return v.X, at
		}
	case *ssa.ChangeType:
		if len(f.shape(v.Type()).kinds) == len(f.shape(v.X.Type()).kinds) {
			return v.X, 0
		}
	case *ssa.ChangeInterface:
		return v.X, 0
	case *ssa.Convert:
		if slice := sliceHeader(v); slice != nil {
			return slice, 0
		}
		if f.sameWord(v) || identity(v) != nil || isUintptr(v.X.Type()) && pointerLike(v.Type().Underlying()) && identity(v.X) != nil {
			return v.X, 0
		}
	case *ssa.BinOp:
		if x := identity(v); x != nil {
			return x, 0
		}
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && len(v.Call.Args) > 0 {
			switch b.Name() {
			case "real":
				return v.Call.Args[0], 0
			case "imag":
				return v.Call.Args[0], 1
			}
			if _, slice := v.Call.Args[0].Type().Underlying().(*types.Slice); slice {
				switch b.Name() {
				case "len":
					return v.Call.Args[0], 1
				case "cap":
					return v.Call.Args[0], 2
				case "SliceData":
					return v.Call.Args[0], 0
				}
			}
		}
	}
	return nil, 0
}

// extractAt is the word at which a component of a tuple begins.
func (f *function) extractAt(v *ssa.Extract) int {
	next, ok := v.Tuple.(*ssa.Next)
	if !ok {
		return f.part(v.Tuple.Type().(*types.Tuple), v.Index)
	}
	if v.Index < 2 {
		return v.Index
	}
	if next.IsString {
		return 2
	}
	return 1 + f.words(next.Iter.(*ssa.Range).X.Type().Underlying().(*types.Map).Key())
}

// kindsOf lists the kinds of a value's words.
func (f *function) kindsOf(v ssa.Value) []ir.Kind {
	switch v := v.(type) {
	case *ssa.Range: // of a map the iterator; of a string the next byte's index
		if _, ok := v.X.Type().Underlying().(*types.Map); ok {
			return []ir.Kind{ir.Ptr}
		}
		return []ir.Kind{ir.Data}
	case *ssa.Next:
		if v.IsString {
			return []ir.Kind{ir.Data, ir.Data, ir.Data}
		}
		m := v.Iter.(*ssa.Range).X.Type().Underlying().(*types.Map)
		kinds := append([]ir.Kind{ir.Data}, f.shape(m.Key()).kinds...)
		return append(kinds, f.shape(m.Elem()).kinds...)
	}
	if sliceData(v) {
		return ptrShape.kinds
	}
	s := f.shape(v.Type())
	if s.bad != "" {
		f.notCovered(s.bad)
	}
	return s.kinds
}

// edge goes on at a successor of a block.
func (f *function) edge(from *ssa.BasicBlock, to *ssa.BasicBlock) {
	f.parallel(f.phiMoves(from, to))
	f.jump(f.blocks[to.Index])
}

// phiMoves are the moves on the edge between two blocks.
func (f *function) phiMoves(from, to *ssa.BasicBlock) []parallelMove {
	at := 0
	for to.Preds[at] != from {
		at++
	}
	var moves []parallelMove
	for _, in := range to.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		if refs := phi.Referrers(); refs == nil || len(*refs) == 0 {
			continue
		}
		if dst, src := f.value(phi), f.value(phi.Edges[at]); dst != src {
			moves = append(moves, parallelMove{dst, src, f.words(phi.Type())})
		}
	}
	return moves
}

// twoWays goes on at one of two blocks.
func (f *function) twoWays(in *ssa.If) {
	b := in.Block()
	cond := f.value(in.Cond)
	target := [2]int32{}
	var moves [2][]parallelMove
	for i, s := range b.Succs {
		target[i] = f.blocks[s.Index]
		if moves[i] = f.phiMoves(b, s); len(moves[i]) > 0 {
			target[i] = f.newLabel()
		}
	}
	f.branch(cond, target[0], target[1])
	for i, s := range b.Succs {
		if len(moves[i]) > 0 {
			f.bind(target[i])
			f.parallel(moves[i])
			f.jump(f.blocks[s.Index])
		}
	}
}

// elemOf is what a pointer points to.
func elemOf(t types.Type) types.Type { return t.Underlying().(*types.Pointer).Elem() }
