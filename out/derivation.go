package out

import (
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
)

// derivation is the steps of an explanation in plain words, one a line. What
// rests on a supposition stands further in, and after it what was shown.
func derivation(x *check.Explanation) (lines []string) {
	var open []evidence.Fact
	line := func(text string) { lines = append(lines, strings.Repeat("  ", len(open))+text) }
	for i := range x.Steps {
		s := &x.Steps[i]
		line(stepWords(x, s))
		if s.Suppose {
			open = append(open, s.Fact)
		} else if n := len(open) - 1; s.Fact.Is == evidence.Contradiction && n >= 0 {
			supposed := open[n]
			open = open[:n]
			line("hence " + factWords(x, supposed.Opposite()))
		}
	}
	return lines
}

func stepWords(x *check.Explanation, s *evidence.Step) string {
	switch {
	case s.Suppose:
		return "suppose " + factWords(x, s.Fact) + ":"
	case s.Fact.Is == evidence.Contradiction:
		return "contradiction: " + endWords(x, s)
	}
	return factWords(x, s.Fact) + ": " + whyWords(x, s)
}

// factWords is a fact in words.
func factWords(x *check.Explanation, f evidence.Fact) string {
	switch f.Is {
	case evidence.Before:
		return named(x, f.A) + " comes before " + named(x, f.B)
	case evidence.Took:
		return named(x, f.A) + " took effect" + howWords(x, f)
	}
	return named(x, f.A) + " has not taken effect" + howWords(x, f)
}

func howWords(x *check.Explanation, f evidence.Fact) string {
	switch {
	case f.A != f.B && f.Outcome == history.None:
		return ", matching " + named(x, f.B)
	case f.A != f.B:
		return fmt.Sprintf(" with outcome %s, matching %s", f.Outcome, named(x, f.B))
	case f.Outcome == history.None:
		return ""
	}
	return fmt.Sprintf(" with outcome %s", f.Outcome)
}

func whyWords(x *check.Explanation, s *evidence.Step) string {
	if s.By == "" {
		return "through " + several(s.Ops)
	}
	return "otherwise " + patternWords(x, s)
}

func endWords(x *check.Explanation, s *evidence.Step) string {
	if s.By != "" {
		return patternWords(x, s)
	}
	return several(append(s.Ops[:len(s.Ops):len(s.Ops)], s.Ops[0])) + " come in this order"
}

func patternWords(x *check.Explanation, s *evidence.Step) string {
	for _, r := range x.Reasons {
		if r.Name == s.By && r.Axiom {
			return s.By + " is broken by " + several(s.Ops)
		}
	}
	return "pattern " + s.By + " with " + several(s.Ops)
}

func several(ids []string) string { return "[" + strings.Join(ids, "] [") + "]" }

// named is an operation with its label.
func named(x *check.Explanation, id string) string {
	return fmt.Sprintf("[%s] %s", id, x.Labels[id])
}

type jsonStep struct {
	Suppose bool     `json:"suppose,omitempty"`
	Fact    string   `json:"fact"` // order, took, never or contradiction
	A       string   `json:"a,omitempty"`
	B       string   `json:"b,omitempty"`
	Outcome string   `json:"outcome,omitempty"`
	By      string   `json:"by,omitempty"`
	Through []string `json:"through,omitempty"`
	With    []string `json:"with,omitempty"`
	Text    string   `json:"text"`
}

func jsonSteps(x *check.Explanation) (steps []jsonStep) {
	for i := range x.Steps {
		s := &x.Steps[i]
		j := jsonStep{Suppose: s.Suppose, Fact: string(s.Fact.Is), A: s.Fact.A, B: s.Fact.B,
			Outcome: string(s.Fact.Outcome), By: s.By, Text: stepWords(x, s)}
		if s.Fact.Is == evidence.Contradiction {
			j.Fact = "contradiction"
		}
		if s.By == "" {
			j.Through = s.Ops
		} else {
			j.With = s.Ops
		}
		steps = append(steps, j)
	}
	return steps
}
