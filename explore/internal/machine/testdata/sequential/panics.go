package sequential

import "errors"

var errOdd = errors.New("odd")

type failure struct{ code int }

func (f failure) Error() string { return "failure" + string(rune('0'+f.code)) }

func text(r any) string {
	switch r := r.(type) {
	case nil:
		return "nothing"
	case error:
		return r.Error()
	case string:
		return r
	case int:
		return "int"
	}
	return "?"
}

func fails(a, b int) int {
	switch a {
	case 0:
		panic("zero")
	case 1:
		panic(errOdd)
	case 2:
		panic(failure{b})
	case 3:
		return a / (b - b)
	case 4:
		var p *pair
		return p.b
	case 5:
		var e error
		panic(e)
	case 6:
		panic(b)
	}
	return a + b
}

// Recover stops panics.
func (c *Calls) Recover(a, b int) (s string, n int) {
	defer func() {
		s = text(recover())
		n++
	}()
	n = 10
	n = fails(a, b)
	return "", n
}

// Fails does not stop them.
func (c *Calls) Fails(a, b int) int { return fails(a, b) }

// Order makes deferred calls in order, with the arguments of the statement.
func (c *Calls) Order(a, b int) (n int) {
	for i := range a {
		defer func(k int) { n = n*10 + k + i }(i * b)
	}
	defer func() { n += 5 }()
	return b
}

func nested(a, b int, log *[]byte) {
	defer func() { *log = append(*log, 'x') }()
	defer func() {
		*log = append(*log, 'y')
		if b == 1 {
			fails(1, 0)
		}
		if b == 2 {
			*log = append(*log, text(recover())...)
		}
		if b == 3 {
			func() { *log = append(*log, text(recover())...) }() // not called by the deferred call itself
		}
		if b == 4 {
			func() {
				defer func() { *log = append(*log, text(recover())...) }() // another panic's
				fails(2, 1)
			}()
		}
	}()
	fails(a, 7)
	*log = append(*log, 'z')
}

// Nested has panics within deferred calls.
func (c *Calls) Nested(a, b int) (s string) {
	var log []byte
	defer func() { s += text(recover()) }()
	defer func() { s = string(log) }()
	nested(a, b, &log)
	return "not seen"
}

// Again panics with what it recovered, or more.
func (c *Calls) Again(a, b int) (n int) {
	defer func() {
		if r := recover(); r != nil && b > 2 {
			panic(r)
		}
		n += 3
	}()
	defer func() {
		if b == 5 {
			panic("second")
		}
	}()
	return fails(a, b)
}

type resource struct {
	open int
	next *resource
}

func (r *resource) close(n int) { r.open -= n }

type closer interface{ close(int) }

// Methods defers methods, of interfaces too, and functions that are nil.
func (c *Calls) Methods(a, b int) (n int) {
	r := &resource{open: 5}
	defer func() { n = r.open }()
	defer r.close(a)
	var x closer = r
	defer x.close(b)
	if a == 3 {
		var f func()
		defer f()
	}
	if a == 4 {
		var none closer
		defer none.close(1)
	}
	if b == 1 {
		return fails(0, 0)
	}
	return 1
}

// Deep recovers far from where it panics.
func (c *Calls) Deep(a, b int) (s string) {
	defer func() {
		if r := recover(); r != nil {
			s = text(r)
		}
	}()
	var down func(n int) int
	down = func(n int) int {
		defer func() { b++ }()
		if n == 0 {
			return fails(a, b)
		}
		return down(n-1) + n
	}
	down(a)
	return string(rune('a' + b))
}

// Useless defers what cannot recover.
func (c *Calls) Useless(a, b int) (n int) {
	defer func() {
		if b > 2 {
			n = 100 * len(text(recover()))
		}
	}()
	defer func() { helper() }()
	defer recover()
	defer panics(b)
	n = 5
	return fails(a, b)
}

func helper() any { return recover() }

func panics(n int) {
	if n == 4 {
		panic("four")
	}
}
