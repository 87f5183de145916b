package out

import (
	"encoding/json"
	"io"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

type jsonTheory struct {
	Name       string                `json:"name"`
	Width      int                   `json:"width"`
	Matching   string                `json:"matching"`
	Patterns   []jsonPattern         `json:"patterns"`
	Synthesis  *theory.Synthesis     `json:"synthesis,omitempty"`
	Strategy   string                `json:"strategy"`
	Weights    []theory.WeightStatus `json:"weights"`
	Faithful   theory.Check          `json:"faithful"`
	Normal     theory.Check          `json:"normal"`
	CrossCheck theory.CrossCheck     `json:"crossCheck"`
	LongRuns   *theory.LongRuns      `json:"longRuns,omitempty"`
	Mutants    *theory.Mutants       `json:"mutants,omitempty"`
	Language   []string              `json:"language"`   // the rules of the executions that the theory covers
	NotCovered []string              `json:"notCovered"` // what else it says nothing about
	Forced     bool                  `json:"forced"`
	jsonBeside
}

type jsonPattern struct {
	Name       string          `json:"name"`
	Weight     int             `json:"weight"`
	Group      string          `json:"group"`
	Reading    string          `json:"reading"`
	Operations []jsonOperation `json:"operations"`
}

// Operations are numbered from 1, as in drawings. Start and end are columns of
// the drawing, given only if some operations of the pattern overlap.
type jsonOperation struct {
	ID       int     `json:"id"`
	Method   string  `json:"method"`
	Outcome  *string `json:"outcome"` // null while pending
	Match    *int    `json:"match"`   // null if unmatched
	ReadOnly bool    `json:"readonly"`
	Start    *int    `json:"start,omitempty"`
	End      *int    `json:"end,omitempty"`
}

// JSON writes the patterns and the figures of the status as one indented object
// (docs/formats.md).
func JSON(w io.Writer, t *theory.Theory) error {
	switch t.Spec.Headline() {
	case theory.ByModel:
		return writeJSON(w, jsonModel{t.Name, t.New, t.Spec.Model, t.Status.Trial, t.Spec.Laws, append([]string{}, t.Status.NotCovered...)}, "  ")
	case theory.ByPatterns:
	default:
		return writeJSON(w, jsonDescribed{t.Name, t.New, t.Spec.Headline(), besideOf(&t.Spec, &t.Status),
			t.Status.LongRuns, mutantsOf(&t.Status), append([]string{}, t.Status.NotCovered...)}, "  ")
	}
	s, mode := &t.Status, "timeless"
	if t.Spec.Matching.Past {
		mode = "past"
	}
	j := jsonTheory{
		Name: t.Name, Width: t.Spec.Width, Matching: mode, Patterns: jsonPatterns(&t.Spec),
		Synthesis: s.Synthesis, Strategy: s.Strategy, Weights: append([]theory.WeightStatus{}, s.Weights...),
		Faithful: s.Faithful, Normal: s.Normal, CrossCheck: s.CrossCheck, LongRuns: s.LongRuns,
		Language: readings(t.Spec.Language), NotCovered: append([]string{}, s.NotCovered...), Forced: s.Forced,
	}
	j.Mutants, j.jsonBeside = mutantsOf(s), besideOf(&t.Spec, s)
	return writeJSON(w, j, "  ")
}

func mutantsOf(s *theory.Status) *theory.Mutants {
	if s.Mutants == nil {
		return nil
	}
	m := *s.Mutants
	m.Unseen = append([]theory.Mutant{}, m.Unseen...)
	return &m
}

// writeJSON writes a value as JSON, indented unless indent is empty. Signs that
// mean something in HTML stay as they are: formulas are full of them.
func writeJSON(w io.Writer, v any, indent string) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	return e.Encode(v)
}

func jsonOperations(h *history.History) []jsonOperation {
	sequential := h.Sequential()
	ops := []jsonOperation{}
	for i := range h.Ops {
		o := &h.Ops[i]
		j := jsonOperation{ID: i + 1, Method: o.Method, ReadOnly: o.ReadOnly}
		if o.Completed {
			j.Outcome = ptr(string(o.Outcome))
		}
		if o.Target != history.Unmatched {
			j.Match = ptr(o.Target + 1)
		}
		if !sequential {
			j.Start = ptr(o.Start + 1)
			if o.End != history.Never {
				j.End = ptr(o.End + 1)
			}
		}
		ops = append(ops, j)
	}
	return ops
}

func ptr[T any](v T) *T { return &v }
