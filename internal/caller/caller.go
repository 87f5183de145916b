// Package caller runs the calls of logs on a reference, with the values that the
// logs have.
//
//	c, err := caller.New(impl, labels)
//	counts, err := c.Admits(ctx, sequences) // how many of its operations the reference allows
package caller

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/lazy"
	"github.com/adtinfer/adtinfer/internal/suggest"
	"github.com/adtinfer/adtinfer/reference"
)

// Caller calls a reference with the values of logs. The reference gets them as
// they are, and answers are compared as they are. Where a parameter is an integer
// and a log has something else for it, such as a name, integers that the log does
// not mention stand for the names. That is done twice, once with integers above
// all of the log's and once with others below them, in the opposite order: a
// reference that does not answer alike both times looks at more than which values
// are the same, which names do not say, and is not made use of. The same goes for
// the names of structs and of other values that are not integers.
type Caller struct {
	impl    reference.Implementation
	namings []naming
	told    *Unfit // the error if the namings make a difference
}

// naming gives some values of a log another name, and takes it back.
type naming struct {
	to, from map[typed]history.Value
}

// typed is a value of a type, "" for integers of any kind.
type typed struct {
	typ  string
	text history.Value
}

// New prepares a reference for the values of the labels, which those of all
// later calls are among. The error is an *Unfit, or says which method the
// reference does not have.
func New(impl reference.Implementation, labels []history.Label) (*Caller, error) {
	u := &usage{seen: map[history.Value]bool{}, known: map[typed]bool{}, lowest: math.MinInt64, highest: math.MaxInt64}
	for i := range labels {
		method, err := methodOf(impl, &labels[i])
		if err != nil {
			return nil, err
		}
		if err := u.add(&impl.Methods()[method], &labels[i]); err != nil {
			return nil, err
		}
	}
	c := &Caller{impl: impl, namings: make([]naming, 1)}
	for i := range labels {
		method, _ := methodOf(impl, &labels[i])
		if err := u.nameless(&impl.Methods()[method], &labels[i]); err != nil {
			return nil, err
		}
	}
	if len(u.names)+len(u.opaque) > 0 {
		above, below, ok := u.standIns()
		if !ok {
			return nil, u.first
		}
		upwards, ok := u.naming(above, false)
		downwards, okToo := u.naming(below, true)
		if !ok || !okToo {
			return nil, u.first
		}
		told := *u.first
		told.Told = true
		c.namings, c.told = []naming{upwards, downwards}, &told
	}
	return c, nil
}

// Replay runs sequences of calls with values. Returned values are as logs write
// them. The error is the reference's, or an *Unfit.
func (c *Caller) Replay(ctx context.Context, seqs [][]reference.Call) (answers [][]reference.Answer, err error) {
	for k, n := range c.namings {
		got, err := c.impl.Replay(ctx, n.calls(c.impl.Methods(), seqs))
		if err != nil {
			return nil, err
		}
		for i := range got {
			n.undo(c.impl.Methods(), seqs[i], got[i])
			if k > 0 && !slices.EqualFunc(got[i], answers[i], reference.Answer.Equal) {
				return nil, c.told
			}
		}
		answers = got
	}
	return answers, nil
}

// Admits counts, for each sequence of labels, the operations from the first on
// that the reference allows one after the other with the results that the labels
// claim: all if it admits the sequence. The error is the reference's, or an *Unfit.
func (c *Caller) Admits(ctx context.Context, seqs [][]history.Label) ([]int, error) {
	calls := make([][]reference.Call, len(seqs))
	for i, labels := range seqs {
		for j := range labels {
			m, err := methodOf(c.impl, &labels[j])
			if err != nil {
				return nil, err
			}
			calls[i] = append(calls[i], reference.Call{Method: m, Values: labels[j].Args})
		}
	}
	if a, ok := c.impl.(reference.Acceptor); ok {
		return c.accepts(ctx, a, seqs, calls)
	}
	answers, err := c.Replay(ctx, calls)
	if err != nil {
		return nil, err
	}
	counts := make([]int, len(seqs))
	for i, labels := range seqs {
		for j, a := range answers[i] {
			if a.Blocked || a.Outcome != labels[j].Outcome || !sameValues(&c.impl.Methods()[calls[i][j].Method], a.Rets, labels[j].Rets) {
				break
			}
			counts[i]++
		}
	}
	return counts, nil
}

