package equations

import (
	"strings"

	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// Sort is what values of a place are: "int", "text", "word", "other", "[int]" for lists,
// "{int text}" for records, "map[text]int". What may be nil or an outcome instead has the
// sort of its values.
type Sort string

// The sorts without parts.
const (
	Ints   Sort = "int"
	Texts  Sort = "text"
	Words  Sort = "word"
	Others Sort = "other"
)

// SortOf is the sort of a type's values.
func SortOf(b *values.Basic) Sort {
	if b == nil {
		return Others
	}
	switch b.Kind {
	case values.KindInt, values.KindUint:
		if len(b.Names) > 0 {
			return Words
		}
		return Ints
	case values.KindString, values.KindBytes:
		return Texts
	case values.KindBool:
		return Words
	case values.KindPointer:
		return SortOf(b.Elem)
	case values.KindList:
		return ListOf(SortOf(b.Elem))
	case values.KindMap:
		return "map[" + SortOf(b.Key) + "]" + SortOf(b.Elem)
	case values.KindStruct:
		fields := make([]string, len(b.Fields))
		for i := range b.Fields {
			fields[i] = string(SortOf(&b.Fields[i].Basic))
		}
		return Sort("{" + strings.Join(fields, " ") + "}")
	}
	return Others
}

// ListOf is the sort of lists of some elements.
func ListOf(elem Sort) Sort { return "[" + elem + "]" }

// Elem is the sort of a list's elements, or of a map's values; "" of others.
func (s Sort) Elem() Sort {
	switch {
	case strings.HasPrefix(string(s), "["):
		return s[1 : len(s)-1]
	case strings.HasPrefix(string(s), "map["):
		return s[s.close(4)+1:]
	}
	return ""
}

// Key is the sort of a map's keys; "" of others.
func (s Sort) Key() Sort {
	if !strings.HasPrefix(string(s), "map[") {
		return ""
	}
	return s[4:s.close(4)]
}

// close is where the bracket that is open at a place closes.
func (s Sort) close(at int) int {
	depth := 0
	for i := at; i < len(s); i++ {
		switch s[i] {
		case '[', '{':
			depth++
		case '}':
			depth--
		case ']':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return len(s)
}

// Fields are the sorts of a record's fields; nil of others.
func (s Sort) Fields() (all []Sort) {
	if !strings.HasPrefix(string(s), "{") {
		return nil
	}
	depth, from := 0, 1
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '[', '{':
			depth++
		case ']':
			depth--
		case '}':
			if depth--; depth < 0 && i > from {
				all = append(all, s[from:i])
			}
		case ' ':
			if depth == 0 {
				all, from = append(all, s[from:i]), i+1
			}
		}
	}
	return all
}

// IsList reports whether values of a sort are lists.
func (s Sort) IsList() bool { return strings.HasPrefix(string(s), "[") }

// IsMap reports whether values of a sort are maps.
func (s Sort) IsMap() bool { return strings.HasPrefix(string(s), "map[") }
