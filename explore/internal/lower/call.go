package lower

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// call compiles a call; its results go to registers dst.
func (f *function) call(call *ssa.CallCommon, mode ir.Mode, dst int32) {
	in := ir.Instr{Mode: mode, Dst: dst, N: int32(f.words(call.Signature().Results()))}
	args := f.operands(call.Args)
	if call.IsInvoke() {
		in.Op, in.A, in.To, in.Args = ir.CallMethod, f.value(call.Value), int32(f.callMethod(call.Method)), argsOf(args...)
		f.emit(in)
		return
	}
	switch v := call.Value.(type) {
	case *ssa.Builtin:
		if mode == ir.Now {
			f.builtin(v.Name(), call, args, dst)
			return
		}
		if v.Name() == "recover" { // recovers only if a deferred function calls it
			return
		}
		f.later(mode, v.Name(), args, call.Args, func(g *function, args []ir.Arg) { g.builtin(v.Name(), call, args, 0) })
	case *ssa.Function:
		f.callFunction(v, call, mode, args, in)
	case *ssa.MakeClosure: // what it captures are arguments like others: no closure is needed
		fn := v.Fn.(*ssa.Function)
		in.Op, in.To, in.Args = ir.Call, int32(f.function(fn)), argsOf(append(args, f.operands(v.Bindings)...)...)
		f.emit(in)
	default:
		in.Op, in.A, in.Args = ir.CallClosure, f.value(call.Value), argsOf(args...)
		f.emit(in)
	}
}

// callFunction compiles a call of a function that is known here.
func (f *function) callFunction(fn *ssa.Function, call *ssa.CallCommon, mode ir.Mode, args []ir.Arg, in ir.Instr) {
	if f.ghost(fn, args, in.Dst) {
		return
	}
	if why := f.uncovered(fn); why != "" {
		f.notCovered(why)
		return
	}
	if mode == ir.Now {
		if f.intrinsic(&site{f, fn, args, in.Dst}) {
			return
		}
	} else if f.isIntrinsic(fn, call) {
		f.later(mode, f.funcName(fn), args, call.Args, func(g *function, args []ir.Arg) {
			g.intrinsic(&site{g, fn, args, g.newRegs(g.shape(call.Signature().Results()).kinds...)})
		})
		return
	}
	if f.bodyless(fn) {
		f.notCovered("calls " + f.funcName(fn) + noSource)
		return
	}
	in.Op, in.To, in.Args = ir.Call, int32(f.function(fn)), argsOf(args...)
	f.emit(in)
}

// bodyless reports whether a function has no source that could be compiled.
func (c *compiler) bodyless(fn *ssa.Function) bool {
	if fn.Blocks == nil && fn.Pkg != nil {
		fn.Pkg.Build()
	}
	return fn.Blocks == nil
}

// isIntrinsic reports whether a call of a function is instructions of its own: it tries.
func (f *function) isIntrinsic(fn *ssa.Function, call *ssa.CallCommon) bool {
	g := f.newFunction("", fn.Pos(), true)
	args, _ := g.asParameters(call.Args)
	return g.intrinsic(&site{g, fn, args, g.newRegs(g.shape(call.Signature().Results()).kinds...)})
}

// asParameters makes the values of a call parameters of a function.
func (f *function) asParameters(vs []ssa.Value) (args []ir.Arg, words int) {
	for _, v := range vs {
		kinds := f.shape(v.Type()).kinds
		args = append(args, ir.Arg{At: f.newRegs(kinds...), N: int32(len(kinds))})
		words += len(kinds)
	}
	return args, words
}

// later makes a function of instructions that a go or defer statement calls. Its place is that
// of the statement.
func (f *function) later(mode ir.Mode, name string, args []ir.Arg, vs []ssa.Value, emit func(g *function, args []ir.Arg)) {
	g := f.newFunction(name, 0, f.lenient)
	g.pos, g.out.Pos = f.pos, f.pos
	params, words := g.asParameters(vs)
	g.out.Params = words
	emit(g, params)
	g.emit(ir.Instr{Op: ir.Return})
	f.emit(ir.Instr{Op: ir.Call, Mode: mode, To: int32(g.add()), Args: argsOf(args...)})
}

