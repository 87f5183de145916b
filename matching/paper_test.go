package matching

import (
	"context"
	"sort"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// The predicates of "Symbolic ADT inference" Example 12: w is "is a write", of
// the target and of the operation; v is "same value", read or written.
var (
	writes = []string{"method(y) = write", "method(x) = write"}
	values = "arg(y) = arg(x) | arg(y) = ret(x) | ret(y) = arg(x) | ret(y) = ret(x)"
)

func parsed(t *testing.T, src string, free ...string) formula.Formula {
	t.Helper()
	f, err := formula.Parse(src, nil, free...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// uniqueWrites is the register over executions that write unique values and
// read only what was written, with its sample up to a length.
func uniqueWrites(t *testing.T, length int) (*Model, *sample) {
	t.Helper()
	impl, err := reference.New(register.Spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { impl.Close() })
	ctx := context.Background()
	base, err := Explore(ctx, impl, []theory.Rule{
		{Formula: parsed(t, register.Spec.Language[0].Formula)},
		{Formula: parsed(t, "forall x:Op. !(outcome(x) = nil)")},
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := &sample{}
	for range length {
		if err := s.grow(ctx, base); err != nil {
			t.Fatal(err)
		}
	}
	for n := 1; n <= length; n++ {
		base.Alphabet.Executions(n, base.Language.Extends, func(e []enumerate.Label) bool {
			s.all = append(s.all, append([]enumerate.Label(nil), e...))
			return true
		})
	}
	return base, s
}

// schemes lists all models of the constraints, each as its true valuations.
func schemes(t *testing.T, m *Model, s *sample, o options, predicates ...string) (models [][]string, constraints int) {
	t.Helper()
	var ps []Predicate
	for _, p := range predicates {
		ps = append(ps, Predicate{Formula: parsed(t, p, "x", "y"), Cost: 1})
	}
	n := newEncoding(newTable(m.Alphabet, ps))
	q := newQuery(n, solver.New())
	q.add(n.constraints(s, o)...)
	ctx := context.Background()
	for len(models) < 100 {
		ok, err := q.solve(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		model := q.model()
		var truths []string
		var block []solver.Lit
		for v, bit := range model {
			if bit {
				truths = append(truths, n.table.valuations[v].text())
				block = append(block, -n.g[v])
			} else {
				block = append(block, n.g[v])
			}
		}
		sort.Strings(truths)
		models = append(models, truths)
		q.cnf.Assert(block...)
	}
	return models, len(q.constraints)
}

// Example 13: executions of length 5 exclude every valuation but 101 and 111.
func TestExample13HasOneModel(t *testing.T) {
	m, s := uniqueWrites(t, 5)
	models, constraints := schemes(t, m, s, options{}, append(writes, values)...)
	if len(models) != 1 || strings.Join(models[0], " ") != "101 111" {
		t.Errorf("models %v, want [[101 111]]", models)
	}
	if len(s.admitted) != 31 || len(s.removals) != 233 {
		t.Errorf("%d executions, %d pairs; want 31, 233", len(s.admitted), len(s.removals))
	}
	t.Logf("%d executions, %d pairs, %d constraints", len(s.admitted), len(s.removals), constraints)
}

// As the paper states the constraints, the scheme that matches nothing is a
// model too, so that nothing is ever unsatisfiable.
func TestExample13AsPrintedHasTheEmptyModel(t *testing.T) {
	m, s := uniqueWrites(t, 5)
	models, _ := schemes(t, m, s, options{without: map[rule]bool{ruleClosed: true, ruleUnmatched: true, ruleDuplicate: true}}, append(writes, values)...)
	empty := false
	for _, model := range models {
		empty = empty || len(model) == 0
	}
	if !empty || len(models) < 2 {
		t.Errorf("models %v, want the empty one among several", models)
	}
}

// Example 13's table gives match removal as the reason against 010 and 011.
// Uniqueness alone excludes them.
func TestExample13ReasonsAreUniqueness(t *testing.T) {
	m, s := uniqueWrites(t, 5)
	only := options{without: map[rule]bool{ruleClosed: true, ruleUnmatched: true, ruleDuplicate: true, ruleMatch: true}}
	models, _ := schemes(t, m, s, only, append(writes, values)...)
	for _, model := range models {
		for _, v := range model {
			if v == "010" || v == "011" {
				t.Errorf("uniqueness admits %s in %v", v, model)
			}
		}
	}
}

// Example 14: without v there is no scheme.
func TestExample14IsUnsatisfiable(t *testing.T) {
	m, s := uniqueWrites(t, 5)
	if models, _ := schemes(t, m, s, options{}, writes...); len(models) != 0 {
		t.Errorf("models %v, want none", models)
	}
}

// Example 12's scheme is the model: writes map to themselves, reads to the
// write of their value.
func TestExample12IsTheModel(t *testing.T) {
	m, s := uniqueWrites(t, 3)
	n := newEncoding(newTable(m.Alphabet, []Predicate{
		{Formula: parsed(t, writes[0], "y")}, {Formula: parsed(t, writes[1], "x")}, {Formula: parsed(t, values, "x", "y")},
	}))
	given := theory.Matching{Target: []formula.Formula{parsed(t, "method(y) = write & ("+values+")", "x", "y")}, ReadOnly: parsed(t, "method(x) = read", "x")}
	scheme, err := m.With(given)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range s.all {
		seq, err := scheme.Scheme.Abstract(nil, e)
		if err != nil {
			t.Fatal(err)
		}
		for op := range e {
			for target := range e {
				text := n.table.valuations[n.table.of(e, target, op)].text()
				if want := text == "101" || text == "111"; want != (int(seq[op].Target) == target) {
					t.Errorf("%v: operation %d, target %d: valuation %s", m.Alphabet.Texts(e), op, target, text)
				}
			}
		}
	}
}

// Without uniqueness on executions that are not admitted, the mirror image is a
// model for a queue: an add maps to the remove of its value.
func TestMirrorImageNeedsExecutionsThatAreNotAdmitted(t *testing.T) {
	for _, onlyAdmitted := range []bool{false, true} {
		impl, err := reference.New(queue.Spec)
		if err != nil {
			t.Fatal(err)
		}
		defer impl.Close()
		ctx := context.Background()
		m, err := Explore(ctx, impl, []theory.Rule{{Formula: parsed(t, queue.Spec.Language[0].Formula)}}, 0)
		if err != nil {
			t.Fatal(err)
		}
		s, err := collect(ctx, m)
		if err != nil {
			t.Fatal(err)
		}
		n := newEncoding(newTable(m.Alphabet, Standard(m.Alphabet)))
		q := newQuery(n, solver.New())
		q.add(n.constraints(s, options{onlyAdmitted: onlyAdmitted})...)
		var mirrored solver.Lit
		for v, val := range n.table.valuations {
			x, y := m.Alphabet.Text(val.x), m.Alphabet.Text(val.y)
			if x.Method == "add" && y.Method == "remove" && len(y.Rets) == 1 && y.Rets[0] == x.Args[0] {
				mirrored = n.g[v]
			}
		}
		ok, err := q.solve(ctx, mirrored)
		if err != nil {
			t.Fatal(err)
		}
		if ok != onlyAdmitted {
			t.Errorf("uniqueness on admitted executions only: %v; mirror image possible: %v", onlyAdmitted, ok)
		}
	}
}

// text says which predicates hold and which do not, such as "101".
func (v valuation) text() string {
	b := make([]byte, len(v.bits))
	for i, bit := range v.bits {
		b[i] = '0'
		if bit {
			b[i] = '1'
		}
	}
	return string(b)
}
