package check

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"hash/maphash"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/theory"
)

// Split gives the key of each operation of a theory's logs. The operations of a key
// are a log of the same theory, and a log is linearizable if and only if those of all its
// keys are ("Faster linearizability checking via P-compositionality" §3). This holds
// for pending operations, too, for a call has its key. The error says why the theory
// has no such keys: it is no product, or some operations belong to several keys.
// Labels have the theory's own names of methods, and as many arguments as it says.
func Split(t *theory.Theory) (func(l *history.Label) history.Value, error) {
	if t == nil || t.Spec.Product == nil {
		return nil, fmt.Errorf("check: only a theory with a product by key can be split by key; check its logs as wholes")
	}
	at := map[string]int{}
	for _, m := range t.Spec.Methods {
		k := t.Spec.Product.Of(m.Name)
		if k.Role != theory.ByKey {
			return nil, fmt.Errorf("check: theory %s cannot be split by key: operations of method %s belong to all keys; check its logs as wholes", t.Name, m.Name)
		}
		at[m.Name] = k.Arg
	}
	return func(l *history.Label) history.Value { return l.Args[at[l.Method]] }, nil
}

// split is Split for the theory.
func (c *Checker) split() (func(*history.Label) history.Value, error) {
	if c.spec == nil {
		return Split(nil)
	}
	return Split(&theory.Theory{Name: c.named, Spec: *c.spec})
}

// Shard is a part of some names, such as those of logs, or of the keys of logs: number
// I, from 1, of N. The zero Shard has all.
type Shard struct {
	I, N    int
	Against string // what keys are checked against, in words: shards of one log agree in it
}

// Has reports whether a name is in the shard: FNV-1a (64 bits) of it leaves I-1 when
// divided by N.
func (s Shard) Has(name string) bool {
	if s.N <= 1 {
		return true
	}
	h := fnv.New64a()
	io.WriteString(h, name)
	return h.Sum64()%uint64(s.N) == uint64(s.I-1)
}

// share is the operations of an execution that have one key, or some keys.
type share struct {
	*history.Execution       // as a log of its own: its events are counted from 0
	at                 []int // where the whole has them
	running            map[string]int
}

// add adds event n of the whole, which is one of operation o.
func (s *share) add(o *history.Operation, n int, isCall bool) {
	if s.Execution == nil {
		s.Execution, s.running = &history.Execution{}, map[string]int{}
	}
	own := *o
	if isCall {
		s.running[o.ID] = len(s.Ops)
		own.Call, own.Return, own.Outcome, own.Rets = s.Events, history.NoReturn, history.Pending, nil
		s.Ops = append(s.Ops, own)
	} else {
		i := s.running[o.ID]
		delete(s.running, o.ID)
		own.Call, own.Return = s.Ops[i].Call, s.Events
		s.Ops[i] = own
	}
	s.at = append(s.at, n)
	s.Events++
}

// shares are the parts of an execution with the keys of a shard, in the order of their
// first events. Resolved is the execution with resolved labels.
func shares(e, resolved *history.Execution, key func(*history.Label) history.Value, shard Shard) ([]*share, error) {
	events, err := eventsOf(e)
	known, all := map[history.Value]*share{}, []*share(nil)
	for n, i := range events {
		if err != nil || i == noEvent {
			continue
		}
		op := max(i, ^i)
		k := key(&resolved.Ops[op].Label)
		s := known[k]
		if s == nil {
			if !shard.Has(string(k)) {
				continue
			}
			s = new(share)
			known[k], all = s, append(all, s)
		}
		s.add(&e.Ops[op], n, i >= 0)
		s.Object, s.Tail = e.Object, e.Tail
	}
	return all, err
}

// report is what came of a share, in events of the whole. Errors and explanations are
// about its operations.
func (s *share) report(w *work, explain bool) (r Report) {
	defer w.caught(&r.Err)
	r.Ops, r.Coverage = len(s.Ops), history.Of(s.Execution)
	if r.Result, r.Err = w.verdict(w.ctx, s.Execution); r.Result.Verdict == Violation {
		r.At = placeOf(s.Execution, r.Result.Prefix)
		if explain && w.options.Explain {
			w.prove(w.ctx, s.Execution, &r)
		}
		r.Result.Prefix = s.at[r.Result.Prefix-1] + 1
		if r.Explanation != nil {
			r.Explanation.Prefix = r.Result.Prefix
		}
	}
	r.Result.Events, r.Result.Parts = s.at[s.Events-1]+1, 1
	return r
}

