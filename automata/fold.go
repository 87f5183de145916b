package automata

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// Folding writes locations that differ in a number as one, and cases that differ in a
// register (unfold.go). What is folded is what unfolds to the same lines, which is tried.
const (
	foldedLocations = 8 // that are worth it
	foldedCases     = 4
)

// A folded row stands for itself, or for one for each j.
type folded struct {
	row
	spread bool
	low    int
	high   [2]int // times i, and plus
}

// block is what is written of some locations: one, or those with numbers from low to high.
type block struct {
	rows      []folded
	low, high int
	spread    bool
}

// blocks are the rows of each location, with the call in each of them; rows do not name it again
// where it is that of the row above.
func (a *Automaton) blocks() (all [][]row) {
	taken := a.names()
	for i := range a.Locations {
		l := &a.Locations[i]
		var rows []row
		for j := range l.Transitions {
			t := &l.Transitions[j]
			w := a.writer(l, t.Method, taken)
			r := row{"", w.call(t.Method), w.guard(j), w.answer(t), w.next(t)}
			if j == 0 && !a.plain() {
				r[0] = "   " + a.locationText(i, l.Registers)
				if i == 0 {
					r[0] = "-> " + a.locationText(i, l.Registers)
				}
			}
			rows = append(rows, r)
		}
		if len(l.Transitions) == 0 {
			rows = append(rows, row{a.locationText(i, l.Registers)})
		}
		all = append(all, rows)
	}
	return all
}

// rows are the transitions, folded if they are many.
func (a *Automaton) rows() (rows []row) {
	all := a.blocks()
	add := func(b []row) {
		for i, r := range b {
			if i > 0 && r[2] != "" && r[1] == b[i-1][1] {
				r[1] = ""
			}
			rows = append(rows, r)
		}
	}
	if len(all) < foldedLocations {
		for _, b := range all {
			add(b)
		}
		return rows
	}
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && a.follows(from, to) {
			to++
		}
		for from < to {
			b, n := a.folded(all[from:to], from)
			add(b)
			from += n
		}
	}
	return rows
}

var numberedRE = wording.Regexp(`^(.*?)(\d+)$`)

// numbered are the parts of a location's name: "holds" and 17.
func (a *Automaton) numbered(l int) (string, int, bool) {
	m := numberedRE().FindStringSubmatch(a.Locations[l].Name)
	if m == nil {
		return "", 0, false
	}
	n, err := strconv.Atoi(m[2])
	return m[1], n, err == nil && n <= maxIndex && strconv.Itoa(n) == m[2]
}

// follows reports whether a location may be the one of another with a higher number. The
// one in which the automaton starts stands alone.
func (a *Automaton) follows(from, to int) bool {
	name, n, ok := a.numbered(from)
	other, m, also := a.numbered(to)
	return ok && also && from > 0 && name == other && m-n == to-from
}

// folded writes the first of some locations, and those after it that are alike.
func (a *Automaton) folded(all [][]row, first int) (rows []row, n int) {
	_, low, _ := a.numbered(first)
	if len(all) >= foldedLocations {
		at := len(all)*3/4 - 1 // a location in which most can be told apart
		if b := foldedBlock(all[at], all[at+1], low+at, a.registerNames()); b != nil {
			from, to := at, at
			for from > 0 && b.is(all[from-1], low+from-1) {
				from--
			}
			for to+1 < len(all) && b.is(all[to+1], low+to+1) {
				to++
			}
			if to-from+1 >= foldedLocations && b.is(all[at], low+at) {
				if from > 0 {
					return a.folded(all[:from], first)
				}
				b.low, b.high, b.spread = low, low+to, true
				return b.text(), to + 1
			}
		}
	}
	if b := foldedBlock(all[0], nil, 0, a.registerNames()); b != nil && b.is(all[0], 0) {
		return b.text(), 1
	}
	return all[0], 1
}

// registerNames is the name before the numbers of registers.
func (a *Automaton) registerNames() string {
	for _, l := range a.Locations {
		if len(l.Registers) > 1 {
			if m := numberedRE().FindStringSubmatch(l.Registers[1]); m != nil {
				return m[1]
			}
		}
	}
	return ""
}

// foldedBlock is the location with number i; after is the one with the next number, or nil.
func foldedBlock(rows, after []row, i int, register string) *block {
	here, next := grouped(rows), grouped(after)
	b := &block{}
	if after != nil && len(here) != len(next) {
		return nil
	}
	for k, g := range here {
		var f folded
		m := len(g) / 2
		for c := range f.row {
			x := cell{here: ranged(g[m][c], register)}
			if len(g) >= foldedCases {
				x.j, x.nextJ = m+1, ranged(g[m+1][c], register)
			}
			if after != nil {
				if len(next[k]) <= m {
					return nil
				}
				x.i, x.nextI = i, ranged(next[k][m][c], register)
			}
			ok := false
			if f.row[c], ok = x.template(); !ok {
				return nil
			}
		}
		if f.low, f.high = 1, [2]int{0, 1}; len(g) >= foldedCases {
			f.spread, f.high = true, [2]int{0, len(g)}
			if after != nil {
				times := len(next[k]) - len(g)
				f.high = [2]int{times, len(g) - times*i}
			}
		} else if after != nil && len(next[k]) != len(g) || len(g) > 1 {
			return nil
		}
		if k == 0 {
			f.row[0] = rows0(rows, register, after, i)
		}
		b.rows = append(b.rows, f)
	}
	return b
}

