//go:build go1.21

package objects

import (
	"reflect"
	"unsafe"
)

// Copy copies the variable of type t at p, with all that it leads to. The error
// is a *Refusal.
func (w *World) Copy(t reflect.Type, p unsafe.Pointer) (unsafe.Pointer, error) {
	l := w.layout(t)
	if l.flat {
		q := l.make(1)
		l.move(q, p, 1)
		return q, nil
	}
	g := &w.graph
	if err := g.build(l, p); err != nil {
		return nil, err
	}
	for _, i := range g.order {
		r := &g.regions[i]
		r.copied = r.l.make(r.n)
		r.l.move(r.copied, r.base, r.n)
	}
	for _, i := range g.order {
		r := &g.regions[i]
		for k := 0; k < r.n && !r.l.flat; k++ {
			g.move(r.l, unsafe.Add(r.copied, uintptr(k)*r.l.size))
		}
	}
	return g.moved(p), nil
}

// moved is where an address is in the copy.
func (g *graph) moved(p unsafe.Pointer) unsafe.Pointer {
	r := g.find(p)
	if r == nil {
		return p
	}
	return unsafe.Add(r.copied, uintptr(p)-uintptr(r.base))
}

// move makes the value at p, which is a copy of memory, lead to copies.
func (g *graph) move(l *layout, p unsafe.Pointer) {
	switch l.form {
	case composite:
		for i := range l.fields {
			if f := &l.fields[i]; !f.flat {
				g.move(f.layout, unsafe.Add(p, f.off))
			}
		}
	case condition:
		lock := l.fields[0]
		g.move(lock.layout, unsafe.Add(p, lock.off))
		fresh := reflect.New(l.t) // knows neither who waits nor where it was
		to := fresh.UnsafePointer()
		lock.layout.move(unsafe.Add(to, lock.off), unsafe.Add(p, lock.off), 1)
		reflect.NewAt(l.t, p).Elem().Set(fresh.Elem())
	case array:
		for i := 0; i < l.n; i++ {
			g.move(l.elem, unsafe.Add(p, uintptr(i)*l.elem.size))
		}
	case pointer:
		if q := (*unsafe.Pointer)(p); *q != nil && l.elem.size > 0 {
			*q = g.moved(*q)
		}
	case slice:
		if h := (*header)(p); h.cap > 0 && l.elem.size > 0 {
			h.data = g.moved(h.data)
		}
	case mapping:
		if m := g.mapOf(*(*unsafe.Pointer)(p)); m != nil {
			*(*unsafe.Pointer)(p) = g.copyMap(m).UnsafePointer()
		}
	case dynamic:
		if v := reflect.NewAt(l.t, p).Elem(); !v.IsNil() {
			if dl := g.w.layout(v.Elem().Type()); !dl.flat {
				v.Set(g.copyInside(dl, v.Elem()))
			}
		}
	}
}

// copyInside copies a value that has no place of its own.
func (g *graph) copyInside(l *layout, v reflect.Value) reflect.Value {
	if l.flat {
		return v
	}
	cell := reflect.New(l.t)
	cell.Elem().Set(v)
	g.move(l, cell.UnsafePointer())
	return cell.Elem()
}

// copyMap copies a map, once. Maps may hold themselves.
func (g *graph) copyMap(m *mapped) reflect.Value {
	if m.copied.IsValid() {
		return m.copied
	}
	l := m.l
	from := reflect.NewAt(l.t, unsafe.Pointer(&m.p)).Elem()
	m.copied = reflect.MakeMapWithSize(l.t, from.Len())
	key, elem := l.cells()
	for it := from.MapRange(); it.Next(); {
		key.SetIterKey(it)
		elem.SetIterValue(it)
		m.copied.SetMapIndex(g.copyInside(l.key, key), g.copyInside(l.elem, elem))
	}
	return m.copied
}
