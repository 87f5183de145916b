package monitor

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/semantics/axioms"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// PriorityQueue says of a type that it is a priority queue, which patterns
// cannot: they know no order of values. Nothing is compared with a theory.
type PriorityQueue struct {
	Name              string // of the type, for messages
	Add, Remove, Peek string // its methods: add(v), remove => v or nil, peek => v or nil
	Aliases           map[string][]string

	// Priority is the priority of a value; nil if it is the value, a whole
	// number. Values of the same priority may leave in any order.
	Priority func(history.Value) (int64, error)

	LowestFirst bool // a remove takes the value of the lowest priority
}

// ForPriorityQueue returns the procedure for a type that is said to be a priority
// queue. Executions with a value that has no priority are an *OutsideClass; those
// with peeks and pending removes may be.
func ForPriorityQueue(p PriorityQueue) *Procedure {
	r := &batch.Reader{Methods: map[string]*batch.Method{}, Priority: p.priority}
	enter := func(name string, m *batch.Method) {
		for _, a := range p.Aliases[name] {
			r.Methods[a] = m
		}
	}
	nothing := batch.Outcome{Outcome: history.Nil, Role: batch.Empty}
	add := &batch.Method{Args: 1, Open: batch.MaybeAdd, Unique: true, Outcomes: []batch.Outcome{{Outcome: history.None, Role: batch.Add, FromArg: true, Unique: true}}}
	remove := &batch.Method{Open: batch.MaybeRemove, Outcomes: []batch.Outcome{{Outcome: history.Some, Rets: 1, Role: batch.Remove}, nothing}}
	peek := &batch.Method{Outcomes: []batch.Outcome{{Outcome: history.Some, Rets: 1, Role: batch.Present}, nothing}}
	enter(p.Add, add)
	enter(p.Remove, remove)
	enter(p.Peek, peek)
	r.Methods[p.Add], r.Methods[p.Remove] = add, remove
	if p.Peek != "" {
		r.Methods[p.Peek] = peek
	}
	first := "largest"
	if p.LowestFirst {
		first = "smallest"
	}
	return &Procedure{
		theory: p.Name, reader: r,
		shape: shape{Name: "priority queue", about: "the value of the " + first + " priority leaves first", New: func() batch.Algorithm { return new(batch.Priority) }},
		why:   p.Name + " was said to be a priority queue: the value of the " + first + " priority leaves first",
	}
}

// priority is larger for what leaves earlier.
func (p PriorityQueue) priority(v history.Value) (n int64, err error) {
	if p.Priority != nil {
		n, err = p.Priority(v)
	} else if n, err = strconv.ParseInt(string(v), 10, 64); err != nil {
		err = fmt.Errorf("%s is no whole number of 64 bits", v)
	}
	if p.LowestFirst {
		n = ^n // as -n, without overflow
	}
	return n, err
}

// priorityAxioms are those of priority queues, with ADD, REMOVE and PEEK for the
// names of methods, and LESS for "the first one's value leaves later".
const (
	priorityAxioms = `
	forall r:Op. method(r) = REMOVE & outcome(r) = value -> exists a:Op. match(r) = a & before(a, r)
	forall r1:Op, r2:Op. method(r1) = REMOVE & method(r2) = REMOVE & match(r1) = match(r2) -> r1 = r2
	forall e:Op, a:Op. outcome(e) = nil & method(a) = ADD & before(a, e) -> exists r:Op. method(r) = REMOVE & outcome(r) = value & match(r) = a & before(r, e)
	forall a1:Op, a2:Op, r1:Op. method(a2) = ADD & method(r1) != ADD & match(r1) = a1 & LESS & before(a2, r1) -> exists r2:Op. method(r2) = REMOVE & outcome(r2) = value & match(r2) = a2 & before(r2, r1)`
	peekAxioms = `
	forall p:Op. method(p) = PEEK & outcome(p) = value -> exists a:Op. match(p) = a & before(a, p)
	forall p:Op, r:Op. method(p) = PEEK & method(r) = REMOVE & match(p) = match(r) -> before(p, r)`
	priorityLanguage = "forall x:Op, y:Op. method(x) = ADD & method(y) = ADD & arg(x) = arg(y) -> x = y"
	priorityTarget   = "method(y) = ADD & arg(y) = ret(x) | x = y & (method(x) = ADD | outcome(x) = nil)"
)

