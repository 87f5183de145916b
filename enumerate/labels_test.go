package enumerate

import (
	"fmt"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/history"
)

var pairs = []history.MethodSig{
	{Name: "put", Args: 2, Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
	{Name: "get", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}}},
}

// sequencesOf lists the sequences of n labels, as texts.
func sequencesOf(n int, named, only []history.Value) (all []string) {
	var extend func(s []history.Label)
	extend = func(s []history.Label) {
		if len(s) == n {
			all = append(all, fmt.Sprint(s))
			return
		}
		for l := range Labels(pairs, s, named, only) {
			extend(append(slices.Clip(s), l))
		}
	}
	extend(nil)
	return all
}

// canonical is a sequence's text with the values that are not named numbered in
// the order in which they come, past the named numbers.
func canonical(s []history.Label, named []history.Value) string {
	names := map[history.Value]history.Value{}
	for _, v := range named {
		names[v] = v
	}
	rename := func(vs []history.Value) []history.Value {
		out := slices.Clone(vs)
		for i, v := range vs {
			for k := 1; names[v] == ""; k++ {
				fresh := history.Value(fmt.Sprint(k))
				used := slices.Contains(named, fresh)
				for _, w := range names {
					used = used || w == fresh
				}
				if !used {
					names[v] = fresh
				}
			}
			out[i] = names[v]
		}
		return out
	}
	out := slices.Clone(s)
	for i := range out {
		out[i].Args, out[i].Rets = rename(s[i].Args), rename(s[i].Rets)
	}
	return fmt.Sprint(out)
}

// TestLabels: sequences of labels are all those over enough values, one of each
// class up to renaming.
func TestLabels(t *testing.T) {
	for _, named := range [][]history.Value{nil, {"2"}, {"a", "1"}} {
		for n := range 3 {
			values := append(slices.Clone(named), "v1", "v2", "v3", "v4")
			classes := map[string]bool{}
			var extend func(s []history.Label)
			extend = func(s []history.Label) {
				if len(s) == n {
					classes[canonical(s, named)] = true
					return
				}
				for l := range Labels(pairs, nil, nil, values) {
					extend(append(slices.Clip(s), l))
				}
			}
			extend(nil)
			got := sequencesOf(n, named, nil)
			for _, s := range got {
				if !classes[s] {
					t.Errorf("named %v, length %d: %s is not the first of its class, or there twice", named, n, s)
				}
				delete(classes, s)
			}
			for s := range classes {
				t.Errorf("named %v, length %d: %s is missing", named, n, s)
			}
		}
	}
}

// Given values are all that take part; labels of very many values are made one
// by one.
func TestLabelsOnly(t *testing.T) {
	if n := len(sequencesOf(1, []history.Value{"9"}, []history.Value{"1", "2", "3"})); n != 9+9+3 {
		t.Errorf("%d labels", n)
	}
	wide := []history.MethodSig{{Name: "m", Args: 60, Outcomes: []history.OutcomeSig{{Outcome: history.None}}}}
	count := 0
	for range Labels(wide, nil, nil, nil) {
		if count++; count == 100 {
			break
		}
	}
	if count != 100 {
		t.Errorf("%d labels", count)
	}
}
