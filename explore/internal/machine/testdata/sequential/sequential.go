// Package sequential has calls that are run compiled and by the explorer, to be compared.
package sequential

// Calls is the object; what one call leaves the next one finds.
type Calls struct {
	list  []int
	bytes []byte
	grid  [][2]int
	names map[string]int
	pairs map[pair][]int
	any   map[any]int
	ch    chan int
	last  any
	boxes map[*int]int
}

type pair struct{ a, b int }

// New is an object with empty slices and maps.
func New() *Calls {
	return &Calls{list: []int{3, 1, 4, 1, 5}, names: map[string]int{}, pairs: map[pair][]int{}, any: map[any]int{}, ch: make(chan int, 3), boxes: map[*int]int{}}
}

func sum(s []int) (n int) {
	for i, x := range s {
		n = n*7 + x + i
	}
	return n
}

// Push appends, and tells what two slices of one array see of each other.
func (c *Calls) Push(a, b int) (int, int, int) {
	before := c.list
	c.list = append(c.list, a, b)
	one := append(c.list[:len(before):len(c.list)], 100)
	two := append(c.list[:len(before):len(before)], 200)
	return sum(c.list), sum(one), sum(two) + len(c.list)
}

// Cut slices, which panics now and then.
func (c *Calls) Cut(a, b int) (int, int) {
	c.list = c.list[a:b]
	return sum(c.list), len(c.list)
}

// Cut3 limits the capacity.
func (c *Calls) Cut3(a, b int) int {
	s := c.list[a:b:b]
	s = append(s, 5)
	s[0] = 9
	return sum(s)*100 + sum(c.list)
}

// At reads and writes elements, which panics now and then.
func (c *Calls) At(i, x int) int {
	c.list[i] += x
	return c.list[i]
}

// Shift copies within a slice.
func (c *Calls) Shift(a, b int) (int, int) {
	n := copy(c.list[a:], c.list[b:])
	return n, sum(c.list)
}

// Spread appends a slice to itself, and clears a part.
func (c *Calls) Spread(a, b int) int {
	if len(c.list) > 20 {
		c.list = nil
	}
	c.list = append(c.list, c.list...)
	clear(c.list[a:b])
	return sum(c.list)
}

// Make makes a slice of any length and capacity.
func (c *Calls) Make(a, b int) (int, int) {
	s := make([]pair, a-2, b)
	if len(s) > 0 {
		s[0].b = a
		t := s[0]
		t.a = 8
		s[len(s)-1].a += t.b
	}
	n := 0
	for _, p := range s {
		n += p.a*10 + p.b
	}
	return len(s)*100 + cap(s), n
}

// Text works on bytes and runes.
func (c *Calls) Text(a, b int) (string, string, int) {
	c.bytes = append(c.bytes, "aä€"[:a%7]...)
	if len(c.bytes) > 12 {
		c.bytes = c.bytes[:0]
	}
	n := copy(c.bytes[min(b, len(c.bytes)):], "xyz")
	runes := []rune(string(c.bytes))
	for i, r := range string(c.bytes) {
		n = n*3 + i + int(r)
	}
	for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
		runes[i], runes[j] = runes[j], runes[i]
	}
	return string(c.bytes), string(runes) + string(rune(a+'A')), n
}

// Char reads a string, which panics now and then.
func (c *Calls) Char(a, b int) (byte, string) {
	const text = "hello"
	x := text[a]
	return x, text[b:a]
}

// Grid has arrays within slices, which are copied.
func (c *Calls) Grid(a, b int) int {
	c.grid = append(c.grid, [2]int{a, b})
	row := c.grid[0]
	row[a%2]++
	all := [3][2]int{row, c.grid[len(c.grid)-1]}
	all[2] = all[b%3]
	n := 0
	for _, r := range all {
		n = n*11 + r[0] + 3*r[1]
	}
	return n + [4]int{1, 2, 3, 4}[b%4] + all[a%3][b%2]
}

// Set changes a map with strings for keys.
func (c *Calls) Set(a, b int) (int, int, bool) {
	key := "abc"[a%3 : a%3+1]
	old, ok := c.names[key]
	c.names[key] += b
	return len(c.names), old, ok
}

// Drop removes from maps, some while it goes over one.
func (c *Calls) Drop(a, b int) (int, int) {
	delete(c.names, "abc"[b%3:b%3+1])
	for k, v := range c.names {
		if v%2 == a%2 {
			delete(c.names, k)
		}
	}
	n := 0
	for k, v := range c.names {
		n += v * int(k[0])
	}
	if a == 3 {
		clear(c.names)
	}
	return n, len(c.names)
}

// Pair changes a map with structs for keys and slices for elements.
func (c *Calls) Pair(a, b int) (int, int) {
	p := pair{a % 2, b % 2}
	c.pairs[p] = append(c.pairs[p], a)
	n := 0
	for k, v := range c.pairs {
		n += k.a*100 + k.b*10 + sum(v)
	}
	return n, len(c.pairs[pair{b % 2, a % 2}])
}

// Any changes a map with keys of any type, of which some panic.
func (c *Calls) Any(a, b int) (int, int) {
	keys := []any{a, int8(a), "a", pair{a, b}, nil, 1.5, [1]any{b}, []int{a}, [1]any{[]int{b}}, struct{}{}}
	k := keys[(a*3+b)%len(keys)]
	c.any[k]++
	return c.any[k], len(c.any)
}

// Pointers changes a map with pointers for keys.
func (c *Calls) Pointers(a, b int) (int, int) {
	c.boxes[new(int)] = a
	var p *int
	for k := range c.boxes {
		p = k
	}
	c.boxes[p] = b
	if len(c.boxes) > 2 {
		for k := range c.boxes {
			if *k == 0 {
				delete(c.boxes, k)
			}
		}
	}
	return len(c.boxes), c.boxes[p]
}

// NilMap uses a map that is nil.
func (c *Calls) NilMap(a, b int) int {
	var m map[int]int
	n := m[a] + len(m)
	for range m {
		n++
	}
	delete(m, a)
	if b > 2 {
		m[a] = b
	}
	return n
}

// Buffer uses a channel with room, as far as it does not wait.
func (c *Calls) Buffer(a, b int) (int, int, bool) {
	switch {
	case b == 5 && a > 3:
		close(c.ch)
	case b == 5:
		c.ch = make(chan int, 2)
	case b%2 == 0 && len(c.ch) < cap(c.ch):
		c.ch <- a
	}
	select {
	case x, ok := <-c.ch:
		return x, len(c.ch), ok
	default:
		return -1, len(c.ch), false
	}
}

// NilChannel closes and asks a channel that is nil.
func (c *Calls) NilChannel(a, b int) int {
	var ch chan string
	select {
	case ch <- "x":
		return 1
	case <-ch:
		return 2
	default:
	}
	if a == 1 {
		close(ch)
	}
	return len(ch) + cap(ch)
}
