// # Mutants
//
// A mutant is a wrong version of a reference implementation: one in
// which a method does nothing, or takes effect twice, or answers what it answered
// before. A specification that admits every execution of a wrong version says too
// little.
//
//	for _, m := range All(impl.Methods()) {
//		answers, err := m.Replay(ctx, impl, sequences)
//		fmt.Println(m.Name, answers)
//	}
//
// A mutant is made of the reference's own answers. Either it changes what calls
// do (an Effect): the reference runs other calls than those of the sequence. Or
// it changes what calls answer (a Lie), and the reference runs the sequence as it
// is. So a mutant needs nothing of the package under test, and never runs calls
// that the reference's users could not make.
//
// Mutants are made of replays, so a nondeterministic reference, which has none
// (reference.Acceptor), has no mutants either.
package judge

import (
	"context"
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

// Mutant is a wrong version of a reference.
type Mutant struct {
	Name   string // what is wrong, in words: "remove does nothing"
	Method string // the method that is wrong

	effect effect // nil: calls do what they do in the reference
	lie    lie    // nil: calls answer what they answer in the reference
}

// All lists the mutants of a reference with these methods, in a fixed order. Some
// may be equivalent to the reference: a method that changes nothing may as well
// be called twice.
func All(methods []reference.Method) []Mutant {
	var all []Mutant
	for i := range methods {
		all = append(append(all, effects(methods, i)...), liesOf(methods, i)...)
	}
	return all
}

// Replay runs sequences of calls on the mutant; see reference.Implementation.
func (m *Mutant) Replay(ctx context.Context, impl reference.Implementation, seqs [][]reference.Call) ([][]reference.Answer, error) {
	if m.effect != nil {
		return m.replayEffect(ctx, impl, seqs)
	}
	got, err := impl.Replay(ctx, seqs)
	if err != nil {
		return nil, err
	}
	for i := range got {
		got[i] = m.lie(seqs[i], got[i])
	}
	return got, nil
}

// OfAnswers makes the mutant's answers to a sequence of the reference's answers;
// false if that takes a replay, since the mutant does something else.
func (m *Mutant) OfAnswers(calls []reference.Call, answers []reference.Answer) ([]reference.Answer, bool) {
	if m.lie == nil {
		return nil, false
	}
	return m.lie(calls, answers), true
}

// Differs reports whether a mutant's answers to a sequence are some that the
// reference does not give, and at which call first. Answers may end early: a call
// that would wait for ever never answers, and is no wrong answer.
func Differs(reference, mutant []reference.Answer) (at int, differs bool) {
	for i := range mutant {
		switch {
		case mutant[i].Blocked:
			return 0, false
		case i >= len(reference) || !reference[i].Equal(mutant[i]):
			return i, true
		}
	}
	return 0, false
}

// answersNothing reports whether all calls of a method answer alike.
func answersNothing(m *reference.Method) bool {
	return len(m.Outcomes) == 1 && m.Outcomes[0].Rets == 0
}

// ordinal names one of several arguments or results: "argument", "2nd argument".
func ordinal(i, of int, what string) string {
	if of == 1 {
		return what
	}
	suffix := map[int]string{1: "st", 2: "nd", 3: "rd"}[i+1]
	if suffix == "" {
		suffix = "th"
	}
	return fmt.Sprintf("%d%s %s", i+1, suffix, what)
}

// wordOf is an outcome as an answer in a sentence.
func wordOf(o history.Outcome) string {
	if o == history.None {
		return "success"
	}
	return strings.ReplaceAll(string(o), "_", " ")
}
