package monitor

// bag decides containers that give back values in any order, in O(n): only what
// is wrong with one value alone, and operations that find nothing, can be wrong.
// Pending removes take values as they do in a queue; the proof there needs no
// more.
type bag struct{ queue }

func (b *bag) decide(c *columns, n int32) (answer, witness) {
	if w, bad := b.load(c, n); bad {
		return violating, w
	}
	b.assign()
	b.covering()
	if op, ok := b.uncovered(c); !ok {
		return violating, b.chain(c, op)
	}
	return linearizable, witness{}
}

// order makes a linearization: each operation takes effect as early as it can.
func (b *bag) order(a *agenda) bool {
	add, remove := make([]int32, b.n+1), make([]int32, b.n+1) // by position: 1 + the value
	for v := range b.values {
		if m := &b.values[v]; m.as != 0 {
			add[m.as] = int32(v) + 1
			if m.rs <= b.n {
				remove[max(m.as, m.rs)] = int32(v) + 1
			}
		}
	}
	var steps []int32
	for at := range add {
		if v := add[at]; v != 0 {
			steps = append(steps, (v-1)*2)
		}
		if v := remove[at]; v != 0 {
			steps = append(steps, (v-1)*2+1)
		}
	}
	b.arrange(a, steps)
	return true
}
