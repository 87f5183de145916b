package theory

import (
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/typename"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// maxNested is how deep types may stand in one another.
const maxNested = 32

// typeForm is the type of a value: int, [string], {map: [string, int]}.
var typeForm = form[values.Basic]{
	read:   func(d *decoder, n *node, to *values.Basic) { *to = d.typed(n, maxNested) },
	node:   typeNode,
	schema: schema{{"$ref", definition{"type", typeSchema()}}},
}

// typesField are types of values of a method.
func typesField(name, about string, of func(*history.MethodSig) *[]values.Basic) field[history.MethodSig] {
	return may(name, list(name, typeForm).flow(), of).about(about)
}

var paramsField = typesField("params", "The types of the arguments.", func(m *history.MethodSig) *[]values.Basic { return &m.Params }).
	then(func(d *decoder, n *node, m *history.MethodSig) {
		if len(m.Params) > 0 && len(m.Params) != m.Args {
			d.fail(n, "method %s takes %s, and here are the types of %d", m.Name, counted(m.Args, "argument"), len(m.Params))
		}
	}).after()

var resultsField = typesField("results", "The types of the values that outcomes carry; one that carries two has the first two types.",
	func(m *history.MethodSig) *[]values.Basic {
		if m.Structs != nil {
			return new([]values.Basic)
		}
		return &m.Results
	}).
	then(func(d *decoder, n *node, m *history.MethodSig) {
		most := 0
		for _, o := range m.Outcomes {
			most = max(most, o.Rets)
		}
		if len(m.Results) > 0 && !fitsResults(m.Results, most) {
			d.fail(n, "the outcomes of %s carry %s at most, and here are the types of %d; a bool or an error at the end that no outcome carries may follow", m.Name, counted(most, "value"), len(m.Results))
		}
	}).after()

var structsField = typesField("structs", "Instead of results: their types as Go has them. The fields of structs, nested ones too, are values of their own.",
	func(m *history.MethodSig) *[]values.Basic { return &m.Structs }).
	then(func(d *decoder, n *node, m *history.MethodSig) {
		if len(m.Results) > 0 {
			d.fail(n, "method %s has results and structs: only one of them says what it returns", m.Name)
		}
		for i := range m.Structs {
			m.Results = append(m.Results, m.Structs[i].Leaves()...)
		}
		most := 0
		for _, o := range m.Outcomes {
			most = max(most, o.Rets)
		}
		if len(m.Structs) > 0 && len(m.Results) != most {
			d.fail(n, "the outcomes of %s carry %s at most, and here are the types of %d", m.Name, counted(most, "value"), len(m.Results))
		}
	}).after()

// fitsResults reports whether types are those of so many values, with a bool and an error
// at the end that tell outcomes apart.
func fitsResults(types []values.Basic, most int) bool {
	n := len(types)
	if n > most && typename.Of(types[n-1]) == "error" {
		n--
	}
	if n > most && types[n-1].Kind == values.KindBool {
		n--
	}
	return n == most
}

func typeSchema() schema {
	var words []any
	for _, w := range typename.Words() {
		words = append(words, w)
	}
	self := schema{{"$ref", "#/$defs/type"}}
	text := schema{{"type", "string"}}
	texts := schema{{"type", "array"}, {"items", text}}
	object := func(properties schema, required ...any) schema {
		return schema{{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}}
	}
	several := func(n int) schema {
		return schema{{"type", "array"}, {"items", self}, {"minItems", n}, {"maxItems", n}}
	}
	fields := object(schema{{"name", text}, {"type", self}, {"json", text}, {"omitempty", schema{{"type", "boolean"}}}, {"quoted", schema{{"type", "boolean"}}}, {"embedded", schema{{"type", "boolean"}}}}, "name", "type")
	return schema{
		{"description", "A type, as Go has it: a word, [T] for a list, or a mapping that is named after what it describes."},
		{"anyOf", []any{
			schema{{"enum", words}}, several(1),
			object(schema{{"array", self}, {"length", schema{{"type", "integer"}, {"minimum", 0}}}}, "array", "length"),
			object(schema{{"map", several(2)}}, "map"),
			object(schema{{"pointer", self}}, "pointer"), object(schema{{"interface", self}}, "interface"), object(schema{{"own", self}}, "own"),
			object(schema{{"struct", schema{{"type", "array"}, {"items", fields}}}}, "struct"),
			object(schema{{"enum", self}, {"names", schema{{"type", "array"}, {"items", schema{{"anyOf", []any{text, texts}}}}}}, {"others", text}, {"ambiguous", texts}}, "enum", "names"),
		}},
	}
}

// typeNode is the node of a type's text.
func typeNode(b *values.Basic) *node {
	var doc node
	if err := newDecoder(strings.NewReader(typename.Of(*b))).Decode(&doc); err != nil {
		panic("theory: type " + typename.Of(*b) + ": " + err.Error())
	}
	return plainTexts(doc.Content[0])
}

// plainTexts has texts in quotes only where they need them.
func plainTexts(n *node) *node {
	for i, c := range n.Content {
		n.Content[i] = plainTexts(c)
	}
	if n.Kind == scalarNode && n.ShortTag() == "!!str" {
		return str(n.Value)
	}
	return n
}

// typed reads a type that may have others in it, so deep.
func (d *decoder) typed(n *node, deep int) (b values.Basic) {
	switch {
	case deep == 0:
		d.fail(n, "types stand in one another %d deep at most", maxNested)
	case n.Kind == scalarNode:
		word := d.text(n, "a type")
		var ok bool
		if b, ok = typename.Word(word); !ok && d.err == nil {
			d.fail(n, "there is no type %q%s", word, wording.Hint(word, typename.Words()))
		}
	case n.Kind == sequenceNode:
		b.Kind = values.KindList
		if b.Elem = d.types(n, 1, "a list has the type of its elements: [int]", deep)[0]; b.Elem.Kind == values.KindUint && b.Elem.Bits == 8 {
			b = values.Basic{Kind: values.KindBytes} // as Go prints them
		}
	case len(n.Content) == 0:
		d.fail(n, "a type is a word such as int, a list such as [int], or a mapping such as {map: [string, int]}")
	default:
		b = d.composed(n, deep)
	}
	return b
}

// types reads so many types; there are as many, also after an error.
func (d *decoder) types(n *node, count int, hint string, deep int) []*values.Basic {
	all := make([]*values.Basic, count)
	if n.Kind != sequenceNode || len(n.Content) != count {
		d.fail(n, "%s", hint)
	}
	for i := range all {
		all[i] = &values.Basic{}
		if d.err == nil {
			*all[i] = d.typed(n.Content[i], deep-1)
		}
	}
	return all
}

// composed reads a type that is a mapping.
func (d *decoder) composed(n *node, deep int) (b values.Basic) {
	part := func(to **values.Basic) form[values.Basic] {
		return form[values.Basic]{read: func(d *decoder, n *node, _ *values.Basic) {
			p := d.typed(n, deep-1)
			*to = &p
		}}
	}
	self := func(b *values.Basic) *values.Basic { return b }
	fields := map[string][]field[values.Basic]{
		"array": {need("array", part(&b.Elem), self), need("length", number("length", 0, 1<<20), func(b *values.Basic) *int { return &b.Len })},
		"map": {need("map", form[values.Basic]{read: func(d *decoder, n *node, b *values.Basic) {
			kv := d.types(n, 2, "a map has the types of its keys and of its values: {map: [string, int]}", deep)
			b.Key, b.Elem = kv[0], kv[1]
		}}, self)},
		"pointer":   {need("pointer", part(&b.Elem), self)},
		"interface": {need("interface", part(&b.Elem), self)},
		"own":       {need("own", part(&b.Elem), self)},
		"struct": {need("struct", form[values.Basic]{read: func(d *decoder, n *node, b *values.Basic) {
			d.list(n, "struct", func(n *node) {
				f := d.structField(n, deep)
				if slices.ContainsFunc(b.Fields, func(o values.Field) bool { return o.GoName == f.GoName }) {
					d.fail(n, "field %q stands here twice", f.GoName)
				}
				b.Fields = append(b.Fields, f)
			})
		}}, self)},
		"enum": enumFields(part(&b.Elem)),
	}
	kind := n.Content[0].Value
	if kind == "length" || kind == "names" || kind == "others" || kind == "ambiguous" { // in any order
		kind = "array"
		if valueOf(n, "enum") != nil {
			kind = "enum"
		}
	}
	if fields[kind] == nil {
		d.fail(n.Content[0], "there is no type {%s: ...}%s", kind, wording.Hint(kind, []string{"array", "map", "pointer", "interface", "own", "struct", "enum"}))
		return b
	}
	readObject(d, n, "the type "+kind, fields[kind], &b)
	if d.err != nil {
		return b
	}
	return d.finished(n, kind, b)
}

// finished is a type that was read as a mapping, of a kind.
func (d *decoder) finished(n *node, kind string, b values.Basic) values.Basic {
	switch inner := b.Elem; kind {
	case "own":
		if inner.Own {
			d.fail(n, "own stands here twice")
		}
		b = *inner
		b.Own = true
	case "enum":
		names := b.Names
		if b = *inner; b.Bits == 0 || b.Own || b.Duration || len(b.Names) > 0 {
			d.fail(valueOf(n, "enum"), "an enum is of numbers, such as int")
		}
		b.Names = names
	case "array":
		b.Kind = values.KindList
		b.Len++
	default:
		b.Kind = kind
	}
	return b
}

// enumFields are what an enum says beside the type of its numbers.
func enumFields(of form[values.Basic]) []field[values.Basic] {
	var names [][]string
	var others string
	var ambiguous []string
	strs := list("names", text("a name"))
	read := func(f func(d *decoder, n *node)) form[values.Basic] {
		return form[values.Basic]{read: func(d *decoder, n *node, _ *values.Basic) { f(d, n) }}
	}
	self := func(b *values.Basic) *values.Basic { return b }
	return []field[values.Basic]{
		need("enum", of, self),
		given("others", read(func(d *decoder, n *node) { others = d.line(n, "others") }), self),
		given("ambiguous", read(func(d *decoder, n *node) { strs.read(d, n, &ambiguous) }), self),
		need("names", form[values.Basic]{read: func(d *decoder, n *node, b *values.Basic) {
			d.list(n, "names", func(n *node) {
				var texts []string
				if n.Kind == sequenceNode {
					strs.read(d, n, &texts)
				} else if s := d.text(n, "a name"); s != "" {
					texts = []string{s}
				}
				names = append(names, texts)
			})
			if d.err != nil {
				return
			}
			if len(names) > values.MostNamed {
				d.fail(n.Content[values.MostNamed], "numbers from 0 to %d may have names", values.MostNamed-1)
				return
			}
			all, at, err := typename.Names(names, others, ambiguous)
			if err != nil && at >= 0 {
				n = n.Content[at]
			}
			if b.Names = all; err != nil {
				d.fail(n, "%v", err)
			} else if len(all) == 0 {
				d.fail(n, "an enum names a number at least")
			}
		}}, self),
	}
}

// structField reads a field of a struct.
func (d *decoder) structField(n *node, deep int) (f values.Field) {
	named := false
	readObject(d, n, "a field", []field[values.Field]{
		need("name", form[string]{read: func(d *decoder, n *node, to *string) {
			if *to = d.text(n, "a field's name"); d.err == nil && !wording.IsName(*to) {
				d.fail(n, "a field's name is made of letters, digits and _, not %q", *to)
			}
		}}, func(f *values.Field) *string { return &f.GoName }),
		need("type", form[values.Basic]{read: func(d *decoder, n *node, to *values.Basic) { *to = d.typed(n, deep-1) }}, func(f *values.Field) *values.Basic { return &f.Basic }),
		given("json", form[string]{read: func(d *decoder, n *node, to *string) { *to, named = d.text(n, "json"), true }}, func(f *values.Field) *string { return &f.Name }),
		given("omitempty", truth("omitempty"), func(f *values.Field) *bool { return &f.Omits }),
		given("quoted", truth("quoted"), func(f *values.Field) *bool { return &f.Quoted }),
		given("embedded", truth("embedded"), func(f *values.Field) *bool { return &f.Embeds }),
	}, &f)
	if !named {
		f.Name = f.GoName
	}
	if d.err == nil && f.Problem() != "" {
		d.fail(n, "%s", f.Problem())
	}
	return f
}
