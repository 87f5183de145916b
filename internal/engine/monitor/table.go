package monitor

// table says how two values of a container may be in at the same time, by their
// classes: the kind of the operation that added a value, and of the one that
// removed it, or that none did. That is all that the patterns of two matches
// say.
type table struct {
	adders, removers int
	encloses         []bool // v may come first and leave last, w come and leave meanwhile
	overtaken        []bool // v may come first and leave first, w come while it is in
}

// class is the class of values added and removed by such kinds; remover is
// t.removers if nobody removed it.
func (t *table) class(adder, remover int) int { return adder*(t.removers+1) + remover }

func (t *table) classes() int { return t.adders * (t.removers + 1) }

func (t *table) stays(class int) bool { return class%(t.removers+1) == t.removers }

func (t *table) at(v, w int) int { return v*t.classes() + w }

// uniform is the name of the shape that has the same table, if all kinds may be
// exchanged for each other.
func (t *table) uniform() (name string, ok bool) {
	for _, s := range []struct {
		name                         string
		encloses, overtaken, leaving bool // the last: two values may stay
	}{{"bag", true, true, true}, {"queue", false, true, true}, {"stack", true, false, true}, {"lock", false, false, false}} {
		same := true
		for v := range t.classes() {
			for w := range t.classes() {
				stay := t.stays(v) && t.stays(w)
				switch at := t.at(v, w); {
				case stay:
					same = same && t.encloses[at] == s.leaving
				case !t.stays(v) && !t.stays(w):
					same = same && t.encloses[at] == s.encloses && t.overtaken[at] == s.overtaken
				case t.stays(v): // w leaves, v does not
					same = same && t.encloses[at] == s.encloses
				default:
					same = same && t.overtaken[at] == s.overtaken
				}
			}
		}
		if same {
			return s.name, true
		}
	}
	return "", false
}

// clash tells whether two values exclude each other: whether there is no order
// of their operations that the table and real time allow.
func (t *table) clash(v, w *match, cv, cw int) bool {
	av, rv, aw, rw := span{v.as, v.ae}, span{v.rs, v.re}, span{w.as, w.ae}, span{w.rs, w.re}
	return !possible(av, rv, aw, rw) && !possible(aw, rw, av, rv) &&
		!(t.encloses[t.at(cv, cw)] && possible(av, aw, rw, rv)) &&
		!(t.encloses[t.at(cw, cv)] && possible(aw, av, rv, rw)) &&
		!(t.overtaken[t.at(cv, cw)] && possible(av, aw, rv, rw)) &&
		!(t.overtaken[t.at(cw, cv)] && possible(aw, av, rw, rv))
}

// span is an operation from call to return.
type span struct{ s, e int32 }

// possible tells whether operations can take effect in an order: none is called
// after a later one returned.
func possible(ops ...span) bool {
	last := int32(0)
	for _, o := range ops {
		if last = max(last, o.s); last >= o.e {
			return false
		}
	}
	return true
}
