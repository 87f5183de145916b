package configurations_test

import (
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
	"github.com/adtinfer/adtinfer/theory"
)

// TestGuards: there are guards where arguments alone say what is hidden, and they allow
// what they say.
func TestGuards(t *testing.T) {
	methods := []history.MethodSig{
		{Name: "push", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}, {Outcome: history.Error}}},
		{Name: "pop", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}}},
	}
	of := func(push, pop string) *configurations.Guards {
		text := "n = #push - #pop=value\n" + push + pop
		a, err := automata.Parse(text, methods)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return configurations.GuardsOf(&theory.Control{Automaton: a, Hidden: []history.Kind{{Method: "push", Outcome: history.Error}}})
	}
	const pop, waits = "pop  if n >= 1 => any\n     otherwise => -\n", "pop  if n >= 1 => any\n     otherwise blocks\n"
	for push, want := range map[string]bool{
		"push(x)  if x >= 0\n         otherwise => error\n":                                                  true,
		"push(x)  if x != \"\"\n         otherwise => error\n":                                               true,
		"push(x)  if n < 2\n         otherwise => error\n":                                                   false,
		"push(x)  if x >= 0 and n < 2\n         if x >= 0 and n >= 2 => error\n         if x < 0 => error\n": false,
	} {
		if got := of(push, pop) != nil; got != want {
			t.Errorf("%sguards: %t, want %t", push, got, want)
		}
		if of(push, waits) != nil {
			t.Errorf("%sguards although pop waits", push)
		}
	}
	g := of("push(x)  if x >= 0\n         otherwise => error\n", pop)
	for text, want := range map[string]bool{"push 5 none": true, "push 5 error": false, "push -1 error": true, "push -1 none": false} {
		w := strings.Fields(text)
		l := history.Label{Kind: history.Kind{Method: w[0], Outcome: history.Outcome(w[2])}, Args: []history.Value{history.Value(w[1])}}
		if g.Allows(&l) != want {
			t.Errorf("%s: want %t", text, want)
		}
	}
	if !g.Allows(&history.Label{Kind: history.Kind{Method: "pop", Outcome: history.Nil}}) {
		t.Error("pop is guarded")
	}
}
