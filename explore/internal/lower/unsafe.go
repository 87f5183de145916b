package lower

import (
	"go/constant"
	"go/token"
	"go/types"
	"runtime"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// sizes is what Sizeof and Alignof say of values of a type.
func (c *compiler) sizes(name string, t types.Type) int64 {
	s := types.SizesFor("gc", runtime.GOARCH)
	if name == "Alignof" {
		return s.Alignof(t)
	}
	return s.Sizeof(t)
}

// bytesAsString is &b of (*string)(unsafe.Pointer(&b)), where b is a slice of bytes and the pointer is but loaded from; else
// nil. As with unsafe.String, the string is a copy.
func bytesAsString(v ssa.Value) ssa.Value {
	c, ok := v.(*ssa.Convert)
	if !ok {
		return nil
	}
	from, ok := c.X.(*ssa.Convert)
	if !ok {
		return nil
	}
	to, isPointer := c.Type().Underlying().(*types.Pointer)
	of, wasPointer := from.X.Type().Underlying().(*types.Pointer)
	if !isPointer || !wasPointer || numOf(to.Elem()) != ir.Str {
		return nil
	}
	s, ok := of.Elem().Underlying().(*types.Slice)
	if !ok || numOf(s.Elem()) != ir.U8 {
		return nil
	}
	for _, r := range *c.Referrers() {
		if load, ok := r.(*ssa.UnOp); !ok || load.Op != token.MUL {
			return nil
		}
	}
	return from.X
}

// Pointers as numbers. A uintptr that is made of a pointer is the pointer still, where all that is done with it is to
// compare it for equality with others of its kind or with 0, and to make it a pointer again. Its order, and its bits, are
// nothing that can be explored.

// identity is the pointer that a number stands for; nil if it stands for none.
func identity(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.Convert:
		if isUintptr(v.Type()) && pointerLike(v.X.Type().Underlying()) && onlyIdentity(v) {
			return v.X
		}
	case *ssa.BinOp:
		if x := unchanged(v); x != nil && identity(x) != nil {
			return x
		}
	case *ssa.UnOp:
		if sliceData(v) {
			return v
		}
	}
	return nil
}

func isUintptr(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uintptr
}

// ofPointer reports whether a number is made of a pointer, or is 0.
func ofPointer(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.Value != nil && constant.Sign(constant.ToInt(v.Value)) == 0
	case *ssa.Convert:
		return pointerLike(v.X.Type().Underlying())
	case *ssa.BinOp:
		x := unchanged(v)
		return x != nil && ofPointer(x)
	case *ssa.UnOp:
		return sliceData(v)
	}
	return false
}

// unchanged is x of x ^ 0, x + 0 and the like; else nil.
func unchanged(in *ssa.BinOp) ssa.Value {
	k, ok := in.Y.(*ssa.Const)
	switch in.Op {
	case token.XOR, token.OR, token.ADD, token.SUB:
		if ok && isUintptr(in.Type()) && k.Value != nil && constant.Sign(constant.ToInt(k.Value)) == 0 {
			return in.X
		}
	}
	return nil
}

// onlyIdentity reports whether a number is but compared, and made a pointer again.
func onlyIdentity(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Convert:
			if !pointerLike(r.Type().Underlying()) {
				return false
			}
		case *ssa.BinOp:
			switch {
			case (r.Op == token.EQL || r.Op == token.NEQ) && ofPointer(r.X) && ofPointer(r.Y): // what is no identity itself fails where it is made
			case unchanged(r) == v && onlyIdentity(r):
			case further(r) != nil && r.X == v:
			default:
				return false
			}
		default:
			return false
		}
	}
	return true
}

// further is the pointer of uintptr(pointer) + n, if that is but made a pointer again; else nil.
func further(in *ssa.BinOp) ssa.Value {
	c, ok := in.X.(*ssa.Convert)
	if in.Op != token.ADD || !ok || !isUintptr(in.Type()) || !pointerLike(c.X.Type().Underlying()) || unchanged(in) != nil {
		return nil
	}
	for _, r := range *in.Referrers() {
		if c, ok := r.(*ssa.Convert); !ok || !pointerLike(c.Type().Underlying()) {
			return nil
		}
	}
	return c.X
}

