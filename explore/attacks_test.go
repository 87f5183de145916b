package explore_test

import (
	"path/filepath"
	"testing"

	"github.com/adtinfer/adtinfer/explore"
)

// attack is a package whose policy tries to hold although it is wrong.
type attack struct {
	name string
	code string // what follows the package clause and imports of sync and sync/atomic
	at   explore.Bounds
}

var attacks = []attack{
	{"unlocks by overwriting", `
type Lamp struct {
	big, mu sync.Mutex
	on      atomic.Bool
}

func New() *Lamp { return &Lamp{} }

func (l *Lamp) Take() bool {
	l.big.Lock()
	l.mu.Lock()
	l.mu = sync.Mutex{}
	l.big.Unlock()
	was := l.on.Load()
	l.on.Store(true) //lin: take() = was
	return was
}
`, bounds(2, 1, 1)},
	{"a directive drops all runs in functions that it calls", `
// lost update
type C struct{ n atomic.Int64 }

func New() *C { return &C{} }

func t() bool {
	//lin: assume w == true
	return true
}
func f() bool {
	//lin: assume w == false
	return true
}

func (c *C) Inc() int {
	//lin: guess w
	n := c.n.Load() + 1
	c.n.Store(n)
	//lin: if w && f() || t(): inc() = int(n)
	return int(n)
}
`, bounds(2, 1, 1)},
	{"a directive mends a local variable", `
type C struct{ n atomic.Int64 }

func New() *C { return &C{} }

// Inc loses updates, but for its directive.
func (c *C) Inc() int {
	right := false
	n := c.n.Load() + 1
	//lin: if func() bool { right = true; return true }(): goto x
	if right {
		n = c.n.Add(1)
		//lin: inc() = int(n)
		return int(n)
	}
	c.n.Store(n)
	//lin: inc() = int(n)
	return int(n)
}
`, bounds(2, 1, 1)},
	{"a directive sends on a channel", `
type C struct{ n atomic.Int64 }

func New() *C { return &C{} }

func (c *C) Inc() int {
	ch := make(chan int, 1)
	n := c.n.Load() + 1
	//lin: if func() bool { ch <- 1; return true }(): goto x
	if len(ch) > 0 {
		n = c.n.Add(1)
		//lin: inc() = int(n)
		return int(n)
	}
	c.n.Store(n)
	//lin: inc() = int(n)
	return int(n)
}
`, bounds(2, 1, 1)},
	{"a directive appends", `
type C struct{ n atomic.Int64 }

func New() *C { return &C{} }

func (c *C) Inc() int {
	m := make([]int, 1, 2)
	n := c.n.Load() + 1
	//lin: if func() bool { _ = append(m, 1); return true }(): goto x
	if m[:2][1] > 0 {
		n = c.n.Add(1)
		//lin: inc() = int(n)
		return int(n)
	}
	c.n.Store(n)
	//lin: inc() = int(n)
	return int(n)
}
`, bounds(2, 1, 1)},
	{"directives mend the constructor and init", `
type C struct{ n atomic.Int64 }

var flag bool

func set() bool { flag = true; return true }

func init() {
	//lin: if set(): goto x
}

func New() *C {
	c := &C{}
	//lin: if set(): goto x
	return c
}

func (c *C) Inc() (r int) {
	if flag {
		n := c.n.Add(1)
		//lin: inc() = int(n)
		return int(n)
	}
	n := c.n.Load() + 1
	c.n.Store(n)
	//lin: inc() = int(n)
	return int(n)
}
`, bounds(2, 1, 1)},
	{"what is owned depends on the guess that it decides", `
type C struct{ n atomic.Int64 }

func New() *C { return &C{} }

type res struct{ x int }

func pick(x bool, a, b *res) *res {
	if x {
		return a
	}
	return b
}

func (c *C) Inc() int {
	//lin: guess w
	a, b := &res{}, &res{}
	_, _ = a, b
	n := c.n.Load() + 1
	//lin: own pick(w, a, b)
	c.n.Store(n)
	//lin: assume w == !owns(a)
	//lin: inc() = int(n)
	return int(n)
}
`, bounds(2, 1, 1)},
	{"guesses decide each other", `
type C struct{ n atomic.Int64 }

func New() *C { return &C{} }

//lin:receive before one(x bool) if true: assume v == x
//lin:receive before two(y bool) if true: assume w == y
func (c *C) Inc() int {
	//lin: guess v
	//lin: guess w
	n := c.n.Load() + 1
	//lin: inc() = int(n); broadcast one(w)
	c.n.Store(n)
	//lin: inc() = int(n); broadcast two(!v)
	return int(n)
}
`, bounds(2, 1, 1)},
	{"a rule announces for another one", `
type C struct{ n atomic.Int64; d atomic.Pointer[desc] }
type desc struct{ x int }

func New() *C { return &C{} }

//lin:receive before one(x *desc) if true: inc() = 1 for x
func (c *C) Inc() int {
	d := &desc{}
	_ = d
	//lin: own d
	n := c.n.Load() + 1
	c.n.Store(n)
	//lin: inc() = int(n); broadcast one(d)
	return int(n)
}
`, bounds(2, 1, 1)},
	{"announced when it is too late", `
type C struct{ n atomic.Int64 }

func New() *C { return &C{} }

func (c *C) Inc() (r int) {
	defer func() {
		//lin: inc() = r
	}()
	n := c.n.Load() + 1
	c.n.Store(n)
	return int(n)
}
`, bounds(2, 1, 1)},
	{"a directive panics, and the code recovers", `type C struct{ n atomic.Int64 }

func New() *C { return &C{} }

func boom() bool { panic("x") }

func (c *C) Inc() (r int) {
	defer func() {
		if recover() != nil {
			n := c.n.Add(1)
			//lin: inc() = int(n)
			r = int(n)
		}
	}()
	n := c.n.Load() + 1
	//lin: if boom(): goto x
	c.n.Store(n)
	//lin: inc() = int(n)
	return int(n)
}
`, bounds(2, 1, 1)},
}

func (a *attack) write(t *testing.T) string {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "go.mod"), "module example.com/attack\n\ngo 1.24.0\n")
	put(t, filepath.Join(dir, "attack.go"), a.text())
	return dir
}

func (a *attack) text() string {
	return "package attack\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\nvar (\n\t_ sync.Mutex\n\t_ atomic.Bool\n)\n" + a.code
}

// TestAttacks sees to it that such policies neither hold within bounds, nor are proved for any number of
// goroutines.
func TestAttacks(t *testing.T) {
	t.Parallel()
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			dir := a.write(t)
			bounded, err := explore.Run(t.Context(), explore.Options{Dir: dir, Bounds: a.at, Policy: true, Workers: 1})
			if err == nil && (bounded.Verdict == explore.Holds || bounded.Verdict == explore.Incomplete) {
				t.Errorf("within bounds: %s", bounded.Sentence())
			}
			proved, err := explore.Run(t.Context(), explore.Options{Dir: dir, Bounds: explore.Bounds{Values: a.at.Values}, AnyThreads: true, Policy: true, Workers: 1})
			if err == nil && proved.Verdict != explore.Unproved {
				t.Errorf("for any number: %s", proved.Sentence())
			}
		})
	}
}
