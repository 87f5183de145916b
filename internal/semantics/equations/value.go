package equations

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// Value is a value of a Store: an integer, which is odd, or the number of a node. Equal
// values are equal as numbers.
type Value int64

// Undefined is the value of an expression that has none, such as the first of no elements.
const Undefined Value = -1 << 63

// Kind is what a value is.
type Kind byte

// The kinds of values.
const (
	Word   Kind = iota // an outcome, true, false or nil
	Text               // a string
	List               // elements, in order
	Record             // the fields of a struct
	Map                // keys and values in turn, by key
	Other              // anything else, by its text: it is only compared
	Int
)

// Store holds values. It is not safe for concurrent use.
type Store struct {
	nodes []node
	index map[string]Value
	key   []byte
	truth [2]Value // false and true

	overflow bool // an operator's integer did not fit
}

type node struct {
	kind  Kind
	text  string
	parts []Value
}

// NewStore makes a Store.
func NewStore() *Store {
	s := &Store{index: map[string]Value{}}
	for i, b := range []bool{false, true} {
		s.truth[i] = s.Plain(Word, strconv.FormatBool(b))
	}
	return s
}

// Int is an integer; one that does not fit is Undefined, as are all that follow from it.
func IntOf(n int64) Value {
	if n >= 1<<61 || n <= -1<<61 {
		return Undefined
	}
	return Value(n<<1 | 1)
}

// IsInt reports whether a value is an integer.
func (v Value) IsInt() bool { return v&1 == 1 }

// Int is the integer that a value is.
func (v Value) Int() int64 { return int64(v) >> 1 }

// Kind is what a value is. It must not be Undefined.
func (s *Store) Kind(v Value) Kind {
	if v.IsInt() {
		return Int
	}
	return s.nodes[v>>1].kind
}

// Is reports whether a value is of a kind.
func (s *Store) Is(v Value, k Kind) bool { return v != Undefined && s.Kind(v) == k }

// TextOf is the text of a Word, a Text, or another value without parts.
func (s *Store) TextOf(v Value) string { return s.nodes[v>>1].text }

// Parts are those of a List, Record or Map; they are not to be changed.
func (s *Store) Parts(v Value) []Value { return s.nodes[v>>1].parts }

// Plain is a value without parts.
func (s *Store) Plain(k Kind, text string) Value {
	s.key = append(append(s.key[:0], byte(k)), text...)
	return s.intern(k, text, nil)
}

// Compound is a value with parts, which may be reused; Undefined if a part is.
func (s *Store) Compound(k Kind, parts []Value) Value {
	s.key = append(s.key[:0], byte(k))
	for _, p := range parts {
		if p == Undefined {
			return Undefined
		}
		s.key = binary.LittleEndian.AppendUint64(s.key, uint64(p))
	}
	return s.intern(k, "", parts)
}

func (s *Store) intern(k Kind, text string, parts []Value) Value {
	if v, ok := s.index[string(s.key)]; ok {
		return v
	}
	v := Value(len(s.nodes) << 1)
	s.nodes = append(s.nodes, node{k, text, slices.Clone(parts)})
	s.index[string(s.key)] = v
	return v
}

// Truth is true or false.
func (s *Store) Truth(b bool) Value {
	if b {
		return s.truth[1]
	}
	return s.truth[0]
}

// OfTree is a value of a type that was read. What points to a value is the value, and one
// with a name is the word for it.
func (s *Store) OfTree(b *values.Basic, t *values.Tree) Value {
	switch t.Kind {
	case values.KindInt, values.KindUint:
		n, err := strconv.ParseInt(t.Text, 10, 64)
		if err != nil || IntOf(n) == Undefined {
			return s.Plain(Other, t.Text)
		}
		for _, name := range b.Names {
			if name.Value == n && !name.Twice {
				return s.Plain(Word, name.Text)
			}
		}
		return IntOf(n)
	case values.KindString, values.KindBytes:
		return s.Plain(Text, t.Text)
	case values.KindBool:
		return s.Plain(Word, t.Text)
	case values.KindNil:
		return s.Plain(Word, "nil")
	case values.KindPointer:
		if len(t.Parts) == 0 {
			return s.Plain(Other, t.Text)
		}
		return s.OfTree(part(b.Elem), &t.Parts[0])
	case values.KindStruct, values.KindList, values.KindMap:
	default:
		return s.Plain(Other, t.Text)
	}
	parts := make([]Value, len(t.Parts))
	for i := range t.Parts {
		of := b.Elem
		switch {
		case t.Kind == values.KindStruct && i < len(b.Fields):
			of = &b.Fields[i].Basic
		case t.Kind == values.KindMap && i%2 == 0:
			of = b.Key
		}
		parts[i] = s.OfTree(part(of), &t.Parts[i])
	}
	switch t.Kind {
	case values.KindStruct:
		return s.Compound(Record, parts)
	case values.KindList:
		return s.Compound(List, parts)
	}
	return s.Compound(Map, s.byKey(parts))
}

// part is the type of a part, if it is known.
func part(b *values.Basic) *values.Basic {
	if b == nil {
		return &values.Basic{}
	}
	return b
}

// byKey orders the parts of a map.
func (s *Store) byKey(parts []Value) []Value {
	pairs := slices.Collect(slices.Chunk(parts, 2))
	slices.SortFunc(pairs, func(a, b []Value) int { return s.Compare(a[0], b[0]) })
	return slices.Concat(pairs...)
}

// Compare orders values: integers by size, texts by their bytes, others by their parts.
func (s *Store) Compare(a, b Value) int {
	switch ka, kb := s.Kind(a), s.Kind(b); {
	case a == b:
		return 0
	case ka != kb:
		return cmp.Compare(ka, kb)
	case ka == Int:
		return cmp.Compare(a.Int(), b.Int())
	case ka == List, ka == Record, ka == Map:
		return slices.CompareFunc(s.Parts(a), s.Parts(b), s.Compare)
	}
	return strings.Compare(s.TextOf(a), s.TextOf(b))
}

// AppendText appends a value as laws write it: 3, "a", ok, [1 2], {"a" 1}, map["a":1].
func (s *Store) AppendText(b []byte, v Value) []byte {
	if v == Undefined {
		return append(b, "undefined"...)
	}
	begin, end, between := "[", "]", " "
	switch s.Kind(v) {
	case Int:
		return strconv.AppendInt(b, v.Int(), 10)
	case Text:
		return strconv.AppendQuote(b, s.TextOf(v))
	case Word:
		if isName(s.TextOf(v)) {
			return append(b, s.TextOf(v)...)
		}
		return append(append(append(b, '`'), strings.ReplaceAll(s.TextOf(v), "`", "'")...), '`')
	case Other:
		return strconv.AppendQuote(append(b, '#'), s.TextOf(v))
	case Record:
		begin, end = "{", "}"
	case Map:
		begin = "map["
	}
	b = append(b, begin...)
	for i, p := range s.Parts(v) {
		switch {
		case i > 0 && s.Kind(v) == Map && i%2 == 1:
			b = append(b, ':')
		case i > 0:
			b = append(b, between...)
		}
		b = s.AppendText(b, p)
	}
	return append(b, end...)
}

// isName reports whether a word is one that laws need not quote.
func isName(s string) bool {
	for i, r := range s {
		if !unicode.IsLetter(r) && r != '_' && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != "" && !slices.Contains([]string{"if", "otherwise", "in", "and", "or", "map", "undefined"}, s)
}

// Text is a value as laws write it.
func (s *Store) Text(v Value) string { return string(s.AppendText(nil, v)) }
