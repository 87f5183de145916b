package refusal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/reference"
)

// foreign tells apart the reasons for an answer that nobody passed in: a value
// that is there before any other, a count, an id.
func (s *survey) foreign(f *matching.Foreign) *Refusal {
	name := f.Execution[len(f.Execution)-1].Method
	example, ok := s.find(func(w word) bool { return s.method(w).Name == name && s.madeUp(w) })
	if !ok { // longer than the survey's words
		return &Refusal{Kind: MadeUp, Reason: name + " answers with a value that nobody passed in",
			Example: []string{history.Sequential(f.Execution...).String()}, Advice: []string{idAdvice(name), itself}}
	}
	_, passes := s.find(func(w word) bool {
		return s.method(w).Name == name && slices.ContainsFunc(s.answer[w].Rets, passedIn)
	})
	computed, computes := s.find(func(w word) bool {
		return s.method(w).Name == name && s.foreignElse(w, example)
	})
	switch {
	case passes && !computes:
		return s.initial(name, example)
	case !s.mutates(name) && numeric(s.method(example)):
		if !computes {
			computed = example
		}
		return &Refusal{Kind: Count,
			Reason:  fmt.Sprintf("%s answers with a number that it computes, and patterns compare values without computing", name),
			Example: []string{s.draw(computed)},
			Advice:  []string{itself}}
	}
	return &Refusal{Kind: MadeUp,
		Reason:  fmt.Sprintf("%s answers with a value that it makes up, and patterns know only values that callers pass in", name),
		Example: []string{s.draw(example)},
		Advice:  []string{idAdvice(name), itself}}
}

// madeUp reports whether the last answer has a value that nobody passed in.
func (s *survey) madeUp(w word) bool {
	return slices.ContainsFunc(s.answer[w].Rets, reference.IsForeign)
}

func numeric(m *reference.Method) bool {
	return !slices.ContainsFunc(m.Rets, func(t string) bool {
		return t != "bool" && !strings.HasPrefix(t, "int") && !strings.HasPrefix(t, "uint")
	})
}

// initial is the refusal of a method whose value is there before any other.
func (s *survey) initial(name string, example word) *Refusal {
	m := s.method(example)
	rets := strings.Join(m.Rets, ", ")
	return &Refusal{Kind: Initial,
		Reason:  fmt.Sprintf("%s answers with a value before anybody passed one in", name),
		Example: []string{s.draw(example)},
		Advice: []string{fmt.Sprintf("let it say that there is none: %s(%s) (%s, bool), which answers false then",
			m.GoName, strings.Join(m.Args, ", "), rets), itself}}
}

func idAdvice(name string) string {
	return "let the caller choose the value, and pass it to " + name
}

// itself is what can be done about every reference.
const itself = "what has no specification can be compared with the reference itself: check --commit --ref, or record.CheckLinearizable"

func passedIn(v history.Value) bool { return !reference.IsForeign(v) }

// foreignElse reports whether the last answer has a value that nobody passed in
// and that the example does not have there.
func (s *survey) foreignElse(w, example word) bool {
	first := s.answer[example].Rets
	for i, v := range s.answer[w].Rets {
		if reference.IsForeign(v) && (i >= len(first) || v != first[i]) {
			return true
		}
	}
	return false
}
