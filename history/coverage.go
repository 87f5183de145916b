// # Coverage
//
// Coverage counts what executions could have shown.
package history

import (
	"cmp"
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

	counts []kindCount // few, so that going through them is quick
	open   int
}

type kindCount struct {
	kind Kind
	n    int64
}

// Of counts the execution's events. O(n).
func Of(e *Execution) Coverage {
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
	c.count(Kind{Method: method, Outcome: o}, 1)
}

// End says that the events of an execution are over. Another one may follow.
func (c *Coverage) End() { c.open = 0 }

func (c *Coverage) count(k Kind, n int64) {
	for i := range c.counts {
		if c.counts[i].kind == k {
			c.counts[i].n += n
			return
		}
	}
	c.counts = append(c.counts, kindCount{k, n})
}

// Add counts what another Coverage counted. In which order and in which groups several
// are added does not matter.
func (c *Coverage) Add(d Coverage) {
	c.Operations += d.Operations
	c.Overlaps += d.Overlaps
	c.Width = max(c.Width, d.Width)
	for _, x := range d.counts {
		c.count(x.kind, x.n)
	}
	slices.SortFunc(c.counts, func(a, b kindCount) int {
		return cmp.Or(strings.Compare(a.kind.Method, b.kind.Method), strings.Compare(string(a.kind.Outcome), string(b.kind.Outcome)))
	})
}

// Count is how many operations of a kind returned.
func (c *Coverage) Count(k Kind) int64 {
	for _, x := range c.counts {
		if x.kind == k {
			return x.n
		}
	}
	return 0
}

// Unseen lists those of the kinds that no operation has.
func (c *Coverage) Unseen(kinds []Kind) []Kind {
	return slices.DeleteFunc(slices.Clone(kinds), func(k Kind) bool { return c.Count(k) > 0 })
}

// Alike lists the methods that returned errors without a name, of which nothing tells one from another.
func (c *Coverage) Alike(kinds []Kind) (methods []string) {
	for _, k := range kinds {
		if k.Outcome == Error && c.Count(k) > 0 {
			methods = append(methods, k.Method)
		}
	}
	return methods
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
