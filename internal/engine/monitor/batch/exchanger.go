package batch

// Exchanger decides exchangers in O(n): each operation offers a value of its own, and
// returns what another one offered that overlaps with it and returned what it offered
// itself; or it finds nobody. Proof: docs/proofs/exchanger.md.
//
// An operation is a Remove of what it returned, and asked for what it offered. A
// pending one can still return whatever it was offered.
type Exchanger struct {
	offers []int32 // by value: 1 + the operation that offered it
	takes  []int32 // by value: 1 + the first operation that returned it
}

// Decide implements Algorithm.
func (x *Exchanger) Decide(c *Columns, n int32) (Answer, Witness) {
	x.offers, x.takes = zeroed(x.offers, int(c.Values)), zeroed(x.takes, int(c.Values))
	var first blame
	for i := range c.Within(n) {
		x.offers[c.Asked[i]] = int32(i) + 1
		role, v, ret := c.In(i, n)
		if role != Remove {
			continue
		}
		if j := x.takes[v] - 1; j >= 0 {
			first.on(Twice, v, max(ret, c.Ret[j]))
			if c.Ret[j] < ret {
				continue
			}
		}
		x.takes[v] = int32(i) + 1
	}
	for i := range c.Within(n) {
		if role, v, ret := c.In(i, n); role == Remove {
			x.pair(c, n, i, v, ret, &first)
		}
	}
	if first.bad {
		return Violating, first.Witness
	}
	return Linearizable, Witness{}
}

// pair checks that an operation returned what its partner offered.
func (x *Exchanger) pair(c *Columns, n int32, i int, v, ret int32, b *blame) {
	y := int(x.offers[v]) - 1
	if y < 0 || c.Call[y] > ret {
		b.on(NeverAdded, v, ret)
		return
	}
	role, got, end := c.In(y, n)
	switch {
	case y == i:
		b.unpaired(v, got, y, ret)
	case end < c.Call[i], role != MaybeRemove && got != c.Asked[i]:
		b.unpaired(v, got, y, max(ret, end))
	}
}

// unpaired blames an operation that offered a value and was not the partner of the
// one that returned it.
func (b *blame) unpaired(v, got int32, op int, at int32) {
	if b.bad && b.guess <= at {
		return
	}
	b.Witness, b.bad = Witness{Rule: Unpaired, Values: []int32{v}, Op: op, guess: at}, true
	if got >= 0 && got != v {
		b.Values = append(b.Values, got)
	}
}

// Linearize implements Algorithm. Pairs overlap, which no order of operations says.
func (x *Exchanger) Linearize(*Linearizer) bool { return false }
