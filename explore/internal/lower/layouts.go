package lower

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// layoutKey is what makes layouts the same: the type's name tells types apart only for
// readers, so equal words under the same name are one layout.
type layoutKey struct {
	name, words, fields, nums string
	special                   ir.Special
	key, val                  int
	escapes                   bool
}

// intern is the number of a layout.
func (c *compiler) intern(l ir.Layout) int {
	if slices.IndexFunc(l.Fields, func(f string) bool { return f != "" }) < 0 {
		l.Fields = nil
	}
	if !slices.ContainsFunc(l.Nums, func(n ir.Num) bool { return n != ir.I64 }) {
		l.Nums = nil
	}
	key := layoutKey{l.Name, fmt.Sprint(l.Words), strings.Join(l.Fields, "\n"), fmt.Sprint(l.Nums), l.Special, l.Key, l.Val, l.Escapes}
	n, ok := c.layouts[key]
	if !ok {
		n = len(c.prog.Layouts)
		c.prog.Layouts = append(c.prog.Layouts, &l)
		c.layouts[key] = n
	}
	return n
}

// layout is that of an object that holds one value of a type.
func (c *compiler) layout(t types.Type) int {
	if opaque(t) {
		return c.intern(ir.Layout{Name: "pointer", Words: ptrShape.kinds, Nums: ptrShape.nums, Escapes: true})
	}
	if n, ok := c.byType.At(t).(int); ok {
		return n
	}
	s := c.shape(t)
	n := c.intern(ir.Layout{Name: c.typeName(t), Words: s.kinds, Fields: s.names, Nums: s.nums, Escapes: true})
	c.byType.Set(t, n)
	return n
}

// opaque reports whether a type is one of package ssa, which has no hash, or a pointer to it.
func opaque(t types.Type) bool {
	switch t := t.(type) {
	case *types.Pointer:
		return opaque(t.Elem())
	case *types.Basic, *types.Named, *types.Alias, *types.Struct, *types.Array, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface,
		*types.TypeParam, *types.Tuple:
		return false
	}
	return true
}

// elements is the layout of an object that holds any number of values of a type.
func (c *compiler) elements(elem types.Type) int {
	s := &shape{}
	s.add("[]", c.shape(elem))
	return c.intern(ir.Layout{Name: "[]" + c.typeName(elem), Words: s.kinds, Fields: s.names, Nums: s.nums, Escapes: true})
}

// variable is the layout of a variable of a type, and how many times it is there.
func (c *compiler) variable(t types.Type) (layout, n int) {
	if a, ok := t.Underlying().(*types.Array); ok && a.Len() > 0 {
		return c.elements(a.Elem()), int(a.Len())
	}
	return c.layout(t), 1
}

// local is the layout of a variable that only one call sees, and how many times it is
// there.
func (c *compiler) local(t types.Type) (layout, n int) {
	layout, n = c.variable(t)
	l := *c.prog.Layouts[layout]
	l.Escapes = false
	return c.intern(l), n
}

// boxed is the layout of what an interface of a dynamic type holds.
func (c *compiler) boxed(t types.Type) int {
	s := c.shape(t)
	l := ir.Layout{Name: c.typeName(t), Words: s.kinds, Fields: s.names, Nums: s.nums, Escapes: true}
	if len(s.kinds) != 1 {
		l.Special = ir.Box
	}
	return c.intern(l)
}

// mapLayout is that of a map.
func (c *compiler) mapLayout(m *types.Map) int {
	key, val := c.shape(m.Key()), c.shape(m.Elem())
	s := &shape{}
	s.add("key", key)
	s.add("", val)
	return c.intern(ir.Layout{
		Name: c.typeName(m), Words: s.kinds, Fields: s.names, Nums: s.nums, Special: ir.Map, Key: len(key.kinds), Val: len(val.kinds), Escapes: true,
	})
}

// keysLayout is that of the keys of a map that are still to come.
func (c *compiler) keysLayout(m *types.Map) int {
	return c.intern(ir.Layout{Name: "range of " + c.typeName(m), Words: c.shape(m.Key()).kinds, Nums: c.shape(m.Key()).nums})
}

// chanLayout is that of a channel.
func (c *compiler) chanLayout(ch *types.Chan) int {
	elem := c.shape(ch.Elem())
	return c.intern(ir.Layout{Name: c.typeName(ch), Words: elem.kinds, Nums: elem.nums, Special: ir.Chan, Val: len(elem.kinds), Escapes: true})
}

// closureLayout is that of the closures of a function.
func (c *compiler) closureLayout(fn *ssa.Function) int {
	s := &shape{kinds: []ir.Kind{ir.Data}, names: []string{""}, nums: []ir.Num{ir.I64}}
	for _, v := range fn.FreeVars {
		s.add(v.Name(), c.shape(v.Type()))
	}
	return c.intern(ir.Layout{Name: "func " + c.funcName(fn), Words: s.kinds, Fields: s.names, Nums: s.nums, Special: ir.Closure, Escapes: true})
}

// forms say how values of types are to be read.
func (c *compiler) forms(ts []types.Type) []ir.Form {
	var list []ir.Form
	for _, t := range ts {
		list = append(list, c.form(t, nil))
	}
	return list
}

// form says how values of a type are to be read. Of a type within itself it has no parts.
func (c *compiler) form(t types.Type, within []*types.Named) ir.Form {
	f := ir.Form{Layout: -1}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		f.Name = c.typeName(n)
		if slices.Contains(within, n) {
			f.Of = formOf(t)
			return f
		}
		within = append(slices.Clip(within), n)
	}
	f.Of = formOf(t)
	part := func(t types.Type) { f.Parts = append(f.Parts, c.form(t, within)) }
	switch u := t.Underlying().(type) {
	case *types.Basic:
		f.Kind = numOf(u)
	case *types.Struct:
		for i := range u.NumFields() {
			if v := u.Field(i); v.Name() != "_" {
				f.Names = append(f.Names, v.Name())
				part(v.Type())
			}
		}
	case *types.Array:
		f.Length = int(u.Len())
		part(u.Elem())
	case *types.Slice:
		f.Layout = c.elements(u.Elem())
		part(u.Elem())
	case *types.Map:
		f.Layout = c.mapLayout(u)
		part(u.Key())
		part(u.Elem())
	case *types.Pointer:
		f.Layout = c.layout(u.Elem())
		part(u.Elem())
	case *types.Chan:
		part(u.Elem())
	case *types.Interface:
		if u.Empty() && f.Name != "" { // its name tells nothing
			f.Name = "any"
		}
	}
	return f
}

func formOf(t types.Type) ir.FormOf {
	switch t.Underlying().(type) {
	case *types.Struct:
		return ir.StructOf
	case *types.Array:
		return ir.ArrayOf
	case *types.Slice:
		return ir.SliceOf
	case *types.Map:
		return ir.MapOf
	case *types.Pointer:
		return ir.PointerTo
	case *types.Interface:
		return ir.InterfaceOf
	case *types.Signature:
		return ir.FuncOf
	case *types.Chan:
		return ir.ChanOf
	}
	return ir.Basic
}
