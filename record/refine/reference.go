package refine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/internal/tape"
	"github.com/adtinfer/adtinfer/reference"
)

// NewReference makes a Spec of a reference implementation. Its states are objects
// of the reference itself, on which the operations run in commit order: a step
// costs one call through reflection. A reference that is an acceptor is asked
// about the recorded results, so it may leave choices open that the results
// resolve. That a method panics is an outcome, history.Panic.
//
// Objects are not copied. Where brackets overlap, the checker runs the log from
// its beginning to try another order; while the program runs it does not try.
func NewReference(spec reference.Spec) (Spec[any], error) {
	r, err := live.New(spec)
	if err != nil {
		return nil, fmt.Errorf("refine: %w", err)
	}
	return objects{r}, nil
}

// objects is a Spec whose states are of type *live.Object.
type objects struct{ ref *live.Reference }

func (r objects) New() any {
	o, err := r.ref.Object()
	if err != nil {
		panic(err) // the checker reports it
	}
	return o
}

// Step runs the operation on the object, or asks the acceptor.
func (r objects) Step(s any, op *Op) (any, bool) {
	i, ok := r.ref.Method(op.Method)
	if !ok {
		panic(fmt.Sprintf("the reference has no method %q%s", op.Method, wording.HintOrAll(op.Method, r.ref.Names(), "methods")))
	}
	l := op.Label()
	args, ok := r.ref.Args(i, l.Args)
	if !ok {
		var types []string
		for _, t := range r.ref.Params(i) {
			types = append(types, t.String())
		}
		panic(fmt.Sprintf("the reference's %s takes (%s), which %s does not fit", op.Method, strings.Join(types, ", "), l))
	}
	if r.ref.Acceptor() && !op.Returned {
		return s, false
	}
	a := s.(*live.Object).Do(i, args, &l)
	return s, agrees(&l, &a) || !op.Returned && !a.Blocked
}

// agrees reports whether a reference answers as an operation's label says.
func agrees(l *history.Label, a *reference.Answer) bool {
	return !a.Blocked && a.Outcome == l.Outcome && slices.Equal(a.Rets, l.Rets)
}

// CheckReference is Check with a reference implementation as the specification,
// perhaps one in another process. That cannot be asked step by step at a
// reasonable price, so it runs all operations of the log in commit order at once,
// with observers wherever their windows allow, and the answers are looked up;
// where the checker tries another order of overlapping commits, it runs that one.
// The time is linear in the log for each order that is tried.
//
// The reference is called with the values of the log. Names stand for integers where
// a parameter is one; if the answers depend on which, that is an error. aliases lists, by method of the reference,
// other names that the log may use.
//
// Beyond those of Check, errors are the reference's, the context's, or say
// which method or value of the log the reference cannot take.
func CheckReference(ctx context.Context, l *record.Log, impl reference.Implementation, aliases map[string][]string, o Options) (Result, error) {
	spec, err := newReplay(ctx, tape.Of(l), impl, aliases, o.Observers)
	if err != nil {
		return Result{}, err
	}
	r, err := Check(ctx, l, spec, o)
	if spec.err != nil {
		return Result{}, spec.err
	}
	return r, err
}

// replay is a reference implementation as the Spec of one log.
type replay struct {
	ctx     context.Context
	impl    reference.Implementation
	methods map[string]int
	caller  *live.Caller
	first   *run
	err     error // why Step could not ask the reference
}

// replayed is a state of a replay: so many steps of a run.
type replayed struct {
	run   *run
	steps int
}

// run is a sequence of calls that change the state, with their answers, and
// what observers would have seen after so many of them.
type run struct {
	calls   []reference.Call
	answers []reference.Answer // as far as no call blocked
	seen    map[string]reference.Answer
}

// newReplay runs a log in commit order.
func newReplay(ctx context.Context, t *tape.Tape, impl reference.Implementation, aliases map[string][]string, observers []string) (*replay, error) {
	if _, ok := impl.(reference.Acceptor); ok {
		return nil, fmt.Errorf("refine: %s says which results it accepts, and has none of its own to compare with", impl.Name())
	}
	r := &replay{ctx: ctx, impl: impl, methods: map[string]int{}}
	for i, m := range impl.Methods() {
		for _, a := range aliases[m.Name] {
			r.methods[a] = i
		}
	}
	for i, m := range impl.Methods() { // a name wins over an alias
		r.methods[m.Name] = i
	}
	ops, commits := operations(t)
	calls := make([]reference.Call, len(ops))
	labels := make([]history.Label, len(ops))
	for i, op := range ops {
		c, err := r.call(op)
		if err != nil {
			return nil, err
		}
		calls[i], labels[i] = c, op.Label()
		labels[i].Method = impl.Methods()[c.Method].Name
	}
	var err error
	if r.caller, err = live.NewCaller(impl, labels); err != nil {
		return nil, err
	}
	r.first, err = r.along(ops, calls, commits, observers)
	return r, err
}

