package monitor

import (
	"errors"
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/lives"
	"github.com/adtinfer/adtinfer/internal/semantics/axioms"
	"github.com/adtinfer/adtinfer/theory"
)

// errTable is why a theory has no table.
var errTable = errors.New("its patterns say more than how two values may be in at the same time")

// tableReader reads the table of a theory off its patterns.
type tableReader struct {
	s                         *axioms.Semantics
	adders, removers, finders []*kindReader
	table                     *lives.Table
	cast                      map[history.Kind]byte
	index                     map[history.Kind]uint8
}

// maxPlayers bounds the kinds that add or remove: all orders of those of one
// value are looked at.
const maxPlayers = 5

// recognizeTable looks for the table of a theory: any number of kinds that add,
// that remove, and that find nothing. What the theory says of one value, and of
// values and operations that find nothing, must be what containers have in
// common. The patterns are compared with the table in both directions, so that
// no other sequence need be looked at.
func recognizeTable(t *theory.Theory, s *axioms.Semantics) (*assignment, error) {
	x := &tableReader{s: s, cast: map[history.Kind]byte{}, index: map[history.Kind]uint8{}}
	if err := x.roles(t); err != nil {
		return nil, err
	}
	if err := x.Read(); err != nil {
		return nil, err
	}
	names := map[string][]string{}
	for i := range t.Spec.Patterns {
		p := &t.Spec.Patterns[i]
		text, steps, ok := x.steps(&p.History)
		if !ok || admits(x.table, steps) {
			return nil, fmt.Errorf("%w: %s", errTable, p.Name)
		}
		names[text] = append(names[text], p.Name)
	}
	if err := x.compare(); err != nil {
		return nil, err
	}
	return &assignment{shape: x.shape(), cast: x.cast, names: names, index: x.index}, nil
}

// roles finds out what each kind does.
func (x *tableReader) roles(t *theory.Theory) error {
	for _, m := range t.Spec.Methods {
		for _, o := range m.Outcomes {
			k := &kindReader{Semantics: x.s, Kind: history.Kind{Method: m.Name, Outcome: o.Outcome}, args: m.Args, rets: o.Rets}
			one := x.s.Structure([]history.Label{k.label("1", "1")})
			target, readOnly := one.Match(0), one.ReadOnly(0)
			switch {
			case target == 0 && readOnly:
				x.finders, x.cast[k.Kind] = append(x.finders, k), 'E'
			case target == 0:
				x.index[k.Kind] = uint8(len(x.adders))
				x.adders, x.cast[k.Kind] = append(x.adders, k), 'A'
			case readOnly:
				return fmt.Errorf("%w: %s looks at a value", errTable, k.Kind)
			default:
				x.index[k.Kind] = uint8(len(x.removers))
				x.removers, x.cast[k.Kind] = append(x.removers, k), 'R'
			}
		}
	}
	if len(x.adders) == 0 || len(x.removers) == 0 || len(x.adders)+len(x.removers) > maxPlayers {
		return errTable
	}
	return nil
}

// step is an operation of a sequence: the kind, by letter and index, and the
// value; -1 if it has none.
type step struct {
	letter byte
	kind   int
	value  int
}

// steps is a pattern as the table sees it.
func (x *tableReader) steps(h *history.History) (text string, steps []step, ok bool) {
	number := map[int]int{history.Unmatched: -1}
	var words []string
	for i := range h.Ops {
		op := &h.Ops[i]
		if i > 0 && op.Start <= h.Ops[i-1].End {
			return "", nil, false
		}
		n, seen := number[op.Target]
		if !seen {
			n = len(number) - 1
			number[op.Target] = n
		}
		letter := x.cast[op.Kind]
		if letter == 0 {
			return "", nil, false
		}
		steps = append(steps, step{letter, x.place(letter, op.Kind), n})
		if n < 0 {
			words = append(words, string(letter)+"X")
		} else {
			words = append(words, fmt.Sprintf("%c%d", letter, n+1))
		}
	}
	return strings.Join(words, " "), steps, true
}

func (x *tableReader) place(letter byte, k history.Kind) int {
	if letter == 'E' {
		return 0
	}
	return int(x.index[k])
}

// verdict evaluates the theory on a sequence.
func (x *tableReader) verdict(steps ...step) (admitted bool, err error) {
	var labels []history.Label
	for _, s := range steps {
		k := map[byte][]*kindReader{'A': x.adders, 'R': x.removers, 'E': x.finders}[s.letter][s.kind]
		labels = append(labels, k.label(value(s.value), value(s.value)))
	}
	admitted, ok := x.s.Verdict(labels)
	if !ok {
		return false, fmt.Errorf("%w: it does not speak of %s", errTable, history.Sequential(labels...))
	}
	return admitted, nil
}

