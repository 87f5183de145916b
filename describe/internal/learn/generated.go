package learn

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
)

// Values that the reference makes up, such as tokens, have no names that could be
// chosen: in steps and answers symbols stand for them, which say where in the word they were
// answered first.

// symbol stands for a result of a step, from 0.
func symbol(at, result int) history.Value {
	return history.Value(fmt.Sprintf("\x01%d.%d", at, result))
}

// place is what a symbol says; at is -1 for what is none.
func place(v history.Value) (at, result int) {
	if !strings.HasPrefix(string(v), "\x01") {
		return -1, 0
	}
	a, r, _ := strings.Cut(string(v[1:]), ".")
	at, _ = strconv.Atoi(a)
	result, _ = strconv.Atoi(r)
	return at, result
}

// ask asks words of steps.
func (t *table) ask(ctx context.Context, words [][]step) ([]teacher.Answers, error) {
	values := make([]map[history.Value]history.Value, len(words)) // of symbols
	calls := make([][]teacher.Call, len(words))
	for i, w := range words {
		values[i] = map[history.Value]history.Value{}
		calls[i] = t.calls(w)
	}
	for len(t.generates) > 0 {
		var open []int
		var asked [][]teacher.Call
		for i, w := range words {
			if n := t.resolve(w, calls[i], values[i]); n < len(w) {
				open, asked = append(open, i), append(asked, calls[i][:n])
			}
		}
		if len(open) == 0 {
			break
		}
		answers, err := t.t.Ask(ctx, asked)
		if err != nil {
			return nil, err
		}
		for k, i := range open {
			for v, s := range t.symbols(asked[k], answers[k].Labels) {
				values[i][s] = v
			}
			t.invent(words[i][len(asked[k])], values[i])
		}
	}
	answers, err := t.t.Ask(ctx, calls)
	if err != nil || len(t.generates) == 0 {
		return answers, err
	}
	for i := range answers {
		answers[i].Labels = t.symbolic(calls[i], answers[i].Labels)
	}
	return answers, nil
}

// resolve puts values in the place of symbols, and returns the first step that has
// a symbol without one.
func (t *table) resolve(w []step, calls []teacher.Call, values map[history.Value]history.Value) int {
	for i, s := range w {
		args := slices.Clone(s.args)
		for p, v := range args {
			if at, _ := place(v); at < 0 {
				continue
			}
			known, ok := values[v]
			if !ok {
				return i
			}
			args[p] = known
		}
		calls[i].Args = args
	}
	return len(w)
}

// invent gives values to the symbols of a step that were not answered: any that are
// not there otherwise.
func (t *table) invent(s step, values map[history.Value]history.Value) {
	for p, v := range s.args {
		if _, ok := values[v]; !ok {
			if at, _ := place(v); at >= 0 {
				values[v] = t.value(t.sort(s.letter, p), 9000+len(values))
			}
		}
	}
}

// symbols finds the values that were made up in a word.
func (t *table) symbols(calls []teacher.Call, labels []history.Label) map[history.Value]history.Value {
	all := map[history.Value]history.Value{}
	for i, l := range labels {
		for r, v := range l.Rets {
			if _, ok := all[v]; !ok && t.generates[position{calls[i].Method, r}] && !slices.Contains(t.initial, v) {
				all[v] = symbol(i, r)
			}
		}
	}
	return all
}

// symbolic are labels with symbols for the values that were made up.
func (t *table) symbolic(calls []teacher.Call, labels []history.Label) []history.Label {
	symbols := t.symbols(calls, labels)
	labels = slices.Clone(labels)
	for i := range labels {
		l := &labels[i]
		l.Rets = slices.Clone(l.Rets)
		for r, v := range l.Rets {
			if s, ok := symbols[v]; ok {
				l.Rets[r] = s
			}
		}
	}
	return labels
}

// fromCalls are the steps of calls, with symbols for what was answered before.
func (t *table) fromCalls(ctx context.Context, calls []teacher.Call) ([]step, error) {
	w, err := t.steps(calls)
	if err != nil || len(t.generates) == 0 {
		return w, err
	}
	answers, err := t.t.Ask(ctx, [][]teacher.Call{calls})
	if err != nil {
		return nil, err
	}
	symbols := t.symbols(calls, answers[0].Labels)
	for i := range w {
		w[i].args = slices.Clone(w[i].args)
		for p, v := range w[i].args {
			if s, ok := symbols[v]; ok && t.letters[w[i].letter].free[p] {
				if at, _ := place(s); at < i {
					w[i].args[p] = s
				}
			}
		}
	}
	return w, nil
}

// made are the symbols that the last step of a node made up, with their sorts.
func (t *table) made(n *node) (all []candidate) {
	for r, v := range n.answer.Rets {
		if at, _ := place(v); at == len(n.steps)-1 {
			method := t.letters[n.steps[at].letter].method
			all = append(all, candidate{v, t.result[method][r]})
		}
	}
	return all
}

// meet adds a value that nobody passed in to those that are known at the start. Of
// too many of them all new ones count as made up.
func (t *table) meet(f *foreign) error {
	var of []history.Value
	makes := false
	for i, s := range t.sorts0 {
		if s == f.sort {
			of = append(of, t.initial[i])
		}
	}
	for at := range t.generates {
		makes = makes || t.result[at.method][at.param] == f.sort
	}
	switch {
	case !makes && len(of) < mostInitial:
		t.atStart(f.sort, f.value)
	case !t.isCompared(f.sort) || t.generates[f.at]:
		return &unlike{fmt.Sprintf("it answers values that nobody passed in: %s", join(of))}
	default:
		t.generates[f.at] = true
		for i := len(t.initial) - 1; i >= 0; i-- {
			if t.sorts0[i] == f.sort {
				t.initial, t.sorts0 = slices.Delete(t.initial, i, i+1), slices.Delete(t.sorts0, i, i+1)
			}
		}
	}
	t.restart()
	return nil
}

// item is a step of a word, and where it was before others were left out.
type item struct {
	step
	at int
}

// pack are the steps of items, the first of which is at base. Symbols say where the
// steps are now that they speak of.
func pack(items []item, base int) []step {
	now := map[int]int{}
	for i, x := range items {
		now[x.at] = base + i
	}
	steps := make([]step, len(items))
	for i, x := range items {
		args := slices.Clone(x.args)
		for p, v := range args {
			if at, r := place(v); at >= 0 {
				if n, ok := now[at]; ok {
					args[p] = symbol(n, r)
				}
			}
		}
		steps[i] = step{x.letter, args}
	}
	return steps
}
