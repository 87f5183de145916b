package refine

import (
	"fmt"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Blame says what a violation is due to.
type Blame string

const (
	// Implementation: no order of the operations explains their results.
	Implementation Blame = "implementation"

	// Annotation: there is such an order, but it is not the order of the
	// commits: a Commit stands in the wrong place. With views, they are equal in
	// that order whenever no operation runs.
	Annotation Blame = "annotation"

	// State: the results can be explained, but in no order whose views are equal
	// whenever no operation runs. The implementation lost or made up something
	// that no result has shown yet; or a write is not recorded, or the view
	// function is wrong.
	State Blame = "state"

	// Unknown: there was no judge, or it could not decide.
	Unknown Blame = "unknown"
)

// Result is what a refinement check found out.
type Result struct {
	// Verdict is Linearizable if the commit order is a witness; Violation if it
	// is not; Inconclusive if the log or the search for an order was cut short.
	Verdict check.Verdict

	View    bool   // view refinement, not I/O refinement alone
	Op      *Op    // the operation at which a violation showed; nil otherwise
	Entry   uint64 // the entry at which it showed
	Commits int    // operations that had taken effect by then
	Calls   int    // operations that had been called by then
	Reason  string // what is wrong there, in one sentence
	Blame   Blame  // of a violation
	Detail  string // what limits the answer, if something does
}

// String is one line: the verdict, the place, the reason and the blame.
func (r Result) String() string {
	s := string(r.Verdict)
	if where := r.where(); where != "" {
		s += " " + where
	}
	if r.Blame != "" {
		s += " (" + string(r.Blame) + ")"
	}
	if r.Detail != "" {
		s += "; " + r.Detail
	}
	return wording.Line(s)
}

// where is the place of a violation and the reason, or empty.
func (r Result) where() string {
	if r.Op == nil {
		return ""
	}
	return fmt.Sprintf("at %s, after %d commits: %s", r.Op, r.Commits, r.Reason)
}
