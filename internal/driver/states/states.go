// Package states says how a search keeps and enters again the states of a
// reference. Package reference makes a Space, and the engine that searches over a
// reference uses it; neither knows the other.
//
//	space, err := impl.(states.Keeper).States(ctx)
//	call, err := space.Call(&label)
//	next, answer, err := space.Step(ctx, space.Start(), call, nil)
//
//	Keeper   a reference whose states can be kept
//	Space    its states, numbered, with their steps
//	Answer   what a call answered
//	Ahead    a call that may follow soon
//	Form     a state as items, in which values can be given other names
//	Kept     how states are kept, and why not better
package states

import (
	"context"
	"errors"

	"github.com/adtinfer/adtinfer/history"
)

// Keeper is a reference.Implementation whose states can be kept.
type Keeper interface {
	// States opens a Space of the reference's states. It tries first whether
	// copies do as well as replays, and uses them only then.
	States(ctx context.Context) (Space, error)
}

// ErrMemory is the error of a Space that holds as many states as its memory
// allows. A search that meets it is inconclusive.
var ErrMemory = errors.New("the states of the reference take more memory than allowed")

// Space is the states of a reference that were met, numbered. It is not safe for
// concurrent use.
type Space interface {
	// Kept says how states are kept.
	Kept() Kept

	// Start is the state of a new object.
	Start() int32

	// Call numbers a call: method and arguments, as a log writes them, and, if
	// the reference is an acceptor, the claimed answer, too. Equal calls have
	// equal numbers.
	Call(l *history.Label) (int32, error)

	// Step makes a call in a state. It answers with the number of the state
	// after it and of the Answer. The calls that ahead lists, if it is not nil, are
	// likely to be made soon, each once, in this state or in one after it: a Space in
	// another process steps them, too, while it is asked. A call that blocks leads nowhere: next is the
	// state itself. Some steps are made again in other ways; if that shows that the
	// states are not kept right, nothing that the Space said counts, and one that
	// is opened later keeps them otherwise.
	Step(ctx context.Context, state, call int32, ahead func() []Ahead) (next, answer int32, err error)

	// Answer is the answer of this number. Equal answers have equal numbers.
	Answer(n int32) Answer

	// Walk makes steps that will be asked for, all at once.
	Walk(ctx context.Context, steps []Pair) error

	// Forms are states in a form in which values can be given other names.
	Forms(ctx context.Context, states []int32) ([]Form, error)

	// Text is a state in words, for people.
	Text(ctx context.Context, state int32) (string, error)

	// Close forgets the states.
	Close() error
}

// Ahead is a call that is likely to be made soon. Nothing follows it if it does not
// answer like Claim, which has values as the reference gets them; nil: any answer
// will do, and nothing waits for the call.
type Ahead struct {
	Call  int32 // -1: none, and nothing that comes after it can be made
	Claim *history.Label
	After uint64 // a bit for each of the calls ahead that are made before
	Idle  bool   // it is likely to change nothing
}

// Pair is a call in a state.
type Pair struct{ State, Call int32 }

// Form is all that matters of an object: items, and parts that pointers lead to, by
// their places. Two states whose forms are the same
// but for the places, the order of entries in maps, and the names of values, are
// the same but for the names of values.
type Form struct {
	Items []Item
	Parts map[int][]Item
}

// Item is a piece of a Form.
type Item struct {
	Kind    ItemKind
	Text    string      // of an Integer, a Text or another value
	Number  int         // or the Place
	Entries [][2][]Item // of a Map: keys and values
}

// ItemKind says what an Item is.
type ItemKind byte

// The kinds of items.
const (
	Number  ItemKind = iota // that tells how the object is built
	Integer                 // value with Text as logs write it
	Text                    // likewise, a string or bytes
	Other                   // value with any Text
	Place                   // part or map that is at Number
	Map
)

// Answer is what a call answered; values are as logs write them.
type Answer struct {
	Outcome history.Outcome
	Rets    []history.Value
	Blocked bool // the call would wait for ever, or the acceptor refuses the claim
}

// Kept says how a Space keeps states.
type Kept struct {
	// Copied: by copies of the object. Otherwise the calls that led to a state
	// are made again.
	Copied bool `json:"copied"`

	// Interned: equal objects are one state. Otherwise each sequence of calls
	// leads to a state of its own, and a search is slow.
	Interned bool `json:"interned"`

	// Why says, in a sentence each, what stands in the way of copying and
	// interning, such as "field cond is a sync.Cond".
	Why []string `json:"why,omitempty"`
}
