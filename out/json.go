package out

import (
	"encoding/json"
	"io"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

type jsonTheory struct {
	Name       string         `json:"name"`
	Width      int            `json:"width"`
	Matching   string         `json:"matching"`
	Patterns   []jsonPattern  `json:"patterns"`
	Synthesis  *jsonSynthesis `json:"synthesis,omitempty"`
	Strategy   string         `json:"strategy"`
	Weights    []jsonWeight   `json:"weights"`
	Faithful   jsonCheck      `json:"faithful"`
	Normal     jsonCheck      `json:"normal"`
	CrossCheck jsonCrossCheck `json:"crossCheck"`
	LongRuns   *jsonLongRuns  `json:"longRuns,omitempty"`
	Mutants    *jsonMutants   `json:"mutants,omitempty"`
	Language   []string       `json:"language"`   // the rules of the executions that the theory covers
	NotCovered []string       `json:"notCovered"` // what else it says nothing about
	Forced     bool           `json:"forced"`
}

type jsonLongRuns struct {
	Sequences int    `json:"sequences"`
	Calls     int    `json:"calls"`
	Longest   int    `json:"longest"`
	Witness   string `json:"witness,omitempty"`
}

type jsonMutants struct {
	Made       int          `json:"made"`
	Equivalent int          `json:"equivalent"`
	Seen       int          `json:"seen"`
	Words      int          `json:"words"`
	Unseen     []jsonUnseen `json:"unseen"`
	Dropped    []string     `json:"dropped,omitempty"`
}

type jsonUnseen struct {
	Name  string `json:"name"`
	Shows string `json:"shows"`
	Calls int    `json:"calls"`
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

type jsonWeight struct {
	Weight     int `json:"weight"`
	Candidates int `json:"candidates"`
	Admitted   int `json:"admitted"`
	New        int `json:"new"`
}

type jsonSynthesis struct {
	Languages  int `json:"languages"`
	Length     int `json:"length"`
	Executions int `json:"executions"`
	Pairs      int `json:"pairs"`
}

type jsonCheck struct {
	Length     int    `json:"length"`
	Executions int    `json:"executions"`
	Holds      bool   `json:"holds"`
	Witness    string `json:"witness,omitempty"`
}

type jsonCrossCheck struct {
	Length      int `json:"length"`
	Histories   int `json:"histories"`
	Admitted    int `json:"admitted"`
	FalseAlarms int `json:"falseAlarms"`
	Missed      int `json:"missed"`
}

// JSON writes the patterns and the figures of the status as one indented object
// (docs/formats.md).
func JSON(w io.Writer, t *theory.Theory) error {
	s, mode := &t.Status, "timeless"
	if t.Spec.Matching.Past {
		mode = "past"
	}
	j := jsonTheory{
		Name: t.Name, Width: t.Spec.Width, Matching: mode, Strategy: s.Strategy,
		Patterns: []jsonPattern{}, Weights: []jsonWeight{},
		Faithful: jsonCheck(s.Faithful), Normal: jsonCheck(s.Normal),
		CrossCheck: jsonCrossCheck(s.CrossCheck), Forced: s.Forced,
	}
	if s.Synthesis != nil {
		y := jsonSynthesis(*s.Synthesis)
		j.Synthesis = &y
	}
	j.judged(t)
	for _, ws := range s.Weights {
		j.Weights = append(j.Weights, jsonWeight(ws))
	}
	for i := range t.Spec.Patterns {
		p := &t.Spec.Patterns[i]
		j.Patterns = append(j.Patterns, jsonPattern{p.Name, p.Weight, p.Group, p.Reading, jsonOperations(&p.History)})
	}
	return writeJSON(w, j, "  ")
}

// judged fills in what the judgement of the theory says.
func (j *jsonTheory) judged(t *theory.Theory) {
	s := &t.Status
	if s.LongRuns != nil {
		r := jsonLongRuns(*s.LongRuns)
		j.LongRuns = &r
	}
	if m := s.Mutants; m != nil {
		j.Mutants = &jsonMutants{m.Made, m.Equivalent, m.Seen, m.Words, []jsonUnseen{}, m.Dropped}
		for _, u := range m.Unseen {
			j.Mutants.Unseen = append(j.Mutants.Unseen, jsonUnseen(u))
		}
	}
	j.Language = readings(t.Spec.Language)
	j.NotCovered = append([]string{}, s.NotCovered...)
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
	sequential := h.Width() <= 1
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
