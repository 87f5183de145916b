package lower

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// instr compiles an instruction.
func (f *function) instr(in ssa.Instruction) {
	if v, ok := in.(ssa.Value); ok && f.shares(v) {
		return
	}
	switch in := in.(type) {
	case *ssa.Phi, *ssa.DebugRef, *ssa.Extract, *ssa.ChangeInterface:
	case *ssa.Alloc, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Store, *ssa.MakeSlice, *ssa.Slice, *ssa.SliceToArrayPointer, *ssa.Index, *ssa.Field:
		f.memory(in)
	case *ssa.MakeMap, *ssa.Lookup, *ssa.MapUpdate, *ssa.Range, *ssa.Next:
		f.maps(in)
	case *ssa.MakeChan, *ssa.Send, *ssa.Select:
		f.channels(in)
	case *ssa.MakeInterface, *ssa.TypeAssert, *ssa.MakeClosure:
		f.dynamics(in)
	case *ssa.UnOp:
		f.unary(in)
	case *ssa.BinOp:
		f.binOp(in)
	case *ssa.Convert:
		if bytesAsString(in) == nil {
			f.convert(in)
		}
	case *ssa.Call:
		dst := f.value(in)
		if kind, ok := kindOf(&in.Call); ok {
			f.move(dst, f.constant(ir.Word(kind)), 1)
		} else if !onlyKind(in) {
			f.call(&in.Call, ir.Now, dst)
		}
	case *ssa.Go:
		f.call(&in.Call, ir.Go, 0)
	case *ssa.Defer:
		if in.DeferStack != nil {
			f.notCovered("a defer statement in the body of a range over a function")
			return
		}
		f.call(&in.Call, ir.Defer, 0)
	default:
		f.control(in)
	}
}

// shares reports whether a value has no registers of its own: it is a constant or part of
// another one.
func (f *function) shares(v ssa.Value) bool {
	if _, ok := f.inRegs[v]; ok {
		return false
	}
	switch v.(type) {
	case *ssa.FieldAddr, *ssa.MakeInterface:
		return f.value(v) < 0
	}
	same, _ := f.alias(v)
	return same != nil
}

func (f *function) control(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.If:
		f.twoWays(in)
	case *ssa.Jump:
		f.edge(in.Block(), in.Block().Succs[0])
	case *ssa.Return:
		f.emit(ir.Instr{Op: ir.Return, Args: argsOf(f.operands(in.Results)...)})
	case *ssa.RunDefers:
		if f.out.Defers >= 0 {
			f.emit(ir.Instr{Op: ir.RunDefers})
		}
	case *ssa.Panic:
		f.emit(ir.Instr{Op: ir.Panic, A: f.value(in.X)})
	case *ssa.ChangeType:
		f.notCovered(fmt.Sprintf("conversion from %s to %s", f.typeName(in.X.Type()), f.typeName(in.Type())))
	default:
		f.notCovered(fmt.Sprintf("%T", in))
	}
}

// unary compiles loads, receives, and operations on one number.
func (f *function) unary(in *ssa.UnOp) {
	dst := f.value(in)
	words := f.words(in.Type())
	switch in.Op {
	case token.MUL:
		if at, ok := f.inRegs[in.X]; ok {
			f.move(dst, at, words)
			return
		}
		if b := bytesAsString(in.X); b != nil {
			slice := f.newRegs(sliceShape.kinds...)
			f.emit(ir.Instr{Op: ir.Load, Dst: slice, A: f.value(b), N: int32(len(sliceShape.kinds))})
			f.emit(ir.Instr{Op: ir.Text, Dst: dst, A: slice})
			return
		}
		f.emit(ir.Instr{Op: ir.Load, Dst: dst, A: f.value(in.X), N: int32(words)})
	case token.ARROW:
		m := int32(0)
		if in.CommaOk {
			m = 1
		}
		f.emit(ir.Instr{Op: ir.Recv, Dst: dst, A: f.value(in.X), N: int32(words) - m, M: m})
	case token.NOT:
		f.emit(ir.Instr{Op: ir.Not, Num: ir.Bool, Dst: dst, A: f.value(in.X)})
	case token.SUB:
		if isComplex(in.Type()) {
			f.eachPart(ir.Instr{Op: ir.Neg, Num: partOf(in.Type())}, dst, f.value(in.X))
			return
		}
		f.emit(ir.Instr{Op: ir.Neg, Num: numOf(in.Type()), Dst: dst, A: f.value(in.X)})
	case token.XOR:
		f.emit(ir.Instr{Op: ir.Com, Num: numOf(in.Type()), Dst: dst, A: f.value(in.X)})
	default:
		f.notCovered("operator " + in.Op.String())
	}
}

