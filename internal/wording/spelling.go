package wording

// This file notices that a log may write one value in two ways: 0s beside 0, True
// beside true. Without its type nobody knows whether they are one value.

import (
	"cmp"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Bool is true or false where a text is one of them in other letters, else "".
func Bool(text string) string {
	switch text {
	case "True", "TRUE":
		return "true"
	case "False", "FALSE":
		return "false"
	}
	return ""
}

// usual is the way in which Go prints the number, bool, duration or time that a text is,
// else "". An integer stands for a duration, as for a number with zeros behind the point.
func usual(text string) string {
	if b := Bool(text); b != "" || text == "true" || text == "false" {
		return cmp.Or(b, text)
	}
	if len(text) == 0 || !strings.Contains("0123456789-+.", text[:1]) {
		return ""
	}
	if hex := strings.TrimPrefix(strings.ToLower(text), "0x"); len(hex) < len(text) {
		if n, err := strconv.ParseInt(hex, 16, 64); err == nil && hex[0] != '-' && hex[0] != '+' {
			return strconv.Itoa(int(n))
		}
		return ""
	}
	if d, err := time.ParseDuration(text); err == nil {
		return strconv.FormatInt(int64(d), 10)
	}
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t.UTC().Format(time.RFC3339Nano)
	}
	f, err := strconv.ParseFloat(text, 64)
	switch digits := strings.TrimLeft(text, "+-"); {
	case err != nil || len(digits) > 1 && digits[0] == '0' && digits[1]-'0' <= 9 || strings.Contains(text, "_"):
		return "" // 007 is a name rather than a number
	case f == math.Trunc(f) && math.Abs(f) < 1<<53:
		return strconv.FormatInt(int64(f), 10)
	case strings.Trim(digits, "0123456789") == "":
		return strings.TrimPrefix(text, "+")
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// IsUnusual reports whether a text is a number or the like that Go prints otherwise.
func IsUnusual(text string) bool {
	u := usual(text)
	return u != "" && u != text
}

// Unusual is how Go prints a number or the like, or a value with parts, that a text has
// otherwise.
func Unusual(text string) (usually Way, is bool) {
	if u := usual(text); u != "" {
		return Way{Text: u}, u != text
	}
	return Way{Text: "its %v form, as values with types have it"}, cmp.Or(styleOf(text), "%v") != "%v"
}

// HasParts reports whether a text reads like a value with parts, in a way that tells how the log writes them.
func HasParts(text string) bool { return strings.ContainsAny(text, "{[") && styleOf(text) != "" }

// styleOf is how a text writes a value with parts, if it tells.
func styleOf(text string) string {
	text = strings.TrimPrefix(text, "&")
	open := strings.IndexAny(text, "{[")
	if open < 0 || strings.HasPrefix(text, "[]") && len(text) == 2 {
		return ""
	}
	brace := strings.IndexByte(text, '{')
	inside := strings.TrimLeft(text[open+1:], " ")
	name := strings.IndexFunc(inside, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	switch {
	case brace > 0 && text[len(text)-1] == '}' && strings.Trim(text[:brace], "[]*/. ") != "" && !strings.ContainsAny(text[:brace], " :,"):
		return "Go source"
	case open > 0 && !strings.HasPrefix(text, "map["), inside == "}":
		return ""
	case text[open] == '{' && strings.HasPrefix(inside, `"`):
		return "JSON"
	case text[open] == '{' && name > 0 && inside[name] == ':' && !unicode.IsDigit(rune(inside[0])):
		return "%+v"
	case text[open] == '{' || open > 0:
		return "%v"
	case strings.Contains(inside, ","):
		return "JSON"
	case strings.Contains(inside, " "):
		return "%v"
	}
	return ""
}

// Log is how a log writes values whose types nobody knows. Where it writes one in
// two ways, or otherwise than the specification, they may be one value or two.
type Log struct {
	usual []uint64       // those that came as Go prints them, up to mostUsual
	ways  map[uint64]Way // once one came otherwise
	style Way            // of the first value with parts
}

// Way is how a value was written, and where.
type Way struct {
	Text string
	Line int // 0: unknown
}

// mostUsual bounds the values that are remembered.
const mostUsual = 1 << 16

// Usual reports whether a text is an integer as Go prints it, where none came otherwise so
// far: Add has nothing to say of it, as of most values.
func (s *Log) Usual(text string) bool {
	if s.ways != nil {
		return false
	}
	n, ok := short(text)
	if ok && len(s.usual) < mostUsual {
		s.usual = append(s.usual, uint64(n))
	}
	return ok
}

// Add is another way in which the log, or the specification, which names values, has the
// value; false if there is none.
func Add[V ~string](s *Log, text string, named []V, line int) (other Way, twice bool) {
	if n, ok := short(text); ok { // most are
		return s.way(uint64(n), text, text, line)
	}
	if strings.ContainsAny(text, "{[") {
		style := styleOf(text)
		if style != "" && s.style.Text == "" {
			s.style = Way{strings.Clone(text), line}
		}
		return s.style, style != "" && styleOf(s.style.Text) != style
	}
	u := usual(text)
	if u == "" {
		return other, false
	}
	if u != text && slices.Contains(named, V(u)) {
		return Way{Text: u}, true
	}
	n, ok := short(u)
	if key := uint64(n); ok {
		return s.way(key, text, u, line)
	}
	h := fnv.New64a()
	h.Write([]byte(u))
	return s.way(h.Sum64(), text, u, line)
}

// way notes a way to write a value, which Go writes as usual, if it is the first.
func (s *Log) way(key uint64, text, usual string, line int) (other Way, twice bool) {
	if s.ways == nil && text == usual {
		if len(s.usual) < mostUsual {
			s.usual = append(s.usual, key)
		}
		return other, false
	}
	if s.ways == nil {
		s.ways = map[uint64]Way{}
		for _, key := range s.usual {
			s.ways[key] = Way{}
		}
		if len(s.usual) == mostUsual { // more may have come
			return Way{Text: usual}, true
		}
	}
	first, ok := s.ways[key]
	if !ok {
		s.ways[key] = Way{strings.Clone(text), line}
	}
	first.Text = cmp.Or(first.Text, usual)
	return first, ok && first.Text != text
}

// short reads an integer in the usual way, of at most 18 digits.
func short(text string) (n int64, ok bool) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || len(digits) > 18 || digits[0] == '0' && len(text) > 1 {
		return 0, false
	}
	for i := range len(digits) {
		d := digits[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + int64(d)
	}
	if len(digits) < len(text) {
		n = -n
	}
	return n, true
}
