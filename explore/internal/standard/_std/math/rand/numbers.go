package rand

func Int63() int64 {
	return int64(below(1 << 63))
}

func (r *Rand) Int63() int64 { return Int63() }

func Int() int {
	return int(below(1 << 63))
}

func (r *Rand) Int() int { return Int() }

func Int31() int32 {
	return int32(below(1 << 31))
}

func (r *Rand) Int31() int32 { return Int31() }

func Uint32() uint32 {
	return uint32(below(1 << 32))
}

func (r *Rand) Uint32() uint32 { return Uint32() }

func Uint64() uint64 {
	return word()
}

func (r *Rand) Uint64() uint64 { return Uint64() }

func Int63n(n int64) int64 {
	if n <= 0 {
		panic("invalid argument to Int63n")
	}
	return int64(below(uint64(n)))
}

func (r *Rand) Int63n(n int64) int64 { return Int63n(n) }

func Int31n(n int32) int32 {
	if n <= 0 {
		panic("invalid argument to Int31n")
	}
	return int32(below(uint64(n)))
}

func (r *Rand) Int31n(n int32) int32 { return Int31n(n) }

func Intn(n int) int {
	if n <= 0 {
		panic("invalid argument to Intn")
	}
	return int(below(uint64(n)))
}

func (r *Rand) Intn(n int) int { return Intn(n) }

func Seed(seed int64) {}

func (r *Rand) Seed(seed int64) { Seed(seed) }

func Read(p []byte) (n int, err error) {
	for i := range p {
		p[i] = byte(below(256))
	}
	return len(p), nil
}

func (r *Rand) Read(p []byte) (n int, err error) { return Read(p) }

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
