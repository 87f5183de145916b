package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// Evidence is for one log and one theory. Operations are named by their
// identifiers in the log.
type Evidence struct {
	Theory string // its name
	Log    string // the Digest of the execution

	// Violation says which verdict this is evidence for: that the execution's
	// first Prefix events are a violation, by Steps or a Window, or that the execution
	// is linearizable, by Order.
	Violation bool
	Prefix    int
	Keys      []history.Value // what follows is about the operations of this key of a product, and of the next in its part
	Steps     []Step
	Control   bool // Window is about the automaton beside the patterns
	Window    *Window
	Order     []Taken
}

// Window says that a theory's automaton, whatever its state after the first First
// events, allows no order of the operations that run later. If First is 0 its state
// is known.
type Window struct {
	First int
	Line  int // in the file it was read from; 0 if it was not
}

// Taken is an operation of a linearization. Outcome and Rets are what a
// pending one answers, had it returned; they are empty for completed ones.
type Taken struct {
	Op      string
	Outcome history.Outcome
	Rets    []history.Value

	Line int // in the file it was read from; 0 if it was not
}

// Step is one step of a derivation.
type Step struct {
	// Suppose opens a part that must end in a contradiction; the opposite of
	// Fact holds after it.
	Suppose bool

	Fact Fact // of a contradiction the zero Fact

	// By names the pattern or axiom that leaves no other way, and Ops the
	// operations in its places. Without a name Ops are the operations that the
	// order goes through.
	By  string
	Ops []string

	// Answer says that the one operation has an answer that its method never has, whatever
	// comes before.
	Answer bool

	Line int // in the file it was read from; 0 if it was not
}

// Fact is something about a linearization, whichever it is.
type Fact struct {
	Is      string // Before, Took, Never or Contradiction
	A, B    string
	Outcome history.Outcome // of Took and Never
}

// What facts say, in Fact.Is.
const (
	// Before: A comes before B.
	Before = "order"
	// Took: operation A, which has not returned, takes effect with Outcome and
	// is one whose match target is B. If B is A itself: it takes effect with
	// Outcome, whatever it matches.
	Took = "took"
	// Never: the opposite of Took.
	Never = "never"
	// Contradiction: nothing can be.
	Contradiction = ""
)

// Opposite is the fact that holds where f does not.
func (f Fact) Opposite() Fact {
	switch f.Is {
	case Before:
		f.A, f.B = f.B, f.A
	case Took:
		f.Is = Never
	case Never:
		f.Is = Took
	}
	return f
}

// String is the fact as files have it.
func (f Fact) String() string { return strings.Join(f.words(), " ") }

// Digest is a text that tells an execution from any other: the SHA-256 of its
// events with identifiers, labels and order. Layout, comments, aliases and the
// format of the log do not matter.
func Digest(e *history.Execution) string {
	type event struct {
		op   int
		call bool
		ours bool
	}
	events := make([]event, e.Events)
	for i := range e.Ops {
		o := &e.Ops[i]
		events[o.Call] = event{i, true, true}
		if o.Completed() {
			events[o.Return] = event{i, false, true}
		}
	}
	h := sha256.New()
	for _, ev := range events {
		if !ev.ours { // of an operation that was left out
			continue
		}
		o := &e.Ops[ev.op]
		if ev.call {
			fmt.Fprintf(h, "call %q %q %q\n", o.ID, o.Method, o.Args)
		} else {
			fmt.Fprintf(h, "return %q %q %q\n", o.ID, o.Outcome, o.Rets)
		}
	}
	return sum(h)
}

func sum(h io.Writer) string {
	return "sha256:" + hex.EncodeToString(h.(interface{ Sum([]byte) []byte }).Sum(nil))
}