// advance emits r[dst] = base and n bytes more: another element of the slice or array of whose element base is the
// address. All else, and what lies beyond, fails.
func (f *function) advance(base, n, of ssa.Value, dst int32, what string) {
	for {
		c, ok := base.(*ssa.Convert)
		if !ok || !pointerLike(c.X.Type().Underlying()) {
			break
		}
		base = c.X
	}
	at, ok := base.(*ssa.IndexAddr)
	if !ok {
		f.advanceAny(base, n, of, dst, what)
		return
	}
	var elem types.Type
	var length int32
	switch t := at.X.Type().Underlying().(type) {
	case *types.Slice:
		elem, length = t.Elem(), part(f.value(at.X), 1)
	case *types.Pointer:
		a := t.Elem().Underlying().(*types.Array)
		elem, length = a.Elem(), f.constant(ir.Word(a.Len()))
	}
	size := f.sizes("Sizeof", elem)
	if size == 0 {
		f.notCovered(what)
		return
	}
	what += " to what is no element of the same " + map[bool]string{true: "slice", false: "array"}[isSlice(at.X.Type())]
	f.step(f.value(at.X), f.value(at.Index), f.value(n), length, size, f.words(elem), dst, what)
}

// step emits r[dst] = a and n bytes more than index, of elements of a size in bytes and words.
func (f *function) step(a, index, n, length int32, size int64, words int, dst int32, what string) {
	steps, rest, ok := f.data(), f.data(), f.data()
	by := f.constant(ir.Word(size))
	within, outside, fine := f.newLabel(), f.newLabel(), f.newLabel()
	f.binary(ir.Rem, ir.I64, rest, n, by)
	f.binary(ir.Eq, ir.I64, ok, rest, f.zero(1))
	f.branch(ok, within, outside)
	f.bind(within)
	f.binary(ir.Div, ir.I64, steps, n, by)
	f.binary(ir.Add, ir.I64, steps, steps, index)
	f.binary(ir.Lt, ir.U64, ok, steps, length)
	f.branch(ok, fine, outside)
	f.bind(outside)
	f.fails(what)
	f.bind(fine)
	f.emit(ir.Instr{Op: ir.IndexAddr, Dst: dst, A: a, B: steps, C: length, N: int32(words)})
}

// advanceAny is advance for a pointer of which it is not known to what: if what is made of the value of is but a pointer to
// one type, it has to be to an array of that type.
func (f *function) advanceAny(base, n, of ssa.Value, dst int32, what string) {
	var elem types.Type
	for _, r := range *of.Referrers() {
		c, ok := r.(*ssa.Convert)
		if !ok {
			elem = nil
			break
		}
		p, ok := c.Type().Underlying().(*types.Pointer)
		if !ok || elem != nil && !types.Identical(elem, p.Elem()) {
			elem = nil
			break
		}
		elem = p.Elem()
	}
	if elem == nil || f.sizes("Sizeof", elem) == 0 {
		f.notCovered(what)
		return
	}
	p := f.newRegs(ir.Ptr)
	f.emit(ir.Instr{Op: ir.Cast, Dst: p, A: f.value(base), To: int32(f.layout(elem)), M: 1})
	f.emit(ir.Instr{Op: ir.FieldAddr, Dst: p, A: p}) // it is not nil
	f.step(p, f.zero(1), f.value(n), f.constant(mostWords), f.sizes("Sizeof", elem), f.words(elem), dst, what+" to what is before an array, or within an element")
}

// callOf is the value of a call, which has an argument.
func callOf(call *ssa.CallCommon) ssa.Value {
	for _, r := range *call.Args[0].Referrers() {
		if c, ok := r.(*ssa.Call); ok && &c.Call == call {
			return c
		}
	}
	return nil
}

