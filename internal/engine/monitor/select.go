package monitor

import (
	"context"

	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/theory"
)

// A Monitor is a procedure that was selected for a theory. It is safe for
// concurrent use.
type Monitor struct {
	name   string // of the theory
	why    string
	shape  shape
	names  map[string][]string // the theory's patterns, by the shape's text
	reader *reader
}

// Select recognizes the shape of a theory, whatever its methods are called, and
// compares the procedure for that shape with the theory on small executions
// before it is trusted; decide decides the concurrent ones of these. If there is no such procedure the error is a
// *NotRecognized; the only others are the context's.
//
// It takes some ten milliseconds and two hundred calls of decide, on up to six
// operations each.
func Select(ctx context.Context, t *theory.Theory, decide Decider) (*Monitor, error) {
	not := func(reason string) error { return &NotRecognized{t.Name, reason} }
	if t.Spec.Matching.Mode == theory.Past || t.Spec.Width > 1 {
		return nil, not("it does not match operations of sequences by their labels")
	}
	what, s := "patterns", newSemantics(ctx, t)
	if len(t.Spec.Patterns) == 0 {
		what = "axioms"
		rules, err := clauses.OfPatterns(t)
		if err != nil {
			return nil, not("it has no patterns, and of its axioms: " + err.Error())
		}
		drawn, ok := withPatterns(t, rules)
		if !ok {
			return byPriority(ctx, t, rules, decide)
		}
		t = drawn
	}
	l := recognize(t)
	if l == nil || l.difference() > 0 {
		other, err := recognizeTable(t, s)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, not(l.reason())
		}
		l = other
	}
	if err := plain(t); err != nil {
		return nil, not(err.Error())
	}
	if l.shape.named && l.needsRemove(t) {
		l.shape.new = func() procedure { return &set{needsRemove: true} }
		l.shape.online = func() follower { return newOnlineSet(true) }
	}
	r, err := newReader(t, l, s)
	if err != nil {
		return nil, not(err.Error())
	}
	m := &Monitor{t.Name, "the " + what + " of theory " + t.Name + " are those of a " + l.shape.name + ": " + l.shape.about, l.shape, l.names, r}
	if err := m.selfCheck(ctx, t, s, decide); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, not(err.Error())
	}
	return m, nil
}

// Shape is the name of the shape: queue, stack, bag, register, set, lock or
// priority queue, or container for others of which the order of two values says all.
func (m *Monitor) Shape() string { return m.shape.name }

// Why says in one sentence which procedure was chosen and why.
func (m *Monitor) Why() string { return m.why }
