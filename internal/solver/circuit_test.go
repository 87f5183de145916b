package solver_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/internal/solver"
)

func ExampleCircuit() {
	c := solver.NewCircuit()
	a, b := c.Var(), c.Var()
	fmt.Println(c.And(a, solver.True) == a)
	fmt.Println(c.And(a, b, c.Not(a)) == solver.False)
	fmt.Println(c.Or(a, b) == c.Or(b, a, b))

	cnf := solver.NewCNF(c, newCounter(), func(clause ...int) { fmt.Println(clause) })
	cnf.Assert(c.And(c.Or(a, b), c.Or(-a, c.And(a, b))))
	// Output:
	// true
	// true
	// true
	// [1 2]
	// [-3 1]
	// [-3 2]
	// [-1 3]
}

func newCounter() func() int {
	n := 0
	return func() int { n++; return n }
}

// randomLit builds a random gate, and the same as a function of the variables
// that folds nothing.
func randomLit(r *rand.Rand, c *solver.Circuit, vars []solver.Lit, depth int) (solver.Lit, func(m int) bool) {
	if depth == 0 || r.IntN(6) == 0 {
		switch k := r.IntN(len(vars) + 2); k {
		case len(vars):
			return solver.True, func(int) bool { return true }
		case len(vars) + 1:
			return solver.False, func(int) bool { return false }
		default:
			return vars[k], func(m int) bool { return m>>k&1 == 1 }
		}
	}
	a, fa := randomLit(r, c, vars, depth-1)
	b, fb := randomLit(r, c, vars, depth-1)
	d, fd := randomLit(r, c, vars, depth-1)
	switch r.IntN(5) {
	case 0:
		return c.Not(a), func(m int) bool { return !fa(m) }
	case 1:
		return c.And(a, b, d), func(m int) bool { return fa(m) && fb(m) && fd(m) }
	case 2:
		return c.Or(a, b, d), func(m int) bool { return fa(m) || fb(m) || fd(m) }
	case 3:
		return c.Implies(a, b), func(m int) bool { return !fa(m) || fb(m) }
	}
	return c.Iff(a, b), func(m int) bool { return fa(m) == fb(m) }
}

// TestCircuitAndCNF compares values with unfolded functions, and satisfiability
// of the emitted clauses, model by model, with the values.
func TestCircuitAndCNF(t *testing.T) {
	const n = 4
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 2))
		c := solver.NewCircuit()
		var vars []solver.Lit
		for range n {
			vars = append(vars, c.Var())
		}
		l, f := randomLit(r, c, vars, 4)
		k, g := randomLit(r, c, vars, 3)
		newVar := newCounter()
		var clauses [][]int
		cnf := solver.NewCNF(c, newVar, func(cl ...int) { clauses = append(clauses, append([]int(nil), cl...)) })
		var inputs []int
		for _, v := range vars {
			inputs = append(inputs, cnf.Lit(v))
		}
		var want func(m int) bool
		switch r.IntN(3) {
		case 0:
			cnf.Assert(l)
			want = f
		case 1:
			cnf.Assert(l, k)
			want = func(m int) bool { return f(m) || g(m) }
		default:
			cnf.AssertIf(vars[0], l)
			want = func(m int) bool { return m&1 == 0 || f(m) }
		}
		for m := range 1 << n {
			value := c.Value(l, func(v solver.Lit) bool { return m>>(int(v)-int(vars[0]))&1 == 1 })
			if value != f(m) {
				t.Fatalf("seed %d: the circuit's value under %b is %v", seed, m, value)
			}
			fixed := append([][]int(nil), clauses...)
			for i, v := range inputs {
				if m>>i&1 == 0 {
					v = -v
				}
				fixed = append(fixed, []int{v})
			}
			if got := dpll(fixed); got != want(m) {
				t.Fatalf("seed %d: clauses %v under %b satisfiable: %v", seed, clauses, m, got)
			}
		}
	}
}

// dpll decides a small formula by splitting.
func dpll(clauses [][]int) bool {
	pick := 0
	for _, c := range clauses {
		if len(c) == 0 {
			return false
		}
		if pick == 0 || len(c) == 1 {
			pick = c[0]
		}
	}
	if pick == 0 {
		return true
	}
	for _, l := range []int{pick, -pick} {
		if dpll(assign(clauses, l)) {
			return true
		}
	}
	return false
}

func assign(clauses [][]int, l int) (out [][]int) {
next:
	for _, c := range clauses {
		var rest []int
		for _, k := range c {
			if k == l {
				continue next
			}
			if k != -l {
				rest = append(rest, k)
			}
		}
		out = append(out, rest)
	}
	return out
}
