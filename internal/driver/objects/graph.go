//go:build go1.21

package objects

import (
	"bytes"
	"reflect"
	"sort"
	"strings"
	"unsafe"
)

// World is what is known of the types of objects, and which things objects share
// by right: variables of packages, arguments that are pointers, functions. It is
// not safe for concurrent use.
type World struct {
	layouts map[reflect.Type]*layout
	shared  map[unsafe.Pointer]int // numbered, so that texts can name them
	types   map[reflect.Type]int   // likewise
	lent    map[unsafe.Pointer]loan
	graph   graph
	flat    flatRoom
}

// NewWorld knows nothing yet.
func NewWorld() *World {
	w := &World{layouts: map[reflect.Type]*layout{}, shared: map[unsafe.Pointer]int{}, types: map[reflect.Type]int{}, lent: map[unsafe.Pointer]loan{}}
	w.graph.w = w
	return w
}

// Share says that copies share what p points to. It is not copied, and texts name
// it by which it is.
func (w *World) Share(p unsafe.Pointer) { w.sharedNumber(p) }

// loan is what a pointer led to when it was lent.
type loan struct {
	t    reflect.Type
	text []byte
	err  error
}

// Lend shares the variable of type t at p, to which nobody must write.
func (w *World) Lend(t reflect.Type, p unsafe.Pointer) {
	if _, known := w.lent[p]; !known {
		w.Share(p)
		text, err := w.Text(nil, t, p, Full)
		w.lent[p] = loan{t, text, err}
	}
}

// Written reports whether somebody wrote to what was lent, or may have. It looks at
// most things of all, in no order.
func (w *World) Written(most int) bool {
	for p, l := range w.lent {
		if most--; most < 0 {
			break
		}
		if text, err := w.Text(nil, l.t, p, Full); err != nil || l.err != nil || !bytes.Equal(text, l.text) {
			return true
		}
	}
	return false
}

func (w *World) sharedNumber(p unsafe.Pointer) int {
	n, ok := w.shared[p]
	if !ok {
		n = len(w.shared)
		w.shared[p] = n
	}
	return n
}

// Refusal says what stands in the way of a copy or a text.
type Refusal struct {
	Path string // of the field; "" for the object itself
	What string // "a channel"
}

func (r *Refusal) Error() string {
	if r.Path == "" {
		return "the object is " + r.What
	}
	return "field " + r.Path + " is " + r.What
}

// region is memory that an object leads to: n values of a type in a row.
type region struct {
	base unsafe.Pointer
	l    *layout
	n    int
	refs int // pointers and slices that lead into it

	from int     // the region that leads to it, -1: the object
	at   uintptr // where in that region

	root   int            // the region that contains it, or itself
	copied unsafe.Pointer // its copy
	number int            // in a text; 0: not met
}

func (r *region) end() uintptr { return uintptr(r.base) + r.l.size*uintptr(r.n) }

// graph is all that an object leads to.
type graph struct {
	w       *World
	regions []region
	index   map[regionKey]int // when there are many
	maps    []mapped
	order   []int // the roots, by address

	lenient  bool // functions and whatever is forbidden are passed over
	scanning int
	at       uintptr // of the region's base, to tell places
}

// mapped is a map that an object leads to.
type mapped struct {
	p      unsafe.Pointer
	l      *layout
	copied reflect.Value
	number int
}

// few regions are searched one by one.
const few = 8

// build finds everything below the variable at p.
func (g *graph) build(l *layout, p unsafe.Pointer) error {
	g.regions, g.maps, g.order = g.regions[:0], g.maps[:0], g.order[:0]
	g.index = nil
	g.add(l, p, 1, -1, 0)
	for i := 0; i < len(g.regions); i++ {
		r := g.regions[i]
		if r.l.flat {
			continue
		}
		g.scanning, g.at = i, uintptr(r.base)
		for k := 0; k < r.n; k++ {
			if err := g.scan(r.l, unsafe.Add(r.base, uintptr(k)*r.l.size)); err != nil {
				return err
			}
		}
	}
	return g.settle()
}

