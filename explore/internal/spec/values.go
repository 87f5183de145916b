package spec

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// maker makes values of a program.
type maker struct {
	program *ir.Program
	boxed   map[string]ir.Word // slices, by type and text
	nils    bool               // the zero value of any is nil
}

// maxOf is the largest value of small types of integers.
var maxOf = map[ir.Num]int{ir.I8: math.MaxInt8, ir.U8: math.MaxUint8, ir.I16: math.MaxInt16, ir.U16: math.MaxUint16}

// values is how many of n values a type has; the error says why it has none, as the end
// of a sentence that the parameter begins.
func (m *maker) values(f *ir.Form, n int) (int, error) {
	if f.Choices != nil { // all of them, but for one value
		return min(len(f.Choices), 1+(n-1)*len(f.Choices)), nil
	}
	switch f.Of {
	case ir.Basic:
		switch most, small := maxOf[f.Kind]; {
		case f.Kind == ir.Bool:
			return 2, nil
		case f.Kind == ir.Opaque:
			return 0, fmt.Errorf("is %s, which has no values that a log can name", typeOf(f))
		case small:
			return min(n, most), nil
		}
		return n, nil
	case ir.InterfaceOf:
		if f.Name != "" && f.Name != "any" {
			return 0, fmt.Errorf("is the interface %s: only any is given values, write a harness that passes one", f.Name)
		}
		return n, nil
	case ir.StructOf, ir.ArrayOf, ir.SliceOf:
		return m.parts(f, n)
	case ir.PointerTo:
		return 0, fmt.Errorf("is a pointer (%s), which a log cannot name: write a harness that takes what it points to", typeOf(f))
	}
	return 0, fmt.Errorf("is %s, which a log cannot name: write a harness that passes one", typeOf(f))
}

// parts is as many as the part with the most has.
func (m *maker) parts(f *ir.Form, n int) (most int, err error) {
	if f.Of == ir.SliceOf && slices.ContainsFunc(f.Parts, func(p ir.Form) bool { return p.Of != ir.Basic }) {
		return 0, fmt.Errorf("is %s: slices are given values if their elements are numbers or bytes", typeOf(f))
	}
	most = 1
	for i := range f.Parts {
		own, err := m.values(&f.Parts[i], n)
		if err != nil {
			return 0, errors.New("has a part that " + err.Error())
		}
		most = max(most, own)
	}
	if f.Of == ir.ArrayOf && f.Length == 0 {
		most = 1
	}
	return most, nil
}

