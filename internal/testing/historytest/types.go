package historytest

import (
	"math/rand/v2"

	"github.com/adtinfer/adtinfer/history"
)

// Type is a data type whose executions can be made at random.
type Type struct {
	Name    string
	Model   Model
	Methods []Method
	Keyed   bool // a replaced answer that is a value is the argument, as the others are
	Lost    int  // of so many operations one never returns, and its process goes on with another; 0: none

	// Draw makes calls, and Spoil other answers, for types of which Methods cannot
	// say enough; e is the execution so far. nil: what Methods say.
	Draw  func(r *rand.Rand, e *history.Execution) history.Label
	Spoil func(r *rand.Rand, e *history.Execution, o *history.Operation)
}

// Method is a method and what its calls may look like.
type Method struct {
	Name     string
	Takes    int // 0: no argument; n > 0: one of the values 1 to n; Fresh: a value not used before
	Outcomes []history.Outcome
	Brings   bool // a second argument: a value not used before
	Also     int  // further arguments, each one of the values that it Takes
}

// Fresh are arguments that no call had before.
const Fresh = -1

var (
	none   = []history.Outcome{history.None}
	lookup = []history.Outcome{history.Some, history.Nil}
	told   = []history.Outcome{history.True, history.False}
)

// Examples are the types of the package's simpler examples of references: queue,
// stack, register, lock and set.
func Examples() []Type { return []Type{Queue(), Stack(), Register(), Lock(), Set()} }

// Queue is first in, first out.
func Queue() Type {
	return Type{Name: "queue", Model: container(0), Methods: []Method{{Name: "add", Takes: Fresh, Outcomes: none}, {Name: "remove", Takes: 0, Outcomes: lookup}}}
}

// Stack is last in, first out.
func Stack() Type {
	return Type{Name: "stack", Model: container(-1), Methods: []Method{{Name: "add", Takes: Fresh, Outcomes: none}, {Name: "remove", Takes: 0, Outcomes: lookup}}}
}

// Worksteal is a queue from which two methods remove.
func Worksteal() Type {
	return Type{Name: "worksteal", Model: container(0), Methods: []Method{{Name: "give", Takes: Fresh, Outcomes: none}, {Name: "take", Takes: 0, Outcomes: lookup}, {Name: "steal", Takes: 0, Outcomes: lookup}}}
}

// Register holds the value written last.
func Register() Type {
	return Type{Name: "register", Model: register, Methods: []Method{{Name: "write", Takes: Fresh, Outcomes: none}, {Name: "read", Takes: 0, Outcomes: lookup}}}
}

// Lock is held by one key at a time.
func Lock() Type {
	return Type{Name: "lock", Model: lock, Methods: []Method{{Name: "lock", Takes: Fresh, Outcomes: lookup}, {Name: "unlock", Takes: 0, Outcomes: lookup}}}
}

// Set holds the values 1 and 2, or not.
func Set() Type {
	return Type{Name: "set", Model: set, Keyed: true, Methods: []Method{{Name: "insert", Takes: 2, Outcomes: lookup}, {Name: "remove", Takes: 2, Outcomes: lookup}, {Name: "contains", Takes: 2, Outcomes: lookup}}}
}

// PlainSet is a set whose changes answer nothing.
func PlainSet() Type {
	return Type{Name: "plainset", Model: plainSet, Methods: []Method{{Name: "add", Takes: 2, Outcomes: none}, {Name: "remove", Takes: 2, Outcomes: none}, {Name: "contains", Takes: 2, Outcomes: told}}}
}

// Presence is a set whose methods have other names.
func Presence() Type {
	return Type{Name: "presence", Model: presence, Methods: []Method{{Name: "join", Takes: 6, Outcomes: none}, {Name: "leave", Takes: 6, Outcomes: none}, {Name: "online", Takes: 6, Outcomes: told}}}
}

// Map holds a value for each of two keys, or none.
func Map() Type {
	return Type{Name: "hashmap", Model: hashmap, Methods: []Method{{Name: "loadOrStore", Takes: 2, Outcomes: lookup, Brings: true}, {Name: "loadAndDelete", Takes: 2, Outcomes: lookup}}}
}

// Semaphore has two places.
func Semaphore() Type {
	return Type{Name: "semaphore", Model: semaphore(2), Methods: []Method{{Name: "acquire", Takes: Fresh, Outcomes: none}, {Name: "release", Takes: 3, Outcomes: none}}}
}

// Bag gives back values in any order.
func Bag() Type {
	return Type{Name: "bag", Model: bag, Methods: []Method{{Name: "add", Takes: Fresh, Outcomes: none}, {Name: "remove", Takes: 0, Outcomes: lookup}, {Name: "peek", Takes: 0, Outcomes: lookup}}}
}

// PriorityQueue gives back the largest number first.
func PriorityQueue() Type {
	t := Bag()
	t.Name, t.Model = "priority-queue", priorityQueue
	return t
}

// Reusing is the type with calls that bring values from 1 to n, again and again,
// instead of fresh ones.
func (t Type) Reusing(n int) Type {
	methods := t.Methods
	t.Methods = nil
	for _, m := range methods {
		if m.Takes == Fresh {
			m.Takes = n
		}
		t.Methods = append(t.Methods, m)
	}
	return t
}
