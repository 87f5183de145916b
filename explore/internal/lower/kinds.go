package lower

import (
	"go/types"
	"reflect"

	"golang.org/x/tools/go/ssa"
)

// kindOf is what reflect.TypeOf(x).Kind() says if the type of x is known here, as that of a type parameter is; ok is false
// for other calls.
func kindOf(call *ssa.CallCommon) (kind reflect.Kind, ok bool) {
	if !call.IsInvoke() || call.Method.FullName() != "(reflect.Type).Kind" {
		return 0, false
	}
	of, ok := call.Value.(*ssa.Call)
	if !ok || !isTypeOf(of) {
		return 0, false
	}
	return kindOfType(of.Call.Args[0].(*ssa.MakeInterface).X.Type()), true
}

// isTypeOf reports whether an instruction is a call of reflect.TypeOf with a value of a type that is known here.
func isTypeOf(c *ssa.Call) bool {
	fn := c.Call.StaticCallee()
	if fn == nil || fullName(fn) != "reflect.TypeOf" {
		return false
	}
	_, ok := c.Call.Args[0].(*ssa.MakeInterface)
	return ok
}

// onlyKind reports whether a call of reflect.TypeOf is but asked for the kind.
func onlyKind(c *ssa.Call) bool {
	if !isTypeOf(c) {
		return false
	}
	for _, r := range *c.Referrers() {
		user, ok := r.(*ssa.Call)
		if !ok {
			return false
		}
		if _, ok := kindOf(&user.Call); !ok {
			return false
		}
	}
	return true
}

func kindOfType(t types.Type) reflect.Kind {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basicKinds[u.Kind()]
	case *types.Array:
		return reflect.Array
	case *types.Chan:
		return reflect.Chan
	case *types.Signature:
		return reflect.Func
	case *types.Map:
		return reflect.Map
	case *types.Pointer:
		return reflect.Pointer
	case *types.Slice:
		return reflect.Slice
	case *types.Struct:
		return reflect.Struct
	}
	return reflect.Invalid
}

var basicKinds = map[types.BasicKind]reflect.Kind{
	types.Bool: reflect.Bool, types.Int: reflect.Int, types.Int8: reflect.Int8, types.Int16: reflect.Int16, types.Int32: reflect.Int32, types.Int64: reflect.Int64,
	types.Uint: reflect.Uint, types.Uint8: reflect.Uint8, types.Uint16: reflect.Uint16, types.Uint32: reflect.Uint32, types.Uint64: reflect.Uint64,
	types.Uintptr: reflect.Uintptr, types.Float32: reflect.Float32, types.Float64: reflect.Float64, types.Complex64: reflect.Complex64,
	types.Complex128: reflect.Complex128, types.String: reflect.String, types.UnsafePointer: reflect.UnsafePointer,
}
