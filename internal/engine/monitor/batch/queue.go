package batch

// Queue decides first-in-first-out queues in O(n). Notions: docs/proofs/near-linear.md; operations that find nothing:
// docs/proofs/finding-nothing.md. For queues in which the front was looked at see queuePeeks.
//
// Claim. An execution without operations that find nothing is linearizable iff its values are valid, and there are
// no two values a, b such that a's add returned before b's was called, and b's remove returned before a's was
// called.
//
// That pairs of values are enough is the theorem of "Aspect-oriented linearizability proofs" (Henzinger, Sezgin,
// Vafeiadis); it is also the claim of queuePeeks without peeks.
//
// # Pending removes: one assignment is enough
//
// Claim. Give the values that nobody removed, in the order of the returns of their adds, to the pending removes,
// in the order of their calls, as many as there are of both. If any assignment will do, this one does.
//
// Let D(a) be the first return of a remove of a value whose add is called after aeₐ; a call that takes a must come
// before D(a), and D grows with ae. Let ae₁ < ae₂ be the returns of the adds of a₁ and a₂, and c₁ < c₂ the calls
// of two pending removes. If c₂ takes a₁ and c₁ takes a₂, exchange them: c₁ < c₂ < D(a₁), and c₂ < D(a₁) ≤ D(a₂).
// The cores [ae₁, c₁) and [ae₂, c₂) lie in [ae₁, c₂), so no more gaps are covered than were. A pending remove that
// takes nothing may be regarded as one called at the end, and to call one earlier only makes cores smaller. In a
// bag there is no D.
//
// # Linearizations
//
// Queue.turns takes, again and again, a value that no other value which is left must precede: there is one as long
// as there is no cycle. A value that stays comes after all that are removed. The steps are put into gaps by
// Container.linearize, which cuts the order at each operation that finds nothing, as
// docs/proofs/finding-nothing.md says.
type Queue struct {
	Container
	peeked queuePeeks
}

// Decide implements Algorithm.
func (q *Queue) Decide(c *Columns, n int32) (Answer, Witness) {
	if w, bad := q.load(c, n); bad {
		return Violating, w
	}
	if q.peeks.any {
		t := taking{forcing: q, Container: &q.Container}
		return t.decide(c)
	}
	q.assign()
	q.covering()
	if b := q.overtaking(); b >= 0 {
		return Violating, q.pair(b)
	}
	if op, ok := q.uncovered(c, nil); !ok {
		return Violating, q.coveredBy(c, op)
	}
	return Linearizable, Witness{}
}

// assign gives values to the pending removes.
func (q *Queue) assign() {
	if len(q.pending) == 0 || q.left == 0 {
		return
	}
	q.last = zeroed(q.last, int(q.n)+2)
	for v := range q.values {
		if m := &q.values[v]; m.as != 0 && m.rs > q.n {
			q.last[q.from(int32(v))] = int32(v) + 1
		}
	}
	tokens := q.pending
	for _, v := range q.last {
		if v == 0 {
			continue
		}
		if len(tokens) == 0 {
			return
		}
		q.values[v-1].rs, tokens = tokens[0], tokens[1:]
	}
}

// overtaking is a value that was removed before one that was added before it,
// or -1: the one whose remove returned first.
func (q *Queue) overtaking() int32 {
	first := int32(-1)
	for v := range q.values {
		if m := &q.values[v]; m.as != 0 && q.cover[m.as] > m.re && (first < 0 || m.re < q.values[first].re) {
			first = int32(v)
		}
	}
	return first
}

// pair is the witness for a value that overtook another. If that was not removed for
// certain, values come with it that were added before it and that the pending removes
// take as well: as many as there are of these are enough.
func (q *Queue) pair(b int32) Witness {
	late, end := int32(-1), &q.values[b]
	for v := range q.values {
		if m := &q.values[v]; m.as != 0 && m.ae < end.as && m.rs > end.re && (late < 0 || m.ae < q.values[late].ae) {
			late = int32(v)
		}
	}
	w := Witness{Rule: OutOfOrder, Values: []int32{late, b}, Op: -1, guess: end.re}
	if late >= 0 && q.values[late].re > q.n {
		for v := 0; v < len(q.values) && len(w.Values) < 2+len(q.pending); v++ {
			if m := &q.values[v]; m.as != 0 && m.re > q.n && m.ae < q.values[late].ae {
				w.Values = append(w.Values, int32(v))
			}
		}
	}
	return w
}

// Bag decides containers that give back values in any order, in O(n): only what
// is wrong with one value alone, and operations that find nothing, can be wrong.
// Pending removes take values as they do in a queue; the proof there needs no
// more.
//
// An execution without operations that find nothing is linearizable iff its values are valid: add each value at its call,
// and remove it as soon as it is added and the remove is called.
type Bag struct{ Queue }

// Decide implements Algorithm.
func (b *Bag) Decide(c *Columns, n int32) (Answer, Witness) {
	if w, bad := b.load(c, n); bad {
		return Violating, w
	}
	b.assign()
	b.covering()
	if op, ok := b.uncovered(c, nil); !ok {
		return Violating, b.coveredBy(c, op)
	}
	return Linearizable, Witness{}
}

// Linearize makes a linearization: each operation takes effect as early as it can.
func (b *Bag) Linearize(a *Linearizer) bool {
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
	b.linearize(a, steps)
	return true
}
