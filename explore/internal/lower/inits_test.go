package lower

import (
	"fmt"
	"testing"
)

// TestInits runs initialisers: all that matters for variables that are reached, and
// nothing else.
func TestInits(t *testing.T) {
	p, refusals := Compile(loadText(t, `package p

import (
	"fmt"
	"os"
	"unsafe"
)

func New() *int { return new(int) }

// What nobody reads need not be compiled.
var (
	_        = fmt.Sprint(os.Args)
	unused   = uintptr(unsafe.Pointer(new(int)))
	hidden   = func() int { return int(unused) }()
	external = os.Getenv("HOME") == "" && len(os.Args) > 1
)

var count = 3

func step() int { count++; return count }

// Initialisers change each other's variables.
var (
	ignored  = step()
	a        = step()
	_        = step()
	b        = c + a
	c        = step()
	chosen   = a > 4 || c > 100
	fallback = pick(chosen && external2(), "yes", "no")
)

func external2() bool { return count == 7 }

func pick(b bool, x, y string) string {
	if b {
		return x
	}
	return y
}

type item struct {
	next *item
	list []int
	m    map[string]*item
}

var root = &item{list: []int{1, 2}, m: map[string]*item{"x": {list: make([]int, 3)}}}

var last = root.m["x"]

var registry map[string]func() int

func register(name string, f func() int) bool {
	if registry == nil {
		registry = map[string]func() int{}
	}
	registry[name] = f
	return true
}

var _ = register("one", func() int { return 1 })

func init() { register("two", func() int { return 2 }) }

func init() { last.list[1] = 42 }

func Order() (int, int, int, int)  { return a, b, c, count }
func Chosen() (bool, string)      { return chosen, fallback }
func Deep() (int, int)            { return root.list[1], root.m["x"].list[1] }
func Registered() (int, int, int) { return len(registry), registry["one"](), registry["two"]() }
`))
	if len(refusals) > 0 {
		t.Fatal(refusals)
	}
	want := map[string]string{"Order": "[5 12 7 7]", "Deep": "[2 42]", "Registered": "[2 1 2]"}
	want["Chosen"] = fmt.Sprintf("[1 %d]", p.Strings.Number("yes"))
	for _, op := range p.Ops {
		if got := result(p, op.Func); got != want[op.GoName] {
			t.Errorf("%s() = %s, want %s", op.GoName, got, want[op.GoName])
		}
	}
	for _, g := range p.Globals {
		switch g.Name {
		case "unused", "hidden", "external", "ignored", "init$guard":
			t.Errorf("variable %s is there", g.Name)
		}
	}
}
