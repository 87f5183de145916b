package record

import (
	"strconv"

	"github.com/adtinfer/adtinfer/internal/printable"
)

// UseError says that the recorder was used in a way that leaves no verdict:
// what happened, in which operation, and what to do about it.
type UseError struct {
	Process string // the handle's name
	Op      string // the operation, "[3] add(5)", if there is one
	Entry   uint64 // its number in the log, 0 if not known
	Msg     string
}

// Error is "record: process p, operation [3] add(5), entry 17: message".
func (e *UseError) Error() string {
	s := "record: process " + e.Process
	if e.Op != "" {
		s += ", operation " + e.Op
	}
	if e.Entry != 0 {
		s += ", entry " + strconv.FormatUint(e.Entry, 10)
	}
	return printable.Line(s + ": " + e.Msg)
}

const adviceShared = ": either a Return is missing, or two goroutines use one Handle; give each its own"
