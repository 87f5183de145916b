package monitor

import (
	"fmt"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
)

// PriorityQueue says of a type that it is a priority queue, which patterns
// cannot: they know no order of values. Nothing is compared with a theory.
type PriorityQueue struct {
	Name              string // of the type, for messages
	Add, Remove, Peek string // its methods: add(v), remove => v or nil, peek => v or nil
	Aliases           map[string][]string

	// Priority is the priority of a value; nil if it is the value, a whole
	// number. Values of the same priority may leave in any order.
	Priority func(history.Value) (int64, error)

	LowestFirst bool // a remove takes the value of the lowest priority
}

// recognized is the procedure for the type.
func (p PriorityQueue) recognized() *recognized {
	r := &reader{methods: map[string]*method{}, priority: p.priority}
	enter := func(name string, m *method) {
		for _, a := range p.Aliases[name] {
			r.methods[a] = m
		}
	}
	nothing := outcome{Outcome: history.Nil, role: empty}
	add := &method{args: 1, open: maybeAdd, unique: true, outcomes: []outcome{{Outcome: history.None, role: add, fromArg: true, unique: true}}}
	remove := &method{open: maybeRemove, outcomes: []outcome{{Outcome: history.Some, rets: 1, role: remove}, nothing}}
	peek := &method{outcomes: []outcome{{Outcome: history.Some, rets: 1, role: present}, nothing}}
	enter(p.Add, add)
	enter(p.Remove, remove)
	enter(p.Peek, peek)
	r.methods[p.Add], r.methods[p.Remove] = add, remove
	if p.Peek != "" {
		r.methods[p.Peek] = peek
	}
	first := "largest"
	if p.LowestFirst {
		first = "smallest"
	}
	return &recognized{
		theory: p.Name, reader: r,
		shape: shape{name: "priority queue", about: "the value of the " + first + " priority leaves first", new: func() procedure { return new(priorities) }},
		why:   p.Name + " was said to be a priority queue: the value of the " + first + " priority leaves first",
	}
}

// priority is larger for what leaves earlier.
func (p PriorityQueue) priority(v history.Value) (n int64, err error) {
	if p.Priority != nil {
		n, err = p.Priority(v)
	} else if n, err = strconv.ParseInt(string(v), 10, 64); err != nil {
		err = fmt.Errorf("%s is no whole number of 64 bits", v)
	}
	if p.LowestFirst {
		n = ^n // as -n, without overflow
	}
	return n, err
}
