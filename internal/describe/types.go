package describe

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/typename"
	"github.com/adtinfer/adtinfer/reference"
)

// withTypes gives methods the types of the reference's, unless all of them are integers
// and strings, which logs have one way to write. A value of one method may come back
// from another one, so that either all have types or none.
func withTypes(methods []history.MethodSig, impl reference.Implementation) {
	typed := slices.Clone(methods)
	plain := true
	for i := range typed {
		m := &typed[i]
		k := slices.IndexFunc(impl.Methods(), func(r reference.Method) bool { return r.Name == m.Name && len(r.Params) == m.Args })
		if k < 0 {
			return
		}
		most := 0
		for _, o := range m.Outcomes {
			most = max(most, o.Rets)
		}
		own := &impl.Methods()[k]
		if most > len(own.Results) {
			return
		}
		m.Params, m.Results = own.Params, own.Results[:most]
		plain = plain && !slices.ContainsFunc(slices.Concat(m.Params, m.Results), func(b values.Basic) bool { return !typename.Plain(b) })
	}
	if !plain {
		copy(methods, typed)
	}
}
