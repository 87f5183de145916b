// Package bytealg is what internal/bytealg is to the explorer: strings by natives,
// slices by plain loops.
package bytealg

const (
	MaxBruteForce = 0
	PrimeRK       = 16777619
)

// MaxLen is 0: callers do not use Index and IndexString.
var MaxLen int

func Cutover(n int) int { panic("not reached") }

func Index(a, b []byte) int { return IndexRabinKarp(a, b) }

func CompareString(a, b string) int
func CountString(s string, c byte) int
func IndexString(a, b string) int
func IndexByteString(s string, c byte) int
func LastIndexByteString(s string, c byte) int

func Compare(a, b []byte) int {
	for i, c := range a {
		if i == len(b) || c > b[i] {
			return 1
		}
		if c < b[i] {
			return -1
		}
	}
	if len(a) < len(b) {
		return -1
	}
	return 0
}

func Equal(a, b []byte) bool { return string(a) == string(b) }

func Count(b []byte, c byte) int {
	n := 0
	for _, x := range b {
		if x == c {
			n++
		}
	}
	return n
}

func IndexByte(b []byte, c byte) int {
	for i, x := range b {
		if x == c {
			return i
		}
	}
	return -1
}

func LastIndexByte(s []byte, c byte) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == c {
			return i
		}
	}
	return -1
}

func IndexRabinKarp[T string | []byte](s, sep T) int {
	for i := 0; i+len(sep) <= len(s); i++ {
		if string(s[i:i+len(sep)]) == string(sep) {
			return i
		}
	}
	return -1
}

func LastIndexRabinKarp[T string | []byte](s, sep T) int {
	for i := len(s) - len(sep); i >= 0; i-- {
		if string(s[i:i+len(sep)]) == string(sep) {
			return i
		}
	}
	return -1
}

func HashStr[T string | []byte](sep T) (uint32, uint32) {
	hash, pow := uint32(0), uint32(1)
	for i := 0; i < len(sep); i++ {
		hash = hash*PrimeRK + uint32(sep[i])
		pow *= PrimeRK
	}
	return hash, pow
}

func HashStrRev[T string | []byte](sep T) (uint32, uint32) {
	hash, pow := uint32(0), uint32(1)
	for i := len(sep) - 1; i >= 0; i-- {
		hash = hash*PrimeRK + uint32(sep[i])
		pow *= PrimeRK
	}
	return hash, pow
}

func MakeNoZero(n int) []byte { return make([]byte, n) }
