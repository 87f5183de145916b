package adttest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// oracle is the Reference as the last judge: it searches for an order of a
// history's operations in which the reference, called with the recorded arguments,
// answers as recorded.
type oracle struct {
	impl    reference.Implementation
	spec    reference.Spec
	states  *wgl.Reference
	methods map[string]string // the reference's name, by the theory's
	mayFail history.Kinds     // in the theory's words
}

// callLimit bounds the memory of one search, in bytes.
const callLimit = 128 << 20

// newOracle makes the judge out of Config.Reference; every method of the subject
// has to be one of the reference, by its name there or by an alias.
func newOracle(spec reference.Spec, s *subject) (*oracle, error) {
	impl, err := reference.New(spec)
	if err != nil {
		return nil, fmt.Errorf("adttest: Config.Reference: %w", err)
	}
	o := &oracle{impl: impl, spec: spec, methods: map[string]string{}}
	if o.states, err = wgl.NewReference(impl); err != nil {
		return nil, fmt.Errorf("adttest: Config.Reference: %w", err)
	}
	for i := range s.methods {
		m := &s.methods[i]
		k := slices.IndexFunc(impl.Methods(), func(r reference.Method) bool {
			return slices.Contains([]string{m.name, m.goName, driver.LowerCamel(m.goName)}, r.Name)
		})
		if k < 0 { // a name wins over an alias
			k = slices.IndexFunc(impl.Methods(), func(r reference.Method) bool {
				return slices.Contains(spec.Aliases[r.Name], m.name) || slices.Contains(spec.Aliases[r.Name], m.goName)
			})
		}
		if k < 0 || len(impl.Methods()[k].Args) != len(m.params) {
			return nil, fmt.Errorf("adttest: Config.Reference has no method %s that takes %s; if it goes by another name there, say so in the Spec's Aliases", m.name, wording.Count(len(m.params), "argument"))
		}
		o.methods[m.name] = impl.Methods()[k].Name
	}
	return o, o.setMayFail(spec, impl, s)
}

// checker is what check --ref decides and explains histories with, and the theory's patterns if that has the same
// names.
func (o *oracle) checker(t *theory.Theory) (*check.Checker, error) {
	aliases := maps.Clone(o.spec.Aliases)
	for own, name := range o.methods {
		if own != name && !slices.Contains(aliases[name], own) {
			if t = nil; aliases == nil {
				aliases = map[string][]string{}
			}
			aliases[name] = append(slices.Clip(aliases[name]), own)
		}
	}
	if t != nil {
		if c, err := check.New(t, check.Options{Reference: o.impl, Returned: true}); err == nil {
			return c, nil
		}
	}
	return check.New(nil, check.Options{Reference: o.impl, Returned: true, Aliases: aliases, MayFail: o.spec.MayFail})
}

// typeOf is the type that a text has as a result of one of the subject's methods, as far as the
// reference was seen to answer it.
func (o *oracle) typeOf(s *subject) func(method, result int, text string) (reflect.Type, bool) {
	m := o.impl.(interface{ Machine() *driver.Machine }).Machine()
	own := map[int]int{}
	for _, k := range s.methods {
		own[k.index] = o.index(k.name)
	}
	return func(method, result int, text string) (reflect.Type, bool) { return m.TypeOf(own[method], result, text) }
}

// index is the reference's method, by the theory's name, or -1.
func (o *oracle) index(name string) int {
	return slices.IndexFunc(o.impl.Methods(), func(m reference.Method) bool { return m.Name == o.methods[name] })
}

// lacks reports whether a history has an answer that the reference was never seen to have, for its
// outcome or how many values it has.
func (o *oracle) lacks(e *history.Execution) bool {
	return slices.ContainsFunc(e.Ops, func(op history.Operation) bool {
		i := o.index(op.Method)
		return op.Completed() && op.Outcome != history.Panic && i >= 0 && !slices.ContainsFunc(o.impl.Methods()[i].Outcomes, func(k reference.OutcomeArity) bool {
			return k.Outcome == op.Outcome && k.Rets == len(op.Rets)
		})
	})
}

// setMayFail reads what the Spec says may fail.
func (o *oracle) setMayFail(spec reference.Spec, impl reference.Implementation, s *subject) error {
	declared, err := patterns.Declare(impl, reference.Info{Aliases: spec.Aliases, MayFail: spec.MayFail})
	if err != nil {
		return fmt.Errorf("adttest: Config.Reference: %w", err)
	}
	ks, err := history.Parse(declared.Spec.Methods, spec.MayFail)
	for i := range s.methods {
		for _, k := range ks {
			if name := s.methods[i].name; k.Method == o.methods[name] {
				o.mayFail = append(o.mayFail, history.Kind{Method: name, Outcome: k.Outcome})
			}
		}
	}
	return err
}

// ruling is what the oracle says of a history.
type ruling struct {
	admitted  bool
	undecided string  // why there is no answer, or ""
	order     []int32 // of an admitted history: its operations, but for what may fail, in an order that explains it
	prefix    int     // of another one: the events of its shortest prefix that is not admitted
}

