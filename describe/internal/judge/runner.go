package judge

import (
	"context"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/reference"
)

// word is a sequence of calls.
type word = teacher.Word

// A labeler makes labels of calls and answers.
type labeler struct {
	methods []reference.Method
	prefix  map[string]string // by Go type: what tells its values from those of other types
	texts   bool              // values are those of logs, not numbers
}

func newLabeler(methods []reference.Method, texts bool) *labeler {
	a := &labeler{methods, map[string]string{}, texts}
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
func (a *labeler) labels(calls word, answers []reference.Answer) []history.Label {
	ls := make([]history.Label, 0, len(calls))
	passed := map[int][]*values.Basic{} // the types of the integers that have a number
	for i := range answers {
		if answers[i].Blocked {
			break
		}
		m := &a.methods[calls[i].Method]
		l := history.Label{Kind: history.Kind{Method: m.Name, Outcome: answers[i].Outcome}, Args: slices.Clip(calls[i].Values)}
		for p, k := range calls[i].Args {
			if m.Params[p].Bits > 0 {
				passed[k] = append(passed[k], &m.Params[p])
			}
			l.Args = append(l.Args, a.value(m.Args[p], &m.Params[p], history.Value(strconv.Itoa(k)), nil))
		}
		for p, v := range answers[i].Rets {
			l.Rets = append(l.Rets, a.value(m.Rets[p], &m.Results[p], v, func(b *values.Basic, k int) {
				same := func(o *values.Basic) bool { return o.Numbered(k) == b.Numbered(k) }
				if all := passed[k]; b.Bits > 0 && len(all) > 0 && !slices.ContainsFunc(all, same) {
					b.Kind, b.Bits = all[0].Kind, all[0].Bits
				}
			}))
		}
		ls = append(ls, l)
	}
	return ls
}

// value is a number, or another text of an Answer, as labels have it. An integer that was
// passed with fewer or more bits is the one that was passed: as has a type be that one's.
func (a *labeler) value(typ string, b *values.Basic, v history.Value, as func(b *values.Basic, k int)) history.Value {
	if !a.texts {
		return history.Value(a.prefix[typ]) + v
	}
	if text, ok := b.OfAnswer(string(v), as); ok {
		return history.Value(text)
	}
	return history.Value(b.Rename(string(v), func(b values.Basic, v string) (string, bool) {
		if k, err := strconv.Atoi(v); err == nil {
			if as != nil {
				as(&b, k)
			}
			return b.Numbered(k), true
		}
		if reference.IsForeign(history.Value(v)) {
			v = v[1 : len(v)-1]
			if s, err := strconv.Unquote(v); err == nil {
				v = s
			}
			return v, true
		}
		return "", false
	}))
}

// runner runs words on a reference and asks a theory about them.
type runner struct {
	*labeler
	impl   reference.Implementation
	oracle *oracle
}

// trace is a word that ran: the calls that were answered, and how.
type trace struct {
	calls   word
	answers []reference.Answer
	labels  []history.Label
	rest    word // from the call on that would wait for ever
	waits   word // the first calls that were found to end with one that waits
}

func (r *runner) run(ctx context.Context, words []word) ([]trace, error) {
	answers, err := r.impl.Replay(ctx, words)
	if err != nil {
		return nil, err
	}
	traces := make([]trace, len(words))
	for i, w := range words {
		ls := r.labels(w, answers[i])
		traces[i] = trace{calls: w[:len(ls)], answers: answers[i], labels: ls, rest: w[len(ls):]}
	}
	return traces, nil
}

// Rounds in which calls are left out of words: without them others are answered
// otherwise.
const (
	rounds     = 4  // those that lead outside the language
	waitingToo = 40 // also those that would wait for ever
)

// inside runs words without the calls that lead outside the language, or that
// would wait for ever.
func (r *runner) inside(ctx context.Context, words []word) ([]trace, error) {
	traces, err := r.run(ctx, words)
	if err != nil {
		return nil, err
	}
	for round := 0; ; round++ {
		var again []word
		var which []int
		for i := range traces {
			if w := r.less(&traces[i], round); w != nil {
				again, which = append(again, w), append(which, i)
			}
		}
		if len(again) == 0 {
			return traces, nil
		}
		redone, err := r.run(ctx, again)
		if err != nil {
			return nil, err
		}
		for j, i := range which {
			redone[j].waits = traces[i].waits
			traces[i] = redone[j]
		}
	}
}

// less is a word to be run instead of one that left the language or ended in a
// call that waits; nil if the run is good as it is, or is made so.
func (r *runner) less(t *trace, round int) word {
	out := r.oracle.breaches(t.labels)
	switch {
	case len(out) > 0 && round < rounds:
		return append(enumerate.Without(t.calls, out), t.rest...)
	case len(out) > 0:
		t.calls, t.labels, t.rest = t.calls[:out[0]], t.labels[:out[0]], nil
	case len(t.rest) > 0 && t.waits == nil:
		t.waits = append(t.calls[:len(t.calls):len(t.calls)], t.rest[0])
	}
	if len(t.rest) == 0 || round >= waitingToo {
		return nil
	}
	n := 1
	for n < len(t.rest) && t.rest[n].Method == t.rest[0].Method {
		n++
	}
	return append(t.calls[:len(t.calls):len(t.calls)], t.rest[n:]...)
}
