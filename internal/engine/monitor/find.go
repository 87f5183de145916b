package monitor

import (
	"context"
	"fmt"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/follow"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/internal/semantics/axioms"
	"github.com/adtinfer/adtinfer/internal/semantics/instance"
	"github.com/adtinfer/adtinfer/theory"
)

// NotRecognized is the error of a theory that no procedure decides. Another
// engine may.
type NotRecognized struct {
	Theory string
	Reason string // a clause: "its patterns are not those of a queue: ..."
}

func (e *NotRecognized) Error() string {
	return fmt.Sprintf("monitor: no fast procedure for theory %s: %s", e.Theory, e.Reason)
}

// A Procedure decides the executions of the type that a theory was recognized
// as. It is safe for concurrent use.
type Procedure struct {
	theory string
	why    string // in one sentence
	shape  shape
	names  map[string][]string // the theory's patterns, by the shape's text
	reader *batch.Reader
}

// Select recognizes the shape of a theory, whatever its methods are called, and
// compares the procedure for that shape with the theory on small executions
// before it is trusted; judge decides the concurrent ones of these. If there is no
// such procedure the error is a *NotRecognized; the only others are the context's.
//
// It takes some ten milliseconds and two hundred calls of judge, on up to six
// operations each.
func Select(ctx context.Context, t *theory.Theory, judge Judge) (*Procedure, error) {
	not := func(reason string) error { return &NotRecognized{t.Name, reason} }
	if t.Spec.Width > 1 {
		if x, ok, err := byExchange(ctx, t, judge); ok || err != nil {
			return x, err
		}
	}
	if t.Spec.Matching.Past || t.Spec.Width > 1 {
		return nil, not("it does not match operations of sequences by their labels")
	}
	what, s := "patterns", axioms.SemanticsOf(ctx, t)
	if len(t.Spec.Patterns) == 0 {
		what = "axioms"
		if x, ok, err := byLimit(ctx, t, s, judge); ok || err != nil {
			return x, err
		}
		drawn, ok := byKey(t, s)
		if !ok {
			rules, err := clauses.OfPatterns(t)
			if err != nil {
				return nil, not("it has no patterns, and of its axioms: " + err.Error())
			}
			if drawn, ok = withPatterns(t, rules); !ok {
				return byPriority(ctx, t, rules, judge)
			}
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
		l.shape.New = func() batch.Algorithm { return &batch.Set{NeedsRemove: true} }
		l.shape.Follow = func() follow.Follower { return follow.NewSet(true) }
	}
	r, err := newReader(t, l, s)
	if err != nil {
		return nil, not(err.Error())
	}
	x := &Procedure{t.Name, "the " + what + " of theory " + t.Name + " are those of a " + l.shape.Name + ": " + l.shape.about, l.shape, l.names, r}
	return x.checked(ctx, t, s, judge)
}

// needsRemove reports whether, by what a theory says of executions outside its
// language, no value is added twice with effect that is not removed: two adds
// are never admitted together with everything else that may be but its remove.
// Such a statement asks for a third operation, so that fewer do not help.
func (l *assignment) needsRemove(t *theory.Theory) bool {
	var labels []history.Label
	for _, v := range []history.Value{"1", "2"} {
		for _, m := range t.Spec.Methods {
			for _, o := range m.Outcomes {
				k := kindReader{Kind: history.Kind{Method: m.Name, Outcome: o.Outcome}, args: m.Args, rets: o.Rets}
				letter := l.cast[k.Kind]
				switch {
				case letter == adds.letter && v == "1":
					labels = append(labels, k.label(v, v), k.label(v, v))
				case letter != removes.letter || v != "1":
					labels = append(labels, k.label(v, v))
				}
			}
		}
	}
	q := t.Formulas().Sequences().Structure(labels)
	for i := range t.Spec.Beyond {
		if _, ok := instance.StatementOf(&t.Spec.Beyond[i], t.Vocabulary()); !ok {
			continue
		}
		f := formula.Expand(t.Spec.Beyond[i].Formula, t.Vocabulary())
		if semantics.LabelsOnly(f) && !formula.Compile(f)(q, nil) {
			return true
		}
	}
	return false
}
