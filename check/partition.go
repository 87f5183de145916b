package check

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/theory"
)

// Partitioned decides the parts of an execution apart, some at a time, by
// another engine ("Faster linearizability checking via P-compositionality" §3).
// What the parts are follows from the theory. If each of its patterns and
// axioms speaks of one match, or of one unmatched operation, the matches of an
// execution are its parts; otherwise the execution is decided as a whole. With
// a WGL engine that has a model the parts are the model's keys.
//
// # Why that is right
//
// Say operations are tied if, however the pending ones complete, one may be the
// match target of the other, or a rule of the language speaks of both. The
// classes of the closure are the parts; a pending operation belongs to each
// part that one of its completions belongs to.
//
// If a part violates, so does the whole: of a linearization of the whole take
// the operations that are completed in a way that belongs to the part. They are
// a linearization of the part, and they show no pattern, since what decides
// whether a match shows one is all there. That is about linearizations in the
// language. Where some pending operation of the whole may complete so that a rule
// is broken, in the same part or another, there may be others, of which the theory
// says nothing: the violation of a part is none of the whole then.
//
// If no part violates even without the pending operations that it shares with
// others, the whole does not: the orders of the parts and the order of the
// intervals have a common extension, since a cycle through several parts would
// have an interval that ends before an earlier one begins (this is locality),
// and a pattern in the union would lie in one part.
//
// Parts that do need shared operations are decided together with the parts
// that need the same ones, so that no operation is completed in two ways.
type Partitioned struct {
	Engine Engine
}

// Name is the engine's, with "partition" before it.
func (p Partitioned) Name() string { return "partition " + p.Engine.Name() }

// Check decides one execution. It takes the time of the parts, and what it
// takes to find them, which is linear in the operations where few overlap.
func (p Partitioned) Check(ctx context.Context, t *theory.Theory, e *history.Execution) (Result, error) {
	return checkBy(ctx, p, t, e)
}

func (p Partitioned) run(ctx context.Context, c *compiled, e *history.Execution) (Result, error) {
	if w, ok := p.Engine.(WGL); ok && w.Model != nil {
		return w.byModel(ctx, e, wgl.Options{LRU: w.LRU, Partition: true})
	}
	if !c.product() {
		return runEngine(ctx, p.Engine, c, e)
	}
	// Parts do not show what else is there, which the whole may rest on.
	r := &partitionRun{ctx: ctx, c: c.withoutBeyond(), engine: p.Engine, e: e, shapes: map[string]bool{}}
	res, err := r.check()
	if r.unsure && len(c.beyond) > 0 && err == nil {
		return runEngine(ctx, p.Engine, c, e)
	}
	return res, err
}

// product tells whether the theory's type is the product of its matches: no
// pattern or axiom speaks of two.
func (c *compiled) product() bool {
	return c.source.Spec.Width <= 1 && !slices.ContainsFunc(c.excludes, func(x exclusion) bool { return !x.plan.OneMatch() }) &&
		!slices.ContainsFunc(c.language, func(r rule) bool { return !r.breaks.LabelsOnly() })
}

// partitionRun is the check of one execution in parts.
type partitionRun struct {
	ctx    context.Context
	c      *compiled
	engine Engine
	e      *history.Execution
	unsure bool // of some prefix, for another reason than time

	mu     sync.Mutex
	shapes map[string]bool // parts that do not violate, values and moments apart
}

// verdict is what is known of one prefix.
type verdict struct {
	answer
	first    Result // a violating part's, the one with the shortest prefix
	complete bool   // some engine's "linearizable", never its "no violation found"
	parts    int
}

func (r *partitionRun) check() (Result, error) {
	whole, err := r.decide(r.e.Events)
	known := map[int]*verdict{r.e.Events: whole}
	p := &prefixes{ctx: r.ctx, e: r.e, whole: r.c.whole, decide: func(n int) (answer, error) {
		v := known[n]
		if v == nil {
			if v, err = r.decide(n); err == nil {
				known[n] = v
			}
		}
		if err != nil {
			return answer{}, err
		}
		return v.answer, err
	}}
	if err == nil && !r.c.whole && !whole.sat && whole.excluded == "" {
		if done, ok := r.guess(p, whole); ok {
			done.Parts = whole.parts
			return done, nil
		}
	}
	res, err := p.check()
	if err == nil && whole != nil {
		res.Parts = whole.parts
		if res.Verdict == Linearizable && !whole.complete {
			res.Verdict = NoViolationFound
		}
		if v := known[res.Prefix]; res.Verdict == Violation && v != nil {
			res.Patterns = v.first.Patterns
		}
	}
	return res, err
}

