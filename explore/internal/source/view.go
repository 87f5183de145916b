package source

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// view is what is known of the view: which fields it has, and what records them.
type view struct {
	fields    map[field]bool
	variables map[field]map[field]bool               // fields that hold a record.Variable: what is recorded by it
	sites     map[ssa.CallInstruction]map[field]bool // calls of Write and WriteBlock: what they record; nil if that is not known
}

// recording is a value that is recorded as a variable.
type recording struct {
	variable, value ssa.Value
	site            ssa.CallInstruction // of Write; nil if it is part of a block
}

// viewOf reads off the code what is recorded.
func viewOf(fns []*ssa.Function) *view {
	v := &view{map[field]bool{}, map[field]map[field]bool{}, map[ssa.CallInstruction]map[field]bool{}}
	all := map[*ssa.Function][]recording{}
	for _, fn := range fns {
		all[fn] = recordings(fn)
		for _, r := range all[fn] {
			for f := range recorded(r.value, fn) {
				v.fields[f] = true
				if x := variableOf(r.variable); x.of != nil {
					if v.variables[x] == nil {
						v.variables[x] = map[field]bool{}
					}
					v.variables[x][f] = true
				}
			}
		}
	}
	for _, fn := range fns {
		v.addSites(fn, all[fn])
	}
	return v
}

// addSites finds what the calls in a function record.
func (v *view) addSites(fn *ssa.Function, list []recording) {
	block := map[field]bool{} // of all blocks in the function
	for _, r := range list {
		fs := recorded(r.value, fn)
		for f := range v.variables[variableOf(r.variable)] {
			fs[f] = true
		}
		if r.site != nil {
			v.sites[r.site] = fs
			continue
		}
		for f := range fs {
			block[f] = true
		}
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(ssa.CallInstruction); ok && handleMethod(call.Common()) == "WriteBlock" && len(block) > 0 {
				v.sites[call] = block
			}
		}
	}
}

// recordings are the values that a function records by Write, or puts into a record.Write.
func recordings(fn *ssa.Function) (list []recording) {
	parts := map[ssa.Value]*recording{}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case ssa.CallInstruction:
				if com := in.Common(); handleMethod(com) == "Write" {
					list = append(list, recording{com.Args[1], com.Args[3], in})
				}
			case *ssa.Store:
				fa, ok := in.Addr.(*ssa.FieldAddr)
				if !ok || !isNamed(fa.X.Type().Underlying().(*types.Pointer).Elem(), recordPath, "Write") {
					continue
				}
				r := parts[fa.X]
				if r == nil {
					r = &recording{}
					parts[fa.X] = r
				}
				switch fieldOf(fa.X.Type(), fa.Field).name {
				case "Variable":
					r.variable = in.Val
				case "Value":
					r.value = in.Val
				}
			}
		}
	}
	for _, r := range parts {
		if r.value != nil {
			list = append(list, *r)
		}
	}
	return list
}

// variableOf is the field that holds a variable, or an array of them.
func variableOf(v ssa.Value) field {
	if load, ok := v.(*ssa.UnOp); ok {
		f, _ := addressed(load.X)
		return f
	}
	return field{}
}

// recorded are the fields whose values a record.Value has: those it is loaded from, and those that the same value
// is stored to in the function.
func recorded(v ssa.Value, fn *ssa.Function) map[field]bool {
	fs := map[field]bool{}
	seen := map[ssa.Value]bool{}
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		if v == nil || seen[v] {
			return
		}
		seen[v] = true
		switch x := v.(type) {
		case *ssa.Phi:
			for _, e := range x.Edges {
				visit(e)
			}
		case *ssa.Call:
			if callee := x.Call.StaticCallee(); callee != nil && pathOf(callee) == recordPath && len(x.Call.Args) > 0 { // record.Int(v), h.Text(v)
				contents(x.Call.Args[len(x.Call.Args)-1], fn, fs)
			}
		case *ssa.UnOp: // of a variable of type record.Value
			if a, ok := x.X.(*ssa.Alloc); ok {
				for _, r := range *a.Referrers() {
					if s, ok := r.(*ssa.Store); ok && s.Addr == a {
						visit(s.Val)
					}
				}
			}
		}
	}
	visit(v)
	return fs
}

// contents adds the fields that a value is loaded from or stored to.
func contents(v ssa.Value, fn *ssa.Function, fs map[field]bool) {
	for {
		switch x := v.(type) {
		case *ssa.Convert:
			v = x.X
			continue
		case *ssa.ChangeType:
			v = x.X
			continue
		case *ssa.UnOp:
			if f, _ := addressed(x.X); f.of != nil {
				fs[f] = true
				return
			}
		case *ssa.Call:
			if f, method := atomicField(&x.Call); f.of != nil && method == "Load" {
				fs[f] = true
				return
			}
		}
		break
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if s, ok := in.(*ssa.Store); ok && sameValue(s.Val, v) {
				if f, _ := addressed(s.Addr); f.of != nil && f.of.Pkg().Path() != recordPath {
					fs[f] = true
				}
			}
			if call, ok := in.(*ssa.Call); ok && len(call.Call.Args) > 1 {
				if f, _ := atomicField(&call.Call); f.of != nil && sameValue(call.Call.Args[len(call.Call.Args)-1], v) {
					fs[f] = true
				}
			}
		}
	}
}

// sameValue reports whether two operands are the same value; constants are if they are alike.
func sameValue(a, b ssa.Value) bool {
	x, ok := a.(*ssa.Const)
	y, is := b.(*ssa.Const)
	if ok && is {
		return types.Identical(x.Type(), y.Type()) && x.Value != nil && y.Value != nil && x.Value.ExactString() == y.Value.ExactString()
	}
	return a == b
}

// pathOf is the package that declares a function.
func pathOf(fn *ssa.Function) string {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg == nil {
		return ""
	}
	return fn.Pkg.Pkg.Path()
}

// atomicField is the field of an atomic type whose method is called.
func atomicField(call *ssa.CallCommon) (f field, method string) {
	fn := call.StaticCallee()
	if fn == nil || len(call.Args) == 0 || pathOf(fn) != "sync/atomic" {
		return field{}, ""
	}
	f, base := addressed(call.Args[0])
	if base == nil || isFresh(base) {
		return field{}, ""
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return f, fn.Name()
}

// writtenBy is the view's field that an instruction writes to, in an object that others may see.
func (v *view) writtenBy(in ssa.Instruction) field {
	var f field
	switch in := in.(type) {
	case *ssa.Store:
		var base ssa.Value
		if f, base = addressed(in.Addr); base == nil || isFresh(base) {
			return field{}
		}
	case *ssa.MapUpdate:
		if load, ok := in.Map.(*ssa.UnOp); ok {
			f, _ = addressed(load.X)
		}
	case *ssa.Call:
		if b, ok := in.Call.Value.(*ssa.Builtin); ok && (b.Name() == "copy" || b.Name() == "delete" || b.Name() == "clear") {
			f, _ = addressed(in.Call.Args[0])
		} else if g, method := atomicField(&in.Call); g.of != nil {
			switch method {
			case "Store", "Swap", "Add", "And", "Or", "CompareAndSwap":
				f = g
			}
		}
	}
	if !v.fields[f] {
		return field{}
	}
	return f
}
