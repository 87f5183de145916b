package source

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

const (
	recordPath = "github.com/adtinfer/adtinfer/record"
	refinePath = "github.com/adtinfer/adtinfer/record/refine"
)

// methodsOf are the methods that a type declares.
func methodsOf(prog *ssa.Program, t *ssa.Type) (list []*ssa.Function) {
	named, ok := types.Unalias(t.Type()).(*types.Named)
	if !ok {
		return nil
	}
	for i := range named.NumMethods() {
		list = append(list, prog.FuncValue(named.Method(i)))
	}
	return list
}

// methodOf is the name of the method that a call statically calls, if the receiver is the
// named type or a pointer to it.
func methodOf(call *ssa.CallCommon, path string, names ...string) string {
	fn := call.StaticCallee()
	if fn == nil || fn.Signature.Recv() == nil {
		return ""
	}
	t := fn.Signature.Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	for _, name := range names {
		if isNamed(t, path, name) {
			return fn.Name()
		}
	}
	return ""
}

// handleMethod is the method of record.Handle that a call calls, "" if it is none that matters.
func handleMethod(call *ssa.CallCommon) string {
	switch m := methodOf(call, recordPath, "Handle"); m {
	case "Call", "Return", "Commit", "Begin", "Write", "WriteBlock":
		return m
	}
	return ""
}

// lockMethod is what a call does with a lock: Lock, TryLock, Unlock of a mutex or for writing.
func lockMethod(call *ssa.CallCommon) string {
	switch m := methodOf(call, "sync", "Mutex", "RWMutex"); m {
	case "Lock", "TryLock", "Unlock":
		return m
	}
	return ""
}

// field is a field of a struct type. The zero field is none.
type field struct {
	of   *types.TypeName
	name string
}

// String is as in Go: node.keys.
func (f field) String() string { return f.of.Name() + "." + f.name }

// fieldOf is a field of the type that t is or points to.
func fieldOf(t types.Type, i int) field {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	n, named := types.Unalias(t).(*types.Named)
	if !ok || !named {
		return field{}
	}
	return field{n.Obj(), s.Field(i).Name()}
}

// addressed is the field whose memory an address is in: &o.f, &o.f[i], and also the elements of a
// slice or array that the field holds. base is the address of o.
func addressed(v ssa.Value) (f field, base ssa.Value) {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			if f := fieldOf(x.X.Type(), x.Field); f.of != nil && f.of.Pkg().Path() != "sync/atomic" { // within an atomic variable
				return f, x.X
			}
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Slice:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		default:
			return field{}, nil
		}
	}
}

// isFresh reports whether an address is in an object that the function has made itself.
func isFresh(base ssa.Value) bool {
	for {
		switch x := base.(type) {
		case *ssa.Alloc:
			return true
		case *ssa.FieldAddr:
			base = x.X
		case *ssa.IndexAddr:
			base = x.X
		default:
			return false
		}
	}
}

// constants are the fields that nobody writes to but who makes the object, and of which nobody
// takes the address.
func constants(fns []*ssa.Function) map[field]bool {
	written, all := map[field]bool{}, map[field]bool{}
	for _, fn := range fns {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				fa, ok := in.(*ssa.FieldAddr)
				if !ok {
					continue
				}
				f := fieldOf(fa.X.Type(), fa.Field)
				all[f] = true
				for _, r := range *fa.Referrers() {
					switch r := r.(type) {
					case *ssa.UnOp:
					case *ssa.Store:
						if r.Addr != fa || !isFresh(fa.X) {
							written[f] = true
						}
					default:
						written[f] = true
					}
				}
			}
		}
	}
	for f := range written {
		delete(all, f)
	}
	return all
}

// observersIn are the methods that a function names in Observers of a refine.Options.
func observersIn(fn *ssa.Function) (names []string) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			store, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			fa, ok := store.Addr.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			if f := fieldOf(fa.X.Type(), fa.Field); f.of == nil || f.name != "Observers" || f.of.Name() != "Options" || f.of.Pkg().Path() != refinePath {
				continue
			}
			if slice, ok := store.Val.(*ssa.Slice); ok {
				names = append(names, elements(slice.X)...)
			}
		}
	}
	return names
}

// elements are the constant strings that are stored to the elements of an array.
func elements(array ssa.Value) (texts []string) {
	if array.Referrers() == nil {
		return nil
	}
	for _, r := range *array.Referrers() {
		i, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, r := range *i.Referrers() {
			if s, ok := r.(*ssa.Store); ok {
				if text, ok := stringOf(s.Val); ok {
					texts = append(texts, text)
				}
			}
		}
	}
	return texts
}

func stringOf(v ssa.Value) (string, bool) {
	if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
		return constant.StringVal(c.Value), true
	}
	return "", false
}

// methodName is the name of the method that a Handle.Call calls: what Recorder.Method was asked
// for where its result was stored.
func (c *checker) methodName(v ssa.Value, fn *ssa.Function) string {
	if name, ok := asked(v); ok {
		return name
	}
	if load, ok := v.(*ssa.UnOp); ok {
		if f, _ := addressed(load.X); f.of != nil {
			for _, own := range c.own {
				for _, b := range own.Blocks {
					for _, in := range b.Instrs {
						if s, ok := in.(*ssa.Store); ok {
							if g, _ := addressed(s.Addr); g == f {
								if name, ok := asked(s.Val); ok {
									return name
								}
							}
						}
					}
				}
			}
			return f.name
		}
	}
	return strings.ToLower(fn.Name()[:1]) + fn.Name()[1:]
}

// asked is the name that a call of Recorder.Method asks for.
func asked(v ssa.Value) (string, bool) {
	call, ok := v.(*ssa.Call)
	if !ok || methodOf(&call.Call, recordPath, "Recorder") != "Method" {
		return "", false
	}
	return stringOf(call.Call.Args[1])
}
