package wgl

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/internal/wording"
)

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

// values is the state of a set, or of a bag: its values in order.
type values struct {
	vs   []history.Value
	hash uint64 // the exclusive or of theirs
}

func (s *values) with(vs []history.Value, changed history.Value) *values {
	return &values{vs, s.hash ^ semantics.HashValue(changed)}
}

func (s *values) Hash() uint64 { return s.hash }

func (s *values) String() string {
	return listed("{", len(s.vs), func(i int) string { return string(s.vs[i]) }, "}")
}

func (s *values) Equal(t State) bool { return slices.Equal(s.vs, t.(*values).vs) }

// bag is a container that gives back values in any order, or in that of their
// size: it takes out, and peeks at, a value before which none comes.
type bag struct {
	before func(a, b history.Value) int // nil: none comes before another
}

func (bag) Init() State { return &values{} }

func (bag) ReadOnly(l *history.Label) bool {
	return l.Method == "peek" || l.Method == "remove" && l.Outcome == history.Nil
}

func (b bag) Step(s State, l *history.Label) (State, bool) {
	held := s.(*values)
	switch {
	case is(l, "add", 1):
		if !answers(l, history.None, "") {
			return nil, false
		}
		at, _ := slices.BinarySearch(held.vs, l.Args[0])
		return held.with(slices.Insert(slices.Clone(held.vs), at, l.Args[0]), l.Args[0]), true
	case !is(l, "remove", 0) && !is(l, "peek", 0):
		return nil, false
	case l.Outcome == history.Pending || l.Outcome == history.Nil:
		return held, l.Outcome == history.Pending || len(held.vs) == 0 && len(l.Rets) == 0
	case l.Outcome != history.Some || len(l.Rets) != 1 || !slices.Contains(b.first(held), l.Rets[0]):
		return nil, false
	case l.Method == "peek":
		return held, true
	}
	return held.minus(l.Rets[0]), true
}

// Branches are the states after a pending call: a remove may take out any of
// the values that come first.
func (b bag) Branches(s State, l *history.Label) []State {
	held := s.(*values)
	if is(l, "remove", 0) && len(held.vs) > 0 {
		var after []State
		for _, v := range b.first(held) {
			after = append(after, held.minus(v))
		}
		return after
	}
	if next, ok := b.Step(s, l); ok {
		return []State{next}
	}
	return nil
}

// first lists the values before which none comes.
func (b bag) first(s *values) []history.Value {
	if b.before == nil {
		return s.vs
	}
	var best []history.Value
	for _, v := range s.vs {
		switch {
		case len(best) == 0 || b.before(v, best[0]) < 0:
			best = append(best[:0], v)
		case b.before(v, best[0]) == 0:
			best = append(best, v)
		}
	}
	return best
}

func (s *values) minus(v history.Value) *values {
	at, _ := slices.BinarySearch(s.vs, v)
	return s.with(slices.Delete(slices.Clone(s.vs), at, at+1), v)
}

// smallest compares values as whole numbers; those that are none come last, in
// the order of their text.
func smallest(a, b history.Value) int {
	x, xok := new(big.Int).SetString(string(a), 10)
	y, yok := new(big.Int).SetString(string(b), 10)
	switch {
	case xok && yok:
		return x.Cmp(y)
	case xok:
		return -1
	case yok:
		return 1
	}
	return cmp.Compare(a, b)
}

func largest(a, b history.Value) int { return smallest(b, a) }

// wholeSet is a set that is read as a whole.
type wholeSet struct{}

func (wholeSet) Init() State { return (*node)(nil) }

func (wholeSet) ReadOnly(l *history.Label) bool {
	return l.Method == "read" || l.Method == "contains" || l.Outcome == history.False
}

// Refuses says what is no set.
func (wholeSet) Refuses(l *history.Label) error {
	if l.Method == "read" && l.Outcome == history.Some && len(l.Rets) == 1 {
		if _, ok := wording.Elements(string(l.Rets[0])); !ok {
			return fmt.Errorf("read answers a whole set, such as {1, 2}, #{1 2} or [1 2], not %q", l.Rets[0])
		}
	}
	return nil
}

func (wholeSet) Step(s State, l *history.Label) (State, bool) {
	held := s.(*node)
	switch {
	case is(l, "read", 0):
		return held, l.Outcome == history.Pending || l.Outcome == history.Some && len(l.Rets) == 1 && held.is(l.Rets[0])
	case len(l.Args) != 1 || l.Method != "add" && l.Method != "remove" && l.Method != "contains":
		return nil, false
	}
	v := l.Args[0]
	there := held.has(v)
	o, next := history.False, held
	switch {
	case l.Method == "contains" && there:
		o = history.True
	case l.Method == "add" && !there:
		o, next = history.True, held.with(v)
	case l.Method == "remove" && there:
		o, next = history.True, held.without(v)
	}
	return next, answers(l, o, "") || l.Method != "contains" && answers(l, history.None, "")
}

