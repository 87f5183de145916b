package lives

// Table says how two values of a container may be in at the same time, by their
// classes: the kind of the operation that added a value, and of the one that
// removed it, or that none did. That is all that the patterns of two matches
// say.
type Table struct {
	Adders, Removers int
	Encloses         []bool // v may come first and leave last, w come and leave meanwhile
	Overtaken        []bool // v may come first and leave first, w come while it is in
}

// Class is the class of values added and removed by such kinds; remover is
// t.removers if nobody removed it.
func (t *Table) Class(adder, remover int) int { return adder*(t.Removers+1) + remover }

// Classes counts the classes.
func (t *Table) Classes() int { return t.Adders * (t.Removers + 1) }

// Stays reports whether nobody removes the values of a class.
func (t *Table) Stays(class int) bool { return class%(t.Removers+1) == t.Removers }

// At is the place of two classes in Encloses and Overtaken.
func (t *Table) At(v, w int) int { return v*t.Classes() + w }

// Uniform is the name of the shape that has the same table, if all kinds may be
// exchanged for each other.
func (t *Table) Uniform() (name string, ok bool) {
	for _, s := range []struct {
		name                         string
		encloses, overtaken, leaving bool // the last: two values may stay
	}{{"bag", true, true, true}, {"queue", false, true, true}, {"stack", true, false, true}, {"lock", false, false, false}} {
		same := true
		for v := range t.Classes() {
			for w := range t.Classes() {
				stay := t.Stays(v) && t.Stays(w)
				switch at := t.At(v, w); {
				case stay:
					same = same && t.Encloses[at] == s.leaving
				case !t.Stays(v) && !t.Stays(w):
					same = same && t.Encloses[at] == s.encloses && t.Overtaken[at] == s.overtaken
				case t.Stays(v): // w leaves, v does not
					same = same && t.Encloses[at] == s.encloses
				default:
					same = same && t.Overtaken[at] == s.overtaken
				}
			}
		}
		if same {
			return s.name, true
		}
	}
	return "", false
}

// Closed reports whether a remove, and the second of two removes, can be left out
// at the end of what is allowed.
func (t *Table) Closed() bool {
	stay := func(c int) int { return c - c%(t.Removers+1) + t.Removers }
	for v := range t.Classes() {
		for w := range t.Classes() {
			if t.Encloses[t.At(v, w)] && !(t.Encloses[t.At(stay(v), w)] && t.Encloses[t.At(stay(v), stay(w))]) ||
				t.Overtaken[t.At(v, w)] && !(t.Overtaken[t.At(v, stay(w))] && t.Overtaken[t.At(stay(v), stay(w))]) {
				return false
			}
		}
	}
	return true
}

// Orders is a set of the orders in which two values, the one and the other, can come and go.
type Orders uint8

const (
	oneThenOther   Orders = 1 << iota // the one leaves before the other comes
	otherThenOne                      // and the reverse
	oneEncloses                       // the one comes first and leaves last
	otherEncloses                     // and the reverse
	oneOvertaken                      // the one comes first and leaves first, while the other is in
	otherOvertaken                    // and the reverse

	oneFirst   = oneThenOther | oneEncloses | oneOvertaken
	otherFirst = otherThenOne | otherEncloses | otherOvertaken
	apart      = oneThenOther | otherThenOne
)

// swapped is the same with the other value as the one.
func (o Orders) swapped() Orders { return o&oneFirst<<1 | o&otherFirst>>1 }

// allowed lists for each two classes the orders that the table allows.
func (t *Table) allowed() []Orders {
	n := t.Classes()
	all := make([]Orders, n*n)
	for v := range n {
		for w := range n {
			o := apart
			for _, x := range []struct {
				may   bool
				order Orders
			}{
				{t.Encloses[t.At(v, w)], oneEncloses}, {t.Encloses[t.At(w, v)], otherEncloses},
				{t.Overtaken[t.At(v, w)], oneOvertaken}, {t.Overtaken[t.At(w, v)], otherOvertaken},
			} {
				if x.may {
					o |= x.order
				}
			}
			all[t.At(v, w)] = o
		}
	}
	return all
}

// sequences are the orders of the four operations for each bit of Orders: 0 and 1
// are what adds and removes the one, 2 and 3 the other.
var sequences = [...][4]uint8{{0, 1, 2, 3}, {2, 3, 0, 1}, {0, 2, 3, 1}, {2, 0, 1, 3}, {0, 2, 1, 3}, {2, 0, 3, 1}}

// possible keeps the orders that real time allows.
func (o Orders) possible(ops *[4]Span) Orders {
	for k := range sequences {
		if o>>k&1 == 1 && !inOrder(ops, &sequences[k]) {
			o &^= 1 << k
		}
	}
	return o
}

// inOrder reports whether each operation of a sequence can come before all behind it: its first gap
// is before their last ones.
func inOrder(ops *[4]Span, sequence *[4]uint8) bool {
	latest := ops[sequence[3]].E
	for i := 2; i >= 0; i-- {
		at := ops[sequence[i]]
		if at.S >= latest {
			return false
		}
		latest = min(latest, at.E)
	}
	return true
}
