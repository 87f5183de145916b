package equations

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// A table is the observers that closed laws follow from, of the values of one log: its rows
// are a state. Two states with equal rows answer all calls of the log alike, whatever comes
// after, if laws ask only for rows: their arguments are those of calls, constants, or values
// that were put in. Where an argument is computed, a table is of no use.
type table struct {
	*Set
	rows    []tableRow
	at      map[string]int32 // by observer and arguments
	same    [][]bool         // by method and observer: it is what it was
	types   types
	domains map[Sort][]Value
	known   map[inSort]bool // of domains
	key     []byte
	start   []Value
	err     error
}

type tableRow struct {
	observer int
	args     []Value
}

type inSort struct {
	Sort
	Value
}

// mostRows bounds a table.
const mostRows = 1 << 13

// newTable makes the table for the labels of a log; nil if there is none.
func newTable(s *Set, sigs []*history.MethodSig, types types, ops []history.Operation) *table {
	t := &table{Set: s, types: types, at: map[string]int32{}, domains: map[Sort][]Value{}, known: map[inSort]bool{}}
	pending := false
	for i := range ops {
		pending = pending || !ops[i].Completed()
		t.collect(sigs, &ops[i].Label)
	}
	needed := s.Needed()
	for o := range needed {
		if !t.asksForRows(o, pending) {
			return nil
		}
	}
	for o := range s.Observers {
		if needed[o] && len(s.Observers[o].Is.Rules) == 0 && !t.add(o, nil) {
			return nil
		}
	}
	t.notes()
	t.start = make([]Value, len(t.rows))
	for i, r := range t.rows {
		t.start[i] = t.law(&s.Observers[r.observer].Start, r.args, nil)
	}
	return t
}

// collect adds the values of a label to the domains of their sorts.
func (t *table) collect(sigs []*history.MethodSig, l *history.Label) {
	for i := range t.Methods {
		if t.Methods[i].Name != l.Method {
			continue
		}
		m := sigs[i]
		for k, v := range l.Args {
			t.put(SortOf(&m.Params[k]), t.Store.Read(&m.Params[k], string(v)))
		}
		for k, v := range l.Rets {
			t.put(SortOf(&m.Results[k]), t.Store.Read(&m.Results[k], string(v)))
		}
	}
}

// put adds a value, and its parts, to the domains.
func (t *table) put(sort Sort, v Value) {
	if v == Undefined || t.known[inSort{sort, v}] {
		return
	}
	t.known[inSort{sort, v}] = true
	t.domains[sort] = append(t.domains[sort], v)
	switch fields := sort.Fields(); t.Store.Kind(v) {
	case List:
		for _, p := range t.Store.Parts(v) {
			t.put(sort.Elem(), p)
		}
	case Map:
		for i, p := range t.Store.Parts(v) {
			t.put([]Sort{sort.Key(), sort.Elem()}[i%2], p)
		}
	case Record:
		for i, p := range t.Store.Parts(v) {
			if i < len(fields) {
				t.put(fields[i], p)
			}
		}
	}
}

// add adds the rows of an observer for all arguments; false: there are too many.
func (t *table) add(o int, args []Value) bool {
	if len(args) < len(t.Observers[o].Params) {
		for _, v := range t.domains[t.Observers[o].Params[len(args)].Sort] {
			if !t.add(o, append(slices.Clip(args), v)) {
				return false
			}
		}
		return true
	}
	t.at[string(t.keyOf(o, args))] = int32(len(t.rows))
	t.rows = append(t.rows, tableRow{o, args})
	return len(t.rows) <= mostRows
}

func (t *table) keyOf(o int, args []Value) []byte {
	t.key = binary.LittleEndian.AppendUint32(t.key[:0], uint32(o))
	for _, a := range args {
		t.key = binary.LittleEndian.AppendUint64(t.key, uint64(a))
	}
	return t.key
}

// asksForRows reports whether the laws of an observer ask for rows alone, and adds constants
// that are arguments to the domains. A value that was taken out of others was put in, unless
// it can be computed, as integers can, and texts.
func (t *table) asksForRows(o int, pending bool) bool {
	ob, all := &t.Observers[o], true
	check := func(l *Law, scope []Param, answers map[int]bool) {
		l.Walk(func(e *Expr) {
			if e.Form != Obs {
				return
			}
			for i, a := range e.Args {
				want := t.Observers[e.slot].Params[i].Sort
				switch a.Form {
				case Const:
					t.put(want, a.value)
				case Var:
					all = all && scope[a.slot].Sort == want && (!answers[a.slot] || !pending || !computed(want))
				default:
					all = all && !computed(want)
				}
			}
		})
	}
	check(&ob.Is, ob.Params, nil)
	check(&ob.Start, ob.Params, nil)
	for m := range ob.After {
		me, answers := &t.Methods[m], map[int]bool{}
		for i := range me.Parts {
			answers[len(me.Params)+i] = true
		}
		check(&ob.After[m], me.Scope(ob), answers)
	}
	return all
}

// computed reports whether laws make values of a sort, other than constants.
func computed(s Sort) bool { return s != Texts && s != Words && s != Others }

// notes notes which laws leave an observer as it is.
func (t *table) notes() {
	t.same = make([][]bool, len(t.Methods))
	for m := range t.Methods {
		t.same[m] = make([]bool, len(t.Observers))
		for o := range t.Observers {
			ob := &t.Observers[o]
			before := len(t.Methods[m].Params) + len(t.Methods[m].Parts)
			rules := ob.After[m].Rules
			t.same[m][o] = len(rules) == 1 && rules[0].If == nil && rules[0].Then.Form == Obs && rules[0].Then.slot == o
			if t.same[m][o] {
				for i, a := range rules[0].Then.Args {
					t.same[m][o] = t.same[m][o] && a.Form == Var && a.slot == before+i
				}
			}
		}
	}
}

// law is what a law gives, of some rows.
func (t *table) law(l *Law, vars, rows []Value) Value {
	v, err := t.Store.Of(l, &Env{Vars: vars, Obs: func(o int, args []Value) (Value, error) { return t.see(rows, o, args) }})
	t.err = cmp.Or(t.err, err)
	return v
}

// see is what an observer is in the state with some rows.
func (t *table) see(rows []Value, o int, args []Value) (Value, error) {
	ob := &t.Observers[o]
	if !ob.takes(t.Store, args) {
		return Undefined, nil
	}
	if len(ob.Is.Rules) > 0 {
		return t.law(&ob.Is, slices.Clone(args), rows), t.err
	}
	i, ok := t.at[string(t.keyOf(o, args))]
	if !ok {
		return Undefined, outside("what " + t.Observers[o].Name + " is of a value that the log does not have")
	}
	return rows[i], nil
}

// after are the rows after a call and its answer; those of before if nothing changes.
func (t *table) after(rows []Value, method int, vars []Value) []Value {
	next, same := rows, true
	for i, r := range t.rows {
		if t.same[method][r.observer] {
			continue
		}
		v := t.law(&t.Observers[r.observer].After[method], slices.Concat(vars, r.args), rows)
		if v == rows[i] {
			continue
		}
		t.err = cmp.Or(t.err, t.types.refuse(t.Set, r.observer, v))
		if same {
			next, same = slices.Clone(rows), false
		}
		next[i] = v
	}
	return next
}

var seed = maphash.MakeSeed()

func hashOf(rows []Value) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, v := range rows {
		maphash.WriteComparable(&h, v)
	}
	return h.Sum64()
}
