//go:build go1.21

package values

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Named is a small value of a type of integers that prints as a text.
type Named struct {
	Text  string `json:"text"`
	Value int64  `json:"value"`
	Twice bool   `json:"twice,omitempty"` // another value prints so, too, or is written so
}

// MostNamed is up to which value a type is asked for names.
const MostNamed = 64

// namesOf asks the methods by which package fmt and JSON print values of a type.
func namesOf(t reflect.Type) (all []Named) {
	if t.NumMethod() == 0 {
		return nil
	}
	add := func(text string, k int64) {
		n, err := strconv.ParseInt(text, 10, 64)
		if text == "" || err == nil && n == k {
			return
		}
		for i := range all {
			if all[i].Text == text {
				all[i].Twice = all[i].Twice || all[i].Value != k
				return
			}
		}
		all = append(all, Named{text, k, err == nil})
	}
	for k := int64(0); k < MostNamed; k++ {
		v := reflect.New(t).Elem()
		if v.CanInt() {
			v.SetInt(k)
		} else {
			v.SetUint(uint64(k))
		}
		for _, text := range printed(v.Interface()) {
			add(text, k)
		}
	}
	return all
}

// printed lists the texts that a value's methods make of it, unless they panic.
func printed(v interface{}) (texts []string) {
	try := func(print func() string) {
		defer func() { _ = recover() }()
		texts = append(texts, print())
	}
	switch v := v.(type) {
	case error:
		try(v.Error)
	case interface{ String() string }:
		try(v.String)
	}
	if v, ok := v.(encoding.TextMarshaler); ok {
		try(func() string {
			b, err := v.MarshalText()
			if err != nil {
				return ""
			}
			return string(b)
		})
	}
	if v, ok := v.(json.Marshaler); ok {
		try(func() (text string) {
			b, err := v.MarshalJSON()
			if err == nil && json.Unmarshal(b, &text) != nil {
				text = string(b)
			}
			return text
		})
	}
	return texts
}

// marshals reports whether a type says itself what its JSON is.
func marshals(t reflect.Type) bool {
	if t == timeType || t.Kind() == reflect.Interface {
		return false
	}
	for _, m := range []reflect.Type{reflect.TypeOf((*json.Marshaler)(nil)).Elem(), reflect.TypeOf((*encoding.TextMarshaler)(nil)).Elem()} {
		if t.Implements(m) || reflect.PointerTo(t).Implements(m) {
			return true
		}
	}
	return false
}

// named is the value that prints as a text, if that is known.
func (b Basic) named(s string) (n Named, known bool) {
	for _, n := range b.Names {
		if n.Text == s {
			return n, true
		}
	}
	return b.unnamed(s)
}

// unnamed is a number without a name of its own, negative or beyond those with names, that
// prints as the last of these do: State(99) where these are State(61), State(62), State(63).
func (b Basic) unnamed(s string) (n Named, known bool) {
	rule := ""
	for k := 0; k < FewOthers; k++ {
		i := len(b.Names) - 1
		for i >= 0 && (b.Names[i].Value != int64(MostNamed-1-k) || b.Names[i].Twice) {
			i--
		}
		if i < 0 {
			return n, false
		}
		r := strings.Replace(b.Names[i].Text, strconv.Itoa(MostNamed-1-k), "\x00", 1)
		if k > 0 && r != rule {
			return n, false
		}
		rule = r
	}
	at := strings.IndexByte(rule, 0)
	if at < 0 || !strings.HasPrefix(s, rule[:at]) || !strings.HasSuffix(s[at:], rule[at+1:]) || len(s) < len(rule) {
		return n, false
	}
	text := s[at : len(s)-len(rule)+at+1]
	v, err := strconv.ParseInt(text, 10, 64)
	if _, ok := b.leaf(text); err != nil || !ok || strconv.FormatInt(v, 10) != text || v >= 0 && v < MostNamed {
		return n, false
	}
	return Named{Text: s, Value: v}, true
}

// FewOthers is of how many numbers the rule is seen by which those without a name print.
const FewOthers = 3

// loose reads a value without parts however it is written.
func (b Basic) loose(s string) (n node, ok bool) {
	if b.Kind == KindBytes {
		if text, ok := bytesOf(s); ok {
			return node{kind: KindString, text: text}, true
		}
	}
	if n, ok = b.leaf(s); ok {
		return n, true
	}
	n = node{kind: b.Kind}
	switch b.Kind {
	case KindInt, KindUint:
		if e, known := b.named(s); known {
			n.text = strconv.FormatInt(e.Value, 10)
			return n, !e.Twice
		}
		if d, err := time.ParseDuration(s); b.Duration && err == nil {
			n.text = strconv.FormatInt(int64(d), 10)
			return n, true
		}
		if n.text, ok = integer(s); ok {
			return b.leaf(n.text)
		}
	case KindBool:
		n.text = strings.ToLower(s)
		return n, s == "True" || s == "TRUE" || s == "False" || s == "FALSE"
	case KindComplex:
		if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
			return b.leaf(s[1 : len(s)-1])
		}
	case KindTime:
		t, ok := printedTime(s)
		n.text = timeText(t)
		return n, ok && t.UTC().Year() >= 0 && t.UTC().Year() <= 9999 // as RFC 3339 has them
	case KindNil, KindAny, KindInterface, KindPointer:
		return node{kind: KindNil}, s == "<nil>"
	}
	return n, false
}

