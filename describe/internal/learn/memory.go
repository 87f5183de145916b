package learn

import (
	"fmt"
	"slices"
	"strconv"
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
	order := canonical(memory, all)
	n.memory, n.text = order, write(order, all)
}

// alike reports whether a value makes no difference: what is answered with it is
// what is answered with a fresh value in its place.
func alike(with, fresh entry, v history.Value, class string) bool {
	return slices.EqualFunc(with, fresh, func(a, b token) bool {
		return a == b || b.atom && b.text == string(v) && !a.atom && a.text == class
	})
}

// write is the text of rows with values named by their places in an order.
func write(order []history.Value, rows []row) string {
	name := map[history.Value]string{isNew: "new"}
	for i, v := range order {
		name[v] = "@" + strconv.Itoa(i)
	}
	lines := make([]string, len(rows))
	for i, r := range rows {
		b := strconv.AppendInt(nil, int64(r.shape), 10)
		for _, v := range r.of {
			b = append(append(b, ' '), name[v]...)
		}
		b = append(b, ':')
		for _, x := range r.entry {
			b = append(b, ' ')
			if x.atom {
				b = append(b, name[history.Value(x.text)]...)
			} else {
				b = append(b, x.text...)
			}
		}
		lines[i] = string(b)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
