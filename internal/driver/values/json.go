//go:build go1.21

package values

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// entry is a name of a JSON object with its value.
type entry struct {
	name  string
	value interface{}
}

// readJSON reads an object or a list in JSON, as package encoding/json reads it for the
// type, but that nothing may be missing, twice there, or unknown.
func (b Basic) readJSON(text string) (n node, ok bool) {
	if !isJSON(text) {
		return n, false
	}
	return b.fromJSON(parsedJSON(text))
}

// parsedJSON is the value that a text is in JSON, which is valid.
func parsedJSON(text string) interface{} {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return jsonValue(d)
}

// isJSON reports whether a text is an object or a list in JSON.
func isJSON(text string) bool {
	return (strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")) && json.Valid([]byte(text))
}

// hides reports whether values of a type have fields that JSON lacks.
func (b *Basic) hides() bool {
	for i := range b.Fields {
		if f := &b.Fields[i]; f.Name == "" || f.Basic.hides() {
			return true
		}
	}
	return b.Elem != nil && b.Elem.hides() || b.Key != nil && b.Key.hides()
}

// HasBytes reports whether values of the type are bytes, or have them inside.
func (b *Basic) HasBytes() bool { return b.Has(KindBytes) }

// Has reports whether values of the type are of one of some kinds, or have such values inside.
func (b *Basic) Has(kinds ...string) bool {
	for i := range b.Fields {
		if b.Fields[i].Has(kinds...) {
			return true
		}
	}
	return slices.Contains(kinds, b.Kind) || b.Elem != nil && b.Elem.Has(kinds...) || b.Key != nil && b.Key.Has(kinds...)
}

// InBase64 reports whether a text has bytes as parts in base64, since it is read as JSON.
func (b Basic) InBase64(text string) bool {
	if b.Kind == KindBytes || !strings.Contains(text, `"`) || !b.HasBytes() {
		return false
	}
	p := parser{text: text}
	_, own := p.whole(b)
	_, ok := b.readJSON(text)
	return ok && !own
}

// jsonValue is the next value of valid JSON, an object as its entries in their order.
func jsonValue(d *json.Decoder) interface{} {
	token, _ := d.Token()
	open, _ := token.(json.Delim)
	switch open {
	case '[':
		list := []interface{}{}
		for d.More() {
			list = append(list, jsonValue(d))
		}
		_, _ = d.Token()
		return list
	case '{':
		object := []entry{}
		for d.More() {
			name, _ := d.Token()
			object = append(object, entry{name.(string), jsonValue(d)})
		}
		_, _ = d.Token()
		return object
	}
	return token
}

// fromJSON is the value of a type that JSON has as j.
func (b Basic) fromJSON(j interface{}) (n node, ok bool) {
	if j == nil {
		switch b.Kind {
		case KindPointer: // what it points to may be null, too
			return node{kind: KindNil}, !b.Elem.isNilable()
		case KindInterface, KindAny, KindNil:
			return node{kind: KindNil}, true
		case KindMap:
			return node{kind: KindMap}, true
		case KindList:
			return node{kind: KindList}, b.Len == 0
		case KindBytes:
			return node{kind: KindString}, true
		}
		return n, false
	}
	switch {
	case b.Kind == KindPointer:
		n, ok = b.Elem.fromJSON(j)
		return node{kind: KindPointer, parts: []node{n}}, ok
	case b.Kind == KindInterface && b.Elem != nil:
		return b.Elem.fromJSON(j)
	}
	if b.Own {
		return b.ownFromJSON(j)
	}
	switch j := j.(type) {
	case bool:
		return node{kind: KindBool, text: strconv.FormatBool(j)}, b.Kind == KindAny || b.Kind == KindBool
	case json.Number:
		if b.Kind == KindAny {
			return Basic{Kind: KindInt, Bits: strconv.IntSize}.leaf(j.String())
		}
		if b.Kind == KindInt || b.Kind == KindUint || b.Kind == KindFloat {
			return b.loose(j.String())
		}
	case string:
		return b.stringFromJSON(j)
	case []interface{}:
		return b.listFromJSON(j)
	case []entry:
		if b.Kind == KindMap {
			return b.mapFromJSON(j)
		}
		return b.structFromJSON(j)
	}
	return n, false
}

// isNilable reports whether JSON may have null for values of the type.
func (b *Basic) isNilable() bool {
	_, ok := b.fromJSON(nil)
	return ok || b.Kind == KindPointer
}

// ownFromJSON is the value that a method of the type writes so, as far as that is known.
func (b Basic) ownFromJSON(j interface{}) (n node, ok bool) {
	text, isString := j.(string)
	if number, isNumber := j.(json.Number); isNumber {
		text, isString = number.String(), true
	}
	known, ok := b.named(text)
	if !isString || !ok {
		return n, false
	}
	return node{kind: b.Kind, text: strconv.FormatInt(known.Value, 10)}, !known.Twice
}

func (b Basic) stringFromJSON(s string) (n node, ok bool) {
	switch b.Kind {
	case KindAny:
		return node{kind: KindAny, text: s}, true
	case KindBytes:
		text, err := base64.StdEncoding.Strict().DecodeString(s)
		return node{kind: KindString, text: string(text)}, err == nil
	case KindString, KindTime:
		return b.leaf(s)
	case KindInt, KindUint:
		if known, ok := b.named(s); ok {
			return node{kind: b.Kind, text: strconv.FormatInt(known.Value, 10)}, !known.Twice
		}
		if b.Duration {
			return b.loose(s)
		}
	}
	return n, false
}

func (b Basic) listFromJSON(j []interface{}) (n node, ok bool) {
	n.kind = KindList
	if b.Kind != KindList || b.Len > 0 && len(j) != b.Len-1 {
		return n, false
	}
	for _, e := range j {
		part, ok := b.Elem.fromJSON(e)
		if !ok {
			return n, false
		}
		n.parts = append(n.parts, part)
	}
	return n, true
}

func (b Basic) mapFromJSON(j []entry) (n node, ok bool) {
	n.kind = KindMap
	for _, e := range j {
		key, okKey := b.Key.loose(e.name)
		if b.Key.Own || b.Key.Kind == KindBytes {
			key, okKey = b.Key.ownFromJSON(e.name)
		}
		part, ok := b.Elem.fromJSON(e.value)
		if !ok || !okKey {
			return n, false
		}
		n.parts = append(n.parts, key, part)
	}
	return n, n.sortEntries()
}

// structFromJSON takes the fields by name; all must be there that are not left out if they
// are zero, and be exported. Of two fields with one name, as embedding allows, JSON lacks
// one at least: then nothing is known.
func (b Basic) structFromJSON(j []entry) (n node, ok bool) {
	n.kind = KindStruct
	if b.Kind != KindStruct {
		return n, false
	}
	values := map[string]interface{}{}
	for _, e := range j {
		if _, twice := values[e.name]; twice {
			return n, false
		}
		values[e.name] = e.value
	}
	names := map[string]bool{}
	if !b.collect(names) {
		return n, false
	}
	n, ok = b.take(values)
	return n, ok && len(values) == 0
}

// collect adds the names that fields have in JSON, true for those that are always there;
// false: two have one name, or one has none.
func (b Basic) collect(names map[string]bool) bool {
	for _, f := range b.Fields {
		if f.Embeds {
			if !f.collectInner(names) {
				return false
			}
			continue
		}
		if _, twice := names[f.Name]; twice || f.Name == "" {
			return false
		}
		names[f.Name] = !f.Omits
	}
	return true
}

// collectInner adds the names that an embedded field has in it; of a pointer, none is always there.
func (f *Field) collectInner(names map[string]bool) bool {
	inner := map[string]bool{}
	if !f.Struct().collect(inner) {
		return false
	}
	for name, must := range inner {
		if _, twice := names[name]; twice {
			return false
		}
		names[name] = must && f.Kind == KindStruct
	}
	return true
}

// take makes a struct of values by name, and deletes those that it takes.
func (b Basic) take(values map[string]interface{}) (n node, ok bool) {
	n.kind = KindStruct
	for _, f := range b.Fields {
		part, ok := f.take(values)
		if !ok {
			return n, false
		}
		n.parts = append(n.parts, part)
	}
	return n, true
}

func (f *Field) take(values map[string]interface{}) (n node, ok bool) {
	e, has := values[f.Name]
	switch {
	case f.Embeds && f.Kind == KindPointer:
		return f.takePointer(values)
	case f.Embeds:
		return f.Basic.take(values)
	case has:
		delete(values, f.Name)
		if f.Quoted && e != nil {
			return f.Basic.fromQuoted(e)
		}
		return f.Basic.fromJSON(e)
	case f.Omits:
		return f.Basic.zero()
	}
	return n, false
}

// fromQuoted is the value that JSON has as a string of its JSON.
func (b Basic) fromQuoted(j interface{}) (n node, ok bool) {
	s, isString := j.(string)
	if !isString || !json.Valid([]byte(s)) {
		return n, false
	}
	return b.fromJSON(parsedJSON(s))
}

// takePointer takes the fields of what an embedded pointer points to, of which JSON has none
// if it is nil.
func (f *Field) takePointer(values map[string]interface{}) (n node, ok bool) {
	names := map[string]bool{}
	f.Elem.collect(names)
	some, always := false, false
	for name, must := range names {
		_, has := values[name]
		some, always = some || has, always || must
	}
	if !some {
		return node{kind: KindNil}, always
	}
	n, ok = f.Elem.take(values)
	return node{kind: KindPointer, parts: []node{n}}, ok
}

// zero is the value that JSON leaves out.
func (b Basic) zero() (n node, ok bool) {
	switch b.Kind {
	case KindInt, KindUint, KindFloat:
		return b.leaf("0")
	case KindBool:
		return b.leaf("false")
	case KindString, KindBytes:
		return node{kind: KindString}, true
	}
	return b.fromJSON(nil)
}
