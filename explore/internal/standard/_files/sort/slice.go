package sort

import "math/bits"

// The compiler calls the functions below with the slice's length and a function that swaps
// two of its elements.

func Slice(x any, less func(i, j int) bool)
func SliceStable(x any, less func(i, j int) bool)
func SliceIsSorted(x any, less func(i, j int) bool) bool

func slice(n int, swap func(i, j int), less func(i, j int) bool) {
	pdqsort_func(lessSwap{less, swap}, 0, n, bits.Len(uint(n)))
}

func sliceStable(n int, swap func(i, j int), less func(i, j int) bool) {
	stable_func(lessSwap{less, swap}, n)
}

func sliceIsSorted(n int, swap func(i, j int), less func(i, j int) bool) bool {
	for i := n - 1; i > 0; i-- {
		if less(i, i-1) {
			return false
		}
	}
	return true
}
