package adttest

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/live"
	"github.com/adtinfer/adtinfer/internal/printable"
	"github.com/adtinfer/adtinfer/reference"
)

// oracle is the Reference as the last judge: it searches for an order of a
// history's operations in which an object of the reference, called with the
// recorded arguments, answers as recorded.
type oracle struct {
	*live.Reference
	methods map[string]int // by the theory's name
	hang    time.Duration  // one call may take so long
}

// callLimit bounds the calls on objects of the reference in one search.
const callLimit = 1_000_000

// newOracle makes the judge out of Config.Reference; every method of the subject
// has to be one of the reference, by its name there or by an alias.
func newOracle(spec reference.Spec, s *subject) (*oracle, error) {
	r, err := live.New(spec)
	if err != nil {
		return nil, fmt.Errorf("adttest: Config.Reference: %w", err)
	}
	o := &oracle{Reference: r, methods: map[string]int{}, hang: reference.DefaultTimeout}
	for i := range s.methods {
		m := &s.methods[i]
		found := false
		for _, name := range []string{m.name, m.goName, driver.LowerCamel(m.goName)} {
			if k, ok := r.Method(name); ok {
				o.methods[m.name], found = k, len(r.Params(k)) == len(m.params)
				break
			}
		}
		if !found {
			return nil, fmt.Errorf("adttest: Config.Reference has no method %s that takes %s; if it goes by another name there, say so in the Spec's Aliases", m.name, printable.Count(len(m.params), "argument"))
		}
	}
	return o, nil
}

// ruling is what the oracle says of a history.
type ruling struct {
	admitted  bool
	undecided string // why there is no answer, or ""
	order     []int  // of an admitted history: the operations in an order that explains it
}

// admits searches for an order of a history. With blocked, every operation that
// did not return must also be one that waits, in the state that the others leave.
// The error is about a reference that panics or hangs, or the context's.
func (o *oracle) admits(ctx context.Context, e *history.Execution, blocked bool, limit int) (ruling, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &replays{oracle: o, e: e, blocked: blocked, limit: int64(limit), cancel: cancel}
	s.number()
	done := make(chan struct{})
	go s.search(ctx, done)
	if err := s.watch(done); err != nil {
		return ruling{}, err
	}
	var fault *referenceFault
	switch {
	case errors.As(s.err, &fault):
		return ruling{}, fault
	case s.found:
		return ruling{admitted: true, order: s.order}, nil
	case s.count.Load() > s.limit:
		return ruling{undecided: fmt.Sprintf("the search on the reference ended after %d calls", limit)}, nil
	case s.err != nil:
		return ruling{undecided: "the search on the reference was interrupted"}, nil
	}
	return ruling{undecided: s.unsure}, nil
}

// refuses reports whether it is certain that a history is not admitted.
func (o *oracle) refuses(ctx context.Context, e *history.Execution) bool {
	r, err := o.admits(ctx, e, false, callLimit)
	return err == nil && !r.admitted && r.undecided == ""
}

