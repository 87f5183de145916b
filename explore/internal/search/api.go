package search

import (
	"encoding/gob"
	"io"
	"time"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// Machine expands states. Each worker has one of its own.
type Machine interface {
	// Expand calls yield with each step that is possible in a state.
	Expand(state []byte, yield func(*machine.Step) error) error
	// Status is what is left to do in a state.
	Status(state []byte) machine.Status
}

// Sets are the sets of configurations of an exploration, by number, or the states of a monitor;
// linear.None is the empty one, or what a monitor refuses. One goroutine at a time uses them.
type Sets interface {
	Start() int32
	// Call, Return: what becomes of a set when a thread calls, and when it returns an answer.
	Call(set int32, thread int, call int32) (int32, error)
	Return(set int32, thread int, answer int32) (int32, error)
	// Announce: what becomes of a set when a directive announces what a thread's operation answers.
	// It comes after the call and before the return of the same step.
	Announce(set int32, thread int, answer int32) (int32, error)
	// Permute renames threads: perm[i] is the one that is thread i afterwards.
	Permute(set int32, perm []uint8) int32
	// MayWait reports whether operations that these threads run may wait for ever: whether the
	// set has a configuration in which none of them has taken effect, and none can.
	MayWait(set int32, threads []int) (bool, error)
}

// Problem is what is explored.
type Problem struct {
	Threads int            // that make operations, at most 32; Step.Perm may have more
	Start   func() []byte  // the first state
	Machine func() Machine // for one worker
	Again   func()         // after machine.ErrAgain: there are new machines, and a new start
	Bytes   func() int64   // the memory that all these take, about; nil: none to speak of
	Sets    Sets
	Answer  func(raw int32) (int32, error) // the specification's number of a Step's answer

	// Identity tells explorations apart: a checkpoint of another one is refused.
	Identity string
	Parts    []Part
}

// Part is something that states and sets refer to, and that a checkpoint therefore has to hold. Load
// brings one that has not been used to where another one was when it was saved.
type Part struct {
	Name string
	Save func(w io.Writer) error
	Load func(r io.Reader) error
}

// Keep is a part that is a value: get is what it has become, and put brings another one there.
func Keep[T any](name string, get func() T, put func(T) error) Part {
	return Part{
		Name: name,
		Save: func(w io.Writer) error { return gob.NewEncoder(w).Encode(get()) },
		Load: func(r io.Reader) error {
			var x T
			if err := gob.NewDecoder(r).Decode(&x); err != nil {
				return err
			}
			return put(x)
		},
	}
}

// Options say how to explore.
type Options struct {
	Workers     int   // 0: one
	Memory      int64 // in bytes, 0: no bound
	NoLivelocks bool  // do not look for livelocks
	// Progress is called now and then, between steps: Save may be called in it.
	Progress func(Stats)
}

// Stats are figures of an exploration.
type Stats struct {
	States  int           // that were found
	Waiting int           // this many of them wait to be expanded
	Steps   int           // from those that were expanded
	Levels  int           // that were begun; the first one is the start's
	Edges   int           // kept for livelocks
	Again   int           // how often it started again
	Bytes   int64         // of memory, the most
	Elapsed time.Duration // of the runs that led here
	Workers int
}

// Result is what an exploration found.
type Result struct {
	Finding *Finding // nil: no violation
	// NotCovered is the first fault of this kind: then no Finding does not mean that there is
	// no violation.
	NotCovered *Finding
	// Complete says that all states were expanded. Otherwise Why says what ended it, unless a
	// finding did: the context's error, or ErrMemory.
	Complete bool
	Why      error
	// Depth is the number of steps up to which all interleavings were explored: all of
	// any length, if Complete.
	Depth int
	Stats Stats
}

// Kind tells findings apart.
type Kind uint8

// The kinds of findings.
const (
	NotLinearizable Kind = iota // or refused by a monitor
	Faulty                      // see Fault
	Deadlock                    // no step is possible
	Livelock                    // no end can be reached

	// Of runs in which calls come one at a time; see Explore.
	Stuck  // an operation waits, and no calls let it go on
	Spins  // the same, in a loop
	Leak   // a goroutine waits so after its operation has returned
	Panics // an operation that is wrong, whatever it is called for
)

func (k Kind) String() string {
	return [...]string{"not linearizable", "fault", "deadlock", "livelock", "deadlock", "livelock", "leak", "panic"}[k]
}

// Finding is a violation.
type Finding struct {
	Kind  Kind
	Fault *machine.Fault
	// Path leads from the start to the violation: its last move is the return that is not
	// linearizable or the fault; it ends in the deadlock, or at the beginning of Cycle.
	Path []machine.Move
	// Cycle of a livelock leads from the end of Path back to it, and Lost is the number of
	// moves of Path after which no end can be reached any more.
	Cycle []machine.Move
	Lost  int
	// Threads are those that wait in a deadlock, by their place in its state.
	Threads []int
}
