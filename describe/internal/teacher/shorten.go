package teacher

import "slices"

// mostPairs is the length of lists of which two items at a time are left out, such
// as a value that comes and goes.
const mostPairs = 64

// mostLists is how many lists are tried together.
const mostLists = 64

// Shorten leaves items out of a list as long as the rest still fails, many at a
// time first, in the end one and two.
func Shorten[T any](list []T, fails func([]T) (bool, error)) ([]T, error) {
	return ShortenBy(list, func(lists [][]T) (int, error) {
		for i, l := range lists {
			if ok, err := fails(l); ok || err != nil {
				return i, err
			}
		}
		return -1, nil
	})
}

// ShortenBy is Shorten where several lists are tried together: first is the number of
// the first that fails, or -1.
func ShortenBy[T any](list []T, first func([][]T) (int, error)) ([]T, error) {
	for size := len(list); size > 0; {
		smaller := false
		for at := 0; at+size <= len(list); {
			less := slices.Delete(slices.Clone(list), at, at+size)
			n, err := first([][]T{less})
			if err != nil {
				return nil, err
			}
			if n == 0 {
				list, smaller = less, true
			} else {
				at += size
			}
		}
		if size == 1 && !smaller {
			less, err := withoutTwo(list, first)
			if err != nil {
				return nil, err
			}
			smaller, list = len(less) < len(list), less
		}
		if !smaller || size > 1 {
			size /= 2
		}
	}
	return list, nil
}

// withoutTwo is a short list without the first two of its items that can be left
// out; the list itself if there are none.
func withoutTwo[T any](list []T, first func([][]T) (int, error)) ([]T, error) {
	if len(list) > mostPairs {
		return list, nil
	}
	var all [][]T
	for j := range list {
		for i := range j {
			all = append(all, slices.Concat(list[:i], list[i+1:j], list[j+1:]))
		}
	}
	for some := range slices.Chunk(all, mostLists) {
		if n, err := first(some); err != nil || n >= 0 {
			return some[max(n, 0)], err
		}
	}
	return list, nil
}
