package record

import (
	"strconv"

	"github.com/adtinfer/adtinfer/history"
)

// Op is one recorded operation.
type Op struct {
	ID       int // its place among the calls, from 1
	Process  string
	Method   string
	Args     []Value
	Outcome  history.Outcome // history.Pending if it did not return
	Rets     []Value
	Returned bool

	names  *names
	proc   uint32
	called uint64 // entry
	begun  uint64 // entry of the latest Begin, 0: none
	commit uint64 // entry of the commit, 0: none yet
	ended  uint64 // entry of the return

	writes [][]entry // between the last Begin and the commit: part of the commit

	room [2]Value // for Args
}

// brackets tells whether an entry lies between the last Begin and the commit,
// or the log's end.
func (o *Op) brackets(seq uint64) bool {
	return o.begun != 0 && o.begun < seq && (seq < o.commit || o.commit == 0 && !o.Returned)
}

// Label is the operation as histories and messages have it.
func (o *Op) Label() history.Label {
	return history.Label{
		Kind: history.Kind{Method: o.Method, Outcome: o.Outcome},
		Args: valueTexts(o.names, o.Args),
		Rets: valueTexts(o.names, o.Rets),
	}
}

// Text is a value of the operation as text.
func (o *Op) Text(v Value) string { return string(v.text(o.names)) }

// String is "[ID] label".
func (o *Op) String() string { return "[" + strconv.Itoa(o.ID) + "] " + o.Label().String() }

func valueTexts(n *names, vs []Value) []history.Value {
	if len(vs) == 0 {
		return nil
	}
	ts := make([]history.Value, len(vs))
	for i, v := range vs {
		ts[i] = v.text(n)
	}
	return ts
}

// appendValues appends the values of an entry and those that continue it.
func appendValues(vs []Value, es []entry) []Value {
	for i := range es {
		for k := range es[i].count() {
			vs = append(vs, es[i].value(k))
		}
	}
	return vs
}
