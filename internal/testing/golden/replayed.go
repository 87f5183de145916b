package golden

import (
	"context"
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/reference"
)

// Replayed is a reference as a model for tests: a state is the calls that led to
// it, and each step makes all of them again, on a new object. Two states are the
// same only if their calls are.
type Replayed struct {
	ctx     context.Context
	impl    reference.Implementation
	caller  *live.Caller
	direct  *direct        // nil: impl is asked
	mayFail []history.Kind // answers that are allowed at any time and change nothing

	paths map[string][]history.Label   // by state, what led to it
	ways  map[string][]historytest.Way // by state and call
	calls []history.Label              // that are asked about
	asked map[string]bool              // their keys
	err   error
}

// Replay makes a model of a reference. The context bounds all that it does.
func Replay(ctx context.Context, impl reference.Implementation, mayFail ...history.Kind) (*Replayed, error) {
	c, err := live.NewCaller(impl, nil)
	return &Replayed{ctx: ctx, impl: impl, caller: c, mayFail: mayFail}, err
}

// Inside makes a model of a reference that runs in this process, with direct calls.
func Inside(ctx context.Context, spec reference.Spec, mayFail ...history.Kind) (*Replayed, error) {
	impl, err := reference.New(spec)
	if err != nil {
		return nil, err
	}
	ref, err := live.New(spec)
	if err != nil {
		return nil, err
	}
	r, err := Replay(ctx, impl, mayFail...)
	if err == nil {
		r.direct = &direct{ref: ref, args: map[string][]values.Argument{}}
	}
	return r, err
}

// ErrTooMany is the error of an execution that has too many orders to try.
var ErrTooMany = errors.New("golden: too many orders to try")

// maxStates is how many states are entered for one execution.
const maxStates = 10_000

// ShortestViolation is the number of events of the first prefix of an execution
// that has no linearization, or 0. It tries all orders and completions.
func (r *Replayed) ShortestViolation(e *history.Execution) (int, error) {
	r.begin()
	for i := range e.Ops {
		r.ask(e.Ops[i].Label)
	}
	n := historytest.Model(r.model).ShortestViolation(e)
	return n, r.err
}

// begin forgets what is known of another execution.
func (r *Replayed) begin() {
	r.paths = map[string][]history.Label{"": nil}
	r.ways = map[string][]historytest.Way{}
	r.calls, r.asked, r.err = nil, map[string]bool{}, nil
}

// ask adds a call to those that steps make.
func (r *Replayed) ask(l history.Label) {
	if k := key(&l); !r.asked[k] {
		r.asked[k] = true
		r.calls = append(r.calls, l)
	}
}

// model is a historytest.Model, as long as there is no error.
func (r *Replayed) model(state string, call *history.Label) []historytest.Way {
	k := state + key(call)
	if _, ok := r.ways[k]; !ok && r.err == nil {
		r.ask(*call)
		calls := r.calls // all in one go: to ask a child takes long
		if r.direct != nil {
			calls = []history.Label{*call}
		}
		r.err = r.step(state, calls)
	}
	return r.ways[k]
}

// key is a call as text.
func key(l *history.Label) string {
	k := "\n" + l.Method
	for _, a := range l.Args {
		k += "\t" + string(a)
	}
	return k
}

// step finds the ways of calls in a state.
func (r *Replayed) step(state string, calls []history.Label) error {
	if len(r.paths) > maxStates {
		return ErrTooMany
	}
	var tries [][]history.Label
	for i := range calls {
		for _, l := range r.claims(state, &calls[i]) {
			tries = append(tries, slices.Concat(r.paths[state], []history.Label{l}))
		}
	}
	if err := r.answer(tries); err != nil {
		return err
	}
	for i := range calls {
		c := &calls[i]
		k := state + key(c)
		r.ways[k] = nil
		for _, f := range r.mayFail {
			if f.Method == c.Method {
				r.ways[k] = append(r.ways[k], historytest.Way{Outcome: f.Outcome, Next: state})
			}
		}
	}
	for _, path := range tries {
		l := &path[len(path)-1]
		if l.Outcome == history.Pending { // it waits, or is not accepted
			continue
		}
		k := state + key(l)
		next := k + "\t=> " + string(l.Outcome)
		for _, v := range l.Rets {
			next += "\t" + string(v)
		}
		r.paths[next] = path
		r.ways[k] = append(r.ways[k], historytest.Way{Outcome: l.Outcome, Rets: l.Rets, Next: next})
	}
	return nil
}

// claims are the answers of a call to try: all that it might have if the reference
// is an acceptor, else none.
func (r *Replayed) claims(state string, call *history.Label) (all []history.Label) {
	l := history.Label{Kind: history.Kind{Method: call.Method}, Args: call.Args}
	if _, ok := r.impl.(reference.Acceptor); !ok {
		return append(all, l)
	}
	var given []history.Value
	for _, ls := range [][]history.Label{r.paths[state], r.calls} {
		for i := range ls {
			given = append(append(given, ls[i].Args...), ls[i].Rets...)
		}
	}
	slices.Sort(given)
	given = slices.Compact(given)
	for _, o := range methodOf(r.impl, call.Method).Outcomes {
		tuples := [][]history.Value{nil}
		for range o.Rets {
			var longer [][]history.Value
			for _, t := range tuples {
				for _, v := range given {
					longer = append(longer, append(slices.Clone(t), v))
				}
			}
			tuples = longer
		}
		for _, t := range tuples {
			l.Outcome, l.Rets = o.Outcome, t
			all = append(all, l)
		}
	}
	return all
}

// answer puts the reference's answer into the last label of each sequence, or
// makes it pending.
func (r *Replayed) answer(seqs [][]history.Label) error {
	if r.direct != nil {
		return r.direct.answer(seqs)
	}
	if _, ok := r.impl.(reference.Acceptor); ok {
		counts, err := r.caller.Admits(r.ctx, seqs)
		for i, n := range counts {
			if last := len(seqs[i]) - 1; n <= last {
				seqs[i][last].Outcome = history.Pending
			}
		}
		return err
	}
	calls := make([][]reference.Call, len(seqs))
	for i, seq := range seqs {
		for _, l := range seq {
			calls[i] = append(calls[i], reference.Call{Method: methodIndex(r.impl, l.Method), Values: l.Args})
		}
	}
	answers, err := r.caller.Replay(r.ctx, calls)
	if err != nil {
		return err
	}
	for i, as := range answers {
		if a := as[len(as)-1]; !a.Blocked {
			l := &seqs[i][len(seqs[i])-1]
			l.Outcome, l.Rets = a.Outcome, a.Rets
		}
	}
	return nil
}

func methodIndex(impl reference.Implementation, name string) int {
	return slices.IndexFunc(impl.Methods(), func(m reference.Method) bool { return m.Name == name })
}

func methodOf(impl reference.Implementation, name string) reference.Method {
	return impl.Methods()[methodIndex(impl, name)]
}
