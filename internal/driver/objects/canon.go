//go:build go1.21

package objects

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"slices"
	"unsafe"
)

// Detail is how much of an object its text tells.
type Detail int

const (
	// Short leaves out what lies beyond the length of slices, unless several
	// lead to it, and how much room there is.
	Short Detail = iota
	// Full has all that a program could see.
	Full
)

// errUnordered is the Refusal of maps whose keys cannot be put in order.
var errUnordered = errors.New("a map is keyed by pointers, which have no order")

// writer writes the text of an object: its regions in the order in which they are
// met, each once, pointers as numbers of regions with places in them.
type writer struct {
	g      *graph
	b      []byte
	detail Detail
	form   bool // items, see Form
	queue  []part
	next   int // number of the next region or map
	err    error
}

// part is the first n values of a region, or a map.
type part struct {
	r *region
	n int
}

// Text appends the text of the variable of type t at p to b. Equal texts of one
// World mean equal objects: calls cannot tell them apart, so far as Detail goes.
// The error says why there is none.
func (w *World) Text(b []byte, t reflect.Type, p unsafe.Pointer, detail Detail) ([]byte, error) {
	x := writer{g: &w.graph, b: b, detail: detail}
	return x.object(w.layout(t), p)
}

func (x *writer) object(l *layout, p unsafe.Pointer) ([]byte, error) {
	g := x.g
	if l.flat {
		g.regions = g.regions[:0]
	} else if err := g.build(l, p); err != nil {
		return x.b, err
	}
	if l.flat {
		x.value(l, p)
		return x.b, nil
	}
	r := g.find(p) // which may be shared
	x.next, r.number = 1, 1
	x.number(int(uintptr(p) - uintptr(r.base)))
	if x.form {
		x.place(r.number)
	}
	x.queue = append(x.queue, part{r, r.n})
	for i := 0; i < len(x.queue); i++ {
		q := x.queue[i]
		if x.form {
			x.item(FormPart)
			x.b = binary.AppendUvarint(x.b, uint64(q.r.number))
		}
		x.number(g.w.typeNumber(q.r.l.t))
		x.values(q.r.l, q.r.base, q.n)
	}
	return x.b, x.err
}

func (w *World) typeNumber(t reflect.Type) int {
	n, ok := w.types[t]
	if !ok {
		n = len(w.types)
		w.types[t] = n
	}
	return n
}

func (x *writer) number(n int) {
	if x.form {
		x.item(FormNumber)
	}
	x.b = binary.AppendUvarint(x.b, uint64(n))
}

// place writes the number of a region or map.
func (x *writer) place(n int) {
	if x.form {
		x.item(FormPlace)
	}
	x.b = binary.AppendUvarint(x.b, uint64(n))
}

// What a pointer is.
const (
	isNil = iota
	isShared
	isNothing // of no size
	isRegion
	isMap
	isLent
)

// elsewhere writes a pointer that is nil, or leads to what copies share, and reports
// whether it is one.
func (x *writer) elsewhere(p unsafe.Pointer) bool {
	if p == nil {
		x.number(isNil)
		return true
	}
	k, ok := x.g.w.shared[p]
	if ok && x.lent(p) {
		return true
	}
	if ok {
		x.number(isShared)
		x.number(k)
	}
	return ok
}

// address writes where p leads; n values there matter if nothing else leads there.
func (x *writer) address(p unsafe.Pointer, n int) {
	if x.elsewhere(p) {
		return
	}
	r := x.g.find(p)
	if r == nil {
		x.number(isNothing)
		return
	}
	x.number(isRegion)
	if r.number == 0 {
		x.next++
		r.number = x.next
		if x.detail == Full || r.refs > 1 || r.base != p {
			n = r.n
		}
		x.number(n)
		x.queue = append(x.queue, part{r, n})
	}
	x.place(r.number)
	x.number(int(uintptr(p) - uintptr(r.base)))
}

func (x *writer) values(l *layout, p unsafe.Pointer, n int) {
	if l.raw && x.raw(l, p, n) {
		return
	}
	for i := 0; i < n; i++ {
		x.value(l, unsafe.Add(p, uintptr(i)*l.size))
	}
}

// value writes a value's own memory.
func (x *writer) value(l *layout, p unsafe.Pointer) {
	if l.raw && x.raw(l, p, 1) {
		return
	}
	switch l.form {
	case plain:
		x.plain(l, p)
	case text:
		s := *(*string)(p)
		if x.form {
			x.leaf(FormText, s)
			return
		}
		x.number(len(s))
		x.b = append(x.b, s...)
	case composite, condition:
		for i := range l.fields {
			x.value(l.fields[i].layout, unsafe.Add(p, l.fields[i].off))
		}
	case array:
		x.values(l.elem, p, l.n)
	case pointer, function:
		x.address(*(*unsafe.Pointer)(p), 1)
	case identity:
		q := *(*unsafe.Pointer)(p)
		if q == nil {
			x.number(isNil)
			return
		}
		x.number(isShared)
		x.number(x.g.w.sharedNumber(q))
	case slice:
		h := (*header)(p)
		x.address(h.data, h.len)
		x.number(h.len)
		if r := x.g.find(h.data); x.detail == Full || r != nil && r.refs > 1 {
			x.number(h.cap)
		}
	case mapping:
		x.mapping(l, p)
	case dynamic:
		v := reflect.NewAt(l.t, p).Elem()
		if v.IsNil() {
			x.number(0)
			return
		}
		v = v.Elem()
		x.number(1 + x.g.w.typeNumber(v.Type()))
		x.inside(v)
	}
}

