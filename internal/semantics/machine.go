package semantics

import (
	"hash/maphash"
	"math/bits"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
)

// State is a state of a data type that runs. No step changes it.
type State interface {
	// Equal compares with a state of the same data type.
	Equal(State) bool

	// Hash is the same for equal states.
	Hash() uint64
}

// Model is an executable specification. Its methods must be pure: a Model is
// shared by goroutines, and states that were left are entered again.
type Model interface {
	// Init is the state before the first call.
	Init() State

	// Step reports whether an operation may take effect in a state, answering
	// as its label says, and the state after it. A label with the outcome
	// history.Pending has not answered: any answer will do.
	Step(s State, l *history.Label) (next State, ok bool)
}

// Machine is a Model that a theory describes: an automaton, or a product of them. It is a
// Brancher, a Reader and Refusing of package wgl, and may be more there.
type Machine interface {
	Model

	// Branches lists the states after a call that has not answered, one for each way in
	// which it may take effect. Step finds one of them.
	Branches(s State, call *history.Label) []State

	// Answer is the label of a call with its answer, whose outcome is history.Pending if it is
	// not determined; false if the call waits.
	Answer(s State, call *history.Label) (history.Label, bool)

	// Answers lists what a call may answer in a state: one label, unless values of the
	// answer are free; none if it waits. Of free values, those of For and one that is
	// none of them are listed.
	Answers(s State, call *history.Label) []history.Label

	// For is the machine for an execution: it knows the values that calls which have not
	// returned may have answered.
	For(e *history.Execution) Machine

	// ReadOnly reports whether an operation changes nothing, in whatever state.
	ReadOnly(l *history.Label) bool

	// Free reports whether calls of a method may answer any value.
	Free(method string) bool

	// Guesses reports whether it may matter later which free value a call answers.
	Guesses() bool

	// Unclear reports whether such a value is compared by its size: of a call that
	// answers one and has not returned nothing is known.
	Unclear() bool

	// Refuses says which value of a label, whose method and numbers of values are the
	// machine's, is none that it can take; AnyValues reports whether it never does.
	Refuses(l *history.Label) error
	AnyValues() bool

	// Text is a state for readers.
	Text(s State) string
}

// Numbers numbers states in the order in which they are met: equal ones have one number.
type Numbers struct {
	All    []State // by number
	byHash map[uint64][]int32
}

// Of is the number of a state.
func (n *Numbers) Of(s State) int32 {
	h := s.Hash()
	for _, i := range n.byHash[h] {
		if n.All[i].Equal(s) {
			return i
		}
	}
	if n.byHash == nil {
		n.byHash = map[uint64][]int32{}
	}
	i := int32(len(n.All))
	n.All, n.byHash[h] = append(n.All, s), append(n.byHash[h], i)
	return i
}

// Mix multiplies to 128 bits and folds the halves.
func Mix(h uint64) uint64 {
	hi, lo := bits.Mul64(h^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo
}

// seed is for hashes that live as long as the process.
var seed = maphash.MakeSeed()

// HashValue is a hash of a value, for states.
func HashValue(v history.Value) uint64 { return maphash.String(seed, string(v)) }

// IsInteger reports whether a value is an integer of 64 bits.
func IsInteger(v history.Value) bool {
	_, err := strconv.ParseInt(string(v), 10, 64)
	return err == nil
}

// ValuesOf lists the distinct values of operations in order of appearance.
func ValuesOf(ops []history.Operation) []history.Value {
	values := []history.Value{}
	seen := map[history.Value]bool{}
	for i := range ops {
		for _, vs := range [2][]history.Value{ops[i].Args, ops[i].Rets} {
			for _, v := range vs {
				if !seen[v] {
					seen[v] = true
					values = append(values, v)
				}
			}
		}
	}
	return values
}