// sliceHeader is the address of the slice that v, a *reflect.SliceHeader, was made of, if its fields are but read, and the
// pointer among them is but made one again; else nil. Its fields are the words of the slice.
func sliceHeader(v ssa.Value) ssa.Value {
	c, ok := v.(*ssa.Convert)
	if !ok || !isPointerTo(c.Type(), "reflect", "SliceHeader") {
		return nil
	}
	from, ok := c.X.(*ssa.Convert)
	if !ok {
		return nil
	}
	if p, ok := from.X.Type().Underlying().(*types.Pointer); !ok || !isSlice(p.Elem()) {
		return nil
	}
	for _, r := range *c.Referrers() {
		field, ok := r.(*ssa.FieldAddr)
		if !ok {
			return nil
		}
		for _, r := range *field.Referrers() {
			if load, ok := r.(*ssa.UnOp); !ok || load.Op != token.MUL || field.Field == 0 && !onlyIdentity(load) {
				return nil
			}
		}
	}
	return from.X
}

// sliceData is the same for a value that is loaded from the field Data.
func sliceData(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	field, ok := load.X.(*ssa.FieldAddr)
	return ok && field.Field == 0 && sliceHeader(field.X) != nil
}

func isPointerTo(t types.Type, pkg, name string) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == pkg
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// unsafeBuiltin compiles the usual ways to have a slice's bytes as a string, and the other
// way round; both are copies, which is the same as long as nobody writes to them.
func (f *function) unsafeBuiltin(name string, call *ssa.CallCommon, dst int32) {
	if whole := wholeOf(call); whole != nil {
		switch name {
		case "String":
			f.emit(ir.Instr{Op: ir.Text, Dst: dst, A: f.value(whole)})
			return
		case "Slice":
			if numOf(whole.Type()) == ir.Str {
				f.emit(ir.Instr{Op: ir.Bytes, Dst: dst, A: f.value(whole), To: int32(f.elements(types.Typ[types.Byte]))})
			} else {
				f.move(dst, f.value(whole), 3)
			}
			return
		case "StringData": // what it is for is compiled with Slice
			return
		}
	}
	f.notCovered("unsafe." + name)
}

// wholeOf is x of String(SliceData(x), len(x)), of String(&x[0], len(x)), of Slice(StringData(x), len(x)), and of
// StringData(x) within it.
func wholeOf(call *ssa.CallCommon) ssa.Value {
	data, n := call.Args[0], ssa.Value(nil)
	if len(call.Args) == 2 {
		n = call.Args[1]
	}
	argOf := func(v ssa.Value, names ...string) ssa.Value {
		if c, ok := v.(*ssa.Call); ok {
			if b, ok := c.Call.Value.(*ssa.Builtin); ok && slices.Contains(names, b.Name()) {
				return c.Call.Args[0]
			}
		}
		return nil
	}
	if n == nil {
		return onlyForSlice(call)
	}
	x := argOf(data, "SliceData", "StringData")
	if at, ok := data.(*ssa.IndexAddr); ok { // &x[0]
		if k, ok := at.Index.(*ssa.Const); ok && k.Int64() == 0 {
			x = at.X
		}
	}
	if x == nil || argOf(n, "len") != x {
		return nil
	}
	return x
}

// onlyForSlice is x of StringData(x) if that is but an argument of Slice(StringData(x), len(x)).
func onlyForSlice(call *ssa.CallCommon) ssa.Value {
	v := call.Args[0]
	for _, r := range *v.Referrers() {
		c, ok := r.(*ssa.Call)
		if !ok || &c.Call != call {
			continue
		}
		for _, use := range *c.Referrers() {
			user, ok := use.(*ssa.Call)
			if !ok {
				return nil
			}
			if b, ok := user.Call.Value.(*ssa.Builtin); !ok || b.Name() != "Slice" || wholeOf(&user.Call) == nil {
				return nil
			}
		}
		return v
	}
	return nil
}
