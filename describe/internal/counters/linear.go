package counters

import (
	"math/bits"
	"slices"
)

// form is a sum of terms, each so many times, and a constant. It wraps around as Go's
// integers do.
type form struct {
	terms    []multiple
	constant int64
}

type multiple struct {
	term
	times int64
}

// cost prefers few terms, and small numbers.
func (f *form) cost() int {
	n := 4 * len(f.terms)
	for _, x := range f.terms {
		if x.times != 1 && x.times != -1 {
			n++
		}
		if x.equals != nil {
			n += x.equals.cost()
		}
		if x.reset.Method != "" {
			n += 5
		}
	}
	if f.constant != 0 {
		n++
	}
	return n
}

// prime is 2^61-1: sums are solved for modulo it, and then tried.
const prime = 1<<61 - 1

func mulmod(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return reduce((hi<<3 | lo>>61) + lo&prime)
}

func reduce(r uint64) uint64 {
	r = r>>61 + r&prime
	if r >= prime {
		r -= prime
	}
	return r
}

func residue(n int64) uint64 {
	if n < 0 {
		return (prime - reduce(uint64(-n))) % prime
	}
	return reduce(uint64(n))
}

// inverse is 1/a, by Fermat.
func inverse(a uint64) uint64 {
	r := uint64(1)
	for e := uint64(prime - 2); e > 0; e >>= 1 {
		if e&1 == 1 {
			r = mulmod(r, a)
		}
		a = mulmod(a, a)
	}
	return r
}

// largest is the largest number of times that a term may be in a form.
const largest = 1 << 40

// echelon has rows of equations modulo prime, by pivot; nil: no row has it.
type echelon [][]uint64

// add adds an equation. It grew if the equation does not follow from the others; not
// ok: it contradicts them.
func (e echelon) add(row []uint64) (grew, ok bool) {
	n := len(e)
	for j := range n {
		if row[j] == 0 {
			continue
		}
		if b := e[j]; b != nil {
			for k, m := n, prime-row[j]; k >= j; k-- {
				row[k] = reduce(row[k] + mulmod(m, b[k]))
			}
			continue
		}
		b, inv := make([]uint64, n+1), inverse(row[j])
		for k := j; k <= n; k++ {
			b[k] = mulmod(row[k], inv)
		}
		e[j] = b
		return true, true
	}
	return false, row[n] == 0
}

// solve finds numbers c with columns * c + c[len(columns)] = y in all rows; columns
// that come first are preferred. It looks at a few rows, solves, and looks at those
// that contradict.
func solve(columns [][]int64, y []int64) (c []int64, ok bool) {
	n := len(columns) + 1
	e, row := make(echelon, n), make([]uint64, n+1)
	add := func(i int) (grew, ok bool) {
		for j := range columns {
			row[j] = residue(columns[j][i])
		}
		row[n-1], row[n] = 1, residue(y[i])
		return e.add(row)
	}
	for i := 0; i < len(y) && i < 2*n; i++ {
		if _, ok := add(i * max(len(y)/(2*n), 1)); !ok {
			return nil, false
		}
	}
	for next := 0; ; {
		i := next
		if c, ok = e.back(); ok {
			if i = contradiction(columns, y, c); i < 0 {
				return c, true
			}
		} else if next++; i == len(y) {
			return nil, false // there are only fractions, or very large numbers
		}
		if grew, consistent := add(i); !consistent || ok && !grew {
			return nil, false // there is no solution, or numbers wrap around
		}
	}
}

// back solves the equations; what is free is 0. Not ok: some numbers are no small
// integers.
func (e echelon) back() (c []int64, ok bool) {
	n := len(e)
	x := make([]uint64, n)
	c = make([]int64, n)
	for j := n - 1; j >= 0; j-- {
		b := e[j]
		if b == nil {
			continue
		}
		x[j] = b[n]
		for k := j + 1; k < n; k++ {
			x[j] = reduce(x[j] + mulmod(prime-b[k], x[k]))
		}
		switch {
		case x[j] <= largest:
			c[j] = int64(x[j])
		case prime-x[j] <= largest:
			c[j] = -int64(prime - x[j])
		default:
			return nil, false
		}
	}
	return c, true
}

// contradiction is the first row that is not so; -1: none.
func contradiction(columns [][]int64, y, c []int64) int {
	for i := range y {
		sum := c[len(columns)]
		for j, col := range columns {
			sum += c[j] * col[i]
		}
		if sum != y[i] {
			return i
		}
	}
	return -1
}

// explain finds the form of some terms that gives y, one value for each of some rows
// of the columns.
func (t *table) explain(method int, xs []term, rows []int, y []int64) (form, bool) {
	columns := make([][]int64, len(xs))
	for i, x := range xs {
		for all, r := t.column(method, x), 0; r < len(rows); r++ {
			columns[i] = append(columns[i], all[rows[r]])
		}
	}
	c, ok := solve(columns, y)
	if !ok {
		return form{}, false
	}
	for i := len(xs) - 1; i >= 0; i-- { // leave out what can be left out
		less := slices.Delete(slices.Clone(columns), i, i+1)
		if c[i] == 0 {
			c = slices.Delete(c, i, i+1)
		} else if d, ok := solve(less, y); ok {
			c = d
		} else {
			continue
		}
		xs, columns = slices.Delete(slices.Clone(xs), i, i+1), less
	}
	f := form{constant: c[len(xs)]}
	for i, x := range xs {
		f.terms = append(f.terms, multiple{x, c[i]})
	}
	return f, true
}
