//go:build go1.21

package values

import "reflect"

// Splits reports whether values of a type have fields that may be values of their own.
func (b *Basic) Splits() bool { return b.Kind == KindStruct && !b.Own && len(b.Fields) > 0 }

// Leaves are the types of the fields of a struct, and of structs in it, in order; of another
// type itself.
func (b Basic) Leaves() []Basic {
	if !b.Splits() {
		return []Basic{b}
	}
	var all []Basic
	for i := range b.Fields {
		all = append(all, b.Fields[i].Basic.Leaves()...)
	}
	return all
}

// Split is what a log has for each of the Leaves of a value that it writes as text; false if
// the text is no value of the type.
func (b Basic) Split(text string) (leaves []string, ok bool) {
	n, ok := b.read(text)
	if ok {
		leaves = b.split(&n, nil)
	}
	return leaves, ok
}

func (b *Basic) split(n *node, leaves []string) []string {
	switch {
	case b.Kind == KindBytes:
		return append(leaves, bytesText([]byte(n.text)))
	case !b.Splits():
		return append(leaves, n.plain())
	}
	for i := range b.Fields {
		leaves = b.Fields[i].Basic.split(&n.parts[i], leaves)
	}
	return leaves
}

// Unnamed is the type without the names of its numbers, whose values are numbers alone.
func (b Basic) Unnamed() Basic {
	part := func(p *Basic) *Basic {
		if p == nil {
			return nil
		}
		own := p.Unnamed()
		return &own
	}
	b.Names, b.Key, b.Elem = nil, part(b.Key), part(b.Elem)
	fields := make([]Field, len(b.Fields))
	for i, f := range b.Fields {
		f.Basic = f.Basic.Unnamed()
		fields[i] = f
	}
	b.Fields = fields
	return b
}

// Paths lead to the Leaves of a struct, field by field; nil: a type has none but itself.
func (ts Types) Paths(t reflect.Type) (paths [][]int) {
	if b := ts.BasicOf(t); !b.Splits() {
		return nil
	}
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		inner := ts.Paths(f.Type)
		if inner == nil {
			inner = [][]int{nil}
		}
		for _, path := range inner {
			if !isHidden(f) {
				paths = append(paths, append([]int{i}, path...))
			}
		}
	}
	return paths
}

// AppendLeaves appends what paths lead to in a struct.
func AppendLeaves(all []reflect.Value, v reflect.Value, paths [][]int) []reflect.Value {
	if !v.CanAddr() {
		c := reflect.New(v.Type()).Elem()
		c.Set(v)
		v = c // whose fields can be looked into
	}
	for _, path := range paths {
		f := v
		for _, i := range path {
			f = exposed(f.Field(i))
		}
		all = append(all, f)
	}
	return all
}

// Holds reports whether values of a type are, or have in them, values of another one.
func Holds(t, other reflect.Type) bool { return holds(t, other, nil) }

func holds(t, other reflect.Type, inside []reflect.Type) bool {
	if t == other {
		return true
	}
	if isInside(t, inside) {
		return false
	}
	inside = append(inside, t)
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return holds(t.Elem(), other, inside)
	case reflect.Map:
		return holds(t.Key(), other, inside) || holds(t.Elem(), other, inside)
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			if holds(t.Field(i).Type, other, inside) {
				return true
			}
		}
	}
	return false
}
