package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theories"
	"github.com/adtinfer/adtinfer/theory"
)

// modelEngine decides by search for a linearization in a reference or a built-in
// model, with nothing but that. It is complete, and takes any log with the methods of
// the model. Where an acceptor's call has not returned, it may have answered anything,
// and what depends on that is Inconclusive.
type modelEngine struct {
	*Checker
	who       string // in messages
	named     string // in evidence
	signature history.Signature
	table     *logs.Table

	builtin   wgl.Model
	fast      func() *Checker   // a procedure for what builtin is; its result is nil if there is none
	reference *wgl.Reference    // instead of builtin
	unlikely  []history.Kind    // which it can answer, but did not in a trial
	described semantics.Machine // instead of both: what a theory says
	says      *theory.Spec      // that
}

func (*modelEngine) name() string { return wglName }

// newModelEngine is for Options.Reference or, without a theory, Options.Model. A
// theory may have other names of the methods.
func newModelEngine(c *Checker, t *theory.Theory) (*modelEngine, error) {
	m, o := &modelEngine{Checker: c}, &c.options
	if e := o.Engine; c.theory == nil && e != "" && e != autoName && e != wglName {
		return nil, fmt.Errorf("check: engine %s needs a theory; without one engine %s decides", e, wglName)
	}
	methods, err := m.source(o)
	if err != nil {
		return nil, err
	}
	if m.named = m.who; t != nil {
		m.named = t.Name
		for i := range t.Spec.Methods {
			k := slices.IndexFunc(methods, func(m history.MethodSig) bool { return m.Name == t.Spec.Methods[i].Name })
			if k >= 0 {
				methods[k].Aliases = union(methods[k].Aliases, t.Spec.Methods[i].Aliases)
			}
		}
	}
	if methods, err = history.Add(methods, o.Aliases); err == nil {
		m.signature, err = history.NewSignature(methods...)
	}
	if err != nil {
		return nil, fmt.Errorf("check: %s: %w", m.who, err)
	}
	m.table = logs.New(m.withUnlikely(m.signature.Methods()))
	m.table.Whose, m.table.Runs = m.who, true
	return m, nil
}

// withUnlikely are methods with the outcomes, too, that the reference can have, but logs are
// not read as: a theory may have them.
func (m *modelEngine) withUnlikely(methods []history.MethodSig) []history.MethodSig {
	all := slices.Clone(methods)
	for i := range all {
		for _, k := range m.unlikely {
			if s := &all[i]; k.Method == s.Name && !slices.ContainsFunc(s.Outcomes, func(o history.OutcomeSig) bool { return o.Outcome == k.Outcome }) {
				s.Outcomes = append(slices.Clip(s.Outcomes), history.OutcomeSig{Outcome: k.Outcome})
			}
		}
	}
	return all
}

// union is the names of two lists, once each.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// source is what decides, with its methods.
func (m *modelEngine) source(o *Options) (methods []history.MethodSig, err error) {
	switch {
	case o.Reference != nil && o.Model != "" && m.theory == nil:
		return nil, errors.New("check: a reference and a model both decide logs: use one of them")
	case o.Reference != nil:
		return m.refer(o.Reference)
	case o.Model != "":
		if m.builtin, err = wgl.Builtin(o.Model); err != nil {
			return nil, fmt.Errorf("check: %w", err)
		}
		m.who, methods = o.Model, wgl.Methods(o.Model)
		if o.Engine != wglName {
			m.fast = sync.OnceValue(func() *Checker { return procedureOf(o.Model, o.Brief) })
		}
	default:
		return nil, errors.New("check: a theory, a reference or a model is needed to check logs against")
	}
	return methods, nil
}

// refer has a reference decide, and is its methods.
func (m *modelEngine) refer(ref reference.Implementation) (methods []history.MethodSig, err error) {
	var own map[string][]string
	r, err := wgl.NewReference(ref)
	if err != nil {
		return nil, err
	}
	m.reference, m.who = r, ref.Name()
	if p, ok := ref.(*reference.Package); ok {
		m.who = p.ImportPath
		if p.Info != nil {
			own = p.Info.Aliases
		}
	}
	for i, r := range ref.Methods() {
		sig := history.MethodSig{Name: r.Name, Args: len(r.Args), Variadic: r.Variadic, Aliases: own[r.Name], Params: r.Params, Results: r.Results, Structs: r.Structs,
			Value: orAsIs(live.Value(&ref.Methods()[i]))}
		for _, out := range r.Outcomes {
			if out.Outcome != history.Error || !out.Unseen { // so a text that no error with a name has may be any
				sig.Outcomes = append(sig.Outcomes, out.OutcomeSig)
			}
			if out.Unseen {
				m.unlikely = append(m.unlikely, history.Kind{Method: r.Name, Outcome: out.Outcome})
			}
		}
		sig.Outcomes = append(sig.Outcomes, history.OutcomeSig{Outcome: history.Panic}) // of any method
		methods = append(methods, sig)
	}
	return methods, nil
}

