package rand

func Int64() int64 {
	return int64(below(1 << 63))
}

func (r *Rand) Int64() int64 { return Int64() }

func Int() int {
	return int(below(1 << 63))
}

func (r *Rand) Int() int { return Int() }

func Int32() int32 {
	return int32(below(1 << 31))
}

func (r *Rand) Int32() int32 { return Int32() }

func Uint32() uint32 {
	return uint32(below(1 << 32))
}

func (r *Rand) Uint32() uint32 { return Uint32() }

func Uint64() uint64 {
	return word()
}

func (r *Rand) Uint64() uint64 { return Uint64() }

func Uint() uint {
	return uint(word())
}

func (r *Rand) Uint() uint { return Uint() }

func Int64N(n int64) int64 {
	if n <= 0 {
		panic("invalid argument to Int64N")
	}
	return int64(below(uint64(n)))
}

func (r *Rand) Int64N(n int64) int64 { return Int64N(n) }

func Int32N(n int32) int32 {
	if n <= 0 {
		panic("invalid argument to Int32N")
	}
	return int32(below(uint64(n)))
}

func (r *Rand) Int32N(n int32) int32 { return Int32N(n) }

func IntN(n int) int {
	if n <= 0 {
		panic("invalid argument to IntN")
	}
	return int(below(uint64(n)))
}

func (r *Rand) IntN(n int) int { return IntN(n) }

func Uint64N(n uint64) uint64 {
	if n == 0 {
		panic("invalid argument to Uint64N")
	}
	return uint64(below(uint64(n)))
}

func (r *Rand) Uint64N(n uint64) uint64 { return Uint64N(n) }

func Uint32N(n uint32) uint32 {
	if n == 0 {
		panic("invalid argument to Uint32N")
	}
	return uint32(below(uint64(n)))
}

func (r *Rand) Uint32N(n uint32) uint32 { return Uint32N(n) }

func UintN(n uint) uint {
	if n == 0 {
		panic("invalid argument to UintN")
	}
	return uint(below(uint64(n)))
}

func (r *Rand) UintN(n uint) uint { return UintN(n) }

type intType interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

func N[Int intType](n Int) Int {
	if n <= 0 {
		panic("invalid argument to N")
	}
	return Int(below(uint64(n)))
}

func Float64() float64 {
	return [...]float64{0, 0.5, 1 - 1.0/(1<<53)}[below(3)]
}

func (r *Rand) Float64() float64 { return Float64() }

func Float32() float32 {
	return [...]float32{0, 0.5, 1 - 1.0/(1<<24)}[below(3)]
}

func (r *Rand) Float32() float32 { return Float32() }

func NormFloat64() float64 {
	return [...]float64{0, 1, -1}[below(3)]
}

func (r *Rand) NormFloat64() float64 { return NormFloat64() }

func ExpFloat64() float64 {
	return [...]float64{0.5, 1, 2}[below(3)]
}

func (r *Rand) ExpFloat64() float64 { return ExpFloat64() }

func Perm(n int) []int {
	m := make([]int, n)
	for i := range n {
		j := int(below(uint64(i + 1)))
		m[i], m[j] = m[j], i
	}
	return m
}

func (r *Rand) Perm(n int) []int { return Perm(n) }

func Shuffle(n int, swap func(i, j int)) {
	if n < 0 {
		panic("invalid argument to Shuffle")
	}
	for i := n - 1; i > 0; i-- {
		swap(i, int(below(uint64(i+1))))
	}
}

func (r *Rand) Shuffle(n int, swap func(i, j int)) { Shuffle(n, swap) }