// builtin compiles a call of a built-in function.
func (f *function) builtin(name string, call *ssa.CallCommon, args []ir.Arg, dst int32) {
	var t types.Type
	var a int32
	if len(args) > 0 {
		t, a = call.Args[0].Type(), args[0].At
	}
	switch name {
	case "len", "cap":
		f.length(name, t, a, dst)
	case "append":
		f.appendTo(call, args, dst)
	case "copy":
		in := ir.Instr{Op: ir.Copy, Dst: dst, A: a, B: args[1].At, N: int32(f.words(t.Underlying().(*types.Slice).Elem()))}
		if args[1].N == 1 {
			in.Op = ir.CopyStr
		}
		f.emit(in)
	case "delete":
		f.emit(ir.Instr{Op: ir.MapDelete, A: a, B: args[1].At, M: args[1].N})
	case "clear":
		if s, ok := t.Underlying().(*types.Slice); ok {
			f.emit(ir.Instr{Op: ir.Clear, A: a, N: int32(f.words(s.Elem()))})
		} else {
			f.emit(ir.Instr{Op: ir.MapClear, A: a})
		}
	case "close":
		f.emit(ir.Instr{Op: ir.Close, A: a})
	case "panic":
		f.emit(ir.Instr{Op: ir.Panic, A: a})
	case "recover":
		f.emit(ir.Instr{Op: ir.Recover, Dst: dst})
	case "min", "max":
		f.extreme(name, t, args, dst)
	case "print", "println": // nobody reads it
	case "ssa:deferstack": // the defer statement is refused that needs it
	case "ssa:wrapnilchk":
		f.emit(ir.Instr{Op: ir.FieldAddr, Dst: dst, A: a})
	case "String", "Slice", "StringData":
		f.unsafeBuiltin(name, call, dst)
	case "Add":
		f.advance(call.Args[0], call.Args[1], callOf(call), dst, "unsafe.Add")
	case "Sizeof", "Alignof": // of a type that was a parameter
		f.move(dst, f.constant(ir.Word(f.sizes(name, t))), 1)
	case "complex":
		f.move(dst, a, 1)
		f.move(dst+1, args[1].At, 1)
	default:
		f.notCovered("built-in function " + name)
	}
}

// length compiles len and cap of what does not have it in a register.
func (f *function) length(name string, t types.Type, a, dst int32) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		f.emit(ir.Instr{Op: ir.Len, Dst: dst, A: a})
	case *types.Map:
		f.emit(ir.Instr{Op: ir.MapLen, Dst: dst, A: a})
	case *types.Chan:
		in := ir.Instr{Op: ir.ChanLen, Dst: dst, A: a}
		if name == "cap" {
			in.M = 1
		}
		f.emit(in)
	case *types.Array:
		f.move(dst, f.constant(ir.Word(u.Len())), 1)
	case *types.Pointer:
		f.move(dst, f.constant(ir.Word(u.Elem().Underlying().(*types.Array).Len())), 1)
	default:
		f.notCovered(name + " of " + f.typeName(t))
	}
}

func (f *function) appendTo(call *ssa.CallCommon, args []ir.Arg, dst int32) {
	elem := call.Args[0].Type().Underlying().(*types.Slice).Elem()
	if len(args) == 1 {
		f.move(dst, args[0].At, 3)
		return
	}
	in := ir.Instr{Op: ir.Append, Dst: dst, A: args[0].At, B: args[1].At, N: int32(f.words(elem)), To: int32(f.elements(elem))}
	if args[1].N == 1 { // a string
		in.Op = ir.AppendStr
	}
	f.emit(in)
}

// extreme compiles min and max.
func (f *function) extreme(name string, t types.Type, args []ir.Arg, dst int32) {
	num := numOf(t)
	best := f.data()
	f.move(best, args[0].At, 1)
	for _, a := range args[1:] {
		next, take, equal := f.newLabel(), f.newLabel(), f.newLabel()
		better := f.data()
		x, y := a.At, best
		if name == "max" {
			x, y = y, x
		}
		if num == ir.F32 || num == ir.F64 { // a NaN wins, and then the smaller zero
			other := f.newLabel()
			f.binary(ir.Ne, num, better, a.At, a.At)
			f.branch(better, take, other)
			f.bind(other)
			f.binary(ir.Eq, num, better, a.At, best)
			ordered := f.newLabel()
			f.branch(better, equal, ordered)
			f.bind(ordered)
		}
		f.binary(ir.Lt, num, better, x, y)
		f.branch(better, take, next)
		f.bind(take)
		f.move(best, a.At, 1)
		f.jump(next)
		f.bind(equal)
		if name == "max" {
			f.binary(ir.And, ir.U64, best, best, a.At)
		} else {
			f.binary(ir.Or, ir.U64, best, best, a.At)
		}
		f.bind(next)
	}
	f.move(dst, best, 1)
}
