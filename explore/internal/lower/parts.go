package lower

import (
	"go/types"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

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
