package spec

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// MayFail is a specification whose operations of some kinds, such as "offer=false", may
// come in every state, and then change nothing.
func MayFail(s Spec, list *List, a *Answers, texts []string) (Spec, error) {
	kinds, err := history.Parse(list.Methods, texts)
	if err != nil {
		return nil, err
	}
	return mayFail(s, list.Labels, a, kinds, list.Methods)
}

// mayFail is MayFail with names of methods as the labels have them.
func mayFail(s Spec, labels []history.Label, a *Answers, kinds history.Kinds, methods []history.MethodSig) (Spec, error) {
	if len(kinds) == 0 {
		return s, nil
	}
	f := &failing{Spec: s, answers: make([][]int32, len(labels))}
	for _, k := range kinds {
		for _, m := range methods {
			if m.Name == k.Method && slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Outcome == k.Outcome && o.Rets > 0 }) {
				return nil, fmt.Errorf("what may fail: %s has values, and an exploration cannot try all of them", k)
			}
		}
		for i := range labels {
			if labels[i].Method == k.Method {
				f.answers[i] = append(f.answers[i], a.Number(Answer{Outcome: k.Outcome}))
			}
		}
	}
	if l, ok := s.(Learner); ok {
		return failingLearner{f, l}, nil
	}
	return f, nil
}

// failing is a Spec with operations that may fail.
type failing struct {
	Spec
	answers [][]int32 // by call: with these it fails
}

func (f *failing) Moves(state, call int32) ([]Move, error) {
	moves, err := f.Spec.Moves(state, call)
	if err != nil {
		return nil, err
	}
	moves = slices.Clip(moves)
	for _, a := range f.answers[call] {
		if m := (Move{a, state}); !slices.Contains(moves, m) {
			moves = append(moves, m)
		}
	}
	return moves, nil
}

// Waits reports whether a call may wait: not if it may fail.
func (f *failing) Waits(state, call int32) (bool, error) {
	if len(f.answers[call]) > 0 {
		return false, nil
	}
	return Waits(f.Spec, state, call)
}

type failingLearner struct {
	*failing
	learner Learner
}

func (f failingLearner) Learn(answer int32) bool { return f.learner.Learn(answer) }
