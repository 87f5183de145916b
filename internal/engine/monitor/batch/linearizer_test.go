package batch

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// linearizes tells why an order is no linearization of actions, in the order
// of their calls: it must have all that returned once, respect real time, and
// be what the model does. took is what pending removes took.
func (m *model) linearizes(as []action, events int32, a *Linearizer) error {
	order := a.List()
	done := make([]bool, len(as))
	state, latest := uint64(0), int32(0)
	for _, i := range order {
		x := as[i]
		if done[i] {
			return fmt.Errorf("[%d] takes effect twice", i+1)
		}
		done[i] = true
		if latest = max(latest, x.call); x.ret < latest {
			return fmt.Errorf("[%d] comes after an operation that was called when it had returned", i+1)
		}
		wantRole, want := x.role, x.value
		if x.ret == Never {
			wantRole, want = Add, x.arg
			if m.open(x.method) == MaybeRemove {
				wantRole, want = Remove, as[a.Took[i]].arg
			}
		}
		legal := false
		was := state
		m.ways(state, x.method, x.arg, func(r Role, v, next uint64) bool {
			if legal = r == wantRole && v == want; legal {
				state = next
			}
			return !legal
		})
		if !legal {
			return fmt.Errorf("[%d] is not %v %d in state %x", i+1, wantRole, want, was)
		}
	}
	for i, x := range as {
		if x.ret <= events && !done[i] {
			return fmt.Errorf("[%d] takes no effect", i+1)
		}
	}
	return nil
}

// ordered makes a linearization of a history that the procedure just found
// linearizable, and tells what is wrong with it.
func (m *model) ordered(p Algorithm, as []action, c *Columns) error {
	a := NewLinearizer(c)
	if !p.Linearize(a) {
		return errors.New("no linearization was made")
	}
	if err := m.linearizes(as, c.Events, a); err != nil {
		return fmt.Errorf("%w: %v", err, a.List())
	}
	return nil
}

// TestWithRemoves: what nobody removes stays, and so does what a pending remove would take behind it.
func TestWithRemoves(t *testing.T) {
	k := &Container{n: 9, values: []match{{1, 2, 3, 11}, {4, 5, 10, 11}, {6, 7, 8, 9}}}
	for _, x := range []struct{ steps, want []int32 }{
		{[]int32{0, 2, 4, 5, 3, 1}, []int32{0, 2, 4, 5}}, // the first value is at the bottom
		{[]int32{0, 1, 2, 4, 5, 3}, []int32{0, 1, 2, 4, 5}},
	} {
		if got := withRemoves(k, slices.Clone(x.steps)); !slices.Equal(got, x.want) {
			t.Errorf("%v: %v, want %v", x.steps, got, x.want)
		}
	}
}
