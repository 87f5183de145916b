package teacher

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/reference"
)

// tellingCalls is how long the words are.
const tellingCalls = 12

// separators are what texts are taken apart at.
var separators = strings.Split(`/ . : , ; - _ = * # @ | + & % ? \ ~ " ( { [ <`, " ")

// tellingTexts are groups of texts that references tell apart, or take for the same,
// which look into them. Of a group all are used together.
var tellingTexts = [][]string{
	{"", "ab", "cd", "0"},
	{"ab", "AB", "Ab", "aB"},
	{"ab", " ab", "ab ", "ab\n", "\tab", " "},
	{"ab", "abc", "abcd", "bc", "a"},
	{"ab*", "abc", "ab", "*", "a?c", "a[b-c]*"},
	{"1", "01", "+1", "1.0", "-1", "0", "10", "2"},
	{"true", "false", "nil", "null", "none", "error", "all", "."},
	{"é", "e\u0301", "É", "ß", "SS", "日本"},
	{strings.Repeat("a", 40), strings.Repeat("a", 65), strings.Repeat("a", 130), strings.Repeat("a", 300), strings.Repeat("a", 1030)},
}

// tellingNumbers are such groups of integers. None is so large that a loop would not end.
var tellingNumbers = [][]int64{
	{0, 1, -1, 2},
	{1, 2, 3, 4, 5, 6},
	{-1, -2, -3, 7},
	{1, 17, 33, 3},
	{7, 8, 107, 1007, 10_007},
	{1, 257, 65_537},
	{9, 10, 11, 99, 100, 101},
	{1_000, 1_000_000, -1_000_000},
}

// Telling is word number i of those with values that mean something to a reference which
// looks into them: texts that are empty, long, numerals, or parts of each other; small
// and large integers. Values that are neither texts nor numbers are as ever.
func Telling(methods []reference.Method, i int) []Call {
	g := NewGenerator(methods, 1<<33+uint64(i))
	texts, numbers := telling(i), tellingNumbers[g.IntN(len(tellingNumbers))]
	to, by := g.Perm(len(texts)), g.Perm(len(numbers))
	name := func(b values.Basic, k int) (string, bool) {
		text := ""
		switch b.Kind {
		case values.KindString, values.KindBytes:
			text = texts[to[(k-1)%len(to)]]
		case values.KindInt, values.KindUint, values.KindFloat, values.KindAny:
			text = b.Canonical(strconv.FormatInt(numbers[by[(k-1)%len(by)]], 10))
		default:
			return "", false
		}
		_, ok := b.Text(text)
		return text, ok
	}
	w := g.Random(1 + g.IntN(tellingCalls))
	out := make([]Call, len(w))
	for i, c := range w {
		out[i].Method = c.Method
		for p, k := range c.Args {
			b := &methods[c.Method].Params[p]
			v := b.Rename(b.Numbered(k), func(b values.Basic, _ string) (string, bool) { return name(b, k) })
			if text, ok := b.Nilable(); ok && v == text {
				v = b.Numbered(k) // a text no more: Nil has it
			}
			out[i].Args = append(out[i].Args, history.Value(v))
		}
	}
	return out
}

// Shaped is word number i of those in which values with parts have other parts than
// Numbered ones: several, none, some that they share with other values. There are none if
// no method takes such values.
func Shaped(methods []reference.Method, i int) []Call {
	if !slices.ContainsFunc(methods, func(m reference.Method) bool { return slices.ContainsFunc(m.Params, values.Basic.HasParts) }) {
		return nil
	}
	g := NewGenerator(methods, 1<<32+uint64(i))
	return g.with(g.Random(1+g.IntN(tellingCalls)), func(b *values.Basic, _, _ int) (string, bool) {
		return b.Shaped(g.IntN), b.HasParts() || g.IntN(2) == 0
	})
}

// Nil is word number i of those in which some of the arguments that may be nil are nil.
func Nil(methods []reference.Method, i int, may func(m, p int) bool) []Call {
	g := NewGenerator(methods, 1<<31+uint64(i))
	return g.with(g.Random(1+g.IntN(tellingCalls)), func(b *values.Basic, m, p int) (string, bool) {
		return "nil", may(m, p) && g.IntN(2) == 0
	})
}

// with is a word with other arguments, where there is another one.
func (g *Generator) with(w Word, other func(b *values.Basic, m, p int) (string, bool)) []Call {
	out := Texts{Methods: g.methods}.Of(w)
	for _, c := range out {
		for p := range c.Args {
			if text, ok := other(&g.methods[c.Method].Params[p], c.Method, p); ok {
				c.Args[p] = history.Value(text)
			}
		}
	}
	return out
}

// telling are the texts of word number i.
func telling(i int) []string {
	if i %= len(tellingTexts) + len(separators); i < len(tellingTexts) {
		return tellingTexts[i]
	}
	by := separators[i-len(tellingTexts)]
	begins := by + "a"
	if strings.Contains("[{&", by) {
		begins = "c" // in a struct it would be taken for a list, a map or a pointer
	}
	return []string{"a", "a" + by + "b", "a" + by + "b" + by + "c", "b", begins, "a" + by}
}
