package theory

import (
	"reflect"
	"slices"
)

// A form says how values of a type stand in a file: how they are read and
// written, and what the schema says of them.
type form[T any] struct {
	read   func(d *decoder, n *node, to *T)
	node   func(v *T) *node
	schema schema
}

// A field of the mapping that stands for an S. The tables of fields in table.go
// are what reader, writer and schema have in common.
type field[S any] struct {
	name     string
	required bool // for readers
	late     bool // read after the others, which it depends on
	read     func(d *decoder, n *node, s *S)
	node     func(s *S) *node // nil: the field is left out
	schema   schema
}

// need is a field that every file has.
func need[S, T any](name string, f form[T], of func(*S) *T) field[S] {
	return field[S]{
		name: name, required: true, schema: f.schema,
		read: func(d *decoder, n *node, s *S) { f.read(d, n, of(s)) },
		node: func(s *S) *node { return f.node(of(s)) },
	}
}

// given is a field that files may leave out, and Write does not.
func given[S, T any](name string, f form[T], of func(*S) *T) field[S] {
	g := need(name, f, of)
	g.required = false
	return g
}

// may is a field that is left out where its value is empty.
func may[S, T any](name string, f form[T], of func(*S) *T) field[S] {
	return given(name, f, of).when(func(s *S) bool {
		v := reflect.ValueOf(of(s)).Elem()
		return !v.IsZero() && (v.Kind() != reflect.Slice || v.Len() > 0)
	})
}

// when is the field, written only where a condition holds.
func (f field[S]) when(holds func(*S) bool) field[S] {
	always := f.node
	f.node = func(s *S) *node {
		if !holds(s) {
			return nil
		}
		return always(s)
	}
	return f
}

// then is the field with a check of its value, made if there was no error so far.
func (f field[S]) then(check func(d *decoder, n *node, s *S)) field[S] {
	read := f.read
	f.read = func(d *decoder, n *node, s *S) {
		if read(d, n, s); d.err == nil {
			check(d, n, s)
		}
	}
	return f
}

// after is the field, read after those that are not.
func (f field[S]) after() field[S] {
	f.late = true
	return f
}

// about and otherwise add a description and a default to the schema.
func (f field[S]) about(description string) field[S] {
	f.schema = f.schema.with("description", description)
	return f
}

func (f field[S]) otherwise(value any) field[S] {
	f.schema = f.schema.with("default", value)
	return f
}

// object is the form of a mapping, which messages call what.
func object[S any](what string, fields ...field[S]) form[S] {
	early := func(a, b field[S]) int {
		switch {
		case a.late == b.late:
			return 0
		case b.late:
			return -1
		}
		return 1
	}
	inOrder := slices.Clone(fields)
	slices.SortStableFunc(inOrder, early)
	properties, required := schema{}, []any{}
	for _, f := range fields {
		properties = properties.with(f.name, f.schema)
		if f.required {
			required = append(required, f.name)
		}
	}
	of := schema{{"type", "object"}, {"properties", properties}}
	if len(required) > 0 {
		of = of.with("required", required)
	}
	return form[S]{
		read: func(d *decoder, n *node, to *S) { readObject(d, n, what, inOrder, to) },
		node: func(s *S) *node {
			m := &node{Kind: mappingNode}
			for _, f := range fields {
				if v := f.node(s); v != nil {
					m.Content = append(m.Content, str(f.name), v)
				}
			}
			return m
		},
		schema: of.with("patternProperties", schema{{"^x-", true}}).with("additionalProperties", false),
	}
}

// list is the form of a sequence.
func list[T any](what string, item form[T]) form[[]T] {
	return form[[]T]{
		read: func(d *decoder, n *node, to *[]T) {
			*to = nil
			d.list(n, what, func(n *node) {
				var v T
				item.read(d, n, &v)
				*to = append(*to, v)
			})
		},
		node: func(items *[]T) *node {
			s := &node{Kind: sequenceNode}
			for i := range *items {
				s.Content = append(s.Content, item.node(&(*items)[i]))
			}
			if len(*items) == 0 {
				s.Style = flowStyle
			}
			return s
		},
		schema: schema{{"type", "array"}, {"items", item.schema}},
	}
}

// some is the form of a value that may be missing.
func some[T any](f form[T]) form[*T] {
	return form[*T]{
		read: func(d *decoder, n *node, to **T) {
			*to = new(T)
			f.read(d, n, *to)
		},
		node:   func(v **T) *node { return f.node(*v) },
		schema: f.schema,
	}
}

// either is the form of a mapping that has one of two forms: the first where it has
// one of some fields and lacks another, and for values of which holds is true.
func either[S any](fields []string, lacks string, first, second form[S], holds func(*S) bool) form[S] {
	var some []any
	for _, f := range fields {
		some = append(some, schema{{"required", []any{f}}})
	}
	return form[S]{
		read: func(d *decoder, n *node, to *S) {
			has := func(f string) bool { return n.Kind == mappingNode && valueOf(n, f) != nil }
			if slices.ContainsFunc(fields, has) && !has(lacks) {
				first.read(d, n, to)
			} else {
				second.read(d, n, to)
			}
		},
		node: func(s *S) *node {
			if holds(s) {
				return first.node(s)
			}
			return second.node(s)
		},
		schema: schema{
			{"if", schema{{"anyOf", some}, {"not", schema{{"required", []any{lacks}}}}}},
			{"then", first.schema}, {"else", second.schema},
		},
	}
}

// flow is the form in YAML's short style: [a, b], {a: b}.
func (f form[T]) flow() form[T] {
	long := f.node
	f.node = func(v *T) *node {
		n := long(v)
		n.Style = flowStyle
		return n
	}
	return f
}

// with is the form with one more keyword in the schema.
func (f form[T]) with(key string, value any) form[T] {
	f.schema = f.schema.with(key, value)
	return f
}

// defined is the form under a name of its own in the schema.
func (f form[T]) defined(name string) form[T] {
	f.schema = schema{{"$ref", definition{name, f.schema}}}
	return f
}
