package batch

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
)

// losing is a good execution of a stack by processes that always overlap; one operation
// in twenty never returns, after it took effect or before.
func losing(r *rand.Rand, ops, processes int) *columns.Columns {
	type running struct {
		op   columns.Op
		done bool
		at   int
	}
	c := columns.New(ops)
	all, now, stack, event := []columns.Op{}, make([]*running, processes), []int32{}, int32(0)
	for len(all) < ops {
		p := r.IntN(processes)
		x := now[p]
		switch {
		case x == nil:
			event++
			o := columns.Op{Value: -1, Asked: -1, Open: columns.MaybeRemove, Call: event, Ret: columns.Never}
			if r.IntN(2) == 0 {
				v := int32(len(all))
				o.Role, o.Value, o.Asked, o.Open = columns.Add, v, v, columns.MaybeAdd
			}
			now[p], all = &running{op: o, at: len(all)}, append(all, o)
		case r.IntN(40) == 0:
			now[p] = nil
		case x.done:
			event++
			x.op.Ret = event
			all[x.at], now[p] = x.op, nil
		case x.op.Asked >= 0:
			stack, x.done = append(stack, x.op.Value), true
		case len(stack) == 0:
			x.op.Role, x.done = columns.Empty, true
		default:
			x.op.Role, x.op.Value, x.done = columns.Remove, stack[len(stack)-1], true
			stack = stack[:len(stack)-1]
		}
	}
	for _, o := range all {
		if o.Ret == columns.Never {
			o.Role, o.Value = o.Open, o.Asked
		}
		c.Push(o)
	}
	c.Values, c.Events = int32(ops), event
	return c
}

// TestManyPending: of good executions with hundreds of pending removes most are decided at once, and
// what is decided is a linearization.
func TestManyPending(t *testing.T) {
	decided, total := 0, 0
	for seed := range uint64(histories(400)) {
		r := rand.New(rand.NewPCG(seed, 5))
		c := losing(r, 200+r.IntN(2000), 2+r.IntN(16))
		s := &Stack{}
		if _, bad := s.load(c, c.Events); bad {
			t.Fatalf("seed %d: something is wrong with one value alone", seed)
		}
		total++
		if s.assign(c) {
			decided++
			if err := replayed(s, c); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		} else if a, _ := s.Decide(c, c.Events); a == Violating {
			t.Fatalf("seed %d: a good execution is a violation", seed)
		}
	}
	t.Logf("%d of %d", decided, total)
	if decided < total*9/10 {
		t.Errorf("only %d of %d good executions are decided", decided, total)
	}
}

// replayed tells what is wrong with the order that a stack makes of an execution it has decided.
func replayed(s *Stack, c *columns.Columns) error {
	a := NewLinearizer(c)
	if !s.Linearize(a) {
		return errors.New("no order")
	}
	done, latest, inside := make([]bool, len(c.Call)), int32(0), []int32(nil)
	for _, i := range a.List() {
		role, v := c.Role[i], c.Value[i]
		switch {
		case done[i]:
			return fmt.Errorf("%d takes effect twice", i)
		case c.Ret[i] < latest:
			return fmt.Errorf("%d comes too late", i)
		case role == columns.MaybeAdd:
			role, v = columns.Add, c.Asked[i]
		case role == columns.MaybeRemove:
			role, v = columns.Remove, c.Asked[a.Took[i]]
		}
		done[i], latest = true, max(latest, c.Call[i])
		top := int32(-1)
		if n := len(inside); n > 0 {
			top = inside[n-1]
		}
		switch {
		case role == columns.Add:
			inside = append(inside, v)
		case v != top:
			return fmt.Errorf("%d removes %d, and %d is on top", i, v, top)
		case role == columns.Remove:
			inside = inside[:len(inside)-1]
		}
	}
	for i := range done {
		if c.Ret[i] != columns.Never && !done[i] {
			return fmt.Errorf("%d takes no effect", i)
		}
	}
	return nil
}
