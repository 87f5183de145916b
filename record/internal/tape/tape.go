// Package tape is what packages record and record/refine both know of a recording:
// entries in one order, and the names, texts and processes that they number. It
// imports no engine, so that a program that records links none.
//
//	Tape      a recording that is over
//	Follower  a recording that goes on
//	Entry     one thing that a goroutine recorded, in 32 bytes
//	Value     an argument, a result, or the contents of a variable
//	Names     the names and texts
//	Guard     finds what a correct use of handles cannot produce
//	Misuse    such a mistake
package tape

import (
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/host/binlog"
)

// Tape is a recording: its entries in their global order. One that continues
// another follows it.
type Tape struct {
	Object  string
	Names   *Names
	Procs   []string // names of processes, by number
	Entries []Entry
}

// What package refine is to see of a *record.Log and a *record.Recorder, and users
// are not. Package record sets both.
var (
	Of     func(log any) *Tape         // its entries
	Follow func(recorder any) Follower // reads it from its beginning
)

// Follower reads a recording while it goes on.
type Follower interface {
	// Attach has a bounded recorder keep its entries for this reader; it is called
	// before the first Pull. With patient no goroutine waits at the limit: the
	// reader puts aside what it cannot take.
	Attach(patient bool) error

	// Pull hands the entries that are in place to emit, in order, one with what
	// continues it at a time, until emit returns false. Their room is used again.
	Pull(emit func(es []Entry) bool)

	// Rest says what comes after the last entry that was pulled: whether entries
	// were dropped, and how many are not published, at least. It is an error if
	// an entry that was published is not there.
	Rest() (dropped bool, missing uint64, err error)

	// Close releases those who wait for this reader.
	Close()

	// Misused is the first misuse so far, or nil.
	Misused() error

	// Recorded is the number of entries that have been made.
	Recorded() uint64

	// Forgets reports whether entries are forgotten once they have been read.
	Forgets() bool

	Names() *Names
	Process(proc uint32) string
}

// Each hands the entries to f, an entry with what continues it at a time.
func (t *Tape) Each(f func(es []Entry) error) error {
	for i := 0; i < len(t.Entries); {
		j := i + 1
		for t.Entries[j-1].More() {
			j++
		}
		if err := f(t.Entries[i:j]); err != nil {
			return err
		}
		i = j
	}
	return nil
}

// Process is the name of a process.
func (t *Tape) Process(proc uint32) string {
	if int(proc) < len(t.Procs) {
		return t.Procs[proc]
	}
	return "#" + strconv.Itoa(int(proc))
}

// Execution is the calls and returns. Operations that did not return are pending.
// The error is a *Misuse.
func (t *Tape) Execution() (*history.Execution, error) {
	e := &history.Execution{Object: t.Object}
	var g Guard
	var open []int // by process: the operation that runs
	err := t.Each(func(es []Entry) error {
		first := &es[0]
		for int(first.Proc) >= len(open) {
			open = append(open, -1)
		}
		i := open[first.Proc]
		if why := g.Check(first, t.Names); why != "" {
			m := &Misuse{Process: t.Process(first.Proc), Entry: first.Seq, Msg: why}
			if i >= 0 {
				m.Op = "[" + e.Ops[i].ID + "] " + e.Ops[i].Label.String()
			}
			return m
		}
		switch first.What() {
		case binlog.CallEntry:
			open[first.Proc] = len(e.Ops)
			e.Ops = append(e.Ops, history.Operation{ID: strconv.Itoa(len(e.Ops) + 1), Process: t.Process(first.Proc),
				Label: history.Label{Kind: history.Kind{Method: t.Names.Name(first.ID)}, Args: t.Names.Texts(es)},
				Call:  e.Events, Return: history.NoReturn})
			e.Events++
		case binlog.ReturnEntry:
			open[first.Proc] = -1
			o := &e.Ops[i]
			o.Outcome, o.Rets, o.Return = history.Outcome(t.Names.Name(first.ID)), t.Names.Texts(es), e.Events
			e.Events++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return e, nil
}
