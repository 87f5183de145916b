// Package typename writes the types of values as theories do, in YAML on one line.
//
//	int  duration  [string]  {map: [string, int]}  {pointer: int}  {array: int, length: 3}
//	{struct: [{name: Hits, type: int}]}  {enum: int, names: [closed, open, half-open]}
package typename

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// words are the types that have a word.
var words = []struct {
	word string
	of   values.Basic
}{
	{"int", values.Basic{Kind: values.KindInt, Bits: 64}}, {"int8", values.Basic{Kind: values.KindInt, Bits: 8}},
	{"int16", values.Basic{Kind: values.KindInt, Bits: 16}}, {"int32", values.Basic{Kind: values.KindInt, Bits: 32}},
	{"int64", values.Basic{Kind: values.KindInt, Bits: 64}},
	{"uint", values.Basic{Kind: values.KindUint, Bits: 64}}, {"uint8", values.Basic{Kind: values.KindUint, Bits: 8}},
	{"uint16", values.Basic{Kind: values.KindUint, Bits: 16}}, {"uint32", values.Basic{Kind: values.KindUint, Bits: 32}},
	{"uint64", values.Basic{Kind: values.KindUint, Bits: 64}},
	{"float64", values.Basic{Kind: values.KindFloat, Bits: 64}}, {"float32", values.Basic{Kind: values.KindFloat, Bits: 32}},
	{"complex128", values.Basic{Kind: values.KindComplex, Bits: 128}}, {"complex64", values.Basic{Kind: values.KindComplex, Bits: 64}},
	{"bool", values.Basic{Kind: values.KindBool}}, {"string", values.Basic{Kind: values.KindString}},
	{"bytes", values.Basic{Kind: values.KindBytes}}, {"time", values.Basic{Kind: values.KindTime}},
	{"duration", values.Basic{Kind: values.KindInt, Bits: 64, Duration: true}},
	{"any", values.Basic{Kind: values.KindAny}}, {"error", texts},
	{"interface", values.Basic{Kind: values.KindInterface}}, {"nil", values.Basic{Kind: values.KindNil}},
	{"opaque", values.Basic{}},
}

// texts is an interface whose values are known by what they say.
var texts = values.Basic{Kind: values.KindInterface, Elem: &values.Basic{Kind: values.KindString}}

// Words lists the types that have a word.
func Words() (all []string) {
	for _, w := range words {
		all = append(all, w.word)
	}
	return all
}

// Word is the type that a word names.
func Word(word string) (b values.Basic, ok bool) {
	for _, w := range words {
		if w.word == word {
			return w.of, true
		}
	}
	return b, false
}

// Plain reports whether values of a type have one text each, as far as most logs go: a
// theory need not tell that they are integers or strings.
func Plain(b values.Basic) bool {
	switch b.Kind {
	case values.KindInt, values.KindUint:
		return !b.Duration && !b.Own && len(b.Names) == 0
	case values.KindString, values.KindAny, "":
		return !b.Own
	}
	return false
}

// Of is the text of a type.
func Of(b values.Basic) string {
	switch {
	case b.Own:
		b.Own = false
		return "{own: " + Of(b) + "}"
	case len(b.Names) > 0:
		return enum(b)
	}
	switch b.Kind {
	case values.KindList:
		if b.Len > 0 {
			return fmt.Sprintf("{array: %s, length: %d}", Of(*b.Elem), b.Len-1)
		}
		return "[" + Of(*b.Elem) + "]"
	case values.KindMap:
		return "{map: [" + Of(*b.Key) + ", " + Of(*b.Elem) + "]}"
	case values.KindPointer:
		return "{pointer: " + Of(*b.Elem) + "}"
	case values.KindStruct:
		fields := make([]string, len(b.Fields))
		for i := range b.Fields {
			fields[i] = field(&b.Fields[i])
		}
		return "{struct: [" + strings.Join(fields, ", ") + "]}"
	case values.KindInterface:
		if b.Elem != nil && !isString(b.Elem) {
			return "{interface: " + Of(*b.Elem) + "}"
		}
		if b.Elem != nil {
			return "error"
		}
	}
	for _, w := range words {
		if w.of.Kind == b.Kind && w.of.Bits == b.Bits && w.of.Duration == b.Duration {
			return w.word
		}
	}
	return "opaque"
}

