package spec

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/theory"
)

// merger finds sequences about which a theory says the same, whatever follows them in an
// exploration: it tries all that may. A theory that only compares values for equality
// is asked about sequences whose values are names, by their first occurrence; values
// that it names itself stay, and all do if it compares them by their size.
type merger struct {
	sequences *theory.Sequences
	ctx       context.Context
	name      string // the theory's
	ordered   bool
	most      int // operations of an execution
	calls     []history.Label
	fresh     map[string]int // an argument, plus one, by method
	outcomes  map[string][]history.OutcomeSig
	fixed     []history.Value
	values    int // of calls, that are not fixed

	said     map[string]verdict
	compared map[string]depths
	words    map[string]reduction
	left     int // questions that may still be asked to find sequences that are the same
	limit    int // of questions
}

// mostQuestions bounds the questions to a theory that find sequences that are the same.
// Those that could be are different states after that, which takes longer and
// decides the same; mostSequences bounds all questions.
const mostQuestions, mostSequences = 200_000, 600_000

// word is a sequence that no shorter one stands for.
type word struct {
	labels []history.Label
	groups [][]int // names that can be exchanged
}

// reduction is the word that stands for a sequence: its name i is names[i] there.
type reduction struct {
	at    *word
	names []history.Value
}

// verdict is what a theory says of a sequence.
type verdict struct{ admitted, inside bool }

// depths says of two sequences that they are the same for so many operations, and that
// they are not for so many, if that is not 0.
type depths struct{ same, differ int }

func newMerger(ctx context.Context, t *theory.Theory, list *List, labels []history.Label, known []history.Value) *merger {
	q := t.Sequences()
	m := &merger{ctx: ctx, name: t.Name, sequences: q, ordered: q.Ordered, most: list.Most, fresh: map[string]int{}, outcomes: map[string][]history.OutcomeSig{},
		fixed: slices.Clone(q.Named), said: map[string]verdict{}, compared: map[string]depths{}, words: map[string]reduction{}, left: mostQuestions, limit: mostSequences}
	for i := range labels {
		if arg, ok := list.Fresh[list.Labels[i].Method]; ok {
			m.fresh[labels[i].Method] = arg + 1
		}
	}
	for i := range t.Spec.Methods {
		m.outcomes[t.Spec.Methods[i].Name] = t.Spec.Methods[i].Outcomes
	}
	if m.ordered {
		m.calls = labels
		for _, v := range known {
			if !slices.Contains(m.fixed, v) {
				m.fixed = append(m.fixed, v)
			}
		}
		return m
	}
	for _, v := range known {
		if !slices.Contains(m.fixed, v) {
			m.values++
		}
	}
	for _, l := range labels {
		if !slices.ContainsFunc(m.calls, func(c history.Label) bool { return c.Method == l.Method }) {
			m.calls = append(m.calls, l)
		}
	}
	return m
}

// name is name k.
func name(k int) history.Value { return history.Value("~" + strconv.Itoa(k)) }

// indexOf is the number of a name; -1 if it is none.
func indexOf(v history.Value) int {
	if text, ok := strings.CutPrefix(string(v), "~"); ok {
		if k, err := strconv.Atoi(text); err == nil {
			return k
		}
	}
	return -1
}

// renamed is labels with other values.
func renamed(labels []history.Label, to func(history.Value) history.Value) []history.Label {
	all := slices.Clone(labels)
	for i := range all {
		l := &all[i]
		l.Args, l.Rets = slices.Clone(l.Args), slices.Clone(l.Rets)
		for _, vs := range [2][]history.Value{l.Args, l.Rets} {
			for k := range vs {
				vs[k] = to(vs[k])
			}
		}
	}
	return all
}

// canonical is labels with names by their first occurrence; name i was names[i].
func (m *merger) canonical(labels []history.Label) (own []history.Label, names []history.Value) {
	own = renamed(labels, func(v history.Value) history.Value {
		if slices.Contains(m.fixed, v) {
			return v
		}
		k := slices.Index(names, v)
		if k < 0 {
			k, names = len(names), append(names, v)
		}
		return name(k)
	})
	return own, names
}

// keyOf is a text for a list of labels, which no other list has.
func keyOf(ls []history.Label) string {
	var b []byte
	for i := range ls {
		b = logs.AppendKey(b, &ls[i])
	}
	return string(b)
}

