package lower

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// helped calls a function of the same package instead, which has a function more, made here
// for the type of a value that the arguments have as an interface. It reports false if that
// type is not known here.
func (s *site) helped(name string, results int) bool {
	args := s.args
	switch name {
	case "as": // err, target: assign
		p, ok := s.boxed(1).(*types.Pointer)
		if !ok {
			return false
		}
		assign := s.closure(s.assigner(p.Elem()), s.unboxed(1), ir.Ptr)
		args = append(args[:2:2], ir.Arg{At: assign, N: 1})
	default: // a slice, less: its length, swap, less
		t, ok := s.boxed(0).(*types.Slice)
		if !ok {
			return false
		}
		slice := s.unboxed(0)
		swap := s.closure(s.swapper(t.Elem()), slice, sliceShape.kinds...)
		args = append([]ir.Arg{{At: part(slice, 1), N: 1}, {At: swap, N: 1}}, args[1:]...)
	}
	s.emit(ir.Instr{Op: ir.Call, Dst: s.dst, N: int32(results), To: int32(s.compiler.function(s.fn.Pkg.Func(name))), Args: argsOf(args...)})
	return true
}

// origin is the value of an argument before it became an interface, nil if that is not known.
func (s *site) origin(i int) ssa.Value {
	for v, at := range s.regs {
		if m, ok := v.(*ssa.MakeInterface); ok && at == s.args[i].At {
			return m.X
		}
	}
	return nil
}

// boxed is the type of what became an interface, unboxed its registers.
func (s *site) boxed(i int) types.Type {
	if v := s.origin(i); v != nil {
		return v.Type().Underlying()
	}
	return nil
}

func (s *site) unboxed(i int) int32 { return s.value(s.origin(i)) }

// closure emits a closure of a function that captures words.
func (s *site) closure(fn int, at int32, kinds ...ir.Kind) int32 {
	layout := s.intern(ir.Layout{Name: "func " + s.prog.Funcs[fn].Name, Words: append([]ir.Kind{ir.Data}, kinds...), Special: ir.Closure, Escapes: true})
	dst := s.newRegs(ir.Ptr)
	s.emit(ir.Instr{Op: ir.MakeClosure, Dst: dst, To: int32(fn), N: int32(layout), Args: []ir.Arg{{At: at, N: int32(len(kinds))}}})
	return dst
}

// assigner makes the function that assigns an error to the variable to which the pointer that
// it has captured points, if it is of that type.
func (s *site) assigner(t types.Type) int {
	g := s.newFunction("assign", s.fn.Pos(), true)
	err, target := g.newRegs(ir.Iface, ir.Dynamic), g.newRegs(ir.Ptr)
	g.out.Params, g.out.Captured, g.out.Results = 2, 1, 1
	value := g.newRegs(s.shape(t).kinds...)
	ok, yes, no := g.data(), g.newLabel(), g.newLabel()
	assert := ir.Instr{Op: ir.Assert, Dst: value, A: err, N: int32(s.words(t)), M: 1}
	if i, isInterface := t.Underlying().(*types.Interface); isInterface {
		assert.Op, assert.To = ir.AssertTo, int32(s.interfaceNumber(t, i))
	} else {
		assert.To = int32(s.typeNumber(t))
	}
	g.emit(assert)
	g.branch(ok, yes, no)
	g.bind(yes)
	g.emit(ir.Instr{Op: ir.Store, A: target, B: value, N: int32(s.words(t))})
	g.bind(no)
	g.returnWords(ok, 1)
	return g.add()
}

// swapper makes the function that swaps two elements of the slice that it has captured.
func (s *site) swapper(elem types.Type) int {
	words := int32(s.words(elem))
	g := s.newFunction("swap", s.fn.Pos(), true)
	index := [2]int32{g.data(), g.data()}
	slice := g.newRegs(sliceShape.kinds...)
	g.out.Params, g.out.Captured = 2, 3
	var addr, value [2]int32
	for i := range index {
		addr[i], value[i] = g.newRegs(ir.Ptr), g.newRegs(s.shape(elem).kinds...)
		g.emit(ir.Instr{Op: ir.IndexAddr, Dst: addr[i], A: slice, B: index[i], C: slice + 1, N: words})
		g.emit(ir.Instr{Op: ir.Load, Dst: value[i], A: addr[i], N: words})
	}
	for i := range index {
		g.emit(ir.Instr{Op: ir.Store, A: addr[i], B: value[1-i], N: words})
	}
	g.emit(ir.Instr{Op: ir.Return})
	return g.add()
}

// partsMethod is the number of a method that structs, arrays, slices and maps have beside
// those of Go: it lists their parts as interfaces, of a map keys and elements in turn.
func (c *compiler) partsMethod() int {
	if c.partsNumber == 0 {
		c.partsNumber = len(c.prog.Methods)
		c.prog.Methods = append(c.prog.Methods, "parts")
		if c.partsNumber == 0 {
			return c.partsMethod() // 0 is none
		}
	}
	return c.partsNumber
}

