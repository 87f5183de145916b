// Package joint looks for one order of an execution that two descriptions admit, where each of them alone is known
// to admit some order: a procedure of package monitor, whose linearization is given, and an automaton, which also knows
// operations that the procedure does not see.
//
//	order, ok := joint.Find(ctx, execution, joint.Given{Order: ..., Machine: m, Queue: true})
//
// Of the linearization only what its type depends on is kept: of a queue, in which order values come and go; otherwise the
// order of all its operations.
//
// What is found is right. check asks both about the order: the automaton runs it, and the patterns' engine decides
// it as an execution of one operation at a time. The order keeps real time, since an operation takes effect
// between its call and its return. So a mistake in the search costs an order, and no verdict. If a prefix is a
// violation by one of the two, and one event less has an order, that prefix is the shortest.
//
// For a queue, an order of the values is enough. Let values come in some order, go in the same order, and each go
// after it came. Then the first to go is always the oldest, as in a queue. A poll that finds nothing is where the
// automaton has no values. So of the operations that patterns see only two numbers matter: how many values came,
// and how many went.
//
// All ways are followed, given that order. Take an order of all operations that both descriptions admit and in
// which values come and go as given. Move each operation to the right, as long as it stays before the first return
// of an operation that comes after it in the order, or of its own. At each return, what took effect is then the
// operation itself and some operations that come before it in the order: the search tries all of these, one step
// after the other, from each way that there was. A step takes the next value to come, the next to go, or an
// operation that patterns do not see. Those of the last sort that change nothing take effect as soon as they can:
// that removes no order, because they leave the automaton as it was. Of two ways with the same numbers and the
// same state, one that has had more of them take effect is at least as good, so the other is dropped. Each of the
// numbers lies between how many returned and how many were called, so where p operations run at a time there are
// at most (p / 2 + 1)² pairs of them, for each state and for what operations of the last sort have taken effect.
//
// Which order of the values is a guess. Value a comes before b in all orders if its add returned before that of b
// was called, or its remove before that of b; where a value is removed before its add returns, or its remove is
// called before its add, the shorter interval counts. Of the rest the add that is half over first comes first.
// Where no way is left, values near that event change places with others that they need not come before or after.
// Whether there is an order of the values that this does not come to is not found out.
//
// TestTwin compares with a search over all orders, TestControlled verdicts and prefixes with brute force.
//
//	Find   an order, or none
//	Given  the linearization and the automaton
package joint

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
)

// Machine is the automaton: a semantics.Machine, say.
type Machine interface {
	semantics.Model
	ReadOnly(l *history.Label) bool
}

// Given is what is known.
type Given struct {
	// Order lists operations, by their place in Execution.Ops, as the procedure puts them; Completions has the
	// labels of those that did not return.
	Order       []int
	Completions map[int]history.Label

	// Machine is the automaton.
	Machine Machine

	// Queue says that any order will do in which values come and go in one order, each before it goes, if
	// operations without a value are where the automaton wants them.
	Queue bool
}

// Find returns an order of an execution's operations, by their place in it: all that returned, and those that did not
// and are given.
func Find(ctx context.Context, e *history.Execution, g Given) (order []int, ok bool) {
	work := 0
	for _, ahead := range []int{1, 64, 512} {
		f := newFollower(ctx, e, g)
		f.work = work
		if g.Queue && !f.arrange() {
			return nil, false
		}
		done := f.follow()
		for !done && g.Queue && f.repair(ahead) {
			done = f.follow()
		}
		switch {
		case done:
			for t := f.ways[0].taken; t != nil; t = t.before {
				order = append(order, int(t.op))
			}
			slices.Reverse(order)
			return order, true
		case !g.Queue || f.ended():
			return nil, false
		}
		work = f.work
	}
	return nil, false
}

// follower follows all ways.
type follower struct {
	ctx     context.Context
	machine Machine
	ops     []op
	chains  [2][]int32 // operations that take effect one after the other
	values  []stay     // of a queue, in the order in which they come
	events  []event
	states  semantics.Numbers

	// After the first events:
	at      int
	ways    []way
	running []int32 // operations of no chain, by slot; -1: none
	saved   []save  // earlier ones
	work    int     // steps so far
	nearly  nearly  // where no way was left
}

// op is an operation.
type op struct {
	label history.Label // as it is answered
	chain int8          // none: in no chain
	place int32         // in its chain
	after int32         // so many of the first chain take effect before
	call  int32         // the number of its event
	slot  int8
	reads bool // it changes nothing
}

const none = -1

type event struct {
	op      int32
	returns bool
}

// way is in which the operations can have taken effect.
type way struct {
	done   [2]int32 // of each chain
	state  int32
	others uint64 // by slot: operations of no chain that took effect
	taken  *took
}

// nearly is how near ways came to one in which an operation that returns took effect: how many of its chain did, and
// how many ways there were.
type nearly struct {
	done int32
	ways int
}

func (n nearly) nearer(o nearly) bool {
	return n.done > o.done || n.done == o.done && n.ways > o.ways
}

// took is an operation that took effect after others.
type took struct {
	op     int32
	before *took
}

// save is what there was after some events.
type save struct {
	at      int
	ways    []way
	running []int32
}

// Bounds of the search: after so many events what there is is saved; and so many steps are made for each event, and
// at least.
const (
	saving  = 64
	perStep = 20
	least   = 3_000_000
)

