package matching

import (
	"fmt"

	"github.com/adtinfer/adtinfer/history"
)

// Budget bounds a check: it goes up to the first length whose executions bring
// the total over Executions, but at least up to MinLength, and never beyond
// MaxLength.
type Budget struct {
	Executions           int
	MinLength, MaxLength int
}

// DefaultBudget takes well under a second for most types.
var DefaultBudget = Budget{Executions: 40_000, MinLength: 4, MaxLength: 6}

// Unfaithful is a witness against faithfulness ("Symbolic ADT inference" §3):
// two executions with the same history, one admitted and the other not.
type Unfaithful struct{ Admitted, Rejected []history.Label }

func (u *Unfaithful) Error() string {
	return fmt.Sprintf("matching: not faithful: %s is admitted and %s is not, but they have the same history",
		render(u.Admitted), render(u.Rejected))
}

// NotNormal is a witness against normality ("Symbolic ADT inference" §5): an
// admitted execution from which a removal makes one that is not admitted.
type NotNormal struct {
	Admitted, Rejected []history.Label
	Removed            []int  // the operations of Admitted that are missing in Rejected
	What               string // these are: "a whole match"
}

func (n *NotNormal) Error() string {
	return fmt.Sprintf("matching: not normal: %s is admitted, but %s is not, which comes from it by removing %s",
		render(n.Admitted), render(n.Rejected), n.What)
}

// Foreign is the error of a reference that returned a value nobody passed in:
// since values are only compared, no matching scheme can be faithful.
type Foreign struct {
	Execution []history.Label // the last operation returned it
	Other     []history.Label // the same with another value, not admitted
}

func (f *Foreign) Error() string {
	last := f.Execution[len(f.Execution)-1]
	return fmt.Sprintf("matching: not faithful: in %s, %s returns a value that no operation passed in, and a matching cannot tell it from any other value",
		render(f.Execution), last.Method)
}

// Ambiguous is the error of an execution in which an operation has two match
// targets: the scheme defines no matching function there.
type Ambiguous struct {
	Execution []history.Label
	Op        int // the operation
	A, B      int // its targets
}

func (e *Ambiguous) Error() string {
	return fmt.Sprintf("matching: in %s, operation %d (%s) has two match targets, operations %d (%s) and %d (%s)",
		render(e.Execution), e.Op+1, e.Execution[e.Op], e.A+1, e.Execution[e.A], e.B+1, e.Execution[e.B])
}

// NotClosed is the error of an execution in which a match target does not map
// to itself.
type NotClosed struct {
	Execution  []history.Label
	Op, Target int
}

func (e *NotClosed) Error() string {
	return fmt.Sprintf("matching: in %s, operation %d (%s) is the match target of operation %d (%s) but not of itself",
		render(e.Execution), e.Target+1, e.Execution[e.Target], e.Op+1, e.Execution[e.Op])
}

// Late is the error of an admitted execution that contradicts what the shorter
// ones led to believe about the kinds of operations.
type Late struct {
	Execution []history.Label
	What      string
}

func (l *Late) Error() string { return fmt.Sprintf("matching: %s %s", render(l.Execution), l.What) }

// Unsupported is the error of a scheme or a reference that inference cannot
// handle: the user can do something about it, but it is no witness against the
// data type.
type Unsupported struct{ Reason string }

func (u *Unsupported) Error() string { return "matching: " + u.Reason }

func render(ls []history.Label) string { return history.Sequential(ls...).String() }
