package sort

import "math/bits"

// swapper is of a slice its length and a function that swaps two of its elements.
func swapper(x any) (n int, swap func(i, j int)) {
	switch s := x.(type) {
	case []int:
		return swaps(s)
	case []int8:
		return swaps(s)
	case []int16:
		return swaps(s)
	case []int32:
		return swaps(s)
	case []int64:
		return swaps(s)
	case []uint:
		return swaps(s)
	case []uint8:
		return swaps(s)
	case []uint16:
		return swaps(s)
	case []uint32:
		return swaps(s)
	case []uint64:
		return swaps(s)
	case []uintptr:
		return swaps(s)
	case []float32:
		return swaps(s)
	case []float64:
		return swaps(s)
	case []bool:
		return swaps(s)
	case []string:
		return swaps(s)
	case []any:
		return swaps(s)
	case []error:
		return swaps(s)
	}
	unknown()
	return 0, nil
}

func unknown()

func swaps[T any](s []T) (n int, swap func(i, j int)) {
	return len(s), func(i, j int) { s[i], s[j] = s[j], s[i] }
}

func Slice(x any, less func(i, j int) bool) {
	n, swap := swapper(x)
	pdqsort_func(lessSwap{less, swap}, 0, n, bits.Len(uint(n)))
}

func SliceStable(x any, less func(i, j int) bool) {
	n, swap := swapper(x)
	stable_func(lessSwap{less, swap}, n)
}

func SliceIsSorted(x any, less func(i, j int) bool) bool {
	n, _ := swapper(x)
	for i := n - 1; i > 0; i-- {
		if less(i, i-1) {
			return false
		}
	}
	return true
}
