package learn

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/reference"
)

// atom is a value that stands for any: number of a class of types that have parts
// in common.
type atom struct{ class, number int }

// firstAtom is far from the numbers that others use, such as a product for a key.
const firstAtom = 1_000

// atoms knows the values of which only the equality matters.
type atoms struct {
	methods []reference.Method
	class   [2]int  // of the leaves: integers and texts
	params  [][]int // class of each parameter; -1: it has few values
	known   []int   // by class, the number of the last atom known
	texts   map[string]atom
	values  map[history.Value]atom
}

// The kinds of leaves.
const (
	integerLeaf = iota
	textLeaf
)

// newAtoms fails if some parameter has values that are not all alike.
func newAtoms(methods []reference.Method) (*atoms, error) {
	a := &atoms{methods: methods, texts: map[string]atom{}, values: map[history.Value]atom{}}
	a.class = [2]int{0, 1}
	var uses [][][2]bool
	for i := range methods {
		m := &methods[i]
		uses = append(uses, nil)
		for p := range m.Params {
			var of [2]bool
			if d := m.ArgDomain[p]; (d == 0 || d > fewest) && !leavesOf(&m.Params[p], &of) {
				return nil, fmt.Errorf("%s has arguments of type %s, which has values of several sorts", m.Name, m.Args[p])
			}
			if of[0] && of[1] {
				a.class[1] = 0
			}
			uses[i] = append(uses[i], of)
		}
	}
	for i := range uses {
		var of []int
		for _, u := range uses[i] {
			switch {
			case u[integerLeaf]:
				of = append(of, a.class[integerLeaf])
			case u[textLeaf]:
				of = append(of, a.class[textLeaf])
			default:
				of = append(of, -1)
			}
		}
		a.params = append(a.params, of)
	}
	a.known = []int{firstAtom - 1, firstAtom - 1}
	return a, nil
}

// fewest is how many values a type has of which all are tried.
const fewest = 4

// leavesOf notes the kinds of leaves that numbered values of a type have; false if
// there are others than integers and texts.
func leavesOf(b *values.Basic, of *[2]bool) bool {
	switch b.Kind {
	case values.KindInt, values.KindUint:
		of[integerLeaf] = true
		return b.Bits >= 32
	case values.KindAny:
		of[integerLeaf] = true
	case values.KindString, values.KindBytes:
		of[textLeaf] = true
	case values.KindStruct:
		for i := range b.Fields {
			if !leavesOf(&b.Fields[i].Basic, of) {
				return false
			}
		}
		return len(b.Fields) > 0
	case values.KindList, values.KindPointer, values.KindInterface:
		return b.Elem != nil && leavesOf(b.Elem, of)
	default:
		return false
	}
	return true
}

// upTo makes the atoms of a class known up to a number.
func (a *atoms) upTo(class, number int) {
	for k := a.known[class] + 1; k <= number; k++ {
		at := atom{class, k}
		if a.class[integerLeaf] == class {
			for _, bits := range []int{32, 64} {
				a.texts["i"+(&values.Basic{Kind: values.KindInt, Bits: bits}).Numbered(k)] = at
			}
		}
		if a.class[textLeaf] == class {
			a.texts["s"+(&values.Basic{Kind: values.KindString}).Numbered(k)] = at
		}
		for i := range a.methods {
			for p := range a.methods[i].Params {
				if a.params[i][p] == class {
					a.values[a.value(i, p, k)] = at
				}
			}
		}
		a.known[class] = k
	}
}

// value is the text of an atom as an argument.
func (a *atoms) value(method, param, number int) history.Value {
	return history.Value(a.methods[method].Params[param].Numbered(number))
}

// naming gives atoms and places names by first appearance.
type naming struct {
	*atoms
	b      strings.Builder
	names  map[atom]int
	order  []atom
	places map[int]int
	queue  []int // places whose parts are to be written
}

func (a *atoms) naming() *naming {
	return &naming{atoms: a, names: map[atom]int{}, places: map[int]int{}}
}

// name is an atom's. Unless it may get one it is "?" if it has none.
func (n *naming) name(x atom, may bool) string {
	k, ok := n.names[x]
	if !ok && !may {
		return "?"
	}
	if !ok {
		k = len(n.order)
		n.names[x] = k
		n.order = append(n.order, x)
	}
	return "$" + strconv.Itoa(k) + ","
}

// value writes what a register holds.
func (n *naming) value(v history.Value) {
	if x, ok := n.values[v]; ok {
		n.b.WriteString(n.name(x, true))
		return
	}
	n.b.WriteString(strconv.Quote(string(v)) + ",")
}

// form writes an object.
func (n *naming) form(f *states.Form) {
	n.b.WriteString(n.items(f.Items, true))
	for i := 0; i < len(n.queue); i++ {
		n.b.WriteString(";" + n.items(f.Parts[n.queue[i]], true))
	}
}

// items draws items; may says whether what has no name gets one.
func (n *naming) items(list []states.Item, may bool) string {
	var b strings.Builder
	for i := range list {
		it := &list[i]
		switch it.Kind {
		case states.Number:
			b.WriteString(strconv.Itoa(it.Number))
			b.WriteByte(',')
		case states.Integer:
			b.WriteString(n.leaf("i", it.Text, may))
		case states.Text:
			b.WriteString(n.leaf("s", it.Text, may))
		case states.Other:
			b.WriteString("b" + strconv.Quote(it.Text) + ",")
		case states.Place:
			b.WriteString(n.place(it.Number, may))
		case states.Map:
			b.WriteString(n.entries(it.Entries, may))
		}
	}
	return b.String()
}

func (n *naming) leaf(kind, text string, may bool) string {
	if x, ok := n.texts[kind+text]; ok {
		return n.name(x, may)
	}
	return kind + strconv.Quote(text) + ","
}

func (n *naming) place(p int, may bool) string {
	k, ok := n.places[p]
	if !ok && !may {
		return "&?"
	}
	if !ok {
		k = len(n.places)
		n.places[p] = k
		n.queue = append(n.queue, p)
	}
	return "&" + strconv.Itoa(k) + ","
}

// entries draws a map: first the entries whose keys have names, in their order, and
// then the others in the order of what else there is to them.
func (n *naming) entries(all [][2][]states.Item, may bool) string {
	type drawn struct {
		text string
		of   int
	}
	texts := make([]drawn, len(all))
	for i, e := range all {
		texts[i] = drawn{n.items(e[0], false) + ":" + n.items(e[1], false), i}
	}
	slices.SortStableFunc(texts, func(x, y drawn) int { return strings.Compare(x.text, y.text) })
	var b strings.Builder
	fmt.Fprintf(&b, "{%d:", len(all))
	for _, t := range texts {
		if e := all[t.of]; may {
			t.text = n.items(e[0], true) + ":" + n.items(e[1], true)
		}
		b.WriteString(t.text + ";")
	}
	return b.String() + "}"
}
