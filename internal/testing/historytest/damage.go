package historytest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Damage is a copy of a file that something happened to, and what: it was cut
// off, or bits, bytes or stretches of it were changed, lost, repeated or
// exchanged, one to three times. The copy differs from the file.
func Damage(r *rand.Rand, file []byte) (bad []byte, how string) {
	for bad = file; bytes.Equal(bad, file); {
		bad, how = bytes.Clone(file), ""
		for range 1 + r.IntN(3) {
			if len(bad) == 0 {
				break
			}
			var what string
			bad, what = damage(r, bad)
			how += what + "; "
		}
	}
	return bad, how
}

// damage does one thing to b, which is not empty, and uses its room again.
func damage(r *rand.Rand, b []byte) ([]byte, string) {
	from := r.IntN(len(b))
	to := min(len(b), from+1+r.IntN(1+r.IntN(len(b))))
	switch part := b[from:to]; r.IntN(8) {
	case 0:
		return b[:from], fmt.Sprintf("cut at %d", from)
	case 1:
		clear(part)
		return b, fmt.Sprintf("%d-%d are zeros", from, to)
	case 2:
		return slices.Delete(b, from, to), fmt.Sprintf("%d-%d are lost", from, to)
	case 3:
		return slices.Insert(b, r.IntN(len(b)+1), bytes.Clone(part)...), fmt.Sprintf("%d-%d are there twice", from, to)
	case 4:
		at := r.IntN(len(b))
		for i := range part {
			j := (at + i) % len(b)
			b[from+i], b[j] = b[j], b[from+i]
		}
		return b, fmt.Sprintf("%d-%d are exchanged with what is at %d", from, to, at)
	case 5:
		b[from] = byte(r.Uint32())
		return b, fmt.Sprintf("byte %d is another", from)
	}
	bit := r.IntN(8)
	b[from] ^= 1 << bit
	return b, fmt.Sprintf("bit %d of byte %d is flipped", bit, from)
}
