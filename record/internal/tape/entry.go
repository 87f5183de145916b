package tape

import (
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/host/binlog"
)

// Entry is one record of the log, without pointers. What it says, and what its
// fields mean, package binlog defines.
type Entry binlog.Entry

// CountOne counts a value, in the kind of an entry.
const CountOne = 0x10

// What is the kind of the entry: binlog.CallEntry, say.
func (e *Entry) What() uint8 { return e.Kind & 0x0f }

// Count is the number of values in this entry: 0, 1 or 2.
func (e *Entry) Count() int { return int(e.Kind>>4) & 3 }

// More reports whether the next entry continues this one, under the same number.
func (e *Entry) More() bool { return e.Kind&binlog.MoreFlag != 0 }

// Value is one of the values.
func (e *Entry) Value(i int) Value { return Value{e.Vals[i], e.Types >> (4 * i) & 0x0f} }

// Encode writes the entry to the first binlog.EntrySize bytes of b.
func (e *Entry) Encode(b []byte) { (*binlog.Entry)(e).Encode(b) }

// Decode reads the entry from the first binlog.EntrySize bytes of b.
func (e *Entry) Decode(b []byte) { (*binlog.Entry)(e).Decode(b) }

// Value is an argument, a result, or the contents of a variable. Values with the
// same Names are equal exactly if they have the same type and contents.
type Value struct {
	Bits uint64 // of text: its number
	Type uint8  // binlog.IntValue, say
}

// Text is a value as logs write it.
func (n *Names) Text(v Value) history.Value {
	switch v.Type {
	case binlog.IntValue:
		return history.Value(strconv.FormatInt(int64(v.Bits), 10))
	case binlog.UintValue:
		return history.Value(strconv.FormatUint(v.Bits, 10))
	case binlog.BoolValue:
		return history.Value(strconv.FormatBool(v.Bits != 0))
	case binlog.TextValue:
		return history.Value(n.text(v.Bits))
	}
	return ""
}

// Texts are the values of an entry with what continues it, as logs write them.
func (n *Names) Texts(es []Entry) []history.Value {
	var ts []history.Value
	for i := range es {
		for k := range es[i].Count() {
			ts = append(ts, n.Text(es[i].Value(k)))
		}
	}
	return ts
}
