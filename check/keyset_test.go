package check

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestKeySet compares with a map.
func TestKeySet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s keySet
	seen := map[string]bool{}
	for range 20_000 {
		key := strconv.FormatInt(r.Int64N(3000), 10)
		switch r.IntN(5) {
		case 0:
			key = "v" + key
		case 1:
			key = "0" + key // no numeral of another number
		case 2:
			key += "00000000000000000"
		case 3:
			key = "-" + key
		}
		if s.has(key) != seen[key] || s.add(key) == seen[key] || !s.has(key) {
			t.Fatalf("%q: was in: %v", key, seen[key])
		}
		seen[key] = true
	}
	if len(seen) < 5000 || s.has("") || !s.add("") || s.add("") {
		t.Errorf("%d keys", len(seen))
	}
}
