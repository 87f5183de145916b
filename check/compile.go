package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/engine/symbolic"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/internal/suggest"
	"github.com/adtinfer/adtinfer/theory"
)

// compiled is a theory made ready for grounding.
type compiled struct {
	methods  map[string]*history.MethodSig // by name and alias
	names    []string
	target   []*formula.Plan // free: x, y
	readOnly *formula.Plan   // free: x; nil: nothing is
	language []rule
	beyond   []*formula.Plan // what breaks statements about all admitted executions
	excludes []exclusion
	compared []formula.Term  // places of labels whose values some formula compares by <
	named    []history.Value // by formulas

	// literals: what is said of the operations of one match names values, or
	// compares them by their order.
	literals bool

	newSolver func() solver.Solver
	whole     bool // shortest violating prefixes are not sought

	source     *theory.Theory
	saturation func() (*clauses.Rules, error)  // made at the first call
	patterns   func() (*clauses.Rules, error)  // likewise, without what follows from several patterns
	clauses    func() (*symbolic.Rules, error) // likewise
	derived    func() (*symbolic.Rules, error) // with clauses that follow from others
	selection  selection                       // likewise
	within     func() *compiled                // likewise: without what is said beyond the language
}

// rule is a rule of the language, with what breaks it.
type rule struct {
	theory.Rule
	breaks *formula.Plan // the tuples of its outermost variables that break it
}

// exclusion is something no admitted history shows: a pattern, or the negation
// of an axiom.
type exclusion struct {
	name string
	plan *formula.Plan
}

// errPast is the error of a theory whose matching depends on the order.
var errPast = errors.New("check: the theory's matching mode is past: what an operation matches depends on the order, " +
	"which is not known before the check; infer the theory with timeless matching")

func compile(t *theory.Theory) (*compiled, error) {
	if t.Spec.Matching.Past {
		return nil, errPast
	}
	c := &compiled{methods: map[string]*history.MethodSig{}, newSolver: solver.New, source: t}
	c.within = sync.OnceValue(func() *compiled {
		less := *t
		less.Spec.Beyond = nil
		inner, err := compile(&less)
		if err != nil {
			panic("check: a theory with less to compile does not compile: " + err.Error())
		}
		return inner
	})
	c.saturation = sync.OnceValues(func() (*clauses.Rules, error) { return clauses.Compile(t) })
	c.patterns = sync.OnceValues(func() (*clauses.Rules, error) { return clauses.OfPatterns(t) })
	c.clauses = sync.OnceValues(func() (*symbolic.Rules, error) {
		r, err := c.patterns()
		if err != nil {
			return nil, err
		}
		return symbolic.Compile(r), nil
	})
	c.derived = sync.OnceValues(func() (*symbolic.Rules, error) {
		r, err := c.saturation()
		if err != nil {
			return nil, err
		}
		return symbolic.Compile(r), nil
	})
	c.selection = selecting(t)
	for i := range t.Spec.Methods {
		m := &t.Spec.Methods[i]
		c.names = append(c.names, m.Name)
		for _, a := range m.Aliases {
			c.methods[a] = m
		}
	}
	for i := range t.Spec.Methods { // a name wins over an alias
		c.methods[t.Spec.Methods[i].Name] = &t.Spec.Methods[i]
	}
	p := &plans{vocabulary: t.Vocabulary()}
	c.matching(t, p)
	c.rules(t, p)
	c.compared, c.named = p.compared, p.named
	if p.err != nil {
		return nil, fmt.Errorf("check: theory %s: %w", t.Name, p.err)
	}
	return c, nil
}

// selection is the near-linear procedure for a theory, if there is one.
type selection func(ctx context.Context) (*monitor.Procedure, error)

// selecting is a selection that is made once; a context that ends before leaves
// it to the next call.
func selecting(t *theory.Theory) selection {
	var mu sync.Mutex
	var made bool
	var m *monitor.Procedure
	var err error
	return func(ctx context.Context) (*monitor.Procedure, error) {
		mu.Lock()
		defer mu.Unlock()
		if !made {
			if m, err = SelectMonitor(ctx, t); ctx.Err() != nil {
				return nil, ctx.Err()
			}
			made = true
		}
		return m, err
	}
}

// sequential is an error if the theory is not about sequences of operations, of
// which alone an engine knows.
func (c *compiled) sequential(who string) error {
	if w := c.source.Spec.Width; w > 1 {
		return fmt.Errorf("check: theory %s has width %d: its operations take effect while they overlap, "+
			"and %s looks for sequences of operations only; engine symbolic takes it", c.source.Name, w, who)
	}
	return nil
}

// with is the theory with another way to make solvers.
func (c *compiled) with(newSolver func() solver.Solver) *compiled {
	other := *c
	other.newSolver = newSolver
	return &other
}

// withoutBeyond is the theory as for executions of which not all is looked at:
// what it says of all admitted executions may ask for operations left out.
func (c *compiled) withoutBeyond() *compiled {
	if len(c.beyond) == 0 {
		return c
	}
	inner := *c.within()
	inner.newSolver, inner.whole = c.newSolver, c.whole
	return &inner
}

// manyOps is how many operations an execution has for which clauses that
// follow from others are worth the time that it takes to find them.
const manyOps = 1_000

