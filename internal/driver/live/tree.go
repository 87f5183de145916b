package live

import "slices"

// Tree is a tree of sequences of calls. Its nodes are numbered: each stands for the
// calls on the way to it from the root.
type Tree struct {
	numbers map[string]int32 // of calls
	ends    []edge           // by node: the way it is reached
	first   []Node           // by node: one with one more call, which most have alone
	next    map[edge]Node    // the others
}

// Node is a sequence of calls.
type Node int32

// Root is the sequence of no calls.
const Root = Node(0)

// edge is a call after others.
type edge struct {
	from Node
	call int32
}

// NewTree is a tree that has only a root.
func NewTree() *Tree {
	return &Tree{numbers: map[string]int32{}, ends: make([]edge, 1), first: make([]Node, 1), next: map[edge]Node{}}
}

// Len is how many nodes there are, numbered from 0.
func (t *Tree) Len() int { return len(t.ends) }

// Number tells calls from one another by their keys, in the order in which they come.
func (t *Tree) Number(key []byte) int32 { return numberOf(t.numbers, key) }

// Then is the node of one more call.
func (t *Tree) Then(from Node, call int32) Node {
	first := &t.first[from]
	if *first != Root && t.ends[*first].call == call {
		return *first
	}
	way := edge{from, call}
	n, ok := t.next[way]
	if ok {
		return n
	}
	if n = Node(len(t.ends)); *first == Root {
		*first = n
	} else {
		t.next[way] = n
	}
	t.ends, t.first = append(t.ends, way), append(t.first, Root)
	return n
}

// Last is the number of the last call on the way to a node, before the node of those before it.
func (t *Tree) Last(n Node) int32  { return t.ends[n].call }
func (t *Tree) Before(n Node) Node { return t.ends[n].from }

// Way lists the nodes on the way to one, which is the last; the root is not among them.
func (t *Tree) Way(n Node) (way []Node) {
	for ; n != Root; n = t.Before(n) {
		way = append(way, n)
	}
	slices.Reverse(way)
	return way
}

func numberOf(numbers map[string]int32, key []byte) int32 {
	n, ok := numbers[string(key)]
	if !ok {
		n = int32(len(numbers))
		numbers[string(key)] = n
	}
	return n
}