// withPatterns is a theory with axioms as one with patterns: false if it compares
// values.
func withPatterns(t *theory.Theory, rules *clauses.Rules) (*theory.Theory, bool) {
	drawn := *t
	var ok bool
	drawn.Spec.Patterns, ok = rules.Histories()
	labels := rules.Axioms
	drawn.Spec.Axioms = nil
	for _, a := range t.Spec.Axioms {
		if slices.Contains(labels, a.Name) {
			drawn.Spec.Axioms = append(drawn.Spec.Axioms, a)
		}
	}
	return &drawn, ok
}

// byPriority selects the procedure for priority queues if a theory's axioms say the
// same as theirs. Axioms that clauses can be made of say no more than these, and
// which clauses those are depends on what the axioms say of two matches and not on
// how they are written; so the clauses are compared.
func byPriority(ctx context.Context, t *theory.Theory, rules *clauses.Rules, judge Judge) (*Procedure, error) {
	not := func(reason string) error { return &NotRecognized{t.Name, reason} }
	const none = "it has no patterns, and its axioms compare values but are not those of a priority queue"
	p, ok := priorityMethods(t)
	if !ok {
		return nil, not(none)
	}
	if p.LowestFirst = !sameClauses(t, rules, p); p.LowestFirst && !sameClauses(t, rules, p) {
		return nil, not(none)
	}
	x := ForPriorityQueue(p)
	x.why = "the axioms of theory " + t.Name + " are those of a " + x.shape.Name + ": " + x.shape.about
	return x.checked(ctx, t, axioms.SemanticsOf(ctx, t), judge)
}

// priorityMethods finds out which method does what, by what they take and answer.
func priorityMethods(t *theory.Theory) (p PriorityQueue, ok bool) {
	p = PriorityQueue{Name: t.Name, Aliases: map[string][]string{}, Priority: wholeNumber}
	s := t.Formulas().Sequences()
	for i := range t.Spec.Methods {
		m := &t.Spec.Methods[i]
		p.Aliases[m.Name] = m.Aliases
		outcomes := fmt.Sprint(m.Outcomes)
		found := fmt.Sprint([]history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}})
		one := s.Structure([]history.Label{{Kind: history.Kind{Method: m.Name, Outcome: history.Some}, Rets: []history.Value{"1"}}})
		name := &p.Remove
		switch {
		case m.Args == 1 && outcomes == fmt.Sprint([]history.OutcomeSig{{Outcome: history.None}}):
			name = &p.Add
		case m.Args > 0 || outcomes != found || t.Spec.Matching.ReadOnly == nil:
			return p, false
		case one.ReadOnly(0):
			name = &p.Peek
		}
		if *name != "" {
			return p, false
		}
		*name = m.Name
	}
	return p, p.Add != "" && p.Remove != ""
}

// wholeNumber is the priority of a value that formulas compare.
func wholeNumber(v history.Value) (int64, error) {
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil || !wording.IsInteger(v) {
		return 0, fmt.Errorf("%s is no whole number of 64 bits", v)
	}
	return n, nil
}

// sameClauses reports whether a theory is that of a priority queue.
func sameClauses(t *theory.Theory, rules *clauses.Rules, p PriorityQueue) bool {
	less := "arg(a1) < arg(a2)"
	if p.LowestFirst {
		less = "arg(a2) < arg(a1)"
	}
	peek := p.Peek
	if peek == "" {
		peek = p.Remove
	}
	names := strings.NewReplacer("ADD", strconv.Quote(p.Add), "REMOVE", strconv.Quote(p.Remove), "PEEK", strconv.Quote(peek), "LESS", less)
	ref := &theory.Theory{Name: t.Name}
	ref.Spec.Width, ref.Spec.Methods = 1, t.Spec.Methods
	var failed error
	parse := func(src string, free ...string) formula.Formula {
		f, err := formula.Parse(names.Replace(src), ref.Vocabulary(), free...)
		if err != nil {
			failed = err
		}
		return f
	}
	ref.Spec.Language = []theory.Rule{{Name: "add-once", Formula: parse(priorityLanguage)}}
	ref.Spec.Matching.Target = []formula.Formula{parse(priorityTarget, "x", "y")}
	axioms, readOnly := priorityAxioms, "outcome(x) = nil"
	if p.Peek != "" {
		axioms, readOnly = axioms+peekAxioms, readOnly+" | method(x) = PEEK"
	}
	ref.Spec.Matching.ReadOnly = parse(readOnly, "x")
	for _, src := range strings.Split(strings.TrimSpace(axioms), "\n") {
		ref.Spec.Axioms = append(ref.Spec.Axioms, theory.Rule{Name: "axiom", Formula: parse(src)})
	}
	if failed != nil {
		return false
	}
	want, err := clauses.OfPatterns(ref)
	return err == nil && rules.SameAs(want)
}