// rows0 is the head of a block.
func rows0(rows []row, register string, after []row, i int) string {
	x := cell{here: ranged(rows[0][0], register)}
	if after != nil {
		x.i, x.nextI = i, ranged(after[0][0], register)
	}
	s, _ := x.template()
	return s
}

// grouped puts rows together that ask whether the same argument equals one register after the other.
func grouped(rows []row) (all [][]row) {
	asked := func(r row) string {
		if m := equalRE().FindStringSubmatch(r[2]); m != nil {
			return r[1] + " " + m[1]
		}
		return ""
	}
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && asked(rows[from]) != "" && asked(rows[from]) == asked(rows[to]) {
			to++
		}
		if to-from >= foldedCases {
			all = append(all, rows[from:to])
		} else {
			for _, r := range rows[from:to] {
				all = append(all, []row{r})
			}
		}
		from = to
	}
	return all
}

var equalRE = wording.Regexp(`^if ([\pL_]+) = [\pL_]+\d+$`)

// ranged writes registers in a row as a range.
func ranged(s, register string) string {
	if register == "" {
		return s
	}
	parts := strings.Split(s, ", ")
	number := func(part string) (int, bool) {
		_, part, _ = strings.Cut(" "+part, " "+register)
		n, err := strconv.Atoi(strings.TrimSuffix(part, ")"))
		return n, err == nil
	}
	var out []string
	for from := 0; from < len(parts); {
		first := parts[from]
		if i := strings.LastIndex(first, " "+register); i >= 0 && from == 0 {
			first = first[i+1:]
		}
		n, ok := number(first)
		to := from + 1
		for ok && to < len(parts) {
			if m, also := number(parts[to]); !also || m != n+to-from {
				break
			}
			to++
		}
		if part := parts[from]; to-from > 1 {
			out = append(out, part+".."+parts[to-1])
		} else {
			out = append(out, part)
		}
		from = to
	}
	return strings.Join(out, ", ")
}

// cell is a text with numbers, and what it is where i is one more, and where j is.
type cell struct {
	here, nextI, nextJ string
	i, j               int
}

var digitsRE = wording.Regexp(`\d+`)

// template has i and j in the places of numbers; false: they are not in one place.
func (c *cell) template() (string, bool) {
	parts := digitsRE().Split(c.here, -1)
	numbers := digitsRE().FindAllString(c.here, -1)
	steps := func(other string) []int {
		if other == "" {
			return make([]int, len(numbers))
		}
		if !slices.Equal(parts, digitsRE().Split(other, -1)) {
			return nil
		}
		var all []int
		for k, n := range digitsRE().FindAllString(other, -1) {
			x, _ := strconv.Atoi(numbers[k])
			y, _ := strconv.Atoi(n)
			all = append(all, y-x)
		}
		return all
	}
	inI, inJ := steps(c.nextI), steps(c.nextJ)
	if len(numbers) > 0 && (inI == nil || inJ == nil) {
		return "", false
	}
	var b strings.Builder
	for k, n := range numbers {
		x, _ := strconv.Atoi(n)
		text := n
		switch {
		case inI[k] == 1 && inJ[k] == -1:
			text = strings.TrimSuffix(placeholder("i", 1, x-c.i+c.j), "]") + "-j]"
		case inI[k] != 0 && inJ[k] != 0:
			return "", false
		case inI[k] != 0:
			text = placeholder("i", inI[k], x-inI[k]*c.i)
		case inJ[k] != 0:
			text = placeholder("j", inJ[k], x-inJ[k]*c.j)
		}
		b.WriteString(parts[k] + text)
	}
	return b.String() + parts[len(parts)-1], true
}

// placeholder is times a letter, plus a number.
func placeholder(letter string, times, plus int) string {
	return "[" + ending(letter, times, plus) + "]"
}

func ending(letter string, times, plus int) string {
	if times == -1 {
		return strconv.Itoa(plus) + "-" + letter
	}
	if times == 0 {
		return strconv.Itoa(plus)
	}
	s := letter
	if times != 1 {
		s = strconv.Itoa(times) + "*" + letter
	}
	switch {
	case plus > 0:
		s += "+" + strconv.Itoa(plus)
	case plus < 0:
		s += strconv.Itoa(plus)
	}
	return s
}

// is reports whether a block unfolds to the rows of the location with number i.
func (b *block) is(rows []row, i int) bool {
	n := 0
	for _, f := range b.rows {
		high := f.high[0]*i + f.high[1]
		for j := f.low; j <= high; j++ {
			if n == len(rows) {
				return false
			}
			for c := range f.row {
				text := f.row[c]
				if c == 0 && j > f.low {
					text = ""
				}
				p := &parser{}
				text = p.listed(line{text: indexed(indexed(text, "i", i), "j", j)})
				if p.err != nil || text != rows[n][c] {
					return false
				}
			}
			n++
		}
	}
	return n == len(rows)
}

// text is a block as rows of the drawing.
func (b *block) text() (rows []row) {
	for k, f := range b.rows {
		if f.spread {
			f.row[2] += " for j = " + strconv.Itoa(f.low) + ".." + ending("i", f.high[0], f.high[1])
		}
		if k == 0 && b.spread {
			f.row[0] = strings.TrimSuffix(f.row[0], ")") + " for i = " + strconv.Itoa(b.low) + ".." + strconv.Itoa(b.high) + ")"
		}
		rows = append(rows, f.row)
	}
	return rows
}
