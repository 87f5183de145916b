package run

import "unsafe"

type point struct{ x, y int }

type rect struct {
	min, max point
	_        [7]byte
	name     string
	empty    struct{}
}

type node struct {
	val  int
	next *node
}

func Fields(a, b int) (int, int, string) {
	r := rect{min: point{a, b}, name: "r"}
	s := r
	s.max = s.min
	s.min.x++
	p := &s.max
	p.y += r.min.y
	return s.min.x + r.min.x, s.max.y, s.name
}

func Equal(a, b, c, d int) (bool, bool, bool) {
	p, q := point{a & 1, b & 1}, point{c & 1, d & 1}
	r, s := rect{min: p, name: "x"}, rect{min: q, name: "x"}
	return p == q, r != s, [2]point{p, q} == [2]point{q, p}
}

type floaty struct {
	a float64
	b any
	c [2]float32
}

func EqualFloats(a, b float64, c bool) (bool, bool) {
	x, y := floaty{a: a, b: 1}, floaty{a: b, b: 1}
	if c {
		y.b = a
	}
	return x == y, x != floaty{b: 1}
}

func OneWord(a, b int8) (bool, bool) {
	type one struct{ v int8 }
	type none struct{}
	return one{a & 1} == one{b & 1}, none{} != none{}
}

func List(n uint8) (sum, count int) {
	var head *node
	for i := range int(n % 10) {
		head = &node{i, head}
	}
	for p := head; p != nil; p = p.next {
		sum += p.val * p.val
		count++
	}
	return
}

func Swap(a, b int) (int, int) {
	p, q := &a, &b
	*p, *q = *q, *p
	return a, b
}

func NilField(n uint8) int {
	var p *node
	if n%2 == 0 {
		p = &node{val: 3}
	}
	return p.val
}

func NilLoad(n uint8) (a int) {
	var p *int
	if n%2 == 0 {
		p = &a
	}
	return *p
}

func Arrays(i, j uint8) (int, int, int) {
	var a [4]int
	for k := range a {
		a[k] = k * k
	}
	b := a
	b[i%5] = 100
	m := [3][2]int{{1, 2}, {3, 4}, {5, 6}}
	m[1][j%3]++
	return a[i%4], b[1] + b[2], m[1][0] + m[i%3][1]
}

func values() [3]point { return [3]point{{1, 2}, {3, 4}, {5, 6}} }

func IndexValue(i uint8) (int, int) {
	p := values()[i%4]
	return p.x, values()[2].y
}

func ArrayPointer(i uint8) int {
	var p *[3]int
	if i%4 != 3 {
		p = &[3]int{7, 8, 9}
	}
	n := 0
	for k := range p {
		n += k
	}
	return p[i%3] + p[1] + len(p) + n
}

func RangeArray(n int) (sum int) {
	a := [3]int{n, n + 1, n + 2}
	for i, v := range a {
		a[2] = 0
		sum += i * v
	}
	return sum
}

func Zero(n int8) (int, bool) {
	var r rect
	var a [0]int
	s := []struct{}{{}, {}}
	return len(a) + len(s) + r.min.x, r == rect{}
}

func Cast(n int) (int, bool) {
	type twin struct {
		val  int
		next unsafe.Pointer
	}
	a := &node{val: n}
	b := (*twin)(unsafe.Pointer(a))
	b.val++
	b.next = unsafe.Pointer(a)
	return a.val, a.next == a
}

type inner struct{ n int }

func (i *inner) add(d int) int { i.n += d; return i.n }
func (i inner) get() int       { return i.n }

type outer struct {
	*inner
	other inner
}

type shallow struct{ outer }

func Embedded(a, b int) (int, int, int) {
	s := shallow{outer{inner: &inner{a}, other: inner{b}}}
	f := s.add
	g := s.other.get
	s.other.n = 0
	h := (*inner).add
	return f(1), g(), h(&s.other, 5) + s.get()
}
