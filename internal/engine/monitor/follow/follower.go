// Package follow decides executions event by event, and keeps only what the
// future may depend on. Why that is right: docs/proofs/following.md.
package follow

import (
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// A Follower decides the executions of a shape event by event, pending operations
// taken into account, and keeps what the future may depend on: the values that
// are in, and what runs. Mostly it notices a violation at the event with which the
// shortest violating prefix ends. A value that it has forgotten and that is added
// again is a new one.
//
// Events are numbered from 1. After a violation, or an unclear answer, nothing
// more may be asked.
type Follower interface {
	// called takes what happens next: an operation is called. It returns the
	// number of the event, or why the follower does not take it: it then counts
	// for nothing.
	called(o calling) (at int64, why string)

	// returned takes what happens next: an operation returns, and what it did.
	returned(x returning) batch.Answer

	// finish decides what it has left open so far.
	finish() batch.Answer

	// live counts what is kept.
	live() int

	// prefix is how many events the shortest violating prefix has, after a
	// violation; 0 if it ends with the last. It may be shorter if it is not exact.
	prefix() (events int64, exact bool)

	// why is the rule that is broken, with the values that it is about, as
	// far as they are known.
	why() (batch.Rule, []history.Value)
}

// calling is an operation that is called: it may add, or may remove, or neither
// (open is none), is of some kind of those that do, and was asked about a value,
// if its call says one.
type calling struct {
	open  batch.Role
	kind  uint8
	asked history.Value
}

// addsAgain is why a call is not taken.
const addsAgain = "adds a value that is in"

// returning is an operation that returns: the event of its call, what it might
// have done and was asked, what it did and to which value.
type returning struct {
	at         int64
	open, did  batch.Role
	asked, val history.Value
}

// broken is what a follower says of a violation.
type broken struct {
	rule   batch.Rule
	values []history.Value
}

func (b *broken) why() (batch.Rule, []history.Value) { return b.rule, b.values }

func (b *broken) prefix() (events int64, exact bool) { return 0, true }

// finish: nothing is left open.
func (b *broken) finish() batch.Answer { return batch.Linearizable }

func (b *broken) no(r batch.Rule, values ...history.Value) batch.Answer {
	b.rule, b.values = r, values
	return batch.Violating
}

// calls are the events at which running operations were called, in order.
type calls []int64

// before reports whether any was called before an event.
func (c calls) before(at int64) bool { return len(c) > 0 && c[0] < at }

// textOf is the value that a key is of.
func textOf(k wording.Key) history.Value { return history.Value(k.String()) }

// recycled is one of those that are to be used again, or a new one: these are made many
// at a time.
func recycled[T any](free *[]*T) *T {
	if len(*free) == 0 {
		more := make([]T, 32)
		for i := range more {
			*free = append(*free, &more[i])
		}
	}
	last := len(*free) - 1
	x := (*free)[last]
	*free = (*free)[:last]
	return x
}