// node is the root of a search tree of values, the state of a set: nil is empty. It is a heap, too, of the values' hashes, so that
// equal sets are equal trees, and share most of them with the sets before.
type node struct {
	value       history.Value
	above       uint64 // the hash of value, which is not less than those below
	left, right *node
	size        int
	hash        uint64 // the sum of all hashes
}

func newNode(v history.Value, above uint64, left, right *node) *node {
	n := &node{v, above, left, right, 1, semantics.Mix(above)}
	for _, below := range []*node{left, right} {
		if below != nil {
			n.size += below.size
			n.hash += below.hash
		}
	}
	return n
}

func (n *node) has(v history.Value) bool {
	for n != nil && n.value != v {
		if v < n.value {
			n = n.left
		} else {
			n = n.right
		}
	}
	return n != nil
}

// with is the set with a value that it lacks.
func (n *node) with(v history.Value) *node { return n.put(v, semantics.HashValue(v)) }

func (n *node) put(v history.Value, h uint64) *node {
	switch {
	case n == nil || h > n.above || h == n.above && v < n.value:
		left, right := n.split(v)
		return newNode(v, h, left, right)
	case v < n.value:
		return newNode(n.value, n.above, n.left.put(v, h), n.right)
	}
	return newNode(n.value, n.above, n.left, n.right.put(v, h))
}

// split is what is less than a value that the set lacks, and what is greater.
func (n *node) split(v history.Value) (less, greater *node) {
	switch {
	case n == nil:
		return nil, nil
	case v < n.value:
		less, greater = n.left.split(v)
		return less, newNode(n.value, n.above, greater, n.right)
	}
	less, greater = n.right.split(v)
	return newNode(n.value, n.above, n.left, less), greater
}

// without is the set without a value that it has.
func (n *node) without(v history.Value) *node {
	switch {
	case v == n.value:
		return join(n.left, n.right)
	case v < n.value:
		return newNode(n.value, n.above, n.left.without(v), n.right)
	}
	return newNode(n.value, n.above, n.left, n.right.without(v))
}

// join is all of two sets, of which the first has the lesser values.
func join(left, right *node) *node {
	switch {
	case left == nil:
		return right
	case right == nil:
		return left
	case left.above > right.above || left.above == right.above && left.value < right.value:
		return newNode(left.value, left.above, left.left, join(left.right, right))
	}
	return newNode(right.value, right.above, join(left, right.left), right.right)
}

// is reports whether a text is that of the set, with each value once.
func (n *node) is(text history.Value) bool {
	all, ok := wording.Elements(string(text))
	if slices.Sort(all); !ok || len(all) != n.count() || len(slices.Compact(all)) != n.count() {
		return false
	}
	return !slices.ContainsFunc(all, func(v string) bool { return !n.has(history.Value(v)) })
}

func (n *node) count() int {
	if n == nil {
		return 0
	}
	return n.size
}

func (n *node) Hash() uint64 {
	if n == nil {
		return 0
	}
	return n.hash
}

// Equal stops at what the sets share.
func (n *node) Equal(s State) bool {
	m := s.(*node)
	if n == nil || m == nil || n == m {
		return n == m
	}
	return n.hash == m.hash && n.size == m.size && n.value == m.value && n.left.Equal(m.left) && n.right.Equal(m.right)
}

func (n *node) String() string {
	var vs []history.Value
	var walk func(*node)
	walk = func(n *node) {
		if n != nil {
			walk(n.left)
			vs = append(vs, n.value)
			walk(n.right)
		}
	}
	walk(n)
	return listed("{", len(vs), func(i int) string { return string(vs[i]) }, "}")
}

// uniqueIDs gives out values, each once, in any order. A value that was given out twice is seen among the operations
// with that answer.
type uniqueIDs struct{}

func (uniqueIDs) Init() State { return (*node)(nil) }

// Key is the answer. A call without one may have any, and is no reason for or against another.
func (uniqueIDs) Key(l *history.Label) history.Value {
	if len(l.Rets) == 0 {
		return ""
	}
	return l.Rets[0]
}

func (uniqueIDs) Step(s State, l *history.Label) (State, bool) {
	given := s.(*node)
	switch {
	case !is(l, "generate", 0):
		return nil, false
	case l.Outcome == history.Pending:
		return given, true
	case l.Outcome != history.Some || len(l.Rets) != 1 || given.has(l.Rets[0]):
		return nil, false
	}
	return given.with(l.Rets[0]), true
}
