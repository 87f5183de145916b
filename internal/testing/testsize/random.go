package testsize

import (
	"flag"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Check tests a property on n times a hundred random cases, and shrinks one that fails.
// The cases are the same in every run, so that what passed once passes again; under
// ADTINFER_NIGHTLY, or where -rapid.seed says so, they are others.
func Check(t *testing.T, n int, property func(*rapid.T)) {
	t.Helper()
	seed := flag.Lookup("rapid.seed")
	given := seed.Value.String()
	if given != "0" || Nightly() {
		for range n {
			rapid.Check(t, property)
		}
		return
	}
	defer func() { _ = flag.Set(seed.Name, given) }()
	for i := range n {
		_ = flag.Set(seed.Name, strconv.Itoa(1+i<<16)) // rapid goes on from it case by case
		rapid.Check(t, property)
	}
}