// guess tries whether the shortest violating prefix of the first part that
// violates is that of the whole. In a prefix more operations are pending, and
// the parts may be others; so it need not be.
func (r *partitionRun) guess(p *prefixes, whole *verdict) (Result, bool) {
	ends := p.returns()
	i, found := slices.BinarySearch(ends, whole.first.Prefix)
	if !found {
		return Result{}, false
	}
	if a, err := p.decide(ends[i]); err != nil || a.sat || a.excluded != "" {
		return Result{}, false
	}
	if i > 0 {
		if a, err := p.decide(ends[i-1]); err != nil || !a.sat {
			return Result{}, false
		}
	}
	return Result{Verdict: Violation, Prefix: ends[i], Patterns: whole.first.Patterns, Detail: whole.first.Detail}, true
}

// decide decides the prefix of n events.
func (r *partitionRun) decide(n int) (*verdict, error) {
	e := r.e
	if n < e.Events {
		e = e.Prefix(n)
	}
	parts, err := newPartition(r.ctx, r.c, e)
	if err != nil {
		return nil, err
	}
	v := &verdict{answer: answer{sat: true}, complete: true, parts: len(parts.all)}
	if v.parts == 0 {
		return v, r.ctx.Err()
	}
	violated, err := r.each(parts, parts.all, v)
	if err != nil || violated != nil || !v.sat {
		return v, err
	}
	return v, r.together(parts, v)
}

// together decides the parts again that may need pending operations which
// other parts may need, too.
func (r *partitionRun) together(parts *partition, v *verdict) error {
	var without []part
	for _, p := range parts.all {
		if alone, shares := parts.alone(p); shares {
			without = append(without, alone)
		}
	}
	if len(without) == 0 {
		return nil
	}
	var needy []part
	for _, alone := range without {
		w := &verdict{answer: answer{sat: true}, complete: true}
		if _, err := r.each(parts, []part{alone}, w); err != nil {
			return err
		}
		if !w.sat {
			needy = append(needy, parts.all[alone.number])
		}
	}
	_, err := r.each(parts, parts.merge(needy), v)
	return err
}

// each decides parts and adds what is found to the verdict.
func (r *partitionRun) each(parts *partition, some []part, v *verdict) (violated *Result, err error) {
	results := make([]Result, len(some))
	errs := make([]error, len(some))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(len(some), runtime.GOMAXPROCS(0)) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for i := int(next.Add(1)) - 1; i < len(some); i = int(next.Add(1)) - 1 {
				results[i], errs[i] = r.part(parts, some[i])
			}
		}()
	}
	workers.Wait()
	for i := range results {
		res := &results[i]
		switch {
		case errs[i] != nil:
			return nil, errs[i]
		case res.Verdict == Violation && (violated == nil || res.Prefix < violated.Prefix):
			violated = res
		case res.Verdict == NoViolationFound:
			v.complete = false
		case res.Verdict == Inconclusive && r.ctx.Err() != nil:
			return nil, r.ctx.Err()
		case res.Verdict == Inconclusive:
			v.sat, v.excluded, r.unsure = false, res.Detail, true
		}
	}
	switch {
	case violated != nil && parts.in.excluded != "":
		v.answer, r.unsure = answer{excluded: parts.in.excluded}, true
		return nil, nil
	case violated != nil: // whatever else is not known
		v.answer, v.first = answer{}, *violated
	}
	return violated, nil
}

// part decides one part.
func (r *partitionRun) part(parts *partition, p part) (Result, error) {
	if err := r.ctx.Err(); err != nil {
		return Result{}, err
	}
	key := parts.shape(p)
	r.mu.Lock()
	good := key != "" && r.shapes[key]
	r.mu.Unlock()
	if good {
		return Result{Verdict: Linearizable}, nil
	}
	e, events := parts.execution(p)
	res, err := runEngine(r.ctx, r.engine, r.c, e)
	if err != nil {
		return res, err
	}
	if res.Verdict == Violation {
		res.Prefix = events[res.Prefix-1] + 1
	}
	if res.Verdict == Linearizable && key != "" {
		r.mu.Lock()
		r.shapes[key] = true
		r.mu.Unlock()
	}
	return res, nil
}
