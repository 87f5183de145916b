// Package rand is what math/rand is to the explorer: any number.
package rand

// below is any of 0 .. n-1, word any word.
func below(n uint64) uint64
func word() uint64

// foreign is called for a source that is not ours.
func foreign()

type Source interface {
	Int63() int64
	Seed(seed int64)
}

type Source64 interface {
	Source
	Uint64() uint64
}

type source struct{ _ int }

func (*source) Int63() int64    { return Int63() }
func (*source) Uint64() uint64  { return word() }
func (*source) Seed(seed int64) {}

func NewSource(seed int64) Source { return &source{} }

type Rand struct{ _ int }

func New(src Source) *Rand {
	if _, ok := src.(*source); !ok {
		foreign()
	}
	return &Rand{}
}

type Zipf struct{ below uint64 }

func NewZipf(r *Rand, s float64, v float64, imax uint64) *Zipf {
	if s <= 1.0 || v < 1 {
		return nil
	}
	return &Zipf{imax + 1}
}

func (z *Zipf) Uint64() uint64 {
	if z == nil {
		panic("rand: nil Zipf")
	}
	if z.below == 0 {
		return word()
	}
	return below(z.below)
}
