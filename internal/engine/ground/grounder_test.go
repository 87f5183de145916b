package ground_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/solver"
)

// partial is a random partial structure: every fact a constant or one of a few
// variables.
type partial struct {
	labels             []history.Label
	readonly           []bool
	used, unmatched    []solver.Lit
	before, match      [][]solver.Lit
	targets, belonging [][]int
}

func (p *partial) Len() int                   { return len(p.labels) }
func (p *partial) Label(i int) *history.Label { return &p.labels[i] }
func (p *partial) ReadOnly(i int) bool        { return p.readonly[i] }
func (p *partial) Used(i int) solver.Lit      { return p.used[i] }
func (p *partial) Before(i, j int) solver.Lit { return p.before[i][j] }
func (p *partial) Match(i, j int) solver.Lit  { return p.match[i][j] }
func (p *partial) Unmatched(i int) solver.Lit { return p.unmatched[i] }
func (p *partial) Members(j int) []int        { return p.belonging[j] }
func (p *partial) Targets(i int) []int        { return p.targets[i] }

// exclusive says of elements that they are apart if the literals of their use are
// opposite.
type exclusive struct{ *partial }

func (p exclusive) Apart(i, j int) bool { return p.used[i] == -p.used[j] }

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }
func values(r *rand.Rand, max int) []history.Value {
	return []history.Value{"1", "2", "10", "a"}[r.IntN(3):][:r.IntN(max+1)]
}

func randomPartial(r *rand.Rand, vars []solver.Lit) *partial {
	n := r.IntN(5)
	lit := func() solver.Lit {
		if r.IntN(3) > 0 {
			return pick(r, solver.True, solver.False)
		}
		return pick(r, vars...) * pick[solver.Lit](r, 1, -1)
	}
	p := &partial{targets: make([][]int, n), belonging: make([][]int, n)}
	for i := range n {
		kind := history.Kind{Method: pick(r, "a", "b"), Outcome: pick(r, history.None, history.Nil, history.Pending)}
		p.labels = append(p.labels, history.Label{Kind: kind, Args: values(r, 2), Rets: values(r, 1)})
		p.readonly = append(p.readonly, r.IntN(2) == 0)
		p.used = append(p.used, lit())
		p.unmatched = append(p.unmatched, lit())
		var before, match []solver.Lit
		for j := range n {
			before = append(before, lit())
			m := solver.False
			if r.IntN(2) == 0 {
				m = lit()
			}
			match = append(match, m)
			if m != solver.False {
				p.targets[i] = append(p.targets[i], j)
				p.belonging[j] = append(p.belonging[j], i)
			}
		}
		p.before, p.match = append(p.before, before), append(p.match, match)
	}
	return p
}

func randomFormula(r *rand.Rand, scope []string, depth int) formula.Formula {
	v := func() string { return pick(r, scope...) }
	sub := func() formula.Formula { return randomFormula(r, scope, depth-1) }
	subs := func() (fs []formula.Formula) {
		for range r.IntN(4) {
			fs = append(fs, sub())
		}
		return fs
	}
	if len(scope) > 0 && (depth == 0 || r.IntN(3) == 0) {
		return randomAtom(r, v)
	}
	if depth == 0 {
		return formula.Const(r.IntN(2) == 0)
	}
	switch r.IntN(8) {
	case 0:
		return formula.Not{F: sub()}
	case 1, 2:
		return formula.And(subs())
	case 3:
		return formula.Or(subs())
	case 4:
		return formula.Implies{A: sub(), B: sub()}
	case 5:
		return formula.Iff{A: sub(), B: sub()}
	}
	q := formula.Quantified{Forall: r.IntN(2) == 0, Vars: []string{"x", "y", "z"}[:1+r.IntN(2)]}
	q.Body = randomFormula(r, append(append([]string(nil), scope...), q.Vars...), depth-1)
	return q
}

func randomAtom(r *rand.Rand, v func() string) formula.Formula {
	value := func() formula.Term {
		return pick(r, formula.Term{Fn: "arg", Var: v(), Index: 1}, formula.Term{Fn: "arg", Var: v(), Index: 2},
			formula.Term{Fn: "ret", Var: v()}, formula.Term{Name: "1", Sort: formula.ValueSort})
	}
	op := func() formula.Term { return pick(r, formula.Term{Var: v()}, formula.Term{Fn: "match", Var: v()}) }
	switch r.IntN(10) {
	case 9:
		return formula.Less{A: value(), B: value()}
	case 0:
		return formula.Atom{Name: "before", Args: []string{v(), v()}}
	case 1:
		return formula.Atom{Name: pick(r, "unmatched", "completed", "readonly", "used"), Args: []string{v()}}
	case 2:
		return formula.Equal{A: formula.Term{Fn: "method", Var: v()}, B: formula.Term{Name: pick(r, "a", "b", "c"), Sort: formula.MethodSort}}
	case 3:
		return formula.Equal{A: formula.Term{Name: pick(r, "none", "nil", ""), Sort: formula.OutcomeSort}, B: formula.Term{Fn: "outcome", Var: v()}}
	case 4:
		return formula.Equal{A: formula.Term{Fn: "method", Var: v()}, B: formula.Term{Fn: "method", Var: v()}}
	case 5:
		return formula.Equal{A: formula.Term{Fn: "outcome", Var: v()}, B: formula.Term{Fn: "outcome", Var: v()}}
	case 6:
		return formula.Equal{A: value(), B: value()}
	}
	return formula.Equal{A: op(), B: op()}
}

