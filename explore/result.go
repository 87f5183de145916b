package explore

import (
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/trace"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Verdict is what came out.
type Verdict string

const (
	// Holds: every interleaving within the bounds is linearizable, and none has a
	// fault.
	Holds Verdict = "holds"
	// Violated: a history that is not linearizable.
	Violated Verdict = "violated"
	// WrongPolicy: every interleaving is linearizable, but not as the package's directives say.
	WrongPolicy Verdict = "wrong policy"
	// Proved: every interleaving of any number of goroutines and operations is linearizable.
	Proved Verdict = "proved"
	// Unproved: the proof for any number of goroutines fails. That does not mean that something is
	// wrong.
	Unproved Verdict = "unproved"
	// Racy: two accesses to the same memory without synchronization, one of them a
	// write.
	Racy Verdict = "data race"
	// Deadlocked: goroutines wait for each other.
	Deadlocked Verdict = "deadlock"
	// Livelocked: from some state on, some operation can never return.
	Livelocked Verdict = "livelock"
	// Faulty: a goroutine panics, a lock is misused, code does not end.
	Faulty Verdict = "fault"
	// Incomplete: not everything within the bounds was explored, and nothing was found.
	Incomplete Verdict = "incomplete"
)

// Result is what a run found out.
type Result struct {
	Package, Type string
	Against       string // what the operations were held against, in words
	Verdict       Verdict
	Policy        bool // the package's directives were checked

	// Held are the largest bounds within which it holds: all interleavings were explored.
	Held []Bounds
	// Bounds are those of the counterexample; if the verdict is Incomplete, or the bounds
	// grew until the end of the context, those that were not explored to the end, and
	// Why says what ended the run. Else they are the last ones of Held.
	Bounds Bounds
	Why    string
	// States and Steps were explored within Bounds, in Seconds.
	States, Steps int64
	Seconds       float64

	// NotModelled says what the verdict does not speak of. Notes is what else is to be
	// known: exported methods that are no operations, say.
	NotModelled, Notes []string

	// Made is the Go expression that makes the object. Alone says what its operations do if calls come one at a time,
	// and what else is to be known from that.
	Made  string
	Alone []string

	// Views are the figures of a proof for any number of goroutines.
	Views *Views

	// Counterexample is there if something was found.
	Counterexample *Counterexample

	all      bool             // see Options
	states   map[Bounds]int64 // of those in Held
	recorded bool             // the counterexample has a history that a test recorded
}

// Counterexample is a shortest interleaving that shows what is wrong.
type Counterexample struct {
	What   string  // in one sentence
	Events []Event // what happened
	// History is the calls and returns: a log that check takes.
	History *history.Execution
	// Replay repeats the run: Options and this string are all it takes.
	Replay string
	// Test is a Go test that forces the interleaving by gates in the source: files to lay over
	// the package's (go test -overlay), by path. NoTest says why there is none.
	Test   map[string]string
	NoTest string
	// Calls is a Go test, TestHistory, that makes the calls of History, and fails if they answer the same: files to lay
	// over the package's, by path. It is nil if there is none.
	Calls map[string]string
}

// Event is a line of a counterexample.
type Event = trace.Line

// Text is the counterexample as a drawing: a line an event, a lane for each goroutine.
// In a lane ( is a call, ) a return, * what a goroutine does, and | says that it is
// within an operation.
func (c *Counterexample) Text() string { return trace.Draw(c.Events) }

// Sentence says what was found, and what it rests on.
func (r *Result) Sentence() string {
	if r.Views != nil {
		return r.sentenceOfViews()
	}
	switch r.Verdict {
	case Holds:
		var parts []string
		for _, b := range r.Held {
			parts = append(parts, fmt.Sprintf("%s (%s)", b, states(r.states[b])))
		}
		s := "linearizable "
		if r.Policy {
			s += "by its linearization policy "
		}
		s += "in every interleaving of " + listed(parts)
		if len(r.NotModelled) > 0 {
			s += "; " + strings.Join(r.NotModelled, "; ")
		}
		return s
	case Incomplete:
		s := fmt.Sprintf("nothing found in %s of %s, but %s", states(r.States), r.Bounds, r.Why)
		for i, b := range r.Held {
			s += []string{"; it holds for ", ", and for "}[min(i, 1)] + b.String()
		}
		return s
	}
	if r.recorded {
		return r.Counterexample.What
	}
	return fmt.Sprintf("%s (in %s)", r.Counterexample.What, r.Bounds)
}

func states(n int64) string { return wording.Count(int(n), "state") }

// listed joins parts of a sentence.
func listed(parts []string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", of ") + " and of " + parts[last]
}
