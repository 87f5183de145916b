// # Aliases
//
// Aliases give the methods of a data type the other names that a user says logs have for them.
//
//	methods, err := Add(methods, map[string][]string{"add": {"increment"}})
package history

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// Add is methods with other names for them, by the methods' names or by names that they have already. A name that another
// method had as an alias is taken from it: what a user says wins over what comes with a theory or model.
func Add(methods []MethodSig, names map[string][]string) ([]MethodSig, error) {
	if len(names) == 0 {
		return methods, nil
	}
	known, err := NewSignature(methods...)
	if err != nil {
		return nil, err
	}
	added := slices.Clone(methods)
	for i := range added {
		added[i].Aliases = slices.Clone(added[i].Aliases)
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		m, ok := known.Method(name)
		if !ok {
			var all []string
			for _, m := range methods {
				all = append(append(all, m.Name), m.Aliases...)
			}
			return nil, fmt.Errorf("aliases for an unknown method %q%s", name, wording.Hint(name, all))
		}
		for i := range added {
			a := &added[i]
			a.Aliases = slices.DeleteFunc(a.Aliases, func(own string) bool { return slices.Contains(names[name], own) })
			if a.Name == m.Name {
				a.Aliases = append(a.Aliases, names[name]...)
			}
		}
	}
	return added, nil
}

// Renamed yields an execution with each choice of one name, the method's own or another one, for each method that it has.
// There may be very many.
func Renamed(methods []MethodSig, e *Execution) iter.Seq[*Execution] {
	methods = slices.DeleteFunc(slices.Clone(methods), func(m MethodSig) bool {
		return !slices.ContainsFunc(e.Ops, func(o Operation) bool { return o.Method == m.Name })
	})
	return func(yield func(*Execution) bool) {
		named := map[string]string{}
		var choose func(i int) bool
		choose = func(i int) bool {
			if i == len(methods) {
				other := *e
				other.Ops = slices.Clone(e.Ops)
				for i := range other.Ops {
					other.Ops[i].Method = named[other.Ops[i].Method]
				}
				return yield(&other)
			}
			for _, name := range append([]string{methods[i].Name}, methods[i].Aliases...) {
				if named[methods[i].Name] = name; !choose(i + 1) {
					return false
				}
			}
			return true
		}
		choose(0)
	}
}
