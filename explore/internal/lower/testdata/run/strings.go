package run

import "unsafe"

func Concat(a, b string) (string, int, bool, bool) { return a + b, len(a), a < b, a == b }
func CharAt(a string, i uint8) byte                { return a[int(i)%8] }
func Cut(a string, i, j uint8) (string, string)    { return a[i%5 : j%5], a[j%4:] }

func Runes(s string) (n int, sum rune, at int) {
	for i, r := range s + "añ€" {
		n++
		sum += r
		at += i
	}
	for i := range s {
		at += i
	}
	for range s {
		n++
	}
	return
}

func BytesOf(s string) (string, int, string) {
	b := []byte(s)
	for i := range b {
		b[i] ^= 1
	}
	r := []rune(s)
	return string(b), len(r), string(r) + string(rune(len(s)+'a'))
}

func AppendString(s string, t string) (string, int) {
	b := append([]byte(s), t...)
	n := copy(b, "xyz")
	return string(b), n
}

func UnsafeString(s string) string {
	b := []byte(s)
	c := unsafe.Slice(unsafe.SliceData(b), len(b))
	if len(c) > 1 {
		c[1] = 'y'
	}
	return unsafe.String(unsafe.SliceData(b), len(b)) + string(unsafe.Slice(unsafe.StringData(s), len(s)))
}
