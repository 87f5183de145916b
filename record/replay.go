package record

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
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
// Where all values of the log are positive integers the reference is called with
// them. Other values are numbered as they come up, so then the reference must
// treat all values alike.
type Replay struct {
	ctx     context.Context
	impl    reference.Implementation
	methods map[string]int
	number  map[history.Value]int // nil: values are their own numbers
	texts   []history.Value       // by number, less one
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
// The error is the reference's, the context's, or names a method that the
// reference does not have.
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
	r.numbers(ops)
	var err error
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

// numbers looks whether values are their own numbers.
func (r *Replay) numbers(ops []*Op) {
	for _, op := range ops {
		for _, v := range slices.Concat(op.Args, op.Rets) {
			if n, err := strconv.Atoi(op.Text(v)); err != nil || n < 1 || strconv.Itoa(n) != op.Text(v) {
				r.number = map[history.Value]int{}
				return
			}
		}
	}
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
	answers, err := r.impl.Replay(r.ctx, [][]reference.Call{all})
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

func key(steps int, c reference.Call) string { return fmt.Sprint(steps, c.Method, c.Args) }

// call is an operation with its values as numbers.
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
		c.Args = append(c.Args, r.numberOf(history.Value(op.Text(v))))
	}
	return c, nil
}

func (r *Replay) numberOf(v history.Value) int {
	if r.number == nil {
		n, _ := strconv.Atoi(string(v))
		return n
	}
	n, ok := r.number[v]
	if !ok {
		r.texts = append(r.texts, v)
		n = len(r.texts)
		r.number[v] = n
	}
	return n
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
	if s.steps >= len(s.run.calls) || !slices.Equal(s.run.calls[s.steps].Args, c.Args) || s.run.calls[s.steps].Method != c.Method {
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
		if rest[i].Method == c.Method && slices.Equal(rest[i].Args, c.Args) {
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

func (r *Replay) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// agrees compares an answer with what was recorded.
func (r *Replay) agrees(op *Op, a reference.Answer) bool {
	if a.Outcome != op.Outcome || len(a.Rets) != len(op.Rets) {
		return false
	}
	for i, v := range a.Rets {
		want := history.Value(op.Text(op.Rets[i]))
		switch {
		case reference.IsForeign(v):
			v = v[1 : len(v)-1]
		case r.number != nil:
			n, err := strconv.Atoi(string(v))
			if err != nil || n < 1 || n > len(r.texts) {
				return false
			}
			v = r.texts[n-1]
		}
		if v != want {
			return false
		}
	}
	return true
}
