package check

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Consistent looks for an execution of the theory's language, of one to length
// operations, that the theory admits. It returns the shortest, or nil if there is
// none: then some axiom excludes everything, and every verdict about the theory
// would be a violation. Executions are sequential, but those of a theory of a width
// beyond 1 overlap as a whole, and any order between them will do. For such a
// theory length should not be less than its width.
//
// Axioms that people write are worth the look. ATOMIC of "Monitoring
// refinement" §3, for one, is false of every history with an operation.
//
// Executions are tried one by one, up to renaming of values that no formula
// names; if the theory compares values, with as many integers around those that
// formulas name as they have places for values. Length 2 is enough for all usual
// types and takes milliseconds. Operations of very many values, or that overlap,
// may have too many executions; the error is then ErrUndecided.
func Consistent(ctx context.Context, t *theory.Theory, length int) (*history.Execution, error) {
	s := newSequences(t)
	if t.Spec.Width > 1 {
		c, err := compile(t)
		if err != nil {
			return nil, err
		}
		s.overlapping = c
	}
	var undecided error
	for n := 1; n <= length; n++ {
		if s.ordered {
			s.integers = between(nil, s.named, n*places(t))
		}
		s.tried = 0
		found, err := s.extend(ctx, nil, nil, n)
		if errors.Is(err, ErrUndecided) {
			undecided, err = err, nil
		}
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, undecided
}

// ErrUndecided is the error of Consistent if it finds no execution among those
// that it has the patience to try.
var ErrUndecided = errors.New("check: none of the first short executions is admitted, and there are too many to try all")

// mostTried is how many executions of each length Consistent tries, and
// mostOverlapping how many of operations that overlap, which take longer.
const (
	mostTried       = 50_000
	mostOverlapping = 5_000
)

// sequences tries executions of a theory.
type sequences struct {
	tried    int // of the length at hand
	theory   *theory.Theory
	named    []history.Value // by formulas
	ordered  bool            // some formula compares values
	integers []history.Value // then: those to try
	target   []condition
	readOnly condition
	holds    []condition

	overlapping *compiled // the theory, if its width is beyond 1
}

type condition func(s formula.Structure, ops []int) bool

func newSequences(t *theory.Theory) *sequences {
	v := t.Vocabulary()
	s := &sequences{theory: t, readOnly: func(formula.Structure, []int) bool { return false }}
	prepare := func(f formula.Formula, free ...string) condition {
		f = formula.Expand(f, v)
		s.named = appendNamed(s.named, f)
		s.ordered = s.ordered || len(formula.Compared(f)) > 0
		return formula.Compile(f, free...)
	}
	for _, f := range t.Spec.Matching.Target {
		s.target = append(s.target, prepare(f, "x", "y"))
	}
	if f := t.Spec.Matching.ReadOnly; f != nil {
		s.readOnly = prepare(f, "x")
	}
	for _, r := range slices.Concat(t.Spec.Language, t.Spec.Axioms) {
		s.holds = append(s.holds, prepare(r.Formula))
	}
	for i := range t.Spec.Patterns {
		s.holds = append(s.holds, formula.Compile(formula.Exclude(&t.Spec.Patterns[i].History)))
	}
	return s
}

// appendNamed adds the data values that a formula names.
func appendNamed(values []history.Value, f formula.Formula) []history.Value {
	return union(values, formula.Named(f))
}

// extend tries all ways to add operations to an execution with the given
// values, until there are n, for one that the theory admits.
func (s *sequences) extend(ctx context.Context, labels []history.Label, values []history.Value, n int) (*history.Execution, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(labels) == n {
		if s.overlapping != nil {
			return s.overlap(ctx, labels)
		}
		if s.tried++; s.tried > mostTried {
			return nil, ErrUndecided
		}
		if s.admits(ctx, labels) && ctx.Err() == nil {
			return history.Sequential(slices.Clone(labels)...), nil
		}
		return nil, ctx.Err()
	}
	for _, m := range s.theory.Spec.Methods {
		for _, out := range m.Outcomes {
			for vs := range s.choices(values, m.Args+out.Rets) {
				l := history.Label{Kind: history.Kind{Method: m.Name, Outcome: out.Outcome}, Args: vs[:m.Args], Rets: vs[m.Args:]}
				e, err := s.extend(ctx, append(labels, l), union(values, vs), n)
				if e != nil || err != nil {
					return e, err
				}
			}
		}
	}
	return nil, nil
}

// overlap is the execution in which all operations run at one moment, if the
// theory admits it: they may then have taken effect in any order or together.
func (s *sequences) overlap(ctx context.Context, labels []history.Label) (*history.Execution, error) {
	if s.tried++; s.tried > mostOverlapping {
		return nil, ErrUndecided
	}
	e := &history.Execution{Events: 2 * len(labels)}
	for i, l := range labels {
		e.Ops = append(e.Ops, history.Operation{ID: strconv.Itoa(i + 1), Label: l, Call: i, Return: len(labels) + i})
	}
	a, err := symbolicRun{ctx, s.overlapping, e}.decide(e.Events)
	switch {
	case errors.As(err, new(*OutsideLanguage)):
		return nil, nil
	case err != nil || !a.sat:
		return nil, err
	}
	return e, nil
}

// places is the largest number of values that an operation has.
func places(t *theory.Theory) (most int) {
	for _, m := range t.Spec.Methods {
		for _, out := range m.Outcomes {
			most = max(most, m.Args+out.Rets)
		}
	}
	return most
}

// choices are the tuples of n values, one by one: of those seen, those that
// formulas name, and new ones in order; or of integers if the theory compares values.
func (s *sequences) choices(values []history.Value, n int) iter.Seq[[]history.Value] {
	return func(yield func([]history.Value) bool) { s.choose(values, nil, n, yield) }
}

// choose completes a tuple in all ways; it is false once yield is.
func (s *sequences) choose(values, tuple []history.Value, n int, yield func([]history.Value) bool) bool {
	if len(tuple) == n {
		return yield(slices.Clone(tuple))
	}
	next := s.integers
	if !s.ordered {
		next = append(union(values, s.named), s.unused(values))
	}
	for _, v := range next {
		if !s.choose(union(values, []history.Value{v}), append(tuple, v), n, yield) {
			return false
		}
	}
	return true
}

func (s *sequences) unused(values []history.Value) history.Value {
	for i := 1; ; i++ {
		if v := history.Value(strconv.Itoa(i)); !slices.Contains(values, v) && !slices.Contains(s.named, v) {
			return v
		}
	}
}

func union(a, b []history.Value) []history.Value {
	u := slices.Clone(a)
	for _, v := range b {
		if !slices.Contains(u, v) {
			u = append(u, v)
		}
	}
	return u
}

func (s *sequences) admits(ctx context.Context, labels []history.Label) bool {
	q := &sequence{labels: labels, match: make([]int, len(labels)), readOnly: make([]bool, len(labels))}
	until := formula.Until(ctx, q)
	for x := range labels {
		q.readOnly[x] = s.readOnly(until, []int{x})
		q.match[x] = s.targetOf(until, len(labels), x)
	}
	return !slices.ContainsFunc(s.holds, func(c condition) bool { return !c(until, nil) })
}

func (s *sequences) targetOf(q formula.Structure, end, x int) int {
	if s.theory.Spec.Matching.Mode == theory.Past {
		end = x + 1
	}
	for _, target := range s.target {
		for y := range end {
			if target(q, []int{x, y}) {
				return y
			}
		}
	}
	return history.Unmatched
}

// sequence is a sequential execution as a structure.
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
