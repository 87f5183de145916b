package spec

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// sequences is a theory as what it says of sequences of operations: a state is a sequence
// that it admits, and what the names in it stand for.
type sequences struct {
	*merger
	theory *theory.Theory
	known  []history.Value // that calls have, or an implementation answered
	open   bool            // a call may answer a value that is not known

	states  []sequenceState
	numbers map[string]int32
}

// sequenceState is a word whose name i stands for names[i].
type sequenceState struct {
	at    *word
	names []history.Value
}

// sequencesOf is a theory as a source, for calls with these labels.
func sequencesOf(ctx context.Context, t *theory.Theory, list *List, labels []history.Label) *sequences {
	s := &sequences{theory: t, numbers: map[string]int32{}, known: valuesOf(labels...)}
	s.merger = newMerger(ctx, t, list, labels, s.known)
	s.number(s.reduced(nil).at, nil)
	return s
}

// valuesOf lists the values of labels, once each.
func valuesOf(labels ...history.Label) (all []history.Value) {
	for i := range labels {
		for _, vs := range [2][]history.Value{labels[i].Args, labels[i].Rets} {
			for _, v := range vs {
				if !slices.Contains(all, v) {
					all = append(all, v)
				}
			}
		}
	}
	return all
}

// number is the number of a state. Values of names that can be exchanged are in order.
func (s *sequences) number(at *word, names []history.Value) int32 {
	for _, group := range at.groups {
		var own []history.Value
		for _, i := range group {
			own = append(own, names[i])
		}
		slices.Sort(own)
		for k, i := range group {
			names[i] = own[k]
		}
	}
	key := fmt.Sprintf("%s%q", keyOf(at.labels), names)
	n, ok := s.numbers[key]
	if !ok {
		n = int32(len(s.states))
		s.numbers[key], s.states = n, append(s.states, sequenceState{at, names})
	}
	return n
}

func (*sequences) start() int32 { return 0 }

func (s *sequences) ways(state int32, call *history.Label) (ways []way, err error) {
	from := s.states[state]
	names := slices.Clone(from.names) // what names stand for
	named := history.Label{Kind: call.Kind, Args: slices.Clone(call.Args)}
	for i, v := range call.Args {
		if slices.Contains(s.fixed, v) {
			continue
		}
		k := slices.Index(names, v)
		if k < 0 {
			k, names = len(names), append(names, v)
		}
		named.Args[i] = name(k)
	}
	for _, l := range s.answered(named, len(names)) {
		longer := append(slices.Clip(from.at.labels), l)
		v, err := s.says(longer)
		switch {
		case err != nil:
			return nil, err
		case !v.inside:
			return nil, s.silent(s.actual(longer, names))
		case !v.admitted:
			continue
		}
		to := s.reduced(longer)
		for _, all := range s.standing(l, names) {
			var next []history.Value
			for _, v := range to.names {
				next = append(next, all[indexOf(v)])
			}
			ways = append(ways, way{Answer{l.Outcome, s.actual([]history.Label{l}, all)[0].Rets}, s.number(to.at, next)})
		}
	}
	if err := s.ctx.Err(); err != nil {
		return nil, err // what is the same was not found out
	}
	return ways, s.bySize(from, named)
}

// standing lists what names may stand for once a label has its own ones, which it
// answered: known values, or one that is not.
func (s *sequences) standing(l history.Label, names []history.Value) [][]history.Value {
	all := [][]history.Value{names}
	for _, v := range valuesOf(l) {
		if k := indexOf(v); k < len(names) {
			continue
		}
		var longer [][]history.Value
		for _, own := range all {
			for _, v := range append(slices.Clip(s.known), unknown(slices.Concat(own, s.known))) {
				if !slices.Contains(own, v) && !slices.Contains(s.fixed, v) {
					longer = append(longer, append(slices.Clip(own), v))
				}
			}
		}
		all, s.open = longer, true
	}
	return all
}

// bySize is an error if a call may answer values that are not known and the theory
// compares values by their size: it cannot be told which.
func (s *sequences) bySize(from sequenceState, call history.Label) error {
	if !s.ordered {
		return nil
	}
	for _, o := range s.outcomes[call.Method] {
		for i := range o.Rets {
			for _, v := range s.between() {
				l := history.Label{Kind: history.Kind{Method: call.Method, Outcome: o.Outcome}, Args: call.Args}
				l.Rets = slices.Repeat([]history.Value{v}, o.Rets)
				for _, known := range append(slices.Clip(s.fixed), v) {
					l.Rets[(i+1)%o.Rets] = known
					l.Rets[i] = v
					said, err := s.says(append(slices.Clip(from.at.labels), l))
					if err != nil {
						return err
					}
					if said.admitted {
						return fmt.Errorf("theory %s: %s may answer any value, and values are compared by their size: an exploration cannot try all of them", s.theory.Name, call.Method)
					}
				}
			}
		}
	}
	return nil
}

// between lists integers that are not known: one beside each that is.
func (s *sequences) between() []history.Value {
	all := []history.Value{"-1000000007", "1000000007"}
	for _, v := range s.fixed {
		n, err := strconv.ParseInt(string(v), 10, 64)
		for _, beside := range [2]int64{n - 1, n + 1} {
			if v := history.Value(strconv.FormatInt(beside, 10)); err == nil && !slices.Contains(s.fixed, v) && !slices.Contains(all, v) {
				all = append(all, v)
			}
		}
	}
	return all
}

// silent is the error of a sequence that the theory says nothing of.
func (s *sequences) silent(labels []history.Label) error {
	var rules []string
	for _, r := range s.theory.Spec.Language {
		rules = append(rules, r.Reading)
	}
	return fmt.Errorf("theory %s says nothing of %s: it is about executions in which %s; explore with a description that covers it, such as the reference",
		s.theory.Name, wordsOf(labels), strings.Join(rules, ", and "))
}

// actual is labels with what their names stand for.
func (s *sequences) actual(labels []history.Label, names []history.Value) []history.Label {
	return renamed(labels, func(v history.Value) history.Value {
		if k := indexOf(v); k >= 0 && k < len(names) {
			return names[k]
		}
		return v
	})
}

func (s *sequences) text(state int32) string {
	at := s.states[state]
	if len(at.at.labels) == 0 {
		return "new"
	}
	return "as after " + wordsOf(s.actual(at.at.labels, at.names))
}

func wordsOf(labels []history.Label) string {
	var words []string
	for _, l := range labels {
		words = append(words, l.String())
	}
	return strings.Join(words, "; ")
}

func (s *sequences) learn(v history.Value) bool {
	if !s.open || slices.Contains(s.known, v) {
		return false
	}
	s.known = append(s.known, v)
	return true
}
