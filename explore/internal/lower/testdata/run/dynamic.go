package run

import "errors"

type shape interface {
	area() int
	Name() string
}

type square struct{ side int }
type box struct{ w, h int }
type word string
type fn func() int

func (s square) area() int    { return s.side * s.side }
func (s square) Name() string { return "square" }
func (b *box) area() int      { return b.w * b.h }
func (b *box) Name() string   { b.w++; return "box" }
func (w word) Error() string  { return "word " + string(w) }
func (f fn) area() int        { return f() }
func (f fn) Name() string     { return "fn" }

func pick(n uint8) shape {
	switch n % 4 {
	case 0:
		return square{int(n)}
	case 1:
		return &box{int(n), 2}
	case 2:
		return fn(func() int { return int(n) })
	}
	return nil
}

func Methods(n uint8) (int, string, int) {
	s := pick(n)
	f := s.area
	return s.area(), s.Name(), f()
}

func Switch(n uint8) (string, bool, bool) {
	list := []any{1, "a", nil, square{2}, &box{}, word("w"), []int{1}, 2.5, int8(3), key{1, "k"}, errors.New("e")}
	v := list[int(n)%len(list)]
	_, isShape := v.(shape)
	e, isError := v.(error)
	if isError && e.Error() == "" {
		return "", false, false
	}
	switch v := v.(type) {
	case nil:
		return "nil", isShape, isError
	case int:
		return "int" + string(rune('0'+v)), isShape, isError
	case string:
		return v, isShape, isError
	case interface{ area() int }:
		return "area" + string(rune('0'+v.area())), isShape, isError
	case key:
		return v.b, isShape, isError
	case error:
		return v.Error(), isShape, isError
	case float64, int8:
		return "number", isShape, isError
	}
	return "else", isShape, isError
}

func Assert(n uint8) (int, string) {
	list := []any{1, "a", square{3}, nil}
	v := list[n%4]
	if n%8 < 4 {
		return v.(int), ""
	}
	return v.(shape).area(), v.(interface{ Name() string }).Name()
}

func IfaceEqual(n, m uint8) (bool, bool) {
	list := []any{1, int8(1), "a", nil, square{1}, square{2}, key{1, "a"}, key{1, "a"}, []int{}, 0.0, word("a")}
	a, b := list[int(n)%len(list)], list[int(m)%len(list)]
	return a == b, a != nil
}

func FloatIface(a, b float64) bool { return any(a) == any(b) }

type list[T any] struct {
	items []T
	less  func(a, b T) bool
}

func (l *list[T]) insert(v T) {
	l.items = append(l.items, v)
	for i := len(l.items) - 1; i > 0 && l.less(l.items[i], l.items[i-1]); i-- {
		l.items[i], l.items[i-1] = l.items[i-1], l.items[i]
	}
}

func fold[T, U any](s []T, u U, f func(U, T) U) U {
	for _, v := range s {
		u = f(u, v)
	}
	return u
}

type number interface{ ~int | ~int8 | ~float64 }

func sum[T number](list ...T) (s T) {
	for _, v := range list {
		s += v
	}
	return s
}

func length[T ~string | ~[]byte](s T) int { return len(s) + len([]byte(s)) }

func Generics(a, b, c int, s string) (int, string, int8, int) {
	l := list[int]{less: func(a, b int) bool { return a < b }}
	l.insert(a)
	l.insert(b)
	l.insert(c)
	m := list[pair]{less: func(a, b pair) bool { return a.b < b.b }}
	m.insert(pair{1, s})
	m.insert(pair{2, "m"})
	text := fold(m.items, "", func(t string, p pair) string { return t + p.b })
	return l.items[0], text, sum(int8(a), int8(b)), length(s) + length([]byte(s))
}
