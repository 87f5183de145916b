package monitor

import "math/bits"

// digit is how many bits are sorted by at a time.
const digit = 11

// descending sorts values by their keys, the largest first: O(n) for keys that
// lie close together, and six times that for any.
func descending(keys []int64) []int32 {
	order, other := make([]int32, len(keys)), make([]int32, len(keys))
	var low, high int64
	for v, k := range keys {
		order[v] = int32(v)
		if v == 0 || k < low {
			low = k
		}
		if v == 0 || k > high {
			high = k
		}
	}
	width := bits.Len64(uint64(high) - uint64(low)) // no overflow: as unsigned numbers
	for shift := 0; shift < width; shift += digit {
		var place [1 << digit]int32
		part := func(v int32) uint64 { return (uint64(high) - uint64(keys[v])) >> shift & (1<<digit - 1) }
		for _, v := range order {
			place[part(v)]++
		}
		sum := int32(0)
		for d, n := range place {
			place[d] = sum
			sum += n
		}
		for _, v := range order {
			d := part(v)
			other[place[d]] = v
			place[d]++
		}
		order, other = other, order
	}
	return order
}