// add notes a region.
func (g *graph) add(l *layout, p unsafe.Pointer, n int, from int, at uintptr) {
	key := regionKey{p, l, n}
	if g.index != nil {
		if i, ok := g.index[key]; ok {
			g.regions[i].refs++
			return
		}
	} else {
		for i := range g.regions {
			if g.regions[i].key() == key {
				g.regions[i].refs++
				return
			}
		}
	}
	i := len(g.regions)
	g.regions = append(g.regions, region{base: p, l: l, n: n, refs: 1, from: from, at: at, root: i})
	switch {
	case g.index != nil:
		g.index[key] = i
	case i == few:
		g.index = map[regionKey]int{}
		for k := range g.regions {
			g.index[g.regions[k].key()] = k
		}
	}
}

// regionKey tells regions apart. Several may begin at one place.
type regionKey struct {
	base unsafe.Pointer
	l    *layout
	n    int
}

func (r *region) key() regionKey { return regionKey{r.base, r.l, r.n} }

// scan finds what the value at p leads to.
func (g *graph) scan(l *layout, p unsafe.Pointer) error {
	if l.flat {
		return nil
	}
	switch l.form {
	case composite, condition:
		for i := range l.fields {
			f := &l.fields[i]
			if !f.flat {
				if err := g.scan(f.layout, unsafe.Add(p, f.off)); err != nil {
					return err
				}
			}
		}
	case array:
		for i := 0; i < l.n; i++ {
			if err := g.scan(l.elem, unsafe.Add(p, uintptr(i)*l.elem.size)); err != nil {
				return err
			}
		}
	case pointer:
		if q := *(*unsafe.Pointer)(p); q != nil && l.elem.size > 0 && !g.isShared(q) {
			g.add(l.elem, q, 1, g.scanning, uintptr(p)-g.at)
		}
	case slice:
		if h := (*header)(p); h.cap > 0 && l.elem.size > 0 && !g.isShared(h.data) {
			g.add(l.elem, h.data, h.cap, g.scanning, uintptr(p)-g.at)
		}
	case mapping:
		return g.scanMap(l, p)
	case dynamic:
		if v := reflect.NewAt(l.t, p).Elem(); !v.IsNil() {
			return g.inside(v.Elem(), p)
		}
	case function:
		if q := *(*unsafe.Pointer)(p); q != nil && !g.isShared(q) && !g.lenient {
			return g.refuse(p, "a function")
		}
	case forbidden:
		if !g.lenient && !l.zero(p) {
			return g.refuse(p, l.why)
		}
	}
	return nil
}

func (g *graph) isShared(p unsafe.Pointer) bool {
	_, ok := g.w.shared[p]
	return ok
}

// inside scans a value that has no place of its own: in a map, in an interface.
func (g *graph) inside(v reflect.Value, place unsafe.Pointer) error {
	l := g.w.layout(v.Type())
	if l.flat {
		return nil
	}
	cell := reflect.New(l.t)
	cell.Elem().Set(v)
	before := g.at
	g.at += uintptr(cell.UnsafePointer()) - uintptr(place) // whatever is found is told as at place
	err := g.scan(l, cell.UnsafePointer())
	g.at = before
	return err
}

// scanMap looks at a map once. Its keys and values have no addresses.
func (g *graph) scanMap(l *layout, p unsafe.Pointer) error {
	q := *(*unsafe.Pointer)(p)
	if q == nil || g.isShared(q) || g.mapOf(q) != nil {
		return nil
	}
	g.maps = append(g.maps, mapped{p: q, l: l})
	if l.key.flat && l.elem.flat {
		return nil
	}
	for it := reflect.NewAt(l.t, p).Elem().MapRange(); it.Next(); {
		if err := g.inside(it.Key(), p); err != nil {
			return err
		}
		if err := g.inside(it.Value(), p); err != nil {
			return err
		}
	}
	return nil
}

func (g *graph) mapOf(p unsafe.Pointer) *mapped {
	for i := range g.maps {
		if g.maps[i].p == p {
			return &g.maps[i]
		}
	}
	return nil
}

