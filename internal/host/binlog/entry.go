package binlog

import "encoding/binary"

// EntrySize is the number of bytes of an encoded entry.
const EntrySize = 32

// Entry is one record of what a program did.
type Entry struct {
	Seq   uint64 // place in the global order, from 1
	Proc  uint32 // number of the process
	ID    uint16 // number of the name: a method, an outcome, a variable
	Kind  uint8  // what it says, with how many of its values are used
	Types uint8  // of the values: low and high four bits
	Vals  [2]uint64
}

// What an entry says, in the low four bits of its kind. The next two bits count
// its values.
const (
	CallEntry   = iota + 1 // ID is the method
	ReturnEntry            // ID is the outcome
	BeginEntry
	CommitEntry
	WriteEntry
	AcquireEntry
	ReleaseEntry

	// MoreFlag says that the next entry goes on with this one.
	MoreFlag = 0x40
)

// The types of values.
const (
	NoValue = iota
	IntValue
	UintValue
	BoolValue
	TextValue // a number of the texts
)

// Encode writes the entry to the first EntrySize bytes of b.
func (e *Entry) Encode(b []byte) {
	binary.LittleEndian.PutUint64(b, e.Seq)
	binary.LittleEndian.PutUint32(b[8:], e.Proc)
	binary.LittleEndian.PutUint16(b[12:], e.ID)
	b[14], b[15] = e.Kind, e.Types
	binary.LittleEndian.PutUint64(b[16:], e.Vals[0])
	binary.LittleEndian.PutUint64(b[24:], e.Vals[1])
}

// Decode reads the entry from the first EntrySize bytes of b.
func (e *Entry) Decode(b []byte) {
	e.Seq = binary.LittleEndian.Uint64(b)
	e.Proc = binary.LittleEndian.Uint32(b[8:])
	e.ID = binary.LittleEndian.Uint16(b[12:])
	e.Kind, e.Types = b[14], b[15]
	e.Vals[0] = binary.LittleEndian.Uint64(b[16:])
	e.Vals[1] = binary.LittleEndian.Uint64(b[24:])
}

// Sound reports whether the entry makes sense in a log of so many processes.
func (e *Entry) Sound(processes int) bool {
	return int(e.Proc) < processes && e.Count() <= 2 && e.What() >= CallEntry && e.What() <= ReleaseEntry
}

// What is what the entry says: CallEntry, ...
func (e *Entry) What() int { return int(e.Kind & 0x0f) }

// Count is how many values it has.
func (e *Entry) Count() int { return int(e.Kind>>4) & 3 }

// More reports whether the next entry goes on with this one.
func (e *Entry) More() bool { return e.Kind&MoreFlag != 0 }

// Type is the type of value i.
func (e *Entry) Type(i int) uint8 { return e.Types >> (4 * i) & 0x0f }