// maps compiles what works on maps, and ranges over strings.
func (f *function) maps(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.MakeMap:
		m := in.Type().Underlying().(*types.Map)
		f.emit(ir.Instr{Op: ir.MakeMap, Dst: f.value(in), To: int32(f.mapLayout(m))})
	case *ssa.Lookup:
		m := in.X.Type().Underlying().(*types.Map)
		ok := int32(0)
		if in.CommaOk {
			ok = 1
		}
		f.emit(ir.Instr{
			Op: ir.MapGet, Dst: f.value(in), A: f.value(in.X), B: f.value(in.Index), C: ok,
			N: int32(f.words(m.Elem())), M: int32(f.words(m.Key())),
		})
	case *ssa.MapUpdate:
		f.emit(ir.Instr{
			Op: ir.MapSet, A: f.value(in.Map), B: f.value(in.Key), C: f.value(in.Value),
			N: int32(f.words(in.Value.Type())), M: int32(f.words(in.Key.Type())),
		})
	case *ssa.Range:
		if m, ok := in.X.Type().Underlying().(*types.Map); ok {
			f.emit(ir.Instr{Op: ir.MapIter, Dst: f.value(in), A: f.value(in.X), To: int32(f.keysLayout(m))})
		} else {
			f.move(f.value(in), f.zero(1), 1)
		}
	case *ssa.Next:
		r := in.Iter.(*ssa.Range)
		if in.IsString {
			f.emit(ir.Instr{Op: ir.NextRune, Dst: f.value(in), A: f.value(r.X), B: f.value(r), C: f.value(r)})
			return
		}
		m := r.X.Type().Underlying().(*types.Map)
		next := ir.Instr{Op: ir.MapNext, Dst: f.value(in), A: f.value(r), B: f.value(r.X), N: int32(f.words(m.Elem())), M: int32(f.words(m.Key()))}
		if known, _ := f.lookup(in.Parent()); known.Orderless {
			next.C = 1
		}
		f.emit(next)
	}
}

// channels compiles what works on channels, but for receives.
func (f *function) channels(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.MakeChan:
		ch := in.Type().Underlying().(*types.Chan)
		f.emit(ir.Instr{Op: ir.MakeChan, Dst: f.value(in), A: f.value(in.Size), To: int32(f.chanLayout(ch))})
	case *ssa.Send:
		f.emit(ir.Instr{Op: ir.Send, A: f.value(in.Chan), B: f.value(in.X), N: int32(f.words(in.X.Type()))})
	case *ssa.Select:
		f.selects(in)
	}
}

func (f *function) selects(in *ssa.Select) {
	dst := f.value(in)
	s := ir.Instr{Op: ir.Select, Dst: dst}
	if !in.Blocking {
		s.M = 1
	}
	at := dst + 2
	for _, state := range in.States {
		arg := [3]ir.Arg{{At: f.value(state.Chan), N: 1}}
		if state.Dir == types.SendOnly {
			arg[1] = ir.Arg{At: f.value(state.Send), N: int32(f.words(state.Send.Type()))}
		} else {
			n := f.words(state.Chan.Type().Underlying().(*types.Chan).Elem())
			arg[2] = ir.Arg{At: at, N: int32(n)}
			f.move(at, f.zero(n), n) // what was there is nobody's concern
			at += int32(n)
		}
		s.Args = append(s.Args, arg[:]...)
	}
	f.emit(s)
}
