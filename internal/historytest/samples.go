package historytest

import (
	"os"
	"testing"
)

// Samples is how many random inputs a test looks at: n, a fifth of them under
// -short, and ten times as many with ADTINFER_NIGHTLY set.
func Samples(n uint64) uint64 {
	switch {
	case Nightly():
		return 10 * n
	case testing.Short():
		return n / 5
	}
	return n
}

// Nightly tells whether tests may take hours: whether ADTINFER_NIGHTLY is set.
func Nightly() bool { return os.Getenv("ADTINFER_NIGHTLY") != "" }
