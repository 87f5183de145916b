// # Columns
//
// Columns are an execution as near-linear procedures want it: what each
// operation does, whatever the theory calls it, to which value, and when.
package batch

import (
	"slices"
	"sort"
)

// A Role is what an operation does to the values of an object, whatever the
// theory calls its method.
type Role uint8

const (
	None    Role = iota // says nothing
	Add                 // puts its value in: add, write, insert, lock
	Remove              // takes its value out
	Empty               // saw no value at all: empty remove, read of nothing, unlock of a free lock
	Present             // saw its value in
	Absent              // saw its value out

	// Roles of pending operations.
	MaybeAdd    // puts its value in, or not
	MaybeRemove // takes a value out, or not; of a set its own, of others any
)

// Never is the return of a pending operation: after every position.
const Never = int32(1<<31 - 1)

// Columns is an execution as the procedures want it: what each operation does,
// to which value, and when. Positions are those of the events, from 1; values
// are numbered from 0 about in the order in which they first occur.
//
// Operations are in the order of their calls, so a prefix of the execution is a
// prefix of the columns. An operation that returns after it is pending there,
// and what it did is not known yet.
type Columns struct {
	Events int32
	Values int32   // more than every value
	Role   []Role  // what it did
	Value  []int32 // to which value; -1 if to none
	Open   []Role  // what it may do while it is pending
	Kind   []uint8 // which of the adders or removers it is, where there are several
	Asked  []int32 // to which value; -1 if the call does not say it
	Call   []int32
	Ret    []int32

	Priority []int64 // by value, of priority queues
	Ranked   []int32 // values by priority, once somebody has sorted them
}

// New makes room for about so many operations.
func New(ops int) *Columns {
	roles, numbers := make([]Role, 2*ops), make([]int32, 4*ops)
	role := func(k int) []Role { return roles[k*ops : k*ops : (k+1)*ops] }
	number := func(k int) []int32 { return numbers[k*ops : k*ops : (k+1)*ops] }
	return &Columns{Role: role(0), Open: role(1), Kind: make([]uint8, 0, ops), Value: number(0), Asked: number(1), Call: number(2), Ret: number(3)}
}

// Within counts the operations called at positions up to n.
func (c *Columns) Within(n int32) int {
	if n >= c.Events {
		return len(c.Call)
	}
	return sort.Search(len(c.Call), func(i int) bool { return c.Call[i] > n })
}

// In is the role and value of operation i in the prefix of n events, with its
// return or, if it is pending there, a position after every return.
func (c *Columns) In(i int, n int32) (r Role, value, ret int32) {
	if c.Ret[i] > n {
		return c.Open[i], c.Asked[i], n + 1
	}
	return c.Role[i], c.Value[i], c.Ret[i]
}

// Alike reports whether no operation returned between two calls: there are as many
// events between them as operations that are called there.
func (c *Columns) Alike(from, to int32) bool {
	return c.Within(to)-c.Within(from) == int(to-from)
}

// Op is an operation on its way into columns.
type Op struct {
	Role      Role
	Value     int32
	Open      Role
	Kind      uint8
	Asked     int32
	Call, Ret int32
}

// Push appends an operation.
func (c *Columns) Push(o Op) {
	c.Role, c.Value = append(c.Role, o.Role), append(c.Value, o.Value)
	c.Open, c.Asked = append(c.Open, o.Open), append(c.Asked, o.Asked)
	c.Kind = append(c.Kind, o.Kind)
	c.Call, c.Ret = append(c.Call, o.Call), append(c.Ret, o.Ret)
	c.Values = max(c.Values, o.Value+1, o.Asked+1)
}

// Part has some operations of the prefix of n events, in order, and no other events; their
// values are numbered anew. Those that return after the prefix are pending. Events are the positions, by their
// positions in the part less 1.
func (c *Columns) Part(ops []int32, n int32) (part *Columns, events []int32) {
	for _, i := range ops {
		if events = append(events, c.Call[i]); c.Ret[i] <= n {
			events = append(events, c.Ret[i])
		}
	}
	slices.Sort(events)
	at := func(event int32) int32 {
		k, _ := slices.BinarySearch(events, event)
		return int32(k) + 1
	}
	part = New(len(ops))
	numbers := map[int32]int32{}
	number := func(v int32) int32 {
		if v < 0 {
			return v
		}
		k, known := numbers[v]
		if !known {
			k = int32(len(numbers))
			if numbers[v] = k; c.Priority != nil {
				part.Priority = append(part.Priority, c.Priority[v])
			}
		}
		return k
	}
	for _, i := range ops {
		role, v, ret := c.In(int(i), n)
		o := Op{Role: role, Value: number(v), Open: c.Open[i], Kind: c.Kind[i], Asked: number(c.Asked[i]), Call: at(c.Call[i]), Ret: Never}
		if ret <= n {
			o.Ret = at(ret)
		}
		part.Push(o)
	}
	part.Events = int32(len(events))
	return part, events
}