// accepts asks an acceptor.
func (c *Caller) accepts(ctx context.Context, a reference.Acceptor, seqs [][]history.Label, calls [][]reference.Call) (counts []int, err error) {
	for k, n := range c.namings {
		claims, possible := n.claims(a.Methods(), seqs, calls)
		got, err := a.Accepts(ctx, claims)
		if err != nil {
			return nil, err
		}
		for i := range got {
			got[i] = min(got[i], possible[i])
		}
		if k > 0 && !slices.Equal(got, counts) {
			return nil, c.told
		}
		counts = got
	}
	return counts, nil
}

// Admits counts the operations, from the first on, that a reference allows one
// after the other with the results that the labels claim: len(labels) if all are.
// What Caller says of values holds. It is an error if the reference does not have
// a method with such arguments, or is a *Fault, or an *Unfit.
func Admits(ctx context.Context, impl reference.Implementation, labels []history.Label) (int, error) {
	c, err := New(impl, labels)
	if err != nil {
		return 0, err
	}
	counts, err := c.Admits(ctx, [][]history.Label{labels})
	if err != nil {
		return 0, err
	}
	return counts[0], nil
}

// Namings counts the ways in which values stand for names: 1 if none has to.
func (c *Caller) Namings() int { return len(c.namings) }

// Differ is the error of a reference that does not answer alike in all namings, of
// which there are several.
func (c *Caller) Differ() *Unfit { return c.told }

// Named is a label as the reference gets it in a naming. It is false if the
// reference has no such answer.
func (c *Caller) Named(n int, l *history.Label) (history.Label, bool) {
	i, err := methodOf(c.impl, l)
	if err != nil {
		return history.Label{}, false
	}
	m := &c.impl.Methods()[i]
	named := history.Label{Kind: history.Kind{Method: m.Name, Outcome: l.Outcome}}
	for k, v := range l.Args {
		named.Args = append(named.Args, c.namings[n].as(v, m.Params[k]))
	}
	if l.Outcome != history.Pending && !offers(m, l) {
		return named, false
	}
	for k, v := range l.Rets {
		v = c.namings[n].as(v, m.Results[k])
		if _, ok := m.Results[k].Text(string(v)); !ok {
			return named, false
		}
		named.Rets = append(named.Rets, v)
	}
	return named, true
}

// Answered gives values that the reference returned the names that they stand for.
func (c *Caller) Answered(n int, l *history.Label, rets []history.Value) []history.Value {
	i, err := methodOf(c.impl, l)
	results := c.impl.Methods()[max(i, 0)].Results
	if err != nil || c.namings[n].from == nil || len(rets) > len(results) {
		return rets
	}
	rets = slices.Clone(rets)
	for k, v := range rets {
		rets[k] = c.namings[n].back(v, results[k])
	}
	return rets
}

// Same reports whether the results of a label are those of an answer, however the
// log writes them.
func (c *Caller) Same(l *history.Label, rets []history.Value) bool {
	if slices.Equal(l.Rets, rets) {
		return true
	}
	i, err := methodOf(c.impl, l)
	return err == nil && sameValues(&c.impl.Methods()[i], rets, l.Rets)
}

// numbers finds what may stand for names in a text.
var numbers = lazy.Regexp(`-?\b[0-9]+\b`)

// Spell puts names in a text in place of what stands for them in the first naming.
func (c *Caller) Spell(text string) string {
	if c.namings[0].from == nil {
		return text
	}
	return numbers().ReplaceAllStringFunc(text, func(n string) string {
		if name, ok := c.namings[0].from[typed{"", history.Value(n)}]; ok {
			return string(name)
		}
		return n
	})
}

// as is a value as a type gets it.
func (n naming) as(v history.Value, b values.Basic) history.Value {
	if n.to == nil {
		return v
	}
	return history.Value(b.Rename(string(v), func(b values.Basic, part string) (string, bool) {
		t, named := typeOf(b, part)
		w, ok := n.to[t]
		return string(w), ok && named
	}))
}

