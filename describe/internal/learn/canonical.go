package learn

import (
	"cmp"
	"hash/fnv"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// canonical orders values so that rows which are the same but for the names of
// values are written alike: an order for which their hash is least, among those
// that sort values by where they are in rows, and beside which. Where many values
// look alike, most of them can change places, and few orders have to be tried
// ("Practical graph isomorphism", McKay and Piperno).
func canonical(values []history.Value, rows []row) []history.Value {
	c := &canon{leaves: mostLeaves}
	at := map[history.Value]int{}
	for i, v := range values {
		at[v] = i
	}
	for _, r := range rows {
		x := hashed{head: mix(uint64(r.shape), uint64(len(r.of)))}
		for _, v := range r.of {
			if v == isNew {
				x.parts = append(x.parts, part{-1, 1})
			} else {
				x.parts = append(x.parts, part{at[v], 0})
			}
		}
		for _, t := range r.entry {
			if t.atom {
				x.parts = append(x.parts, part{at[history.Value(t.text)], 0})
			} else {
				h := fnv.New64a()
				h.Write([]byte(t.text))
				x.parts = append(x.parts, part{-1, h.Sum64()})
			}
		}
		c.rows = append(c.rows, x)
	}
	order, _ := c.best(make([]uint64, len(values)))
	out := make([]history.Value, len(order))
	for i, v := range order {
		out[i] = values[v]
	}
	return out
}

// mostLeaves is how many orders are compared; there were never more than one that
// is not as good as another but in rows made up to need more.
const mostLeaves = 500

// canon is a search for the best order of values, which are small numbers.
type canon struct {
	rows   []hashed
	leaves int // that may still be looked at
}

// hashed is a row with values and texts in the order in which it has them.
type hashed struct {
	head  uint64
	parts []part
}

// part is a value, or if that is negative a text's hash.
type part struct {
	value int
	text  uint64
}

// best is the best order that refines colors, with its hash.
func (c *canon) best(colors []uint64) (best []int, least uint64) {
	colors = c.refine(colors)
	order, tie := tied(colors)
	if tie == nil {
		c.leaves--
		return order, c.hash(order)
	}
	var first uint64
	for i, v := range tie {
		next := slices.Clone(colors)
		next[v] = mix(next[v], 1)
		left := c.left(next)
		if i == 0 {
			first = left
		} else if left == first || c.leaves <= 0 {
			continue // it can change places with the first, or we give up
		}
		if o, h := c.best(next); best == nil || h < least {
			best, least = o, h
		}
	}
	return best, least
}

// left is the hash of an order that refines colors.
func (c *canon) left(colors []uint64) uint64 {
	for {
		colors = c.refine(colors)
		order, tie := tied(colors)
		if tie == nil {
			return c.hash(order)
		}
		colors[tie[0]] = mix(colors[tie[0]], 1)
	}
}

// tied orders values by color, and lists those that have the first color which is
// not of one alone.
func tied(colors []uint64) (order, tie []int) {
	order = indices(len(colors))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(colors[a], colors[b]) })
	for i := 1; i < len(order); i++ {
		if c := colors[order[i]]; c == colors[order[i-1]] {
			for _, v := range order {
				if colors[v] == c {
					tie = append(tie, v)
				}
			}
			break
		}
	}
	return order, tie
}

// refine tells values apart by where they are in rows, and beside which.
func (c *canon) refine(colors []uint64) []uint64 {
	distinct := 0
	for {
		next := make([]uint64, len(colors))
		for v, old := range colors {
			next[v] = mix(old, 0)
		}
		for i := range c.rows {
			r := &c.rows[i]
			sum := r.sum(colors)
			for k, p := range r.parts {
				if p.value >= 0 {
					next[p.value] += mix(sum, uint64(k))
				}
			}
		}
		colors = next
		sorted := slices.Clone(colors)
		slices.Sort(sorted)
		n := len(slices.Compact(sorted))
		if n <= distinct || n == len(colors) {
			return colors
		}
		distinct = n
	}
}

// sum is a row's hash with colors for values.
func (r *hashed) sum(colors []uint64) uint64 {
	h := r.head
	for _, p := range r.parts {
		if p.value >= 0 {
			h = mix(h, colors[p.value])
		} else {
			h = mix(h, ^p.text)
		}
	}
	return h
}

// hash is of all rows, with values named by their places in an order.
func (c *canon) hash(order []int) (sum uint64) {
	colors := make([]uint64, len(order))
	for i, v := range order {
		colors[v] = uint64(i)
	}
	for i := range c.rows {
		sum += mix(c.rows[i].sum(colors), 0)
	}
	return sum
}

// mix spreads the bits of two numbers.
func mix(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 + b*0xbf58476d1ce4e5b9 + 0x94d049bb133111eb
	x ^= x >> 31
	x *= 0xd6e8feb86659fd93
	return x ^ x>>29
}
