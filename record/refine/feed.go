package refine

import (
	"context"
	"fmt"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// feed takes the entries of a log one by one, off line or on line, and runs the
// search as far as the results are known: the specification needs an
// operation's result at its commit already.
type feed[S any] struct {
	*setup[S]
	t      tracker
	s      *search[S]
	queue  []step // entries the search has not seen
	head   int
	ended  bool
	copies bool // entries must be copied: the caller uses their room again
	room   []tape.Entry

	result  Result
	settled bool // result has a violation
}

func newFeed[S any](ctx context.Context, s *setup[S], process func(uint32) string) (f *feed[S], err error) {
	f = &feed[S]{setup: s, t: tracker{names: s.names, process: process}}
	defer func() {
		if p := recover(); p != nil {
			f, err = nil, fmt.Errorf("refine: the specification panics in its initial state: %v", p)
		}
	}()
	f.s = newSearch(ctx, s)
	return f, nil
}

// push takes the next entry, with what continues it.
func (f *feed[S]) push(es []tape.Entry) error {
	if f.copies {
		es = f.copy(es)
	}
	op, err := f.t.add(es)
	if err != nil {
		return err
	}
	if es[0].What() == binlog.ReturnEntry && op.commit == 0 && !f.observer(op.Method) && !f.wide {
		return f.t.misuse(&es[0], op, "returns without a commit; every path from Call to Return passes exactly one Commit,"+
			" unless the method is an observer ("+f.observerNames()+")")
	}
	f.queue = append(f.queue, step{es, op})
	return f.run()
}

const roomSize = 1 << 10 // entries

// copy keeps entries in room of our own.
func (f *feed[S]) copy(es []tape.Entry) []tape.Entry {
	if cap(f.room)-len(f.room) < len(es) {
		f.room = make([]tape.Entry, 0, max(roomSize, len(es)))
	}
	n := len(f.room)
	f.room = append(f.room, es...)
	return f.room[n:len(f.room):len(f.room)]
}

// end says that there are no more entries.
func (f *feed[S]) end() error {
	f.ended = true
	return f.run()
}

// run hands items to the search, as long as their operations are resolved.
func (f *feed[S]) run() error {
	for f.head < len(f.queue) && f.resolved(f.queue[f.head]) {
		it := f.queue[f.head]
		f.queue[f.head] = step{}
		f.head++
		if err := f.one(it); err != nil {
			return err
		}
	}
	if f.head > 1024 && f.head*2 > len(f.queue) {
		n := copy(f.queue, f.queue[f.head:])
		clear(f.queue[n:])
		f.queue, f.head = f.queue[:n], 0
	}
	return nil
}

// resolved reports whether all is known that the search needs at the item.
func (f *feed[S]) resolved(it step) bool {
	if it.op == nil || it.op.Returned || f.ended {
		return true
	}
	switch it.es[0].What() {
	case binlog.CallEntry:
		return !f.wide && !f.observer(it.op.Method)
	case binlog.BeginEntry, binlog.CommitEntry:
		return false
	}
	return true
}

// one hands over one item. User code that panics is an error that says so.
func (f *feed[S]) one(it step) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = f.panicked(p)
		}
	}()
	if f.s.step(it) || f.settled || f.s.found == nil {
		return nil
	}
	f.settled = true
	why := f.s.found
	f.result = Result{Verdict: check.Violation, View: f.View != nil, Op: why.op, Entry: why.entry, Reason: why.reason,
		Commits: why.commits, Calls: why.calls, Blame: Unknown, Detail: why.hint}
	return nil
}

func (f *feed[S]) panicked(p any) error {
	m := f.s.m
	u := &record.UseError{Process: "(unknown)", Entry: m.entry, Msg: fmt.Sprintf("%s panics: %v; correct it, there is no verdict without it", m.doing, p)}
	if m.at != nil {
		u.Process, u.Op = m.at.Process, m.at.String()
	}
	return u
}

// verdict is the result so far, or at the end.
func (f *feed[S]) verdict() Result {
	if f.settled {
		return f.result
	}
	r := Result{Verdict: check.Linearizable, View: f.View != nil, Commits: f.s.m.commits, Calls: f.s.m.calls}
	if f.s.limit != "" {
		r.Verdict, r.Detail = check.Inconclusive, f.s.limit
	}
	return r
}
