package enumerate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// Kind is one letter of an alphabet: a method with an outcome, and the value
// positions of its labels, arguments first.
type Kind struct {
	history.Kind
	Method int   // index of the method in the reference's list
	Args   int   // how many of the positions are arguments
	Sorts  []int // sort of each position; values of different sorts never meet
	Same   []int // Same[p] is the first position that must hold the same value as p; p itself if none
}

// Value is an abstract data value: its sort and its number, from 1.
type Value int

// NewValue is the number-th value of a sort.
func NewValue(sort, number int) Value { return Value(sort<<8 | number) }

// Sort is the value's sort.
func (v Value) Sort() int { return int(v >> 8) }

// Number counts the values of one sort, from 1.
func (v Value) Number() int { return int(v & 0xff) }

// Text is the value as labels and messages show it: "1", "2", ... for the
// first sort, "b1", "c1", ... for the others.
func (v Value) Text() history.Value {
	n := strconv.Itoa(v.Number())
	if s := v.Sort(); s > 0 {
		n = string(rune('a'+s)) + n
	}
	return history.Value(n)
}

// Label is a label of an alphabet: a small number that stands for a kind with
// values, so that relations between labels can be tables.
type Label int32

// Alphabet is a finite list of kinds, and the labels met so far.
type Alphabet struct {
	Kinds []Kind

	labels []labelData
	ids    map[string]Label // labels with many values, or large ones
	dense  [][]Label        // by kind and values: the others, plus one; 0 is not met yet
}

type labelData struct {
	kind   int
	values []Value
	text   history.Label
}

// NewAlphabet makes an alphabet of kinds.
func NewAlphabet(kinds []Kind) *Alphabet {
	return &Alphabet{Kinds: kinds, ids: map[string]Label{}}
}

// Label is the label of a kind with the given values, one a position.
func (a *Alphabet) Label(kind int, values []Value) Label {
	if p := a.slot(kind, values); p != nil {
		if *p == 0 {
			*p = a.add(kind, values) + 1
		}
		return *p - 1
	}
	var buf [32]byte
	key := append(buf[:0], byte(kind))
	for _, v := range values {
		key = append(key, byte(v>>8), byte(v))
	}
	if l, ok := a.ids[string(key)]; ok {
		return l
	}
	l := a.add(kind, values)
	a.ids[string(key)] = l
	return l
}

// slot is where the label of a kind with few, small values is kept, or nil. A
// position has one sort, so numbers identify its values.
func (a *Alphabet) slot(kind int, values []Value) *Label {
	const limit = 32
	i := 0
	for _, v := range values {
		if v.Number() >= limit {
			return nil
		}
		i = i*limit + v.Number()
	}
	if len(values) > 2 {
		return nil
	}
	for len(a.dense) <= kind {
		a.dense = append(a.dense, nil)
	}
	if i >= len(a.dense[kind]) {
		a.dense[kind] = append(a.dense[kind], make([]Label, i+1-len(a.dense[kind]))...)
	}
	return &a.dense[kind][i]
}

func (a *Alphabet) add(kind int, values []Value) Label {
	l := Label(len(a.labels))
	vs := append([]Value(nil), values...)
	a.labels = append(a.labels, labelData{kind, vs, a.text(kind, vs)})
	return l
}

func (a *Alphabet) text(kind int, values []Value) history.Label {
	k := a.Kinds[kind]
	t := history.Label{Kind: k.Kind}
	for p, v := range values {
		if p < k.Args {
			t.Args = append(t.Args, v.Text())
		} else {
			t.Rets = append(t.Rets, v.Text())
		}
	}
	return t
}

// Len is the number of labels met so far; labels are 0..Len()-1.
func (a *Alphabet) Len() int { return len(a.labels) }

// KindOf is the index of a label's kind.
func (a *Alphabet) KindOf(l Label) int { return a.labels[l].kind }

// Values are the label's values, one a position. Not to be changed.
func (a *Alphabet) Values(l Label) []Value { return a.labels[l].values }

// Text is the label with values in text. Not to be changed.
func (a *Alphabet) Text(l Label) *history.Label { return &a.labels[l].text }

// Texts are the labels of an execution with values in text.
func (a *Alphabet) Texts(e []Label) []history.Label {
	ts := make([]history.Label, len(e))
	for i, l := range e {
		ts[i] = *a.Text(l)
	}
	return ts
}

// Labels are the labels with these texts, which Texts made.
func (a *Alphabet) Labels(texts []history.Label) []Label {
	e := make([]Label, len(texts))
	for i, t := range texts {
		k := a.Find(t.Kind)
		values := make([]Value, 0, len(t.Args)+len(t.Rets))
		for p, v := range slices.Concat(t.Args, t.Rets) {
			n, err := strconv.Atoi(strings.TrimLeftFunc(string(v), func(r rune) bool { return r < '0' || r > '9' }))
			if err != nil {
				panic(err) // no text of ours
			}
			values = append(values, NewValue(a.Kinds[k].Sorts[p], n))
		}
		e[i] = a.Label(k, values)
	}
	return e
}

// Find is the index of a kind, or -1.
func (a *Alphabet) Find(k history.Kind) int {
	for i := range a.Kinds {
		if a.Kinds[i].Kind == k {
			return i
		}
	}
	return -1
}
