//go:build go1.21

package values

import (
	"encoding/json"
	"strconv"
	"strings"
)

// readJSON reads an object or a list in JSON.
func (b Basic) readJSON(text string) (n node, ok bool) {
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") || !json.Valid([]byte(text)) {
		return n, false
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var j interface{}
	if d.Decode(&j) != nil {
		return n, false
	}
	return b.fromJSON(j)
}

// fromJSON is the value of a type that JSON has as j.
func (b Basic) fromJSON(j interface{}) (n node, ok bool) {
	if j == nil {
		nilable := b.Kind == KindPointer || b.Kind == KindInterface || b.Kind == KindAny || b.Kind == KindNil
		return node{kind: KindNil}, nilable
	}
	switch {
	case b.Kind == KindPointer:
		n, ok = b.Elem.fromJSON(j)
		return node{kind: KindPointer, parts: []node{n}}, ok
	case b.Kind == KindInterface && b.Elem != nil:
		return b.Elem.fromJSON(j)
	}
	switch j := j.(type) {
	case bool:
		return node{kind: KindBool, text: strconv.FormatBool(j)}, b.Kind == KindAny || b.Kind == KindBool
	case json.Number:
		if b.Kind == KindAny {
			return Basic{Kind: KindInt, Bits: strconv.IntSize}.leaf(j.String())
		}
		if b.Kind == KindInt || b.Kind == KindUint || b.Kind == KindFloat {
			return b.leaf(j.String())
		}
	case string:
		switch b.Kind {
		case KindAny:
			return node{kind: KindAny, text: j}, true
		case KindString, KindBytes, KindTime:
			return b.leaf(j)
		}
	case []interface{}:
		return b.listFromJSON(j)
	case map[string]interface{}:
		if b.Kind == KindMap {
			return b.mapFromJSON(j)
		}
		return b.structFromJSON(j)
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

func (b Basic) mapFromJSON(j map[string]interface{}) (n node, ok bool) {
	n.kind = KindMap
	for k, e := range j {
		key, okKey := b.Key.leaf(k)
		part, ok := b.Elem.fromJSON(e)
		if !ok || !okKey {
			return n, false
		}
		n.parts = append(n.parts, key, part)
	}
	return n, n.sortEntries()
}

// structFromJSON takes the fields by name; all must be there, and be exported.
func (b Basic) structFromJSON(j map[string]interface{}) (n node, ok bool) {
	n.kind = KindStruct
	if b.Kind != KindStruct || len(j) != len(b.Fields) {
		return n, false
	}
	for _, f := range b.Fields {
		e, has := j[f.Name]
		part, ok := f.Basic.fromJSON(e)
		if !has || !ok || f.Name == "" {
			return n, false
		}
		n.parts = append(n.parts, part)
	}
	return n, true
}
