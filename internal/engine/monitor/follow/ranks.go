package follow

import "sort"

// ranks counts numbers that come in order, and go: how many are left up to one. Each
// operation takes time proportional to the logarithm of how many there are. It is a
// Fenwick tree.
type ranks struct {
	numbers []int64
	left    []bool
	sums    []int32 // sums[i] is how many are left of as many as i+1 has as its lowest bit, up to i
	n       int
}

// add adds a number, the largest so far.
func (r *ranks) add(number int64) {
	i := len(r.numbers) + 1
	sum := int32(1)
	for j := i - 1; j > i-i&-i; j -= j & -j {
		sum += r.sums[j-1]
	}
	r.numbers, r.left, r.sums = append(r.numbers, number), append(r.left, true), append(r.sums, sum)
	r.n++
}

// remove removes a number that was added.
func (r *ranks) remove(number int64) {
	i := r.index(number - 1)
	r.left[i] = false
	for j := i + 1; j <= len(r.sums); j += j & -j {
		r.sums[j-1]--
	}
	if r.n--; len(r.numbers) > 2*r.n+64 {
		r.compact()
	}
}

// upTo is how many are left that are at most a number.
func (r *ranks) upTo(number int64) int {
	n := int32(0)
	for j := r.index(number); j > 0; j -= j & -j {
		n += r.sums[j-1]
	}
	return int(n)
}

// index is how many came that are at most a number.
func (r *ranks) index(number int64) int {
	return sort.Search(len(r.numbers), func(i int) bool { return r.numbers[i] > number })
}

// compact forgets what is gone.
func (r *ranks) compact() {
	all, left := r.numbers, r.left
	r.numbers, r.left, r.sums, r.n = r.numbers[:0], r.left[:0], r.sums[:0], 0
	for i, number := range all {
		if left[i] {
			r.add(number)
		}
	}
}
