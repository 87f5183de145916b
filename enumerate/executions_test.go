package enumerate

import (
	"fmt"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/history"
)

func queueAlphabet() *Alphabet {
	return NewAlphabet([]Kind{
		{Kind: history.Kind{Method: "add", Outcome: history.None}, Method: 0, Args: 1, Sorts: []int{0}, Same: []int{0}},
		{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Method: 1, Sorts: []int{0}, Same: []int{0}},
		{Kind: history.Kind{Method: "remove", Outcome: history.Nil}, Method: 1},
	})
}

// Executions are the sequences over enough values, one of each renaming class.
func TestExecutionsUpToRenaming(t *testing.T) {
	a := queueAlphabet()
	for n := 0; n <= 4; n++ {
		classes := map[string]bool{}
		e := make([]Label, n)
		var all func(i int)
		all = func(i int) {
			if i == n {
				classes[renamed(a, e)] = true
				return
			}
			for v := 1; v <= n; v++ {
				for k := 0; k < 2; k++ {
					e[i] = a.Label(k, []Value{NewValue(0, v)})
					all(i + 1)
				}
			}
			e[i] = a.Label(2, nil)
			all(i + 1)
		}
		all(0)
		got := map[string]bool{}
		a.Executions(n, nil, func(e []Label) bool {
			got[renamed(a, e)] = true
			if s := history.Sequential(a.Texts(e)...).String(); s != renamed(a, e) {
				t.Errorf("%s is not numbered by first appearance", s)
			}
			return true
		})
		if len(got) != len(classes) {
			t.Errorf("length %d: %d executions, want %d", n, len(got), len(classes))
		}
	}
}

// renamed draws an execution with values numbered by first appearance.
func renamed(a *Alphabet, e []Label) string {
	names := map[Value]Value{}
	out := make([]Label, len(e))
	for i, l := range e {
		var vs []Value
		for _, v := range a.Values(l) {
			if names[v] == 0 {
				names[v] = NewValue(0, len(names)+1)
			}
			vs = append(vs, names[v])
		}
		out[i] = a.Label(a.KindOf(l), vs)
	}
	return history.Sequential(a.Texts(out)...).String()
}

func TestExecutionsStopAndPrune(t *testing.T) {
	a := queueAlphabet()
	count := 0
	if a.Executions(3, nil, func([]Label) bool { count++; return count < 5 }) || count != 5 {
		t.Errorf("stopped after %d executions, want 5", count)
	}
	a.Executions(3, func(e []Label) bool { return a.KindOf(e[len(e)-1]) == 0 }, func(e []Label) bool {
		for _, l := range e {
			if a.KindOf(l) != 0 {
				t.Errorf("%v was to be pruned", a.Texts(e))
			}
		}
		return true
	})
}

func TestCallsRespectDomains(t *testing.T) {
	methods := []Signature{{Sorts: []int{0}, Domains: []int{2}}, {}}
	count := 0
	Calls(methods, 3, func(calls []Invocation) bool {
		count++
		for _, c := range calls {
			for _, v := range c.Args {
				if v.Number() > 2 {
					t.Errorf("%v is outside the domain", calls)
				}
			}
		}
		return true
	})
	// By number of calls with an argument, set partitions into at most two parts: 1+3*1+3*2+4.
	if count != 14 {
		t.Errorf("%d sequences of calls, want 14", count)
	}
}

// What comes after a sequence is how sequences of one call more go on.
func TestAfter(t *testing.T) {
	methods := []Signature{{Sorts: []int{0, 1}, Domains: []int{0, 2}}, {Sorts: []int{0, 0}, Domains: []int{0, 0}}, {}}
	var longer, want []string
	Calls(methods, 2, func(calls []Invocation) bool {
		After(methods, calls, func(c Invocation) bool {
			longer = append(longer, fmt.Sprint(calls, c))
			return true
		})
		return true
	})
	Calls(methods, 3, func(calls []Invocation) bool {
		want = append(want, fmt.Sprint(calls[:2], calls[2]))
		return true
	})
	if !slices.Equal(longer, want) || len(want) == 0 {
		t.Errorf("%d sequences, want %d", len(longer), len(want))
	}
}