// substitute is the twin of Ground: every tuple, no index, no order, no sharing
// of ideas. It evaluates under one assignment of the variables.
type substitute struct {
	p     *partial
	holds func(solver.Lit) bool
}

func (s substitute) eval(f formula.Formula, env map[string]int) bool {
	switch f := f.(type) {
	case formula.Const:
		return bool(f)
	case formula.Not:
		return !s.eval(f.F, env)
	case formula.And:
		for _, g := range f {
			if !s.eval(g, env) {
				return false
			}
		}
		return true
	case formula.Or:
		for _, g := range f {
			if s.eval(g, env) {
				return true
			}
		}
		return false
	case formula.Implies:
		return !s.eval(f.A, env) || s.eval(f.B, env)
	case formula.Iff:
		return s.eval(f.A, env) == s.eval(f.B, env)
	case formula.Quantified:
		return s.quantified(f, f.Vars, env)
	case formula.Atom:
		return s.atom(f, env)
	}
	if l, ok := f.(formula.Less); ok {
		return s.less(l, env)
	}
	return s.equal(f.(formula.Equal), env)
}

func (s substitute) less(f formula.Less, env map[string]int) bool {
	for _, a := range s.values(f.A, env) {
		for _, b := range s.values(f.B, env) {
			m, err := strconv.Atoi(a.(string))
			n, err2 := strconv.Atoi(b.(string))
			if err == nil && err2 == nil && m < n {
				return true
			}
		}
	}
	return false
}

func (s substitute) quantified(q formula.Quantified, vars []string, env map[string]int) bool {
	if len(vars) == 0 {
		return s.eval(q.Body, env)
	}
	for i := range s.p.Len() {
		inner := map[string]int{vars[0]: i}
		for k, v := range env {
			if k != vars[0] {
				inner[k] = v
			}
		}
		if s.holds(s.p.used[i]) && s.quantified(q, vars[1:], inner) != q.Forall {
			return !q.Forall
		}
	}
	return q.Forall
}

func (s substitute) atom(f formula.Atom, env map[string]int) bool {
	x := env[f.Args[0]]
	switch f.Name {
	case "before":
		return s.holds(s.p.before[x][env[f.Args[1]]])
	case "unmatched":
		return s.holds(s.p.unmatched[x])
	case "completed":
		return s.p.labels[x].Outcome != history.Pending
	case "readonly":
		return s.p.readonly[x]
	}
	return s.holds(s.p.used[x])
}

func (s substitute) equal(f formula.Equal, env map[string]int) bool {
	for _, a := range s.values(f.A, env) {
		for _, b := range s.values(f.B, env) {
			if a == b {
				return true
			}
		}
	}
	return false
}

// values lists what a term may denote: here a match need not be unique.
func (s substitute) values(t formula.Term, env map[string]int) (out []any) {
	if t.Var == "" {
		return []any{t.Name}
	}
	x := env[t.Var]
	l := &s.p.labels[x]
	vs := l.Args
	switch t.Fn {
	case "":
		return []any{x}
	case "method":
		return []any{l.Method}
	case "outcome":
		if l.Outcome == history.Pending {
			return nil
		}
		return []any{string(l.Outcome)}
	case "match":
		for j, m := range s.p.match[x] {
			if s.holds(m) {
				out = append(out, j)
			}
		}
		return out
	case "ret":
		vs = l.Rets
	}
	if i := max(t.Index, 1); i <= len(vs) {
		return []any{string(vs[i-1])}
	}
	return nil
}

// TestGroundIsSubstitution grounds random formulas over random partial
// structures and compares, under every assignment, with plain substitution.
func TestGroundIsSubstitution(t *testing.T) {
	open, closed := 0, 0
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 3))
		c := solver.NewCircuit()
		vars := []solver.Lit{c.Var(), c.Var(), c.Var()}
		p := randomPartial(r, vars)
		f := randomFormula(r, nil, 2+r.IntN(3))
		var in ground.Partial = p
		if seed%2 == 0 {
			in = exclusive{p}
		}
		l, err := groundFormula(t.Context(), f, in, c)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if l == solver.True || l == solver.False {
			closed++
		} else {
			open++
		}
		for m := range 1 << len(vars) {
			variable := func(l solver.Lit) bool { return m>>(int(l)-int(vars[0]))&1 == 1 }
			twin := substitute{p, func(l solver.Lit) bool { return c.Value(l, variable) }}
			if got, want := c.Value(l, variable), twin.eval(f, nil); got != want {
				t.Fatalf("seed %d, assignment %b: %s grounds to %v, substitution says %v", seed, m, formula.String(f), got, want)
			}
		}
	}
	if open < 1000 || closed < 1000 {
		t.Errorf("too one-sided a sample: %d open, %d closed", open, closed)
	}
}