// says is what the theory says of a sequence.
func (m *merger) says(labels []history.Label) (verdict, error) {
	own, _ := m.canonical(labels)
	key := keyOf(own)
	v, ok := m.said[key]
	if !ok {
		if len(m.said) >= m.limit {
			return v, fmt.Errorf("theory %s: its formulas were asked about %d sequences of up to %d operations, which is too many: explore fewer operations or values, or with a theory that has an automaton or a product, or with the reference", m.name, m.limit, m.most)
		}
		var err error
		if v.admitted, v.inside, err = m.sequences.Admits(m.ctx, own); err != nil {
			return v, err
		}
		m.said[key] = v
		m.left--
	}
	return v, nil
}

// answered lists a call with all answers, of values that are names up to so many, fixed,
// or new names.
func (m *merger) answered(call history.Label, names int) (all []history.Label) {
	for _, o := range m.outcomes[call.Method] {
		for _, rets := range m.tuples(o.Rets, names) {
			all = append(all, history.Label{Kind: history.Kind{Method: call.Method, Outcome: o.Outcome}, Args: call.Args, Rets: rets})
		}
	}
	return all
}

// tuples lists n values each.
func (m *merger) tuples(n, names int) [][]history.Value {
	if n == 0 {
		return [][]history.Value{nil}
	}
	var all [][]history.Value
	add := func(v history.Value, names int) {
		for _, rest := range m.tuples(n-1, names) {
			all = append(all, append([]history.Value{v}, rest...))
		}
	}
	for _, v := range m.fixed {
		add(v, names)
	}
	if !m.ordered {
		for k := range names {
			add(name(k), names)
		}
		add(name(names), names+1)
	}
	return all
}

// following lists the operations that may come next after a sequence with so many
// names.
func (m *merger) following(labels []history.Label, names int) (all []history.Label) {
	for _, c := range m.calls {
		args := [][]history.Value{c.Args}
		if !m.ordered {
			args = m.tuples(len(c.Args), names)
		}
		for _, own := range args {
			if !m.used(labels, c.Method, own) && m.has(labels, own) {
				n := names
				for _, v := range own {
					n = max(n, indexOf(v)+1)
				}
				all = append(all, m.answered(history.Label{Kind: c.Kind, Args: own}, n)...)
			}
		}
	}
	return all
}

// has reports whether there are so many values as the arguments of a sequence and a
// call that follows it have.
func (m *merger) has(labels []history.Label, args []history.Value) bool {
	var names []history.Value
	note := func(vs []history.Value) {
		for _, v := range vs {
			if indexOf(v) >= 0 && !slices.Contains(names, v) {
				names = append(names, v)
			}
		}
	}
	note(args)
	for i := range labels {
		note(labels[i].Args)
	}
	return len(names) <= m.values
}

// used reports whether a sequence has a fresh argument of a call.
func (m *merger) used(labels []history.Label, method string, args []history.Value) bool {
	fresh := m.fresh[method]
	return fresh > 0 && slices.ContainsFunc(labels, func(l history.Label) bool {
		k := m.fresh[l.Method]
		return k > 0 && l.Args[k-1] == args[fresh-1]
	})
}

// same reports whether the theory says the same of two sequences that so many
// operations follow. Names of the second are names of the first.
func (m *merger) same(a, b []history.Label, depth int) bool {
	if depth <= 0 {
		return true
	}
	both, names := m.canonical(slices.Concat(a, b))
	a, b = both[:len(a)], both[len(a):]
	key := strconv.Itoa(len(a)) + " " + keyOf(both)
	known := m.compared[key]
	switch {
	case depth <= known.same:
		return true
	case known.differ > 0 && depth >= known.differ || m.left <= 0:
		return false
	}
	same := m.compare(a, b, len(names), depth)
	switch {
	case m.left <= 0:
		return false
	case same:
		known.same = depth
	default:
		known.differ = depth
	}
	m.compared[key] = known
	return same
}

// compare is same, of what is not known. Sequences that the theory cannot be asked about
// are not the same.
func (m *merger) compare(a, b []history.Label, names, depth int) bool {
	var on []history.Label
	for _, l := range m.following(a, names) {
		x, failed := m.says(append(slices.Clip(a), l))
		y, wrong := m.says(append(slices.Clip(b), l))
		if failed != nil || wrong != nil || x != y {
			return false
		}
		if x.admitted {
			on = append(on, l)
		}
	}
	return !slices.ContainsFunc(on, func(l history.Label) bool {
		return !m.same(append(slices.Clip(a), l), append(slices.Clip(b), l), depth-1)
	})
}