func isString(b *values.Basic) bool { return b.Kind == values.KindString && !b.Own }

// field is a field of a struct; what JSON calls it is said where that is something else.
func field(f *values.Field) string {
	s := "{name: " + quoted(f.GoName) + ", type: " + Of(f.Basic)
	if f.Name != f.GoName {
		s += ", json: " + quoted(f.Name)
	}
	if f.Omits {
		s += ", omitempty: true"
	}
	if f.Quoted {
		s += ", quoted: true"
	}
	if f.Embeds {
		s += ", embedded: true"
	}
	return s + "}"
}

// enum is a type of numbers the small ones of which have names.
func enum(b values.Basic) string {
	names, others, ambiguous := listed(b.Names)
	b.Names = nil
	s := "{enum: " + Of(b) + ", names: " + list(names)
	if others != "" {
		s += ", others: " + quoted(others)
	}
	if len(ambiguous) > 0 {
		slices.Sort(ambiguous)
		s += ", ambiguous: " + texted(ambiguous)
	}
	return s + "}"
}

func list(names [][]string) string {
	all := make([]string, len(names))
	for i, n := range names {
		switch len(n) {
		case 0:
			all[i] = `""`
		case 1:
			all[i] = quoted(n[0])
		default:
			all[i] = texted(n)
		}
	}
	return "[" + strings.Join(all, ", ") + "]"
}

func texted(texts []string) string {
	all := make([]string, len(texts))
	for i, t := range texts {
		all[i] = quoted(t)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// listed are names by number; others is how the numbers without one of their own are
// printed, such as State(%d).
func listed(all []values.Named) (names [][]string, others string, ambiguous []string) {
	for _, n := range all {
		if n.Twice {
			ambiguous = append(ambiguous, n.Text)
			continue
		}
		for int64(len(names)) <= n.Value {
			names = append(names, nil)
		}
		names[n.Value] = append(names[n.Value], n.Text)
	}
	if len(names) < values.MostNamed || len(names[len(names)-1]) != 1 {
		return names, "", ambiguous
	}
	last := len(names) - 1
	before, after, ok := strings.Cut(names[last][0], strconv.Itoa(last))
	if !ok || strings.Contains(before, "%d") {
		return names, "", ambiguous
	}
	for last >= 0 && len(names[last]) == 1 && names[last][0] == before+strconv.Itoa(last)+after {
		last--
	}
	if len(names)-last-1 < values.FewOthers {
		return names, "", ambiguous
	}
	return names[:last+1], before + "%d" + after, ambiguous
}

// Names are the names of small numbers, from what theories list. The error says which
// name is wrong, by its place in names, -1 for others and -2 for what is ambiguous.
func Names(names [][]string, others string, ambiguous []string) (all []values.Named, at int, err error) {
	seen := map[string]bool{}
	add := func(text string, k int, twice bool) error {
		_, bad := strconv.ParseInt(text, 10, 64)
		switch {
		case text == "":
			return fmt.Errorf("a name is not empty")
		case seen[text]:
			return fmt.Errorf("%q is the name of two numbers; list it under ambiguous, and nowhere else", text)
		case bad == nil && !twice:
			return fmt.Errorf("%q is a number, and may be the name of none; list it under ambiguous if another number is printed so", text)
		}
		seen[text] = true
		all = append(all, values.Named{Text: text, Value: int64(k), Twice: twice})
		return nil
	}
	for k, texts := range names {
		for _, text := range texts {
			if err := add(text, k, false); err != nil {
				return nil, k, err
			}
		}
	}
	for k := len(names); k < values.MostNamed && others != ""; k++ {
		if err := add(strings.Replace(others, "%d", strconv.Itoa(k), 1), k, false); err != nil {
			return nil, -1, err
		}
	}
	for _, text := range ambiguous {
		if err := add(text, 0, true); err != nil {
			return nil, -2, err
		}
	}
	return all, 0, nil
}

// quoted is a text in YAML, in quotes unless it is a word.
func quoted(s string) string {
	for i, r := range s {
		if letter := r|' ' >= 'a' && r|' ' <= 'z'; !letter && (i == 0 || r != '-' && r != '_' && (r < '0' || r > '9')) {
			return strconv.Quote(s)
		}
	}
	if s == "" || slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}, strings.ToLower(s)) {
		return strconv.Quote(s)
	}
	return s
}
