package theory

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Schema is the JSON Schema (draft 2020-12) of the theory file, for editors and
// other programs. It describes the form alone: names, formulas and drawings
// that contradict each other pass it, and Read refuses them.
func Schema() []byte {
	defs := schema{}
	theoryForm.schema.collect(&defs)
	whole := append(schema{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$id", "https://github.com/adtinfer/adtinfer/theory/schema.json"},
		{"title", "adtinfer theory"},
		{"description", "The specification of a data type: its methods, how their operations match, and the patterns that no admitted history shows."},
	}, theoryForm.schema...)
	return []byte(layout(whole.with("$defs", defs), "") + "\n")
}

// A schema is a JSON object whose members have an order.
type schema []member

type member struct {
	key   string
	value any // a schema, a definition, a []any, or what json.Marshal takes
}

// A definition is a schema that others refer to by its name.
type definition struct {
	name string
	to   schema
}

// with is the schema with one more member.
func (s schema) with(key string, value any) schema {
	return append(s[:len(s):len(s)], member{key, value})
}

// collect adds the definitions that a schema refers to, each once.
func (s schema) collect(defs *schema) {
	for _, m := range s {
		switch v := m.value.(type) {
		case schema:
			v.collect(defs)
		case definition:
			known := false
			for _, d := range *defs {
				known = known || d.key == v.name
			}
			if !known {
				*defs = defs.with(v.name, v.to)
				v.to.collect(defs)
			}
		}
	}
}

// layout is a value as JSON: on one line if it fits, else a member a line.
func layout(v any, indent string) string {
	const width = 120
	if s := compact(v); len(indent)+len(s) <= width {
		return s
	}
	s, ok := v.(schema)
	if !ok {
		return compact(v)
	}
	var lines []string
	for _, m := range s {
		lines = append(lines, fmt.Sprintf("%s  %q: %s", indent, m.key, layout(m.value, indent+"  ")))
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n" + indent + "}"
}

func compact(v any) string {
	switch v := v.(type) {
	case schema:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = fmt.Sprintf("%q: %s", m.key, compact(m.value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case definition:
		return fmt.Sprintf("%q", "#/$defs/"+v.name)
	case []any:
		parts := make([]string, len(v))
		for i, w := range v {
			parts[i] = compact(w)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("theory: schema: " + err.Error())
	}
	return strings.TrimSpace(b.String())
}
