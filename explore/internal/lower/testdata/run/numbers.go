// Package run is functions that are run both compiled and as instructions.
package run

// New makes nothing of interest.
func New() *int { return new(int) }

func Arith8(a, b int8) (int8, int8, int8, int8)       { return a + b, a - b, a * b, -a }
func Arith16(a, b uint16) (uint16, uint16, uint16)    { return a + b, a - b, ^a }
func Arith32(a, b int32) (int32, int32, int32, int32) { return a + b, a * b, a &^ b, a ^ b }
func Arith64(a, b int) (int, int, int, int)           { return a - b, a * b, a & b, a | b }
func Div8(a, b int8) (int8, int8)                     { return a / b, a % b }
func Div64(a, b int) (int, int)                       { return a / b, a % b }
func DivU(a, b uint32) (uint32, uint32)               { return a / b, a % b }
func Shift(a int, b uint8) (int, int)                 { return a << b, a >> b }
func ShiftS(a uint16, b int8) (uint16, uint16)        { return a << b, a >> b }
func Compare(a, b int) (x, y, z, u, v, w bool)        { return a < b, a <= b, a > b, a >= b, a == b, a != b }
func CompareU(a, b uint64) (x, y, z, u bool)          { return a < b, a <= b, a > b, a >= b }
func CompareF(a, b float64) (x, y, z, u, v, w bool) {
	return a < b, a <= b, a > b, a >= b, a == b, a != b
}
func Floats(a, b float64) (x, y, z, w, v float64)   { return a + b, a - b, a * b, a / b, -a }
func Floats32(a, b float32) (x, y, z, w, v float32) { return a + b, a - b, a * b, a / b, -a }
func Narrow(a int) (int8, int16, int32, uint8, uint32) {
	return int8(a), int16(a), int32(a), uint8(a), uint32(a)
}
func Wide(a int8, b uint8) (int, uint64, int32, uint16) {
	return int(a), uint64(a), int32(b), uint16(a)
}
func ToFloat(a int, b uint64) (float64, float32) { return float64(a), float32(b) }
func FromFloat(a int16) (int, int8)              { return int(float64(a) / 3), int8(float32(a) / 1024) }
func Bools(a, b bool) (bool, bool, bool)         { return a && b, a || !b, a != b }
func MinMax(a, b, c int) (int, int)              { return min(a, b, c), max(a, b, c) }
func MinMaxF(a, b float64) (float64, float64)    { return min(a, b, 1), max(b, a) }
func MinMaxS(a, b string) (string, string)       { return min(a, b), max(a, b) }

func Gcd(a, b uint16) uint16 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func Rotate(n uint8) (int, int, int) {
	a, b, c := 1, 2, 3
	for range n % 9 {
		a, b, c = b, c, a
	}
	return a, b, c
}

func Fib(n uint8) int {
	if n%20 < 2 {
		return int(n % 20)
	}
	return Fib(n%20-1) + Fib(n%20-2)
}

func Collatz(n uint8) (steps int) {
	m := int(n) + 1
	for ; m != 1; steps++ {
		switch {
		case m%2 == 0:
			m /= 2
		default:
			m = 3*m + 1
		}
	}
	return
}

func Labels(n, m uint8) (sum int) {
outer:
	for i := range int(n % 8) {
		for j := range int(m % 8) {
			if i == j {
				continue outer
			}
			if i*j > 20 {
				break outer
			}
			sum += i * j
		}
	}
	return sum
}

func Goto(n uint8) int {
	i := int(n)
again:
	if i > 10 {
		i -= 7
		goto again
	}
	return i
}

type wave complex64

func Complex(a, b, c, d float64) (float64, float64, bool, float64, float64) {
	x, y := complex(a, b), complex(c, d)
	z := x*y + (2 - 1i) - x
	w := -z / y
	m := map[complex128]int{x: 1, y: 2}
	return real(z), imag(w), x == y, float64(m[x]) + real(x), imag(complex(1, c))
}

func Complex64(a, b float32) (float32, float32, bool, bool) {
	x := wave(complex(a, b))
	y := x * wave(complex128(x)) / (1 + 2i)
	return real(y), imag(complex64(y) + 3), x != y, any(x) == any(wave(complex(a, b)))
}
