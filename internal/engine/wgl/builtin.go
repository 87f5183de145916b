package wgl

import (
	"hash/maphash"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// Builtin is the model of a data type that is known by name, or false:
//
//	register   write(v), read => v or nil
//	queue      add(v), remove => v or nil, first in, first out
//	stack      add(v), remove => v or nil, last in, first out
//	set        insert(v), remove(v), contains(v) => v if it was there, or nil
//	lock       lock(k), unlock => the holder, or nil if there was none
//	worksteal  give(v), take, steal => v or nil, first in, first out
//	bag        add(v), remove => v or nil, peek => v or nil, in any order
//	priority-queue, min-priority-queue
//	           the same, the largest or the smallest whole number first
//
// A name does not make a data type: before a model stands in for a theory of
// the same name, compare the two.
func Builtin(name string) (Model, bool) {
	m, ok := map[string]Model{
		"register":  register{},
		"queue":     queue{add: "add", remove: []string{"remove"}},
		"stack":     stack{},
		"set":       set{},
		"lock":      lock{},
		"worksteal": queue{add: "give", remove: []string{"take", "steal"}},

		"bag":                bag{},
		"priority-queue":     bag{before: largest},
		"min-priority-queue": bag{before: smallest},
	}[name]
	return m, ok
}

// Methods lists the methods of a built-in model, with the number of their
// arguments.
func Methods(name string) map[string]int {
	switch name {
	case "register":
		return map[string]int{"write": 1, "read": 0}
	case "queue", "stack":
		return map[string]int{"add": 1, "remove": 0}
	case "set":
		return map[string]int{"insert": 1, "remove": 1, "contains": 1}
	case "lock":
		return map[string]int{"lock": 1, "unlock": 0}
	case "worksteal":
		return map[string]int{"give": 1, "take": 0, "steal": 0}
	case "bag", "priority-queue", "min-priority-queue":
		return map[string]int{"add": 1, "remove": 0, "peek": 0}
	}
	return nil
}

// Builtins lists the names that Builtin knows.
func Builtins() []string {
	return []string{"register", "queue", "stack", "set", "lock", "worksteal", "bag", "priority-queue", "min-priority-queue"}
}

// answers reports whether a label may have the outcome and returned value.
func answers(l *history.Label, o history.Outcome, v history.Value) bool {
	switch {
	case l.Outcome == history.Pending:
		return true
	case l.Outcome != o:
		return false
	case o == history.Some:
		return len(l.Rets) == 1 && l.Rets[0] == v
	}
	return len(l.Rets) == 0
}

// is reports whether a label is of a method with so many arguments.
func is(l *history.Label, method string, args int) bool {
	return l.Method == method && len(l.Args) == args
}

// maybe is a state that holds a value, or none.
type maybe struct {
	held  bool
	value history.Value
}

func (s *maybe) Equal(t State) bool { return *s == *t.(*maybe) }

func (s *maybe) Hash() uint64 {
	if !s.held {
		return 0
	}
	return hashValue(s.value)
}

// outcome is what a method answers that tells the held value.
func (s *maybe) outcome() history.Outcome {
	if s.held {
		return history.Some
	}
	return history.Nil
}

// register is a read/write register that holds nothing at first.
type register struct{}

func (register) Init() State { return &maybe{} }

func (register) ReadOnly(l *history.Label) bool { return l.Method == "read" }

func (register) Step(s State, l *history.Label) (State, bool) {
	r := s.(*maybe)
	switch {
	case is(l, "write", 1):
		return &maybe{true, l.Args[0]}, answers(l, history.None, "")
	case is(l, "read", 0):
		return r, answers(l, r.outcome(), r.value)
	}
	return nil, false
}

// lock is a lock that tells who holds it.
type lock struct{}

func (lock) Init() State { return &maybe{} }

func (lock) ReadOnly(l *history.Label) bool {
	return (l.Method == "lock") == (l.Outcome == history.Some)
}

func (lock) Step(s State, l *history.Label) (State, bool) {
	held := s.(*maybe)
	ok := answers(l, held.outcome(), held.value)
	switch {
	case is(l, "unlock", 0) && held.held:
		return &maybe{}, ok
	case is(l, "lock", 1) && !held.held:
		return &maybe{true, l.Args[0]}, ok
	case is(l, "lock", 1) || is(l, "unlock", 0):
		return held, ok
	}
	return nil, false
}

// set is a set; its values are independent.
type set struct{}

func (set) Init() State { return &values{} }

func (set) Key(l *history.Label) history.Value {
	if len(l.Args) == 0 {
		return ""
	}
	return l.Args[0]
}

func (set) ReadOnly(l *history.Label) bool {
	return l.Method == "contains" || (l.Method == "insert") == (l.Outcome == history.Some)
}

func (set) Step(s State, l *history.Label) (State, bool) {
	insert, remove := is(l, "insert", 1), is(l, "remove", 1)
	if !insert && !remove && !is(l, "contains", 1) {
		return nil, false
	}
	held, v := s.(*values), l.Args[0]
	at, there := slices.BinarySearch(held.vs, v)
	o := history.Nil
	if there {
		o = history.Some
	}
	switch {
	case !answers(l, o, v):
		return nil, false
	case insert && !there:
		return held.with(slices.Insert(slices.Clone(held.vs), at, v), v), true
	case remove && there:
		return held.with(slices.Delete(slices.Clone(held.vs), at, at+1), v), true
	}
	return held, true
}

// values is the state of a set: its values in order.
type values struct {
	vs   []history.Value
	hash uint64 // the exclusive or of theirs
}

func (s *values) with(vs []history.Value, changed history.Value) *values {
	return &values{vs, s.hash ^ hashValue(changed)}
}

func (s *values) Hash() uint64 { return s.hash }

func (s *values) Equal(t State) bool { return slices.Equal(s.vs, t.(*values).vs) }

// seed is for hashes that live as long as the process.
var seed = maphash.MakeSeed()

func hashValue(v history.Value) uint64 { return maphash.String(seed, string(v)) }