// inside writes a value that has no place of its own.
func (x *writer) inside(v reflect.Value) {
	cell := reflect.New(v.Type())
	cell.Elem().Set(v)
	x.value(x.g.w.layout(v.Type()), cell.UnsafePointer())
}

// entry is an entry of a map: its key's text, and its value.
type entry struct {
	key   []byte
	value unsafe.Pointer
}

// mapping writes a map: entries in the order of their keys' texts.
func (x *writer) mapping(l *layout, p unsafe.Pointer) {
	q := *(*unsafe.Pointer)(p)
	if x.elsewhere(q) {
		return
	}
	m := x.g.mapOf(q)
	x.number(isMap)
	if m.number != 0 {
		x.place(m.number)
		return
	}
	x.next++
	m.number = x.next
	x.place(m.number)
	if x.form {
		x.item(FormMap)
	}
	if l.key.flat && l.elem.flat && !x.form {
		x.flatEntries(l, reflect.NewAt(l.t, p).Elem())
		return
	}
	entries := x.entries(l, reflect.NewAt(l.t, p).Elem())
	x.b = binary.AppendUvarint(x.b, uint64(len(entries)))
	for i, e := range entries {
		if i > 0 && bytes.Equal(e.key, entries[i-1].key) { // not a number, twice
			x.err = errUnordered
		}
		if x.form {
			x.entry(l, e)
			continue
		}
		x.b = append(x.b, e.key...)
		x.value(l.elem, e.value)
	}
}

// flatEntries writes a map whose keys and values lead nowhere: its entries are written
// as they come, and put in order afterwards.
func (x *writer) flatEntries(l *layout, m reflect.Value) {
	x.b = binary.AppendUvarint(x.b, uint64(m.Len()))
	start, room := len(x.b), &x.g.w.flat
	key, value := l.cells()
	room.entries = room.entries[:0]
	room.iter.Reset(m)
	for room.iter.Next() {
		e := flatEntry{from: len(x.b) - start}
		key.SetIterKey(&room.iter)
		x.value(l.key, key.Addr().UnsafePointer())
		e.value = len(x.b) - start
		value.SetIterValue(&room.iter)
		x.value(l.elem, value.Addr().UnsafePointer())
		e.to = len(x.b) - start
		room.entries = append(room.entries, e)
	}
	room.iter.Reset(reflect.Value{})
	text := append(room.text[:0], x.b[start:]...)
	room.text, x.b = text, x.b[:start]
	slices.SortFunc(room.entries, func(a, b flatEntry) int { return bytes.Compare(text[a.from:a.value], text[b.from:b.value]) })
	for i, e := range room.entries {
		if i > 0 && bytes.Equal(text[e.from:e.value], text[room.entries[i-1].from:room.entries[i-1].value]) { // not a number, twice
			x.err = errUnordered
		}
		x.b = append(x.b, text[e.from:e.to]...)
	}
}

// flatEntry says where an entry of a map is in a text: its key, and then its value.
type flatEntry struct{ from, value, to int }

// flatRoom is what flatEntries uses again.
type flatRoom struct {
	iter    reflect.MapIter
	entries []flatEntry
	text    []byte
}

// entries lists the entries of a map in the order of their keys' texts.
func (x *writer) entries(l *layout, m reflect.Value) []entry {
	met, start := x.next, len(x.b)
	key := reflect.New(l.key.t)
	all := l.elem.make(m.Len())
	values := l.elem.view(all, m.Len())
	entries, ends := make([]entry, m.Len()), make([]int, m.Len())
	for i, it := 0, m.MapRange(); it.Next(); i++ {
		key.Elem().SetIterKey(it)
		x.value(l.key, key.UnsafePointer())
		values.Index(i).SetIterValue(it)
		entries[i].value, ends[i] = unsafe.Add(all, uintptr(i)*l.elem.size), len(x.b)-start
	}
	if x.next != met { // regions were numbered in the map's order
		x.err = errUnordered
	}
	keys := append([]byte(nil), x.b[start:]...)
	x.b = x.b[:start]
	for i, end, from := 0, 0, 0; i < len(entries); i, from = i+1, end {
		end = ends[i]
		entries[i].key = keys[from:end]
	}
	slices.SortFunc(entries, func(a, b entry) int { return bytes.Compare(a.key, b.key) })
	return entries
}