// back undoes as.
func (n naming) back(v history.Value, b values.Basic) history.Value {
	return history.Value(b.Rename(string(v), func(b values.Basic, part string) (string, bool) {
		t := typed{"", history.Value(part)}
		if !numeric(b) {
			t.typ = b.Name()
		}
		w, ok := n.from[t]
		return string(w), ok
	}))
}

// typeOf is a value of a log with what tells its type, and whether it may be a
// name there.
func typeOf(b values.Basic, v string) (typed, bool) {
	if numeric(b) {
		return typed{"", history.Value(v)}, true
	}
	if !b.IsName(v) {
		return typed{}, false
	}
	return typed{b.Name(), history.Value(v)}, true
}

// numeric reports whether integers of a type may stand for names.
func numeric(b values.Basic) bool {
	return b.Kind == values.KindInt || b.Kind == values.KindUint || b.Kind == values.KindAny
}

// sameValues reports whether a log's results are those of an answer.
func sameValues(m *reference.Method, answered, claimed []history.Value) bool {
	if slices.Equal(answered, claimed) || len(answered) != len(claimed) || len(claimed) > len(m.Results) {
		return slices.Equal(answered, claimed)
	}
	for i, v := range claimed {
		if string(answered[i]) != m.Results[i].Canonical(string(v)) {
			return false
		}
	}
	return true
}

// calls are calls whose values have their other names.
func (n naming) calls(methods []reference.Method, seqs [][]reference.Call) [][]reference.Call {
	if n.to == nil {
		return seqs
	}
	renamed := make([][]reference.Call, len(seqs))
	for i, calls := range seqs {
		for _, c := range calls {
			values := make([]history.Value, len(c.Values))
			for k, v := range c.Values {
				values[k] = n.as(v, methods[c.Method].Params[k])
			}
			renamed[i] = append(renamed[i], reference.Call{Method: c.Method, Values: values})
		}
	}
	return renamed
}

// undo makes answers' values those of the log.
func (n naming) undo(methods []reference.Method, calls []reference.Call, answers []reference.Answer) {
	for k, a := range answers {
		for i, v := range a.Rets {
			v = history.Value(strings.TrimSuffix(strings.TrimPrefix(string(v), "("), ")"))
			if text, err := strconv.Unquote(string(v)); err == nil && v[0] == '"' {
				v = history.Value(text)
			} else if n.from != nil {
				v = n.back(v, methods[calls[k].Method].Results[i])
			}
			a.Rets[i] = v
		}
	}
}

// claims are labels as an acceptor gets them, values by their Go text. possible
// counts those before the first one with a value that its result cannot be.
func (n naming) claims(methods []reference.Method, seqs [][]history.Label, calls [][]reference.Call) (claims [][]history.Label, possible []int) {
	texts := func(vs []history.Value, types []values.Basic) (all []history.Value, ok bool) {
		ok = len(vs) <= len(types)
		for i := 0; ok && i < len(vs); i++ {
			var text string
			text, ok = types[i].Text(string(n.as(vs[i], types[i])))
			all = append(all, history.Value("("+text+")"))
		}
		return all, ok
	}
	for i, labels := range seqs {
		var claimed []history.Label
		for j, l := range labels {
			m := &methods[calls[i][j].Method]
			rets, ok := texts(l.Rets, m.Results)
			if !ok || !offers(m, &l) {
				break
			}
			args, _ := texts(l.Args, m.Params)
			claimed = append(claimed, history.Label{Kind: history.Kind{Method: m.Name, Outcome: l.Outcome}, Args: args, Rets: rets})
		}
		claims, possible = append(claims, claimed), append(possible, len(claimed))
	}
	return claims, possible
}

// offers reports whether a method has an outcome with so many values.
func offers(m *reference.Method, l *history.Label) bool {
	return slices.ContainsFunc(m.Outcomes, func(o reference.OutcomeArity) bool { return o.Outcome == l.Outcome && o.Rets == len(l.Rets) })
}

func methodOf(impl reference.Implementation, l *history.Label) (int, error) {
	var names []string
	for i, m := range impl.Methods() {
		if m.Name == l.Method && len(m.Args) == len(l.Args) {
			return i, nil
		}
		names = append(names, m.Name)
	}
	return 0, fmt.Errorf("reference: %s has no method %q with %d arguments%s", impl.Name(), l.Method, len(l.Args), suggest.Hint(l.Method, names))
}
