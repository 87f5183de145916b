package words

import "slices"

// mostPairs is the length of lists of which two items at a time are left out, such
// as a value that comes and goes.
const mostPairs = 64

// Shorten leaves items out of a list as long as the rest still fails, many at a
// time first, in the end one and two.
func Shorten[T any](list []T, fails func([]T) (bool, error)) ([]T, error) {
	for size := len(list); size > 0; {
		smaller := false
		for at := 0; at+size <= len(list); {
			less := slices.Delete(slices.Clone(list), at, at+size)
			ok, err := fails(less)
			if err != nil {
				return nil, err
			}
			if ok {
				list, smaller = less, true
			} else {
				at += size
			}
		}
		if size == 1 && !smaller {
			less, err := withoutTwo(list, fails)
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
func withoutTwo[T any](list []T, fails func([]T) (bool, error)) ([]T, error) {
	if len(list) > mostPairs {
		return list, nil
	}
	for j := range list {
		for i := range j {
			less := slices.Concat(list[:i], list[i+1:j], list[j+1:])
			if ok, err := fails(less); ok || err != nil {
				return less, err
			}
		}
	}
	return list, nil
}
