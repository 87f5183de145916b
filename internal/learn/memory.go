package learn

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// row is an entry of a node with the values it was asked with.
type row struct {
	shape int
	of    []history.Value
	entry entry
}

// digest finds out what a node remembers, and its canonical row.
func (t *table) digest(n *node) {
	var all []row
	for i := range t.shapes {
		t.assign(n, i, func(of []history.Value) {
			all = append(all, row{i, slices.Clone(of), n.rows[rowKey(i, of)]})
		})
	}
	remembered, compared := map[history.Value]bool{}, map[history.Value]bool{}
	for _, r := range all {
		for _, x := range r.entry {
			if x.atom {
				remembered[history.Value(x.text)] = true
			}
		}
		for c, v := range r.of {
			if v == isNew || compared[v] {
				continue
			}
			of := slices.Clone(r.of)
			of[c] = isNew
			if !alike(r.entry, n.rows[rowKey(r.shape, of)], v, fmt.Sprint("#", c)) {
				remembered[v], compared[v] = true, true
			}
		}
	}
	all = slices.DeleteFunc(all, func(r row) bool {
		return slices.ContainsFunc(r.of, func(v history.Value) bool { return v != isNew && !compared[v] })
	})
	var memory []history.Value
	for v := range remembered {
		memory = append(memory, v)
	}
	slices.Sort(memory)
	n.memory, n.text = canonical(memory, all)
}

// alike reports whether a value makes no difference: what is answered with it is
// what is answered with a fresh value in its place.
func alike(with, fresh entry, v history.Value, class string) bool {
	return slices.EqualFunc(with, fresh, func(a, b token) bool {
		return a == b || b.atom && b.text == string(v) && !a.atom && a.text == class
	})
}

// canonical orders values, and writes rows so that they are the same text if and
// only if they are the same but for the names of values: the least text over all
// orders of those that look alike.
func canonical(values []history.Value, rows []row) ([]history.Value, string) {
	colors := map[history.Value]uint64{}
	for _, v := range values {
		colors[v] = 1
	}
	return individualize(values, rows, colors)
}

func individualize(values []history.Value, rows []row, colors map[history.Value]uint64) (best []history.Value, text string) {
	colors = refineColors(values, rows, colors)
	order := slices.Clone(values)
	slices.SortStableFunc(order, func(a, b history.Value) int { return cmp.Compare(colors[a], colors[b]) })
	tie := 0
	for tie+1 < len(order) && colors[order[tie]] != colors[order[tie+1]] {
		tie++
	}
	if tie+1 >= len(order) {
		return order, write(order, rows)
	}
	end := tie + 1
	for end < len(order) && colors[order[end]] == colors[order[tie]] {
		end++
	}
	base := write(order, rows)
	for i := tie; i < end; i++ {
		if i > tie { // what may change places with the first need not be tried
			swapped := slices.Clone(order)
			swapped[tie], swapped[i] = swapped[i], swapped[tie]
			if write(swapped, rows) == base {
				continue
			}
		}
		next := map[history.Value]uint64{}
		for v, c := range colors {
			next[v] = c
		}
		next[order[i]] = mix(colors[order[i]], 1)
		if o, s := individualize(values, rows, next); best == nil || s < text {
			best, text = o, s
		}
	}
	return best, text
}

// refineColors tells values apart by where they are in rows, and beside which.
func refineColors(values []history.Value, rows []row, colors map[history.Value]uint64) map[history.Value]uint64 {
	distinct := 0
	for {
		next := map[history.Value]uint64{}
		for v, c := range colors {
			next[v] = mix(c, 0)
		}
		for _, r := range rows {
			h := fnv.New64a()
			fmt.Fprint(h, r.shape)
			for _, v := range r.of {
				fmt.Fprint(h, " ", colors[v])
			}
			for _, x := range r.entry {
				if x.atom {
					fmt.Fprint(h, "@", colors[history.Value(x.text)])
				} else {
					fmt.Fprint(h, " ", x.text)
				}
			}
			sum := h.Sum64()
			for i, v := range r.of {
				if v != isNew {
					next[v] += mix(sum, uint64(i))
				}
			}
			for i, x := range r.entry {
				if x.atom {
					next[history.Value(x.text)] += mix(sum, uint64(1000+i))
				}
			}
		}
		colors = next
		seen := map[uint64]bool{}
		for _, c := range colors {
			seen[c] = true
		}
		if len(seen) <= distinct || len(seen) == len(values) {
			return colors
		}
		distinct = len(seen)
	}
}

// mix spreads the bits of two numbers.
func mix(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 + b*0xbf58476d1ce4e5b9 + 0x94d049bb133111eb
	x ^= x >> 31
	x *= 0xd6e8feb86659fd93
	return x ^ x>>29
}

// write is the text of rows with values named by their places in an order.
func write(order []history.Value, rows []row) string {
	name := map[history.Value]string{}
	for i, v := range order {
		name[v] = fmt.Sprint("@", i)
	}
	lines := make([]string, len(rows))
	for i, r := range rows {
		var b strings.Builder
		fmt.Fprint(&b, r.shape)
		for _, v := range r.of {
			b.WriteString(" " + cmp.Or(name[v], "new"))
		}
		b.WriteString(":")
		for _, x := range r.entry {
			b.WriteByte(' ')
			if x.atom {
				b.WriteString(name[history.Value(x.text)])
			} else {
				b.WriteString(x.text)
			}
		}
		lines[i] = b.String()
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
