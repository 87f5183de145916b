package tape

import (
	"strconv"

	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Guard follows a recording and refuses what a correct use of handles cannot
// produce.
type Guard struct{ stages []stage }

// stage is how far the operation of a process has come.
type stage uint8

const (
	outside stage = iota
	called
	committed
)

// AdviceShared is what to do about operations of one handle that overlap.
const AdviceShared = ": either a Return is missing, or two goroutines use one Handle; give each its own"

// Check takes the next entry and says what is wrong with it and what to do about
// it, or nothing.
func (g *Guard) Check(e *Entry, names *Names) string {
	for int(e.Proc) >= len(g.stages) {
		g.stages = append(g.stages, outside)
	}
	at := &g.stages[e.Proc]
	switch e.What() {
	case binlog.CallEntry:
		if *at != outside {
			return "calls " + names.Name(e.ID) + " before it returned" + AdviceShared
		}
		*at = called
	case binlog.ReturnEntry:
		if *at == outside {
			return "returns without a call; record the Call before the operation starts, with the same Handle"
		}
		*at = outside
	case binlog.BeginEntry, binlog.CommitEntry:
		commits := e.What() == binlog.CommitEntry
		switch {
		case *at == outside && commits:
			return "commits outside an operation; Commit belongs between Call and Return of the same Handle"
		case *at == outside:
			return "begins a commit outside an operation; Begin belongs between Call and Return of the same Handle"
		case *at == committed:
			return "commits twice; every path from Call to Return passes exactly one Commit"
		case commits:
			*at = committed
		}
	case binlog.WriteEntry, binlog.AcquireEntry, binlog.ReleaseEntry:
	default:
		return "the log has an entry of an unknown kind; it was written by another version, or is damaged"
	}
	return ""
}

// Misuse is a mistake in recording; package record calls it UseError.
type Misuse struct {
	Process string // the handle's name
	Op      string // the operation, "[3] add(5)", if there is one
	Entry   uint64 // its number in the log, 0 if not known
	Msg     string
}

// Error is "record: process p, operation [3] add(5), entry 17: message".
func (m *Misuse) Error() string {
	s := "record: process " + m.Process
	if m.Op != "" {
		s += ", operation " + m.Op
	}
	if m.Entry != 0 {
		s += ", entry " + strconv.FormatUint(m.Entry, 10)
	}
	return wording.Line(s + ": " + m.Msg)
}