// TestOneGrounder: what formulas that are grounded one after the other have in common is
// computed once, and they still mean what substitution says.
func TestOneGrounder(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 5))
		c := solver.NewCircuit()
		vars := []solver.Lit{c.Var(), c.Var()}
		p := randomPartial(r, vars)
		g := ground.NewGrounder(p, c)
		for range 12 {
			f := randomFormula(r, nil, 1+r.IntN(3))
			plan, err := ground.Prepare(f)
			if err != nil {
				t.Fatal(err)
			}
			l, err := g.Ground(t.Context(), plan)
			if err != nil {
				t.Fatal(err)
			}
			for m := range 1 << len(vars) {
				variable := func(l solver.Lit) bool { return m>>(int(l)-int(vars[0]))&1 == 1 }
				twin := substitute{p, func(l solver.Lit) bool { return c.Value(l, variable) }}
				if got, want := c.Value(l, variable), twin.eval(f, nil); got != want {
					t.Fatalf("seed %d, assignment %b: %s grounds to %v, substitution says %v", seed, m, formula.String(f), got, want)
				}
			}
		}
	}
}

// TestInstances: the disjunction of a tuple's literals is the formula there.
func TestInstances(t *testing.T) {
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 4))
		c := solver.NewCircuit()
		vars := []solver.Lit{c.Var(), c.Var()}
		p := randomPartial(r, vars)
		f := randomFormula(r, []string{"x", "y"}, 3)
		plan, err := ground.Prepare(f, "x", "y")
		if err != nil {
			t.Fatal(err)
		}
		got := map[[2]int]solver.Lit{}
		err = ground.NewGrounder(p, c).Instances(t.Context(), plan, func(tuple []int, l solver.Lit) bool {
			k := [2]int{tuple[0], tuple[1]}
			if old, ok := got[k]; ok {
				l = c.Or(old, l)
			}
			got[k] = l
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		for m := range 1 << len(vars) {
			variable := func(l solver.Lit) bool { return m>>(int(l)-int(vars[0]))&1 == 1 }
			twin := substitute{p, func(l solver.Lit) bool { return c.Value(l, variable) }}
			for i := range p.Len() {
				for j := range p.Len() {
					want := twin.holds(p.used[i]) && twin.holds(p.used[j]) && twin.eval(f, map[string]int{"x": i, "y": j})
					l, ok := got[[2]int{i, j}]
					if (ok && c.Value(l, variable)) != want {
						t.Fatalf("seed %d: %s at %d, %d", seed, formula.String(f), i, j)
					}
				}
			}
		}
	}
}

func TestPrepareErrors(t *testing.T) {
	for _, tt := range []struct {
		name string
		f    formula.Formula
		want string
	}{
		{"unknown predicate", formula.Atom{Name: "later", Args: []string{"x"}}, "unknown predicate later"},
		{"arity", formula.Atom{Name: "before", Args: []string{"x"}}, "takes 2"},
		{"unbound", formula.Atom{Name: "used", Args: []string{"q"}}, "q is not bound"},
		{"sorts", formula.Equal{A: formula.Term{Var: "x"}, B: formula.Term{Fn: "method", Var: "x"}}, "another sort"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := ground.Prepare(tt.f, "x"); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Prepare: %v, want %q", err, tt.want)
			}
		})
	}
}

func TestGroundNoticesTheContext(t *testing.T) {
	p := &partial{}
	for range 3000 {
		p.labels = append(p.labels, history.Label{})
		p.used = append(p.used, solver.True)
	}
	p.readonly = make([]bool, len(p.labels))
	// readonly is false everywhere, which shows only after n^3 tuples.
	ro := func(v string) formula.Formula { return formula.Atom{Name: "readonly", Args: []string{v}} }
	same := formula.Equal{A: formula.Term{Fn: "method", Var: "x"}, B: formula.Term{Fn: "method", Var: "z"}}
	f := formula.Quantified{Vars: []string{"x", "y", "z"}, Body: formula.And{
		same, formula.Iff{A: ro("x"), B: formula.Not{F: ro("y")}}, formula.Iff{A: ro("y"), B: formula.Not{F: ro("z")}}}}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := groundFormula(ctx, f, p, solver.NewCircuit()); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("Ground: %v", err)
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("noticed the context after %v", d)
	}
}

func groundFormula(ctx context.Context, f formula.Formula, p ground.Partial, c *solver.Circuit) (solver.Lit, error) {
	plan, err := ground.Prepare(f)
	if err != nil {
		return solver.False, err
	}
	return ground.NewGrounder(p, c).Ground(ctx, plan)
}