// Read evaluates the theory on all ways in which two values may be in at the
// same time. Whatever is allowed must be so from its beginning on.
func (x *tableReader) Read() error {
	t := &lives.Table{Adders: len(x.adders), Removers: len(x.removers)}
	n := t.Classes()
	t.Encloses, t.Overtaken = make([]bool, n*n), make([]bool, n*n)
	x.table = t
	for v := range n {
		for w := range n {
			av, aw := step{'A', v / (t.Removers + 1), 0}, step{'A', w / (t.Removers + 1), 1}
			rv, rw := step{'R', v % (t.Removers + 1), 0}, step{'R', w % (t.Removers + 1), 1}
			var err, err2 error
			at := t.At(v, w)
			switch {
			case t.Stays(v) && t.Stays(w):
				t.Encloses[at], err = x.verdict(av, aw)
				t.Overtaken[at] = t.Encloses[at]
			case t.Stays(v):
				t.Encloses[at], err = x.verdict(av, aw, rw)
			case t.Stays(w):
				t.Overtaken[at], err = x.verdict(av, aw, rv)
			default:
				t.Encloses[at], err = x.verdict(av, aw, rw, rv)
				t.Overtaken[at], err2 = x.verdict(av, aw, rv, rw)
			}
			if err := errors.Join(err, err2); err != nil {
				return err
			}
		}
	}
	if !t.Closed() {
		return fmt.Errorf("%w: it admits a sequence, and not its beginning", errTable)
	}
	return nil
}

// compare evaluates the theory on the sequences that all containers must admit
// or refuse.
func (x *tableReader) compare() error {
	var all [][]step
	for a := range x.adders {
		add := step{'A', a, 0}
		players := []step{add}
		for r := range x.removers {
			remove := step{'R', r, 0}
			players = append(players, remove)
			all = append(all, []step{add, remove, remove})
			for b := range x.adders {
				next := step{'A', b, 1}
				all = append(all, []step{add, remove, next})
				for q := range x.removers {
					all = append(all, []step{add, remove, next, {'R', q, 1}})
				}
			}
			for e := range x.finders {
				find := step{'E', e, 1}
				all = append(all, []step{find}, []step{add, find}, []step{find, add}, []step{find, add, remove}, []step{add, find, remove}, []step{add, remove, find})
			}
		}
		all = orders(all, nil, players)
	}
	for _, steps := range all {
		admitted, err := x.verdict(steps...)
		if err == nil && admitted != admits(x.table, steps) {
			err = errTable
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// orders appends all sequences that begin so and go on with some of the rest.
func orders(all [][]step, begin, rest []step) [][]step {
	if len(begin) > 0 {
		all = append(all, begin)
	}
	for i := range rest {
		others := append(append([]step{}, rest[:i]...), rest[i+1:]...)
		all = orders(all, append(begin[:len(begin):len(begin)], rest[i]), others)
	}
	return all
}

// shape is that of a container with the table: one that has a name if the kinds
// may be exchanged for each other.
func (x *tableReader) shape() shape {
	by := func(ks []*kindReader) string {
		var names []string
		for _, k := range ks {
			names = append(names, k.Method)
		}
		return strings.Join(names, " or ")
	}
	who := fmt.Sprintf("; values come by %s and leave by %s", by(x.adders), by(x.removers))
	if name, ok := x.table.Uniform(); ok {
		for _, s := range shapes() {
			if s.Name == name {
				s.about += who
				return s
			}
		}
	}
	return shape{
		Name: "container", about: "what they say is how two values may be in at the same time" + who,
		Table: true,
		roles: []player{adds, removes, finds},
		New:   func() batch.Algorithm { return &batch.TableContainer{Table: x.table} },
	}
}

// admits decides a sequence by a table.
func admits(t *lives.Table, steps []step) bool {
	type life struct{ add, remove, adder, remover int }
	lives := map[int]*life{}
	for i, s := range steps {
		l := lives[s.value]
		switch {
		case s.letter == 'E':
		case s.letter == 'A' && l == nil:
			lives[s.value] = &life{i, len(steps), s.kind, t.Removers}
		case s.letter == 'R' && l != nil && l.remover == t.Removers:
			l.remove, l.remover = i, s.kind
		default:
			return false
		}
	}
	for i, s := range steps {
		for _, l := range lives {
			if s.letter == 'E' && l.add < i && i < l.remove {
				return false
			}
		}
	}
	for _, v := range lives {
		for _, w := range lives {
			if v.add >= w.add || v.remove < w.add {
				continue
			}
			at := t.At(t.Class(v.adder, v.remover), t.Class(w.adder, w.remover))
			if v.remove < w.remove && !t.Overtaken[at] || v.remove >= w.remove && !t.Encloses[at] {
				return false
			}
		}
	}
	return true
}