// judgeKeys is judge, but checks the keys of an execution on their own, some at a time.
func (w *work) judgeKeys(e *history.Execution, r *Report) {
	key, err := w.split()
	resolved, bad := w.resolved(e)
	var parts []*share
	if err = cmp.Or(err, bad); err == nil {
		parts, err = shares(e, resolved, key, w.shard)
	}
	if err != nil || len(e.Ops) == 0 {
		w.judge(w.ctx, e, r)
		return
	}
	found := make([]Report, len(parts))
	var next atomic.Int64
	var running sync.WaitGroup
	for range min(w.keys, len(parts)) {
		running.Add(1)
		go func() {
			defer running.Done()
			for i := next.Add(1) - 1; i < int64(len(parts)); i = next.Add(1) - 1 {
				found[i] = parts[i].report(w, false)
			}
		}()
	}
	running.Wait()
	all, worst := Report{Result: Result{Verdict: Linearizable, Engine: w.engine.name()}}, -1
	for i, f := range found {
		if i == 0 {
			all = f
		} else {
			all = Merge(all, f)
		}
		if mergeOrder(all, f) == 0 {
			worst = i
		}
	}
	if worst >= 0 && w.options.Explain && all.Err == nil && all.Result.Verdict == Violation {
		all.Explanation = parts[worst].report(w, true).Explanation
	}
	w.merged(r, all, e.Events)
}

// merged makes a report that of a log's keys. Unless the keys are those of a shard, the
// operations of all are counted already.
func (w *work) merged(r *Report, all Report, events int) {
	r.Result, r.Err, r.At, r.Explanation = all.Result, all.Err, all.At, all.Explanation
	if r.Result.Events = events; w.options.Whole && r.Result.Verdict == Violation {
		r.Result.Prefix = events
	}
	if w.shard.N > 1 {
		r.Ops, r.Coverage = all.Ops, all.Coverage
	}
}

// maxExplained is how many operations of a key are held in memory to explain a violation.
const maxExplained = 1 << 18

// fewAtOnce and fewEach are how many configurations a worker looks at, at once and for each event,
// before it takes a search to be faster.
const fewAtOnce, fewEach = 1 << 16, 64

// errSlow is the error then.
var errSlow = errors.New("following takes too long")

// batchSize is how many events go to a worker at once.
const batchSize = 512

// splitting follows a log with workers, to each of which some keys belong.
type splitting struct {
	*work
	key     func(*history.Label) history.Value
	ahead   bool // calls have the answers that return soon: less is possible, but a prefix may be too short
	workers []*splitWorker
	free    chan []history.Operation // to be used again
	least   atomic.Int64             // events of the shortest violating prefix that is known
	ids     keySet
	events  int
	seen    history.Coverage // of the log
	own     history.Coverage // of the shard
}

// splitWorker follows the keys that belong to it.
type splitWorker struct {
	*splitting
	configured *configured
	next       []history.Operation // to be sent
	room       []history.Value     // spare, for arguments
	in         chan []history.Operation
	bad        history.Value // the key of its violation
	at         int           // the events up to there; 0: there is none
	exact      bool          // none of those before is enough
	err        error
}

// followKeys decides the keys of a log while it is read, each by the automaton that the
// theory has for it, in memory that does not grow with the log. It is false if the log
// has to be read as a whole, or something is wrong with it, which is said then.
func (w *work) followKeys(s Source, r *Report) bool {
	key, err := w.split()
	if err != nil || w.theory != nil || w.model != nil || w.options.Witness || w.configured() == nil {
		return false
	}
	f, tail, err := w.splitting(s, key, true)
	if worst := f.worst(); worst != nil && !worst.exact && err == nil {
		f, tail, err = w.splitting(s, key, false)
	}
	if err != nil && w.ctx.Err() == nil {
		return false
	}
	all := Report{Ops: int(f.own.Operations), Coverage: f.own, Result: Result{Verdict: Linearizable, Engine: autoName + ": " + configuredName, By: w.described[0].(*modelEngine).who}}
	if worst := f.worst(); worst != nil {
		all.Result.Verdict, all.Result.Prefix = Violation, worst.at
		if !f.explain(s, worst, &all) {
			return false
		}
	} else if err != nil {
		all.Result.Verdict, all.Result.Detail = Inconclusive, logs.Stopped(w.ctx)
	}
	r.Ops, r.Coverage = int(f.seen.Operations), f.seen
	w.merged(r, all, f.events)
	r.Incomplete(tail)
	return true
}

// splitting follows a log to its end, of which the tail is missing.
func (w *work) splitting(s Source, key func(*history.Label) history.Value, ahead bool) (f *splitting, tail string, err error) {
	f = &splitting{work: w, key: key, ahead: ahead, free: make(chan []history.Operation, 4*w.keys)}
	f.least.Store(math.MaxInt64)
	in, err := s.Open()
	if err != nil {
		return f, "", err
	}
	defer in.Close()
	log := w.reader(in, s.Name)
	err = f.follow(log)
	return f, log.Tail(), err
}

// follow has the workers follow the log to its end. The error is that of what cannot be
// followed, or the context's.
func (f *splitting) follow(log *history.Reader) error {
	var running sync.WaitGroup
	for range f.keys {
		x := &splitWorker{splitting: f, configured: f.configured(), in: make(chan []history.Operation, 2), next: make([]history.Operation, 0, batchSize)}
		f.workers = append(f.workers, x)
		running.Add(1)
		go func() {
			defer running.Done()
			for batch := range x.in {
				x.follow(batch)
			}
		}()
	}
	err := f.read(log)
	for _, x := range f.workers {
		x.in <- x.next
		close(x.in)
	}
	running.Wait()
	for _, x := range f.workers {
		err = cmp.Or(err, x.err)
	}
	return err
}

