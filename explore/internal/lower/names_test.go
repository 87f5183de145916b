package lower

import (
	"fmt"
	"testing"

	"golang.org/x/tools/go/ssa"
)

type (
	celsius       float64
	two[A, B any] struct {
		_ A
		_ B
	}
)

// TestGoNames compares the names of types with what Go prints.
func TestGoNames(t *testing.T) {
	p := loadText(t, `package lower

type (
	celsius       float64
	two[A, B any] struct {
		a A
		b B
	}
)

func New() *int { return new(int) }

func F() []any {
	return []any{
		1, "", celsius(1), new(celsius), []celsius{}, [2]string{}, map[string]any{}, make(chan int), make(<-chan int), make(chan<- *celsius), two[int, string]{},
		struct{}{}, struct{ a, b int }{}, &struct {
			celsius
			C any `+"`json:\"c\"`"+`
		}{}, func() {}, func(int, ...string) error { return nil }, func(a, b int) (c, d bool) { return }, []interface{ M(int) string }{},
		two[[]int, any]{}, []error{},
	}
}
`)
	want := []any{
		1, "", celsius(1), new(celsius), []celsius{}, [2]string{}, map[string]any{}, make(chan int), make(<-chan int), make(chan<- *celsius), two[int, string]{},
		struct{}{}, struct{ a, b int }{}, &struct {
			celsius
			C any `json:"c"`
		}{}, func() {}, func(int, ...string) error { return nil }, func(a, b int) (c, d bool) { return }, []interface{ M(int) string }{},
		two[[]int, any]{}, []error{},
	}
	i := 0
	for _, b := range p.Ops[0].Func.Blocks {
		for _, in := range b.Instrs {
			if in, ok := in.(*ssa.MakeInterface); ok {
				if got, want := goName(in.X.Type()), fmt.Sprintf("%T", want[i]); got != want {
					t.Errorf("%s, want %s", got, want)
				}
				i++
			}
		}
	}
	if i != len(want) {
		t.Errorf("%d types, want %d", i, len(want))
	}
}
