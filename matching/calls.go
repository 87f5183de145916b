package matching

import (
	"slices"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/internal/driver/live"
)

// calls is a tree of sequences of calls.
type calls struct {
	*live.Tree
	invocations []enumerate.Invocation // by number
}

// number is the number of an invocation.
func (c *calls) number(i enumerate.Invocation) int32 {
	var room [32]byte
	key := append(room[:0], byte(i.Method))
	for _, v := range i.Args {
		key = append(key, byte(v.Sort()), byte(v.Number()))
	}
	n := c.Number(key)
	if int(n) == len(c.invocations) {
		c.invocations = append(c.invocations, enumerate.Invocation{Method: i.Method, Args: slices.Clone(i.Args)})
	}
	return n
}

// last is the last call on the way to a node.
func (c *calls) last(n live.Node) enumerate.Invocation { return c.invocations[c.Last(n)] }
