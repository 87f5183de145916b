package refine

import (
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// Op is one recorded operation.
type Op struct {
	ID       int // its place among the calls, from 1
	Process  string
	Method   string
	Args     []record.Value
	Outcome  history.Outcome // history.Pending if it did not return
	Rets     []record.Value
	Returned bool

	names  *tape.Names
	proc   uint32
	called uint64 // entry
	begun  uint64 // entry of the latest Begin, 0: none
	commit uint64 // entry of the commit, 0: none yet
	ended  uint64 // entry of the return

	writes [][]tape.Entry // between the last Begin and the commit: part of the commit

	room [2]record.Value // for Args
}

// brackets reports whether an entry lies between the last Begin and the commit,
// or the log's end.
func (o *Op) brackets(seq uint64) bool {
	return o.begun != 0 && o.begun < seq && (seq < o.commit || o.commit == 0 && !o.Returned)
}

// Label is the operation as histories and messages have it, values as text.
func (o *Op) Label() history.Label {
	texts := func(vs []record.Value) []history.Value {
		if len(vs) == 0 {
			return nil
		}
		ts := make([]history.Value, len(vs))
		for i, v := range vs {
			ts[i] = o.names.Text(tape.Value(v))
		}
		return ts
	}
	return history.Label{Kind: history.Kind{Method: o.Method, Outcome: o.Outcome}, Args: texts(o.Args), Rets: texts(o.Rets)}
}

// String is "[ID] label".
func (o *Op) String() string { return "[" + strconv.Itoa(o.ID) + "] " + o.Label().String() }

// tracker makes operations of entries. It refuses what a correct use of handles
// cannot produce.
type tracker struct {
	names   *tape.Names
	process func(proc uint32) string
	guard   tape.Guard
	open    []*Op // by process: the operation that runs, if any
	methods []string
	ops     int
}

// add takes the next entry with what continues it. The operation is nil for a
// write, an acquire or a release outside all operations.
func (t *tracker) add(es []tape.Entry) (*Op, error) {
	e := &es[0]
	for int(e.Proc) >= len(t.open) {
		t.open = append(t.open, nil)
	}
	op := t.open[e.Proc]
	if why := t.guard.Check(e, t.names); why != "" {
		return nil, t.misuse(e, op, why)
	}
	switch e.What() {
	case binlog.CallEntry:
		t.ops++
		op = &Op{ID: t.ops, Process: t.process(e.Proc), Method: t.name(e.ID), names: t.names, proc: e.Proc, called: e.Seq}
		op.Args = appendValues(op.room[:0], es)
		t.open[e.Proc] = op
	case binlog.ReturnEntry:
		op.Outcome, op.Returned, op.ended = history.Outcome(t.name(e.ID)), true, e.Seq
		if e.Count() > 0 {
			op.Rets = appendValues(nil, es)
		}
		t.open[e.Proc] = nil
	case binlog.BeginEntry:
		op.begun, op.writes = e.Seq, nil
	case binlog.CommitEntry:
		op.commit = e.Seq
	default:
		if op != nil && op.begun != 0 && op.commit == 0 {
			op.writes = append(op.writes, es)
		}
	}
	return op, nil
}

func (t *tracker) misuse(e *tape.Entry, op *Op, msg string) error {
	u := &record.UseError{Process: t.process(e.Proc), Entry: e.Seq, Msg: msg}
	if op != nil {
		u.Op = op.String()
	}
	return u
}

// name is names.Name without its lock most of the time.
func (t *tracker) name(id uint16) string {
	for int(id) >= len(t.methods) {
		t.methods = append(t.methods, "")
	}
	if t.methods[id] == "" {
		t.methods[id] = t.names.Name(id)
	}
	return t.methods[id]
}

// appendValues appends the values of an entry and those that continue it.
func appendValues(vs []record.Value, es []tape.Entry) []record.Value {
	for i := range es {
		for k := range es[i].Count() {
			vs = append(vs, record.Value(es[i].Value(k)))
		}
	}
	return vs
}
