package record

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/caller"
	"github.com/adtinfer/adtinfer/internal/suggest"
	"github.com/adtinfer/adtinfer/reference"
)

// Replay is a reference implementation in another process as the Spec of one
// log. It cannot be asked step by step at a reasonable price, so it runs all
// operations of the log in commit order at once, with observers wherever their
// windows allow, and looks the answers up; where the checker tries another order
// of overlapping commits, it runs that one. The time is linear in the log for
// each order that is tried.
//
// The reference is called with the values of the log; caller.Caller says what
// becomes of those that it cannot take.
type Replay struct {
	ctx     context.Context
	impl    reference.Implementation
	methods map[string]int
	caller  *caller.Caller
	first   *run
	err     error
}

// Replayed is a state of a Replay: so many steps of a run.
type Replayed struct {
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

// NewReplay runs a log in commit order. aliases lists, by method of the
// reference, other names that the log may use.
//
// The error is the reference's, the context's, a *caller.Unfit, or names a
// method that the reference does not have.
func NewReplay(ctx context.Context, impl reference.Implementation, l *Log, observers []string, aliases map[string][]string) (*Replay, error) {
	if _, ok := impl.(reference.Acceptor); ok {
		return nil, fmt.Errorf("record: %s says which results it accepts, and has none of its own to compare with", impl.Name())
	}
	r := &Replay{ctx: ctx, impl: impl, methods: map[string]int{}}
	for i, m := range impl.Methods() {
		for _, a := range aliases[m.Name] {
			r.methods[a] = i
		}
	}
	for i, m := range impl.Methods() { // a name wins over an alias
		r.methods[m.Name] = i
	}
	ops, commits := l.operations()
	err := r.prepare(ops)
	if err != nil {
		return nil, err
	}
	r.first, err = r.along(ops, commits, observers)
	return r, err
}

// operations lists the operations of a log and, in their order, the entries
// that are commits, up to a mistake in recording: the check meets it, too, unless
// it finds a violation before.
func (l *Log) operations() (ops []*Op, commits []uint64) {
	t := newTracker(l.names, l.process)
	_ = l.each(func(es []entry) error {
		op, err := t.add(es)
		if err != nil {
			return err
		}
		switch es[0].what() {
		case callEntry:
			ops = append(ops, op)
		case commitEntry:
			commits = append(commits, es[0].seq)
		}
		return nil
	})
	return ops, commits
}

// prepare makes the reference ready for the values of the log.
func (r *Replay) prepare(ops []*Op) (err error) {
	labels := make([]history.Label, len(ops))
	for i, op := range ops {
		c, err := r.call(op)
		if err != nil {
			return err
		}
		labels[i] = op.Label()
		labels[i].Method = r.impl.Methods()[c.Method].Name
	}
	r.caller, err = caller.New(r.impl, labels)
	return err
}

// along runs the committed operations in order, and each observer after each of
// the commits that its window spans.
func (r *Replay) along(ops []*Op, commits []uint64, observers []string) (*run, error) {
	after := make([][]reference.Call, len(commits)+1)
	calls := make([]reference.Call, len(commits))
	for _, op := range ops {
		c, err := r.call(op)
		if err != nil {
			return nil, err
		}
		if op.commit != 0 {
			at, _ := slices.BinarySearch(commits, op.commit)
			calls[at] = c
		} else if op.Returned && slices.Contains(observers, op.Method) {
			from, _ := slices.BinarySearch(commits, op.called)
			to, _ := slices.BinarySearch(commits, op.ended)
			for at := from; at <= to; at++ {
				after[at] = append(after[at], c)
			}
		}
	}
	return r.replay(calls, after)
}

// replay runs calls that change the state, and observers after so many of them.
func (r *Replay) replay(calls []reference.Call, after [][]reference.Call) (*run, error) {
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
func (r *Replay) call(op *Op) (reference.Call, error) {
	m, ok := r.methods[op.Method]
	if !ok {
		var names []string
		for _, m := range r.impl.Methods() {
			names = append(names, m.Name)
		}
		hint := suggest.Hint(op.Method, names)
		if hint == "" {
			hint = "; its methods are " + strings.Join(names, ", ")
		}
		return reference.Call{}, fmt.Errorf("record: the reference has no method %q%s", op.Method, hint)
	}
	c := reference.Call{Method: m}
	for _, v := range op.Args {
		c.Values = append(c.Values, history.Value(op.Text(v)))
	}
	return c, nil
}

// New is the state before the first operation.
func (r *Replay) New() *Replayed { return &Replayed{run: r.first} }

// Clone is the state itself, which never changes.
func (r *Replay) Clone(s *Replayed) *Replayed { return s }

// Err is why Step could not ask the reference, or nil. The verdict of a check is
// worth nothing if there is an error.
func (r *Replay) Err() error { return r.err }

// Step compares with what the reference answers.
func (r *Replay) Step(s *Replayed, op *Op) (*Replayed, bool) {
	c, err := r.call(op)
	if r.err != nil || err != nil {
		r.fail(err)
		return s, false
	}
	if a, ok := s.run.seen[key(s.steps, c)]; ok && op.commit == 0 {
		return s, r.agrees(op, a)
	}
	if s.steps >= len(s.run.calls) || !same(s.run.calls[s.steps], c) {
		if s = r.turn(s, c); s == nil {
			return nil, false
		}
	}
	if s.steps >= len(s.run.answers) || s.run.answers[s.steps].Blocked {
		return s, false
	}
	return &Replayed{s.run, s.steps + 1}, !op.Returned || r.agrees(op, s.run.answers[s.steps])
}

// turn is the state in a run that goes on with another call, and then as it
// would have gone on without that.
func (r *Replay) turn(s *Replayed, c reference.Call) *Replayed {
	calls := append(slices.Clip(slices.Clone(s.run.calls[:s.steps])), c)
	rest := s.run.calls[s.steps:]
	for i := range rest {
		if same(rest[i], c) {
			calls, rest = append(calls, rest[:i]...), rest[i+1:]
			break
		}
	}
	x, err := r.replay(append(calls, rest...), nil)
	if err != nil {
		r.fail(err)
		return nil
	}
	return &Replayed{x, s.steps}
}

func same(a, b reference.Call) bool { return a.Method == b.Method && slices.Equal(a.Values, b.Values) }

func (r *Replay) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// agrees compares an answer with what was recorded.
func (r *Replay) agrees(op *Op, a reference.Answer) bool {
	return a.Outcome == op.Outcome && slices.EqualFunc(a.Rets, op.Rets, func(got history.Value, want Value) bool { return string(got) == op.Text(want) })
}
