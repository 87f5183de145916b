package record

import "github.com/adtinfer/adtinfer/internal/binlog"

// entry is one record of the log, in 32 bytes without pointers.
type entry struct {
	seq   uint64 // place in the global order, from 1
	proc  uint32 // index of the handle
	id    uint16 // method, outcome or variable
	kind  kind
	types uint8 // of the values: low and high four bits
	vals  [2]uint64
}

// kind is what an entry says, with how many of its values are used.
type kind uint8

const (
	callEntry    = kind(binlog.CallEntry)
	returnEntry  = kind(binlog.ReturnEntry)  // id is the outcome
	beginEntry   = kind(binlog.BeginEntry)   // of a bracket: the commit comes after it
	commitEntry  = kind(binlog.CommitEntry)  //
	writeEntry   = kind(binlog.WriteEntry)   // variable id [vals[0]] = vals[1]
	acquireEntry = kind(binlog.AcquireEntry) // lock id [vals[0]]
	releaseEntry = kind(binlog.ReleaseEntry) // lock id [vals[0]]

	kindMask  kind = 0x0f
	countMask kind = 0x30 // values in this entry: 0, 1 or 2
	countOne  kind = 0x10
	moreFlag  kind = binlog.MoreFlag // the entry's values, or a block of writes, go on in the next one
)

func (e *entry) what() kind { return e.kind & kindMask }

// count is the number of values in this entry.
func (e *entry) count() int { return int(e.kind&countMask) >> 4 }

// more tells whether the next entry continues this one, under the same number.
func (e *entry) more() bool { return e.kind&moreFlag != 0 }

func (e *entry) value(i int) Value {
	t := e.types & 0x0f
	if i == 1 {
		t = e.types >> 4
	}
	return Value{e.vals[i], valueType(t)}
}

// chunkSize is the number of entries of a chunk, which fills 32 KiB.
const chunkSize = 1023

// chunk holds consecutive entries of one handle. The pointer stands first, so
// that the garbage collector need not look at the entries.
type chunk struct {
	next    *chunk
	readers int // that have not read it yet, if the recorder is bounded; under its lock
	entries [chunkSize]entry
}