// orAsIs leaves values as they are that have no type of the reference's: it refuses them with
// the operation that has them.
func orAsIs(read func(bool, int, string) (history.Value, error)) func(bool, int, string) (history.Value, error) {
	return func(result bool, i int, text string) (history.Value, error) {
		if v, err := read(result, i, text); err == nil {
			return v, nil
		}
		return history.Value(text), nil
	}
}

// kindsOf lists what a signature's operations may be, other than panics and what is unlikely.
func (m *modelEngine) kindsOf(s history.Signature) (kinds []history.Kind) {
	for _, sig := range s.Methods() {
		for _, o := range sig.Outcomes {
			if k := (history.Kind{Method: sig.Name, Outcome: o.Outcome}); o.Outcome != history.Panic && !slices.Contains(m.unlikely, k) {
				kinds = append(kinds, k)
			}
		}
	}
	return kinds
}

// by says who decides, once that is known.
func (m *modelEngine) by(ctx context.Context) (string, error) {
	switch {
	case m.described != nil:
		return m.who, nil
	case m.reference == nil:
		return "the built-in model " + m.who, nil
	}
	kept, err := m.reference.Kept(ctx)
	return "the reference itself, " + m.who + "; " + keptWords(kept), err
}

func keptWords(k states.Kept) string {
	how := "states are copied"
	switch {
	case !k.Copied && k.Interned:
		how = "calls are made again for each state"
	case !k.Copied:
		how = "calls are made again for each state, and equal states are not recognized"
	case !k.Interned:
		how = "states are copied, and equal ones are not recognized"
	}
	if len(k.Why) > 0 {
		how += ": " + strings.Join(k.Why, ", ")
	}
	return how
}

// resolve is the execution with method names as the model has them.
func (m *modelEngine) resolve(e *history.Execution) (*history.Execution, error) {
	r, err := ground.Resolve(m.table, e)
	refusing, ok := m.builtin.(wgl.Refusing)
	if m.described != nil {
		refusing, ok = m.described, true
	}
	if ok && err == nil {
		err = refuse(refusing, r, e)
	}
	if ok && err == nil && m.says != nil {
		if i, bad := configurations.NewRange(m.says).TakeAll(r); bad != nil {
			err = &UnknownLabel{&e.Ops[i], bad.Error()}
		}
	}
	if err == nil {
		err = fits(m.builtin, r, e)
	}
	return r, inputError(err, e)
}

// fits is the error of a label that lets a sum of a model leave its numbers.
func fits(m wgl.Model, resolved, e *history.Execution) error {
	b, ok := m.(wgl.Bounded)
	if !ok {
		return nil
	}
	labels := make([]*history.Label, len(resolved.Ops))
	for i := range resolved.Ops {
		labels[i] = &resolved.Ops[i].Label
	}
	if at, err := b.Fits(labels); err != nil {
		return &UnknownLabel{&e.Ops[at], err.Error()}
	}
	return nil
}

// refuse is the error of the first label that a model does not know; e is the
// execution as the log has it.
func refuse(m wgl.Refusing, resolved, e *history.Execution) error {
	if d, ok := m.(semantics.Machine); ok && d.AnyValues() {
		return nil
	}
	for i := range resolved.Ops {
		if bad := m.Refuses(&resolved.Ops[i].Label); bad != nil {
			return &UnknownLabel{&e.Ops[i], bad.Error()}
		}
	}
	return nil
}

// model is what decides one execution.
type model struct {
	wgl.Answerer
	searched wgl.Model        // by wgl
	ref      *wgl.OfReference // nil if it is another
}

// open reports whether a call may have answers that are not tried.
func (m *model) open(l *history.Label) bool {
	if d, ok := m.searched.(semantics.Machine); ok {
		return d.Free(l.Method)
	}
	return m.ref == nil || m.ref.Open(l)
}

func (m *model) close() {
	if m.ref != nil {
		m.ref.Close()
	}
}

// over is the model for an execution with resolved labels.
func (m *modelEngine) over(ctx context.Context, e *history.Execution) (*model, error) {
	if m.described != nil {
		d := m.described.For(e)
		return &model{d, d, nil}, nil
	}
	if m.reference == nil {
		return &model{wgl.Plain(m.builtin, m.signature, e), m.builtin, nil}, nil
	}
	r, err := m.reference.Model(ctx, e)
	if err != nil {
		return nil, err
	}
	return &model{r, r.Searched(), r}, nil
}

// blame names the operation that has a value which the reference cannot take.
func (m *modelEngine) blame(e *history.Execution, unfit *live.Unfit) error {
	for i := range e.Ops {
		if o := &e.Ops[i]; o.Method == unfit.Method && slices.Contains(slices.Concat(o.Args, o.Rets), unfit.Value) {
			return &UnknownLabel{o, strings.TrimPrefix(unfit.Error(), "reference: ")}
		}
	}
	return unfit
}

