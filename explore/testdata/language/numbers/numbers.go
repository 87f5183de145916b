// Package numbers computes with numbers of all types.
package numbers

import (
	"fmt"
	"math"
	"math/bits"
)

// Calc remembers the last result.
type Calc struct{ last int64 }

var edges = [...]int64{0, 1, -1, 2, -2, 7, math.MaxInt8, math.MinInt8, 255, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64, 1 << 40, -5}

func at(k int) int64 { return edges[k%len(edges)] }

type integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint | ~uintptr
}

func all[T integer](x, y T, s uint) string {
	q, r := T(0), T(0)
	if y != 0 {
		q, r = x/y, x%y
	}
	return fmt.Sprint(x+y, x-y, x*y, q, r, x&y, x|y, x^y, x&^y, x<<s, x>>s, -x, ^x, x < y, x <= y, x == y, x != y, x > y, x >= y, min(x, y), max(x, y))
}

// Small computes with types of 8 and 16 bits.
func (c *Calc) Small(a, b int) string {
	x, y := at(a), at(b)
	return all(int8(x), int8(y), uint(b)) + all(uint8(x), uint8(y), uint(b)) + all(int16(x), int16(y), uint(b)) + all(uint16(x), uint16(y), uint(a))
}

// Large computes with types of 32 and 64 bits.
func (c *Calc) Large(a, b int) string {
	x, y := at(a), at(b)
	return all(int32(x), int32(y), uint(a)*5) + all(uint32(x), uint32(y), uint(b)*5) + all(x, y, uint(b)*7) + all(uint64(x), uint64(y), uint(a)*9)
}

// Named computes with types of its own.
func (c *Calc) Named(a, b int) string {
	type small int8
	type word uint
	return all(small(at(a)), small(at(b)), 3) + all(word(at(a)), word(at(b)), 70)
}

// Floats computes with numbers that have a fraction.
func (c *Calc) Floats(a, b int) string {
	x, y := float64(at(a))/3, float64(at(b))/7
	f, g := float32(x), float32(y)
	return fmt.Sprint(x+y, x*y, x/y == x/y, x < y, int32(math.Mod(x, 1000)), f+g, f*g, f-g, uint8(int64(math.Abs(math.Mod(y, 200)))), math.Sqrt(math.Abs(x)), math.Floor(x), math.IsNaN(y/y-y/y), math.Inf(1) > x, math.Float64bits(x), math.Float32bits(g))
}

// Bits looks at bits.
func (c *Calc) Bits(a, b int) string {
	x, y := uint64(at(a)), uint64(at(b))
	hi, lo := bits.Mul64(x, y)
	sum, carry := bits.Add64(x, y, 1)
	diff, borrow := bits.Sub64(x, y, 0)
	return fmt.Sprint(bits.LeadingZeros64(x), bits.TrailingZeros32(uint32(x)), bits.OnesCount64(x), bits.Len16(uint16(x)), bits.Reverse8(uint8(x)),
		bits.RotateLeft32(uint32(x), b), bits.ReverseBytes64(x), hi, lo, sum, carry, diff, borrow)
}

// Convert converts in all directions.
func (c *Calc) Convert(a, b int) string {
	x := at(a)
	f := float64(at(b) % 1000)
	return fmt.Sprint(int8(x), uint8(x), int16(x), uint16(x), int32(x), uint32(x), uint64(x), int(f), int8(int(f)), float32(x), string(rune(x&0xff+33)), uintptr(x))
}

// Literals has constants that wrap around, and that do not.
func (c *Calc) Literals(a int) string {
	const big = 1 << 62
	const kilo, mega = 1 << (10 * (iota + 1)), 1 << (10 * (iota + 2))
	type day int
	const (
		mon day = iota + 1
		tue
		_
		thu
	)
	var u8 uint8 = 250
	u8 += uint8(a)
	u8++
	x := 'a' + rune(a)
	return fmt.Sprint(big/(a+1), kilo, mega, mon, tue, thu, u8, string(x), 0x1p-2*float64(a), 1_000_000/(a+1), 0b101<<a, 0o17)
}

// Keep remembers a number, and answers the one before it; it panics every now and
// then, but recovers.
func (c *Calc) Keep(a, b int) (old int64, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("cannot divide %d: %v", c.last, r)
		}
	}()
	old = c.last
	c.last = at(a)
	c.last /= at(b)
	c.last %= 1000
	return old, nil
}
