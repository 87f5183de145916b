// Package rand is what math/rand/v2 is to the explorer: any number.
package rand

// below is any of 0 .. n-1, word any word.
func below(n uint64) uint64
func word() uint64

// foreign is called for a source that is not ours.
func foreign()

type Source interface{ Uint64() uint64 }

type PCG struct{ _ int }

func NewPCG(seed1, seed2 uint64) *PCG { return &PCG{} }

func (p *PCG) Uint64() uint64                        { return word() }
func (p *PCG) Seed(seed1, seed2 uint64)              {}
func (p *PCG) AppendBinary(b []byte) ([]byte, error) { return append(b, "pcg:"...), nil }
func (p *PCG) MarshalBinary() ([]byte, error)        { return []byte("pcg:"), nil }
func (p *PCG) UnmarshalBinary(data []byte) error     { return nil }

type ChaCha8 struct{ _ int }

func NewChaCha8(seed [32]byte) *ChaCha8 { return &ChaCha8{} }

func (c *ChaCha8) Uint64() uint64                        { return word() }
func (c *ChaCha8) Seed(seed [32]byte)                    {}
func (c *ChaCha8) AppendBinary(b []byte) ([]byte, error) { return append(b, "chacha8:"...), nil }
func (c *ChaCha8) MarshalBinary() ([]byte, error)        { return []byte("chacha8:"), nil }
func (c *ChaCha8) UnmarshalBinary(data []byte) error     { return nil }

func (c *ChaCha8) Read(p []byte) (n int, err error) {
	for i := range p {
		p[i] = byte(below(256))
	}
	return len(p), nil
}

type Rand struct{ _ int }

func New(src Source) *Rand {
	switch src.(type) {
	case *PCG, *ChaCha8:
	default:
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
