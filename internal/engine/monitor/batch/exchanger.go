package batch

// Exchanger decides exchangers in O(n).
//
// Each operation offers a value that no other one offers. It returns what its partner offered, and the partner
// returns what it offered; the two overlap. Or it finds nobody.
//
// Claim. A prefix is an execution of an exchanger iff for each operation x that returned a value w: no other
// operation returned w; some operation y other than x was called that offers w; y did not return before x was
// called, nor was it called after x returned; and if y returned, then what x offered.
//
// Only if. These are the axioms, read for the operations that returned: y is the match of x by what they offer and
// return, whatever else happens, and before holds at least where one operation returned before the other was
// called.
//
// If. Let each pending y that is named so return what x offered; it is named by one x only. No other operation
// returned that: if z did, its partner would be x, which would have to return what z offers, and returned what y
// offers. Leave the other pending operations out. Now operations are in pairs or found nobody. The two of a pair
// overlap, so they share a moment: let both take effect there, together, and what found nobody at any moment
// between its call and return. Nothing comes before its partner, so all axioms hold, and at no moment are more
// than two operations taking effect together, if moments are shifted apart a little: that is an order of width
// two.
//
// The shortest prefix. Each condition fails from one event on and stays so: from a return of x (no such y, or one
// that had returned before), or from the later return of two. The least of these events is the end of the shortest
// prefix.
//
// Which theories. The formulas of the theory must be those of theories/exchanger.theory.yaml but for the names of
// method, outcomes and variables; and the procedure is compared with the theory on 200 random executions before it
// is used.
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