// clausesFor are the clauses of a theory in the fragment, for an execution.
func (c *compiled) clausesFor(e *history.Execution) (*symbolic.Rules, error) {
	if len(e.Ops) < manyOps {
		return c.clauses()
	}
	return c.derived()
}

// plans prepares formulas; the first error sticks.
type plans struct {
	vocabulary *formula.Vocabulary
	compared   []formula.Term
	named      []history.Value
	err        error
}

func (p *plans) prepare(what string, f formula.Formula, free ...string) *formula.Plan {
	f = formula.Expand(f, p.vocabulary)
	p.named = union(p.named, formula.Named(f))
	for _, place := range formula.Compared(f) {
		if !slices.Contains(p.compared, place) {
			p.compared = append(p.compared, place)
		}
	}
	plan, err := formula.Prepare(f, free...)
	if err != nil && p.err == nil {
		p.err = fmt.Errorf("%s: %w", what, err)
	}
	return plan
}

func (p *plans) labelsOnly(what string, f formula.Formula, free ...string) *formula.Plan {
	plan := p.prepare(what, f, free...)
	if p.err == nil && !plan.LabelsOnly() {
		p.err = fmt.Errorf("%s must speak of labels only", what)
	}
	return plan
}

func (c *compiled) matching(t *theory.Theory, p *plans) {
	for i, f := range t.Spec.Matching.Target {
		c.target = append(c.target, p.labelsOnly(fmt.Sprintf("match target %d", i+1), f, "x", "y"))
		c.literals = c.literals || c.target[i].Literals()
	}
	if f := t.Spec.Matching.ReadOnly; f != nil {
		c.readOnly = p.labelsOnly("the read-only formula", f, "x")
		c.literals = c.literals || c.readOnly.Literals()
	}
}

func (c *compiled) rules(t *theory.Theory, p *plans) {
	for _, r := range t.Spec.Language {
		broken, vars := breaks(r)
		c.language = append(c.language, rule{r, p.prepare("rule "+r.Name, broken, vars...)})
		c.literals = c.literals || c.language[len(c.language)-1].breaks.Literals()
	}
	for _, r := range t.Spec.Beyond {
		broken, vars := breaks(r)
		c.beyond = append(c.beyond, p.labelsOnly("statement "+r.Name, broken, vars...))
	}
	for _, r := range t.Spec.Axioms {
		c.excludes = append(c.excludes, exclusion{r.Name, p.prepare("axiom "+r.Name, formula.Not{F: r.Formula})})
	}
	for i := range t.Spec.Patterns {
		pat := &t.Spec.Patterns[i]
		f := pat.Formula
		if f == nil {
			f = formula.Embed(&pat.History)
		}
		c.excludes = append(c.excludes, exclusion{pat.Name, p.prepare("pattern "+pat.Name, f)})
	}
	for _, x := range c.excludes {
		c.literals = c.literals || x.plan.OneMatch() && x.plan.Literals()
	}
}

// breaks is what breaks a rule: a formula about its outermost variables.
func breaks(r theory.Rule) (formula.Formula, []string) {
	if q, ok := r.Formula.(formula.Quantified); ok && q.Forall {
		return formula.Not{F: q.Body}, q.Vars
	}
	return formula.Not{F: r.Formula}, nil
}

// resolve is the execution with method names as the theory has them. It
// refuses labels that the theory does not know.
func (c *compiled) resolve(e *history.Execution) (*history.Execution, error) {
	r := *e
	r.Ops = append([]history.Operation(nil), e.Ops...)
	for i := range r.Ops {
		o := &r.Ops[i]
		if o.Call < 0 || o.Completed() && o.Return <= o.Call || i > 0 && o.Call <= r.Ops[i-1].Call {
			return nil, fmt.Errorf("check: %s: operations must come in order of their calls, each call before its return", operation(o))
		}
		m := c.methods[o.Method]
		if m == nil {
			return nil, &UnknownLabel{&e.Ops[i], fmt.Sprintf("the theory has no method %q%s", o.Method, c.hint(o.Method))}
		}
		o.Method = m.Name
		if msg := mismatch(m, o); msg != "" {
			return nil, &UnknownLabel{&e.Ops[i], msg}
		}
		if msg := formula.Unordered(c.compared, &o.Label); msg != "" {
			return nil, &UnknownLabel{&e.Ops[i], msg}
		}
	}
	return &r, nil
}

func (c *compiled) hint(name string) string {
	return suggest.Hint(name, c.names)
}

// mismatch says why an operation is none of its method's, or "".
func mismatch(m *history.MethodSig, o *history.Operation) string {
	if len(o.Args) != m.Args {
		return fmt.Sprintf("%s takes %d arguments, not %d", m.Name, m.Args, len(o.Args))
	}
	if !o.Completed() {
		return ""
	}
	for _, out := range m.Outcomes {
		if out.Outcome == o.Outcome {
			if len(o.Rets) != out.Rets {
				return fmt.Sprintf("%s with outcome %s returns %d values, not %d", m.Name, out.Outcome, out.Rets, len(o.Rets))
			}
			return ""
		}
	}
	return fmt.Sprintf("%s has no outcome %q in the theory", m.Name, o.Outcome)
}