// admits searches for an order of a history. With blocked, every operation that
// did not return must also be one that waits, in the state that the others leave.
// The error is about a reference that breaks down.
func (o *oracle) admits(ctx context.Context, e *history.Execution, blocked bool, limit int) (ruling, error) {
	e = o.mayFail.Without(e)
	r, err := o.search(ctx, e, blocked, limit)
	if errors.Is(err, errSpoiled) {
		r, err = o.search(ctx, e, blocked, limit)
	}
	var unfit *live.Unfit
	switch {
	case err == nil:
		return r, nil
	case errors.As(err, &unfit) && unfit.Result && o.plain(unfit): // no order has it
		return ruling{}, nil
	case errors.As(err, &unfit) && unfit.Result:
		return ruling{undecided: fmt.Sprintf("%s answered %s, which the reference's %s may be written as, or not", unfit.Method, unfit.Value, unfit.Type)}, nil
	case ctx.Err() != nil:
		return ruling{undecided: "the search on the reference was interrupted"}, nil
	case errors.Is(err, wgl.ErrMemory), errors.Is(err, states.ErrMemory):
		return ruling{undecided: fmt.Sprintf("the search on the reference ended at %d MB of memory", max(1, limit>>20))}, nil
	case errors.As(err, &unfit):
		return ruling{undecided: "the reference does not take the arguments of " + unfit.Method}, nil
	}
	return ruling{}, fmt.Errorf("adttest: Config.Reference: %s", strings.TrimPrefix(err.Error(), "reference: "))
}

// plain reports whether a value that is none of a result's type is none for certain: others have texts
// of their own, or are pointers.
func (o *oracle) plain(u *live.Unfit) bool {
	for _, m := range o.impl.Methods() {
		for i, b := range m.Results {
			if m.Name == u.Method && m.Rets[i] == u.Type && (b.Names != nil || !slices.Contains([]string{values.KindInt, values.KindUint, values.KindFloat, values.KindBool}, b.Kind)) {
				return false
			}
		}
	}
	return true
}

// errSpoiled is the error of states that are gone for what another history did.
var errSpoiled = errors.New("adttest: the states of the reference are gone")

func (o *oracle) search(ctx context.Context, e *history.Execution, blocked bool, limit int) (ruling, error) {
	e = o.named(e, blocked)
	model, err := o.states.Model(ctx, e)
	if err != nil {
		return ruling{}, err
	}
	defer model.Close()
	searched, open := model.Searched(), ""
	if blocked {
		searched = waiting{model}
	}
	for i := range e.Ops {
		if op := &e.Ops[i]; (!op.Completed() || op.Outcome == waitsOutcome) && model.Open(&op.Label) {
			open = fmt.Sprintf("what %s may answer that did not return is not known of a reference with Accept", op.Method)
		}
	}
	res, err := wgl.Check(ctx, searched, e, wgl.Options{Memory: limit})
	switch {
	case model.Spoiled():
		return ruling{}, errSpoiled
	case err != nil:
		return ruling{}, err
	case res.Linearizable && (open == "" || !blocked):
		return ruling{admitted: true, order: res.Order}, nil
	}
	return ruling{undecided: open, prefix: res.Prefix}, nil
}

// waitsOutcome is that of an operation that must wait in the end.
const waitsOutcome history.Outcome = "waits"

// named is a history with the reference's names of methods. With blocked, what did
// not return takes place after everything, and waits.
func (o *oracle) named(e *history.Execution, blocked bool) *history.Execution {
	n := *e
	n.Ops = nil
	var last []history.Operation // in the order of calls
	for _, op := range e.Ops {
		if op.Method = o.methods[op.Method]; !blocked || op.Completed() {
			n.Ops = append(n.Ops, op)
			continue
		}
		op.Outcome, op.Call, op.Return = waitsOutcome, n.Events, n.Events+1
		n.Events += 2
		last = append(last, op)
	}
	n.Ops = append(n.Ops, last...)
	return &n
}

// waiting is a model in which an operation that waits changes nothing.
type waiting struct{ wgl.Answerer }

// Step reports whether an operation waits, or answers as its label says.
func (w waiting) Step(s wgl.State, l *history.Label) (wgl.State, bool) {
	if l.Outcome != waitsOutcome {
		return w.Answerer.Step(s, l)
	}
	pending := *l
	pending.Outcome = history.Pending
	for _, a := range w.Answers(s, &pending) {
		if _, ok := w.Answerer.Step(s, &a); ok {
			return nil, false
		}
	}
	return s, w.Err() == nil
}

// Err is the model's.
func (w waiting) Err() error { return w.Answerer.(wgl.Failing).Err() }

// shortest is the number of events of the shortest prefix that the reference does
// not admit, of a history that it does not.
func (o *oracle) shortest(ctx context.Context, e *history.Execution) int {
	r, err := o.admits(ctx, e, false, callLimit)
	if err != nil || r.prefix == 0 {
		return e.Events
	}
	n := r.prefix
	for ; o.mayFail.Running(e, n); n++ { // what runs may turn out otherwise
		if r, err := o.admits(ctx, e.Prefix(n), false, callLimit); err == nil && !r.admitted && r.undecided == "" {
			break
		}
	}
	return n
}
