package spec

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// Spec is a data type. It is safe for concurrent use.
type Spec interface {
	// Start is the state of a new object.
	Start() int32

	// Moves lists what a call may answer in a state, each with the state after it; none
	// if the call waits there. The slice is not to be changed.
	Moves(state, call int32) ([]Move, error)

	// Text is a state for readers.
	Text(state int32) string
}

// Move is an answer, and the state after it.
type Move struct{ Answer, Next int32 }

// Learner is a Spec of calls that may answer any value: it lists answers with the values
// that it knows, and one that stands for all others.
type Learner interface {
	Spec

	// Learn reports whether an answer has a value that was not known. From then on it
	// is, and what Moves said before may be too little.
	Learn(answer int32) bool
}

// Waiter is a Spec that knows what an implementation can answer.
type Waiter interface {
	Spec

	// Waits reports whether a call may wait in a state: the implementation can give no
	// answer that Moves lists.
	Waits(state, call int32) (bool, error)
}

// Waits reports whether a call may wait in a state.
func Waits(s Spec, state, call int32) (bool, error) {
	if w, ok := s.(Waiter); ok {
		return w.Waits(state, call)
	}
	moves, err := s.Moves(state, call)
	return len(moves) == 0, err
}

// unknown is a value that is none of some: it stands for all values that are not known.
func unknown(values []history.Value) history.Value {
	for n := 0; ; n++ {
		if v := history.Value("?" + strconv.Itoa(n)); !slices.Contains(values, v) {
			return v
		}
	}
}

// IsUnknown reports whether a value of an answer stands for all that are not known.
func IsUnknown(v history.Value) bool { return strings.HasPrefix(string(v), "?") }