// shortest is the number of events of the shortest prefix that the reference does
// not admit, of a history that it does not.
func (o *oracle) shortest(ctx context.Context, e *history.Execution) int {
	var ends []int
	for i := range e.Ops {
		if e.Ops[i].Completed() {
			ends = append(ends, e.Ops[i].Return+1)
		}
	}
	slices.Sort(ends)
	low, high := 0, len(ends)-1
	for low < high {
		middle := (low + high) / 2
		if o.refuses(ctx, e.Prefix(ends[middle])) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	if high < 0 {
		return e.Events
	}
	return ends[high]
}

// referenceFault is what the reference did that no reference may.
type referenceFault struct{ what string }

func (f *referenceFault) Error() string { return "adttest: Config.Reference: " + f.what }

// replays is the search for an order as a wgl.System. Its states are sequences of
// calls, in a tree; one object stands at one of them, and another is made where
// the search goes on elsewhere.
type replays struct {
	*oracle
	e       *history.Execution
	blocked bool
	limit   int64
	cancel  context.CancelFunc

	call  []int32 // by operation; the same for the same call
	class []int32 // by operation; the same for the same call and answer
	args  [][]values.Argument
	nodes []node

	object *live.Object
	at     int32 // the node where it stands, -1: nowhere
	state  int32
	path   []taken
	count  atomic.Int64
	unsure string

	found bool
	order []int
	err   error
}

// node is a sequence of calls, and what the last of them answered.
type node struct {
	parent, op int32
	answer     reference.Answer
	next       map[int32]int32
}

func (n *node) answers(o *history.Operation) bool {
	return n.answer.Outcome == o.Outcome && slices.Equal(n.answer.Rets, o.Rets)
}

// taken is a step of the search: the operation, and the state before it.
type taken struct{ op, before int32 }

// number numbers the operations' calls; for an acceptor, with what they claim.
func (s *replays) number() {
	numbers := map[string]int32{}
	number := func(l history.Label) int32 {
		key := fmt.Sprintf("%q", []any{l.Method, l.Args, l.Outcome, l.Rets})
		if _, ok := numbers[key]; !ok {
			numbers[key] = int32(len(numbers))
		}
		return numbers[key]
	}
	for i := range s.e.Ops {
		o := &s.e.Ops[i]
		class := number(o.Label)
		call := class
		if !s.Acceptor() {
			call = number(history.Label{Kind: history.Kind{Method: o.Method}, Args: o.Args})
		}
		s.class, s.call = append(s.class, class), append(s.call, call)
		var args []values.Argument // nil: they do not fit
		m, ok := s.methods[o.Method]
		if ok {
			args, ok = s.Args(m, o.Args)
		}
		if !ok {
			s.unsure = fmt.Sprintf("the reference does not take the arguments of %s", o.Label)
		}
		s.args = append(s.args, args)
	}
	s.nodes = []node{{parent: -1, next: map[int32]int32{}}}
}

// search runs to the end, or until a call on the reference panics or hangs.
func (s *replays) search(ctx context.Context, done chan<- struct{}) {
	returned := false
	defer close(done)
	defer func() {
		if p := recover(); p != nil {
			s.err = &referenceFault{fmt.Sprintf("it panics: %v, in %s\n%s", p, s.doing(), ownFrames(string(debug.Stack())))}
		} else if !returned {
			s.err = &referenceFault{"it ends the goroutine that calls it, in " + s.doing()}
		}
	}()
	s.found, s.err = wgl.Search(ctx, s.e, s, 0)
	for _, p := range s.path {
		s.order = append(s.order, int(p.op))
	}
	returned = true
}

// watch waits until the search is done, or stays in one call for too long.
func (s *replays) watch(done <-chan struct{}) error {
	select {
	case <-done: // mostly at once
		return nil
	case <-time.After(time.Millisecond):
	}
	tick := time.NewTicker(s.hang / 8)
	defer tick.Stop()
	last, idle := int64(-1), 0
	for {
		select {
		case <-done:
			return nil
		case <-tick.C:
		}
		if idle++; s.count.Load() != last {
			last, idle = s.count.Load(), 0
		}
		if idle > 8 {
			return &referenceFault{fmt.Sprintf("a call on it does not return within %v; where one has to wait, panic with reference.Blocked", s.hang)}
		}
	}
}

// doing is the sequence of calls that the object got.
func (s *replays) doing() string {
	var texts []string
	for _, p := range s.path {
		o := s.e.Ops[p.op]
		texts = append(texts, history.Label{Kind: history.Kind{Method: o.Method, Outcome: history.None}, Args: o.Args}.String())
	}
	return "the sequence " + strings.Join(texts, "; ") + " and one more call"
}

// Start is the empty sequence.
func (s *replays) Start() int32 { return 0 }

// Accepts reports whether all operations that did not return wait now, if that
// is what is asked for.
func (s *replays) Accepts() bool {
	if !s.blocked {
		return true
	}
	for i := range s.e.Ops {
		if s.e.Ops[i].Completed() {
			continue
		}
		if n, ok := s.take(int32(i)); !ok || !s.nodes[n].answer.Blocked {
			return false
		}
	}
	return true
}

// ReadOnly is not known of any operation.
func (s *replays) ReadOnly(int32) bool { return false }

// Class is the same for operations with the same call and answer.
func (s *replays) Class(op int32) int32 { return s.class[op] }

// Undo goes back to the sequence before.
func (s *replays) Undo() {
	s.state = s.path[len(s.path)-1].before
	s.path = s.path[:len(s.path)-1]
}

// Take appends an operation's call, if the reference answers as recorded. What
// waits in this state cannot be taken, nor what never returned if it is to wait
// at the end.
func (s *replays) Take(op int32, way int) (int32, wgl.Step) {
	o := &s.e.Ops[op]
	if way > 0 || s.blocked && !o.Completed() {
		return 0, wgl.NoWay
	}
	n, ok := s.take(op)
	if !ok || s.nodes[n].answer.Blocked || o.Completed() && !s.nodes[n].answers(o) {
		return 0, wgl.Refused
	}
	s.path = append(s.path, taken{op, s.state})
	s.state = n
	return n, wgl.Taken
}

// take is the node after one more call; false if it is not known.
func (s *replays) take(op int32) (int32, bool) {
	if n, ok := s.nodes[s.state].next[s.call[op]]; ok {
		return n, true
	}
	if s.args[op] == nil || s.count.Load() > s.limit {
		return 0, false
	}
	if s.Acceptor() && !s.e.Ops[op].Completed() {
		s.unsure = "what an operation may answer that did not return is not known of a reference with Accept"
		return 0, false
	}
	s.stand(s.state)
	n := node{parent: s.state, op: op, next: map[int32]int32{}}
	n.answer = s.run(op)
	s.nodes = append(s.nodes, n)
	k := int32(len(s.nodes) - 1)
	s.nodes[s.state].next[s.call[op]] = k
	if s.at = k; n.answer.Blocked {
		s.at = -1 // a call that waits may have begun something
	}
	return k, true
}

// stand makes an object that has got the calls of a node.
func (s *replays) stand(n int32) {
	if s.at == n && s.object != nil {
		return
	}
	object, err := s.Object()
	if err != nil {
		panic(err)
	}
	s.object, s.at = object, n
	var ops []int32
	for ; n > 0; n = s.nodes[n].parent {
		ops = append(ops, s.nodes[n].op)
	}
	for _, op := range slices.Backward(ops) {
		s.run(op)
	}
}

// run makes a call on the object.
func (s *replays) run(op int32) reference.Answer {
	if s.count.Add(1) > s.limit {
		s.cancel()
	}
	o := &s.e.Ops[op]
	return s.object.Do(s.methods[o.Method], s.args[op], &o.Label)
}
