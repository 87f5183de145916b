// Package rand is what math/rand is to the explorer: any number, as of math/rand/v2.
package rand

import "math/rand/v2"

type Source interface {
	Int63() int64
	Seed(seed int64)
}

type Source64 interface {
	Source
	Uint64() uint64
}

type source struct{ rand.PCG }

func (*source) Int63() int64    { return Int63() }
func (*source) Seed(seed int64) {}

func NewSource(seed int64) Source { return &source{} }

type Rand struct{ rand.Rand }

// foreign is called for a source that is not ours.
func foreign()

func New(src Source) *Rand {
	if _, ok := src.(*source); !ok {
		foreign()
	}
	return &Rand{}
}

type Zipf struct{ rand.Zipf }

func NewZipf(r *Rand, s float64, v float64, imax uint64) *Zipf {
	z := rand.NewZipf(&r.Rand, s, v, imax)
	if z == nil {
		return nil
	}
	return &Zipf{*z}
}

func positive(ok bool, name string) {
	if !ok {
		panic("invalid argument to " + name)
	}
}

func Int63n(n int64) int64 {
	positive(n > 0, "Int63n")
	return rand.Int64N(n)
}

func Int31n(n int32) int32 {
	positive(n > 0, "Int31n")
	return rand.Int32N(n)
}

func Intn(n int) int {
	positive(n > 0, "Intn")
	return rand.IntN(n)
}

func Read(p []byte) (n int, err error) {
	for i := range p {
		p[i] = byte(rand.N(256))
	}
	return len(p), nil
}

func Int() int                           { return rand.Int() }
func Int31() int32                       { return rand.Int32() }
func Int63() int64                       { return rand.Int64() }
func Uint32() uint32                     { return rand.Uint32() }
func Uint64() uint64                     { return rand.Uint64() }
func Float32() float32                   { return rand.Float32() }
func Float64() float64                   { return rand.Float64() }
func NormFloat64() float64               { return rand.NormFloat64() }
func ExpFloat64() float64                { return rand.ExpFloat64() }
func Perm(n int) []int                   { return rand.Perm(n) }
func Shuffle(n int, swap func(i, j int)) { rand.Shuffle(n, swap) }
func Seed(seed int64)                    {}

func (r *Rand) Int31() int32                     { return Int31() }
func (r *Rand) Int31n(n int32) int32             { return Int31n(n) }
func (r *Rand) Int63() int64                     { return Int63() }
func (r *Rand) Int63n(n int64) int64             { return Int63n(n) }
func (r *Rand) Intn(n int) int                   { return Intn(n) }
func (r *Rand) Read(p []byte) (n int, err error) { return Read(p) }
func (r *Rand) Seed(seed int64)                  {}