// addParts gives a type that method if it is asked for.
func (c *compiler) addParts(typ int) bool {
	t := c.dynamicTypes[typ]
	if _, ok := c.prog.Types[typ].Methods[c.partsNumber]; ok || c.partsNumber == 0 {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array, *types.Slice, *types.Map:
	default:
		return false
	}
	f := c.newFunction("parts", 0, true)
	p := &partLister{function: f, recv: f.newRegs(f.shape(t).kinds...)}
	f.out.Params, f.out.Results = len(f.shape(t).kinds), 3
	p.list, p.next = f.newRegs(sliceShape.kinds...), f.data()
	f.move(p.next, f.zero(1), 1)
	p.of(t)
	f.returnWords(p.list, 3)
	c.prog.Types[typ].Methods[c.partsNumber] = f.add()
	return true
}

// partLister compiles such a method.
type partLister struct {
	*function
	recv, list, next int32 // next is where in the list the next part comes
}

func (p *partLister) of(t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		var fields []int // without those that have no name
		for i := range u.NumFields() {
			if _, ok := p.field(t, i); ok {
				fields = append(fields, i)
			}
		}
		p.make(p.constant(ir.Word(len(fields))))
		for _, i := range fields {
			at, _ := p.field(t, i)
			p.add(u.Field(i).Type(), p.recv+int32(at))
		}
	case *types.Array:
		p.make(p.constant(ir.Word(u.Len())))
		for i := range u.Len() {
			p.add(u.Elem(), p.recv+int32(i)*int32(p.words(u.Elem())))
		}
	case *types.Slice:
		p.make(p.recv + 1)
		p.slice(u.Elem())
	case *types.Map:
		p.entries(u)
	}
}

func (p *partLister) make(n int32) {
	p.emit(ir.Instr{Op: ir.MakeSlice, Dst: p.list, A: n, B: n, To: int32(p.elements(types.NewInterfaceType(nil, nil)))})
}

// add makes registers the next part.
func (p *partLister) add(t types.Type, at int32) {
	if _, ok := t.Underlying().(*types.Interface); !ok {
		item := p.newRegs(ir.Iface, ir.Dynamic)
		p.emit(ir.Instr{Op: ir.MakeIface, Dst: item, A: at, N: int32(p.words(t)), To: int32(p.makeType(t))})
		at = item
	}
	addr := p.newRegs(ir.Ptr)
	p.emit(ir.Instr{Op: ir.IndexAddr, Dst: addr, A: p.list, B: p.next, C: p.list + 1, N: 2})
	p.emit(ir.Instr{Op: ir.Store, A: addr, B: at, N: 2})
	p.binary(ir.Add, ir.I64, p.next, p.next, p.constant(1))
}

// slice lists the elements of a slice.
func (p *partLister) slice(elem types.Type) {
	loop, body, end, more := p.newLabel(), p.newLabel(), p.newLabel(), p.data()
	p.bind(loop)
	p.binary(ir.Lt, ir.I64, more, p.next, p.recv+1)
	p.branch(more, body, end)
	p.bind(body)
	addr, value := p.newRegs(ir.Ptr), p.newRegs(p.shape(elem).kinds...)
	p.emit(ir.Instr{Op: ir.IndexAddr, Dst: addr, A: p.recv, B: p.next, C: p.recv + 1, N: int32(p.words(elem))})
	p.emit(ir.Instr{Op: ir.Load, Dst: value, A: addr, N: int32(p.words(elem))})
	p.add(elem, value)
	p.jump(loop)
	p.bind(end)
}

// entries lists the keys and elements of a map.
func (p *partLister) entries(m *types.Map) {
	n, iter := p.data(), p.newRegs(ir.Ptr)
	p.emit(ir.Instr{Op: ir.MapLen, Dst: n, A: p.recv})
	p.binary(ir.Add, ir.I64, n, n, n)
	p.make(n)
	p.emit(ir.Instr{Op: ir.MapIter, Dst: iter, A: p.recv, To: int32(p.keysLayout(m))})
	loop, body, end := p.newLabel(), p.newLabel(), p.newLabel()
	kinds := append([]ir.Kind{ir.Data}, p.shape(m.Key()).kinds...)
	ok := p.newRegs(append(kinds, p.shape(m.Elem()).kinds...)...)
	key := int32(p.words(m.Key()))
	p.bind(loop)
	p.emit(ir.Instr{Op: ir.MapNext, Dst: ok, A: iter, B: p.recv, C: 1, M: key, N: int32(p.words(m.Elem()))})
	p.branch(ok, body, end)
	p.bind(body)
	p.add(m.Key(), ok+1)
	p.add(m.Elem(), ok+1+key)
	p.jump(loop)
	p.bind(end)
}
