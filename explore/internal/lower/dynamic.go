package lower

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// dynamics compiles what makes and asks for dynamic types and closures.
func (f *function) dynamics(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.MakeInterface:
		t := in.X.Type()
		f.emit(ir.Instr{Op: ir.MakeIface, Dst: f.value(in), A: f.value(in.X), N: int32(f.words(t)), To: int32(f.makeType(t))})
	case *ssa.TypeAssert:
		f.typeAssert(in)
	case *ssa.MakeClosure:
		fn := in.Fn.(*ssa.Function)
		f.emit(ir.Instr{Op: ir.MakeClosure, Dst: f.value(in), To: int32(f.function(fn)), N: int32(f.closureLayout(fn)), Args: argsOf(f.operands(in.Bindings)...)})
	}
}

func (f *function) typeAssert(in *ssa.TypeAssert) {
	a := ir.Instr{Op: ir.Assert, Dst: f.value(in), A: f.value(in.X)}
	if in.CommaOk {
		a.M = 1
	}
	if i, ok := in.AssertedType.Underlying().(*types.Interface); ok {
		a.Op, a.To = ir.AssertTo, int32(f.interfaceNumber(in.AssertedType, i))
	} else {
		a.To, a.N = int32(f.typeNumber(in.AssertedType)), int32(f.words(in.AssertedType))
		a.B = int32(f.interfaceNumber(in.X.Type(), in.X.Type().Underlying().(*types.Interface)))
	}
	f.emit(a)
}

// typeNumber is the number of a dynamic type.
func (c *compiler) typeNumber(t types.Type) int {
	if n, ok := c.dynamic.At(t).(int); ok {
		return n
	}
	n := len(c.prog.Types)
	c.dynamic.Set(t, n)
	c.prog.Types = append(c.prog.Types, &ir.Type{
		Name: c.typeName(t), GoName: goName(t), Layout: c.boxed(t), Methods: map[int]int{},
		Comparable: types.Comparable(t), Form: c.form(t, nil),
	})
	c.dynamicTypes = append(c.dynamicTypes, t)
	c.made = append(c.made, false)
	return n
}

// makeType is the number of a dynamic type that has values.
func (c *compiler) makeType(t types.Type) int {
	n := c.typeNumber(t)
	c.made[n] = true
	return n
}

// signature is what methods of one name are told apart by.
type signature struct {
	sig    *types.Signature
	number int
}

// methodNumber is the number of a method's name and signature.
func (c *compiler) methodNumber(m *types.Func, sig *types.Signature) int {
	id := m.Id()
	for _, s := range c.methods[id] {
		if types.Identical(s.sig, sig) {
			return s.number
		}
	}
	n := len(c.prog.Methods)
	c.prog.Methods = append(c.prog.Methods, m.Name())
	c.methods[id] = append(c.methods[id], signature{sig, n})
	return n
}

// callMethod is the number of a method that is called.
func (c *compiler) callMethod(m *types.Func) int {
	n := c.methodNumber(m, m.Type().(*types.Signature))
	c.called[n] = true
	return n
}

// interfaceNumber is the number of an interface that is asked for.
func (c *compiler) interfaceNumber(t types.Type, i *types.Interface) int {
	if n, ok := c.interfaces.At(t).(int); ok {
		return n
	}
	n := len(c.prog.Interfaces)
	c.interfaces.Set(t, n)
	out := &ir.Interface{Name: goName(t)}
	for j := range i.NumMethods() {
		m := i.Method(j)
		out.Methods = append(out.Methods, c.methodNumber(m, m.Type().(*types.Signature)))
	}
	c.prog.Interfaces = append(c.prog.Interfaces, out)
	return n
}

// addMethods compiles the methods that are called, of all types from which interfaces are
// made; it reports whether there are new ones.
func (c *compiler) addMethods() bool {
	added := false
	for i := 1; i < len(c.prog.Types); i++ {
		if !c.made[i] {
			continue
		}
		added = c.addParts(i) || added
		c.eachMethod(c.dynamicTypes[i], func(n int, sel *types.Selection) {
			if _, ok := c.prog.Types[i].Methods[n]; ok || !c.called[n] {
				return
			}
			if fn := c.src.Prog.MethodValue(sel); fn != nil {
				c.prog.Types[i].Methods[n] = c.function(fn)
				added = true
			}
		})
	}
	return added
}

// eachMethod calls yield with the methods of a type that have a number.
func (c *compiler) eachMethod(t types.Type, yield func(n int, sel *types.Selection)) {
	set := c.src.Prog.MethodSets.MethodSet(t)
	for i := range set.Len() {
		sel := set.At(i)
		for _, s := range c.methods[sel.Obj().Id()] {
			if types.Identical(s.sig, sel.Type()) {
				yield(s.number, sel)
			}
		}
	}
}

// addRuntimeError makes the type of the panics that Go itself makes: a string, which its
// method Error returns.
func (c *compiler) addRuntimeError() {
	c.prog.RuntimeError = c.typeNumber(types.NewNamed(types.NewTypeName(0, nil, "runtime.Error", nil), types.Typ[types.String], nil))
}

// finishRuntimeError gives it the methods that are asked for.
func (c *compiler) finishRuntimeError() {
	methods := c.prog.Types[c.prog.RuntimeError].Methods
	for _, name := range []string{"Error", "RuntimeError"} {
		for _, s := range c.methods[name] {
			results := s.sig.Results().Len()
			if s.sig.Params().Len() > 0 || results == 1 && !types.Identical(s.sig.Results().At(0).Type(), types.Typ[types.String]) {
				continue
			}
			f := c.newFunction("runtime.Error."+name, 0, true)
			f.newRegs(ir.Data)
			f.out.Params, f.out.Results = 1, results
			f.returnWords(0, results)
			methods[s.number] = f.add()
		}
	}
}

// finishMethods gives types their methods that nobody calls: they are there for those who
// ask for an interface.
func (c *compiler) finishMethods() {
	c.finishRuntimeError()
	never := -1
	for i := 1; i < len(c.prog.Types); i++ {
		if !c.made[i] {
			continue
		}
		c.eachMethod(c.dynamicTypes[i], func(n int, _ *types.Selection) {
			if _, ok := c.prog.Types[i].Methods[n]; ok {
				return
			}
			if never < 0 {
				f := c.newFunction("never called", 0, true)
				f.notCovered("a method that nobody calls")
				never = f.add()
			}
			c.prog.Types[i].Methods[n] = never
		})
	}
}
