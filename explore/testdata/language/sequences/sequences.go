// Package sequences works on arrays, slices, maps.
package sequences

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
)

// Store holds some of each.
type Store struct {
	list  []int
	alias []int
	grid  [3][4]uint8
	pairs []pair
	m     map[string][]int
	set   map[pair]struct{}
	deep  map[int]map[bool]string
	ptrs  []*int
	any   map[any]int
}

type pair struct {
	a int
	b string
}

// New makes a Store.
func New() *Store {
	return &Store{m: map[string][]int{"one": {1}}, set: map[pair]struct{}{}, deep: map[int]map[bool]string{}, any: map[any]int{}}
}

// Append appends, which others see that share the memory, or not.
func (s *Store) Append(a, b int) string {
	s.alias = s.list
	s.list = append(s.list, a, b)
	if len(s.alias) > 2 {
		s.alias[len(s.alias)/2] = a * 10
	}
	s.list = append(s.list, s.alias...)
	if len(s.list) > 12 {
		s.list = s.list[5:9:10]
	}
	return show(s.list, s.alias, len(s.list), cap(s.alias) >= len(s.alias))
}

// Copy copies within a slice.
func (s *Store) Copy(a, b int) string {
	l := make([]int, 6, 8)
	for i := range l {
		l[i] = i * i
	}
	n := copy(l[a%6:], l[b%6:])
	k := copy(l, l[2:])
	clear(l[5:])
	l2 := l[:7]
	return show(n, k, l, l2, l2[1:3:5], cap(l2[1:3:5]))
}

// Cut cuts, within bounds or not.
func (s *Store) Cut(a, b int) (text string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	l := []string{"a", "b", "c", "d"}
	return strings.Join(l[a%6:b%5], "") + l[a%5], nil
}

// Grid writes into an array of arrays.
func (s *Store) Grid(a, b int) string {
	g := s.grid
	s.grid[a%3][b%4] += uint8(a*7 + b)
	row := &s.grid[b%3]
	row[a%4]--
	for i, r := range g {
		for j := range r {
			g[i][j] = r[j] + s.grid[i][j]
		}
	}
	return show(s.grid, g, g == s.grid, len(g), *row)
}

// Pairs has structs in slices and maps.
func (s *Store) Pairs(a, b int) string {
	p := pair{a, strings.Repeat("x", b%3)}
	s.pairs = append(s.pairs, p)
	for i := range s.pairs {
		s.pairs[i].a++
	}
	for _, q := range s.pairs {
		q.a = 100
	}
	s.set[p] = struct{}{}
	q := &s.pairs[len(s.pairs)/2]
	q.b += "!"
	_, ok := s.set[pair{a + 1, ""}]
	if len(s.pairs) > 4 {
		s.pairs = slices.Delete(s.pairs, 1, 3)
	}
	return show(s.pairs, len(s.set), ok, p == s.pairs[0], *q)
}

// Map writes, reads and deletes.
func (s *Store) Map(a, b int) string {
	k := []string{"one", "two", "three"}[a%3]
	s.m[k] = append(s.m[k], b)
	if b%4 == 0 {
		delete(s.m, "one")
	}
	keys := slices.Sorted(maps.Keys(s.m))
	sum := 0
	for _, l := range s.m {
		for _, v := range l {
			sum += v
		}
	}
	v, ok := s.m["none"]
	if len(s.m["two"]) > 3 {
		clear(s.m)
	}
	return show(keys, sum, v == nil, ok, len(s.m), s.m)
}

// Deep has maps in maps.
func (s *Store) Deep(a, b int) string {
	in := s.deep[a]
	if in == nil {
		in = make(map[bool]string, 2)
		s.deep[a] = in
	}
	in[b%2 == 0] += fmt.Sprint(b)
	var none map[int]bool
	delete(none, 1)
	return show(len(s.deep), s.deep[a][true], s.deep[7][false] == "", none[2], len(none), in)
}

// Any has keys of several types.
func (s *Store) Any(a, b int) (text string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("no key")
		}
	}()
	keys := []any{a, int8(a), "a", pair{a, "p"}, 1.5, [2]int{a, b}, nil, true, []int{a}}
	s.any[keys[b%len(keys)]]++
	return show(len(s.any), s.any[a], s.any[pair{a, "p"}], s.any[nil]), nil
}

// Pointers has pointers to elements.
func (s *Store) Pointers(a, b int) string {
	arr := [4]int{1, 2, 3, 4}
	p := &arr[a%4]
	s.ptrs = append(s.ptrs, p, &b)
	*p *= 10
	b++
	for _, q := range s.ptrs {
		*q++
	}
	sl := arr[:]
	sl[0] = -1
	arr2 := [4]int(sl)
	ap := (*[2]int)(sl)
	ap[1] = 77
	return show(arr, arr2, *p, b, len(s.ptrs), *s.ptrs[0], p == &arr[a%4])
}

// Sort sorts.
func (s *Store) Sort(a, b int) string {
	l := []int{b, 3, a, -1, a + b, 0}
	m := slices.Clone(l)
	sort.Ints(l)
	slices.SortFunc(m, func(x, y int) int { return y - x })
	i, ok := slices.BinarySearch(l, b)
	j := sort.Search(len(l), func(i int) bool { return l[i] >= a })
	slices.SortFunc(s.pairs, func(x, y pair) int { return cmp.Or(cmp.Compare(x.b, y.b), cmp.Compare(x.a, y.a)) })
	return show(l, m, i, ok, j, slices.Index(m, a), slices.Contains(l, 9), slices.Max(l), s.pairs)
}

// show is a text of values; fmt does not see into slices, maps and structs when it is explored.
func show(args ...any) string {
	var b strings.Builder
	for _, x := range args {
		switch x := x.(type) {
		case []int:
			for _, e := range x {
				b.WriteString(show(e))
			}
			b.WriteByte(';')
		case []string:
			for _, e := range x {
				b.WriteString(show(e))
			}
			b.WriteByte(';')
		case []pair:
			for _, e := range x {
				b.WriteString(show(e))
			}
			b.WriteByte(';')
		case [3][4]uint8:
			for _, e := range x {
				b.WriteString(show(e))
			}
			b.WriteByte(';')
		case [4]uint8:
			for _, e := range x {
				b.WriteString(show(e))
			}
			b.WriteByte(';')
		case [4]int:
			for _, e := range x {
				b.WriteString(show(e))
			}
			b.WriteByte(';')
		case pair:
			b.WriteString(show(x.a, x.b))
		case map[string][]int:
			for _, k := range slices.Sorted(maps.Keys(x)) {
				b.WriteString(show(k, x[k]))
			}
		case map[bool]string:
			b.WriteString(show(x[false], x[true]))
		default:
			fmt.Fprint(&b, x, " ")
		}
	}
	return b.String()
}
