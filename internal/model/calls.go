package model

import (
	"slices"

	"github.com/adtinfer/adtinfer/internal/alphabet"
)

// calls is a tree of sequences of calls. Its nodes are numbered: each stands for the
// calls on the way to it from the root.
type calls struct {
	numbers     map[string]int32 // of invocations
	invocations []alphabet.Invocation
	next        map[edge]node
	ends        []edge // by node: the way it is reached
}

// node is a sequence of calls.
type node int32

// root is the sequence of no calls.
const root = node(0)

// edge is a call after others.
type edge struct {
	from node
	call int32
}

func newCalls() calls {
	return calls{numbers: map[string]int32{}, next: map[edge]node{}, ends: make([]edge, 1)}
}

// len is how many nodes there are, numbered from 0.
func (c *calls) len() int { return len(c.ends) }

// number is the number of an invocation.
func (c *calls) number(i alphabet.Invocation) int32 {
	var room [32]byte
	key := append(room[:0], byte(i.Method))
	for _, v := range i.Args {
		key = append(key, byte(v.Sort()), byte(v.Number()))
	}
	n, ok := c.numbers[string(key)]
	if !ok {
		n = int32(len(c.invocations))
		c.numbers[string(key)] = n
		c.invocations = append(c.invocations, alphabet.Invocation{Method: i.Method, Args: append([]alphabet.Value(nil), i.Args...)})
	}
	return n
}

// then is the node of one more call.
func (c *calls) then(from node, call int32) node {
	n, ok := c.next[edge{from, call}]
	if !ok {
		n = node(len(c.ends))
		c.next[edge{from, call}] = n
		c.ends = append(c.ends, edge{from, call})
	}
	return n
}

// last is the last call on the way to a node, before the node of those before it.
func (c *calls) last(n node) alphabet.Invocation { return c.invocations[c.ends[n].call] }
func (c *calls) before(n node) node              { return c.ends[n].from }

// way lists the nodes on the way to one, which is the last; the root is not among them.
func (c *calls) way(n node) []node {
	var w []node
	for ; n != root; n = c.before(n) {
		w = append(w, n)
	}
	slices.Reverse(w)
	return w
}
