package run

import (
	"math/bits"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	table  = [8]uint8{3, 1, 4, 1, 5, 9, 2, 6}
	names  = map[string]int{"a": 1, "b": 2}
	first  = second * 2
	second = compute(5)
	flag   = second > 100 || first > 5 && len(names) == 2
	list3  = []*node{{val: 1}, {val: 2}, {val: 3, next: &node{val: 4}}}
	unused = strings.Repeat("x", 100)
	filled []int
	funcs  = map[string]func(int) int{"double": func(n int) int { return 2 * n }, "neg": negate}
)

func negate(n int) int { return -n }

func compute(n int) int { return n * n }

func init() {
	for i := range 4 {
		filled = append(filled, i*i)
	}
}

func init() { filled = append(filled, int(table[5])) }

func Globals(i uint8) (uint8, int, int, bool) {
	return table[i%8], names[string(rune('a'+i%3))], first + second, flag
}

func Initialised(i uint8) (int, int, int) {
	return filled[i%5], list3[i%3].val + list3[2].next.val, funcs["double"](int(i)) + funcs["neg"](3)
}

func Bits(a uint64, b uint8) (int, int, int, uint64, uint8) {
	return bits.OnesCount64(a), bits.Len64(a), bits.TrailingZeros8(b), bits.RotateLeft64(a, int(b)), bits.Reverse8(b)
}

func Library(a int, s string) (string, bool, bool, int) {
	n, err := strconv.Atoi(s)
	if err != nil {
		n = -1
	}
	return strconv.Itoa(a), strings.HasPrefix(s, "1"), unicode.IsUpper('A' + rune(a&63)), n + utf8.RuneCountInString(s)
}
