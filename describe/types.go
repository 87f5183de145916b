package describe

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/typename"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// withTypes gives methods the types of the reference's, unless all of them are integers
// and strings, which logs have one way to write. A value of one method may come back
// from another one, so that either all have types or none. Laws that decide logs compute
// with values of these types.
func withTypes(s *theory.Spec, impl reference.Implementation) {
	typed := slices.Clone(s.Methods)
	plain := true
	for i := range typed {
		m := &typed[i]
		k := slices.IndexFunc(impl.Methods(), func(r reference.Method) bool { return r.Name == m.Name && len(r.Params) == m.Args })
		if k < 0 {
			return
		}
		most := carried(m.Outcomes)
		own := &impl.Methods()[k]
		if most > len(own.Results) {
			return
		}
		m.Params, m.Results, m.Structs = own.Params, own.Results[:most], structsOf(own, most)
		plain = plain && m.Structs == nil && !slices.ContainsFunc(slices.Concat(m.Params, m.Results), func(b values.Basic) bool { return !typename.Plain(b) })
	}
	if plain && !s.Laws.Decides() {
		return
	}
	copy(s.Methods, typed)
	if s.Product != nil {
		s.Product.Part.Methods = slices.Clone(s.Product.Part.Methods)
		partTypes(s.Product, typed)
	}
}

// structsOf are the first results of a method, of which outcomes carry so many values, if
// fields of structs are among these.
func structsOf(m *reference.Method, most int) (first []values.Basic) {
	for i := range m.Structs {
		if most <= 0 {
			break
		}
		first = append(first, m.Structs[i])
		most -= len(m.Structs[i].Leaves())
	}
	return first
}

// partTypes gives the methods of a product's part the types of the whole's.
func partTypes(p *theory.Product, whole []history.MethodSig) {
	for i := range p.Part.Methods {
		m := &p.Part.Methods[i]
		own := whole[slices.IndexFunc(whole, func(w history.MethodSig) bool { return w.Name == m.Name })]
		most := min(carried(m.Outcomes), len(own.Results))
		m.Params, m.Results, m.Structs = own.Params, own.Results[:most], nil
		if most == len(own.Results) {
			m.Structs = own.Structs
		}
		if k := p.Of(m.Name); k.Role == theory.ByKey {
			m.Params = slices.Delete(slices.Clone(own.Params), k.Arg, k.Arg+1)
		}
	}
}

// carried is how many values an outcome carries at most.
func carried(outcomes []history.OutcomeSig) (most int) {
	for _, o := range outcomes {
		most = max(most, o.Rets)
	}
	return most
}
