package judge

import (
	"context"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

// word is a sequence of calls.
type word = []reference.Call

// alphabet makes labels of calls and answers.
type alphabet struct {
	methods []reference.Method
	prefix  map[string]string // by Go type: what tells its values from those of other types
}

func newAlphabet(methods []reference.Method) *alphabet {
	a := &alphabet{methods, map[string]string{}}
	add := func(types []string) {
		for _, t := range types {
			if _, ok := a.prefix[t]; ok {
				continue
			}
			if a.prefix[t] = ""; len(a.prefix) > 1 {
				a.prefix[t] = string(rune('a' + len(a.prefix) - 1))
			}
		}
	}
	for _, m := range methods {
		add(m.Args)
		add(m.Rets)
	}
	return a
}

// labels are the labels of the calls that were answered.
func (a *alphabet) labels(calls word, answers []reference.Answer) []history.Label {
	ls := make([]history.Label, 0, len(calls))
	for i := range answers {
		if answers[i].Blocked {
			break
		}
		m := &a.methods[calls[i].Method]
		l := history.Label{Kind: history.Kind{Method: m.Name, Outcome: answers[i].Outcome}}
		for p, k := range calls[i].Args {
			l.Args = append(l.Args, history.Value(a.prefix[m.Args[p]]+strconv.Itoa(k)))
		}
		for p, v := range answers[i].Rets {
			l.Rets = append(l.Rets, history.Value(a.prefix[m.Rets[p]])+v)
		}
		ls = append(ls, l)
	}
	return ls
}

// runner runs words on a reference and asks a theory about them.
type runner struct {
	*alphabet
	impl   reference.Implementation
	oracle *oracle
}

// trace is a word that ran: the calls that were answered, and how.
type trace struct {
	calls  word
	labels []history.Label
}

func (r *runner) run(ctx context.Context, words []word) ([]trace, error) {
	answers, err := r.impl.Replay(ctx, words)
	if err != nil {
		return nil, err
	}
	traces := make([]trace, len(words))
	for i, w := range words {
		ls := r.labels(w, answers[i])
		traces[i] = trace{w[:len(ls)], ls}
	}
	return traces, nil
}

// rounds is how often calls that lead outside the language are left out: without
// them others are answered otherwise.
const rounds = 4

// inside runs words without the calls that lead outside the language.
func (r *runner) inside(ctx context.Context, words []word) ([]trace, error) {
	traces, err := r.run(ctx, words)
	if err != nil {
		return nil, err
	}
	for round := 0; ; round++ {
		var again []word
		var which []int
		for i := range traces {
			t := &traces[i]
			out := r.oracle.breaches(t.labels)
			if len(out) == 0 {
				continue
			}
			if round == rounds {
				t.calls, t.labels = t.calls[:out[0]], t.labels[:out[0]]
				continue
			}
			again, which = append(again, without(t.calls, out)), append(which, i)
		}
		if len(again) == 0 {
			return traces, nil
		}
		redone, err := r.run(ctx, again)
		if err != nil {
			return nil, err
		}
		for j, i := range which {
			traces[i] = redone[j]
		}
	}
}

// without is a word without the calls at some places, which are in order.
func without(w word, places []int) word {
	kept := make(word, 0, len(w))
	for i, c := range w {
		if len(places) > 0 && places[0] == i {
			places = places[1:]
			continue
		}
		kept = append(kept, c)
	}
	return kept
}