func (m *modelEngine) check(ctx context.Context, e *history.Execution) (Result, error) {
	return m.within(ctx, e, 0)
}

// within is check with so many bytes of memory; 0: the usual.
func (m *modelEngine) within(ctx context.Context, e *history.Execution, memory int) (Result, error) {
	r, spoiled, err := m.decide(ctx, e, memory)
	if spoiled {
		r, _, err = m.decide(ctx, e, memory)
	}
	if err != nil {
		return m.unfinished(ctx, err, e)
	}
	return r, nil
}

// search is how the model is searched: each key on its own, if it has keys.
func (m *modelEngine) search() wgl.Options {
	return wgl.Options{LRU: m.options.LRU, Partition: true}
}

// procedureOf is the near-linear procedure for a built-in model, by the theory that is the same; nil if there is none.
func procedureOf(model string, brief bool) *Checker {
	name, ok := map[string]string{"register": "register", "queue": "queue", "stack": "stack", "set": "set", "lock": "lock", "bag": "bag", "priority-queue": "priorityqueue"}[model]
	if !ok {
		return nil
	}
	t, err := theories.Load(name)
	if err != nil {
		return nil
	}
	c, err := New(t, Options{Engine: monitorName, Brief: brief})
	if err != nil {
		return nil
	}
	return c
}

// faster is the procedure that is asked about an execution before it is searched, since it is long; or nil.
func (m *modelEngine) faster(e *history.Execution) *Checker {
	least := cmp.Or(m.options.leastOps, minMonitor)
	if m.fast == nil || len(e.Ops)+logs.Pairs(e, least) < least {
		return nil
	}
	return m.fast()
}

// decide is a search; spoiled means that another log may have ended it.
func (m *modelEngine) decide(ctx context.Context, e *history.Execution, memory int) (res Result, spoiled bool, err error) {
	if c := m.faster(e); c != nil {
		if r, err := c.checkEvents(ctx, e); decided(r, err) {
			r.Procedure, r.Patterns = "", nil
			r.By, err = m.by(ctx)
			return r, false, err
		}
	}
	model, err := m.over(ctx, e)
	if err != nil {
		return Result{}, false, err
	}
	defer model.close()
	o := m.search()
	o.Memory = memory
	r, err := wgl.Check(ctx, model.searched, e, o)
	if err != nil {
		return Result{}, model.ref != nil && model.ref.Spoiled(), err
	}
	res = Result{Verdict: Linearizable, Parts: r.Parts}
	if !r.Linearizable {
		res.Verdict, res.Prefix = Violation, r.Prefix
		if r.Upper {
			res.Detail = "a shorter prefix may violate, too: " + ended(ctx, r.Ended)
		}
	}
	if model.ref != nil && res.Verdict == Violation {
		if res, err = certain(ctx, model.ref, e, res); err != nil {
			return Result{}, false, err
		}
	}
	res.By, err = m.by(ctx)
	return res, false, err
}

// unfinished is the result of a search that ended with an error, such as too little
// memory: a reference that does something wrong, and a value that it cannot take, are
// errors still.
func (m *modelEngine) unfinished(ctx context.Context, err error, e *history.Execution) (Result, error) {
	var unfit *live.Unfit
	var fault *reference.Fault
	switch {
	case ctx.Err() != nil:
		return Result{Verdict: Inconclusive, Detail: logs.Stopped(ctx)}, nil
	case errors.As(err, &fault) && fault.Reason == driver.Drops:
		return Result{Verdict: Inconclusive, Detail: strings.TrimPrefix(err.Error(), "reference: ")}, nil
	case errors.As(err, &unfit):
		return Result{}, m.blame(e, unfit)
	case errors.As(err, new(*reference.Fault)), errors.As(err, new(*reference.LoadError)):
		return Result{}, err
	}
	return Result{Verdict: Inconclusive, Detail: strings.TrimPrefix(err.Error(), "reference: ")}, nil
}

// certain looks for the shortest prefix that is a violation whatever its pending
// operations answer.
func certain(ctx context.Context, model *wgl.OfReference, e *history.Execution, res Result) (Result, error) {
	open := func(n int) string {
		for i := range e.Ops {
			if o := &e.Ops[i]; o.Call < n && (!o.Completed() || o.Return >= n) && model.Open(&o.Label) {
				return fmt.Sprintf("[%s] %s has not returned, and what it would answer cannot be listed", o.ID, o.Method)
			}
		}
		return ""
	}
	if open(res.Prefix) == "" {
		return res, nil
	}
	found, err := logs.Search(ctx, e, func(n int) (logs.Answer, error) {
		if n < res.Prefix {
			return logs.Answer{Sat: true}, nil
		}
		return logs.Answer{Excluded: open(n)}, nil
	})
	r := ofPrefix(found)
	r.Parts, r.Detail = res.Parts, cmp.Or(r.Detail, res.Detail)
	return r, err
}
