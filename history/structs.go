package history

import (
	"slices"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// split has the fields of structs be values of their own, if they are not that already;
// those of nil in front of a no are nil.
func (m *MethodSig) split(vs []raw) []raw {
	if len(m.Structs) == 0 || len(vs) == 0 {
		return vs
	}
	var all []raw
	inGo := len(vs) > len(m.Structs) && m.saysNo(&vs[len(vs)-1])
	if o, named := m.named(vs[0]); named && !(inGo && vs[0].isNull() && o.Rets == 0) {
		all = append(all, vs[0])
	}
	for i, v := range vs[len(all):] {
		if i < len(m.Structs) && m.Structs[i].Splits() && inGo && v.isNull() {
			all = append(all, slices.Repeat([]raw{v}, len(m.Structs[i].Leaves()))...)
			continue
		}
		if i >= len(m.Structs) || !m.Structs[i].Splits() {
			all = append(all, v)
			continue
		}
		texts, ok := m.Structs[i].Split(v.text)
		if !ok {
			return vs
		}
		for _, text := range texts {
			all = append(all, raw{text: text, quoted: true})
		}
	}
	return all
}

// isWhole reports whether the first value is still a struct, in JSON, which is none of the
// type: its fields are no values in front of others.
func (m *MethodSig) isWhole(vs []raw) bool {
	return len(m.Structs) > 0 && m.Structs[0].Splits() && len(vs) > 0 && vs[0].noText && vs[0].text[0] == '{'
}

// saysNo reports whether the last of all results as Go has them may stand behind nil: false,
// an error, or nil where that is an outcome.
func (m *MethodSig) saysNo(last *raw) bool {
	if last.isValue() {
		return false
	}
	return usualBool(last.text) == "false" || isNull(last.text) && m.find(Nil) != nil || wording.IsError(last.text)
}

// fields are results, with those of structs in the place of these.
func (m *MethodSig) fields(results []string) (all []string) {
	if len(m.Structs) == 0 {
		return results
	}
	for i, text := range results {
		if i < len(m.Structs) && m.Structs[i].Splits() {
			if leaves, ok := m.Structs[i].Split(text); ok {
				all = append(all, leaves...)
				continue
			}
		}
		all = append(all, text)
	}
	return all
}
