package lower

import (
	"fmt"
	"go/types"
	"strings"
)

// goName is a type's name as a running program prints it: %T, and panics.
func goName(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return namedName(t, (*types.Package).Name)
	case *types.Pointer:
		return "*" + goName(t.Elem())
	case *types.Slice:
		return "[]" + goName(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), goName(t.Elem()))
	case *types.Map:
		return "map[" + goName(t.Key()) + "]" + goName(t.Elem())
	case *types.Chan:
		return [...]string{types.SendRecv: "chan ", types.SendOnly: "chan<- ", types.RecvOnly: "<-chan "}[t.Dir()] + goName(t.Elem())
	case *types.Signature:
		return "func" + signatureName(t)
	case *types.Struct:
		var fields []string
		for i := range t.NumFields() {
			f := t.Field(i)
			text := f.Name() + " " + goName(f.Type())
			if f.Embedded() {
				text = goName(f.Type())
			}
			if tag := t.Tag(i); tag != "" {
				text += fmt.Sprintf(" %q", tag)
			}
			fields = append(fields, text)
		}
		return braces("struct", fields)
	case *types.Interface:
		var methods []string
		for i := range t.NumMethods() {
			m := t.Method(i)
			methods = append(methods, m.Name()+signatureName(m.Type().(*types.Signature)))
		}
		return braces("interface", methods)
	}
	return t.String()
}

func braces(word string, parts []string) string {
	if len(parts) == 0 {
		return word + " {}"
	}
	return word + " { " + strings.Join(parts, "; ") + " }"
}

// namedName is the name of a named type; its arguments tell packages by their paths.
func namedName(t *types.Named, qualify types.Qualifier) string {
	obj := t.Obj()
	name := obj.Name()
	if obj.Pkg() != nil {
		name = qualify(obj.Pkg()) + "." + name
	}
	if t.TypeArgs().Len() == 0 {
		return name
	}
	var args []string
	for i := range t.TypeArgs().Len() {
		a := types.Unalias(t.TypeArgs().At(i))
		if n, ok := a.(*types.Named); ok {
			args = append(args, namedName(n, (*types.Package).Path))
		} else {
			args = append(args, goName(a))
		}
	}
	return name + "[" + strings.Join(args, ",") + "]"
}

// signatureName is the parameters and results of a func type.
func signatureName(s *types.Signature) string {
	list := func(t *types.Tuple, variadic bool) string {
		var parts []string
		for i := range t.Len() {
			text := goName(t.At(i).Type())
			if variadic && i == t.Len()-1 {
				text = "..." + strings.TrimPrefix(text, "[]")
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, ", ")
	}
	text := "(" + list(s.Params(), s.Variadic()) + ")"
	switch s.Results().Len() {
	case 0:
		return text
	case 1:
		return text + " " + list(s.Results(), false)
	}
	return text + " (" + list(s.Results(), false) + ")"
}
