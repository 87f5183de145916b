//go:build go1.21

package values

import (
	"encoding/base64"
	"encoding/json"
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
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") || !json.Valid([]byte(text)) {
		return n, false
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return b.fromJSON(jsonValue(d))
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
// are zero, and be exported.
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
	for _, f := range b.Fields {
		e, has := values[f.Name]
		part, ok := f.Basic.fromJSON(e)
		if !has && f.Omits {
			part, ok = f.Basic.zero()
		}
		if !has && !f.Omits || !ok || f.Name == "" {
			return n, false
		}
		delete(values, f.Name)
		n.parts = append(n.parts, part)
	}
	return n, len(values) == 0
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