// typeOf is a type in words.
func typeOf(f *ir.Form) string {
	if f.Name != "" {
		return f.Name
	}
	part := func() string {
		if len(f.Parts) == 0 {
			return ""
		}
		return typeOf(&f.Parts[0])
	}
	switch f.Of {
	case ir.PointerTo:
		return "*" + part()
	case ir.SliceOf:
		return "[]" + part()
	case ir.ArrayOf:
		return fmt.Sprintf("[%d]%s", f.Length, part())
	case ir.MapOf:
		return "a map"
	case ir.FuncOf:
		return "a function"
	case ir.ChanOf:
		return "a channel"
	case ir.StructOf:
		return "a struct"
	}
	return [...]string{"int", "int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "string", "bool", "an unsafe.Pointer or a complex number"}[f.Kind]
}

// value is the words and the text of value k of a type, within so many others.
func (m *maker) value(f *ir.Form, k, depth int) (words []ir.Word, text string) {
	if f.Choices != nil {
		return []ir.Word{ir.Word(k - 1)}, f.Choices[k-1]
	}
	switch f.Of {
	case ir.Basic:
		return m.basic(f, k, depth)
	case ir.InterfaceOf:
		if k == 0 && m.nils {
			return []ir.Word{0, 0}, "nil"
		}
		return []ir.Word{m.intType(), ir.Word(k)}, strconv.Itoa(k)
	case ir.StructOf:
		words, text = m.list(f.Parts, k, depth)
		return words, "{" + text + "}"
	case ir.ArrayOf:
		words, text = m.list(slices.Repeat(f.Parts, f.Length), k, depth)
		return words, "[" + text + "]"
	}
	return m.slice(f, k, depth)
}

// list is values one after the other; at least one word.
func (m *maker) list(parts []ir.Form, k, depth int) (words []ir.Word, text string) {
	var texts []string
	for i := range parts {
		own, text := m.value(&parts[i], k, depth+1)
		words, texts = append(words, own...), append(texts, text)
	}
	if len(words) == 0 {
		words = []ir.Word{0}
	}
	return words, strings.Join(texts, " ")
}

func (m *maker) basic(f *ir.Form, k, depth int) ([]ir.Word, string) {
	switch f.Kind {
	case ir.Bool:
		if k == 1 {
			return []ir.Word{1}, "true"
		}
		return []ir.Word{0}, "false"
	case ir.Str:
		text := letters(k)
		if depth > 0 {
			text = values.Word(text)
		}
		return []ir.Word{m.program.Strings.Number(letters(k))}, text
	case ir.F32:
		return []ir.Word{ir.Word(math.Float32bits(float32(k)))}, strconv.Itoa(k)
	case ir.F64:
		return []ir.Word{math.Float64bits(float64(k))}, strconv.Itoa(k)
	}
	if most, small := maxOf[f.Kind]; small {
		k = min(k, most)
	}
	return []ir.Word{ir.Word(k)}, strconv.Itoa(k)
}

// letters is a, b, ..., z, aa, ab, ...
func letters(k int) string {
	s := ""
	for ; k > 0; k = (k - 1) / 26 {
		s = string(rune('a'+(k-1)%26)) + s
	}
	return s
}

// intType is the type of an int in an interface.
func (m *maker) intType() ir.Word {
	for i, t := range m.program.Types {
		if t.Name == "int" {
			return ir.Word(i)
		}
	}
	m.program.Layouts = append(m.program.Layouts, &ir.Layout{Name: "int", Words: []ir.Kind{ir.Data}, Special: ir.Box})
	m.program.Types = append(m.program.Types, &ir.Type{Name: "int", Layout: len(m.program.Layouts) - 1, Comparable: true, Form: ir.Form{Kind: ir.I64, Name: "int", Layout: -1}})
	return ir.Word(len(m.program.Types) - 1)
}

// slice is a slice with one element, or bytes with the letters of a string: an object
// of its own that is there from the start.
func (m *maker) slice(f *ir.Form, k, depth int) ([]ir.Word, string) {
	var elements []ir.Word
	text := letters(k)
	if isBytes(f) {
		for _, b := range []byte(text) {
			elements = append(elements, ir.Word(b))
		}
	} else {
		elements, text = m.value(&f.Parts[0], k, depth+1)
		text = "[" + text + "]"
	}
	return m.object(f, text, elements), text
}

// object is a slice of elements: an object that is there from the start, and the same for the same text.
func (m *maker) object(f *ir.Form, text string, elements []ir.Word) []ir.Word {
	if len(elements) == 0 {
		return []ir.Word{0, 0, 0}
	}
	key := fmt.Sprint(typeOf(f), f.Layout, text)
	n := len(elements) // each is one word: see parts
	object, ok := m.boxed[key]
	if !ok {
		p := m.program
		p.Globals = append(p.Globals, ir.Global{Name: "argument " + text, Layout: f.Layout, Count: n, Init: elements, Argument: true})
		object = ir.Pointer(len(p.Globals), 0)
		if m.boxed == nil {
			m.boxed = map[string]ir.Word{}
		}
		m.boxed[key] = object
	}
	return []ir.Word{object, ir.Word(n), ir.Word(n)}
}

// bytesOf is the string of bytes that are written as a list of numbers, or as nil.
func bytesOf(text string) string {
	var b []byte
	if text == "nil" {
		return ""
	}
	for _, n := range strings.Fields(strings.Trim(text, "[]")) {
		k, _ := strconv.ParseUint(n, 10, 8)
		b = append(b, byte(k))
	}
	return values.Basic{Kind: values.KindBytes}.LogOf(strconv.Quote(string(b))) // a list, if they read as one
}
