package sequential

type shape interface{ area() int }

type named interface {
	shape
	name() string
}

type square int

type rect struct{ w, h int }

type cube struct {
	rect
	d int
}

type empty struct{}

func (s square) area() int   { return int(s) * int(s) }
func (r rect) area() int     { return r.w * r.h }
func (r *rect) grow(n int)   { r.w += n }
func (c *cube) name() string { return "cube" }
func (empty) area() int      { return 0 }
func (empty) name() string   { return "empty" }

func value(a, b int) any {
	return []any{nil, a, "s", square(b), rect{a, b}, &rect{b, a}, &cube{rect{a, b}, 2}, empty{}, []int{a}, func() int { return a }, map[int]int{}, int64(a), true, 2.5}[(a+3*b)%14]
}

// Switch tells types apart.
func (c *Calls) Switch(a, b int) (string, int) {
	c.last = value(a, b)
	switch x := c.last.(type) {
	case nil:
		return "nil", 0
	case int:
		return "int", x
	case string:
		return x, len(x)
	case named:
		return x.name(), x.area()
	case shape:
		return "shape", x.area()
	case func() int:
		return "func", x()
	case []int:
		return "slice", x[0]
	}
	return "other", 0
}

// Assert asserts types, which panics now and then.
func (c *Calls) Assert(a, b int) int {
	x := value(a, b)
	if r, ok := x.(*rect); ok {
		r.grow(b)
		return r.area()
	}
	if r, ok := x.(rect); ok {
		return r.w*10 + r.h
	}
	switch b {
	case 0:
		return x.(int)
	case 1:
		return x.(named).area()
	case 2:
		return int(x.(square))
	}
	return x.(shape).area()
}

// Same compares interfaces, which panics now and then.
func (c *Calls) Same(a, b int) (bool, bool) {
	x, y := value(a, b), value(b, a)
	type two struct {
		n int
		x any
	}
	return x == y, two{a, x} == two{a, y}
}

// Call calls closures and methods as values.
func (c *Calls) Call(a, b int) int {
	n := 0
	add := func(k int) func() int {
		return func() int { n += k; return n }
	}
	r := &rect{a, b}
	fs := []func() int{add(a), add(b), r.area, square(a).area, nil}
	grow := (*rect).grow
	grow(r, 3)
	var s shape = r
	area := s.area
	return fs[(a+b)%5]() + fs[0]()*100 + area()
}

// Floats are keys, and compared within interfaces: zeros are the same, what is no number is not.
func (c *Calls) Floats(a, b int) (int, bool, string) {
	zero := 0.0
	all := []float64{zero, -1 * zero, 1 / (zero + float64(a)), 2.5, -zero * float64(b)}
	nan := zero / zero
	x := all[a%5]
	if b == 5 {
		x = nan
	}
	m := map[float64]int{zero: 1}
	m[all[b%5]] += 2
	m[1/all[a%5]] += 3
	m[-zero] += 10
	s := ""
	if c.last == any(x) {
		s = "same"
	}
	c.last = x
	type two struct {
		f float32
		n int
	}
	p := map[two]int{{float32(a), b}: 1}
	return len(m)*100 + m[zero] + p[two{float32(all[a%5]), b}], any(x) == any(x) && [1]any{x} == [1]any{x}, s
}
