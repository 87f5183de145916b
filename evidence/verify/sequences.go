package verify

import (
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// sequences is what a theory says of sequences of operations.
type sequences struct {
	past     bool // only earlier operations are targets
	targets  []condition
	readOnly condition
	language []condition
	holds    []condition     // of those admitted
	named    []history.Value // by formulas
	ordered  bool            // some formula compares values
}

type condition func(s formula.Structure, ops []int) bool

func newSequences(t *theory.Theory) *sequences {
	s := &sequences{past: t.Spec.Matching.Past, readOnly: func(formula.Structure, []int) bool { return false }}
	prepare := func(f formula.Formula, free ...string) condition {
		f = formula.Expand(f, t.Vocabulary())
		s.named = append(s.named, formula.Named(f)...)
		s.ordered = s.ordered || len(formula.Compared(f)) > 0
		return formula.Compile(f, free...)
	}
	for _, f := range t.Spec.Matching.Target {
		s.targets = append(s.targets, prepare(f, "x", "y"))
	}
	if f := t.Spec.Matching.ReadOnly; f != nil {
		s.readOnly = prepare(f, "x")
	}
	for _, r := range t.Spec.Language {
		s.language = append(s.language, prepare(r.Formula))
	}
	for _, r := range t.Spec.Axioms {
		s.holds = append(s.holds, prepare(r.Formula))
	}
	for i := range t.Spec.Patterns {
		s.holds = append(s.holds, prepare(formula.Not{F: formula.Embed(&t.Spec.Patterns[i].History)})) // as derivations take them
	}
	return s
}

// inside reports whether a sequence is in the language, and no operation has two
// match targets.
func (s *sequences) inside(labels []history.Label) bool {
	q, unique := s.structure(labels)
	return unique && all(s.language, q)
}

// admits reports whether the theory admits a sequence of its language.
func (s *sequences) admits(labels []history.Label) bool {
	q, _ := s.structure(labels)
	return all(s.holds, q)
}

func all(conditions []condition, q *sequence) bool {
	return !slices.ContainsFunc(conditions, func(c condition) bool { return !c(q, nil) })
}

// structure computes the matching; unique is false if an operation has two targets.
func (s *sequences) structure(labels []history.Label) (q *sequence, unique bool) {
	q, unique = &sequence{labels, make([]int, len(labels)), make([]bool, len(labels))}, true
	for x := range labels {
		q.readOnly[x], q.match[x] = s.readOnly(q, []int{x}), history.Unmatched
		end := len(labels)
		if s.past {
			end = x + 1
		}
		for _, target := range s.targets {
			for y := 0; y < end && (q.match[x] == history.Unmatched || unique); y++ {
				if target(q, []int{x, y}) {
					unique = unique && q.match[x] == history.Unmatched
					q.match[x] = y
				}
			}
			if q.match[x] != history.Unmatched {
				break
			}
		}
	}
	return q, unique
}

// sequence is a sequence of operations as a structure.
type sequence struct {
	labels   []history.Label
	match    []int
	readOnly []bool
}

func (q *sequence) Len() int                   { return len(q.labels) }
func (q *sequence) Label(i int) *history.Label { return &q.labels[i] }
func (q *sequence) Before(i, j int) bool       { return i < j }
func (q *sequence) Match(i int) int            { return q.match[i] }
func (q *sequence) ReadOnly(i int) bool        { return q.readOnly[i] }
func (q *sequence) Completed(int) bool         { return true }