// operations lists the operations of a log and, in their order, the entries
// that are commits, up to a mistake in recording: the check meets it, too, unless
// it finds a violation before.
func operations(t *tape.Tape) (ops []*Op, commits []uint64) {
	tr := tracker{names: t.Names, process: t.Process}
	_ = t.Each(func(es []tape.Entry) error {
		op, err := tr.add(es)
		if err != nil {
			return err
		}
		switch es[0].What() {
		case binlog.CallEntry:
			ops = append(ops, op)
		case binlog.CommitEntry:
			commits = append(commits, es[0].Seq)
		}
		return nil
	})
	return ops, commits
}

// along runs the committed operations in order, and each observer after each of
// the commits that its window spans.
func (r *replay) along(ops []*Op, calls []reference.Call, commits []uint64, observers []string) (*run, error) {
	after := make([][]reference.Call, len(commits)+1)
	committed := make([]reference.Call, len(commits))
	for i, op := range ops {
		if op.commit != 0 {
			at, _ := slices.BinarySearch(commits, op.commit)
			committed[at] = calls[i]
		} else if op.Returned && slices.Contains(observers, op.Method) {
			from, _ := slices.BinarySearch(commits, op.called)
			to, _ := slices.BinarySearch(commits, op.ended)
			for at := from; at <= to; at++ {
				after[at] = append(after[at], calls[i])
			}
		}
	}
	return r.run(committed, after)
}

// run runs calls that change the state, and observers after so many of them.
func (r *replay) run(calls []reference.Call, after [][]reference.Call) (*run, error) {
	var all []reference.Call
	for i := 0; i <= len(calls); i++ {
		if i < len(after) {
			all = append(all, after[i]...)
		}
		if i < len(calls) {
			all = append(all, calls[i])
		}
	}
	answers, err := r.caller.Replay(r.ctx, [][]reference.Call{all})
	if err != nil {
		return nil, err
	}
	got := answers[0]
	next := func() (a reference.Answer, ok bool) {
		if len(got) > 0 {
			a, got, ok = got[0], got[1:], true
		}
		return a, ok
	}
	x := &run{calls: calls, seen: map[string]reference.Answer{}}
	for i := 0; i <= len(calls); i++ {
		if i < len(after) {
			for _, c := range after[i] {
				if a, ok := next(); ok {
					x.seen[key(i, c)] = a
				}
			}
		}
		if a, ok := next(); ok && i < len(calls) {
			x.answers = append(x.answers, a)
		}
	}
	return x, nil
}

func key(steps int, c reference.Call) string {
	return fmt.Sprintf("%d %d %q", steps, c.Method, c.Values)
}

// call is an operation as a call of the reference.
func (r *replay) call(op *Op) (reference.Call, error) {
	m, ok := r.methods[op.Method]
	if !ok {
		var names []string
		for _, m := range r.impl.Methods() {
			names = append(names, m.Name)
		}
		return reference.Call{}, fmt.Errorf("refine: the reference has no method %q%s", op.Method, wording.HintOrAll(op.Method, names, "methods"))
	}
	return reference.Call{Method: m, Values: op.Label().Args}, nil
}

// New is the state before the first operation.
func (r *replay) New() *replayed { return &replayed{run: r.first} }

// Clone is the state itself, which never changes.
func (r *replay) Clone(s *replayed) *replayed { return s }

// Step compares with what the reference answers.
func (r *replay) Step(s *replayed, op *Op) (*replayed, bool) {
	c, err := r.call(op)
	if r.err == nil {
		r.err = err
	}
	if r.err != nil {
		return s, false
	}
	l := op.Label()
	if a, ok := s.run.seen[key(s.steps, c)]; ok && op.commit == 0 {
		return s, agrees(&l, &a)
	}
	if s.steps >= len(s.run.calls) || !same(s.run.calls[s.steps], c) {
		if s = r.turn(s, c); s == nil {
			return nil, false
		}
	}
	if s.steps >= len(s.run.answers) || s.run.answers[s.steps].Blocked {
		return s, false
	}
	return &replayed{s.run, s.steps + 1}, !op.Returned || agrees(&l, &s.run.answers[s.steps])
}

// turn is the state in a run that goes on with another call, and then as it
// would have gone on without that.
func (r *replay) turn(s *replayed, c reference.Call) *replayed {
	calls := append(slices.Clone(s.run.calls[:s.steps]), c)
	rest := s.run.calls[s.steps:]
	for i := range rest {
		if same(rest[i], c) {
			calls, rest = append(calls, rest[:i]...), rest[i+1:]
			break
		}
	}
	var x *run
	if x, r.err = r.run(append(calls, rest...), nil); r.err != nil {
		return nil
	}
	return &replayed{x, s.steps}
}

func same(a, b reference.Call) bool { return a.Method == b.Method && slices.Equal(a.Values, b.Values) }
