package run

import "errors"

func Closures(a, b int) (int, int) {
	n := 0
	add := func(d int) int { n += d; return n }
	add(a)
	f := add
	f(b)
	var fs []func() int
	for i := range 3 {
		fs = append(fs, func() int { i++; return i + n })
	}
	return fs[0]() + fs[1]() + fs[0](), n
}

func Recursive(n uint8) int {
	var f func(int) int
	f = func(n int) int {
		if n == 0 {
			return 0
		}
		return n + f(n-1)
	}
	return f(int(n % 30))
}

func NilFunc(n uint8) int {
	var f func() int
	if n%2 == 0 {
		f = func() int { return 1 }
	}
	return f()
}

func Defers(n uint8) (s string) {
	for i := range int(n % 4) {
		defer func() { s += string(rune('a' + i)) }()
	}
	defer func(t string) { s += t }(s + "x")
	s = "y"
	return s + "z"
}

func tryTo(f func()) (text string) {
	defer func() {
		switch v := recover().(type) {
		case nil:
			text += "none"
		case error:
			text += "error"
		case string:
			text += v
		default:
			text += "other"
		}
	}()
	f()
	return "done "
}

func Recovers(n uint8) (string, string) {
	var p *node
	var m map[int]int
	list := []func(){
		func() {}, func() { panic("text") }, func() { panic(errors.New("e")) }, func() { panic(3) },
		func() { p.val = 1 }, func() { m[1] = 1 }, func() { _ = []int{}[n] }, func() { n /= n - n },
		func() { defer panic("second"); panic("first") },
		func() { defer func() { recover() }(); panic("inner") },
		func() { defer func() { defer func() { recover() }(); panic("nested") }(); panic("outer") },
		func() { func() { recover() }(); panic("not recovered") },
		func() { _ = any(n).(string) },
	}
	f := list[int(n)%len(list)]
	return tryTo(f), tryTo(func() { defer f() })
}

func named(n int) (a int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
		}
	}()
	a = 5
	a = 100 / n
	a++
	return a, nil
}

func NamedResults(n uint8) (int, bool) {
	a, err := named(int(n % 3))
	return a, err == nil
}

type counter struct{ n int }

func (c *counter) inc()       { c.n++ }
func (c counter) plus(d int)  { *last += c.n + d }
func (c *counter) done() bool { return c.n > 2 }

var last = new(int)

type incer interface{ inc() }

func DeferMethods(n int) (int, int) {
	c := &counter{n & 7}
	*last = 0
	func() {
		defer c.inc()
		defer c.plus(n & 3)
		var i incer = c
		defer i.inc()
		m := map[int]int{1: 1}
		defer delete(m, 1)
		defer print()
		f := c.inc
		defer f()
	}()
	return c.n, *last
}

func Panics(n uint8) int {
	if n%3 == 0 {
		panic("three")
	}
	defer func() {
		if n%3 == 1 {
			panic(errors.New("one"))
		}
	}()
	return int(n)
}

func Go(n int) int {
	c := &counter{n & 7}
	ch := make(chan int, 5)
	go c.inc()
	go func() { ch <- c.n }()
	var i incer = c
	go i.inc()
	return <-ch + c.n
}

func Seq(n uint8) (sum int) {
	seq := func(yield func(int, string) bool) {
		for i := range int(n%10) + 1 {
			if !yield(i, "v") {
				return
			}
		}
	}
	for i, s := range seq {
		if i == 2 {
			continue
		}
		if i == 7 {
			return -sum
		}
		sum += i + len(s)
	}
	return
}

func Chans(n uint8) (a, b, c, d int, ok bool) {
	ch := make(chan int, 4)
	for i := range int(n % 6) {
		select {
		case ch <- i:
		default:
			c++
		}
	}
	a, b = len(ch), cap(ch)
	var none chan string
	other := make(chan pair, 1)
	other <- pair{1, "p"}
	for range 3 {
		select {
		case v := <-ch:
			d += v + 10
		case <-none:
			d = -1
		case p, ok := <-other:
			if ok {
				d += p.a * 100
			}
		}
		if n%6 == 0 {
			break
		}
		if n%6 < 3 {
			ch <- 1
		}
	}
	close(ch)
	for v := range ch {
		d += v
	}
	_, ok = <-ch
	return
}