func newFollower(ctx context.Context, e *history.Execution, g Given) *follower {
	f := &follower{ctx: ctx, machine: g.Machine, ops: make([]op, len(e.Ops))}
	for i := range e.Ops {
		f.ops[i] = op{label: e.Ops[i].Label, chain: none}
	}
	for place, i := range g.Order {
		o := &f.ops[i]
		if label, ok := g.Completions[i]; ok {
			o.label = label
		}
		o.chain, o.place = 0, int32(place)
		f.chains[0] = append(f.chains[0], int32(i))
	}
	at := make([]event, e.Events)
	for i := range at {
		at[i].op = none
	}
	var open []event
	for i := range e.Ops {
		o := &e.Ops[i]
		f.ops[i].reads = g.Machine.ReadOnly(&f.ops[i].label)
		switch {
		case o.Completed():
			at[o.Return] = event{int32(i), true}
		case f.ops[i].chain == none:
			continue
		default:
			open = append(open, event{int32(i), true})
		}
		at[o.Call] = event{int32(i), false}
	}
	f.events = append(slices.DeleteFunc(at, func(v event) bool { return v.op == none }), open...)
	for k, v := range f.events {
		if !v.returns {
			f.ops[v.op].call = int32(k)
		}
	}
	f.ways = []way{{state: f.states.Of(g.Machine.Init())}}
	return f
}

// follow goes on to the end, or to an event after which there is no way.
func (f *follower) follow() bool { return f.until(len(f.events)) }

// until goes on to an event. It is false if there is no way, and then stays before that event.
func (f *follower) until(end int) bool {
	for ; f.at < end; f.at++ {
		if f.at%saving == 0 && (len(f.saved) == 0 || f.saved[len(f.saved)-1].at < f.at) {
			f.saved = append(f.saved, save{f.at, f.ways, slices.Clone(f.running)})
		}
		switch v := f.events[f.at]; {
		case !v.returns && !f.called(v.op), v.returns && !f.returned(v.op):
			return false
		}
	}
	return true
}

// called gives an operation of no chain a slot. It is false if there is none.
func (f *follower) called(i int32) bool {
	o := &f.ops[i]
	if o.chain != none {
		return true
	}
	slot := slices.Index(f.running, none)
	if slot < 0 {
		slot = len(f.running)
		f.running = append(f.running, none)
	}
	f.running[slot], o.slot = i, int8(slot)
	return slot < 64
}

// returned leaves the ways in which an operation took effect. It is false if there are none.
func (f *follower) returned(i int32) bool {
	o := &f.ops[i]
	todo, with := slices.Clone(f.ways), []way(nil)
	for k := 0; k < len(todo); k++ {
		w := f.reading(todo[k])
		if f.has(&w, o) {
			with = join(with, w)
			continue
		}
		if f.work += 1 + len(todo)/64; f.ended() {
			return false
		}
		for chain := range f.chains {
			if n := w.done[chain]; int(n) < len(f.chains[chain]) {
				todo = f.step(todo, w, f.chains[chain][n])
			}
		}
		for _, r := range f.running {
			if r != none && !f.ops[r].reads {
				todo = f.step(todo, w, r)
			}
		}
	}
	if len(with) == 0 {
		f.nearly = nearly{ways: len(todo)}
		for _, w := range todo {
			if o.chain != none {
				f.nearly.done = max(f.nearly.done, w.done[o.chain])
			}
		}
		return false
	}
	if o.chain == none {
		for k := range with {
			with[k].others &^= 1 << o.slot
		}
		f.running[o.slot] = none
	}
	f.ways = with
	return true
}

// ended reports whether nothing more is tried.
func (f *follower) ended() bool {
	return f.work > least+perStep*len(f.events) || f.work%256 == 0 && f.ctx.Err() != nil
}

// has reports whether an operation took effect.
func (f *follower) has(w *way, o *op) bool {
	if o.chain == none {
		return w.others>>o.slot&1 == 1
	}
	return w.done[o.chain] > o.place
}

// reading has the operations take effect that change nothing, and can.
func (f *follower) reading(w way) way {
	for _, r := range f.running {
		if r == none || !f.ops[r].reads || f.has(&w, &f.ops[r]) {
			continue
		}
		if _, ok := f.machine.Step(f.states.All[w.state], &f.ops[r].label); ok {
			w.others |= 1 << f.ops[r].slot
			w.taken = &took{r, w.taken}
		}
	}
	return w
}

// step adds what comes after a way if an operation takes effect, if it can.
func (f *follower) step(todo []way, w way, i int32) []way {
	o := &f.ops[i]
	if o.call >= int32(f.at) || w.done[0] < o.after || f.has(&w, o) {
		return todo
	}
	to, ok := f.machine.Step(f.states.All[w.state], &o.label)
	if !ok {
		return todo
	}
	w.state, w.taken = f.states.Of(to), &took{i, w.taken}
	if o.chain == none {
		w.others |= 1 << o.slot
	} else {
		w.done[o.chain]++
	}
	return join(todo, w)
}

// join adds a way, if there is none that can do all that it can.
func join(ways []way, w way) []way {
	for i := range ways {
		v := &ways[i]
		if v.done == w.done && v.state == w.state && w.others&^v.others == 0 {
			return ways
		}
	}
	return append(ways, w)
}
