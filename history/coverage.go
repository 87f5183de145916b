package history

import (
	"fmt"
	"slices"
	"strings"
)

// Coverage is how much executions could have shown: what overlapped in them, and
// which kinds of operations they have. An execution without overlap says nothing
// about concurrency, whatever the verdict. The zero Coverage is of none.
type Coverage struct {
	Operations int64 // pending ones included
	Overlaps   int64 // pairs of operations of which neither returned before the other was called
	Width      int   // most operations that ran at once

	counts map[string][]outcomeCount // by method
	open   int
}

type outcomeCount struct {
	outcome Outcome
	n       int64
}

// Coverage counts the execution's events. O(n).
func (e *Execution) Coverage() Coverage {
	var c Coverage
	at := make([]int, e.Events) // 1 + the operation that is called, or minus the one that returns
	for i := range e.Ops {
		at[e.Ops[i].Call] = i + 1
		if e.Ops[i].Completed() {
			at[e.Ops[i].Return] = -i - 1
		}
	}
	for _, i := range at {
		switch {
		case i > 0:
			c.Call()
		case i < 0:
			c.Return(e.Ops[-i-1].Method, e.Ops[-i-1].Outcome)
		}
	}
	c.End()
	return c
}

// Call counts a call. Calls and returns are given in the order of the events.
func (c *Coverage) Call() {
	c.Operations++
	c.Overlaps += int64(c.open)
	c.open++
	c.Width = max(c.Width, c.open)
}

// Return counts a return.
func (c *Coverage) Return(method string, o Outcome) {
	c.open--
	c.count(method, o, 1)
}

// End says that the events of an execution are over. Another one may follow.
func (c *Coverage) End() { c.open = 0 }

func (c *Coverage) count(method string, o Outcome, n int64) {
	os := c.counts[method]
	if i := slices.IndexFunc(os, func(x outcomeCount) bool { return x.outcome == o }); i >= 0 {
		os[i].n += n
		return
	}
	if c.counts == nil {
		c.counts = map[string][]outcomeCount{}
	}
	c.counts[method] = append(os, outcomeCount{o, n})
}

// Add counts what another Coverage counted.
func (c *Coverage) Add(d Coverage) {
	c.Operations += d.Operations
	c.Overlaps += d.Overlaps
	c.Width = max(c.Width, d.Width)
	for m, os := range d.counts {
		for _, o := range os {
			c.count(m, o.outcome, o.n)
		}
	}
}

// Count is how many operations of a kind returned.
func (c *Coverage) Count(k Kind) int64 {
	for _, o := range c.counts[k.Method] {
		if o.outcome == k.Outcome {
			return o.n
		}
	}
	return 0
}

// Unseen lists those of the kinds that no operation has.
func (c *Coverage) Unseen(kinds []Kind) []Kind {
	return slices.DeleteFunc(slices.Clone(kinds), func(k Kind) bool { return c.Count(k) > 0 })
}

// Text is one sentence about the executions, given the kinds that the data type has.
func (c *Coverage) Text(kinds []Kind) string {
	s := fmt.Sprintf("%s, at most %d at once, %s that %s", counted(c.Operations, "operation"), c.Width,
		counted(c.Overlaps, "pair"), map[bool]string{true: "overlaps", false: "overlap"}[c.Overlaps == 1])
	var unseen []string
	for _, k := range c.Unseen(kinds) {
		unseen = append(unseen, k.String())
	}
	if len(unseen) > 0 {
		s += "; never seen: " + strings.Join(unseen, ", ")
	}
	return s
}

func counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
