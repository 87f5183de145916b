// Package follow decides executions event by event, and keeps only what the
// future may depend on. Notions: docs/proofs/near-linear.md.
//
// Queues and bags (queue). The values that were added and not removed are in a list, by the returns of their adds;
// so are the calls of the pending removes, and the i-th takes the i-th (batch.Queue). A value gets a
// deadline when a value whose add was called after its add returned is removed: D there. At each return,
// each value with a deadline must be taken by a call before it, and each operation that found nothing must have a
// gap in no core.
//
// Let a(g) of the values in the list have been added before gap g, and p(g) of the pending removes called. If
// pending removes take what they must, g is in no core of a value in the list iff a(g) ≤ p(g): those values go
// first, to the pending removes called first. Let H be the gaps where that holds that are in no core of a removed
// value. Calls and adds that return change a and p from now on only. A remove that was called at c and returned a
// value added by e lowers p from c on and a from e on: if e < c, the gaps in between are in a core now, else they
// have one pending remove less; behind, nothing changes. So gaps leave H and none of the past comes back, only
// those between c and e leave it (or between c and now, for a remove that found nothing or whose value has an add
// that runs), and it is enough to keep, of an operation that found nothing, the first of its gaps in H. The order
// of these first gaps does not change: the gap of a later one, while the earlier one lasts, is one for that too. A
// gap with a(g) = 0 stays in H: such an operation is certain, and is forgotten. Likewise only deadlines after c
// have one pending remove less before them. A violation is noticed at the event with which the shortest violating
// prefix ends, since every return is decided with all that there is by then.
//
// Sets (set). Each value by the criterion of batch.Set, at each return.
//
// Registers and locks (register, lock). Two clusters exclude each other iff f < l′ and f′ < l: that is what the
// zones of batch.Register and batch.Lock say, be they forward or backward. So a value must not be seen by what is called
// after its deadline, the least f′ of the others with f < l′. A register's value is forgotten when nothing runs
// that was called before its deadline, a lock's when nothing runs that was called before its remove returned. Of
// two values that exclude each other and were removed, the one whose event came first gave the other its deadline,
// so it is enough to look at the value that an event is about. A lock's values that were not removed have calls of
// pending removes that fit: what fits goes on doing so, but for values with a new deadline, with a new last call,
// or whose call returned. Only those get another call; if none is found, all ways are tried, and these decide.
//
// The others (segments): stacks, priority queues, and queues with peeks. Let t be a gap in no core after n events,
// where a value that was not removed, or that a running operation may still see, has a core that lasts for ever.
// The values to the left of t (see docs/proofs/finding-nothing.md) were removed for good, and what is linearizable of them
// stays so. So a longer prefix is linearizable iff what it has of the other values is: a linearization of the
// values on the left, followed by one of the others, is one of all. What is on the left is forgotten. The rest is
// decided again when it has grown by an eighth, so a violation is noticed late, but its shortest prefix is found
// all the same. When as much is kept as may be, it is decided once more, so no violation up to there is missed,
// and the next call is refused.
//
// Not proved is that a register's or lock's value may be forgotten when its deadline has passed; TestFollowers,
// which compares each follower with package batch, stands for it.
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
