package learn

import (
	"slices"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/reference"
)

// note remembers values that the reference made up: in the next round they are
// arguments, too.
func (x *closure) note(method int, rets []history.Value) {
	for i, v := range rets {
		of := x.methods()[method].Rets[i]
		if _, is := x.values[v]; is || x.seen[of+" "+string(v)] || !x.taken(of) {
			continue
		}
		x.seen[of+" "+string(v)] = true
		x.made[of] = append(x.made[of], v)
	}
}

// taken reports whether some method takes arguments of a type.
func (x *closure) taken(goType string) bool {
	return slices.ContainsFunc(x.methods(), func(m reference.Method) bool { return slices.Contains(m.Args, goType) })
}

// calls are the calls to make in a state, with the last atoms on the way there and
// in the call.
func (x *closure) calls(at *together) (calls []teacher.Call, used [][2]int) {
	for m := range x.methods() {
		var extend func(args []history.Value, last [2]int)
		extend = func(args []history.Value, last [2]int) {
			p := len(args)
			if p == len(x.methods()[m].Args) {
				calls, used = append(calls, teacher.Call{Method: m, Args: args}), append(used, last)
				return
			}
			if len(calls) > mostCalls {
				return
			}
			for _, v := range x.old(at, m, p) {
				extend(append(slices.Clip(args), v), last)
			}
			class := x.params[m][p]
			if class < 0 {
				return
			}
			for k := at.used[class] + 1; k <= last[class]+1; k++ {
				next := last
				next[class] = max(next[class], k)
				x.upTo(class, k)
				extend(append(slices.Clip(args), x.atoms.value(m, p, k)), next)
			}
		}
		extend(nil, at.used)
	}
	return calls, used
}

// old are the values for an argument that are not new: those that are held, those
// that the automaton names, and those that the reference makes up; or all that there
// are.
func (x *closure) old(at *together, method, param int) (all []history.Value) {
	class, p := x.params[method][param], &x.methods()[method].Params[param]
	if class < 0 {
		for k := range max(x.methods()[method].ArgDomain[param], 1) {
			all = append(all, x.atoms.value(method, param, k+1))
		}
		return all
	}
	for _, a := range at.live {
		if a.class == class {
			all = append(all, x.atoms.value(method, param, a.number))
		}
	}
	for _, v := range slices.Concat(x.named, at.s.Registers, x.made[x.methods()[method].Args[param]]) {
		_, fits := p.Text(string(v))
		if _, is := x.values[v]; fits && !is && !slices.Contains(all, v) && (p.Kind != values.KindString || v != "0") {
			all = append(all, v)
		}
	}
	return all
}
