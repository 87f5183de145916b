// Package control has all ways that control may take.
package control

import (
	"errors"
	"fmt"
	"io"
	"iter"
)

// Flow remembers what it did.
type Flow struct {
	log   string
	depth int
}

func (f *Flow) note(args ...any) { f.log += fmt.Sprintln(args...) }

func (f *Flow) take() string {
	s := f.log
	f.log = ""
	return s
}

// Loops has loops with labels.
func (f *Flow) Loops(a, b int) string {
outer:
	for i := 0; i < 4; i++ {
		for j := range 5 {
			switch {
			case j == a%5:
				continue outer
			case i == b%4:
				break outer
			case i+j == 5:
				goto done
			case j == 3:
				break
			}
			f.note(i, j)
		}
	}
	f.note("end")
done:
	n := 0
	for n < a {
		n += 2
		if n == 4 {
			continue
		}
		n--
	}
	f.note(n)
	return f.take()
}

// Switch has switches.
func (f *Flow) Switch(a, b int) string {
	switch a {
	case 1, 2:
		f.note("low")
		fallthrough
	case 3:
		f.note("three")
	case b:
		f.note("same")
	default:
		f.note("default")
	}
	switch x := any(f.value(b)).(type) {
	case nil:
		f.note("nil")
	case int, int8:
		f.note("int", x)
	case string:
		f.note("string", len(x))
	case error:
		f.note("error", x)
	case fmt.Stringer:
		f.note("stringer", x.String())
	case func(int) int:
		f.note("func", x(a))
	case []int:
		f.note("slice", x[0])
	default:
		f.note("other")
	}
	return f.take()
}

type named struct{ n int }

func (n named) String() string { return fmt.Sprint("named ", n.n) }

type wrong struct{ n int }

func (w *wrong) Error() string { return fmt.Sprint("wrong ", w.n) }

func (f *Flow) value(k int) any {
	return []any{nil, 1, int8(2), "three", errors.New("four"), named{5}, func(i int) int { return i * k }, []int{7}, 8.5, &wrong{9}, &named{10}}[k%11]
}

// Defers has deferred calls, whose arguments are computed at once.
func (f *Flow) Defers(a, b int) (n int, s string) {
	defer func() { s = f.take() }()
	for i := range a % 4 {
		defer f.note("loop", i, n)
		defer func() { f.note("closure", i, n); n += i }()
	}
	if b%2 == 0 {
		defer func(k int) { n = n*10 + k }(n + b)
		return a, ""
	}
	n = 5
	return n + 1, "x"
}

// Panics panics, and recovers at several depths.
func (f *Flow) Panics(a, b int) (s string) {
	defer func() {
		r := recover()
		s = fmt.Sprint(f.take(), " recovered ", r)
		if e, ok := r.(error); ok {
			s += " " + e.Error()
		}
	}()
	func() {
		defer f.note("first")
		defer func() {
			if b%3 == 0 {
				f.note("inner", recover())
			}
		}()
		defer func() {
			if b%4 == 1 {
				panic("again")
			}
		}()
		f.fail(a)
		f.note("not failed")
	}()
	f.note("after")
	if recover() != nil {
		f.note("never")
	}
	return "none"
}

func (f *Flow) fail(a int) {
	var p *wrong
	var m map[string]int
	var l []int
	var e fmt.Stringer
	switch a % 9 {
	case 0:
		panic(fmt.Sprint("text ", a))
	case 1:
		_ = p.n
	case 2:
		m["x"] = 1
	case 3:
		_ = l[a]
	case 4:
		_ = e.String()
	case 5:
		_ = any(a).(string)
	case 6:
		panic(&wrong{a})
	case 7:
		f.depth /= a - 7
	}
}

// Closures share variables.
func (f *Flow) Closures(a, b int) string {
	x := a
	inc := func() int { x++; return x }
	var fs []func() int
	for i := range 3 {
		fs = append(fs, func() int { i += b; x += i; return i })
	}
	for _, g := range fs {
		f.note(g(), g(), inc())
	}
	var fib func(int) int
	fib = func(n int) int {
		if n < 2 {
			return n
		}
		return fib(n-1) + fib(n-2)
	}
	method, expr := named{a}.String, (*Flow).take
	bound := f.note
	bound(method(), fib(a%10), x)
	return expr(f)
}

// Iterators has loops over functions.
func (f *Flow) Iterators(a, b int) string {
	count := func(n int) iter.Seq2[int, string] {
		return func(yield func(int, string) bool) {
			defer f.note("done")
			for i := range n {
				if !yield(i, fmt.Sprint("v", i)) {
					f.note("stopped")
					return
				}
			}
		}
	}
	find := func() int {
		for i, v := range count(a % 6) {
			f.note(i, v)
			if i == b%5 {
				return i * 100
			}
			if i == 3 {
				break
			}
		}
		return -1
	}
	f.note(find())
	return f.take()
}

// Errors wraps errors.
func (f *Flow) Errors(a, b int) (string, error) {
	base := []error{io.EOF, &wrong{a}, io.ErrUnexpectedEOF, nil}[b%4]
	var err error
	if base != nil {
		err = fmt.Errorf("layer %d: %w", a, base)
	}
	if a%2 == 0 && err != nil {
		err = errors.Join(err, errors.New("other"))
	}
	w, ok := errors.Unwrap(err).(*wrong)
	return fmt.Sprint(errors.Is(err, io.EOF), ok, errors.Unwrap(err) == base, w != nil && w.n == a), err
}

// Variadic passes any number of arguments.
func (f *Flow) Variadic(a, b int) string {
	sum := func(xs ...int) (n int) {
		for _, x := range xs {
			n += x
		}
		if len(xs) > 0 {
			xs[0] = 99
		}
		return n
	}
	l := []int{a, b, 3}
	f.note(sum(), sum(a), sum(a, b), sum(l...), l[0], sum(l[1:]...), l[1])
	x, y := a, b
	x, y = y, x+y
	l[0], l[x%3], y = y, l[0], l[2]
	f.note(x, y, l[0], l[1], l[2])
	return f.take()
}

// Recurse goes deep, with results that are changed on the way back.
func (f *Flow) Recurse(a, b int) (r int) {
	f.depth++
	defer func() { f.depth--; r += f.depth }()
	if a <= 0 {
		return b
	}
	return f.Recurse(a-1, b) * 2 % 1009
}
