package record

import "github.com/adtinfer/adtinfer/history"

// tracker follows the entries of a log and says which operation each belongs
// to. It refuses what a correct use of handles cannot produce.
type tracker struct {
	names   *names
	process func(proc uint32) string
	open    []*Op // by process: the operation that runs, if any
	methods []string
	ops     int
}

func newTracker(n *names, process func(uint32) string) *tracker {
	return &tracker{names: n, process: process}
}

// add takes the next entry with what continues it. The operation is nil for a
// write, an acquire or a release outside all operations.
func (t *tracker) add(es []entry) (*Op, error) {
	e := &es[0]
	for int(e.proc) >= len(t.open) {
		t.open = append(t.open, nil)
	}
	op := t.open[e.proc]
	switch e.what() {
	case callEntry:
		return t.call(es, op)
	case returnEntry:
		return op, t.ret(es, op)
	case beginEntry, commitEntry:
		return op, t.commit(e, op)
	case writeEntry, acquireEntry, releaseEntry:
		if op != nil && op.begun != 0 && op.commit == 0 {
			op.writes = append(op.writes, es)
		}
		return op, nil
	}
	return nil, t.misuse(e, op, "the log has an entry of an unknown kind; it was written by another version, or is damaged")
}

func (t *tracker) call(es []entry, op *Op) (*Op, error) {
	e := &es[0]
	if op != nil {
		return nil, t.misuse(e, op, "calls "+t.method(e.id)+" before it returned"+adviceShared)
	}
	t.ops++
	op = &Op{ID: t.ops, Process: t.process(e.proc), Method: t.method(e.id), names: t.names, proc: e.proc, called: e.seq}
	op.Args = appendValues(op.room[:0], es)
	t.open[e.proc] = op
	return op, nil
}

func (t *tracker) ret(es []entry, op *Op) error {
	e := &es[0]
	if op == nil {
		return t.misuse(e, nil, "returns without a call; record the Call before the operation starts, with the same Handle")
	}
	op.Outcome, op.Returned, op.ended = t.outcome(e.id), true, e.seq
	if e.count() > 0 {
		op.Rets = appendValues(nil, es)
	}
	t.open[e.proc] = nil
	return nil
}

func (t *tracker) commit(e *entry, op *Op) error {
	switch {
	case op == nil && e.what() == commitEntry:
		return t.misuse(e, nil, "commits outside an operation; Commit belongs between Call and Return of the same Handle")
	case op == nil:
		return t.misuse(e, nil, "begins a commit outside an operation; Begin belongs between Call and Return of the same Handle")
	case op.commit != 0:
		return t.misuse(e, op, "commits twice; every path from Call to Return passes exactly one Commit")
	case e.what() == commitEntry:
		op.commit = e.seq
	default:
		op.begun, op.writes = e.seq, nil
	}
	return nil
}

func (t *tracker) misuse(e *entry, op *Op, msg string) error {
	u := &UseError{Process: t.process(e.proc), Entry: e.seq, Msg: msg}
	if op != nil {
		u.Op = op.String()
	}
	return u
}

// method and outcome are names.name without its lock most of the time.
func (t *tracker) method(id uint16) string {
	for int(id) >= len(t.methods) {
		t.methods = append(t.methods, "")
	}
	if t.methods[id] == "" {
		t.methods[id] = t.names.name(id)
	}
	return t.methods[id]
}

func (t *tracker) outcome(id uint16) history.Outcome { return history.Outcome(t.method(id)) }
