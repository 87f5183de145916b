package wording

// This file reads sets, lists and maps in the texts that logs have them in, whoever wrote them: EDN, JSON, Go,
// Java or Python.
//
//	Elements("#{1 2 3}")         // 1 2 3, true
//	Pairs(`{"a": 10, "b": 20}`)  // a 10, b 20, true

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Pair is a key of a map with its value.
type Pair struct{ Key, Value string }

// Elements are those of a set or list, in their order: #{1 2}, {1, 2}, [1 2], [1,2], (1 2) or set(1 2). A text in braces
// without commas is a map in EDN, so it is none; {} is empty.
func Elements(text string) ([]string, bool) {
	open, items, ok := items(text)
	if !ok || open != "[" && open != "(" && open != "#{" && open != "{" && open != "set(" {
		return nil, false
	}
	var all []string
	for i, it := range items {
		if it.mark != 0 || open == "{" && i > 0 && !it.comma {
			return nil, false
		}
		all = append(all, it.text)
	}
	return all, true
}

// Pairs are the entries of a map, in their order: {0 10, 1 10}, {"0": 10, "1": 10}, {0=10, 1=10} or map[0:10 1:10].
// A list [10 10] is a map from the places 0, 1 and so on.
func Pairs(text string) ([]Pair, bool) {
	open, items, ok := items(text)
	if !ok {
		return nil, false
	}
	var all []Pair
	switch open {
	case "[", "(":
		for i, it := range items {
			if it.mark != 0 {
				return nil, false
			}
			all = append(all, Pair{strconv.Itoa(i), it.text})
		}
		return all, true
	case "{", "map[":
	default:
		return nil, false
	}
	if len(items)%2 != 0 {
		return nil, false
	}
	for i := 0; i < len(items); i += 2 {
		key, value := items[i], items[i+1]
		if i > 0 && key.mark != 0 || value.comma || value.mark != items[1].mark || i > 0 && key.comma != items[2].comma {
			return nil, false
		}
		all = append(all, Pair{key.text, value.text})
	}
	return all, true
}

// item is an element, and what is between it and the one before: a comma, or the mark : or = of a map's value.
type item struct {
	text  string
	comma bool
	mark  byte
}

// opening are the ways in which a collection begins, the longest first.
var opening = []string{"map[", "set(", "#{", "{", "[", "("}

// items reads a whole text.
func items(text string) (open string, all []item, ok bool) {
	for _, open = range opening {
		if strings.HasPrefix(text, open) {
			break
		}
	}
	if !strings.HasPrefix(text, open) || len(text) <= len(open) || !utf8.ValidString(text) {
		return "", nil, false
	}
	last := len(text) - 1
	if text[last] != closing(open[len(open)-1]) {
		return "", nil, false
	}
	s := scanner{text: text[len(open):last]}
	for {
		it, end, ok := s.next(len(all) > 0)
		if !ok {
			return "", nil, false
		}
		if end {
			return open, all, true
		}
		all = append(all, it)
	}
}

func closing(open byte) byte {
	return map[byte]byte{'{': '}', '[': ']', '(': ')'}[open]
}

// scanner is what is left of a collection's inside.
type scanner struct{ text string }

// next reads an item, and what is before it.
func (s *scanner) next(more bool) (it item, end, ok bool) {
	if blank := s.blanks(); more && s.text != "" && strings.IndexByte(",:=", s.text[0]) >= 0 && !(blank && s.keyword()) {
		if it.mark = s.text[0]; it.mark == ',' {
			it.mark, it.comma = 0, true
		}
		s.text = s.text[1:]
		s.blanks()
		if s.text == "" {
			return it, false, false
		}
	}
	if s.text == "" {
		return it, true, true
	}
	it.text, ok = s.value()
	return it, false, ok
}

// blanks skips blanks, and reports whether there were some.
func (s *scanner) blanks() bool {
	n := len(s.text)
	s.text = strings.TrimLeft(s.text, " \t\r\n")
	return len(s.text) < n
}

// keyword reports whether what is left, behind a blank, begins with a keyword of Clojure such as :a, and not with a mark.
func (s *scanner) keyword() bool {
	return len(s.text) > 1 && s.text[0] == ':' && (s.text[1]|0x20 >= 'a' && s.text[1]|0x20 <= 'z')
}

// value reads a quoted text, a collection as it is, or a word.
func (s *scanner) value() (string, bool) {
	switch c := s.text[0]; {
	case c == '"' || c == '\'':
		n := quoted(s.text)
		if n == 0 {
			return "", false
		}
		text := s.text[:n]
		s.text = s.text[n:]
		if c == '\'' {
			text = `"` + strings.ReplaceAll(text[1:n-1], `"`, `\"`) + `"`
		}
		text, err := strconv.Unquote(text)
		return text, err == nil
	case strings.IndexByte("{[(", c) >= 0 || strings.HasPrefix(s.text, "#{"):
		n := balanced(s.text)
		text := s.text[:n]
		s.text = s.text[n:]
		return text, n > 0
	}
	start := 0
	if s.text[0] == ':' {
		start = 1 // a keyword's colon is not its name
	}
	n := start
	for n < len(s.text) && strings.IndexByte(" \t\r\n,:={}[]()\"'", s.text[n]) < 0 {
		n++
	}
	text := s.text[start:n]
	s.text = s.text[n:]
	return text, text != "" && (s.text == "" || strings.IndexByte("{}[]()\"'", s.text[0]) < 0)
}

// quoted is the length of the quoted text that a text begins with; 0: it does not end.
func quoted(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return 0
}

// balanced is the length of the collection that a text begins with; 0: its brackets do not match.
func balanced(text string) int {
	var open []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			n := quoted(text[i:])
			if n == 0 {
				return 0
			}
			i += n - 1
		case '{', '[', '(':
			open = append(open, closing(c))
		case '}', ']', ')':
			if len(open) == 0 || open[len(open)-1] != c {
				return 0
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return i + 1
			}
		}
	}
	return 0
}
