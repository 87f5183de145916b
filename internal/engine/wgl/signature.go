package wgl

import (
	"maps"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// Signature is the methods of a built-in model with their outcomes, which are found
// by asking it, as far as sequences of three calls with small values go.
func Signature(name string) (sigs []history.MethodSig) {
	m, ok := Builtin(name)
	if !ok {
		return nil
	}
	methods := Methods(name)
	names := slices.Sorted(maps.Keys(methods))
	found := map[string]map[history.OutcomeSig]bool{}
	level := []State{m.Init()}
	for range 4 {
		var next []State
		for _, s := range level {
			for _, name := range names {
				for _, args := range tuples(methods[name]) {
					for _, out := range probed {
						for _, rets := range tuples(out.Rets) {
							l := &history.Label{Kind: history.Kind{Method: name, Outcome: out.Outcome}, Args: args, Rets: rets}
							after, ok := m.Step(s, l)
							if !ok {
								continue
							}
							if found[name] == nil {
								found[name] = map[history.OutcomeSig]bool{}
							}
							found[name][out] = true
							next = append(next, after)
						}
					}
				}
			}
		}
		level = distinct(next)
	}
	for _, name := range names {
		sig := history.MethodSig{Name: name, Args: methods[name]}
		for _, out := range probed {
			if found[name][out] {
				sig.Outcomes = append(sig.Outcomes, out)
			}
		}
		sigs = append(sigs, sig)
	}
	return sigs
}

// probed are the outcomes that built-in models know.
var probed = []history.OutcomeSig{{Outcome: history.None}, {Outcome: history.Nil}, {Outcome: history.Some, Rets: 1},
	{Outcome: history.True}, {Outcome: history.False}, {Outcome: history.Error}}

// tuples lists n small values in all ways.
func tuples(n int) [][]history.Value {
	all := [][]history.Value{nil}
	for range n {
		var longer [][]history.Value
		for _, t := range all {
			for _, v := range []history.Value{"0", "1", "2"} {
				longer = append(longer, append(slices.Clip(t), v))
			}
		}
		all = longer
	}
	return all
}

// distinct leaves out states that are there twice.
func distinct(states []State) (all []State) {
	seen := map[uint64][]State{}
	for _, s := range states {
		h := s.Hash()
		if !slices.ContainsFunc(seen[h], s.Equal) {
			seen[h], all = append(seen[h], s), append(all, s)
		}
	}
	return all
}