// settle sorts the regions and puts those that lie inside others there. Parts of
// an array that overlap are one region.
func (g *graph) settle() error {
	for i := range g.regions {
		g.order = append(g.order, i)
	}
	if len(g.order) == 1 {
		return nil
	}
	sort.Slice(g.order, func(a, b int) bool {
		x, y := &g.regions[g.order[a]], &g.regions[g.order[b]]
		if x.base != y.base {
			return uintptr(x.base) < uintptr(y.base)
		}
		if x.end() != y.end() {
			return x.end() > y.end()
		}
		return g.order[a] < g.order[b]
	})
	roots := g.order[:1]
	for _, i := range g.order[1:] {
		r, root := &g.regions[i], &g.regions[roots[len(roots)-1]]
		if uintptr(r.base) >= root.end() {
			roots = append(roots, i)
			continue
		}
		if r.end() > root.end() {
			gap := uintptr(r.base) - uintptr(root.base)
			if r.l != root.l || gap%r.l.size != 0 {
				g.scanning = r.from
				return g.refuseAt(r.at, "a pointer to a part of something else")
			}
			root.n = int(gap/r.l.size) + r.n
		}
		r.root = roots[len(roots)-1]
		root.refs += r.refs
	}
	g.order = roots
	return nil
}

// find is the region that an address lies in; nil: what it leads to is shared, or
// of no size.
func (g *graph) find(p unsafe.Pointer) *region {
	a := uintptr(p)
	i := sort.Search(len(g.order), func(i int) bool { return uintptr(g.regions[g.order[i]].base) > a })
	if i == 0 {
		return nil
	}
	if r := &g.regions[g.order[i-1]]; a < r.end() {
		return r
	}
	return nil
}

// refuse names the value at p.
func (g *graph) refuse(p unsafe.Pointer, what string) error {
	return g.refuseAt(uintptr(p)-g.at, what)
}

func (g *graph) refuseAt(at uintptr, what string) error {
	var parts []string
	for i := g.scanning; i >= 0; i = g.regions[i].from {
		r := &g.regions[i]
		parts = append(parts, placeOf(r.l, at%r.l.size))
		at = r.at
	}
	path := ""
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i] != "" {
			path = strings.TrimPrefix(path+"."+parts[i], ".")
		}
	}
	return &Refusal{Path: path, What: what}
}

// placeOf is the field at an offset, such as "rows.head".
func placeOf(l *layout, at uintptr) string {
	switch l.form {
	case composite, condition:
		for i := range l.fields {
			if f := &l.fields[i]; at >= f.off && at < f.off+f.size {
				return strings.TrimSuffix(f.name+"."+placeOf(f.layout, at-f.off), ".")
			}
		}
	case array:
		return placeOf(l.elem, at%l.elem.size)
	}
	return ""
}

// Learn notes as shared what two objects, which were made apart, both lead to:
// variables of packages, and functions.
func (w *World) Learn(t reflect.Type, a, b unsafe.Pointer) error {
	l := w.layout(t)
	seen := map[unsafe.Pointer]bool{}
	for _, p := range []unsafe.Pointer{a, b} {
		if err := w.reach(l, p, seen, p == b); err != nil {
			return err
		}
	}
	return nil
}

// reach collects the addresses that an object leads to, or shares those that
// another one led to.
func (w *World) reach(l *layout, p unsafe.Pointer, seen map[unsafe.Pointer]bool, second bool) error {
	g := &w.graph
	g.lenient = true
	err := g.build(l, p)
	g.lenient = false
	if err != nil {
		return err
	}
	note := func(q unsafe.Pointer) {
		if !second {
			seen[q] = true
		} else if seen[q] {
			w.Share(q)
		}
	}
	for i := range g.regions {
		r := &g.regions[i]
		note(r.base)
		for k := 0; k < r.n && !r.l.flat; k++ {
			functions(r.l, unsafe.Add(r.base, uintptr(k)*r.l.size), note)
		}
	}
	for i := range g.maps {
		note(g.maps[i].p)
	}
	return nil
}

// functions visits the functions in a value's own memory.
func functions(l *layout, p unsafe.Pointer, note func(unsafe.Pointer)) {
	switch l.form {
	case function:
		if q := *(*unsafe.Pointer)(p); q != nil {
			note(q)
		}
	case composite, condition:
		for i := range l.fields {
			functions(l.fields[i].layout, unsafe.Add(p, l.fields[i].off), note)
		}
	case array:
		for i := 0; i < l.n; i++ {
			functions(l.elem, unsafe.Add(p, uintptr(i)*l.elem.size), note)
		}
	}
}
