package recognize

import (
	"fmt"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
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

// AsType is the procedure for the type.
func (p PriorityQueue) AsType() *Type {
	r := &columns.Reader{Methods: map[string]*columns.Method{}, Priority: p.priority}
	enter := func(name string, m *columns.Method) {
		for _, a := range p.Aliases[name] {
			r.Methods[a] = m
		}
	}
	nothing := columns.Outcome{Outcome: history.Nil, Role: columns.Empty}
	add := &columns.Method{Args: 1, Open: columns.MaybeAdd, Unique: true, Outcomes: []columns.Outcome{{Outcome: history.None, Role: columns.Add, FromArg: true, Unique: true}}}
	remove := &columns.Method{Open: columns.MaybeRemove, Outcomes: []columns.Outcome{{Outcome: history.Some, Rets: 1, Role: columns.Remove}, nothing}}
	peek := &columns.Method{Outcomes: []columns.Outcome{{Outcome: history.Some, Rets: 1, Role: columns.Present}, nothing}}
	enter(p.Add, add)
	enter(p.Remove, remove)
	enter(p.Peek, peek)
	r.Methods[p.Add], r.Methods[p.Remove] = add, remove
	if p.Peek != "" {
		r.Methods[p.Peek] = peek
	}
	first := "largest"
	if p.LowestFirst {
		first = "smallest"
	}
	return &Type{
		Theory: p.Name, Reader: r,
		Shape: shape{Name: "priority queue", about: "the value of the " + first + " priority leaves first", New: func() batch.Algorithm { return new(batch.Priority) }},
		Why:   p.Name + " was said to be a priority queue: the value of the " + first + " priority leaves first",
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