// integer is the decimal text of an integer that is written with a plus, in hexadecimal,
// with zeros behind the point or with an exponent: +3, 0x1f, 3.0, 3e2. One with zeros
// before it is none, for it may be octal.
func integer(s string) (text string, ok bool) {
	digits, sign := strings.TrimPrefix(s, "+"), ""
	if strings.HasPrefix(s, "-") {
		digits, sign = s[1:], "-"
	}
	if len(digits) > 2 && (digits[:2] == "0x" || digits[:2] == "0X") {
		u, err := strconv.ParseUint(digits[2:], 16, 64)
		return sign + strconv.FormatUint(u, 10), err == nil
	}
	exponent := 0
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		e, err := strconv.Atoi(digits[i+1:])
		if err != nil || e > 40 || e < -40 {
			return "", false
		}
		digits, exponent = digits[:i], e
	}
	if i := strings.IndexByte(digits, '.'); i >= 0 {
		exponent -= len(digits) - i - 1
		if digits = digits[:i] + digits[i+1:]; i == 0 || i == len(digits) {
			return "", false
		}
	}
	if digits == "" || strings.Trim(digits, "0123456789") != "" || len(digits) > 1 && digits[0] == '0' && strings.Trim(s, "+-0123456789") == "" {
		return "", false
	}
	if exponent < 0 {
		cut := max(0, len(digits)+exponent)
		if strings.Trim(digits[cut:], "0") != "" {
			return "", false
		}
		digits, exponent = digits[:cut], 0
	}
	if digits = strings.TrimLeft(digits+strings.Repeat("0", exponent), "0"); digits == "" {
		return "0", true
	}
	return sign + digits, true
}

// printedTime is a time as package fmt prints it, with %v or %#v.
func printedTime(s string) (t time.Time, ok bool) {
	if i := strings.Index(s, " m="); i >= 0 { // what the monotonic clock showed
		if _, err := strconv.ParseFloat(s[i+3:], 64); err != nil {
			return t, false
		}
		s = s[:i]
	}
	t, err := time.Parse("2006-01-02 15:04:05.999999999 -0700 MST", s)
	if err == nil {
		return t, true
	}
	args := strings.Split(strings.TrimSuffix(strings.TrimPrefix(s, "time.Date("), ")"), ", ")
	if len(args) != 8 || args[7] != "time.UTC" || len(s) != len(strings.Join(args, ", "))+len("time.Date()") {
		return t, false
	}
	var n [7]int
	for i, a := range args[:7] {
		if i == 1 {
			for n[1] = 1; n[1] < 12 && "time."+time.Month(n[1]).String() != a; n[1]++ {
			}
			if "time."+time.Month(n[1]).String() != a {
				return t, false
			}
		} else if n[i], err = strconv.Atoi(a); err != nil {
			return t, false
		}
	}
	t = time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], n[6], time.UTC)
	return t, t.Day() == n[2] && t.Hour() == n[3] && t.Minute() == n[4] && t.Second() == n[5] && t.Nanosecond() == n[6]
}

// bytesOf are bytes that are written as a list of numbers, as package fmt does: [97 98].
func bytesOf(s string) (text string, ok bool) {
	if len(s) < 2 || s[0] != '[' || s[len(s)-1] != ']' {
		return "", false
	}
	var b []byte
	for _, w := range strings.Fields(s[1 : len(s)-1]) {
		u, err := strconv.ParseUint(w, 10, 8)
		if err != nil {
			return "", false
		}
		b = append(b, byte(u))
	}
	return string(b), bytesList(b) == s
}

func bytesList(b []byte) string {
	list := []byte{'['}
	for i, c := range b {
		if i > 0 {
			list = append(list, ' ')
		}
		list = strconv.AppendUint(list, uint64(c), 10)
	}
	return string(append(list, ']'))
}

// bytesText is the text of bytes that stand alone: their own, unless that reads as a list.
func bytesText(b []byte) string {
	if _, list := bytesOf(string(b)); list {
		return bytesList(b)
	}
	return string(b)
}

// LogOf is the text that a log has for what an answer writes as Go text.
func (b Basic) LogOf(text string) string {
	plain, err := strconv.Unquote(text)
	if err != nil || text[0] != '"' {
		return text
	}
	if b.Kind == KindBytes {
		return bytesText([]byte(plain))
	}
	return plain
}