// read reads the log and gives the events to the workers.
func (f *splitting) read(log *history.Reader) error {
	for op, err := range log.Follow(f.signature) {
		if err == nil && f.events&1023 == 0 {
			err = f.ctx.Err()
		}
		if err != nil {
			return err
		}
		if f.events++; !op.Completed() && !f.ids.add(op.ID) {
			return fmt.Errorf("operation %s is called twice", op.ID)
		}
		count(&f.seen, op)
		key := string(f.key(&op.Label))
		if !f.shard.Has(key) {
			continue
		}
		count(&f.own, op)
		f.workers[maphash.String(keySeed, key)%uint64(len(f.workers))].give(op)
	}
	f.seen.End()
	f.own.End()
	return nil
}

func count(c *history.Coverage, op *history.Operation) {
	if op.Completed() {
		c.Return(op.Method, op.Outcome)
	} else {
		c.Call()
	}
}

// give gives an event to the worker, with room of its own for arguments, which the
// reader may change while the operation runs.
func (x *splitWorker) give(op *history.Operation) {
	x.next = append(x.next, *op)
	if n := len(op.Args); !op.Completed() {
		if len(x.room) < n {
			x.room = make([]history.Value, max(batchSize, n))
		}
		copy(x.room, op.Args)
		x.next[len(x.next)-1].Args, x.room = x.room[:n:n], x.room[n:]
	}
	if len(x.next) < batchSize {
		return
	}
	x.in <- x.next
	select {
	case x.next = <-x.free:
		x.next = x.next[:0]
	default:
		x.next = make([]history.Operation, 0, batchSize)
	}
}

// position is the number of an event, which is the call or the return of an operation.
func position(o *history.Operation) int {
	if o.Completed() {
		return o.Return
	}
	return o.Call
}

// foretell tells calls the answers that return in the same batch.
func foretell(batch []history.Operation) {
	for j := range batch {
		if o := &batch[j]; o.Completed() {
			if i, ok := slices.BinarySearchFunc(batch[:j], o.Call, func(x history.Operation, at int) int { return position(&x) - at }); ok {
				batch[i].Outcome, batch[i].Rets = o.Outcome, o.Rets
			}
		}
	}
}

// follow takes events. Those after a violation only have to be the theory's.
func (x *splitWorker) follow(batch []history.Operation) {
	defer x.caught(&x.err)
	if x.ahead {
		foretell(batch)
	}
	for i := range batch {
		op := &batch[i]
		at, ok := position(op)+1, true
		switch {
		case x.err != nil:
		case int64(at) > x.least.Load():
			x.err = x.configured.labels.Refuses(&op.Label)
		default:
			if ok, x.err = x.configured.event(op); x.err == nil && x.configured.keys.Work() > fewAtOnce+fewEach*x.configured.events {
				x.err = errSlow
			}
		}
		if ok || x.err != nil {
			continue
		}
		x.exact = x.configured.keys.Exact(&op.Label)
		x.bad, x.at = history.Value(strings.Clone(string(x.key(&op.Label)))), at
		for known := x.least.Load(); int64(at) < known && !x.least.CompareAndSwap(known, int64(at)); known = x.least.Load() {
		}
	}
	select {
	case x.free <- batch:
	default:
	}
}

// worst is who found the violation with the shortest prefix; nil if there is none.
func (f *splitting) worst() *splitWorker {
	i := slices.IndexFunc(f.workers, func(x *splitWorker) bool { return x.at > 0 && int64(x.at) == f.least.Load() })
	if i < 0 {
		return nil
	}
	return f.workers[i]
}

// explain reads the operations of the key of a violation once more, and has the engine
// proper look at them. It is false if that does not agree.
func (f *splitting) explain(s Source, worst *splitWorker, r *Report) bool {
	in, err := s.Open()
	if err != nil {
		return false
	}
	defer in.Close()
	var own share
	n := 0
	for op, err := range f.reader(in, s.Name).Follow(f.signature) {
		if err != nil {
			return false
		}
		if f.key(&op.Label) == worst.bad {
			own.add(ownTexts(op), n, !op.Completed())
		}
		if own.Execution != nil && len(own.Ops) > maxExplained {
			r.Result.Detail = fmt.Sprintf("key %s has more than %d operations, too many to explain it", worst.bad, maxExplained)
			return true
		}
		if n++; n == worst.at {
			break
		}
	}
	if n < worst.at {
		r.Result.Detail = "the log could not be read again to explain it"
		return true
	}
	found := own.report(f.work, true)
	if found.Err != nil || found.Result.Verdict == Linearizable || found.Result.Verdict == Violation && found.Result.Prefix != worst.at && !f.options.Whole {
		return false
	}
	if r.At, r.Explanation = found.At, found.Explanation; found.Result.Verdict == Violation {
		r.Result.Patterns, r.Result.Detail = found.Result.Patterns, found.Result.Detail
	}
	return true
}
