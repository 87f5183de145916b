// Package texts works on strings.
package texts

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is a text.
type Text struct {
	s string
	b []byte
}

var samples = []string{"", "a", "häß", "日本語", "a,b,,c", "Hello, World", "\xff\xfe", "  trim\t\n", "-17", "3.25", "tRuE", "aaa", "x=1;y=2"}

func at(k int) string { return samples[k%len(samples)] }

// Add appends, and looks at runes and bytes.
func (t *Text) Add(a int) string {
	t.s += at(a)
	if len(t.s) > 20 {
		t.s = t.s[len(t.s)-7:]
	}
	n, sum := 0, rune(0)
	for i, r := range t.s {
		n += i
		sum += r
	}
	return show(len(t.s), n, sum, []byte(t.s), []rune(t.s), string([]rune(t.s)), utf8.RuneCountInString(t.s), utf8.ValidString(t.s))
}

// Compare compares.
func (t *Text) Compare(a, b int) string {
	x, y := at(a), at(b)
	return show(x == y, x < y, x <= y, x > y, x+y == y+x, strings.Compare(x, y), strings.EqualFold(x, y), min(x, y), max(x, y, "m"))
}

// Split takes texts apart.
func (t *Text) Split(a, b int) string {
	x := at(a)
	k, v, ok := strings.Cut(x, "=")
	p, found := strings.CutPrefix(x, "a")
	return show(strings.Split(x, ","), strings.Fields(x), strings.SplitN(x, "", b%4), k, v, ok, p, found, strings.Index(x, at(b)))
}

// Change makes others of them.
func (t *Text) Change(a, b int) string {
	x := at(a)
	return show([]string{strings.ToUpper(x), strings.ToLower(x), strings.TrimSpace(x), strings.Trim(x, "aH"), strings.Replace(x, "a", "bb", b%3), strings.ReplaceAll(x, ",", at(b)), strings.Repeat(x, b%3), strings.Title("ab cd"), strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, x), strings.Join(samples[:b%5], "+")})
}

// Build builds.
func (t *Text) Build(a, b int) string {
	var sb strings.Builder
	for i := range a % 4 {
		sb.WriteByte(byte('a' + i))
		sb.WriteRune('ß')
		sb.WriteString(at(b))
		fmt.Fprintf(&sb, "%d", i)
	}
	var buf bytes.Buffer
	buf.WriteString(sb.String())
	c, err := buf.ReadByte()
	return show(sb.Len(), sb.String(), c, err != nil, buf.Len())
}

// Parse reads numbers.
func (t *Text) Parse(a int) string {
	x := at(a)
	i, err := strconv.Atoi(x)
	f, err2 := strconv.ParseFloat(x, 64)
	b, err3 := strconv.ParseBool(strings.ToLower(x))
	u, err4 := strconv.ParseUint(x, 16, 8)
	return show(i, err, f, err2 == nil, b, err3 == nil, u, err4 != nil, strconv.Itoa(-a*1000), strconv.FormatInt(int64(a)*12345, 36), strconv.Quote(x))
}

// Bytes works on bytes.
func (t *Text) Bytes(a, b int) string {
	x := []byte(at(a))
	t.b = append(t.b, at(b)...)
	if len(t.b) > 15 {
		t.b = t.b[3:6]
	}
	n := copy(x, t.b)
	s := string(x)
	for i := range x {
		x[i] ^= 1
	}
	return show(s, x, n, bytes.Equal(x, t.b), bytes.Contains(t.b, []byte("a")), bytes.IndexByte(x, 'a'), string(t.b))
}

// Format formats.
func (t *Text) Format(a, b int) string {
	var e error = fmt.Errorf("outer: %w", fmt.Errorf("inner %d", a))
	return fmt.Sprintf("%d|%5d|%-5d|%05d|%x|%X|%b|%o|%c|%q|%U|%T|%s|%10s|%-10s|%.2f|%8.3f|%e|%g|%t|%v|%v|%%|%v", a, a, b, -b, a*17, a*31, b, a, 'a'+a, 'b'+b, a, a,
		at(a), at(b), "x", float64(a)/3, float64(b)/7, float64(a), 1e21*float64(b), a > b, uint8(a), e, -b)
}

// show is a text of values; fmt does not see into slices, maps and structs when it is explored.
func show(args ...any) string {
	var b strings.Builder
	for _, x := range args {
		switch x := x.(type) {
		case []string:
			for _, e := range x {
				b.WriteString(show(e))
			}
			b.WriteByte(';')
		case []byte:
			for _, e := range x {
				b.WriteString(show(e))
			}
			b.WriteByte(';')
		case []rune:
			for _, e := range x {
				b.WriteString(show(e))
			}
			b.WriteByte(';')
		default:
			fmt.Fprint(&b, x, " ")
		}
	}
	return b.String()
}
